"""The example world of ``examples/laundry``, installed beside the wheel: every command plays it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BACKBURNER = Path(sys.executable).with_name("backburner")
DAY = "laundry/whites+colours"


def backburner(folder: Path, *arguments: str, typed: str = "") -> str:
    """What a command prints; it has to end well."""
    command = [str(BACKBURNER), *arguments]
    run = subprocess.run(command, cwd=folder, input=typed, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, f"{arguments}: {run.stdout}{run.stderr}"
    return run.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("laundry")


@pytest.fixture(scope="module")
def runs(folder: Path) -> Path:
    """Records of four agents over two days."""
    agents = [part for name in ("greedy", "oracle", "random", "serial") for part in ("--agent", name)]
    backburner(folder, "run", "laundry/quick", *agents, "--seeds", "2", "--out", "runs")
    return folder / "runs"


def test_it_is_the_wheel_that_is_tried() -> None:
    import backburner

    assert Path(backburner.__file__).is_relative_to(sys.prefix)


def test_it_is_listed(folder: Path) -> None:
    assert "laundry" in backburner(folder, "worlds")
    assert backburner(folder, "list", "laundry/quick").split() == [DAY, f"{DAY}+towels"]
    assert "laundry/quick" in backburner(folder, "list", "laundry")


def test_it_is_shown(folder: Path) -> None:
    shown = backburner(folder, "show", DAY, "--svg", "day.svg")
    assert "You do the laundry of a whole house." in shown and "wash whites" in shown
    assert (folder / "day.svg").read_text().lstrip().startswith("<")
    table = backburner(folder, "show", "laundry/all", "--stats", "--json")
    assert len(json.loads(table)) == 9
    assert "Minute 0." in backburner(folder, "show", DAY, "--prompt", "react")


def test_a_person_plays_it(folder: Path) -> None:
    plan = ["wash whites", "wait", "dry whites", "wash colours", "wait", "wait", "fold whites", "dry colours"]
    typed = "\n".join([*plan, "wait", "fold colours", ""])
    backburner(folder, "play", DAY, "--out", "mine.jsonl", typed=typed)
    last = json.loads((folder / "mine.jsonl").read_text().splitlines()[-1])
    assert (last["status"], last["numbers"]["completed"]) == ("ended", 1)


def test_it_is_solved_with_proof(folder: Path) -> None:
    solutions = json.loads(backburner(folder, "solve", "laundry/all", "--json"))
    assert {solution["status"] for solution in solutions} == {"optimal"}
    # Colours are washed 0-42 and dried 44-91; whites washed 42-104, dried 104-156, folded 156-164.
    assert solutions[0]["objective"] == solutions[0]["bound"] == 164


def test_its_own_oracle_and_the_general_ones_agree() -> None:
    """Three ways to the same minutes: A* over the world's rules, CP-SAT over its problem, and a search of the
    steps of any world."""
    from backburner.kernel import exact, registry
    from backburner.kernel.oracle import Request
    from backburner.scheduling.oracle import ScheduleOracle
    from laundry.oracle import ORACLE

    for id in registry.expand("laundry/all"):
        world = registry.world(id, limits="none")
        found = {
            oracle.solve(world, Request(effort=5)).objective
            for oracle in (ORACLE, ScheduleOracle(), exact.ORACLE)
        }
        assert len(found) == 1 and None not in found


def test_it_is_reported(folder: Path, runs: Path) -> None:
    report = json.loads(backburner(folder, "report", "runs", "--json"))
    backburner(folder, "export", "runs", "--format", "svg", "figures")
    assert "laundry" in json.dumps(report)
    page = (runs / "report.html").read_text()
    expected = ("loads folded", "Left wet", "greedy", "oracle", "How long a day takes")
    assert all(words in page for words in expected)
    assert (folder / "figures" / "laundry" / "minutes.svg").exists()
    scores = backburner(folder, "score", "runs")
    assert "regret" in scores


def test_it_has_a_headline(folder: Path) -> None:
    backburner(folder, "run", "laundry/all", "--agent", "oracle", "--out", "all")
    (found,) = json.loads(backburner(folder, "score", "all", "--over", "laundry", "--json"))
    assert (found["agent"], found["informed"]) == ("oracle", True)
    assert found["score"]["value"] == pytest.approx(100.0)
    made = folder / "headline.json"
    backburner(folder, "solve", "laundry", "--write-references", f"{made}@seeds=2")
    assert len(json.loads(made.read_text())["references"]) == 9


def test_unfinished_days_have_minutes_to_go(folder: Path) -> None:
    backburner(folder, "run", f"{DAY}+towels+woollens", "--agent", "serial", "--out", "late")
    (record,) = (folder / "late").rglob("*.jsonl")
    assert json.loads(record.read_text().splitlines()[-1])["status"] == "cut off"
    for _ in range(2):
        backburner(folder, "report", "late", "--count", "steps_to_go=5")
    (kept,) = (folder / "late").glob("*.kept")
    assert len(kept.read_text().splitlines()) == 1  # searched for once, and written down once


def test_records_replay(folder: Path, runs: Path) -> None:
    for record in sorted(runs.rglob("*.jsonl")):
        backburner(folder, "verify", str(record))
    backburner(folder, "replay", str(record), "--html", "page.html", "--svg", "line.svg")
    assert "washer 1" in (folder / "page.html").read_text()


def test_thinking_costs_time_in_it(folder: Path) -> None:
    backburner(folder, "run", DAY, "--agent", "greedy@latency=60", "--limits", "none", "--out", "slow")
    (record,) = (folder / "slow").rglob("*.jsonl")
    backburner(folder, "verify", str(record))
    assert json.loads(record.read_text().splitlines()[-1])["numbers"]["minutes"] == 180  # 175 without


def test_it_is_a_task_of_inspect(folder: Path) -> None:
    from inspect_ai import eval as evaluate

    from backburner.inspect.tasks import TASKS, play

    logs = evaluate(
        TASKS["laundry"](suite="quick"),
        solver=play(agent="greedy"),
        model="none/none",
        log_dir=str(folder / "logs"),
        display="none",
    )
    assert [log.status for log in logs] == ["success"]
    files = map(str, (folder / "logs").glob("*.eval"))
    backburner(folder, "export", *files, "--format", "records", "--out", "converted")
    assert list((folder / "converted").rglob("*.jsonl"))


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_it_keeps_the_contract(rules: str) -> None:
    from backburner.kernel import registry
    from backburner.kernel.testing import check_world

    checked = check_world(registry.world("laundry/whites+colours+towels", rules=rules))
    assert checked.steps > 20
    print(checked)
