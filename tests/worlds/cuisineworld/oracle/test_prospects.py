"""When a search turns back: worth, to which no step adds more than its bodies do, and what is too late."""

from __future__ import annotations

import random

import pytest

from backburner.worlds.cuisineworld.game.actions import GET, PUT
from backburner.worlds.cuisineworld.game.state import NOTHING
from backburner.worlds.cuisineworld.oracle.model import AWAY, Body, KitchenModel, Scene, Tool
from backburner.worlds.cuisineworld.oracle.prospects import Prospects
from backburner.worlds.cuisineworld.oracle.steps import Act, Steps
from backburner.worlds.cuisineworld.oracle.work import dish_work
from support.cuisineworld import world_of


def prospects_of(path: str, last_step: int = 60) -> Prospects:
    world = world_of(path)
    return Prospects(world, KitchenModel(world), [last_step] * len(world.scenario.dishes))


def worth(prospects: Prospects, scene: Scene) -> int:
    told = [*map(prospects.of_body, scene.bodies), *map(prospects.of_tool, scene.tools)]
    return sum(one[0] for one in told)


def test_a_meatcake_is_worth_its_thirteen_steps_when_it_is_served() -> None:
    prospects = prospects_of("level_0")
    model, number = prospects.model, world_of("level_0").kitchen.thing_number
    salmon, cake, storage = number["salmon"], number["salmonMeatcake"], 0

    def held(place: int, thing: int) -> int:
        return prospects.of_body(model.body(Body(place, thing)))[0]

    assert held(AWAY, NOTHING) == 1, "went to the storage"
    assert [held(storage, salmon), held(AWAY, salmon)] == [2, 3]
    assert prospects.of_tool(model.tool(Tool("blender", (salmon,))))[0] == 4
    # 2 x 4, and somebody started it; got it after waiting a step, brought it, and has it to put down
    assert prospects.of_tool(model.tool(Tool("blender", (cake,), 1, True)))[0] == 9
    assert held(AWAY, cake) == 12 == prospects.cost[cake] - 1


def test_it_is_too_late_for_what_cannot_be_served_in_time() -> None:
    """A meatcake that must lie there in step 20: in hands in 18 at the latest, so the blender has it ready,
    which is started in 16; three bodies put and start in one step, so ingredients are in hands in 14."""
    prospects = prospects_of("level_0@bodies=3", last_step=20)
    number = world_of("level_0").kitchen.thing_number
    assert prospects.until[number["salmonMeatcake"]] == 18
    assert prospects.until[number["salmon"]] == prospects.until[number["flour"]] == 14


@pytest.mark.parametrize("path", ["level_0@bodies=1", "level_8@bodies=2", "level_10@bodies=3", "level_5"])
def test_no_step_adds_more_than_a_unit_for_each_body(path: str) -> None:
    """Random plays that take nothing raw off a board again; served dishes count in full."""
    world = world_of(path)
    prospects = prospects_of(path)
    model = prospects.model
    steps = Steps(model, model.kitchen.level_ingredients, model.kitchen.dish_things)
    for seed in range(10):
        chance, scene = random.Random(seed), model.start()
        for _ in range(40):
            then, acts = chance.choice(
                [way for way in steps.of(scene) if not _takes_raw(model, scene, way[1])]
            )
            served = [a.thing for a in acts if a.verb == PUT and a.place == model.kitchen.start]
            after = worth(prospects, then) + sum(prospects.cost[thing] for thing in served)
            assert after <= worth(prospects, scene) + world.scenario.bodies
            scene = then


def _takes_raw(model: KitchenModel, scene: Scene, acts: tuple[Act, ...]) -> bool:
    boards = [t for t, code in enumerate(scene.tools) if model.tools[code].kind == "chopboard"]
    raw = {model.places[t] for t in boards if not model.tools[scene.tools[t]].made}
    return any(act.verb == GET and act.place in raw for act in acts)


@pytest.mark.parametrize("level", ["level_3", "level_9", "level_12"])
def test_a_dish_costs_what_its_work_is(level: str) -> None:
    world = world_of(level)
    prospects = prospects_of(level)
    for dish, thing in zip(world.scenario.dishes, world.kitchen.dish_things, strict=True):
        assert prospects.cost[thing] == dish_work(world.scenario.book, dish, 2).body_steps


def test_equal_kitchens_look_alike() -> None:
    """Who holds what, and which of two blenders, makes no difference; who stands where does."""
    model = KitchenModel(world_of("level_1@bodies=2"))
    first, second = model.places
    full, empty = model.tool(Tool("blender", (0,))), model.tool(Tool("blender"))
    at_first, at_second = model.body(Body(first, NOTHING)), model.body(Body(second, NOTHING))
    away = model.body(Body(AWAY, 0))
    one = model.canonical(Scene((at_first, away), (full, empty)))
    assert one == model.canonical(Scene((away, at_second), (empty, full)))
    assert one != model.canonical(Scene((at_second, away), (full, empty)))
