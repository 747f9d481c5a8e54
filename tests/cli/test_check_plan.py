"""``check-plan``: the three kinds of files, right and wrong, in words and as JSON, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backburner.cli import app
from backburner.kernel import registry
from backburner.kernel.episode import write_episode
from backburner.kernel.play import play_now
from backburner.worlds.recipe2plan.game import Cook
from support.command_line import complaint as complained
from support.policies import Answers, FirstOnMenu
from support.recipe2plan.play import reference_plan, world_of

PATH = "Cobbler+Pancakes"
SCENARIO = f"recipe2plan/{PATH}"

runner = CliRunner()


def check(*arguments: object, code: int = 0) -> str:
    result = runner.invoke(app, ["check-plan", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout


def checked(*arguments: object, code: int = 0) -> Any:
    return json.loads(check(*arguments, "--json", code=code))


def complaint(*arguments: object) -> str:
    return complained("check-plan", *arguments)


@pytest.fixture
def rows() -> list[list[Any]]:
    """The stored plan of the pair."""
    return [[p.step, p.recipe, p.seconds, p.start] for p in reference_plan(world_of(PATH))]


def written(tmp_path: Path, plan: Any, **more: Any) -> Path:
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({"plan": plan, **more}))
    return file


def as_text(rows: list[list[Any]]) -> str:
    world = world_of(PATH)
    plan = Cook(tuple(p for p in reference_plan(world) if [p.step, p.recipe, p.seconds, p.start] in rows))
    return world.words(plan)


def test_a_feasible_plan(tmp_path: Path, rows: list[list[Any]]) -> None:
    file = written(tmp_path, rows, scenario=SCENARIO)
    found = checked(file)
    finish = max(start + seconds for _, _, seconds, start in rows)
    assert (found["feasible"], found["finish"], found["time_unit"]) == (True, finish, "seconds")
    assert found["scenario"] == SCENARIO and found["violations"] == []
    first, *more = check(file).splitlines()
    hours, minutes = divmod(finish // 60, 60)
    assert first == f"{SCENARIO}: feasible, finished at {hours:02}:{minutes:02}:{finish % 60:02}"
    assert len(more) == len(found["idle"]) > 0
    assert all(line.startswith("  idle from 0") for line in more)


def test_text_json_and_record_agree(tmp_path: Path, rows: list[list[Any]]) -> None:
    text = tmp_path / "plan.txt"
    text.write_text(f"Thought: this should do.\n{as_text(rows)}\n")
    record = tmp_path / "plan.jsonl"
    world = registry.world(SCENARIO)
    write_episode(play_now(world, Answers(Cook(reference_plan(world_of(PATH))))), record)
    expected = checked(written(tmp_path, rows), "--scenario", SCENARIO)
    assert checked(text, "--scenario", SCENARIO) == checked(record) == expected


def test_violations_are_told_by_family(tmp_path: Path, rows: list[list[Any]]) -> None:
    """The first action preheats the oven; without it what waits for it waits in vain, before a cold oven."""
    dropped = rows.pop(0)
    file = written(tmp_path, rows, scenario=SCENARIO)
    found = checked(file, code=1)
    assert not found["feasible"] and found["idle"] == []
    missing = found["violations"][0]
    assert (missing["family"], missing["step"], missing["recipe"]) == ("completeness", *dropped[:2])
    families = {violation["family"] for violation in found["violations"]}
    assert families == {"completeness", "dependency", "appliance"}
    lines = check(file, code=1).splitlines()
    assert lines[0] == f"{SCENARIO}: not feasible, violations: {len(found['violations'])}"
    assert lines[1:3] == ["completeness", f"  Step {dropped[0]} of {dropped[1]} is not in the plan."]
    assert [line for line in lines[1:] if line[0] != " "] == ["completeness", "dependency", "appliance"]


def test_another_scenario_than_the_file_s(tmp_path: Path) -> None:
    """A plan made without time constraints, judged with them."""
    plan = [[p.step, p.recipe, p.seconds, p.start] for p in reference_plan(world_of(f"{PATH}@lags=off"))]
    file = written(tmp_path, plan, scenario=f"{SCENARIO}@lags=off")
    assert checked(file)["feasible"]
    found = checked(file, "--scenario", SCENARIO, code=1)
    assert {violation["family"] for violation in found["violations"]} == {"time limit"}


def test_a_record_that_was_cut_off_is_incomplete(tmp_path: Path) -> None:
    record = tmp_path / "short.jsonl"
    write_episode(play_now(world_of(PATH), FirstOnMenu(), max_steps=3), record)
    found = checked(record, code=1)
    assert {violation["family"] for violation in found["violations"]} == {"completeness"}


def test_what_cannot_be_read(tmp_path: Path, rows: list[list[Any]]) -> None:
    text = tmp_path / "plan.txt"
    text.write_text("First the tacos, then the rest.")
    assert "plan.txt: there is no plan in it" in complaint(text, "--scenario", SCENARIO)
    assert "--scenario" in complaint(text)
    assert "nothing.txt: No such file" in complaint(tmp_path / "nothing.txt", "--scenario", SCENARIO)
    text.write_bytes(b"\xff\xfe Step")
    assert "plan.txt: line 1: not UTF-8" in complaint(text, "--scenario", SCENARIO)
    assert "plan" in complaint(written(tmp_path, [[0, "Cobbler", "five", 0]], scenario=SCENARIO))
    assert "`$[1]`" in complaint(written(tmp_path, [rows[0], [1, "Cobbler"]], scenario=SCENARIO))
    assert "unknown field `who`" in complaint(written(tmp_path, rows, who="me"))
    assert "Cobbler" in complaint(written(tmp_path, rows, scenario="recipe2plan/Cobler"))
    record = tmp_path / "noise.jsonl"
    record.write_text("noise\n")
    assert "noise.jsonl: line 1" in complaint(record)


def test_foreign_names_move_no_cursor(tmp_path: Path) -> None:
    text = check(written(tmp_path, [[0, "[b]\x1b[2J", 60, 0]], scenario=SCENARIO), code=1)
    assert r"  [b]\x1b[2J (step 0) is none of the recipes." in text.splitlines()


def test_a_world_without_critics(tmp_path: Path) -> None:
    file = written(tmp_path, [], scenario="timearena/cooking1")
    assert "timearena/cooking1: this world has no critics of plans" in complaint(file)
