"""Episodes that a learner plays side by side: what bodies see, what was decided, how much better that was
than expected.

A *lane* has the episodes of one scenario, each from its start to its end: over a batch of the world, or over
exact states for worlds that have an outlook and no batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.entities import UNDECIDED, Entities, Glance, Outlook, entities_of, outlook_of
from backburner.arrays.jit import bound
from backburner.arrays.network import Shape, reading_digest
from backburner.arrays.rewards import SCORE
from backburner.kernel import packs, registry
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.training.batches import Episodes
from backburner.training.learner.configuration import Configuration


class Seen(NamedTuple):
    """What one body of each of many rows sees, with the codes that it may choose, packed.

    ``context`` (row, number); of each allowed code its ``row``, its ``place`` among those of the row, the
    ``code``, and for entities its numbers in ``codes``. ``progress``: the potential of each row.
    ``live``: whether the row's episode goes on.
    """

    context: NDArray[np.float32]
    row: NDArray[np.int64]
    place: NDArray[np.int64]
    code: NDArray[np.int64]
    codes: NDArray[np.float32]
    progress: NDArray[np.float64]
    live: NDArray[np.bool_]


AnyWorld = World[Any, Any, Any]


class Lane:
    """``count`` episodes of one scenario; ``chosen`` are the codes of the step that is being decided."""

    def __init__(self, world: AnyWorld, configuration: Configuration, count: int) -> None:
        self.world = world
        self.count = count
        self.entities = _entities(world, configuration)
        self.episodes = Episodes(
            world,
            count,
            reward=configuration.reward,
            discount=configuration.discount,
            autoreset="disabled",
        )
        self.bodies, self.n_codes = self.episodes.n_bodies, self.episodes.n_codes
        self.listed = configuration.network == "list"
        self.central = self.listed and configuration.bodies == "central"
        self.chosen = np.full((count, self.bodies), UNDECIDED, np.int64)
        self.seeds: tuple[int, ...] = ()
        self._progress = np.zeros(count)
        if not self.listed and self.entities is not None:
            self._look = _look_of(self.entities.look)
            self._mask = np.zeros((count, self.n_codes), np.uint8)
            self._context = np.zeros((count, len(self.entities.context_names)), np.float32)
            self._codes = np.zeros((count, self.n_codes, len(self.entities.code_names)), np.float32)

    @property
    def live(self) -> NDArray[np.bool_]:
        """Which episodes go on."""
        return ~self.episodes.over

    @property
    def rows(self) -> Any:
        """The rows of the batch."""
        return self.episodes.rows

    @property
    def scores(self) -> NDArray[np.float64]:
        """The score of each row."""
        return self.episodes.scores

    def shape(self, hidden: int) -> tuple[Shape, str]:
        """The network that plays this, and the digest of what it reads."""
        encoding = self.episodes.batch.encoding
        if not self.listed and self.entities is not None:
            context, code = len(self.entities.context_names), len(self.entities.code_names)
            return Shape("entities", context, code, 0, hidden), self.entities.reads
        names, bodies = len(encoding.feature_names), self.bodies
        reads = reading_digest(encoding.actions, encoding.feature_names)
        if not self.central:
            return Shape("list", names + bodies, 0, self.n_codes, hidden), reads
        context = bodies * (names + self.n_codes)
        return Shape("list", context, 0, bodies * self.n_codes, hidden), reads

    def start(self, seeds: Sequence[int]) -> None:
        """Every row begins the episode of its seed."""
        self.seeds = tuple(seeds)
        self.episodes.reset(seed=self.seeds)
        self.chosen[:] = UNDECIDED

    def look(self, body: int) -> Seen:
        """What a body sees once those before it have chosen."""
        codes = np.zeros((0, 0), np.float32)
        if not self.listed and self.entities is not None:
            self._look(
                *(self.episodes.batch.tables, self.entities.tables, self.rows, body, self.chosen),
                *(self._mask, self._context, self._codes, self._progress),
            )
            mask, context = self._mask, self._context.copy()
        else:
            mask, context = self.episodes.masks[:, body], self._listed(body)
        row, code = np.nonzero(mask)
        first = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=self.count))))
        if not self.listed:
            codes = self._codes[row, code]
        outputs = code + body * self.n_codes if self.central else code
        places = np.arange(len(row)) - first[row]
        return Seen(context, row, places, outputs, codes, self._progress.copy(), self.live)

    def _listed(self, body: int) -> NDArray[np.float32]:
        """What a list network reads: of a shared one the body's features and which body it is."""
        features, everywhere = self.episodes.features, np.arange(self.count)
        if not self.central:
            which = np.zeros((self.count, self.bodies), np.float32)
            which[:, body] = 1
            return np.concatenate((features[:, body], which), axis=1)
        taken = np.zeros((self.count, self.bodies, self.n_codes), np.float32)
        for before in range(body):
            taken[everywhere, before, self.chosen[:, before]] = 1
        return np.concatenate((features.reshape(self.count, -1), taken.reshape(self.count, -1)), axis=1)

    def choose(self, body: int, outputs: NDArray[np.int64]) -> None:
        """The codes of a body, as numbers of outputs of the network."""
        self.chosen[:, body] = outputs - body * self.n_codes if self.central else outputs

    @property
    def metric(self) -> str:
        """The key of the world's metric that is measured; empty without entities."""
        return "" if self.entities is None else self.entities.metric

    def measures(self, e: int) -> Mapping[str, float]:
        """Of an episode that is over, what the metric is computed from."""
        return {} if self.entities is None else self.entities.measures(self.rows, e)

    def step(self) -> NDArray[np.float32]:
        """One step with the chosen codes; gives the rewards, written anew at the next one."""
        self.episodes.step(self.chosen)
        self.chosen[:] = UNDECIDED
        return self.episodes.rewards


