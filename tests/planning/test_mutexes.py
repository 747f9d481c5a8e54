"""Invariants: exactly-one groups and mutex pairs hold in every reachable state; what an agent can do next."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from backburner.planning.facts import Operator, bits
from backburner.planning.grounding import GroundTask, exactly_one_groups
from backburner.planning.mutexes import Mutexes, Succession
from backburner.planning.task import Task
from backburner.worlds.robotouille.game.world import Robotouille
from backburner.worlds.robotouille.oracle.planning_task import task_of
from support.planning.checks import check_groups, check_mutexes, check_succession, kitchen, term
from support.planning.laundry import laundry
from support.robotouille.greenhouse import greenhouse
from support.robotouille.random_kitchens import choices, walk, worlds

some = settings(max_examples=40)
CUT = [term("iscut", ("lettuce", 1))]
TASKS: list[Task] = [
    laundry(robots=2, shirts=2, any_agent=True),
    laundry(robots=2, order="joint"),
    laundry(robots=2, order="free", lines=2),
    kitchen(["table", "board tomato", "table lettuce"], goal=CUT),
    kitchen(["table patty", "stove bread", "table"], robots=(0, 2), goal=CUT),
    kitchen(["stove", "sink pot", "table bowl"], goal=[term("isboiling", ("water", 5))]),
]


@pytest.mark.parametrize("task", TASKS)
def test_exactly_one_fact_of_a_group_is_true_in_every_state(task: Task) -> None:
    check_groups(task)


@pytest.mark.parametrize("task", TASKS)
def test_no_mutex_pair_is_true_in_any_state(task: Task) -> None:
    check_mutexes(task)


@pytest.mark.parametrize("task", [*TASKS[1:2], *TASKS[3:5]])
def test_what_an_agent_cannot_do_next_it_never_does(task: Task) -> None:
    check_succession(task)


@some
@given(worlds(), choices)
def test_no_mutex_pair_is_true_in_random_play(world: Robotouille, numbers: list[int]) -> None:
    ground = GroundTask(task_of(world.compiled, "turns"))
    mutexes = Mutexes(ground)
    known = (1 << len(ground.table.atoms)) - 1
    for turn in walk(world, numbers):
        facts = mutexes.with_conjunctions(turn.before.kitchen.facts & known)
        for bit in bits(facts):
            assert not mutexes.never.get(bit, 0) & facts


def names_of_groups(task: Task, type: str) -> set[frozenset[str]]:
    groups = exactly_one_groups(task, type)
    return {frozenset(task.predicates[predicate].name for predicate, _ in group) for group in groups}


def test_what_an_agent_carries_and_where_it_is_are_read_off_the_actions() -> None:
    assert names_of_groups(kitchen(["table"]), "player") == {
        frozenset({"loc"}),
        frozenset({"nothing", "has_item", "has_container"}),
    }
    assert names_of_groups(laundry(), "robot") == {frozenset({"at"}), frozenset({"idle", "holds"})}
    assert names_of_groups(laundry(), "shirt") == {frozenset({"lies", "holds"})}
    assert names_of_groups(laundry(), "place") == {frozenset({"at", "empty"})}


def test_predicates_that_may_change_are_those_that_the_domain_says() -> None:
    """A deletion makes all facts about a thing false, also such as nothing else changes."""
    world: Any
    for world in (greenhouse("standard"), greenhouse("released")):
        task = task_of(world.compiled, "turns")
        assert task.fluents == world.compiled.domain.changing > world.compiled.domain.assigned
    assert {laundry().predicates[one].name for one in laundry().fluents} == {
        "at", "empty", "idle", "holds", "lies", "dry", "folded",
    }  # fmt: skip


def test_what_has_just_been_taken_cannot_go_into_a_pot_in_the_same_place() -> None:
    """There is no pot where the cheese was; but it may be put back."""
    ground = GroundTask(kitchen(["table cheese", "table pot", "sink"]))
    succession = Succession(ground, Mutexes(ground))

    def operator(action: str, *names: str) -> Operator:
        wanted = {index for index, thing in enumerate(ground.table.objects) if thing.name in names}
        named = (one for one in ground.operators if one.name.startswith(f"{action}("))
        return next(one for one in named if wanted <= set(one.args))

    taken = operator("pick-up-item", "cheese1", "table1")
    assert succession.excludes(taken, operator("add-to", "cheese1", "table1"))
    assert not succession.excludes(taken, operator("place-item", "cheese1", "table1"))
