"""Minimal trajectories: all of them, and what the released references lack."""

from __future__ import annotations

import pytest

from backburner.kernel.errors import Refused
from backburner.worlds.collab_overcooked.game.rule_set import PRESETS
from backburner.worlds.collab_overcooked.metrics.references import references_of
from support.collab_overcooked.kitchens import world_of
from support.collab_overcooked.trajectories import Pair, Trajectory, minimal, trajectories


def test_there_is_one_way_to_boil_an_egg() -> None:
    (reference,) = references_of("boiled_egg")
    for slack in (0, 2):
        found = trajectories(world_of("boiled_egg"), slack_steps=slack)
        assert found.found == (Trajectory(16, reference.chef, reference.assistant),)
        assert (found.fewest_steps, found.most_steps, found.complete) == (16, 16 + slack, True)


@pytest.mark.parametrize("rules", sorted(PRESETS))
def test_a_stew_has_a_shortest_plan_that_no_released_reference_has(rules: str) -> None:
    """Both references take 33 steps; to bring the corn first, before anything is cut, takes 32."""
    order = "sliced_bell_pepper_and_corn_stew"
    found = trajectories(world_of(order, rules=PRESETS[rules]), slack_steps=1).found
    known = {(one.chef, one.assistant) for one in references_of(order)}
    assert [(one.steps, (one.chef, one.assistant) in known) for one in found] == [
        (32, False),
        (33, True),
        (33, True),
    ]
    assert found[0].assistant[0] == "pickup(corn,ingredient_dispenser)"


def test_what_is_left_out_is_told() -> None:
    world = world_of("sliced_bell_pepper_and_corn_stew")
    assert not trajectories(world, slack_steps=1, most=1).complete
    assert trajectories(world, most=1).complete


def test_minimal_means_that_nothing_can_be_taken_away() -> None:
    pairs = {Pair((1, 2), (3,)), Pair((1, 4, 2), (3,)), Pair((2, 1), (3,)), Pair((1, 2), (5,))}
    assert minimal(pairs) == pairs - {Pair((1, 4, 2), (3,))}


def test_without_a_plan_in_the_time_it_is_refused() -> None:
    with pytest.raises(Refused, match="no plan"):
        trajectories(world_of("potato_carrot_and_onion_patty"), time_limit_seconds=0.0)
    with pytest.raises(Refused, match="for ever"):
        trajectories(world_of("boiled_egg", order_weights={"boiled_egg": 1.0}))
