"""Rewards: what a step is worth to a learner. Each is a fold over the states of one episode.

- ``sparse``: the score, when the episode is over; 0 before
- ``score``: by how much the score has risen with the step
- ``potential``: the same, and the potential-based shaping of Ng, Harada and Russell (1999),
  ``discount * potential(after) - potential(before)``, which leaves optimal policies what they are
- ``value``: the same with the exact rise in place of the bound, by the word of the world's oracle, which is
  asked for every state: for small scenarios, and not in batches
- further names: the article's shaped rewards of a world (``Encoding.own_rewards``)

The score is the encoding's. Of a world without an encoding, or a scenario that it does not cover, it is what
the outcome tells as ``completed``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from numbers import Real
from typing import Any

from backburner.arrays.encoding import Encoding, Reward, encoding_of
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, UnknownName, shorten
from backburner.kernel.oracle import oracle_of
from backburner.kernel.values import Step

SPARSE, SCORE, POTENTIAL, VALUE = "sparse", "score", "potential", "value"

GENERAL = (SPARSE, SCORE, POTENTIAL)
"""The rewards that every world with an encoding has; the first two are there without one too."""

EFFORT = 1.0
"""Of the oracle for one state; see ``Oracle.onward``."""

MOST_KEPT = 100_000
"""States whose exact rise is kept."""

Score = Callable[[Any], float]
"""How well play has gone in a state so far."""


def encoding_or_none(world: World[Any, Any, Any]) -> Encoding[Any, Any] | None:
    """The encoding of a world, where it has one that covers its scenario."""
    try:
        return encoding_of(world)
    except Refused:
        return None


def score_of(world: World[Any, Any, Any], encoding: Encoding[Any, Any] | None) -> Score:
    """The score of the world's states: the encoding's, or without one what is ``completed``."""
    if encoding is not None:
        return encoding.score
    return partial(_completed, world)


def _completed(world: World[Any, Any, Any], state: Any) -> float:
    return float(world.outcome(state).numbers.get("completed", 0))


def _nothing(state: Any) -> float:
    """The potential where rewards are not shaped."""
    return 0.0


class Sparse(Reward[Any]):
    """The score, in the step with which the episode ends."""

    def __init__(self, world: World[Any, Any, Any], score: Score) -> None:
        self._world, self._score = world, score

    def begin(self, state: Any) -> None:
        """Nothing is kept of it."""

    def add(self, before: Any, step: Step[Any]) -> float:
        """The score at the end; 0 before, and after it."""
        if self._world.deciders(step.state) or not self._world.deciders(before):
            return 0.0
        return self._score(step.state)


class Risen(Reward[Any]):
    """By how much the score has risen, with ``discount`` times the new potential less the former one."""

    def __init__(self, score: Score, potential: Callable[[Any], float], discount: float) -> None:
        self._score, self._potential, self._discount = score, potential, discount

    def begin(self, state: Any) -> None:
        """Nothing is kept of it."""

    def add(self, before: Any, step: Step[Any]) -> float:
        """The rise, shaped."""
        risen = self._score(step.state) - self._score(before)
        return risen + self.owed(step.state) - self._potential(before)

    def owed(self, state: Any) -> float:
        """The potential, as the step into the state paid it."""
        return self._discount * self._potential(state)


class ExactRise:
    """By how much the score rises in the best play from a state on, each asked for once.

    Where the oracle has no answer, or proves nothing within ``EFFORT``, the bound stands for it: whatever
    function of the state it is, shaping by it changes no optimal policy. Raises ``Refused`` where there is no
    answer for the first state, or the score does not follow from it, and ``MissingExtra``.
    """

    def __init__(self, world: World[Any, Any, Any], encoding: Encoding[Any, Any]) -> None:
        self._world, self._encoding, self._oracle = world, encoding, oracle_of(world)
        self._known: OrderedDict[Any, float] = OrderedDict()
        first = world.start()
        encoding.rise(first, self._oracle.onward(world, first, EFFORT).finish)

    def __call__(self, state: Any) -> float:
        """The rise; 0 once the episode is over."""
        if not self._world.deciders(state):
            return 0.0
        if state not in self._known:
            self._known[state] = self._ask(state)
            if len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
        return self._known[state]

    def _ask(self, state: Any) -> float:
        try:
            best = self._oracle.onward(self._world, state, EFFORT)
        except Refused:
            return self._encoding.potential(state)
        if best.status == "unknown":
            return self._encoding.potential(state)
        return self._encoding.rise(state, best.finish)


def check_discount(discount: Any) -> None:
    """Raises ``Refused`` for what is no discount."""
    if not isinstance(discount, Real) or not 0 <= float(discount) <= 1:
        raise Refused(f"a discount is a number from 0 to 1, not {shorten(repr(discount))}")


def reward_of(
    world: World[Any, Any, Any], encoding: Encoding[Any, Any] | None, name: str, discount: float = 1.0
) -> Reward[Any]:
    """The reward of this name for episodes of a world; ``discount`` is the learner's, from 0 to 1.

    Raises ``UnknownName`` with the nearest names; ``Refused`` for a discount that is none, and where there is
    no ``value``; ``MissingExtra`` where that needs a solver.
    """
    check_discount(discount)
    score = score_of(world, encoding)
    if name == SPARSE:
        return Sparse(world, score)
    if name == SCORE:
        return Risen(score, _nothing, discount)
    if encoding is None:
        raise UnknownName("reward", name, (SPARSE, SCORE), f"{world.id}, which has no encoding in numbers")
    if name == POTENTIAL:
        return Risen(score, encoding.potential, discount)
    if name == VALUE:
        return Risen(score, ExactRise(world, encoding), discount)
    if name in encoding.own_rewards:
        return encoding.own_rewards[name]()
    raise UnknownName("reward", name, (*GENERAL, VALUE, *encoding.own_rewards), world.id)
