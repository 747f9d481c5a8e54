"""What to type when an optional part is missing, from a clone and from an installed package."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import backburner
from backburner.kernel.extras import clone_of, install_command, requirements_of

ROOT = Path(backburner.__file__).parent

REQUIREMENTS = (
    "msgspec>=0.20",
    "numpy>=2; extra == 'solve'",
    'ortools>=9.14; extra == "solve"',
    "tiny; (platform_system == 'Linux' and platform_machine == 'x86_64') and extra == 'dev'",
)

SAY = "from backburner.kernel.errors import MissingExtra; print(MissingExtra('solve', 'an oracle'))"


def said(folder: Path) -> list[str]:
    """What a Python that finds the package in ``folder`` says, word by word as a shell reads it."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-c", SAY]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return shlex.split(run.stdout.strip().removeprefix("an oracle needs an optional part: "))


def test_a_clone_is_installed_again_with_the_extra(tmp_path: Path) -> None:
    """Whatever folder the reader is in, with the interpreter that runs, and not from an index."""
    clone = tmp_path / "my clone"
    (clone / "src").mkdir(parents=True)
    (clone / "pyproject.toml").touch()
    (clone / "src" / "backburner").symlink_to(ROOT)
    install = [sys.executable, "-m", "pip", "install"]
    assert said(clone / "src") == [*install, "--editable", f"{clone}[solve]"]


def test_an_installed_package_names_what_the_extra_requires(tmp_path: Path) -> None:
    (tmp_path / "backburner").symlink_to(ROOT)
    facts = tmp_path / "backburner-0.1.0.dist-info"
    facts.mkdir()
    lines = ["Metadata-Version: 2.4", "Name: backburner", "Version: 0.1.0"]
    lines += [f"Requires-Dist: {requirement}" for requirement in REQUIREMENTS]
    (facts / "METADATA").write_text("\n".join(lines) + "\n")
    assert said(tmp_path) == [sys.executable, "-m", "pip", "install", "numpy>=2", "ortools>=9.14"]


def test_other_conditions_stay() -> None:
    assert requirements_of("dev", REQUIREMENTS) == [
        "tiny; (platform_system == 'Linux' and platform_machine == 'x86_64')"
    ]
    assert requirements_of("nothing", REQUIREMENTS) == []


@pytest.mark.skipif(clone_of(ROOT) is None, reason="the tests run with an installed package")
def test_the_command_is_fit_to_be_pasted() -> None:
    words = shlex.split(install_command("models"))
    assert words[-2:] == ["--editable", f"{clone_of(ROOT)}[models]"] and Path(words[0]).exists()