def _entities(world: AnyWorld, configuration: Configuration) -> Entities | None:
    """The world's entities; a list network has them for the figures alone, where there are any."""
    if configuration.network == "list" and not packs.pack_of(world).entities:
        return None
    return entities_of(world)


LOOK: Any = None


def look_all(
    t: Any,
    tables: Any,
    rows: Any,
    body: int,
    chosen: NDArray[np.int64],
    masks: NDArray[np.uint8],
    contexts: NDArray[np.float32],
    codes: NDArray[np.float32],
    progress: NDArray[np.float64],
) -> None:
    """What a body sees in every row; ``LOOK`` is the world's."""
    for e in range(masks.shape[0]):
        progress[e] = LOOK(t, tables, rows, e, body, chosen[e], masks[e], contexts[e], codes[e])


@lru_cache(maxsize=16)
def _look_of(look: Callable[..., float]) -> Callable[..., None]:
    made: Callable[..., None] = bound(cast(FunctionType, look_all), {"LOOK": look})
    return made


class ExactLane:
    """``count`` episodes of one scenario; see ``Lane``. Raises ``Refused`` for a configuration that
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


AnyLane = Lane | ExactLane


def lane_of(world: AnyWorld, configuration: Configuration, count: int) -> AnyLane:
    """The lane of a world: over its batch, or over exact states where it has an outlook instead."""
    outlook = outlook_of(world)
    return (
        Lane(world, configuration, count)
        if outlook is None
        else ExactLane(world, outlook, configuration, count)
    )


def lanes_of(scenarios: Sequence[str], configuration: Configuration, count: int) -> list[AnyLane]:
    """A lane for each id; raises ``Refused`` where they cannot be played by one network."""
    lanes = [
        lane_of(registry.world(id, rules=configuration.rules, limits="article"), configuration, count)
        for id in scenarios
    ]
    first = lanes[0].shape(configuration.hidden)
    for lane in lanes:
        if lane.shape(configuration.hidden) != first:
            raise Refused(
                f"{lane.world.id} has other codes or features than {lanes[0].world.id}: a list network plays"
                " scenarios that have both in common"
            )
    return lanes


# --- decisions -------------------------------------------------------------------------------------------


class Decision(NamedTuple):
    """What the same body of many rows decided at once.

    ``lanes``: which lanes, in order, whose rows stand one after the other. ``picked``: the place of each
    row's code among the allowed ones; ``log`` its probability's logarithm; ``value`` each row's value.
    ``rewards``: what the step was worth, at the last body of a lane; 0 at others.
    """

    body: int
    lanes: tuple[int, ...]
    seen: Seen
    picked: NDArray[np.int64]
    log: NDArray[np.float32]
    value: NDArray[np.float32]
    rewards: NDArray[np.float32]


def joined(parts: Sequence[Seen]) -> Seen:
    """What several batches of rows see, one after the other."""
    ends = np.cumsum([0, *(len(part.context) for part in parts)])
    moved = [part._replace(row=part.row + end) for part, end in zip(parts, ends, strict=False)]
    return Seen(*map(np.concatenate, zip(*moved, strict=True)))


def advantages(
    decisions: Sequence[Decision], lanes: Sequence[AnyLane], configuration: Configuration
) -> tuple[list[NDArray[np.float32]], list[NDArray[np.float32]]]:
    """For each decision and row: its advantage (generalised advantage estimation) and its return.

    Time passes after the last body of a step alone: between two bodies of a step nothing is discounted.
    """
    gains = [np.zeros(len(decision.value), np.float32) for decision in decisions]
    for i, lane in enumerate(lanes):
        next_value = np.zeros(lane.count)
        next_progress = np.zeros(lane.count)
        gain = np.zeros(lane.count)
        for number in reversed(range(len(decisions))):
            decision = decisions[number]
            if i not in decision.lanes:
                continue
            begin = sum(lanes[j].count for j in decision.lanes[: decision.lanes.index(i)])
            part = slice(begin, begin + lane.count)
            live, progress = decision.seen.live[part], decision.seen.progress[part]
            discount = configuration.discount if decision.body == lane.bodies - 1 else 1.0
            reward = decision.rewards[part] + configuration.shaping * (discount * next_progress - progress)
            surprise = reward + discount * next_value - decision.value[part]
            gain = np.where(live, surprise + discount * configuration.trace * gain, 0.0)
            next_value = np.where(live, decision.value[part], 0.0)
            next_progress = np.where(live, progress, 0.0)
            gains[number][part] = gain
    returns = [gain + decision.value for gain, decision in zip(gains, decisions, strict=True)]
    return gains, returns
