"""TimeArena as a scheduling problem, and a schedule as decisions.

The agent is the operator: an action that occupies it holds it for all its minutes, a background action
for the minute in which it is started. Both hold their things; pots, fryers and ovens of one kind are
interchangeable.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET
from msgspec.structs import replace

from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.schedule import Activity, Problem, Remaining, Resource
from backburner.worlds.timearena.game.compiled import Compiled, Required
from backburner.worlds.timearena.game.legality import Legality
from backburner.worlds.timearena.game.state import WAIT, Act, Decision, State

OWN_PAIRS = (
    "every decision: under these rules an action counts only with the things its task asks for, "
    "a refused decision changes nothing but the clock, and starting or waiting is all there is"
)
LOOSE_PAIRS = (
    "the tasks' own pairs of things: these rules also accept other pairs (another task's container, "
    "a thing paired with itself), which are left out; a shorter plan with them is not excluded"
)


def problem(compiled: Compiled) -> Problem:
    """The makespan problem of the required actions under the bound rules."""
    kit = {item.base for item in compiled.items if item.kit}
    resources = [Resource(item.name) for item in compiled.items if not item.kit]
    resources += [Resource(base, sum(i.base == base for i in compiled.items)) for base in sorted(kit)]
    forbidden = tuple(
        required.name
        for required in compiled.required
        if all(act.second and compiled.kept_apart(act.first, act.second) for act in required.acts)
    )
    return Problem(
        unit="minutes",
        activities=tuple(_activity(required) for required in compiled.required),
        resources=tuple(resources),
        space=LOOSE_PAIRS if compiled.rules.any_pair_counts else OWN_PAIRS,
        forbidden=forbidden,
        impossible=_impossible(compiled),
        complete=not compiled.rules.any_pair_counts,
    )


def remaining(compiled: Compiled, state: State) -> Remaining:
    """What is left to be done: actions under way, and those that are not begun.

    Raises ``Refused`` under rules by which the agent's clock is not the world's.
    """
    if compiled.rules.any_pair_counts or state.lost_minutes or state.driver is not UNSET:
        raise Refused("under these rules more, or something else, can be done than the problem says")
    attempts = Legality(compiled).attempts
    over = {r.name for r in compiled.required if attempts[r.acts[0]].bit & state.finished}
    running = {one.act: one.ends for one in state.running}
    begun = {r.name: running[act] - r.minutes for r in compiled.required for act in r.acts if act in running}
    whole = problem(compiled)
    left = tuple(
        replace(activity, predecessors=tuple(name for name in activity.predecessors if name not in over))
        for activity in whole.activities
        if activity.name not in over
    )
    return Remaining(replace(whole, activities=left), begun, state.minute)


def _impossible(compiled: Compiled) -> tuple[str, ...]:
    """What stays unfinished when every accepted act is done as soon as it can be.

    Nothing is ever undone and finishing more never forbids anything, so no order finishes more.
    """
    legality = Legality(compiled)
    finished, before = 0, -1
    while finished != before:
        before = finished
        for attempt in legality.fitting:
            if not attempt.needs & ~finished:
                finished |= attempt.bit
    return tuple(r.name for r in compiled.required if not legality.attempts[r.acts[0]].bit & finished)


def _activity(required: Required) -> Activity:
    act = required.acts[0]
    second = required.kit or act.second
    return Activity(
        name=required.name,
        duration=required.minutes,
        operator_time=required.minutes if required.occupies_agent else 1,
        predecessors=required.after,
        resources=tuple(filter(None, (act.first, second))),
    )


def plan(compiled: Compiled, starts: Mapping[str, int]) -> list[Decision]:
    """Decisions in order of their minutes.

    Raises ``Refused`` if ``starts`` does not name just the required actions, if the agent would be
    in two places, or if no kit is free.
    """
    _check_names(compiled, starts)
    decisions: list[Decision] = []
    minute = 0
    free_from: dict[str, int] = {}
    for required in sorted(compiled.required, key=lambda r: starts[r.name]):
        start = starts[required.name]
        if start < minute:
            raise Refused(
                f"the schedule starts {required.name!r} at {start}; the agent is busy until {minute}"
            )
        decisions += [WAIT] * (start - minute)
        decisions.append(_with_free_kit(required, start, free_from))
        minute = start + (required.minutes if required.occupies_agent else 1)
    last = max((starts[r.name] + r.minutes for r in compiled.required), default=0)
    return decisions + [WAIT] * (last - minute)


def _check_names(compiled: Compiled, starts: Mapping[str, int]) -> None:
    names = [required.name for required in compiled.required]
    for name in starts:
        if name not in names:
            raise Refused(str(UnknownName("action", name, names, "the schedule")))
    for name in names:
        if name not in starts:
            raise Refused(f"the schedule does not start {name!r}")


def _with_free_kit(required: Required, start: int, free_from: dict[str, int]) -> Act:
    for act in required.acts:
        if free_from.get(act.second, 0) <= start:
            if required.kit:
                free_from[act.second] = start + required.minutes
            return act
    raise Refused(f"the schedule starts {required.name!r} at {start}; no {required.kit} is free then")
