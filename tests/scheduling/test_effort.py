"""Searches one after the other share an effort, which is counted in the solver's own work."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.kernel.oracle import Solution
from backburner.kernel.schedule import Activity, MaxLag, Problem, Resource
from backburner.scheduling.makespan import solve_problem
from backburner.scheduling.model import Budget, Search

POTS = [Activity(f"pot {n}", 2 + n * 5 % 6, 1, resources=("stove",)) for n in range(24)]
SERVED = [Activity(f"serve {n}", 1, 1, predecessors=(f"pot {n}",)) for n in range(24)]
HARD = Problem("minutes", (*POTS, *SERVED), (Resource("stove", 4),), "made for a test")

SOUP = Activity("soup", 4, 1)
CHOP = Activity("chop", 6, 6, preemptive=True)
SERVE = Activity("serve", 1, 1, ("soup",), max_lags=(MaxLag("soup", 0),))
SPLIT = Problem("minutes", (SOUP, CHOP, SERVE), (), "made for a test")


def solved(problem: Problem, **how: float) -> Solution:
    return replace(solve_problem(problem, **how), seconds=0.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("effort", [0.0, 0.0005, 0.002, 0.01])
def test_equal_efforts_give_equal_answers(effort: float) -> None:
    first = solved(HARD, effort=effort)
    assert solved(HARD, effort=effort, time_limit_seconds=0.0, workers=3) == first


def test_more_effort_leads_further() -> None:
    assert [solved(HARD, effort=effort).status for effort in (0.0, 1.0)] == ["unknown", "optimal"]


def test_the_searches_for_parts_spend_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    # soup 0-4, chop 1-4, serve 4-5, chop 5-8: 8; in one go chop begins at 1 and serve is late, so 4 + 1 + 6
    assert solved(SPLIT, effort=1.0).objective == 8
    spent: list[float] = []
    given: list[float] = []
    search = Budget.search

    def watched(budget: Budget, *args: float) -> Search:
        given.append(budget._effort)
        found = search(budget, *args)  # type: ignore[arg-type]
        spent.append(found.solver.response_proto.deterministic_time)
        return found

    monkeypatch.setattr(Budget, "search", watched)
    assert solved(SPLIT, effort=1.0).objective == 8
    assert len(given) == 3
    assert given == pytest.approx([1.0, 1.0 - spent[0], 1.0 - spent[0] - spent[1]])
