"""The grid's numbers: masks are menus, features tell what a seat may know, rewards add up."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.arrays.encoding import encoding_of
from backburner.arrays.rewards import reward_of
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.replay import decisions_in
from backburner.worlds.collab_grid.agents.cooks import OracleCooks
from backburner.worlds.collab_grid.arrays.encoding import CollabGridEncoding, encoding
from backburner.worlds.collab_grid.game import NO_LIMITS, PRESETS, STANDARD, CollabGrid, Limits, State
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import SEATS, Content, Lying
from support.collab_overcooked.kitchens import OPEN_KITCHEN, kitchen_with

IDS = ("boiled_egg", "potato_carrot_and_onion_patty", "baked_potato_soup+boiled_egg@knows=both")


def drawn(rules: str = "standard", steps: int = 60) -> CollabGrid:
    """A shared room in which orders keep coming."""
    weights = {"boiled_egg": 2.0, "gratin": 1.0, "egg": 1.0}
    layout = replace(OPEN_KITCHEN, needs_dish={**OPEN_KITCHEN.needs_dish, "egg": False})
    scenario = Scenario((), layout, order_weights=weights, open_orders=2)
    return CollabGrid("collab_grid/user/drawn", scenario, PRESETS[rules], Limits(steps))


def worlds() -> Iterator[CollabGrid]:
    for rules in PRESETS:
        yield from (registry.world(f"collab_grid/{id}", rules=rules) for id in IDS)
        yield drawn(rules)


def walk(world: CollabGrid, seed: int, steps: int = 400) -> Iterator[tuple[State, dict[str, int], Any]]:
    """(state, codes, step) of a play of codes, most of them in the mask."""
    numbers, draw = encoding(world), random.Random(seed)
    state = world.start(seed)
    for _ in range(steps):
        if not world.deciders(state):
            return
        codes = {}
        for seat in SEATS:
            (mask,) = numbers.mask(state, seat)
            wanted = [code for code, allowed in enumerate(mask) if allowed and code]
            codes[seat] = draw.choice(wanted) if wanted and draw.random() < 0.9 else draw.randrange(len(mask))
        step = world.step(state, {seat: numbers.decision(state, seat, [codes[seat]]) for seat in SEATS})
        yield state, codes, step
        state = step.state


@pytest.mark.parametrize("world", list(worlds()), ids=lambda world: f"{world.id}-{world.rules.name}")
def test_masks_are_menus_and_features_are_numbers(world: CollabGrid) -> None:
    numbers = encoding_of(world)
    assert isinstance(numbers, CollabGridEncoding)
    assert len(set(numbers.actions)) == len(numbers.actions)
    assert len(set(numbers.feature_names)) == len(numbers.feature_names)
    assert numbers.score(world.start()) == 0
    for state, codes, step in walk(world, 1):
        for seat in SEATS:
            (mask,), (features,) = numbers.mask(state, seat), numbers.features(state, seat)
            offered = [option.decision for option in world.menu(state, seat).options]
            assert [numbers.acts[code] for code, allowed in enumerate(mask) if allowed] == offered
            assert len(features) == len(numbers.feature_names)
            assert all(0 <= value <= 1 for value in features)
        refused = {refusal.seat for refusal in step.refusals}
        assert refused == {seat for seat in SEATS if not numbers.mask(state, seat)[0][codes[seat]]}
    end = step.state
    assert end.ended and numbers.potential(end) == 0
    assert [sum(numbers.mask(end, seat)[0]) for seat in SEATS] == [1, 1]


@pytest.mark.parametrize("rules", PRESETS)
def test_features_tell_no_hidden_counter(rules: str) -> None:
    """What lies where only the partner gets to changes no feature, those of what is lacking included."""
    world = registry.world("collab_grid/boiled_egg@knows=both", rules=rules)
    numbers, reach = encoding(world), world.compiled.grid.reach
    for cook, seat in enumerate(SEATS):
        hidden = [cell for cell in world.compiled.grid.counters if cell in reach[1 - cook] - reach[cook]]
        assert hidden
        without = State(kitchen_with())
        for cell in hidden:
            with_egg = State(kitchen_with(lying=(Lying(cell, "egg"),)))
            assert numbers.features(with_egg, seat) == numbers.features(without, seat)
            seen = numbers.features(with_egg, SEATS[1 - cook]) != numbers.features(without, SEATS[1 - cook])
            assert seen == (rules == "standard")


def told(world: CollabGrid, state: State, seat: str, name: str) -> float:
    numbers = encoding(world)
    return numbers.features(state, seat)[0][numbers.feature_names.index(name)]


def test_only_who_has_the_recipes_is_told_what_is_lacking() -> None:
    state = State(kitchen_with(orders=("baked_potato_soup",)))
    world = registry.world("collab_grid/baked_potato_soup")
    for name in ("lacking: potato", "lacking: dish"):
        assert told(world, state, "chef", name) > 0 == told(world, state, "assistant", name)
    both = registry.world("collab_grid/baked_potato_soup@knows=both")
    assert told(both, state, "assistant", "lacking: potato") > 0
    for seat in SEATS:
        assert told(world, state, seat, "lacking: egg") == 0
    names = [name for name in encoding(world).feature_names if "wanted" in name or "complete" in name]
    full = State(kitchen_with(orders=("baked_potato_soup",), contents=(Content(1, ("potato",)),)))
    assert told(world, full, "chef", "chopping_board0 complete") == 1
    assert told(world, full, "assistant", "chopping_board0 enough") == 1  # this the world tells both
    assert not any(told(world, full, "assistant", name) for name in names)


def test_what_is_there_is_lacking_no_more() -> None:
    world = registry.world("collab_grid/baked_potato_soup")
    lies = State(kitchen_with(orders=("baked_potato_soup",), lying=(Lying(7, "potato"),)))
    assert told(world, lies, "chef", "lacking: potato") == 0
    assert told(world, lies, "chef", "something wanted on counter-4") == 1
    assert told(world, lies, "chef", "something for a chopping_board on counter-4") == 1
    assert told(world, lies, "chef", "something for a oven on counter-4") == 0


@pytest.mark.parametrize("rules", PRESETS)
def test_potentials_bound_and_work_never_falls_in_shortest_plays(rules: str) -> None:
    for id in registry.expand("collab_grid/all"):
        world = registry.world(id, rules=rules)
        numbers, state, done = encoding(world), world.start(), []
        played = play_now(world, OracleCooks(world)).entries
        for entry in played:
            left = len(played) - state.kitchen.steps
            assert numbers.needs.least_steps(state.kitchen, world.scenario.orders[0]) <= left
            assert numbers.potential(state) == 1
            done.append(numbers.progress(state))
            state = world.step(state, decisions_in(world, entry)).state
        assert done == sorted(done) and done[0] == 0 and 0.7 < done[-1] < 1
        assert numbers.score(state) == 1


def test_a_potential_is_gone_when_time_is_too_short() -> None:
    world = registry.world("collab_grid/baked_potato_soup")
    numbers, steps = encoding(world), world.limits.steps
    state = world.start()
    least = numbers.needs.least_steps(state.kitchen, "baked_potato_soup")
    late = replace(state, kitchen=replace(state.kitchen, steps=steps - least))
    assert numbers.potential(late) == 1
    assert numbers.potential(replace(late, kitchen=replace(late.kitchen, steps=steps - least + 1))) == 0


@pytest.mark.parametrize("name", ["progress", "potential", "score", "sparse"])
@pytest.mark.parametrize("world", list(worlds()), ids=lambda world: f"{world.id}-{world.rules.name}")
def test_rewards_sum_to_the_score(world: CollabGrid, name: str) -> None:
    """Shaping adds nothing to a whole episode, but what its first potential was."""
    numbers = encoding(world)
    reward = reward_of(world, numbers, name)
    reward.begin(world.start(2))
    paid = 0.0
    for state, _, step in walk(world, 2):
        paid += reward.add(state, step)
    first = numbers.potential(world.start(2)) if name == "potential" else 0.0
    assert paid == pytest.approx(numbers.score(step.state) - first)


def test_what_cannot_be_told_in_numbers_is_refused() -> None:
    called_start = replace(OPEN_KITCHEN, ingredients=("egg", "potato", "start"))
    with pytest.raises(Refused, match="'start'"):
        encoding(CollabGrid("collab_grid/user/x", Scenario(("gratin",), called_start), STANDARD, NO_LIMITS))
    endless = CollabGrid("collab_grid/user/x", drawn().scenario, STANDARD, NO_LIMITS)
    with pytest.raises(Refused, match="set limits"):
        encoding(endless)
