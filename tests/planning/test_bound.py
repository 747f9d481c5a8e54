"""Lower bounds: never more than the steps that are left, and in plain kitchens just as many."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest

from backburner.planning.bounds_of import Bounds
from backburner.planning.following import Following
from backburner.planning.mutexes import Mutexes
from backburner.planning.overview import Overview
from backburner.planning.phases import Phase, Phases
from backburner.planning.space import Space
from backburner.planning.wants import Wants
from backburner.planning.work import Work
from backburner.worlds.robotouille.game.actions import GroundAction
from backburner.worlds.robotouille.game.scenarios import Play
from backburner.worlds.robotouille.game.state import Kitchen
from backburner.worlds.robotouille.game.world import Robotouille
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
        world.compiled, Phases("turns", world.compiled.robots, any_robot=True), world.compiled.start, Phase()
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

FOR_TWO: list[tuple[list[str], list[dict[str, Any]]]] = [
    (["table", "board tomato", "table lettuce"], CUT),
    (["table patty", "stove bread", "table"], STACKED),
    (["table bread", "stove patty", "table"], SERVED),
    (["stove", "sink pot", "table"], [term("isboiling", ("water", 5))]),
]


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("place", range(len(SMALL)))
def test_in_no_state_is_the_bound_more_than_the_steps_that_are_left(place: int, rules: str) -> None:
    stations, goal = SMALL[place]
    is_never_more(space_of(world_in(stations, goal=goal, rules=rules)))


@pytest.mark.parametrize(
    ("play", "any_robot"), [("turns", False), ("turns", True), ("together", False), ("dispatcher", False)]
)
@pytest.mark.parametrize("place", range(len(FOR_TWO)))
def test_in_no_state_of_two_robots_is_it_more(place: int, play: Play, any_robot: bool) -> None:
    stations, goal = FOR_TWO[place]
    engine = world_in(stations, goal=goal, robots=(0, 2)).compiled
    is_never_more(Space(engine, Phases(play, engine.robots, any_robot), engine.start, Phase()))


def is_never_more(space: Space) -> None:
    bound = Bounds(space).below(None)
    left = deeds_left(space)
    assert left
    for (kitchen, phase), deeds in left.items():
        assert bound(space.widened(space.encode(kitchen, phase)))[0] <= deeds


def deeds_left(space: Space) -> dict[tuple[Kitchen, Phase], int]:
    """For each kitchen and phase from which the goal can be reached the fewest deeds to it."""
    engine, phases = space.engine, space.phases
    start = (engine.start, Phase())
    before: dict[tuple[Kitchen, Phase], list[tuple[Kitchen, Phase]]] = {start: []}
    waiting = deque([start])
    while waiting:
        kitchen, phase = state = waiting.popleft()
        for deed in (*engine.applicable(kitchen), None):
            robot = deed.robots[0] if deed and deed.robots else -1
            if not phases.may(phase, robot):
                continue
            following, step_passes = phases.after(phase, robot)
            done = engine.apply(kitchen, deed) if deed else kitchen
            after = (engine.effects.tick(done) if step_passes else done, following)
            if after not in before:
                before[after] = []
                waiting.append(after)
            before[after].append(state)
    left = {state: 0 for state in before if engine.reached(state[0])}
    waiting.extend(left)
    while waiting:
        after = waiting.popleft()
        for state in before[after]:
            if state not in left:
                left[state] = left[after] + 1
                waiting.append(state)
    return left


def space_in_turn(stations: list[str], robots: tuple[int, ...], goal: list[dict[str, Any]]) -> Space:
    engine = world_in(stations, robots=robots, goal=goal).compiled
    return Space(engine, Phases("turns", engine.robots, any_robot=False), engine.start, Phase())


@pytest.mark.parametrize(
    ("robots", "steps"),
    [
        # Go, take, go, put, three cuts: seven deeds for the lettuce, one after the other.
        ((0,), 7),
        # Each comes as many steps after the one before as there are robots, as no two are at the board
        # at once: 1 + 6 * 2 = 13, and 1 + 6 * 3 = 19.
        ((0, 1), 13),
        ((0, 1, 2), 19),
    ],
)
def test_deeds_on_one_thing_are_as_far_apart_as_a_robots_turns(robots: tuple[int, ...], steps: int) -> None:
    stations = ["table", "table", "table", "board", "table lettuce"]
    assert Bounds(space_in_turn(stations, robots, CUT)).least == steps


def test_what_is_to_come_onto_a_thing_comes_after_the_last_deed_on_it() -> None:
    """Bread, patty and bread in a stack: the patty is gone to, taken, carried, put onto the bread,
    1 + 3 * 2 steps. Whoever put it there has to go for the other bread, or away so that another can come:
    2 * 2 steps more, 11."""
    other = ("bread", 8)
    stack = [
        term("item_on", BREAD, TABLE),
        term("item_at", PATTY, TABLE),
        term("atop", PATTY, BREAD),
        term("item_at", other, TABLE),
        term("atop", other, PATTY),
    ]
    stations = ["table bread", "table", "table", "stove patty", "table bread"]
    assert Bounds(space_in_turn(stations, (1, 2), stack)).least == 11


def test_what_has_just_been_taken_cannot_go_into_a_pot_in_the_same_place() -> None:
    """There is no pot where the cheese was; but it may be put back."""
    world = world_in(["table cheese", "table pot", "sink"])
    overview = Overview(world.compiled, world.compiled.start)
    following = Following(overview, Mutexes(overview))

    def deed(action: str, *names: str) -> GroundAction:
        things = {thing.name: index for index, thing in enumerate(overview.layout.objects)}
        wanted = {things[name] for name in names}
        return next(one for one in overview.deeds if one.action == action and wanted <= set(one.args))

    taken = deed("pick-up-item", "cheese1", "table1")
    assert following.barred(taken, deed("add-to", "cheese1", "table1"))
    assert not following.barred(taken, deed("place-item", "cheese1", "table1"))


def test_facts_that_lead_to_nothing_wanted_are_left_out() -> None:
    """The goal wants the lettuce cut; whether the tomato is, is of no use."""
    world = world_in(["board tomato", "table lettuce"], goal=CUT)
    overview = Overview(world.compiled, world.compiled.start)
    work = Work(overview, Mutexes(overview), Wants(overview))
    things = {thing.name: index for index, thing in enumerate(overview.layout.objects)}
    cut = next(one.index for one in world.compiled.domain.predicates if one.name == "iscut")
    useful = {name: bool(work.useful & overview.layout.bit(cut, (things[name],))) for name in things}
    assert useful["lettuce1"] and not useful["tomato1"]
    assert work.where[things["tomato1"]] == {things["board1"]}
