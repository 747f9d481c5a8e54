"""``export --format`` of problems, and ``import``."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner, Result

from backburner.cli import app
from backburner.formats.files import BY_SUFFIX, FORMATS, READERS, imported
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.schedule import problem_of


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


def test_a_scenario_is_one_file_that_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "cooking1.json"
    assert run("export", "timearena/cooking1", "--format", "problem@strict=on", file).exit_code == 0
    assert imported(file) == problem_of(registry.world("timearena/cooking1"))


def test_a_problem_of_the_world_of_all_problems_comes_back(tmp_path: Path) -> None:
    """Its file leaves out what is the usual: here the unit, minutes."""
    file = tmp_path / "bakery.json"
    assert run("export", "projects/bakery", "--format", "problem", file).exit_code == 0
    assert imported(file) == problem_of(registry.world("projects/bakery"))


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


def test_kitchens_go_out_as_planning_tasks(tmp_path: Path) -> None:
    """The shortest plan of this one ships: 7 steps."""
    id = "robotouille/synchronous/1@seed=42"
    found = run("export", id, "timearena/cooking1", "--format", "pddl@strict=on", tmp_path, "--json")
    manifest = json.loads(found.stdout)
    (row,), (left_out,) = manifest["files"], manifest["left_out"]
    assert (row["id"], row["status"], row["best"], row["unit"]) == (id, "optimal", 7, "steps")
    assert (tmp_path / row["file"].replace(".pddl", "-problem.pddl")).is_file()
    assert "does not state its scenario as a planning task" in left_out["why"]


def test_no_suite_without_a_problem_makes_a_folder(tmp_path: Path) -> None:
    found = run("export", "robotouille/synchronous/1@seed=42", "--format", "jsplib", tmp_path / "x")
    assert "does not state its scenario as a scheduling problem" in str(found.exception)


def test_a_job_shop_becomes_a_scenario_that_is_played(tmp_path: Path) -> None:
    """Machine 0 is needed for 3 and 2, machine 1 then for 1 and 4."""
    shop, scenario = tmp_path / "shop", tmp_path / "shop.json"
    shop.write_text("2 2\n0 3 1 1\n0 2 1 4\n")
    assert run("import", shop, "--out", scenario).exit_code == 0
    found = run("solve", scenario, "--json")
    (solution,) = json.loads(found.stdout)
    # Job 1 at machine 0 until 2, at machine 1 from 2 to 6; job 0 from 2 to 5 and from 6 to 7.
    assert (solution["status"], solution["objective"]) == ("optimal", 7)
    assert run("export", scenario, "--format", "jsplib@strict=on", tmp_path / "again.txt").exit_code == 0
    assert "0 3  1 1" in (tmp_path / "again.txt").read_text()


def test_a_question_of_several_is_named_behind_the_file(tmp_path: Path) -> None:
    graph = {"edges": [[0, 1]], "step_to_node": {"1": 0, "2": 1}}
    (tmp_path / "g.json").write_text(json.dumps([{"id": n, "graph": graph} for n in (1, 2)]))
    assert "name one" in str(run("import", tmp_path / "g.json", "--out", tmp_path / "s.json").exception)
    assert run("import", f"{tmp_path / 'g.json'}@item=2", "--out", tmp_path / "s.json").exit_code == 0


def test_a_file_of_unified_planning_is_read_by_who_has_imported_nothing_of_it(tmp_path: Path) -> None:
    """Its reader names a module that it does not import, so that a process of its own is needed to see it."""
    file = tmp_path / "bakery.up"
    assert run("export", "projects/bakery", "--format", "up", file).exit_code == 0
    words = [sys.executable, "-m", "backburner", "import", file, "--out", tmp_path / "bakery.json"]
    found = subprocess.run(words, capture_output=True, text=True)
    assert found.stderr.startswith("13 activities"), found.stderr


def test_the_page_has_a_row_for_every_format() -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
    rows = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `")}
    assert rows == set(FORMATS) and set(READERS) <= rows
    assert all(suffix in page for suffix in BY_SUFFIX)
