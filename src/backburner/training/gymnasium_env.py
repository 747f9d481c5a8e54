"""Worlds as environments of Gymnasium, for one learner: one episode at a time, or batches of episodes as a
vector.

    import gymnasium
    import backburner.training

    env = gymnasium.make("backburner/timearena-v3", scenario="timearena/cooking1", observation="text")
    envs = gymnasium.make_vec(
        "backburner/cuisineworld-v2", num_envs=4096, scenario="cuisineworld/level_3@seed=play"
    )

The learner decides for all seats of the world, or in a single environment for the one that ``seat`` names
beside ``partners``. A vector is what ``make_vec`` makes of a world that has batches, unless another
``vectorization_mode`` is asked for. Row *i* sees, is paid and ends as environment *i* of a ``SyncVectorEnv``
of the exact world would.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.batch import seed_of
from backburner.kernel.errors import MissingExtra, Refused, UnknownName
from backburner.kernel.text import speaks
from backburner.training.batches import Autoreset, Episodes
from backburner.training.curriculum import Curriculum, Returned, Task, attained_in
from backburner.training.series import (
    Options,
    SeatOptions,
    Series,
    check_options,
    series_of,
    series_world,
    those,
)
from backburner.training.spaces import FEATURES, SeatSpaces, spaces_of

try:
    import gymnasium
except ImportError as error:
    raise MissingExtra("rl", "an environment of Gymnasium") from error


class WorldEnv(gymnasium.Env[Any, Any]):
    """One scenario as an environment.

    - ``world``: the world's name; an environment that is made by its id has it already
    - ``scenario``: an id or a scenario file; by default the first of the world's quick suite
    - ``options``: see ``series.SeatOptions``

    ``reset(seed=s)`` begins the episode that ``arrays.batch.episode_seed(s, 0, seeds)`` names, and each
    ``reset()`` after it the next one of the same series; before any seed, one is drawn. An episode is
    ``terminated`` when the world says that it is over: the task done or failed, or a limit of the world
    reached, beyond which nothing counts. It is ``truncated`` where it might have gone on: a partner could
    not, or a wrapper such as ``TimeLimit`` has counted its own steps. A step after the end brings no reward
    and changes nothing.

    ``info`` has ``seed`` (the world's seed of this episode), ``score``, ``outcome`` (the world's numbers),
    ``asked`` (which of the learner's seats must decide now; the others are not heard), ``refusals`` (the
    codes of what the step had refused), with a latency ``ticks_thought`` (how long the last decision took),
    and once it is over ``reason``.

    Raises ``UnknownName`` with the nearest name, and ``Refused``, as their parts do.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(
        self,
        world: str,
        scenario: str | PathLike[str] | None = None,
        *,
        render_mode: str | None = None,
        **options: Unpack[SeatOptions],
    ) -> None:
        check_options(options, SeatOptions.__annotations__, f"{world}'s environment")
        self.render_mode = render_mode
        self._world, self._scenario, self._options = world, scenario, options
        self.series, self.spaces = self._made(scenario)
        self.observation_space = self.spaces.observation_space
        self.action_space = self.spaces.action_space
        self._is_seeded = False

    def _made(self, scenario: str | PathLike[str] | None) -> tuple[Series, SeatSpaces]:
        series = series_of(series_world(self._world, scenario, self._options), self._options)
        return series, spaces_of(series, self._options.get("observation"), series.seats)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """The first observation of the next episode; with ``options["scenario"]``, of one in this scenario,
        whose series begins with a seed that is drawn where none is given. Raises ``Refused`` for a scenario
        with other spaces."""
        super().reset(seed=seed)
        if options and options.get("scenario") not in (None, self._scenario):
            self._go_over(options["scenario"])
        if seed is None and not self._is_seeded:
            seed = int(self.np_random.integers(1 << 31))
        self._is_seeded = True
        self.series.reset(seed)
        return self.spaces.observation(begins=True), self._info(())

    def _go_over(self, scenario: str | PathLike[str]) -> None:
        """Episodes are of another scenario from now on."""
        series, spaces = self._made(scenario)
        if (spaces.observation_space, spaces.action_space) != (self.observation_space, self.action_space):
            raise Refused(
                f"{series.world.id} has other codes, features or signs than {self.series.world.id}, and an"
                " environment has one space; observation='text' goes from one to the other"
            )
        self.series.close()
        self.series, self.spaces, self._scenario = series, spaces, scenario
        self._is_seeded = False

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """One decision of each of the learner's seats that are asked."""
        gain = self.series.step(self.spaces.decisions(action))
        return (
            self.spaces.observation(begins=False),
            gain.reward,
            self.series.terminated,
            self.series.truncated,
            self._info(tuple(refusal.code for refusal in gain.refusals)),
        )

    def _info(self, refusals: tuple[str, ...]) -> dict[str, Any]:
        return {**self.series.told, "refusals": refusals}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which codes are on the menu now, of one body after the other, flat as sb3-contrib wants them.

        Raises ``Refused`` where observations are in words.
        """
        return self.spaces.masks().astype(np.bool_).reshape(-1)

    def render(self) -> str | None:
        """What the learner's first seat sees, in words, or the value where the world has none. ``None`` in
        modes that there are not: Gymnasium warns of them, and libraries ask for any at first.
        """
        if self.render_mode not in self.metadata["render_modes"]:
            return None
        world, seat = self.series.world, self.series.seats[0]
        seen = world.observe(self.series.state, seat)
        return world.describe(seen) if speaks(world) else str(seen)

    def close(self) -> None:
        """The partners are dismissed."""
        self.series.close()


class Drawn(gymnasium.Wrapper[Any, Any, Any, Any]):
    """An environment of ours, each of whose episodes is in the scenario that a curriculum draws.

    ``curriculum``: what it is now. At the end of an episode it is told what ``returned`` makes of the
    scenario and the world's numbers, by default the share of the best; an episode that is left before that is
    not told. ``number``: how many were drawn. With both of them kept, another wrapper goes on.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        curriculum: Curriculum,
        *,
        seed: int = 0,
        number: int = 0,
        returned: Returned = attained_in,
    ) -> None:
        super().__init__(env)
        self.curriculum, self.seed, self.number = curriculum, seed, number
        self._returned = returned
        self._task: Task | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """An episode in the scenario that is drawn."""
        self._task = task = self.curriculum.draw(self.seed, self.number)
        self.number += 1
        return self.env.reset(seed=seed, options={**(options or {}), "scenario": task.scenario})

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """A step, as the environment has it."""
        seen, reward, terminated, truncated, info = self.env.step(action)
        if (terminated or truncated) and self._task is not None:
            came_to = self._returned(self._task.scenario, info["outcome"])
            self.curriculum = self.curriculum.told(self._task.level, came_to)
            self._task = None
        return seen, float(reward), terminated, truncated, info


