"""Lower bounds: never more than the steps that are left, and in plain kitchens just as many."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest

from backburner.oracles.search.bounds_of import Bounds
from backburner.oracles.search.following import Following
from backburner.oracles.search.mutexes import Mutexes
from backburner.oracles.search.overview import Overview
from backburner.oracles.search.phases import Phase, Phases
from backburner.oracles.search.space import Space
from backburner.oracles.search.wants import Wants
from backburner.oracles.search.work import Work
from backburner.worlds.robotouille.ground import Deed
from backburner.worlds.robotouille.state import Kitchen
from backburner.worlds.robotouille.world import Robotouille
from support.robotouille import world_in


def term(predicate: str, *pairs: tuple[str, int]) -> dict[str, Any]:
    return {"predicate": predicate, "args": [kind for kind, _ in pairs], "ids": [id for _, id in pairs]}


LETTUCE, PATTY, TABLE, BREAD = ("lettuce", 1), ("patty", 2), ("table", 3), ("bread", 4)
CUT = [term("iscut", LETTUCE)]
SERVED = [term("iscooked", PATTY), term("item_at", PATTY, TABLE), term("clear", PATTY)]
STACKED = [term("item_on", BREAD, TABLE), term("item_at", PATTY, TABLE), term("clear", PATTY)]
SOUP = [term("in", ("water", 5), ("pot", 6)), term("addedto", LETTUCE, ("water", 5))]
BOWL = [term("in", ("water", 5), ("bowl", 7)), term("isboiling", ("water", 5))]


def space_of(world: Robotouille) -> Space:
    return Space(
        world.engine, Phases("turns", world.engine.robots, any_robot=True), world.engine.start, Phase()
    )


PLAIN = {
    # Two ways: the tomato off the board (go, take, go, put), then the lettuce onto it (go, take, go, put)
    # and three cuts: 11.
    "a tomato is on the only board": (["table", "board tomato", "table lettuce"], CUT, 11),
    # Go, cook, and after something else or a wait, take, go, put. That more than one wait is needed is
    # not seen, as meanwhile something else could be done: 6.
    "nothing cooks while nobody does anything": (["table", "stove patty"], SERVED, 6),
    # The patty leaves the table (take, go, put), the bread comes (go, take, go, put), then the patty
    # (go, take, go, put): 11.
    "the patty lies where the bread has to": (["table patty", "stove bread", "board"], STACKED, 11),
    # The pot into the sink (go, take, go, put) and filled, the lettuce to it (go, take, go, add): 9.
    "a soup": (["board", "table pot", "sink", "stove lettuce"], SOUP, 9),
}


@pytest.mark.parametrize("name", PLAIN)
def test_what_a_plan_cannot_do_without_is_counted(name: str) -> None:
    stations, goal, steps = PLAIN[name]
    assert Bounds(space_of(world_in(stations, goal=goal))).least == steps


SMALL: list[tuple[list[str], list[dict[str, Any]]]] = [
    *((stations, goal) for stations, goal, _ in PLAIN.values()),
    # Cooking that was stopped goes on where it stopped, on another stove, too.
    (["table", "stove", "stove patty"], SERVED),
    (["table bread", "stove patty", "board"], STACKED),
    (["stove", "sink pot", "table bowl"], BOWL),
]


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("place", range(len(SMALL)))
def test_in_no_state_is_the_bound_more_than_the_steps_that_are_left(place: int, rules: str) -> None:
    stations, goal = SMALL[place]
    world = world_in(stations, goal=goal, rules=rules)
    space = space_of(world)
    bound = Bounds(space).below(None)
    left = steps_left(world)
    assert left
    for kitchen, steps in left.items():
        assert bound(space.encode(kitchen, Phase()))[0] <= steps


def steps_left(world: Robotouille) -> dict[Kitchen, int]:
    """For each kitchen from which the goal can be reached the fewest steps to it."""
    engine = world.engine
    before: dict[Kitchen, list[Kitchen]] = {engine.start: []}
    waiting = deque([engine.start])
    while waiting:
        kitchen = waiting.popleft()
        for deed in engine.possible(kitchen):
            after = engine.step(kitchen, [deed])
            if after not in before:
                before[after] = []
                waiting.append(after)
            before[after].append(kitchen)
    left = {kitchen: 0 for kitchen in before if engine.reached(kitchen)}
    waiting.extend(left)
    while waiting:
        after = waiting.popleft()
        for kitchen in before[after]:
            if kitchen not in left:
                left[kitchen] = left[after] + 1
                waiting.append(kitchen)
    return left


def test_what_has_just_been_taken_cannot_go_into_a_pot_in_the_same_place() -> None:
    """There is no pot where the cheese was; but it may be put back."""
    world = world_in(["table cheese", "table pot", "sink"])
    overview = Overview(world.engine, world.engine.start)
    following = Following(overview, Mutexes(overview))

    def deed(action: str, *names: str) -> Deed:
        things = {thing.name: index for index, thing in enumerate(overview.layout.objects)}
        wanted = {things[name] for name in names}
        return next(one for one in overview.deeds if one.action == action and wanted <= set(one.args))

    taken = deed("pick-up-item", "cheese1", "table1")
    assert following.barred(taken, deed("add-to", "cheese1", "table1"))
    assert not following.barred(taken, deed("place-item", "cheese1", "table1"))


def test_facts_that_lead_to_nothing_wanted_are_left_out() -> None:
    """The goal wants the lettuce cut; whether the tomato is, is of no use."""
    world = world_in(["board tomato", "table lettuce"], goal=CUT)
    overview = Overview(world.engine, world.engine.start)
    work = Work(overview, Mutexes(overview), Wants(overview))
    things = {thing.name: index for index, thing in enumerate(overview.layout.objects)}
    cut = next(one.index for one in world.engine.domain.predicates if one.name == "iscut")
    useful = {name: bool(work.useful & overview.layout.bit(cut, (things[name],))) for name in things}
    assert useful["lettuce1"] and not useful["tomato1"]
    assert work.where[things["tomato1"]] == {things["board1"]}
