"""How much nearer each call brought the orders: exact steps to go before and after it (Collab-Overcooked)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from backburner.kernel.digest import digest
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Kept, Solution, Status
from backburner.kernel.replay import world_of
from backburner.kernel.scoring import Measures
from backburner.worlds.collab_overcooked.game import NO_LIMITS, CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.metrics_distance import Advance
from backburner.worlds.collab_overcooked.metrics.score_course import Course, Moment, Span, course
from backburner.worlds.collab_overcooked.metrics.score_measures import advancement
from backburner.worlds.collab_overcooked.oracle import StepsToGo
from backburner.worlds.collab_overcooked.oracle.problem import space_name

SPACE = space_name("calls", "own")
"""Where it is looked for: in the calls that the cooks are scored in, so that no perfect call loses."""

NEVER = math.inf
"""The steps to go where the orders cannot be met any more."""


def to_go_of_calls(kept: Kept, time_limit_seconds: float) -> Callable[[Episode], Measures]:
    """Gives each episode of Collab-Overcooked what ``advances`` says of its calls, see ``advancement``.

    Nothing where new orders come in for ever. The time is that of each search.
    """
    searches = _Searches(kept, time_limit_seconds)

    def measure(episode: Episode) -> Measures:
        world = world_of(episode)
        if not isinstance(world, CollabOvercooked) or world.scenario.order_weights:
            return {}
        free = CollabOvercooked(world.id, world.scenario, world.rules, NO_LIMITS)
        first, second = advances(course(episode, world), lambda moment: searches.steps(free, moment))
        return dict(advancement((first, second)))

    return measure


def advances(
    told: Course, steps: Callable[[Moment], float | None]
) -> tuple[tuple[Advance, ...], tuple[Advance, ...]]:
    """Each cook's calls with the steps to go before and after. ``steps`` gives those of a moment:
    ``NEVER`` where there is no way, ``None`` where they are not known."""
    times = {now for span in told.spans for now in (span.began_steps, span.over_steps)}
    known = _Between(told.moments, steps, sorted(times)).known

    def advance(span: Span) -> Advance:
        before, after = _finite(known[span.began_steps]), _finite(known[span.over_steps])
        return Advance(span.call, before, after, span.over_steps - span.began_steps)

    first, second = (tuple(advance(span) for span in told.spans if span.cook == cook) for cook in (0, 1))
    return first, second


def _finite(steps: float | None) -> int | None:
    return None if steps is None or steps == NEVER else int(steps)


class _Between:
    """The steps to go at some times of a course, with few searches.

    What has passed and what is to go make a sum that never falls, ``NEVER`` being the most. Where it is
    the same at two times, it is the same at all times between them.
    """

    def __init__(
        self, moments: Sequence[Moment], steps: Callable[[Moment], float | None], times: Sequence[int]
    ) -> None:
        self._moments, self._steps, self._times = moments, steps, times
        self.known: dict[int, float | None] = {}
        if times:
            self._search(0)
            self._search(len(times) - 1)
            self._fill(0, len(times) - 1)

    def _search(self, place: int) -> None:
        now = self._times[place]
        self.known[now] = self._steps(self._moments[now])

    def _fill(self, first: int, last: int) -> None:
        """Between two times that are known."""
        if last - first < 2:
            return
        begin, end = self._times[first], self._times[last]
        before, after = self.known[begin], self.known[end]
        if before is not None and after is not None and begin + before == end + after:
            for now in self._times[first + 1 : last]:
                self.known[now] = begin + before - now
            return
        middle = (first + last) // 2
        self._search(middle)
        self._fill(first, middle)
        self._fill(middle, last)


class _Searches:
    """Searches from moments of any kitchens; what is kept is not looked for again."""

    def __init__(self, kept: Kept, time_limit_seconds: float) -> None:
        self._kept = kept
        self._seconds = time_limit_seconds
        self._of_world: dict[str, StepsToGo] = {}

    def steps(self, free: CollabOvercooked, moment: Moment) -> float | None:
        """The steps to go in a world without limits; ``None`` where they were not found in the time."""
        if not moment.kitchen.orders:
            return 0
        since = replace(moment.kitchen, steps=0), moment.under, SPACE
        found = self._kept.get(free, *since)
        if found is None:
            found = self._searched(free, moment)
            self._kept.add(free, found, *since)
        return NEVER if found.status == "infeasible" else found.objective

    def _searched(self, free: CollabOvercooked, moment: Moment) -> Solution:
        key = digest((free.scenario, free.rules))
        search = self._of_world.setdefault(key, StepsToGo(free.ware, "calls", "own"))
        began = time.monotonic()
        steps: int | None = None
        status: Status = "unknown"
        try:
            steps = search.of(moment.kitchen, moment.under, time_limit_seconds=self._seconds)
            status = "infeasible" if steps is None else "optimal"
        except Refused:
            pass
        return Solution(
            scenario=free.id,
            status=status,
            objective=steps,
            bound=steps,
            sense="min",
            unit="steps",
            space=SPACE,
            seconds=time.monotonic() - began,
        )
