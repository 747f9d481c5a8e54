"""Errors say what is wrong in one line, offer the nearest known name, and how a missing part is installed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import backburner
from backburner.kernel import errors
from backburner.kernel.errors import (
    BackburnerError,
    BadFile,
    MissingExtra,
    PolicyFailure,
    UnknownName,
    clone_of,
    install_command,
    nearest,
    requirements_of,
    shorten,
)

TASKS = ["cooking1", "cooking10", "household1", "lab1"]


def test_every_error_is_a_backburner_error() -> None:
    defined = (kind for kind in vars(errors).values() if getattr(kind, "__module__", "") == errors.__name__)
    found = [kind for kind in defined if isinstance(kind, type)]
    assert all(issubclass(kind, BackburnerError) for kind in found)
    drawn = errors.__doc__ or ""
    assert all(kind.__name__ in drawn for kind in found), "the tree at the top of the file is complete"


def test_an_unknown_name_offers_the_nearest_ones() -> None:
    error = UnknownName("task", "coking1", TASKS, "timearena")
    assert error.nearest == ["cooking1", "cooking10"]
    assert str(error) == "unknown task 'coking1' in timearena; did you mean cooking1 or cooking10?"


def test_where_no_name_is_near_a_few_of_the_known_ones_are_told() -> None:
    many = [f"lab{number}" for number in range(errors.FEW + 3)]
    few = ", ".join(many[: errors.FEW])
    assert str(UnknownName("task", "zzz", many)) == f"unknown task 'zzz'; known: {few} and 3 more"
    assert str(UnknownName("task", "zzz", many[: errors.FEW])) == f"unknown task 'zzz'; known: {few}"
    assert str(UnknownName("task", "zzz", [])) == "unknown task 'zzz'"


def test_a_few_known_names_are_told() -> None:
    told = str(UnknownName("value", "two", ["one", "own"]))
    assert told in ("unknown value 'two'; did you mean one?", "unknown value 'two'; known: one, own")


@pytest.mark.parametrize(
    ("name", "best"),
    [("Cooking1", "cooking1"), ("househol1", "household1"), ("lab_1", "lab1")],
)
def test_nearest_looks_past_case_and_slips(name: str, best: str) -> None:
    assert nearest(name, TASKS)[0] == best


def test_nearest_gives_the_known_spelling() -> None:
    assert nearest("TACOS", ["Tacos", "Smore-Bars"]) == ["Tacos"]


def test_a_very_long_name_is_shortened_and_still_looked_up() -> None:
    error = UnknownName("task", "cooking1" * 100_000, TASKS)
    assert len(str(error)) < 200


def test_shorten_keeps_the_asked_length() -> None:
    assert shorten("abcdef", 6) == "abcdef"
    assert shorten("abcdefg", 6) == "abcde…"


def test_a_bad_file_is_named_with_place_and_reason() -> None:
    assert str(BadFile("soup.json", "field 'tasks'", "is empty")) == "soup.json: field 'tasks': is empty"
    assert str(BadFile("soup.json", "", "is not there")) == "soup.json: is not there"


def test_a_missing_extra_names_the_command() -> None:
    message = str(MissingExtra("solve", "the oracle"))
    assert message == f"the oracle needs an optional part: {install_command('solve')}"


def test_a_policy_failure_names_its_boundary() -> None:
    assert PolicyFailure("model", "no answer").boundary == "model"


# --- what to type when an optional part is missing ------------------------------------------------------

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
