"""Model and world agree on whole plans, and a change of any one check in either is noticed.

They share a scenario's data and no code. The plans are small, made at random, sound or with one thing
spoilt, and always the same. A mutant is a function with one thing changed (see ``support.mutants``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import zip_longest
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel.oracle import solve_world
from backburner.scheduling import makespan, model, preemption
from backburner.worlds.recipe2plan.game import Recipe
from backburner.worlds.recipe2plan.game import compiled as kitchen_schedule
from backburner.worlds.recipe2plan.game.compiled import Compiled
from backburner.worlds.recipe2plan.game.legality import Legality
from backburner.worlds.recipe2plan.game.transition import Rulebook as KitchenRules
from backburner.worlds.timearena.game import world as task_schedule
from backburner.worlds.timearena.game.legality import Legality as TaskLegality
from backburner.worlds.timearena.game.transition import Rulebook as TaskRules
from support.mutants import Mutant, mutants
from support.recipe2plan.kitchen_plans import KitchenPlan, kitchen_plans
from support.recipe2plan.kitchen_plans import rare_plans as rare_kitchen_plans
from support.recipe2plan.play import kitchen_of
from support.recipe2plan.small_recipes import ANYTHING, LAGS, Best, best_by_trying, kitchen
from support.scheduling.harmless import LISTED, harmless
from support.timearena.task_plans import TaskPlan, task_plans
from support.timearena.task_plans import rare_plans as rare_task_plans

# --- they agree ---------------------------------------------------------------------------------

Case = KitchenPlan | TaskPlan


TELLING_KITCHENS = (48, 70, 101, 102, 103, 141, 145, 174, 201, 234, 406, 416)
TELLING_TASKS = (16, 32, 49)
"""Seeds of the plans that alone notice some change; they come first, as a test stops at what it notices."""


def in_order(n_seeds: int, first: tuple[int, ...]) -> list[int]:
    """All seeds below ``n_seeds``, these first."""
    return [*first, *(seed for seed in range(n_seeds) if seed not in first)]


@cache
def kitchen_cases() -> list[tuple[Case, int | None]]:
    """Plans for Recipe2Plan, each with what the model says of it."""
    plans = [
        *rare_kitchen_plans(),
        *(plan for seed in in_order(500, TELLING_KITCHENS) for plan in kitchen_plans(Random(seed))),
    ]
    return [(plan, plan.by_model()) for plan in plans]


@cache
def task_cases() -> list[tuple[Case, int | None]]:
    """Plans for TimeArena, each with what the model says of it."""
    plans = [
        *rare_task_plans(),
        *(plan for seed in in_order(200, TELLING_TASKS) for plan in task_plans(Random(seed))),
    ]
    return [(plan, plan.by_model()) for plan in plans]


@cache
def all_cases() -> list[tuple[Case, int | None]]:
    """Those of both worlds in turn."""
    both = zip_longest(kitchen_cases(), task_cases())
    return [case for cases in both for case in cases if case is not None]


def world_agrees(case: Case, verdict: int | None) -> bool:
    """The world accepts the plan just if the model has it.

    As it stands it may be refused even so: a needless break is one more start that must keep the lags.
    """
    return case.joined_by_world() == verdict and case.by_world() in (None, verdict)


def model_agrees(case: Case, verdict: int | None) -> bool:
    """The model has the plan just if it had it before, and what it has is accepted."""
    return case.by_model() == verdict == case.joined_by_world()


def test_they_agree_on_every_plan() -> None:
    assert [case for case, verdict in all_cases() if not world_agrees(case, verdict)] == []


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.sampled_from([kitchen_plans, task_plans]))
def test_they_agree_on_plans_never_seen_before(random: Random, plans: Callable[[Random], list[Case]]) -> None:
    for case in plans(random):
        assert world_agrees(case, case.by_model())


@pytest.mark.parametrize("cases", [kitchen_cases, task_cases])
def test_about_half_of_the_plans_can_be_carried_out(cases: Callable[[], list[Any]]) -> None:
    possible = [verdict is not None for _, verdict in cases()]
    assert 0.4 < sum(possible) / len(possible) < 0.6


def test_the_plans_come_upon_every_refusal_of_the_kitchen() -> None:
    met = Counter(case.refused() for case, _ in kitchen_cases() if isinstance(case, KitchenPlan))
    del met[""]
    assert set(met) == {
        "unknown_recipe", "unknown_step", "past_time", "no_duration", "object_occupied", "object_property",
        "not_interruptible", "duration_exceeds", "already_done", "already_running", "dep_incomplete",
        "dep_unfinished", "time_constraint",
    }  # fmt: skip
    assert min(met.values()) >= 5


# --- every change is noticed --------------------------------------------------------------------

KITCHEN = (
    Legality.obstacle, Legality._appliance, Legality._lag,
    Legality._progress, Compiled.job_of, KitchenRules._perform, KitchenRules._occupied,
    kitchen_schedule.plan,
)  # fmt: skip
"""What decides whether Recipe2Plan accepts an action, and how a schedule becomes actions."""

TASKS = (
    TaskLegality.obstacle, TaskRules._begun, task_schedule.plan, task_schedule._with_free_kit,
    task_schedule._check_names,
)  # fmt: skip
"""The same in TimeArena."""

MODEL = (
    kitchen_schedule._activity, task_schedule._activity, model.predecessors_end_first,
    model.maximum_lags_are_kept, model.continuation, model.operator_is_at_one_activity_at_a_time,
    model.resource_capacities_are_kept, model.users_of, model.shared_setups, model._sets_nothing,
    model.users_take_turns_or_share, model._shared,
    model.machine_states_are_as_required, model.machine_is_in_state, preemption.with_preemption,
    preemption._on_grid, preemption._parts, preemption.part_name, preemption.merged,
)  # fmt: skip
"""How a scenario becomes a problem, its constraints, and how steps are split."""

SEARCH = (
    model.schedule_model, preemption.without_preemption, preemption.with_preemption, makespan._solve,
    makespan._minimise, preemption.with_fewest_interruptions,
)  # fmt: skip
"""What looks for the shortest plan, and then for the fewest interruptions."""


def of(functions: Iterable[Any]) -> list[Mutant]:
    """The mutants of these functions but for the harmless ones."""
    return [m for function in functions for m in mutants(function) if not harmless(str(m))]


def is_late(start: int, limits: list[int]) -> bool:
    if not limits:
        return False
    return start > min(limits)


def test_what_mutants_are() -> None:
    assert [str(mutant).removeprefix("is_late: ") for mutant in mutants(is_late)] == [
        "if not limits -> if True",
        "if not limits -> if False",
        "return False -> return None",
        "return start > min(limits) -> return None",
        "start > min(limits) -> start > min(limits) + 1",
        "start > min(limits) -> start > min(limits) + -1",
    ]


def test_the_harmless_ones_are_there() -> None:
    everything = [str(m) for function in (*KITCHEN, *TASKS, *MODEL, *SEARCH) for m in mutants(function)]
    assert [text for text in LISTED if not any(harmless(m, [text]) for m in everything)] == []


def noticed(cases: list[Any], agrees: Callable[..., bool]) -> bool:
    """Whether a case is no longer agreed upon. The next time, that one is tried first."""
    for place, case in enumerate(cases):
        try:
            same = agrees(*case)
        except Exception:  # a crash is noticed, too
            same = False
        if not same:
            cases.insert(0, cases.pop(place))
            return True
    return False


@pytest.mark.parametrize("mutant", of(KITCHEN), ids=str)
def test_a_change_of_the_kitchen_is_noticed(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = kitchen_cases()
    monkeypatch.setattr(mutant.function, "__code__", mutant.code)
    assert noticed(cases, world_agrees)


@pytest.mark.parametrize("mutant", of(TASKS), ids=str)
def test_a_change_of_timearena_is_noticed(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = task_cases()
    monkeypatch.setattr(mutant.function, "__code__", mutant.code)
    assert noticed(cases, world_agrees)


@pytest.mark.parametrize("mutant", of(MODEL), ids=str)
def test_a_change_of_the_model_is_noticed(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = all_cases()
    monkeypatch.setattr(mutant.function, "__code__", mutant.code)
    assert noticed(cases, model_agrees)


# --- the search -----------------------------------------------------------------------------------


@cache
def optima() -> list[tuple[tuple[Recipe, ...], Best | None]]:
    """Small kitchens with the best that can be done; in the last ones something must be split."""
    anything = [kitchen(Random(seed), 2, mixture) for seed in range(24) for mixture in (ANYTHING, LAGS)]
    seeds = (81, 129, 136, 205, 301, 850, 1159)
    to_split = [kitchen(Random(seed), unit, LAGS) for seed in seeds for unit in (1, 2)]
    return [(recipes, best_by_trying(kitchen_of(*recipes))) for recipes in (*anything, *to_split)]


def is_best(recipes: tuple[Recipe, ...], best: Best | None) -> bool:
    """The proven optimum is the best that can be done, and its plan has the fewest pieces."""
    found = solve_world(kitchen_of(*recipes))
    if best is None:
        return (found.status, found.objective, found.starts) == ("infeasible", None, None)
    proven = found.status == "optimal" and found.objective == found.bound == best.seconds
    return proven and len(found.starts or ()) == best.actions


def test_the_search_finds_the_best() -> None:
    assert [case for case in optima() if not is_best(*case)] == []


@pytest.mark.parametrize("mutant", of(SEARCH), ids=str)
def test_a_change_of_the_search_is_noticed(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = optima()
    monkeypatch.setattr(mutant.function, "__code__", mutant.code)
    assert noticed(cases, is_best)
