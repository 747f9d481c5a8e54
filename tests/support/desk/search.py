"""The least minutes of a day by a search over all decisions, which knows nothing of schedules."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import count

from msgspec.structs import replace

from backburner.worlds.desk.game import Desk
from backburner.worlds.desk.game.state import Cancel, Check, Decision, Feedback, Reply, Start, State, Wait
from support.desk.days import take

MOST_STATES = 6_000


def decisions(world: Desk, state: State) -> Iterator[Decision]:
    """Every call that is not refused, rightly and wrongly given, and a wait of a minute."""
    compiled, legality = world.compiled, world.legality
    calls: list[Decision] = []
    for name, job in compiled.jobs.items():
        calls += [Check(name), Cancel(name), Start(job.tool, job.subject, compiled.right_inputs[name])]
    calls += [Reply(name, right) for name, right in compiled.right_answers.items()]
    calls += [Reply(name, "no") for name in compiled.right_answers]
    yield from (call for call in calls if legality.obstacle(state, call) is None)
    yield Wait(1, wakes=())


def least_minutes(world: Desk, below: int) -> int | None:
    """The least minutes in which all is done, if less than ``below``, which is given otherwise; ``None`` if
    there are too many states."""
    order = count()
    start = world.start()
    waiting = [(start.minute, next(order), start)]
    seen = {_bare(start)}
    while waiting:
        minute, _, state = heapq.heappop(waiting)
        if world.rulebook.completed(state):
            return minute
        for decision in decisions(world, state):
            after = take(world, state, decision).state
            key = _bare(after)
            if after.minute >= below or key in seen or (after.closed and not world.rulebook.completed(after)):
                continue
            seen.add(key)
            heapq.heappush(waiting, (after.minute, next(order), after))
        if len(seen) > MOST_STATES:
            return None
    return below


def _bare(state: State) -> State:
    """Without what changes nothing: what was told last, how often something was begun, or asked in vain."""
    runs = tuple(replace(run, number=0, asked=-1) for run in state.runs)
    return replace(state, runs=runs, feedback=Feedback(""), news=(), unshown=(), decisions=0)
