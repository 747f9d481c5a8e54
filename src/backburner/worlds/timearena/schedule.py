"""TimeArena as a scheduling problem, and a schedule as decisions.

An action that occupies the agent holds it for all its minutes, a background action for the minute in
which it is started. Both hold their things; pots, fryers and ovens of one kind are interchangeable.
"""

from __future__ import annotations

from collections.abc import Mapping

from backburner.kernel.errors import Refused
from backburner.kernel.scheduling import Activity, Problem, Resource
from backburner.worlds.timearena.actions import WAIT, Act, Decision
from backburner.worlds.timearena.combination import Combination, Required

OWN_PAIRS = (
    "every decision: under these rules an action counts only with the things its task asks for, "
    "a refused decision changes nothing but the clock, and starting or waiting is all there is"
)
LOOSE_PAIRS = (
    "the tasks' own pairs of things: these rules also accept other pairs (another task's container, "
    "a thing paired with itself), which are left out; a shorter plan with them is not excluded"
)


def problem(combination: Combination) -> Problem:
    """The makespan problem of the required actions under the bound rules."""
    kit = {item.base for item in combination.items if item.kit}
    resources = [Resource(item.name) for item in combination.items if not item.kit]
    resources += [Resource(base, sum(i.base == base for i in combination.items)) for base in sorted(kit)]
    forbidden = tuple(
        required.name
        for required in combination.required
        if all(act.second and combination.kept_apart(act.first, act.second) for act in required.acts)
    )
    return Problem(
        unit="minutes",
        activities=tuple(_activity(required) for required in combination.required),
        resources=tuple(resources),
        space=LOOSE_PAIRS if combination.rules.any_pair_counts else OWN_PAIRS,
        forbidden=forbidden,
    )


def _activity(required: Required) -> Activity:
    act = required.acts[0]
    second = required.kit or act.second
    return Activity(
        name=required.name,
        duration=required.minutes,
        attention=required.minutes if required.occupies_agent else 1,
        after=required.after,
        resources=tuple(filter(None, (act.first, second))),
    )


def plan(combination: Combination, starts: Mapping[str, int]) -> list[Decision]:
    """Decisions in order of their minutes. Raises ``Refused`` if the agent would be in two places."""
    decisions: list[Decision] = []
    minute = 0
    free_from: dict[str, int] = {}
    for required in sorted(combination.required, key=lambda r: starts[r.name]):
        start = starts[required.name]
        if start < minute:
            raise Refused(f"the schedule starts {required.name!r} at {start}; the agent is busy until {minute}")
        decisions += [WAIT] * (start - minute)
        decisions.append(_with_free_kit(required, start, free_from))
        minute = start + (required.minutes if required.occupies_agent else 1)
    last = max((starts[r.name] + r.minutes for r in combination.required), default=0)
    return decisions + [WAIT] * (last - minute)


def _with_free_kit(required: Required, start: int, free_from: dict[str, int]) -> Act:
    for act in required.acts:
        if free_from.get(act.second, 0) <= start:
            if required.kit:
                free_from[act.second] = start + required.minutes
            return act
    raise Refused(f"the schedule starts {required.name!r} at {start}; no {required.kit} is free then")
