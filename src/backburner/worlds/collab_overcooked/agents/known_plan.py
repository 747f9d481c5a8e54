"""The shortest joint plan of a world: shipped or looked for, without what is done in vain."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.worlds.collab_overcooked.agents.goals import ONE_WAIT, Job
from backburner.worlds.collab_overcooked.agents.schedule import Schedule, Schedules, timed
from backburner.worlds.collab_overcooked.game import NO_LIMITS, CollabOvercooked
from backburner.worlds.collab_overcooked.game.optima import known_optimum
from backburner.worlds.collab_overcooked.oracle import solve_cooks
from backburner.worlds.collab_overcooked.oracle.plans import by_cook

IN_VAIN = (1, 2, 3, 4)
"""How many calls in a row are left out together."""


def best_schedules(world: CollabOvercooked, *, time_limit_seconds: float = 60.0) -> Schedules:
    """What each cook does in the shortest plan that is known, else in one that is looked for.

    Raises ``Refused`` where none is found in the time, and where orders are drawn for ever.
    """
    known = known_optimum(world.id, world.rules.name)
    if known is not None:
        steps, plans = known.steps, (known.chef, known.assistant)
    else:
        free = CollabOvercooked(world.id, world.scenario, world.rules, NO_LIMITS)
        found = solve_cooks(free, time_limit_seconds=time_limit_seconds)
        if found.objective is None:
            raise Refused(f"{world.id}: no plan ({found.status}) in {time_limit_seconds:g} s")
        steps, plans = int(found.objective), by_cook(free, found.plan, "calls")
    schedules = timed(world, plans, steps)
    if schedules is None:
        raise ReplayMismatch(f"{world.id}: the plan does not meet the orders in {steps} steps")
    return without_vain(world, schedules, steps)


def without_vain(world: CollabOvercooked, schedules: Schedules, steps: int) -> Schedules:
    """The same without calls that can be left out: the cook waits meanwhile."""
    for cook in (0, 1):
        shorter: Schedules | None = schedules
        while shorter is not None:
            schedules = shorter
            shorter = _shorter(world, schedules, cook, steps)
    return schedules


def _shorter(world: CollabOvercooked, schedules: Schedules, cook: int, steps: int) -> Schedules | None:
    mine, other = schedules[cook], tuple(begun.call for begun in schedules[1 - cook])
    for plan in _left_out(mine, steps):
        found = timed(world, (plan, other) if cook == 0 else (other, plan), steps)
        if found is not None:
            return found
    return None


def _left_out(schedule: Schedule, steps: int) -> Iterator[Job]:
    """The plans without some calls in a row, the last first.

    From somewhere else the way to the next call may be longer; then the wait is shorter.
    """
    words = tuple(begun.call for begun in schedule)
    ends = (*(begun.steps for begun in schedule[1:]), steps)
    for last in range(len(schedule) - 1, -1, -1):
        for number in IN_VAIN:
            first = last - number + 1
            if first < 0 or schedule[first].waits or schedule[last].waits:
                continue
            freed = ends[last] - schedule[first].steps
            for waits in range(freed, max(freed - 3, -1), -1):
                yield (*words[:first], *(ONE_WAIT,) * waits, *words[last + 1 :])
