"""Batches of episodes: arrays, seeds, what follows the end of an episode, threads, and the lockstep kit."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest

from backburner.arrays import jit
from backburner.arrays.batch import Batch, batch_of, episode_seed
from backburner.kernel.errors import Refused, UnknownName
from backburner.training import batches
from backburner.training.batches import Autoreset, Episodes
from backburner.training.lockstep import Diverged, lockstep

ID = "cuisineworld/level_1@bodies=1,seed=play,tau=1.0"
STEPS = 60


def played(episodes: Episodes, steps: int, seed: int = 0) -> list[tuple[bytes, ...]]:
    """What is told after each of so many steps by chance."""
    rng = np.random.default_rng(seed)
    told = []
    for _ in range(steps):
        codes = (rng.random(episodes.masks.shape) * episodes.masks).argmax(2)
        episodes.step(codes)
        arrays = (episodes.features, episodes.masks, episodes.rewards, episodes.over, episodes.scores)
        told.append(tuple(array.tobytes() for array in arrays))
    return told


def test_rows_have_the_episodes_of_the_one_rule() -> None:
    episodes = Episodes(ID, 3, seed=40)
    assert episodes.episode_seeds.tolist() == [40, 41, 42]
    played(episodes, STEPS)
    assert episodes.episode_seeds.tolist() == [episode_seed(seed, 1) for seed in (40, 41, 42)]
    episodes.reset()
    assert episodes.episode_seeds.tolist() == [episode_seed(seed, 2) for seed in (40, 41, 42)]
    episodes.reset([7, 9, 9])
    assert episodes.episode_seeds.tolist() == [7, 9, 9]
    pooled = Episodes(ID, 50, seeds=[5, 6])
    assert set(pooled.episode_seeds.tolist()) == {5, 6}


def test_some_rows_are_reset_and_others_go_on() -> None:
    episodes = Episodes(ID, 3, seed=1)
    played(episodes, 5)
    episodes.reset(100, np.array([False, True, False]))
    assert episodes.rows.steps.tolist() == [5, 0, 5]
    assert episodes.episode_seeds.tolist() == [1, 101, 3]


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
def test_what_follows_the_end(autoreset: Autoreset) -> None:
    episodes = Episodes(ID, 2, autoreset=autoreset, reward="article")
    played(episodes, STEPS - 1)
    assert not episodes.over.any()
    played(episodes, 1)
    assert episodes.over.all() and not episodes.cut_off.any() and episodes.rewards.all()
    left = episodes.batch.encoding.feature_names.index("steps left")
    if autoreset == "same_step":
        assert episodes.features[:, 0, left].tolist() == [1.0, 1.0]
        assert episodes.final_features[:, 0, left].tolist() == [0.0, 0.0]
        assert episodes.final_masks[:, 0].sum() == 2
        return
    assert episodes.features[:, 0, left].tolist() == [0.0, 0.0]
    episodes.step(np.zeros(2, np.int64))
    assert episodes.rewards.tolist() == [0.0, 0.0]
    if autoreset == "next_step":
        assert not episodes.over.any() and episodes.rows.steps.tolist() == [0, 0]
        assert episodes.features[:, 0, left].tolist() == [1.0, 1.0]
        episodes.step(np.zeros(2, np.int64))
        assert episodes.rewards.all() and episodes.rows.steps.tolist() == [1, 1]
    else:
        assert episodes.over.all() and episodes.rows.steps.tolist() == [STEPS, STEPS]


def test_threads_change_nothing() -> None:
    one, three = Episodes(ID, 10), Episodes(ID, 10, threads=3)
    assert played(one, 2 * STEPS + 5) == played(three, 2 * STEPS + 5)


@pytest.mark.parametrize(
    "codes",
    [[0, 99], [-1, 0], [[0, 0], [0, 0]], [0.5, 0.5], ["wait", "wait"], [2**40, 0], [[0], [0, 0]]],
)
def test_what_are_no_codes_is_refused_before_anything_changes(codes: list[object]) -> None:
    episodes = Episodes(ID, 2)
    with pytest.raises(Refused, match="codes"):
        episodes.step(codes)
    assert episodes.rows.steps.tolist() == [0, 0]


def test_faults_are_told_with_what_there_is() -> None:
    with pytest.raises(UnknownName, match="potential"):
        Episodes(ID, 1, reward="potentail")
    with pytest.raises(Refused, match=r"'value' asks .*vectorization_mode='sync'"):
        Episodes(ID, 1, reward="value")
    with pytest.raises(UnknownName, match="same_step"):
        Episodes(ID, 1, autoreset="samestep")  # type: ignore[arg-type]
    with pytest.raises(Refused, match="at least one"):
        Episodes(ID, 0)
    with pytest.raises(Refused, match="threads"):
        Episodes(ID, 1, threads=0)
    with pytest.raises(Refused, match="a batch has at least one episode, a whole number, not '4'"):
        Episodes(ID, "4")  # type: ignore[arg-type]
    with pytest.raises(Refused, match="a discount is a number from 0 to 1, not 3"):
        Episodes(ID, 1, discount=3)
    with pytest.raises(Refused, match="a scenario is an id, or a file; not 3"):
        Episodes(3, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("again", [copy.deepcopy, lambda episodes: pickle.loads(pickle.dumps(episodes))])  # noqa: S301
@pytest.mark.parametrize(
    ("id", "threads"),
    [(ID, 2), ("timearena/cooking1", 1), ("recipe2plan/Cobbler+Pancakes", 1), ("collab_grid/boiled_egg", 1)],
)
def test_a_copy_goes_on_from_where_it_is(id: str, threads: int, again: Any) -> None:
    episodes = Episodes(id, 5, reward="potential", discount=0.9, seed=3, threads=threads)
    played(episodes, 30)
    other = again(episodes)
    assert played(episodes, 100, seed=1) == played(other, 100, seed=1)
    assert not np.shares_memory(episodes.features, other.features)


@pytest.mark.parametrize(
    ("seeds", "told"),
    [
        ((), "a pool has one seed at least"),
        ("one", "a seed of the pool is a whole number, not 'o'"),
        ([0.5], "a seed of the pool is a whole number, not 0.5"),
        ([2**63], "seeds of a batch have 64 bits"),
        (7, "seeds are a pool"),
    ],
)
def test_a_pool_is_one_or_refused(seeds: Any, told: str) -> None:
    with pytest.raises(Refused, match=told):
        Episodes(ID, 2, seeds=seeds)


@pytest.mark.parametrize("seed", [0.5, "one", 2**63, [0, 0.5], [0], [2**70, 0]])
def test_a_seed_is_one_or_refused_before_anything_changes(seed: Any) -> None:
    episodes = Episodes(ID, 2)
    with pytest.raises(Refused, match="seed"):
        episodes.reset(seed)
    assert episodes.episode_seeds.tolist() == [0, 1]


def test_seeds_of_numpy_are_seeds() -> None:
    assert Episodes(ID, 2, seed=np.int64(7)).episode_seeds.tolist() == [7, 8]
    assert Episodes(ID, 2, seeds=np.array([5])).episode_seeds.tolist() == [5, 5]


def test_it_runs_uncompiled_alike() -> None:
    """Plain Python tells the same after every step."""
    program = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from training.test_batches import *\n"
        "assert jit.COMPILES == (len(sys.argv) == 1)\n"
        "print(played(Episodes(ID, 2, reward='potential', discount=0.9), 65)[::16])"
    )
    compiled, plain = (
        subprocess.run(
            [sys.executable, "-c", program, *extra],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, **settings},
        ).stdout
        for extra, settings in (((), {}), (("plain",), {"NUMBA_DISABLE_JIT": "1"}))
    )
    assert compiled == plain


# --- the kit notices -------------------------------------------------------------------------------------


def faulty(**parts: Callable[..., object]) -> Callable[[object], Batch]:
    """Batches with other functions in place of some."""

    def make(world: object) -> Batch:
        return msgspec.structs.replace(batch_of(world), **parts)  # type: ignore[arg-type]

    return make


def late_score(t, r, e):
    """Forgets a point from the tenth step on, if there is one, or else makes one up."""
    return float(r.served[e] + (r.steps[e] == 10))


def blind(t, r, e, body, out):
    """Sees nothing."""
    out[:] = 0.0


def anything(t, r, e, body, out):
    """Allows everything."""
    out[:] = 1


def idle(t, r, e, drawn, codes):
    """Lets time pass."""
    r.steps[e] += 1


@pytest.mark.parametrize(
    ("part", "function", "told"),
    [
        ("score", late_score, "score"),
        ("features", blind, "feature of agent0, body at servingtable0 is 0.0 in the batch and 1.0"),
        ("mask", anything, "mask of agent0, goto servingtable0 is 1 in the batch and 0"),
        ("step", idle, "reward article is 0.0"),
        ("over", lambda t, r, e: r.steps[e] >= 59, "over is True"),
        ("potential", lambda t, r, e: 0.5, "potential is 0.5"),
        ("own_rewards", {"article": lambda t, r, e: 0.25}, "reward article is 0.25"),
    ],
)
def test_lockstep_notices_a_fault_in_each_part(
    monkeypatch: pytest.MonkeyPatch, part: str, function: Callable[..., object], told: str
) -> None:
    monkeypatch.setattr(jit, "COMPILES", False)  # of the loops: a fault is not worth seconds of compiling
    monkeypatch.setattr(batches, "batch_of", faulty(**{part: function}))
    with pytest.raises(Diverged, match=told):
        lockstep(ID, 2, 65)
