"""Activities in pieces: a problem on its grid, and what a plan of it is in the world's time.

A splittable activity becomes a chain of activities that each last one step of the grid; that covers
every way to split it at the grid's multiples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from backburner.kernel.scheduling import Activity, Lag, Problem


class Cut(NamedTuple):
    """A problem in steps of its grid; ``follows`` names, for each further piece, the one before it."""

    problem: Problem
    follows: dict[str, str]


def in_one_go(problem: Problem) -> Cut:
    """Nothing split."""
    activities = (
        replace(_coarse(activity, problem.grid), splittable=False) for activity in problem.activities
    )
    return Cut(replace(problem, activities=tuple(activities), grid=1), {})


def in_pieces(problem: Problem) -> Cut:
    """Everything splittable cut at each step of the grid."""
    coarse = [_coarse(activity, problem.grid) for activity in problem.activities]
    last = {a.name: _piece(a.name, a.duration - 1) if a.splittable else a.name for a in coarse}
    activities = tuple(piece for activity in coarse for piece in _chain(activity, last))
    follows = {
        _piece(activity.name, done): _piece(activity.name, done - 1)
        for activity in coarse
        for done in range(1, activity.duration if activity.splittable else 1)
    }
    return Cut(replace(problem, activities=activities, grid=1), follows)


def _coarse(activity: Activity, grid: int) -> Activity:
    return replace(
        activity,
        duration=activity.duration // grid,
        attention=activity.attention // grid,
        lags=tuple(Lag(lag.after, lag.at_most // grid) for lag in activity.lags),
    )


def _chain(activity: Activity, last: Mapping[str, str]) -> list[Activity]:
    """One activity for each step of the grid."""
    after = tuple(last[name] for name in activity.after)
    lags = tuple(Lag(last[lag.after], lag.at_most) for lag in activity.lags)
    if not activity.splittable:
        return [replace(activity, after=after, lags=lags)]
    names = [_piece(activity.name, done) for done in range(activity.duration)]
    needs = [after, *((name,) for name in names)]
    return [
        Activity(name, 1, 1, need, activity.resources, lags) for name, need in zip(names, needs, strict=False)
    ]


def _piece(name: str, done: int) -> str:
    return f"{name}+{done}" if done else name


def joined(problem: Problem, starts: Mapping[str, int]) -> dict[str, int]:
    """A plan of either problem in the world's time, with pieces joined where nothing comes between.

    Something does if it starts just when one piece ends and the next begins.
    """
    begun = Counter(starts.values())
    plan: dict[str, int] = {}
    for activity in problem.activities:
        plan[activity.name] = starts[activity.name] * problem.grid
        for done in range(1, activity.duration // problem.grid):
            name, before = _piece(activity.name, done), _piece(activity.name, done - 1)
            if name in starts and (starts[name] > starts[before] + 1 or begun[starts[name]] > 1):
                plan[_piece(activity.name, done * problem.grid)] = starts[name] * problem.grid
    return plan


class Block(NamedTuple):
    """From when to when something is done without a break; ``whole`` if that is all of it."""

    start: int
    end: int
    name: str
    whole: bool


def timetable(problem: Problem, starts: Mapping[str, int]) -> list[Block]:
    """A plan in the world's time (see ``Solution.starts``) by start, then end."""
    blocks: list[Block] = []
    for activity in problem.activities:
        done = [n for n in range(activity.duration or 1) if _piece(activity.name, n) in starts]
        for begun, over in pairwise([*done, activity.duration]):
            start = starts[_piece(activity.name, begun)]
            blocks.append(Block(start, start + over - begun, activity.name, len(done) == 1))
    return sorted(blocks)
