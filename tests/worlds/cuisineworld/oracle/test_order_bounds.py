"""Proven bounds come with every episode of a world that has any."""

from __future__ import annotations

from backburner.agents.scripted import RandomPolicy
from backburner.evaluation.scores import score
from backburner.kernel.play import play_now
from backburner.worlds.cuisineworld.metrics.headroom import LEAST_FAILED, MOST_SERVED
from backburner.worlds.cuisineworld.oracle.bound import order_bound
from backburner.worlds.cuisineworld.oracle.bounds import bounds_of
from support.cuisineworld import episode_of, world_of


def test_an_episode_of_orders_has_the_bounds_of_its_own_stream() -> None:
    world = world_of("level_2@seed=play,tau=1.0")
    bounds = {seed: bounds_of(play_now(world, RandomPolicy(), seed)) for seed in range(4)}
    for seed, found in bounds.items():
        bound = order_bound(world, seed)
        assert found == {MOST_SERVED: bound.most_served, LEAST_FAILED: bound.least_failed}
    assert len({tuple(found.values()) for found in bounds.values()}) > 1


def test_where_there_is_no_bound_nothing_is_said() -> None:
    endless = play_now(world_of("level_0", limits="none"), RandomPolicy(), max_steps=3)
    assert bounds_of(endless) == {}


def test_scores_have_the_gap_to_the_bound() -> None:
    """Level 3 with two bodies and τ = 3.0, where nobody moves: all that can be served is."""
    (found,) = score([episode_of(world_of("level_3@tau=3.0"))])
    (section,) = [section for section in found.sections if section.title == "Headroom"]
    assert section.rows[0][:6] == ("speaker", 2, "level_3", ".000", "1.000", "1.000")
