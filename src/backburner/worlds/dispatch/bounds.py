"""What no play of orders that keep coming can pass, and plans that come near it.

For worlds whose orders arrive by the clock alone; how plans are looked for is the world's own.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.headline import Best
from backburner.kernel.oracle import Oracle, Request, Solution, Status
from backburner.kernel.policy import PlanPolicy, Policy, once_per_world
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


UNIT = "orders served"


def served_by(
    world: Any, plan: tuple[str, ...], objective: int, bound: int, *, actions: str, began: float
) -> Solution:
    """A plan that serves so many orders of ``bound`` at the most; proven best if it meets that.

    ``actions``: what bodies are given, in the plural. ``began``: when the search did, by ``time.monotonic``.
    """
    space = f"{actions} of all bodies in every step"
    status: Status = "optimal" if objective >= bound else "feasible"
    seconds = time.monotonic() - began
    return Solution(world.id, status, objective, bound, "max", UNIT, space, seconds=seconds, plan=plan)


class DispatchOracle(Oracle):
    """The play of one dispatcher that serves most, as ``most_served`` of a world finds it in some time."""

    def __init__(self, most_served: Callable[..., Solution]) -> None:
        self._most_served = most_served
        self._plan = once_per_world(self._best_plan)

    def solve(self, world: Any, request: Request) -> Solution:
        """The best play; raises what ``most_served`` raises."""
        return self._most_served(world, time_limit_seconds=request.time_limit_seconds)

    def dispatcher(self, world: Any) -> Policy:
        """Plays the best plan of a minute; raises ``Refused`` where orders are drawn in play."""
        return PlanPolicy("oracle", self._plan(world), informed=True)

    def _best_plan(self, world: Any) -> tuple[str, ...]:
        if world.scenario.seed is None:
            raise Refused(f"{world.id}: orders come by the seed of play, so that there is no plan before")
        return self.solve(world, Request()).plan
