"""What was decided in play, and how much better each decision was than what was expected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.training.learner.configuration import Configuration
from backburner.training.learner.lanes import AnyLane
from backburner.training.learner.seen import Seen


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
    return Seen(
        np.concatenate([part.context for part in parts]),
        np.concatenate([part.row + end for part, end in zip(parts, ends, strict=False)]),
        np.concatenate([part.place for part in parts]),
        np.concatenate([part.code for part in parts]),
        np.concatenate([part.codes for part in parts]),
        np.concatenate([part.progress for part in parts]),
        np.concatenate([part.live for part in parts]),
    )


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