try:
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise MissingExtra("rl", "a vector environment of Gymnasium") from error


MODES: dict[AutoresetMode, Autoreset] = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class WorldVectorEnv(VectorEnv[Any, Any, Any]):
    """Many episodes of one scenario, decided for by one learner in all seats.

    ``world`` and ``scenario`` are as in ``WorldEnv``, ``options`` as in ``series.Options``; observations are
    features and masks alone.

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
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        if options.keys() & {"seat", "partners", "pay"}:
            raise Refused("one learner has all seats of a batch; use vectorization_mode='sync' for partners")
        own = ("autoreset_mode", "threads", "copy")
        check_options(options, (*Options.__annotations__, *own), f"{world}'s vectors")
        if options.get("observation") not in (None, FEATURES) or render_mode is not None:
            raise Refused("batches have features alone, and no pictures; use vectorization_mode='sync'")
        if options.get("latency") is not None:
            raise Refused("nobody is silent in a batch; use vectorization_mode='sync' for a latency")
        bound = series_world(world, scenario, options)
        mode = _mode(autoreset_mode)
        self.episodes = Episodes(
            bound,
            num_envs,
            threads=threads,
            autoreset=MODES[mode],
            **those(options, "reward", "discount", "seeds"),
        )
        spaces = spaces_of(series_of(bound, those(options, "reward", "discount")), FEATURES, bound.seats)
        self.num_envs, self.copy, self.autoreset_mode = num_envs, copy, mode
        self.render_mode = render_mode
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        self.single_observation_space = spaces.observation_space
        self.single_action_space = spaces.action_space
        self.observation_space = batch_space(spaces.observation_space, num_envs)
        self.action_space = batch_space(spaces.action_space, num_envs)
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
