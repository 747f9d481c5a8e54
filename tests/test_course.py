"""The marker of ``examples/course``: a worked solution, a poor one, and one with another's records."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from backburner.cli import app
from backburner.kernel.episode import read_episode, write_episode

COURSE = Path(__file__).resolve().parents[1] / "examples" / "course"


@pytest.fixture
def marker(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """``mark.py``, whose commands run in this process: each would start for half a second."""
    spec = importlib.util.spec_from_file_location("mark", COURSE / "mark.py")
    assert spec and spec.loader
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)

    def backburner(*arguments: object, folder: Path = COURSE) -> tuple[int, str, str]:
        with monkeypatch.context() as patched:
            patched.chdir(folder)
            patched.syspath_prepend(str(folder))
            patched.delitem(sys.modules, "agent", raising=False)
            run = CliRunner().invoke(app, [*map(str, arguments)])
        sys.modules.pop("agent", None)
        return run.exit_code, run.stdout, run.stderr.strip()

    monkeypatch.setattr(loaded, "backburner", backburner)
    return loaded


@pytest.fixture
def marked(marker: ModuleType, capsys: pytest.CaptureFixture[str]) -> Callable[[Path], tuple[int, str]]:
    return lambda submission: (marker.main(submission), capsys.readouterr().out)


def test_a_worked_solution_has_full_marks(marked: Callable[[Path], tuple[int, str]]) -> None:
    """What it prints is what README.md shows."""
    code, said = marked(COURSE / "solution")
    assert code == 0 and said in (COURSE / "README.md").read_text()
    assert said.splitlines()[-1].split() == ["mark", "100", "of", "100"]


def test_a_poor_one_has_some_and_is_told_why(marked: Callable[[Path], tuple[int, str]]) -> None:
    """Two violations: 15 - 2 · 5 of the plan's 30. The agent lies between 70 and 97 %."""
    code, said = marked(COURSE / "poor")
    plan, agent, records, mark = (line for line in said.splitlines() if line[0] != " ")
    assert code == 0 and plan.startswith("plan       5 of  30  is not feasible")
    assert "Step 10 of Smore-Bars is not in the plan." in said
    points = int(agent.split()[1])
    assert 5 < points < 45 and records.startswith("records   20")
    assert mark.split()[1] in {str(25 + points), str(24 + points), str(26 + points)}  # each part is rounded


def test_who_hands_in_what_another_agent_played_is_caught(marked: Callable[[Path], tuple[int, str]]) -> None:
    code, said = marked(COURSE / "cheating")
    assert code == 1 and "CHEATED" in said and "was not played by this agent.py" in said
    assert said.splitlines()[-1].split() == ["mark", "0", "of", "100"]


def test_so_is_an_agent_that_writes_its_records_anew(marker: ModuleType, tmp_path: Path) -> None:
    """The chain of a record holds, as anybody can make it; what was played does not come to this end."""
    for file in (COURSE / "solution" / "records").rglob("*.seed*.jsonl"):
        played = read_episode(file)
        assert played.ending
        ending = replace(played.ending, numbers={**played.ending.numbers, "minutes": 1})
        write_episode(replace(played, ending=ending), tmp_path / file.name)
    found = marker.mark_agent(tmp_path)
    assert found.cheated and found.points == 0


def test_an_agent_leaves_a_record_of_each_project(
    marker: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One that removes what it plays badly is not marked by the rest."""
    shutil.copytree(COURSE / "solution" / "records", tmp_path / "all")
    monkeypatch.setattr(marker, "backburner", lambda *told, folder: (0, "", ""))
    with pytest.raises(SystemExit, match="does not leave a record of each project of heldout"):
        marker.play(COURSE / "solution", tmp_path)


def test_so_is_who_changes_a_line_of_a_record(marker: ModuleType, tmp_path: Path) -> None:
    for file in (COURSE / "solution" / "records").rglob("*.seed*.jsonl"):
        text = file.read_text()
        (tmp_path / file.name).write_text(text.replace('"completed":1', '"completed":2'))
    found = marker.mark_records(tmp_path, COURSE / "solution" / "records")
    assert found.cheated and found.points == 0
