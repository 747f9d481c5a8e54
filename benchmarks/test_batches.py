"""How fast many episodes are: the exact world, batches by numba, the same in JAX, and JaxMARL's Overcooked.

All in one run and on one thread, at 1, 256 and 4,096 environments, each with observations, masks where there
are any, rewards, and new episodes at the end. Everybody acts by chance: of what the mask allows, or, in
JaxMARL, which has no masks, of all actions. JAX and JaxMARL are measured where they are installed
(``pip install jax jaxmarl``). The rate is of steps of environments in a CPU second.
"""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Callable
from typing import Any

# Before JAX is imported: one thread, as everything else here.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import numpy as np
import pytest

import backburner
from backburner.arrays.encoding import encoding_of
from backburner.arrays.jit import COMPILES, compiled
from backburner.training.batches import Episodes

ID = "cuisineworld/level_9@bodies=2,seed=play,tau=1.5"
COUNTS = (1, 256, 4096)
SCAN = 50

needs_jax = pytest.mark.skipif(not importlib.util.find_spec("jax"), reason="needs: pip install jax")
needs_jaxmarl = pytest.mark.skipif(
    not importlib.util.find_spec("jaxmarl"), reason="needs: pip install jaxmarl"
)
of_counts = pytest.mark.parametrize("count", COUNTS)


@compiled
def choose(masks: Any, state: Any, codes: Any) -> None:
    """For each body a code of the mask, by a linear congruential generator: a policy that costs little."""
    chance = state[0]
    for row in range(masks.shape[0]):
        for body in range(masks.shape[1]):
            allowed = 0
            for code in range(masks.shape[2]):
                allowed += masks[row, body, code]
            chance = (chance * 1103515245 + 12345) & 0x7FFFFFFF
            left = (chance >> 8) % allowed
            for code in range(masks.shape[2]):
                if masks[row, body, code]:
                    if left == 0:
                        codes[row, body] = code
                        break
                    left -= 1
    state[0] = chance


def rate(play: Callable[[], int]) -> float:
    """Steps of environments in a CPU second: the best of three."""
    best = 0.0
    for _ in range(3):
        began = time.process_time()
        steps = play()
        best = max(best, steps / max(time.process_time() - began, 1e-6))
    return best


def told_rate(benchmark: Any, told: list[str], name: str, count: int, play: Callable[[], int]) -> None:
    play()  # compiles
    benchmark.pedantic(play, rounds=1, iterations=1)
    found = rate(play)
    benchmark.extra_info["steps per CPU second"] = found
    told.append(f"{name:44}{count:>6} environments {found:>14,.0f} steps per CPU second")


def test_exact(benchmark: Any, told: list[str]) -> None:
    """The world itself, with its encoding's features and masks."""
    world = backburner.world(ID)
    encoding, rng = encoding_of(world), np.random.default_rng(0)

    def play() -> int:
        state, (seat,) = world.start(0), world.seats
        steps = 0
        while world.deciders(state):
            encoding.features(state, seat)
            masks = np.array(encoding.mask(state, seat))
            codes = (rng.random(masks.shape) * masks).argmax(1).tolist()
            state = world.step(state, {seat: encoding.decision(state, seat, codes)}).state
            steps += 1
        return steps

    told_rate(benchmark, told, "CuisineWorld, exact", 1, play)


@of_counts
@pytest.mark.skipif(not COMPILES, reason="needs numba: pip install '.[rl]'")
def test_batch(benchmark: Any, told: list[str], count: int) -> None:
    """``Episodes``, called from Python for each step."""
    episodes = Episodes(ID, count)
    codes, chance = np.zeros((count, 2), np.int64), np.array([1], np.int64)

    def play() -> int:
        steps = max(120, 20_000 // count)
        for _ in range(steps):
            choose(episodes.masks, chance, codes)
            episodes.step(codes)
        return steps * count

    told_rate(benchmark, told, "CuisineWorld, numba", count, play)


@of_counts
@needs_jax
def test_in_jax(benchmark: Any, told: list[str], count: int) -> None:
    """The JAX face under ``vmap`` and ``lax.scan``: seeds of new episodes are drawn from a pool of 1,024."""
    import jax
    import jax.numpy as jnp

    from backburner.worlds.cuisineworld.arrays.in_jax import in_jax

    world: Any = backburner.world(ID)
    face = in_jax(world)
    pool = jnp.asarray(face.batch.draws(range(1024)))

    def one(carry: Any, key: Any) -> Any:
        states, drawn = carry
        masks, features = jax.vmap(face.masks)(states), jax.vmap(face.features)(states)
        choice, seeds = jax.random.split(key)
        codes = jnp.argmax(jax.random.uniform(choice, masks.shape) * masks, 2)
        after = jax.vmap(face.step)(states, drawn, codes)
        over, rewards = jax.vmap(face.over)(after), jax.vmap(face.score)(after) - jax.vmap(face.score)(states)
        drawn = jnp.where(over[:, None], pool[jax.random.randint(seeds, (count,), 0, 1024)], drawn)
        return (jax.vmap(face.restarted)(after, drawn), drawn), (rewards.sum(), features.sum())

    @jax.jit
    def roll(carry: Any, key: Any) -> Any:
        return jax.lax.scan(one, carry, jax.random.split(key, SCAN))

    drawn = pool[jnp.arange(count) % 1024]
    first = (jax.vmap(face.start)(drawn), drawn)

    def play() -> int:
        jax.block_until_ready(roll(first, jax.random.PRNGKey(0)))
        return SCAN * count

    told_rate(benchmark, told, f"CuisineWorld, JAX on {jax.default_backend()}", count, play)


@of_counts
@needs_jaxmarl
@pytest.mark.parametrize("name", ["overcooked", "overcooked_v2"])
def test_jaxmarl(benchmark: Any, told: list[str], name: str, count: int) -> None:
    """Overcooked as JaxMARL has it, whose step resets by itself; two cooks, cramped_room."""
    import jax
    import jaxmarl
    from jaxmarl.environments.overcooked import overcooked_layouts

    layout = {"layout": overcooked_layouts["cramped_room"]} if name == "overcooked" else {}
    env = jaxmarl.make(name, **layout)

    def one(states: Any, key: Any) -> Any:
        choice, keys = jax.random.split(key)
        actions = {
            agent: jax.random.randint(jax.random.fold_in(choice, index), (count,), 0, 6)
            for index, agent in enumerate(env.agents)
        }
        seen, states, rewards, _, _ = jax.vmap(env.step)(jax.random.split(keys, count), states, actions)
        return states, (rewards[env.agents[0]].sum(), sum(part.sum() for part in seen.values()))

    @jax.jit
    def roll(states: Any, key: Any) -> Any:
        return jax.lax.scan(one, states, jax.random.split(key, SCAN))

    _, first = jax.vmap(env.reset)(jax.random.split(jax.random.PRNGKey(0), count))

    def play() -> int:
        jax.block_until_ready(roll(first, jax.random.PRNGKey(1)))
        return SCAN * count

    told_rate(benchmark, told, f"JaxMARL {name} on {jax.default_backend()}", count, play)
