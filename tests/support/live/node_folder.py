"""Folders as ``backburner live --demo`` makes them, whose Node is a program of these tests."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

from backburner.live.install import wanted

TESTS = Path(__file__).parents[2]


def program(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of these tests, such as ``support.live.worker``, from any folder."""
    found = os.pathsep.join(filter(None, (str(TESTS), os.environ.get("PYTHONPATH"))))
    return ["/usr/bin/env", f"PYTHONPATH={found}", sys.executable, "-m", module, *arguments]


def node_folder(folder: Path, module: str, *arguments: str) -> Path:
    """The folder, for ``--node-folder``: all packages seem to be in it, and Node is the module's program."""
    for name, version in wanted().items():
        package = folder / "node_modules" / name
        package.mkdir(parents=True)
        (package / "package.json").write_text(json.dumps({"name": name, "version": version}))
    node = folder / "node_modules" / "node" / "bin" / "node"
    node.parent.mkdir(parents=True)
    run = shlex.join(program(module, *arguments))
    node.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo v24.0.0; else exec {run}; fi\n')
    node.chmod(0o755)
    return folder
