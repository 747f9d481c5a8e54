"""Success within gamma times the optimum, for any gamma, from when recorded episodes delivered (Figure 8).

Two readings, by name. ``steps``: the steps taken, the delivering one included, are at most gamma times
an optimum in steps. ``released``: the 0-based index of the delivering step is at most gamma times the
level's published number, which is such an index too (16, 23, 35, 32, 55 and 64).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from math import sqrt
from typing import Literal

from msgspec import Struct

from backburner.worlds.collab_overcooked.metrics.published import published_tables

Counting = Literal["steps", "released"]


class Completion(Struct, frozen=True):
    """When an episode delivered its order.

    ``steps``: timesteps up to and with the delivering one; ``None`` if it never did. ``level``: the
    order's published level; ``optimum_steps``: the least steps in which the order can be filled. Both
    are ``None`` where they are not known.
    """

    steps: int | None
    level: int | None = None
    optimum_steps: int | None = None

    def success(self, gamma: float, counting: Counting = "steps") -> bool | None:
        """Whether it delivered in time; ``None`` if this counting has no optimum for it."""
        optimum = self._released_index() if counting == "released" else self.optimum_steps
        if optimum is None:
            return None
        if self.steps is None:
            return False
        taken = self.steps - 1 if counting == "released" else self.steps
        return taken <= limit(optimum, gamma)

    def _released_index(self) -> int | None:
        line = published_tables().level(self.level) if self.level is not None else None
        return line.optimal_last_index if line is not None else None


def limit(optimum: int, gamma: float) -> Decimal:
    """gamma times the optimum, exactly as gamma is written: 1.16 times 25 is 29."""
    return Decimal(str(gamma)) * optimum


def success_rate(
    completions: Iterable[Completion], gamma: float, counting: Counting = "steps"
) -> float | None:
    """SR: the share of episodes that delivered in time, of those with an optimum; ``None`` if none has."""
    found = [completion.success(gamma, counting) for completion in completions]
    known = [one for one in found if one is not None]
    return sum(known) / len(known) if known else None


def success_curve(
    completions: Sequence[Completion], gammas: Iterable[float], counting: Counting = "steps"
) -> tuple[tuple[float, float | None], ...]:
    """(gamma, success rate) for each gamma; it never falls as gamma grows."""
    return tuple((gamma, success_rate(completions, gamma, counting)) for gamma in gammas)


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float] | None:
    """The mean and the population's standard deviation; ``None`` without values."""
    if not values:
        return None
    mean = sum(values) / len(values)
    return mean, sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def completion_steps(completions: Iterable[Completion]) -> tuple[float, float] | None:
    """Mean and deviation of the steps of episodes that delivered, in time or not; ``None`` if none did."""
    return mean_and_deviation([one.steps for one in completions if one.steps is not None])
