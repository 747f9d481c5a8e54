"""What a learner is paid for play in words: a reward of the world's numbers, or its main metric at the end.

``metric`` is there in every world: when the episode is over, the main metric of its scoring over this one
episode, as a share between 0 (worst) and 1 (best) where the metric has both ends, and as it is where it has
not. The others are the rewards of ``arrays.rewards``, for worlds with an encoding in numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backburner.arrays.encoding import Encoding, Reward, encoding_of
from backburner.arrays.rewards import GENERAL, VALUE, reward_of
from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.scoring import Metric
from backburner.kernel.values import Step

METRIC = "metric"


class ByStep:
    """A reward of the world's numbers, added up until it is collected."""

    def __init__(self, reward: Reward[Any], state: Any) -> None:
        self._reward, self._state, self._earned = reward, state, 0.0
        reward.begin(state)

    def add(self, step: Step[Any]) -> None:
        """A step was played."""
        self._earned += self._reward.add(self._state, step)
        self._state = step.state

    def collect(self, episode: Episode | None) -> float:
        """What was earned since the last time."""
        earned, self._earned = self._earned, 0.0
        return earned


class AtTheEnd:
    """The main metric as a share, once the episode is over."""

    def add(self, step: Step[Any]) -> None:
        """Nothing is paid for single steps."""

    def collect(self, episode: Episode | None) -> float:
        """The share; 0 before the end, and where the metric is not defined."""
        return share_of(episode) if episode is not None else 0.0


def pay_of(world: World[Any, Any, Any], name: str, discount: float) -> Callable[[Any], ByStep | AtTheEnd]:
    """What makes, of an episode's first state, the reward of this name.

    Raises ``UnknownName`` for one that the world does not have.
    """
    if name == METRIC:
        return lambda state: AtTheEnd()
    encoding = _encoding(world)
    if encoding is None:
        raise UnknownName("reward", name, (METRIC,), f"{world.id}, a world without numbers for states")
    known = (METRIC, *GENERAL, VALUE, *encoding.own_rewards)
    if name not in known:
        raise UnknownName("reward", name, known, world.id)
    return lambda state: ByStep(reward_of(world, encoding, name, discount), state)


def _encoding(world: World[Any, Any, Any]) -> Encoding[Any, Any] | None:
    try:
        return encoding_of(world)
    except Refused:
        return None


def main_metric(world: str) -> Metric:
    """The metric that the world's scoring names first."""
    scoring = registry.scoring(world)
    return next(metric for metric in scoring.metrics if metric.key == scoring.main[0])


def value_of(episode: Episode) -> float | None:
    """The main metric over one episode; ``None`` where it is not defined."""
    world = episode.header.world
    return main_metric(world).over([registry.scoring(world).measure(episode)])


def share_of(episode: Episode) -> float:
    """The same between 0 and 1, more being better; 0 where it is not defined."""
    value, metric = value_of(episode), main_metric(episode.header.world)
    if value is None:
        return 0.0
    ends = (0.0, 100.0) if metric.share else (metric.lowest, metric.highest)
    if ends[0] is None or ends[1] is None:
        return -value if metric.better == "lower" else value
    share = (value - ends[0]) / (ends[1] - ends[0])
    return 1.0 - share if metric.better == "lower" else share
