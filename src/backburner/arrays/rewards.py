"""Rewards: what a step is worth to a learner. Each is a fold over the states of one episode.

- ``sparse``: the score, when the episode is over; 0 before
- ``score``: by how much the score has risen with the step
- ``potential``: the same, and the potential-based shaping of Ng, Harada and Russell (1999),
  ``discount * potential(after) - potential(before)``, which leaves optimal policies what they are
- further names: the article's shaped rewards of a world (``Encoding.own_rewards``)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backburner.arrays.encoding import Encoding, Reward
from backburner.kernel.contract import World
from backburner.kernel.errors import UnknownName
from backburner.kernel.values import Step

SPARSE, SCORE, POTENTIAL = "sparse", "score", "potential"

GENERAL = (SPARSE, SCORE, POTENTIAL)
"""The rewards that every world with an encoding has."""


class Sparse(Reward[Any]):
    """The score, in the step with which the episode ends."""

    def __init__(self, world: World[Any, Any, Any], encoding: Encoding[Any, Any]) -> None:
        self._world, self._encoding = world, encoding

    def begin(self, state: Any) -> None:
        """Nothing is kept of it."""

    def add(self, before: Any, step: Step[Any]) -> float:
        """The score at the end; 0 before, and after it."""
        if self._world.deciders(step.state) or not self._world.deciders(before):
            return 0.0
        return self._encoding.score(step.state)


class Risen(Reward[Any]):
    """By how much the score has risen, with ``discount`` times the new potential less the former one."""

    def __init__(
        self, encoding: Encoding[Any, Any], potential: Callable[[Any], float], discount: float
    ) -> None:
        self._score, self._potential, self._discount = encoding.score, potential, discount

    def begin(self, state: Any) -> None:
        """Nothing is kept of it."""

    def add(self, before: Any, step: Step[Any]) -> float:
        """The rise, shaped."""
        risen = self._score(step.state) - self._score(before)
        return risen + self._discount * self._potential(step.state) - self._potential(before)


def reward_of(
    world: World[Any, Any, Any], encoding: Encoding[Any, Any], name: str, discount: float = 1.0
) -> Reward[Any]:
    """The reward of this name for episodes of a world; raises ``UnknownName``."""
    if name == SPARSE:
        return Sparse(world, encoding)
    if name == SCORE:
        return Risen(encoding, lambda state: 0.0, discount)
    if name == POTENTIAL:
        return Risen(encoding, encoding.potential, discount)
    if name in encoding.own_rewards:
        return encoding.own_rewards[name]()
    raise UnknownName("reward", name, (*GENERAL, *encoding.own_rewards))
