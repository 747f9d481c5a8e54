"""What shortest plans rest on: steps as the world's, facts that exclude each other, tables of states."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from backburner.planning.bounds_of import Bounds
from backburner.planning.groups import exactly_one_groups
from backburner.planning.mutexes import Mutexes
from backburner.planning.overview import Overview, bits
from backburner.planning.phases import Phase, Phases
from backburner.planning.space import Space, States
from backburner.planning.steps import Steps
from backburner.planning.symmetry import Symmetry, sorted_kinds
from backburner.planning.table import Table
from backburner.worlds.robotouille.game.state import Kitchen
from backburner.worlds.robotouille.game.world import Robotouille
from support.random_kitchens import choices, walk, worlds
from support.robotouille import world_in

some = settings(max_examples=40, deadline=None)


def space_of(world: Robotouille, kitchen: Kitchen | None = None) -> Space:
    """Any robot may act at any time, and every deed is a step."""
    engine = world.compiled
    return Space(engine, Phases("turns", engine.robots, any_robot=True), kitchen or engine.start, Phase())


@some
@given(worlds(), choices)
def test_all_steps_are_those_of_the_engine(world: Robotouille, numbers: list[int]) -> None:
    """States numbered together, stepped at once, and read back."""
    space, engine = space_of(world), world.compiled
    steps = Steps(space)
    walked = (turn.step.state.kitchen for turn in walk(world, numbers[:30]))
    kitchens = list(dict.fromkeys((engine.start, *walked)))
    after = steps.successors(together(space, *kitchens))
    for place, kitchen in enumerate(kitchens):
        found = {
            (space.choices[choice].deed, space.decode(after.states, which)[0])
            for which, (parent, choice) in enumerate(zip(after.parents, after.choices, strict=True))
            if parent == place and space.choices[choice].deed is not None
        }
        names = {(deed.name, then) for deed, then in found if deed is not None}
        assert names == {(deed.name, engine.step(kitchen, [deed])) for deed in engine.applicable(kitchen)}


@some
@given(worlds(), choices)
def test_facts_said_to_exclude_each_other_never_hold_together(world: Robotouille, numbers: list[int]) -> None:
    overview = Overview(world.compiled, world.compiled.start)
    mutexes = Mutexes(overview)
    known = (1 << len(overview.layout.atoms)) - 1
    for turn in walk(world, numbers):
        kitchen = turn.before.kitchen
        facts = mutexes.with_joints(kitchen.facts & known)
        for bit in bits(facts):
            assert not mutexes.never.get(bit, 0) & facts


LOOKED_AHEAD = 3


@settings(max_examples=15, deadline=None)
@given(worlds(), choices)
def test_a_goal_that_is_near_is_not_said_to_be_further(world: Robotouille, numbers: list[int]) -> None:
    """Wherever play has come to. That the bound of one state is 2 less than that of the one before happens:
    what a robot has just taken may not go back where it was, which is not kept of a state."""
    space, engine = space_of(world), world.compiled
    bound = Bounds(space).below(None)
    kitchen = engine.start
    for number in numbers[:20]:
        deeds = engine.applicable(kitchen)
        kitchen = engine.step(kitchen, [deeds[number % len(deeds)]])
    layer = {kitchen}
    for steps in range(LOOKED_AHEAD + 1):
        if any(map(engine.reached, layer)):
            assert bound(space.encode(kitchen, Phase()))[0] <= steps
            return
        layer = {engine.step(one, [deed]) for one in layer for deed in engine.applicable(one)}


def test_what_a_robot_holds_and_where_it_is_are_read_off_the_actions() -> None:
    engine = world_in(["table"]).compiled
    names = [predicate.name for predicate in engine.domain.predicates]
    groups = {
        frozenset(names[predicate] for predicate, _ in group)
        for group in exactly_one_groups(engine, "player")
    }
    assert groups == {frozenset({"loc"}), frozenset({"nothing", "has_item", "has_container"})}


def test_a_table_keeps_each_state_once_and_the_shortest_way_to_it() -> None:
    """Twice the beginning, and once the robot in another place."""
    world = world_in(["stove", "board cheese"])
    space = space_of(world)
    moved = world.compiled.step(world.compiled.start, [world.compiled.applicable(world.compiled.start)[0]])
    states = together(space, world.compiled.start, world.compiled.start, moved)
    table = Table(len(states.rows), Symmetry(space))
    first = table.add(states, ints(5, 4, 6), ints(-1, -1, -1))
    assert first.new.sum() == 2 and first.new[2]
    same, other = (int(place) for place in first.places)
    assert [int(table.steps[place]) for place in (same, other)] == [4, 6]
    again = table.add(states.pick(np.array([2])), ints(3), ints(same))
    assert not len(again.places) and list(again.shorter) == [other]
    assert table.way(other) == [same, other] and int(table.steps[other]) == 3


STOVES = ("stove", "stove", "stove cheese")


def test_equal_things_may_change_places() -> None:
    """The cheese on the second of three tables or on the third; not on the stove, which is another thing."""
    places = (["table cheese", "table"], ["table", "table cheese"], ["table", "table"])
    spaces = [space_of(world_in(["table", one, *two])) for one, two in zip(STOVES, places, strict=True)]
    assert [len(members) for kinds in sorted_kinds(spaces[0]) for members in kinds] == [3]
    symmetry = Symmetry(spaces[0])
    states = together(spaces[0], *(space.start for space in spaces))
    symmetry.make_room(len(states.rows))
    second, third, stove = (tuple(code) for code in symmetry.codes(states).tolist())
    assert second == third != stove


@some
@given(worlds(), choices)
def test_states_with_one_code_are_the_same_but_for_equal_things(
    world: Robotouille, numbers: list[int]
) -> None:
    """The same predicates hold in them as often, and as much can be done."""
    space, engine = space_of(world), world.compiled
    symmetry = Symmetry(space)
    walked = (turn.step.state.kitchen for turn in walk(world, numbers[:30]))
    kitchens = list(dict.fromkeys((engine.start, *walked)))
    states = together(space, *kitchens)
    symmetry.make_room(len(states.rows))
    seen: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for kitchen, code in zip(kitchens, symmetry.codes(states).tolist(), strict=True):
        layout = engine.layout_of(kitchen.made)
        facts = sorted(predicate for predicate, _ in layout.true_atoms(kitchen.facts))
        seen.setdefault(tuple(code), []).append((*facts, -len(engine.applicable(kitchen))))
    assert all(len(set(alike)) == 1 for alike in seen.values())


def together(space: Space, *kitchens: Kitchen) -> States:
    each = [space.encode(kitchen, Phase()) for kitchen in kitchens]
    rows = np.concatenate([space.widened(one).rows for one in each], axis=1)
    return States(rows, np.concatenate([one.rests for one in each]))


def ints(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(numbers, dtype=np.int32)
