"""What is left of the problem in a state, and a schedule as decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from math import gcd
from typing import NamedTuple

from msgspec.structs import replace

from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.schedule import Activity, Problem, Remaining
from backburner.worlds.projects.game.state import Decision, Start, State, Wait, Work


def remaining(problem: Problem, state: State) -> Remaining:
    """What is begun stands where it is, what was interrupted is as long as what is left of it. The grid is as
    fine as the times that came about."""
    paired = list(zip(problem.activities, state.works, strict=True))
    begun = {a.name: work.start for a, work in paired if not work.is_open}
    times = (max(0, time) for work in state.works for time in (work.left, work.start, work.end))
    grid = gcd(problem.grid, state.time, *times)
    over = {a.name for index, (a, _) in enumerate(paired) if state.finished(index)}
    left = tuple(_left(activity, work, over) for activity, work in paired)
    return Remaining(replace(problem, activities=left, grid=grid), begun, state.time)


def _left(activity: Activity, work: Work, over: set[str]) -> Activity:
    if work.is_open:
        left = replace(activity, predecessors=tuple(n for n in activity.predecessors if n not in over))
        return replace(left, duration=work.left, operator_time=work.left) if work.start >= 0 else left
    duration = work.end - work.start
    by_hand = min(duration, activity.operator_time)
    settled = replace(activity, duration=duration, operator_time=by_hand, predecessors=(), max_lags=())
    return replace(settled, requires=None, preemptive=False, release=0, deadline=None)


class _Piece(NamedTuple):
    """A start of a schedule. They sort as they are decided: what holds the operator comes last."""

    start: int
    by_hand: int
    rank: int
    decision: Start


def plan(problem: Problem, starts: Mapping[str, int]) -> list[Decision]:
    """The decisions of a schedule with waits in between; raises ``Refused`` for what is no schedule."""
    decisions: list[Decision] = []
    now = 0
    for piece in sorted(_pieces(problem, starts)):
        if piece.start < now:
            name = piece.decision.activity
            raise Refused(f"the schedule starts {name!r} at {piece.start}; you are busy until {now}")
        if piece.start > now:
            decisions.append(Wait(piece.start - now))
        decisions.append(piece.decision)
        now = piece.start + piece.by_hand
    return decisions


def _pieces(problem: Problem, starts: Mapping[str, int]) -> Iterator[_Piece]:
    order = TopologicalSorter({a.name: a.predecessors for a in problem.activities}).static_order()
    rank = {name: number for number, name in enumerate(order)}
    found: dict[str, dict[int, int]] = {activity.name: {} for activity in problem.activities}
    preemptive = {activity.name for activity in problem.activities if activity.preemptive}
    for name, start in starts.items():
        whole, _, part = name.rpartition("+")
        if name not in found and not (whole in preemptive and part.isdecimal()):
            raise Refused(str(UnknownName("activity", name, found, "the schedule")))
        found[name if name in found else whole][0 if name in found else int(part)] = start
    for activity in problem.activities:
        begun = sorted(found[activity.name].items())
        if not begun or begun[0][0]:
            raise Refused(f"the schedule does not start {activity.name!r}")
        for (done, start), then in zip(begun, [*(done for done, _ in begun[1:]), None], strict=True):
            by_hand = activity.operator_time if then is None and not done else activity.duration - done
            ticks = None if then is None else then - done
            decision = Start(activity.name, ticks)
            yield _Piece(start, by_hand if ticks is None else ticks, rank[activity.name], decision)
