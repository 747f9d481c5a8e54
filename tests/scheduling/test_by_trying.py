"""The solver against every schedule there is, on tiny problems of no world's making."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from backburner.kernel.schedule import Problem
from backburner.scheduling import model
from backburner.scheduling.makespan import makespan_bound, solve_problem
from support.scheduling.tiny_problems import best_by_trying, tiny_problem


def check(problem: Problem) -> str:
    """The makespan and the number of parts are the best there are; returns the solver's status."""
    answer, best = solve_problem(problem), best_by_trying(problem)
    if best is None:
        assert (answer.status, answer.starts) == ("infeasible", None)
    else:
        assert (answer.status, answer.objective, answer.bound) == ("optimal", *2 * (best.makespan,))
        assert answer.starts is not None and len(answer.starts) == best.parts
        assert best.makespan >= makespan_bound(problem.activities)
    return answer.status


@settings(max_examples=100)
@given(st.randoms(use_true_random=False).map(tiny_problem))
def test_the_solver_finds_the_best_of_all_schedules(problem: Problem) -> None:
    event(check(problem))


def test_the_problems_are_of_every_kind() -> None:
    """Of 300 drawn with fixed seeds, some need preemption, setups, lags, and some have no schedule."""
    problems = [tiny_problem(Random(seed)) for seed in range(300)]
    activities = [activity for problem in problems for activity in problem.activities]
    assert sum(activity.preemptive for activity in activities) > 50
    assert sum(activity.requires is not None for activity in activities) > 50
    assert sum(bool(activity.max_lags) for activity in activities) > 50
    statuses = [check(problem) for problem in problems]
    assert 0.2 < statuses.count("infeasible") / 300 < 0.6


CONSTRAINTS = (
    "predecessors_end_first",
    "maximum_lags_are_kept",
    "operator_is_at_one_activity_at_a_time",
    "resource_capacities_are_kept",
    "machine_states_are_as_required",
)


@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_the_loss_of_any_constraint_is_noticed(constraint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several of 60 problems then have a shorter schedule, or have one where there is none."""
    problems = [tiny_problem(Random(seed)) for seed in range(60)]
    right = [solve_problem(problem).objective for problem in problems]
    monkeypatch.setattr(model, constraint, lambda schedule: None)
    wrong = [solve_problem(problem).objective for problem in problems]
    changed = [pair for pair in zip(right, wrong, strict=True) if pair[0] != pair[1]]
    assert len(changed) >= 3
    assert all(after is not None and (before is None or after < before) for before, after in changed)
