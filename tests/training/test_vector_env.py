"""Batches as a vector environment of Gymnasium: beside a SyncVectorEnv of the exact world."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import registry
from gymnasium.vector import AutoresetMode

from backburner.kernel import packs
from backburner.kernel.errors import Refused, UnknownName
from backburner.training.gymnasium_env import WorldVectorEnv

BATCHED = sorted(pack.environment for pack in packs.installed().packs.values() if pack.batch)

CUISINEWORLD = packs.pack("cuisineworld").environment
OPTIONS = {"scenario": "cuisineworld/level_1@bodies=2,seed=play,tau=1.0"}


def vector(id: str = CUISINEWORLD, count: int = 3, **options: Any) -> WorldVectorEnv:
    made = gymnasium.make_vec(id, num_envs=count, **options)
    assert isinstance(made.unwrapped, WorldVectorEnv)
    return made.unwrapped


def exact(id: str, count: int, mode: str, **options: Any) -> Any:
    how = {"autoreset_mode": mode}
    return gymnasium.make_vec(id, count, vectorization_mode="sync", vector_kwargs=how, **options)


def same(ours: Any, theirs: Any) -> None:
    """Observations, arrays or infos; of infos what batches tell."""
    if isinstance(ours, dict):
        for name, value in ours.items():
            same(value, theirs[name])
    elif isinstance(ours, np.ndarray) and ours.dtype == object:
        for left, right in zip(ours, theirs, strict=True):
            same(left, right)
    elif ours is None or theirs is None:
        assert ours is theirs
    else:
        assert np.asarray(ours).shape == np.asarray(theirs).shape
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("id", BATCHED)
def test_it_is_what_a_vector_of_exact_environments_is(id: str, mode: str) -> None:
    """Over ends of episodes: observations, rewards, ends, seeds and scores."""
    options = {"reward": "potential", "discount": 0.95, **(OPTIONS if id == CUISINEWORLD else {})}
    ours, theirs = vector(id, autoreset_mode=mode, **options), exact(id, 3, mode, **options)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    (seen, info), (exactly, info_exactly) = ours.reset(seed=11), theirs.reset(seed=11)
    same(seen, exactly)
    same(info, info_exactly)
    rng, ended = np.random.default_rng(0), 0
    for _ in range(130):
        masks = seen["action_mask"]
        actions = (rng.random(masks.shape) * masks).argmax(-1)
        told, told_exactly = ours.step(actions), theirs.step(actions)
        seen = told[0]
        assert ours.observation_space.contains(seen)
        for left, right in zip(told, told_exactly, strict=True):
            same(left, right)
        ended += int((told[2] | told[3]).sum())
    assert ended >= 3


def test_it_goes_on_without_a_seed_and_begins_again_with_one() -> None:
    env = vector(**OPTIONS)
    first = [env.reset(seed=5)[1]["seed"].tolist() for _ in range(2)]
    assert first[0] == first[1] == [5, 6, 7]
    assert not set(env.reset()[1]["seed"].tolist()) & {5, 6, 7}
    seeds = env.reset(seed=[1, None, 2])[1]["seed"].tolist()
    assert seeds[0] == 1 and seeds[2] == 2 and seeds[1] not in (5, 6, 7)
    drawn = vector(**OPTIONS).reset()[1]["seed"].tolist()
    assert len(set(drawn)) == 3


def test_without_autoreset_rows_are_reset_by_a_mask() -> None:
    env = vector(autoreset_mode=AutoresetMode.DISABLED, **OPTIONS)
    env.reset(seed=0)
    for _ in range(60):
        _, _, terminated, _, _ = env.step(np.zeros((3, 2), np.int64))
    assert terminated.all()
    _, info = env.reset(options={"reset_mask": np.array([True, False, False])})
    assert info["_seed"].tolist() == [True, False, False]
    assert env.step(np.zeros((3, 2), np.int64))[2].tolist() == [False, True, True]
    with pytest.raises(Refused, match="reset_mask"):
        env.reset(options={"reset_mask": [1, 0, 0]})


def test_observations_are_copies_unless_they_need_not_be() -> None:
    for copy in (True, False):
        env = vector(copy=copy, **OPTIONS)
        seen, _ = env.reset(seed=0)
        before = seen["features"].copy()
        env.step(np.ones((3, 2), np.int64))
        assert (seen["features"] == before).all() == copy


def test_a_seed_of_numpy_is_a_seed() -> None:
    assert vector(**OPTIONS).reset(seed=np.int64(4))[1]["seed"].tolist() == [4, 5, 6]  # type: ignore[arg-type]


def test_masks_are_what_sb3_wants_of_each_row() -> None:
    env = vector(**OPTIONS)
    seen, _ = env.reset(seed=0)
    assert (env.action_masks() == seen["action_mask"].reshape(3, -1)).all()


def test_worlds_with_batches_say_so_to_gymnasium() -> None:
    assert len(BATCHED) >= 2
    for pack in packs.installed().packs.values():
        assert (registry[pack.environment].vector_entry_point is not None) == bool(pack.batch)


def test_what_batches_do_not_have_is_refused() -> None:
    with pytest.raises(Refused, match="sync"):
        vector(observation="text", **OPTIONS)
    with pytest.raises(UnknownName, match="NextStep"):
        vector(autoreset_mode="NextStop", **OPTIONS)
    with pytest.raises(Refused, match="spoil"):
        vector(scenario="cuisineworld/level_1@spoil=3")
    for option in ({"seat": "agent0"}, {"partners": "greedy"}):
        with pytest.raises(Refused, match=r"one learner has all seats of a batch.*vectorization_mode='sync'"):
            vector(**OPTIONS, **option)
    with pytest.raises(UnknownName, match=r"unknown option 'thread'.*; did you mean threads"):
        vector(thread=2, **OPTIONS)
    for seed in (0.5, "one", [0, 1]):
        with pytest.raises(Refused, match="seed"):
            vector(**OPTIONS).reset(seed=seed)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="codes are from 0"):
        vector(**OPTIONS).step(np.full((3, 2), 99))
