"""Engines of unified-planning: what they declare decides whether and how they are given a problem."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from unified_planning.engines import Engine, PlanGenerationResult, PlanGenerationResultStatus
from unified_planning.engines.mixins import OneshotPlannerMixin
from unified_planning.model import ProblemKind
from unified_planning.model.problem_kind import full_classical_kind
from unified_planning.plans import ActionInstance, Schedule, SequentialPlan, TimeTriggeredPlan
from unified_planning.shortcuts import get_environment

from backburner.formats.classical import exported_task
from backburner.formats.engines import classical_for, planned, planned_actions, task_for
from backburner.kernel.errors import Refused
from backburner.kernel.schedule import Activity, MaxLag, Problem
from support.planning.laundry import laundry

CHAIN = Problem("steps", (Activity("wash", 2, 2), Activity("dry", 3, 0, ("wash",))), (), "made for a test")


class Eager(Engine, OneshotPlannerMixin):  # type: ignore[misc]  # of a package without types
    """Has one thing after the other, of the kind of problem that it is told to declare."""

    name = "lpg"
    kind = ProblemKind()

    def __init__(self, **options: Any) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)

    @staticmethod
    def supported_kind() -> ProblemKind:
        return Eager.kind

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        return problem_kind <= Eager.kind

    def _solve(self, problem: Any, *limits: Any) -> PlanGenerationResult:
        if hasattr(problem, "fluents") and problem.has_fluent("going"):
            first, second = problem.object("f1"), problem.object("f2")
            plan: Any = SequentialPlan([ActionInstance(problem.action("tick"), (second, first))])
        elif hasattr(problem, "activities"):
            one, other = problem.activities
            first, second = (each.duration.upper.constant_value() for each in (one, other))
            both = first + second
            times = {one.start: 0, one.end: first, other.start: first, other.end: both}
            plan = Schedule([one, other], times)
        else:
            one, other = problem.actions[:2]
            plan = TimeTriggeredPlan([(0, one(), 2), (2, other(), 3)])
        return PlanGenerationResult(PlanGenerationResultStatus.SOLVED_SATISFICING, plan, "lpg")


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    factory = get_environment().factory
    factory.add_engine("lpg", __name__, "Eager")
    yield
    del factory._engines["lpg"]
    Eager.kind = ProblemKind()


def test_one_that_declares_schedules_is_given_one() -> None:
    Eager.kind = _of_a_schedule()
    (plan,) = planned("lpg", CHAIN, 5)
    assert (plan.starts, plan.proven, plan.status) == ({"wash": 0, "dry": 2}, False, "solved satisficing")


def test_times_are_given_in_the_longest_tick_that_divides_them() -> None:
    """4,500 s, 600 s and a lag of at most 1,800 s are 15, 2 and at most 6 ticks of 300 s."""
    lag = MaxLag("proof", 1_800)
    dough = Problem(
        "seconds",
        (Activity("proof", 4_500, 0), Activity("bake", 600, 0, ("proof",), max_lags=(lag,))),
        (),
        "dough",
    )
    Eager.kind = _of_a_schedule()
    assert [one.duration.upper.constant_value() for one in task_for("lpg", dough).up.activities] == [15, 2]
    (plan,) = planned("lpg", dough, 5)
    assert plan.starts == {"proof": 0, "bake": 4_500}


def _of_a_schedule() -> ProblemKind:
    from backburner.formats.up import to_up

    return to_up(CHAIN).up.kind


def test_one_that_declares_nothing_is_refused_with_what_it_lacks() -> None:
    with pytest.raises(Refused, match=r"engine lpg does not plan this problem.*scheduling.*continuous time"):
        task_for("lpg", CHAIN)


def test_one_that_knows_actions_without_a_makespan_is_given_those() -> None:
    Eager.kind = _of_actions()
    (plan,) = planned("lpg", CHAIN, 5)
    assert plan.starts == {"wash": 0, "dry": 2}


def _of_actions() -> ProblemKind:
    from backburner.formats.engines import _as_actions

    up = _as_actions(CHAIN).up
    up.clear_quality_metrics()
    return up.kind


def test_one_that_is_not_installed_is_told_how_it_is() -> None:
    with pytest.raises(Refused, match=r"engine symk is not installed: .* -m pip install up-symk"):
        task_for("symk", CHAIN)


def test_one_that_declares_conditional_effects_is_given_tasks() -> None:
    files = exported_task(laundry())
    with pytest.raises(Refused, match=r"engine lpg does not plan this task.*conditional effects"):
        classical_for("lpg", files)
    Eager.kind = full_classical_kind.clone()
    Eager.kind.set_typing("HIERARCHICAL_TYPING")
    assert list(planned_actions("lpg", files, 5)) == ["(tick f2 f1)\n"]
