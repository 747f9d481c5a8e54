"""What a learner is paid for play in words: its main metric at the end, or a reward as any learner has it.

``metric`` is there in every world: when the episode is over, the main metric of its scoring over this one
episode, as a share between 0 (worst) and 1 (best) where the metric has both ends, and as it is where it has
not. The others are the rewards of ``arrays.rewards``.

What is paid is the ``whole`` of it, or ``relative``: what the learner's seat adds to what its partners get
alone, which is the reward less that of the same episode in which the learner only waits.

An episode that somebody leaves in its midst is played on to its end, and that is what is paid. Who has left
waits from then on, and partners play on. So to leave is worth what waiting to the end is worth, whatever the
reward: shaped rewards take back what they hoped for, and orders that come and run out count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from backburner.arrays.encoding import Reward
from backburner.arrays.rewards import GENERAL, VALUE, encoding_or_none, reward_of
from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.episode import Ending, Episode
from backburner.kernel.errors import PolicyFailure, PolicyStops, Refused, UnknownName
from backburner.kernel.play import ended_by
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.scoring import Metric
from backburner.kernel.turns import check_length, passing
from backburner.kernel.values import Event, Refusal, Seat, Step, writable

METRIC = "metric"

WHOLE, RELATIVE = "whole", "relative"
"""How the reward is paid."""


class AsPlayed:
    """A reward of the world's states. What is played between two replies counts as one step."""

    def __init__(self, reward: Reward[Any], state: Any, alone: Callable[[], float]) -> None:
        self._reward, self._before, self._after = reward, state, state
        self._alone: Callable[[], float] | None = alone
        self._events: list[Event] = []
        self._refusals: list[Refusal] = []
        reward.begin(state)

    def add(self, step: Step[Any]) -> None:
        """A step was played."""
        self._after = step.state
        self._events += step.events
        self._refusals += step.refusals

    def collect(self, episode: Episode | None) -> float:
        """What was earned since the last time. The first time what partners get alone is taken off: there no
        discount weighs it, so that it changes no optimal policy."""
        earned = 0.0
        if self._alone is not None:
            earned -= self._alone()
            self._alone = None
        if self._after is not self._before:
            merged = Step(self._after, tuple(self._events), tuple(self._refusals))
            earned += float(self._reward.add(self._before, merged))
            self._before, self._events, self._refusals = self._after, [], []
        if episode is not None and not is_over(episode):
            earned -= self._reward.owed(self._after)
        return earned


class AtTheEnd:
    """The main metric as a share, once the episode is over."""

    def __init__(self, alone: Callable[[], float]) -> None:
        self._alone = alone

    def add(self, step: Step[Any]) -> None:
        """Nothing is paid for single steps."""

    def collect(self, episode: Episode | None) -> float:
        """The share less what partners have alone; 0 before the end, and where the metric is not defined."""
        return share_of(episode) - self._alone() if episode is not None else 0.0


Pay = AsPlayed | AtTheEnd


def nothing() -> float:
    """What partners get alone where the whole is paid."""
    return 0.0


def is_over(episode: Episode) -> bool:
    """Whether the world itself, or its limits, ended an episode."""
    return episode.ending is not None and episode.ending.status in ("ended", "cut off")


def check_pay(pay: str, *, partners: bool) -> None:
    """Raises ``UnknownName`` for a way to pay that there is not, ``Refused`` for one that needs partners."""
    if pay not in (WHOLE, RELATIVE):
        raise UnknownName("pay", pay, (WHOLE, RELATIVE))
    if pay == RELATIVE and not partners:
        raise Refused("pay=relative is what a seat adds to what its partners get alone; name partners")


