"""Batches of TimeArena agree with the exact world in everything, step by step."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.arrays.batch import batch_of
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.worlds.timearena.game import Limits, Rules, TimeArena
from support.side_by_side import play_side_by_side
from support.small_tasks import Doing, doings, small_world
from support.timearena import paths, rule_sets, world_of


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("legal_share", [1.0, 0.7, 0.3])
def test_every_published_set_is_played_alike(rules: str, legal_share: float) -> None:
    random, steps = Random(int(10 * legal_share)), 0
    for id in registry.expand("timearena/all"):
        world = registry.world(id, rules=rules)
        steps += play_side_by_side(world, batch_of(world), random, legal_share)
    assert steps > 1000


@settings(max_examples=60, deadline=None)
@given(paths(), rule_sets(), st.sampled_from([Limits(17), Limits(99, 2), Limits(60)]), st.integers(0, 999))
def test_any_tasks_under_any_rules_and_limits_are_played_alike(
    path: str, rules: Rules, limits: Limits, seed: int
) -> None:
    world = world_of(path, rules, limits)
    play_side_by_side(world, batch_of(world), Random(seed), 0.8)


@settings(max_examples=30, deadline=None)
@given(st.lists(doings(), min_size=1, max_size=2), st.integers(0, 999))
def test_tasks_of_ones_own_are_played_alike(tasks: list[list[Doing]], seed: int) -> None:
    world = small_world(*tasks, limits=Limits(minutes=20))
    play_side_by_side(world, batch_of(world), Random(seed), 0.8)


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_more_works_than_fit_in_a_word_are_played_alike(rules: str) -> None:
    """Ten tasks have more than 62 works; nothing but the number of words changes."""
    world = world_of("+".join(f"cooking{n}" for n in range(1, 11)), rules, Limits(minutes=300))
    batch = batch_of(world)
    assert batch.rows(1).finished.shape[1] > 1
    for seed in range(5):
        assert play_side_by_side(world, batch, Random(seed), 0.95) > 60


def test_without_limits_play_ends_when_all_is_done() -> None:
    world = world_of("cooking1")
    assert play_side_by_side(world, batch_of(world), Random(1), 1.0) > 8


def test_the_released_loop_of_second_tries_is_not_covered() -> None:
    world = world_of("cooking1", "released-reflexion")
    assert isinstance(world, TimeArena)
    with pytest.raises(Refused, match=r"timearena/cooking1: a batch does not cover the rule second_try"):
        batch_of(world)
