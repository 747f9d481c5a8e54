"""What no play of orders that keep coming can pass, and plans that come near it.

For worlds whose orders arrive by the clock alone; how plans are looked for is the world's own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from msgspec import Struct

from backburner.kernel import clock as clocks
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.headline import Best
from backburner.kernel.oracle import Oracle, Request, Solution, Status
from backburner.kernel.policy import PlanPolicy, Policy, once_per_world
from backburner.kernel.replay import world_of
from backburner.kernel.scoring import Measures
from backburner.kernel.values import Seat
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


# --- where decisions take time -----------------------------------------------------------------------------


def decisions_by(step: int, latency: Fraction) -> int:
    """How many decisions a seat can have carried out by the end of a step, each in a step of its own after a
    thought of so many steps. What a thought has over whole steps is carried to the next one.

    *n* of them take n + floor(n * latency) steps. With thoughts of 1.5 the first is done by step 2, the
    second by 5, the third by 7: in 6 steps there are 2.
    """
    return ceil((step + 1) / (1 + latency)) - 1


class Pace(Struct, frozen=True):
    """How fast bodies are commanded: for each seat how many it has, and the steps of its shortest thought."""

    seats: tuple[tuple[int, Fraction], ...]

    def commands_by(self, step: int) -> int:
        """How many commands can have been carried out by the end of a step: one for each body, each time."""
        return sum(bodies * decisions_by(step, latency) for bodies, latency in self.seats)

    @property
    def first_thought(self) -> int:
        """Whole steps in which nobody has decided anything."""
        return min(int(latency) for _, latency in self.seats)


def pace_of(world: Any, latency: Fraction | Mapping[Seat, Fraction]) -> Pace:
    """The pace of a world whose seats take so many steps for each decision, all alike or each its own; who is
    not named takes none."""
    each = latency if isinstance(latency, Mapping) else dict.fromkeys(world.seats, latency)
    bodies = world.seating.bodies_of
    return Pace(tuple((len(bodies[seat]), each.get(seat, Fraction(0))) for seat in world.seating.workers))


def pace_in(episode: Episode, world: Any) -> Pace | None:
    """The pace of an episode by the shortest thoughts that each seat can have; ``None`` where those take no
    time."""
    clock = episode.header.clock
    if clock is None:
        return None
    least: dict[Seat, Fraction] = {}
    for seat, profile in clock.profiles.items():
        charge = min(clocks.bounds_of(span)[0] for span in profile.latency.split(","))
        charge = min(charge, clock.limit_microseconds or charge)
        least[seat] = Fraction(charge, clock.tick_microseconds)
    return pace_of(world, least) if any(least.values()) else None


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
    """The play of one dispatcher that serves most, as ``most_served`` of a world finds it in some time.

    ``slow_bound``: the bounds of a world whose seats think for a while, if there are any.
    """

    def __init__(
        self,
        most_served: Callable[..., Solution],
        slow_bound: Callable[[Any, Pace], OrderBound] | None = None,
    ) -> None:
        self._most_served, self._slow_bound = most_served, slow_bound
        self._plan = once_per_world(self._best_plan)

    def solve(self, world: Any, request: Request) -> Solution:
        """The best play; raises what ``most_served`` raises."""
        seconds, effort = request.time_limit_seconds, request.effort
        return self._most_served(world, time_limit_seconds=seconds, effort=effort)

    def slowed(self, world: Any, latency: Fraction, request: Request) -> Solution:
        """What no play serves more than, where that is known; no plan is looked for."""
        if self._slow_bound is None:
            return super().slowed(world, latency, request)
        bound = self._slow_bound(world, pace_of(world, latency)).most_served
        space = "one command for each body of a seat in a decision"
        return Solution(world.id, "unknown", None, bound, "max", UNIT, space, note="no plan is looked for")

    def dispatcher(self, world: Any) -> Policy:
        """Plays the best plan of a minute; raises ``Refused`` where orders are drawn in play."""
        return PlanPolicy("oracle", self._plan(world), informed=True)

    def _best_plan(self, world: Any) -> tuple[str, ...]:
        if world.scenario.seed is None:
            raise Refused(f"{world.id}: orders come by the seed of play, so that there is no plan before")
        return self.solve(world, Request()).plan
