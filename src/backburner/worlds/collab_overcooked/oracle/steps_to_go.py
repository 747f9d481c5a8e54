"""Exact steps to go, and from them how much nearer to its end each call of an episode brought the kitchen."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Kept, Solution, Status
from backburner.kernel.replay import world_of
from backburner.kernel.scoring import Measures
from backburner.kernel.values import digest
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.chronicle import CallSpan, Snapshot, Timeline, timeline
from backburner.worlds.collab_overcooked.metrics.measures import Advance, advancement
from backburner.worlds.collab_overcooked.oracle.search import StepsToGo, space_name

SPACE = space_name("calls", "own")
"""The space that is searched: the calls that the cooks are scored in, so that no perfect call loses steps."""

NEVER = math.inf
"""The steps to go where the orders cannot be met any more."""


def to_go_of_calls(kept: Kept, time_limit_seconds: float) -> Callable[[Episode], Measures]:
    """A function that gives the measures of ``advancement`` for an episode of Collab-Overcooked.

    It gives none where new orders come in for ever, nor of a single exchange. The time is that of each
    search.
    """
    searches = _KeptSearches(kept, time_limit_seconds)

    def measure(episode: Episode) -> Measures:
        world = world_of(episode)
        if not isinstance(world, CollabOvercooked):
            return {}
        if world.scenario.order_weights or world.scenario.exchange:
            return {}
        free = CollabOvercooked(world.id, world.scenario, world.rules, NO_LIMITS)
        played = timeline(episode, world)
        return dict(advancement(advances(played, lambda snapshot: searches.steps(free, snapshot))))

    return measure


def advances(
    played: Timeline, steps_to_go: Callable[[Snapshot], float | None]
) -> tuple[tuple[Advance, ...], tuple[Advance, ...]]:
    """Each cook's calls with the steps to go before and after.

    ``steps_to_go`` gives ``NEVER`` where the orders cannot be met any more, ``None`` where it does not know.
    """
    times = {time for span in played.spans for time in (span.began_steps, span.over_steps)}
    known = _steps_at(played.snapshots, steps_to_go, sorted(times))

    def advance(span: CallSpan) -> Advance:
        before, after = _finite(known[span.began_steps]), _finite(known[span.over_steps])
        return Advance(span.call, before, after, span.over_steps - span.began_steps)

    chef, assistant = (tuple(advance(span) for span in played.spans if span.cook == cook) for cook in (0, 1))
    return chef, assistant


def _finite(steps: float | None) -> int | None:
    return None if steps is None or steps == NEVER else int(steps)


def _steps_at(
    snapshots: Sequence[Snapshot], steps_to_go: Callable[[Snapshot], float | None], times: Sequence[int]
) -> dict[int, float | None]:
    """The steps to go at some times of an episode, with few searches.

    The time that has passed plus the steps to go never falls as play goes on. So where the sum is equal at
    two times, it is equal at all times between them, and nothing has to be searched there.
    """
    known = {now: steps_to_go(snapshots[now]) for now in dict.fromkeys((*times[:1], *times[-1:]))}

    def fill(first: int, last: int) -> None:
        """Find out the times between two that are known, halving."""
        if last - first < 2:
            return
        begin, end = times[first], times[last]
        before, after = known[begin], known[end]
        if before is not None and after is not None and begin + before == end + after:
            known.update((now, begin + before - now) for now in times[first + 1 : last])
            return
        middle = (first + last) // 2
        known[times[middle]] = steps_to_go(snapshots[times[middle]])
        fill(first, middle)
        fill(middle, last)

    fill(0, len(times) - 1)
    return known


class _KeptSearches:
    """Searches from snapshots of any worlds. What the file keeps is not searched again."""

    def __init__(self, kept: Kept, time_limit_seconds: float) -> None:
        self._kept = kept
        self._seconds = time_limit_seconds
        self._of_scenario: dict[str, StepsToGo] = {}

    def steps(self, free: CollabOvercooked, snapshot: Snapshot) -> float | None:
        """The steps to go in a world without limits; ``None`` if they were not found in the time."""
        if not snapshot.kitchen.orders:
            return 0
        since = replace(snapshot.kitchen, steps=0), snapshot.under_way, SPACE
        solution = self._kept.get(free, *since)
        if solution is None:
            solution = self._searched(free, snapshot)
            self._kept.add(free, solution, *since)
        return NEVER if solution.status == "infeasible" else solution.objective

    def _searched(self, free: CollabOvercooked, snapshot: Snapshot) -> Solution:
        key = digest((free.scenario, free.rules))
        search = self._of_scenario.setdefault(key, StepsToGo(free.compiled, "calls", "own"))
        began = time.monotonic()
        steps: int | None = None
        status: Status = "unknown"
        try:
            steps = search.of(snapshot.kitchen, snapshot.under_way, time_limit_seconds=self._seconds)
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
