"""Worlds of several seats as environments of PettingZoo: an agent for each seat.

    from backburner.training import pettingzoo_env

    env = pettingzoo_env.parallel_env("cuisineworld/level_3@seats=each", reward="score")

``parallel_env`` has all agents decide at every step; of those whose seats are not asked nothing is heard.
``env`` asks one agent after the other (AEC), and only those that are asked; who decides at the same moment
sees the same state. Both play the same episodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from string import digits
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from backburner.kernel.errors import MissingExtra, Refused, UnknownName, shorten

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:
    raise MissingExtra("rl", "an environment of PettingZoo") from error

from backburner.kernel import packs, registry
from backburner.kernel.text import speaks
from backburner.kernel.values import Refusal, Seat
from backburner.training.series import Options, Series, check_options, series_of, those
from backburner.training.spaces import Features, SeatSpaces, spaces_of

RENDER_MODES = ["ansi"]


def agent_names(seats: Sequence[Seat]) -> dict[Seat, str]:
    """Each seat's agent, called ``<descriptor>_<number>`` as PettingZoo recommends: ``chef`` is ``chef_0``,
    ``robot2`` is ``robot_2``; numbered through where these would not differ."""
    names = {}
    for seat in seats:
        stem = seat.rstrip(digits)
        number = seat.removeprefix(stem)
        names[seat] = f"{stem.removesuffix('_').lower() or 'agent'}_{number or 0}"
    if len(set(names.values())) < len(names):
        return {seat: f"agent_{number}" for number, seat in enumerate(seats)}
    return names


class _Agents:
    """The seats of one world as agents: what both kinds of environments do alike."""

    def __init__(self, series: Series, observation: str | None, render_mode: str | None) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise Refused(f"render_mode is 'ansi' or None, not {render_mode!r}")
        super().__init__()
        self.series, self.render_mode = series, render_mode
        self._names = agent_names(series.seats)
        self._spaces: dict[str, SeatSpaces] = {
            name: spaces_of(series, observation, (seat,), numbers="observation")
            for seat, name in self._names.items()
        }
        pack = packs.pack_of(series.world)
        self.metadata = {
            "name": f"{pack.name}_v{pack.version}",
            "render_modes": RENDER_MODES,
            "render_fps": 4,
            "is_parallelizable": True,
        }
        self.possible_agents = list(self._spaces)
        self.agents: list[str] = []
        self._everything = None if series.encoding is None else Features(series, series.seats)
        if self._everything is not None:
            self.state_space = spaces.Box(-1.0, 1.0, self.state().shape, np.float32)
        self._is_seeded = False

    def _begin(self, seed: int | None) -> None:
        """The next episode, with all agents in it."""
        if seed is None and not self._is_seeded:
            seed = int(np.random.default_rng().integers(1 << 31))
        self._is_seeded = True
        self.series.reset(seed)
        self.agents = list(self.possible_agents)

    def _check_begun(self) -> None:
        """Raises ``Refused`` where nothing has been reset yet."""
        if not self._is_seeded:
            raise Refused(f"{self.series.world.id}: reset begins an episode, and was not called")

    def _spaces_for(self, agent: Any) -> SeatSpaces:
        """How an agent sees and decides. Raises ``UnknownName``."""
        if agent not in self._spaces:
            raise UnknownName("agent", agent, self._spaces, self.series.world.id)
        return self._spaces[agent]

    def _infos(self, refusals: Sequence[Refusal] = ()) -> dict[str, dict[str, Any]]:
        """What is told beside observations: of the episode to all, of its own refusals to each."""
        own = self.series.ticks_thought if self.series.is_timed else {}
        return {
            name: {
                **self.series.told,
                **({"ticks_thought": own[seat]} if own else {}),
                "refusals": tuple(refusal.code for refusal in refusals if refusal.seat in ("", seat)),
            }
            for seat, name in self._names.items()
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What the agent sees, always the same object."""
        return self._spaces_for(agent).observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """How the agent decides, always the same object."""
        return self._spaces_for(agent).action_space

    def state(self) -> NDArray[np.float32]:
        """What all agents see together, for a critic that sees everything: the features of all bodies, flat;
        ``Refused`` where a world has no numbers."""
        if self._everything is None:
            raise Refused(f"{self.series.world.id}: this world has no encoding in numbers")
        return self._everything.features().reshape(-1)

    def render(self) -> str | None:
        """What each agent is told, in words; what it sees where the world has none."""
        if self.render_mode is None:
            return None
        world: Any = self.series.world
        seen = {name: world.observe(self.series.state, seat) for seat, name in self._names.items()}
        return "\n\n".join(
            f"{name}: {world.describe(each) if speaks(world) else each}" for name, each in seen.items()
        )

    def close(self) -> None:
        """Nothing more is played."""
        self.series.close()


