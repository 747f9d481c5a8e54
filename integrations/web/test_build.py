"""The pages are built from their sources with npm's packages, and are what the wheel has, byte for byte."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import backburner

ROOT = Path(__file__).parents[2]
SHIPPED = Path(backburner.__file__).parent / "serve" / "assets"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources with their packages."""
    copy = tmp_path_factory.mktemp("pages") / "web"
    shutil.copytree(ROOT / "web", copy, ignore=shutil.ignore_patterns("node_modules", ".tests"))
    run(copy, "npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund")
    return copy


def run(folder: Path, *command: str) -> str:
    quiet = {**os.environ, "CI": "true"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=quiet)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_types_are_right(web: Path) -> None:
    run(web, "npm", "run", "--silent", "check")


def test_its_own_tests_pass(web: Path) -> None:
    assert re.search(r"\bpass [1-9]", run(web, "npm", "test", "--silent"))


def test_what_is_shipped_is_what_the_sources_make(web: Path, tmp_path: Path) -> None:
    run(web, "node", "build.mjs", "--out", str(tmp_path / "made"))
    made = {file.name: file.read_bytes() for file in (tmp_path / "made").iterdir()}
    shipped = {file.name: file.read_bytes() for file in SHIPPED.iterdir()}
    assert made.keys() == shipped.keys()
    assert not [name for name in made if made[name] != shipped[name]], (
        "run `make web` and commit what it makes"
    )
