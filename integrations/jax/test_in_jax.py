"""CuisineWorld in JAX, beside the batch whose tables it has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import backburner
from backburner.kernel.errors import Refused
from backburner.training.batches import Episodes

jax: Any = pytest.importorskip("jax", reason="needs: pip install jax (or integrations/run.py jax)")
in_jax: Any = pytest.importorskip("backburner.worlds.cuisineworld.arrays.in_jax")

PATHS = (
    ("level_0@bodies=1,seed=play,tau=1.0", "standard"),
    ("level_3@bodies=4,seats=0.3+1.2,seed=play,tau=1.0", "released"),
    ("level_9@bodies=2,seed=play,table=1", "standard"),
    ("level_12@bodies=3,seed=play,tau=2.0", "released"),
)

ROWS = 24


@pytest.mark.parametrize(("path", "rules"), PATHS)
def test_it_steps_as_the_batch_does(path: str, rules: str) -> None:
    """Every field, mask, feature, score and reward, over ends of episodes; three codes of ten are any."""
    world = backburner.world(f"cuisineworld/{path}", rules=rules)
    face, batch = in_jax.in_jax(world), Episodes(world, ROWS, reward="article", seed=3)
    drawn = batch.batch.draws(batch.episode_seeds.tolist())
    step = jax.jit(jax.vmap(face.step))
    seen = jax.jit(jax.vmap(lambda k: (face.masks(k), face.features(k), face.score(k), face.article(k))))
    states = jax.vmap(face.start)(drawn)
    rng, compared = np.random.default_rng(0), 0
    for index in range(120):
        masks, features, score, article = map(np.asarray, seen(states))
        np.testing.assert_array_equal(masks, batch.masks)
        np.testing.assert_allclose(features, batch.features, atol=1e-6)
        for name in in_jax.Episode._fields:
            np.testing.assert_array_equal(getattr(states, name), getattr(batch.rows, name), name)
        if index:
            np.testing.assert_allclose(score, batch.rows.served)
            np.testing.assert_allclose(article, batch.rows.cents / 100, atol=1e-5)
        legal = (rng.random(masks.shape) * masks * ([0.1] + [1.0] * (masks.shape[2] - 1))).argmax(2)
        codes = np.where(rng.random(legal.shape) < 0.7, legal, rng.integers(0, masks.shape[2], legal.shape))
        states = step(states, drawn, codes)
        batch.step(codes)
        if batch.over.all():
            drawn = batch.batch.draws(batch.episode_seeds.tolist())
            states = jax.vmap(face.restarted)(states, drawn)
        compared += ROWS
    assert compared == 120 * ROWS


def test_whole_episodes_are_one_scan() -> None:
    """60 steps in which everybody waits: each order but the last ones expires."""
    face = in_jax.in_jax(backburner.world("cuisineworld/level_1@bodies=2,seed=play,tau=1.0"))
    drawn = face.batch.draws([5])[0]
    codes = np.zeros((61, 2), np.int32)
    last, served = jax.lax.scan(
        lambda k, now: (face.step(k, drawn, now), face.score(k)), face.start(drawn), codes
    )
    assert bool(face.over(last)) and int(last.steps) == 60
    assert int(last.expired) > 10 and not np.asarray(served).any()


def test_other_worlds_have_no_functions_in_jax() -> None:
    with pytest.raises(
        Refused, match=r"timearena/cooking1: there are functions in JAX for .*cuisineworld alone"
    ):
        in_jax.in_jax(backburner.world("timearena/cooking1"))