def pay_of(
    world: World[Any, Any, Any], name: str, discount: float
) -> Callable[[Any, Callable[[], float]], Pay]:
    """What makes the reward of this name, of an episode's first state and of what partners get alone.

    Raises ``UnknownName`` for one that the world does not have, and what ``reward_of`` raises besides.
    """
    if name == METRIC:
        return lambda state, alone: AtTheEnd(alone)
    encoding = encoding_or_none(world)
    try:
        reward = reward_of(world, encoding, name, discount)
    except UnknownName as error:
        own = (*GENERAL, VALUE, *encoding.own_rewards) if encoding is not None else GENERAL[:2]
        raise UnknownName("reward", name, (METRIC, *own), world.id) from error
    return lambda state, alone: AsPlayed(reward, state, alone)


def main_metric(world: str) -> Metric:
    """The metric that the world's scoring names first."""
    scoring = registry.scoring(world)
    return next(metric for metric in scoring.metrics if metric.key == scoring.main[0])


def value_of(episode: Episode) -> float | None:
    """The main metric over one episode; ``None`` where it is not defined."""
    world = episode.header.world
    return main_metric(world).over([registry.scoring(world).measure(episode)])


def share_of(episode: Episode) -> float:
    """The main metric over one episode as a reward: more is better, between 0 and 1 if it has both ends; 0
    where it is not defined."""
    value, metric = value_of(episode), main_metric(episode.header.world)
    return 0.0 if value is None else share(metric, value)


def share(metric: Metric, value: float) -> float:
    """A value of a metric as a reward; see ``share_of``."""
    ends = (0.0, 100.0) if metric.share else (metric.lowest, metric.highest)
    if ends[0] is None or ends[1] is None:
        return -value if metric.better == "lower" else value
    risen = (value - ends[0]) / (ends[1] - ends[0])
    return 1.0 - risen if metric.better == "lower" else risen


# --- leaving ---------------------------------------------------------------------------------------------


MOST_STEPS = 5_000
"""So long is an episode played on: several times the longest that the articles' limits allow. One that still
has no end, as without limits, is left there."""

NO_END = "it was left, and has no end"


def waiting(turn: Turn) -> Reply:
    """The answer of somebody who only lets time pass: the menu's, or where it has none nothing at all, which
    the world refuses."""
    option = passing(turn)
    return Reply(None if option is None else option.decision)


class Leaving:
    """Who has left an episode first, if anybody has, and before which step.

    ``seated`` are its players. Once one of them fails or stops it waits, and so does the ``learner``'s seat:
    whatever is played from there on is not its play.
    """

    def __init__(self, learner: Seat) -> None:
        self.learner = learner
        self.error: PolicyFailure | PolicyStops | None = None
        self.index = 0

    def seated(self, players: Mapping[Seat, Policy]) -> dict[Seat, Policy]:
        """The players, who may leave."""
        return {seat: _Seated(policy, self) for seat, policy in players.items()}

    def played(self, whole: Episode, numbers: Mapping[str, int | float]) -> Episode:
        """Of an episode that was played on, the record of what was played before, at whose end the world had
        these numbers; all of it if nobody has left."""
        if self.error is None:
            return whole
        entries = whole.entries[: self.index]
        status, reason, error = ended_by(self.error, begun=bool(entries))
        ending = Ending(status, reason, dict(numbers), len(entries), writable(error))
        return Episode(whole.header, entries, ending)


class _Seated:
    """A policy at its seat until it leaves."""

    def __init__(self, policy: Policy, leaving: Leaving) -> None:
        self.name, self.informed, self.settings = policy.name, policy.informed, policy.settings
        self._policy, self._leaving, self._gone = policy, leaving, False

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The policy's answer; once it has left, to wait."""
        leaving = self._leaving
        left = leaving.error is not None
        if left and turn.index >= leaving.index + MOST_STEPS:
            raise PolicyStops(NO_END)
        if self._gone or (left and turn.seat == leaving.learner):
            return waiting(turn)
        try:
            reply = await self._policy.decide(turn, memory)
            check_length(reply)
        except (PolicyFailure, PolicyStops) as error:
            if not left:
                leaving.error, leaving.index = error, turn.index
            self._gone = True
            return waiting(turn)
        return reply
