"""A lane over exact states, for worlds that have an outlook and no batch: one episode at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.entities import UNDECIDED
from backburner.arrays.network import Shape
from backburner.arrays.outlook import Glance, Outlook
from backburner.arrays.rewards import SCORE
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.training.learner.configuration import Configuration
from backburner.training.learner.seen import Seen


class ExactLane:
    """``count`` episodes of one scenario; see ``lanes.Lane``. Raises ``Refused`` for a configuration that
    needs a batch."""

    def __init__(
        self, world: World[Any, Any, Any], outlook: Outlook, configuration: Configuration, count: int
    ) -> None:
        if configuration.network != "entities" or configuration.reward != SCORE:
            raise Refused(f"{world.id}: this world trains network=entities with reward={SCORE} alone")
        self.world, self.outlook, self.count = world, outlook, count
        self.bodies = outlook.bodies
        self.metric = outlook.metric
        self.seeds: tuple[int, ...] = ()
        self.chosen = np.full((count, self.bodies), UNDECIDED, np.int64)
        self.states: list[Any] = []
        self.live = np.zeros(count, np.bool_)
        self.scores = np.zeros(count)
        self._glances: list[Glance | None] = []

    def shape(self, hidden: int) -> tuple[Shape, str]:
        """The network that plays this, and the digest of what it reads."""
        context, code = len(self.outlook.context_names), len(self.outlook.code_names)
        return Shape("entities", context, code, 0, hidden), self.outlook.reads

    def start(self, seeds: Sequence[int]) -> None:
        """Every row begins the episode of its seed."""
        self.seeds = tuple(seeds)
        self.states = [self.world.start(seed) for seed in seeds]
        self._glance()

    def _glance(self) -> None:
        self.chosen[:] = UNDECIDED
        self.live = np.array([bool(self.world.deciders(state)) for state in self.states])
        self.scores = np.array([self.outlook.score(state) for state in self.states])
        self._glances = [
            self.outlook.glance(state) if live else None
            for state, live in zip(self.states, self.live.tolist(), strict=True)
        ]

    def look(self, body: int) -> Seen:
        """What a body sees once those before it have chosen; episodes that are over have one empty option."""
        none = np.zeros(len(self.outlook.context_names), np.float32)
        no_codes = np.zeros((1, len(self.outlook.code_names)), np.float32)
        looks = [(none, no_codes) if glance is None else glance.look(body) for glance in self._glances]
        lengths = [len(codes) for _, codes in looks]
        places = np.concatenate([np.arange(length) for length in lengths])
        return Seen(
            context=np.stack([context for context, _ in looks]),
            row=np.repeat(np.arange(self.count), lengths),
            place=places,
            code=places,
            codes=np.concatenate([codes for _, codes in looks]),
            progress=np.array([0.0 if glance is None else glance.progress for glance in self._glances]),
            live=self.live,
        )

    def choose(self, body: int, outputs: NDArray[np.int64]) -> None:
        """Each row's body takes the option of this number."""
        self.chosen[:, body] = outputs
        for glance, option in zip(self._glances, outputs.tolist(), strict=True):
            if glance is not None:
                glance.take(body, option)

    def step(self) -> NDArray[np.float32]:
        """One step with the options that were taken; gives the rewards."""
        before, (seat,) = self.scores, self.world.seats
        self.states = [
            state if glance is None else self.world.step(state, {seat: glance.decision}).state
            for state, glance in zip(self.states, self._glances, strict=True)
        ]
        self._glance()
        return (self.scores - before).astype(np.float32)

    def measures(self, e: int) -> Mapping[str, float]:
        """Of an episode that is over, what the metric is computed from."""
        return self.outlook.measures(self.states[e])