class WorldParallelEnv(_Agents, ParallelEnv):  # type: ignore[misc]  # PettingZoo tells no types
    """All agents at every step; see ``parallel_env``."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """The first observations of the next episode."""
        self._begin(seed)
        return self._seen(begins=True), self._infos()

    def _seen(self, begins: bool) -> dict[str, Any]:
        return {agent: self._spaces[agent].observation(begins) for agent in self.possible_agents}

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """One step of the world; all agents have its reward. After the end: nothing, for nobody."""
        self._check_begun()
        if not self.agents:
            return {}, {}, {}, {}, {}
        if not isinstance(actions, Mapping):
            raise Refused(f"actions are a dictionary by agent, not {shorten(repr(actions))}")
        decisions: dict[Seat, Any] = {}
        for agent, action in actions.items():
            decisions |= self._spaces_for(agent).decisions(action)
        gain = self.series.step(decisions)
        present, (terminated, truncated) = self.agents, (self.series.terminated, self.series.truncated)
        if terminated or truncated:
            self.agents = []
        return (
            self._seen(begins=False),
            dict.fromkeys(present, gain.reward),
            dict.fromkeys(present, terminated),
            dict.fromkeys(present, truncated),
            self._infos(gain.refusals),
        )


class WorldAECEnv(_Agents, AECEnv):  # type: ignore[misc]  # PettingZoo tells no types
    """One agent after the other; see ``env``."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """The next episode begins."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos = self._infos()
        self._decided: dict[Seat, Any] = {}
        self._silent = set(self.agents)  # who has not decided yet, and is told the briefing
        self._skip_agent_selection = None
        self._ask()

    def _ask(self) -> None:
        """Whose turn it is; when the episode is over, everybody's in order, to leave."""
        self.terminations = dict.fromkeys(self.agents, self.series.terminated)
        self.truncations = dict.fromkeys(self.agents, self.series.truncated)
        self._queue = [self._names[seat] for seat in self.series.asked]
        self.agent_selection = (self._queue or self.agents)[0]

    def observe(self, agent: str) -> Any:
        """What the agent sees now."""
        return self._spaces_for(agent).observation(begins=agent in self._silent)

    def step(self, action: Any) -> None:
        """The selected agent decides; the world goes on when all that are asked have."""
        self._check_begun()
        if not self.agents:
            raise Refused(f"{self.series.world.id}: the episode is over; reset begins the next")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._decided |= self._spaces[agent].decisions(action)
        self._silent.discard(agent)
        self._cumulative_rewards[agent] = 0.0
        self._queue = self._queue[1:]
        if self._queue:
            self._clear_rewards()
            self.agent_selection = self._queue[0]
            return
        gain = self.series.step(self._decided)
        self._decided = {}
        self.rewards = dict.fromkeys(self.agents, gain.reward)
        self._accumulate_rewards()
        self.infos = self._infos(gain.refusals)
        self._ask()


def parallel_env(scenario: str | PathLike[str], **options: Any) -> WorldParallelEnv:
    """All agents decide at every step.

    ``options``: those of ``series.Options``, and ``render_mode``. In numbers an agent sees ``observation``
    (its features) and ``action_mask``, in which code 0 alone is open when its seat is not asked. All agents
    have the same reward. Raises what ``WorldEnv`` raises.
    """
    return WorldParallelEnv(*_agents(scenario, **options))


def env(scenario: str | PathLike[str], **options: Any) -> WorldAECEnv:
    """One agent decides after the other, as long as it is asked; ``options`` as of ``parallel_env``."""
    return WorldAECEnv(*_agents(scenario, **options))


def _agents(
    scenario: str | PathLike[str], *, render_mode: str | None = None, **options: Unpack[Options]
) -> tuple[Series, str | None, str | None]:
    """What environments of both kinds are made of: episodes, how they are seen, how they are shown."""
    for option in options.keys() & {"seat", "partners"}:
        raise Refused(f"every seat is an agent here, yours; Gymnasium's environments have {option}")
    check_options(options, Options.__annotations__, "PettingZoo's environments")
    world = registry.world(scenario, **those(options, "rules", "limits"))
    return series_of(world, options), options.get("observation"), render_mode
