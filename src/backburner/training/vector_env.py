"""Batches of episodes as a vector environment of Gymnasium.

    import gymnasium
    import backburner.training

    envs = gymnasium.make_vec(
        "backburner/cuisineworld-v2", num_envs=4096, scenario="cuisineworld/level_3@seed=play"
    )

It is what ``make_vec`` makes of a world that has batches, unless another ``vectorization_mode`` is asked for.
Row *i* sees, is paid and ends as environment *i* of a ``SyncVectorEnv`` of the exact world would.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backburner.kernel.errors import MissingExtra, Refused, UnknownName

try:
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise MissingExtra("rl", "a vector environment of Gymnasium") from error

from backburner.arrays.rewards import SCORE
from backburner.arrays.seeds import seed_of
from backburner.training.batches import Autoreset, Episodes
from backburner.training.faces import FEATURES, face_of
from backburner.training.series import Series, check_options, series_world

MODES: dict[AutoresetMode, Autoreset] = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class WorldVectorEnv(VectorEnv[Any, Any, Any]):
    """Many episodes of one scenario, decided for by one learner in all seats.

    ``world``, ``scenario``, ``reward``, ``discount``, ``rules``, ``limits`` and ``seeds`` are as in
    ``gymnasium_env.WorldEnv``; observations are features and masks alone.

    - ``autoreset_mode``: as Gymnasium has them. ``NEXT_STEP``, the default: the step after the end begins the
      next episode, whatever the action, and pays nothing. ``SAME_STEP``: the next episode begins at once;
      ``final_obs`` and ``final_info`` tell of the end. ``DISABLED``: ``reset`` with ``reset_mask`` does it
    - ``threads`` share the rows
    - ``copy``: whether observations are copies; if not, they are the same arrays each time, written anew

    ``info`` has ``seed`` and ``score`` of every row. ``episodes`` are the bare arrays. Raises ``Refused`` if
    the world has no batch that covers the scenario.
    """

    def __init__(
        self,
        num_envs: int,
        world: str,
        scenario: str | PathLike[str] | None = None,
        *,
        observation: str | None = None,
        reward: str = SCORE,
        discount: float = 1.0,
        rules: Any = "standard",
        limits: Any = "article",
        seeds: Sequence[int] | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        copy: bool = True,
        render_mode: str | None = None,
        **others: Any,
    ) -> None:
        if others.keys() & {"seat", "partners", "pay"}:
            raise Refused("one learner has all seats of a batch; use vectorization_mode='sync' for partners")
        check_options(others, WorldVectorEnv, f"{world}'s vectors")
        if observation not in (None, FEATURES) or render_mode is not None:
            raise Refused("batches have features alone, and no pictures; use vectorization_mode='sync'")
        bound = series_world(world, scenario, rules, limits)
        mode = _mode(autoreset_mode)
        self.episodes = Episodes(
            bound,
            num_envs,
            reward=reward,
            discount=discount,
            seeds=seeds,
            threads=threads,
            autoreset=MODES[mode],
        )
        face = face_of(Series(bound, reward=reward, discount=discount), FEATURES, bound.seats)
        self.num_envs, self.copy, self.autoreset_mode = num_envs, copy, mode
        self.render_mode = render_mode
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        self.single_observation_space = face.observation_space
        self.single_action_space = face.action_space
        self.observation_space = batch_space(face.observation_space, num_envs)
        self.action_space = batch_space(face.action_space, num_envs)
        self._is_seeded = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """All rows begin an episode, or those that ``options["reset_mask"]`` (bool) says.

        Row *i* has the seed ``seed + i``, or its own of several; where there is none it goes on with its next
        episode.
        """
        if seed is not None and not isinstance(seed, Sequence | np.ndarray):
            seed = seed_of(seed)
        super().reset(seed=seed if isinstance(seed, int) else None)
        which = _reset_mask(options, self.num_envs)
        if seed is None and not self._is_seeded:
            seed = self.np_random.integers(1 << 31, size=self.num_envs).tolist()
        self._is_seeded = True
        if seed is None or isinstance(seed, int):
            self.episodes.reset(seed, which)
        else:
            self._reset_each(seed, which)
        return self._observed(), self._info(which)

    def _reset_each(self, seeds: Sequence[int | None], which: NDArray[np.bool_]) -> None:
        if len(seeds) != self.num_envs:
            raise Refused(f"{len(seeds)} seeds for {self.num_envs} environments")
        seeded = np.array([seed is not None for seed in seeds])
        self.episodes.reset([seed or 0 for seed in seeds], which & seeded)
        self.episodes.reset(None, which & ~seeded)

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """A step of all rows. Raises ``Refused`` for actions that are none of the space."""
        episodes = self.episodes
        seeds = episodes.episode_seeds.copy()
        episodes.step(actions)
        over, info = episodes.over, self._info(np.ones(self.num_envs, np.bool_))
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            info["score"] = np.where(over, 0.0, episodes.scores)
            info |= self._final(over.copy(), seeds)
        rewards = episodes.rewards.astype(np.float64)
        return self._observed(), rewards, over.copy(), np.zeros_like(over), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which codes are on the menu now: for each row, of one body after the other."""
        return self.episodes.masks.reshape(self.num_envs, -1).astype(np.bool_)

    def _observed(self) -> dict[str, NDArray[Any]]:
        told = self._shaped(self.episodes.features, self.episodes.masks)
        return {name: array.copy() for name, array in told.items()} if self.copy else told

    def _shaped(self, features: NDArray[Any], masks: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Without an axis of bodies where there is one body; masks are of int8, as the space has them."""
        if self.episodes.n_bodies == 1:
            features, masks = features[:, 0], masks[:, 0]
        return {FEATURES: features, "action_mask": masks.view(np.int8)}

    def _info(self, which: NDArray[np.bool_]) -> dict[str, Any]:
        told = {"seed": self.episodes.episode_seeds.copy(), "score": self.episodes.scores.copy()}
        return told | {f"_{name}": which.copy() for name in told}

    def _final(self, over: NDArray[np.bool_], seeds: NDArray[np.int64]) -> dict[str, Any]:
        """What was seen and told at the end of the episodes that ended, as Gymnasium's own vectors do."""
        seen = self._shaped(self.episodes.final_features, self.episodes.final_masks)
        final = np.full(self.num_envs, None, dtype=object)
        for row in np.flatnonzero(over):
            final[row] = {name: array[row].copy() for name, array in seen.items()}
        told = {"seed": np.where(over, seeds, 0), "score": np.where(over, self.episodes.scores, 0.0)}
        return {
            "final_obs": final,
            "_final_obs": over,
            "final_info": told | {f"_{name}": over for name in told},
            "_final_info": over,
        }


def _mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        raise UnknownName("autoreset mode", str(mode), [known.value for known in AutoresetMode]) from None


def _reset_mask(options: dict[str, Any] | None, count: int) -> NDArray[np.bool_]:
    if not options or "reset_mask" not in options:
        return np.ones(count, np.bool_)
    mask = np.asarray(options["reset_mask"])
    if mask.shape != (count,) or mask.dtype != np.bool_ or not mask.any():
        raise Refused(f"reset_mask is {count} bools of which one is True, not {mask.dtype} of {mask.shape}")
    return mask
