"""When a search turns back: values, to which no step adds more than its bodies do, and what is too late."""

from __future__ import annotations

import random

import pytest

from backburner.worlds.cuisineworld.game.state import GET, NOTHING, PUT, Act
from backburner.worlds.cuisineworld.oracle.node_value import NodeValues
from backburner.worlds.cuisineworld.oracle.order_bound import dish_work
from backburner.worlds.cuisineworld.oracle.state_space import (
    AWAY,
    Body,
    Kitchen,
    StateSpace,
    Successors,
    Tool,
)
from support.cuisineworld.play import world_of


def values_of(path: str, last_step: int = 60) -> NodeValues:
    world = world_of(path)
    return NodeValues(world, StateSpace(world), [last_step] * len(world.scenario.dishes))


def value(values: NodeValues, kitchen: Kitchen) -> int:
    contents = [*map(values.of_body, kitchen.bodies), *map(values.of_tool, kitchen.tools)]
    return sum(content.value for content in contents)


def test_a_meatcake_is_worth_its_thirteen_steps_when_it_is_served() -> None:
    values = values_of("level_0")
    space, number = values.space, world_of("level_0").compiled.thing_number
    salmon, cake, storage = number["salmon"], number["salmonMeatcake"], 0

    def held(place: int, thing: int) -> int:
        return values.of_body(space.body(Body(place, thing))).value

    assert held(AWAY, NOTHING) == 1, "went to the storage"
    assert [held(storage, salmon), held(AWAY, salmon)] == [2, 3]
    assert values.of_tool(space.tool(Tool("blender", (salmon,)))).value == 4
    # 2 x 4, and somebody started it; got it after waiting a step, brought it, and has it to put down
    assert values.of_tool(space.tool(Tool("blender", (cake,), 1, True))).value == 9
    assert held(AWAY, cake) == 12 == values.cost[cake] - 1


def test_it_is_too_late_for_what_cannot_be_served_in_time() -> None:
    """A meatcake that must lie there in step 20: in hands in 18 at the latest, so the blender has it ready,
    which is started in 16; three bodies put and start in one step, so ingredients are in hands in 14."""
    values = values_of("level_0@bodies=3", last_step=20)
    number = world_of("level_0").compiled.thing_number
    assert values.last_in_hands[number["salmonMeatcake"]] == 18
    assert values.last_in_hands[number["salmon"]] == values.last_in_hands[number["flour"]] == 14


def test_numbers_of_things_are_packed_in_one_integer() -> None:
    values = values_of("level_0")
    number = world_of("level_0").compiled.thing_number
    salmon, flour, cake = number["salmon"], number["flour"], number["salmonMeatcake"]
    one_cake = values.numbers_in(cake)
    assert values.unpacked(one_cake) == {salmon: 1, flour: 1, cake: 1}
    limit = values.packed({salmon: 2, flour: 2, cake: 2}) + values.guard
    assert (limit - 2 * one_cake) & values.guard == values.guard
    assert (limit - 3 * one_cake) & values.guard == 0, "every guard is gone"


@pytest.mark.parametrize("path", ["level_0@bodies=1", "level_8@bodies=2", "level_10@bodies=3", "level_5"])
def test_no_step_adds_more_than_a_unit_for_each_body(path: str) -> None:
    """Random plays that take nothing raw off a board again; served dishes count in full."""
    world = world_of(path)
    values = values_of(path)
    space = values.space
    successors = Successors(space, space.compiled.level_ingredients, space.compiled.dish_things)
    for seed in range(10):
        chance, kitchen = random.Random(seed), space.start()
        for _ in range(40):
            then, acts = chance.choice(
                [step for step in successors.of(kitchen) if not _takes_raw(space, kitchen, step[1])]
            )
            served = [a.thing for a in acts if a.verb == PUT and a.place == space.compiled.start]
            after = value(values, then) + sum(values.cost[thing] for thing in served)
            assert after <= value(values, kitchen) + world.scenario.bodies
            kitchen = then


def _takes_raw(space: StateSpace, kitchen: Kitchen, acts: tuple[Act, ...]) -> bool:
    boards = [t for t, code in enumerate(kitchen.tools) if space.tools[code].kind == "chopboard"]
    raw = {space.places[t] for t in boards if not space.tools[kitchen.tools[t]].made}
    return any(act.verb == GET and act.place in raw for act in acts)


@pytest.mark.parametrize("level", ["level_3", "level_9", "level_12"])
def test_a_dish_costs_what_its_work_is(level: str) -> None:
    world = world_of(level)
    values = values_of(level)
    for dish, thing in zip(world.scenario.dishes, world.compiled.dish_things, strict=True):
        assert values.cost[thing] == dish_work(world.scenario.book, dish, 2).body_steps


def test_equal_kitchens_look_alike() -> None:
    """Who holds what, and which of two blenders, makes no difference; who stands where does."""
    space = StateSpace(world_of("level_1@bodies=2"))
    first, second = space.places
    full, empty = space.tool(Tool("blender", (0,))), space.tool(Tool("blender"))
    at_first, at_second = space.body(Body(first, NOTHING)), space.body(Body(second, NOTHING))
    away = space.body(Body(AWAY, 0))
    one = space.canonical(Kitchen((at_first, away), (full, empty)))
    assert one == space.canonical(Kitchen((away, at_second), (empty, full)))
    assert one != space.canonical(Kitchen((at_second, away), (full, empty)))
