"""The marker of ``examples/course``: a worked solution, a poor one, and one with another's records."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from backburner.cli import app

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


def test_so_is_who_changes_a_line_of_a_record(marker: ModuleType, tmp_path: Path) -> None:
    for file in (COURSE / "solution" / "records").rglob("*.seed*.jsonl"):
        text = file.read_text()
        (tmp_path / file.name).write_text(text.replace('"completed":1', '"completed":2'))
    found = marker.mark_records(tmp_path, COURSE / "solution" / "records")
    assert found.cheated and found.points == 0
