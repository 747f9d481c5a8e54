"""Worlds as environments of Gymnasium, for one learner.

    import gymnasium
    import backburner.training

    env = gymnasium.make("backburner/timearena-v3", scenario="timearena/cooking1", observation="text")

The learner decides for all seats of the world, or for the one that ``seat`` names beside ``partners``.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backburner.kernel.errors import MissingExtra

try:
    import gymnasium
except ImportError as error:
    raise MissingExtra("rl", "an environment of Gymnasium") from error

from backburner.arrays.rewards import SCORE
from backburner.kernel.text import speaks
from backburner.kernel.values import Seat
from backburner.training.faces import face_of
from backburner.training.pay import WHOLE
from backburner.training.series import Partners, Series, check_options, series_world


class WorldEnv(gymnasium.Env[Any, Any]):
    """One scenario as an environment.

    - ``world``: the world's name; an environment that is made by its id has it already
    - ``scenario``: an id or a scenario file; by default the first of the world's quick suite
    - ``observation``: ``features`` (numbers, masks, codes) or ``text``; by default features where the
      scenario has an encoding
    - ``reward``: as in ``arrays.rewards``; ``discount`` is the learner's, for ``potential``
    - ``pay``: ``whole``, or ``relative`` beside partners: what the seat adds to what they get alone
    - ``rules``, ``limits``: as everywhere
    - ``seeds``: the pool that the seeds of episodes are drawn from; without one they are any numbers
    - ``seat``, ``partners``: the learner's seat, and who plays the others (an agent's name or a policy, or
      one for each seat by its name)

    ``reset(seed=s)`` begins the episode that ``arrays.seeds.episode_seed(s, 0, seeds)`` names, and each
    ``reset()`` after it the next one of the same series; before any seed, one is drawn. An episode is
    ``terminated`` when the world says that it is over: the task done or failed, or a limit of the world
    reached, beyond which nothing counts. It is ``truncated`` where it might have gone on: a partner could
    not, or a wrapper such as ``TimeLimit`` has counted its own steps. A step after the end brings no reward
    and changes nothing.

    ``info`` has ``seed`` (the world's seed of this episode), ``score``, ``outcome`` (the world's numbers),
    ``asked`` (which of the learner's seats must decide now; the others are not heard), ``refusals`` (the
    codes of what the step had refused), and once it is over ``reason``.

    Raises ``UnknownName`` with the nearest name, and ``Refused``, as their parts do.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(
        self,
        world: str,
        scenario: str | PathLike[str] | None = None,
        *,
        observation: str | None = None,
        reward: str = SCORE,
        discount: float = 1.0,
        pay: str = WHOLE,
        rules: Any = "standard",
        limits: Any = "article",
        seeds: Sequence[int] | None = None,
        seat: Seat | None = None,
        partners: Partners | None = None,
        render_mode: str | None = None,
        **others: Any,
    ) -> None:
        check_options(others, WorldEnv, f"{world}'s environment")
        self.render_mode = render_mode
        self.series = Series(
            series_world(world, scenario, rules, limits),
            reward=reward,
            discount=discount,
            pay=pay,
            seeds=seeds,
            seat=seat,
            partners=partners,
        )
        self.face = face_of(self.series, observation, self.series.seats)
        self.observation_space = self.face.observation_space
        self.action_space = self.face.action_space
        self._is_seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """The first observation of the next episode."""
        super().reset(seed=seed)
        if seed is None and not self._is_seeded:
            seed = int(self.np_random.integers(1 << 31))
        self._is_seeded = True
        self.series.reset(seed)
        return self.face.observation(begins=True), self._info(())

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """One decision of each of the learner's seats that are asked."""
        gain = self.series.step(self.face.decisions(action))
        return (
            self.face.observation(begins=False),
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
        return self.face.masks().astype(np.bool_).reshape(-1)

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
