"""What no play of orders that keep coming can pass: for worlds whose orders arrive by the clock alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.headline import Best
from backburner.kernel.replay import world_of
from backburner.kernel.scoring import Measures
from backburner.worlds.dispatch.scores import LEAST_FAILED, MOST_SERVED


class StreamedOrder(Struct, frozen=True):
    """An order by its number: ``dish`` of the level, when it ``arrived``, and the ``last`` moment at which it
    can be served, in the unit in which orders count.

    ``expires``: whether the episode goes on long enough to see it fail.
    """

    dish: int
    arrived: int
    last: int
    expires: bool


class OrderBound(Struct, frozen=True):
    """``most_served`` and ``least_failed`` of an episode."""

    most_served: int
    least_failed: int

    @property
    def best(self) -> Best:
        """The share of orders that nobody can pass: it grows with those served, falls with those failed."""
        return Best(self.most_served / max(1, self.most_served + self.least_failed), "bound")


def bounds_of(episode: Episode, order_bound: Callable[[Any, int], OrderBound]) -> Measures:
    """``MOST_SERVED`` and ``LEAST_FAILED`` of a recorded episode, by the bound of a world and a seed.

    Empty where there is none, as ``Refused`` says.
    """
    try:
        bound = order_bound(world_of(episode), episode.header.seed)
    except Refused:
        return {}
    return {MOST_SERVED: bound.most_served, LEAST_FAILED: bound.least_failed}
