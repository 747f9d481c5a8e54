"""Solver and world agree, and would not if either lost any one of its rules.

They share the tables of a scenario, not the code that works on them. What the solver calls the
shortest plan and the most necessary waits is compared with a search through everything that the
world accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.errors import ReplayMismatch
from backburner.kernel.oracle import solve_world
from backburner.kernel.schedule import Activity, problem_of
from backburner.kernel.values import Refusal
from backburner.scheduling import model as cp_model
from backburner.scheduling.makespan import solve_problem
from backburner.scheduling.waiting import WaitingInterval
from backburner.worlds.timearena.game import Limits, TimeArena, scenarios
from backburner.worlds.timearena.game.legality import Legality
from backburner.worlds.timearena.game.scenarios import shipped_verbs
from backburner.worlds.timearena.game.state import State
from backburner.worlds.timearena.oracle.solver import most_necessary_waits
from support.timearena.play import world_of
from support.timearena.small_tasks import Doing, Extremes, doings, search_everything, small_world

SINGLES = [id.partition("/")[2] for id in registry.expand("timearena/singles")]
ONE_KIT = [f"cooking{number}@kit=one" for number in range(1, 11)]


def oracles(world: TimeArena) -> Extremes:
    """What the oracles say; raises if one of them has no proof."""
    shortest, waits = solve_world(world), most_necessary_waits(world)
    assert shortest.status == waits.status
    assert shortest.status in ("optimal", "infeasible")
    return Extremes(shortest.objective, waits.objective)


@pytest.mark.parametrize("path", [*SINGLES, *ONE_KIT])
def test_on_every_single_task(path: str) -> None:
    world = world_of(path, limits="article")
    assert oracles(world) == search_everything(world)


@pytest.mark.parametrize("path", ["household4+household5", "lab10+lab1", "household3+household4"])
def test_on_small_pairs(path: str) -> None:
    world = world_of(path, limits=Limits(minutes=36))
    assert oracles(world) == search_everything(world)


@settings(max_examples=40)
@given(st.lists(doings(), min_size=1, max_size=2), st.sampled_from(["own", "one"]), st.integers(-3, 2))
def test_on_tasks_made_at_random(tasks: Sequence[Sequence[Doing]], kit: str, spare: int) -> None:
    """With a time limit around the time that everything takes when done one by one."""
    one_by_one = sum(doing.minutes for task in tasks for doing in task)
    limits = Limits(minutes=max(1, one_by_one + spare))
    world = small_world(*tasks, kit=kit, limits=limits)
    assert oracles(world) == search_everything(world)


# --- without any one ingredient they disagree ---------------------------------------------------

INGREDIENTS = {
    # the dish is to be washed and the beef to be chopped before anything can be added
    "predecessors_end_first": "cooking1",
    # 16 minutes of work for the agent; more than one thing at a time would be quicker
    "operator_is_at_one_activity_at_a_time": "cooking1",
    # the tree can be watered and trimmed, not both at once
    "resource_capacities_are_kept": "household4",
}


@pytest.mark.parametrize(("ingredient", "path"), INGREDIENTS.items())
def test_the_world_refuses_the_plans_of_a_model_that_leaves_something_out(
    monkeypatch: pytest.MonkeyPatch, ingredient: str, path: str
) -> None:
    world = world_of(path)
    assert solve_world(world).status == "optimal"
    monkeypatch.setattr(cp_model, ingredient, lambda plan: None)
    with pytest.raises(ReplayMismatch, match=path):
        solve_world(world)


CHAIN = [
    Doing("heat", "beaker", minutes=3),
    Doing("wash", "dish", minutes=1, after=(0,)),
    Doing("dissolve in", "rice", "dish", minutes=3, second_after=(1,)),
    Doing("chop", "beef", minutes=1, after=(2,)),
]
"""heat 0-3, wash 3-4, dissolve 4-7, chop 7-8; heating and dissolving leave the hands free."""


@pytest.mark.parametrize(
    ("loosened", "minutes"),
    [
        (1, 5),  # wash 0-1, dissolve 1-4, heat 2-5, chop 4-5
        (2, 5),  # dissolve 0-3, heat 1-4, chop 3-4, and now that the dish is free: wash 4-5
        (3, 7),  # heat 0-3, chop 1-2, wash 3-4, dissolve 4-7
    ],
)
def test_the_loss_of_a_single_need_is_seen(loosened: int, minutes: int) -> None:
    """The model loses one need, of a first or of a second thing; the world keeps it."""
    world = small_world(CHAIN)
    assert solve_world(world).objective == 8
    looser = [d._replace(after=(), second_after=()) if n == loosened else d for n, d in enumerate(CHAIN)]
    loose_problem = problem_of(small_world(looser))
    assert solve_problem(loose_problem).objective == minutes
    world.problems = lambda: {world.id: loose_problem}  # type: ignore[method-assign]
    with pytest.raises(ReplayMismatch):
        solve_world(world)


def nothing_has_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    obstacle = Legality.obstacle

    def changed(legality: Legality, state: State, attempt: Any) -> Refusal | None:
        others = legality.compiled.everything & ~attempt.bit
        return obstacle(legality, replace(state, finished=state.finished | others), attempt)

    monkeypatch.setattr(Legality, "obstacle", changed)


def nothing_is_ever_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    obstacle = Legality.obstacle

    def changed(legality: Legality, state: State, attempt: Any) -> Refusal | None:
        itself = tuple(running for running in state.running if running.act == attempt.act)
        return obstacle(legality, replace(state, running=itself), attempt)

    monkeypatch.setattr(Legality, "obstacle", changed)


def everything_holds_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    hands_on = {name: replace(verb, occupies_agent=True) for name, verb in shipped_verbs().items()}
    monkeypatch.setattr(scenarios, "shipped_verbs", lambda: hands_on)


def nothing_holds_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    hands_off = {name: replace(verb, occupies_agent=False) for name, verb in shipped_verbs().items()}
    monkeypatch.setattr(scenarios, "shipped_verbs", lambda: hands_off)


@pytest.mark.parametrize(
    ("change", "path", "by_model", "by_world"),
    [
        # the mop cannot be rinsed before the faucet has run; without needs there is always something
        # to do: faucet 1, sweeper 1, rinse 3, mop 3, store 2 and 2
        (nothing_has_needs, "household8", 14, 12),
        # trimmed while it is watered: add water 0-3, water 3-9, trim 4-9
        (nothing_is_ever_in_use, "household4", 14, 9),
        # the radio's 7 minutes on top of fold 3, find 3, read 5
        (everything_holds_the_agent, "household9", 12, 18),
        # find 0-3, radio 1-8, fold 2-5, read 3-8
        (nothing_holds_the_agent, "household9", 12, 8),
    ],
)
def test_a_changed_world_is_not_what_the_model_solved(
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[pytest.MonkeyPatch], None],
    path: str,
    by_model: int,
    by_world: int,
) -> None:
    limits = Limits(minutes=20)
    assert solve_world(world_of(path)).objective == by_model
    change(monkeypatch)
    assert search_everything(world_of(path, limits=limits)).minutes == by_world


def test_the_count_of_waits_is_the_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    world = world_of("household4")
    monkeypatch.setattr(Legality, "something_to_start", lambda legality, state: True)
    with pytest.raises(ReplayMismatch, match="world it has 0"):
        most_necessary_waits(world)


def test_waits_without_a_look_for_excuses_are_not_necessary(monkeypatch: pytest.MonkeyPatch) -> None:
    # cooking rice (4) and frying beef (5) leave 3 + 4 minutes free, in which other things can be done
    monkeypatch.setattr(WaitingInterval, "_cannot_start", lambda waiting, activity: None)
    with pytest.raises(ReplayMismatch, match="7 to 7 necessary waits"):
        most_necessary_waits(world_of("cooking1"))


def test_a_kit_in_use_is_an_excuse(monkeypatch: pytest.MonkeyPatch) -> None:
    world = world_of("cooking5@kit=one")
    assert most_necessary_waits(world).objective == 9

    def no_excuse(waiting: WaitingInterval, resource: str, wanted_by: Activity) -> Any:
        return waiting.model.cp.new_constant(0)

    monkeypatch.setattr(WaitingInterval, "_in_use", no_excuse)
    with pytest.raises(ReplayMismatch, match="5 to 5 necessary waits"):
        most_necessary_waits(world)
