"""``export --format`` of problems, and ``import``."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from typer.testing import CliRunner, Result

from backburner.cli import app
from backburner.formats.files import imported
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.schedule import problem_of


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


def test_a_scenario_is_one_file_that_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "cooking1.json"
    assert run("export", "timearena/cooking1", "--format", "problem@strict=on", file).exit_code == 0
    assert imported(file) == problem_of(registry.world("timearena/cooking1"))


def test_what_is_lost_is_told_and_refused_where_that_is_asked(tmp_path: Path) -> None:
    found = run("export", "timearena/cooking1", "--format", "asyncplan", "--out", tmp_path / "a.json")
    assert "lost: work that holds the operator for a while (2 of 8 activities)" in found.stderr
    strict = run(
        "export", "timearena/cooking1", "--format", "asyncplan@strict=on", "--out", tmp_path / "b.json"
    )
    assert isinstance(strict.exception, Refused) and not (tmp_path / "b.json").exists()


def test_a_suite_is_a_folder_with_a_manifest(tmp_path: Path) -> None:
    """TimeArena's ``quick`` has 18 scenarios; the shortest play of household1 is 13 minutes (README)."""
    found = run("export", "timearena/cooking1", "timearena/household1", "robotouille/synchronous/1@seed=42",
                "--format", "problem", tmp_path, "--json")  # fmt: skip
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert json.loads(found.stdout) == manifest
    assert [row["id"] for row in manifest["files"]] == ["timearena/cooking1", "timearena/household1"]
    assert [each["id"] for each in manifest["left_out"]] == ["robotouille/synchronous/1@seed=42"]
    row = manifest["files"][1]
    assert (row["status"], row["best"], row["bound"], row["licence"]) == ("optimal", 13, 13, "MIT")
    assert row["sha256"] == hashlib.sha256((tmp_path / row["file"]).read_bytes()).hexdigest()


def test_no_suite_without_a_problem_makes_a_folder(tmp_path: Path) -> None:
    found = run("export", "robotouille/synchronous/1@seed=42", "--format", "jsplib", tmp_path / "x")
    assert "does not state its scenario as a scheduling problem" in str(found.exception)
