"""The possible actions against a search through all ways to fill in the preconditions of the file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings

from backburner.worlds.robotouille.game.state import State
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille.kitchens import facts, names
from support.robotouille.random_kitchens import choices, walk, worlds

some = settings(max_examples=30)


def by_search(world: Robotouille, state: State) -> Iterator[str]:
    """All actions whose preconditions hold, over different things of the right types."""
    compiled, true = world.compiled, facts(world, state)
    layout = compiled.layout(state.kitchen)
    for action in compiled.domain.file.action_defs:
        types = action.parameter_types(compiled.domain.file.signatures)
        params = sorted(types)
        of_type = ([thing.name for thing in layout.objects if thing.type == types[p]] for p in params)
        for things in product(*of_type):
            named = dict(zip(params, things, strict=True))
            if len(set(things)) == len(things) and all(
                (f"{term.predicate}({','.join(named[p] for p in term.params)})" in true) == term.is_true
                for term in action.precons
                if not (term.unless and getattr(world.rules, term.unless))
            ):
                yield f"{action.name}({','.join(f'{p}={named[p]}' for p in params)})"


def running(world: Robotouille, state: State) -> set[str]:
    """What is refused although its preconditions hold, because it runs already."""
    compiled, layout = world.compiled, world.compiled.layout(state.kitchen)
    if world.rules.missing_guards:
        return set()
    actions = (compiled.find(layout, name) for name in by_search(world, state))
    return {
        ground.name for ground in actions if ground and compiled.runs_already(layout, state.kitchen, ground)
    }


@pytest.mark.slow
@some
@given(worlds(), choices)
def test_what_is_possible_is_what_a_search_finds(world: Robotouille, numbers: list[int]) -> None:
    for state in [world.start(), *(turn.step.state for turn in walk(world, numbers[:12]))]:
        found = list(by_search(world, state))
        assert len(set(found)) == len(found)
        assert names(world, state) == set(found) - running(world, state)


@some
@given(worlds(), choices)
def test_what_is_possible_comes_in_the_order_of_the_domain(world: Robotouille, numbers: list[int]) -> None:
    """By action, and within an action by the things in it."""
    actions = [action.name for action in world.compiled.domain.actions]
    for turn in walk(world, numbers[:12]):
        possible = world.compiled.applicable(turn.before.kitchen)
        keys = [(actions.index(ground.action), ground.args) for ground in possible]
        assert keys == sorted(keys)


@some
@given(worlds(), choices)
def test_can_says_the_same_of_each_action(world: Robotouille, numbers: list[int]) -> None:
    """Of all actions that were possible at any time of play."""
    turns = list(walk(world, numbers[:20]))
    met = {ground.name for turn in turns for ground in world.compiled.applicable(turn.before.kitchen)}
    for turn in turns:
        kitchen, possible = turn.before.kitchen, names(world, turn.before)
        layout = world.compiled.layout(kitchen)
        for name in met:
            ground = world.compiled.find(layout, name)
            assert (ground is not None and world.compiled.is_applicable(kitchen, ground)) == (
                name in possible
            )
