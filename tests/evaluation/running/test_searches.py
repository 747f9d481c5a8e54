"""What is proven of scenarios that were built is told at once, and searched for where it does not count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from backburner.evaluation.running import searches
from backburner.evaluation.running.searches import Search, solve_all
from backburner.kernel import registry
from backburner.kernel.answers import FILE, Answered, encoded
from backburner.kernel.oracle import Kept, Request, Solution
from backburner.kernel.values import digest


@pytest.fixture(scope="module")
def proven(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Answered]:
    """A scenario file without an answer, and what its answer would be: 13 minutes, as the oracle proves."""
    file = tmp_path_factory.mktemp("bare") / "one.json"
    file.write_text(json.dumps({"world": "timearena", "id": "one", "tasks": ["lab1"]}))
    (found,) = solve_all([Search(str(file), "standard", "article", Request(effort=1))])
    assert (found.status, found.objective, found.bound) == ("optimal", 13, 13)
    scenario = digest(registry.world(file).scenario)
    return file, Answered(scenario, "min", "minutes", "optimal", 13, 13, {}, found.plan)


def solved(
    proven: tuple[Path, Answered],
    folder: Path,
    *,
    kept: Kept | None = None,
    asked: Search | None = None,
    **said: object,
) -> Solution:
    """The solution of the scenario with an answer beside it that says this."""
    file, answer = proven
    (folder / FILE).write_bytes(encoded([replace(answer, **said)]))
    beside = folder / file.name
    beside.write_bytes(file.read_bytes())
    usual = Search("", "standard", "article", Request(effort=1))
    (found,) = solve_all([replace(asked or usual, scenario=str(beside))], kept)
    return found


@pytest.fixture
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "solve_world", None)


@pytest.mark.usefixtures("no_search")
def test_what_an_answer_proves_is_told_at_once(proven: tuple[Path, Answered], tmp_path: Path) -> None:
    found = solved(proven, tmp_path)
    assert (found.status, found.objective, found.bound, found.unit) == ("optimal", 13, 13, "minutes")
    assert found.plan == proven[1].plan and not found.note
    (tmp_path / "own").mkdir()
    assert solved(proven, tmp_path / "own", kept=Kept(tmp_path / "kept")) == found
    (shipped,) = solve_all(
        [Search(registry.expand("timearena/built-1/low")[0], "standard", "article", Request())]
    )
    assert shipped.status == "optimal" and shipped.plan


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"best": 12, "bound": 12}, "tells of 12, and its plan comes to 13"),
        ({"best": 14}, "tells of 14, and its plan comes to 13"),
        ({"plan": ("wait", "wait", "fly away")}, "comes to less than all done at 3"),
        ({"plan": ()}, "not told in words"),
    ],
)
def test_an_answer_whose_plan_does_not_come_to_it_is_told_and_searched_for(
    proven: tuple[Path, Answered], tmp_path: Path, said: dict[str, object], why: str
) -> None:
    """Two waits take two minutes, and what nobody can read a third."""
    found = solved(proven, tmp_path, **said)
    assert why in found.note and "its answer does not count" in found.note
    assert (found.status, found.objective, found.bound) == ("optimal", 13, 13)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (Search("", "released", "article", Request(effort=1)), {}),
        (Search("", "standard", "article", Request(effort=1)), {"rules": "released"}),
        (Search("", "standard", "none", Request(effort=1)), {}),
        (Search("", "standard", "article", Request(effort=1, options={"latency": "1"})), {}),
        (Search("", "standard", "article", Request(effort=1)), {"status": "feasible"}),
        (Search("", "standard", "article", Request(effort=1)), {"scenario": "0" * 16}),
    ],
    ids=["rules", "rules of the answer", "limits", "latency", "not proven", "another scenario"],
)
def test_what_was_proven_of_something_else_is_left_out(
    proven: tuple[Path, Answered], tmp_path: Path, asked: Search, said: dict[str, object]
) -> None:
    """An answer that would be refused if anybody asked it."""
    found = solved(proven, tmp_path, asked=asked, **{"best": 1, "bound": 1, **said})
    assert found.objective is not None and found.objective >= 13
    assert "answer" not in found.note
