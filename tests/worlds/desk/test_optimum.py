"""The problem that the desk states is that of its rules: nothing that can be decided is faster than T*."""

from __future__ import annotations

import pytest

from backburner.kernel.schedule import perform, problem_of
from backburner.scheduling.makespan import onward, solve_problem
from support.desk.days import drawn, take, world_of
from support.desk.search import least_minutes

SMALL = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
"""Days of which some have silent, failing and pausing jobs, one machine for two, and requests."""


@pytest.mark.parametrize("seed", SMALL)
def test_a_search_over_all_decisions_finds_nothing_faster(seed: int) -> None:
    world = world_of(drawn(seed))
    found = solve_problem(problem_of(world), effort=5)
    assert found.status == "optimal" and found.starts is not None and found.objective is not None
    assert perform(world, found.starts).finished_at("minutes") == found.objective
    assert least_minutes(world, found.objective) in (found.objective, None)


@pytest.mark.parametrize("seed", range(12, 24))
def test_what_is_left_ends_when_the_whole_does_on_the_best_plan(seed: int) -> None:
    world = world_of(drawn(seed))
    found = solve_problem(problem_of(world), effort=5)
    assert found.starts is not None
    for state in perform(world, found.starts).states:
        assert onward(world.remaining(state), 5).finish == found.objective


def test_the_order_of_jobs_does_not_matter() -> None:
    for seed in range(6):
        file = drawn(seed)
        backwards = {**file, "jobs": file["jobs"][::-1], "tools": file["tools"][::-1]}
        one, other = (solve_problem(problem_of(world_of(each))).objective for each in (file, backwards))
        assert one == other


def test_what_was_given_wrongly_has_to_be_done_again() -> None:
    sheet = {"columns": ["n"], "rows": [[7]]}
    right = {"by": "table", "take": "cell", "of": "read", "column": "n"}
    jobs = [
        {"tool": "read", "yields": sheet},
        {"tool": "run", "runs": [4], "needs": ["read"], "kinds": [{"name": "n"}], "inputs": {"n": right}},
        {"tool": "file", "needs": ["run"], "deliverable": {}},
    ]
    from support.desk.days import day

    world = world_of(day(jobs))
    state = take(world, world.start(), "read()", "run(n=8)").state
    # Wrong until 1 + 1 + 4 = 6; then run 6-7 (to 11) and file 11-12.
    assert onward(world.remaining(state), 5).finish == 12
