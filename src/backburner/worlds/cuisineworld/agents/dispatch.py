"""Who does what: each task, the most urgent first, goes to whoever can do it first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from backburner.worlds.cuisineworld.agents.situation import Move, Situation
from backburner.worlds.cuisineworld.agents.work import NOBODY, Task, Work
from backburner.worlds.cuisineworld.game.actions import GOTO, PUT
from backburner.worlds.cuisineworld.game.state import NOTHING

Assign = Callable[[Situation], Iterable[Move]]
"""The next command of each body that has something to do, in a situation in the middle of a step."""


def moves_of(now: Situation, assign: Assign, groups: Sequence[Collection[int]]) -> list[Move]:
    """The commands of one step, in the order in which they are to be carried out; ``now`` follows them.

    What a body can do where it is comes first, and is planned on: so one body puts the last thing in, the
    next activates, the third takes what was made, in one step. ``groups``: the bodies of each seat, whose
    commands come in this order. Then everybody goes where work waits.
    """
    moves: list[Move] = []
    wanted: list[Move] = []
    for group in groups:
        while now.hands:
            wanted = [move for move in assign(now) if move.body in now.hands]
            here = next((m for m in wanted if m.verb != GOTO and m.body in group and now.can(m)), None)
            if here is None:
                break
            now.apply(here)
            moves.append(here)
    for move in wanted:
        if move.verb == GOTO and move.body in now.hands:
            now.apply(move)
            moves.append(move)
    return moves


def by_urgency(now: Situation, work: Work, patience: int, fetch: bool) -> Iterable[Move]:
    """The next command of each body: what it can go on with where it is, else the most urgent task.

    ``patience``: steps that a body waits at a tool for its product. ``fetch``: whether inputs are fetched
    while their tool still holds something; one body at least stays free to take that away.
    """
    tasks = [*work.tasks, *work.leftovers()]
    held = [task for task in tasks if task.holder != NOBODY]
    if nobody_moves(now, held):
        yield away(now, held)
        return
    for task in held:
        yield towards(now, task, task.holder)
    free = {body for body in now.bodies if now.held[body] == NOTHING}
    elsewhere: list[Task] = []
    for task in tasks:
        if task.holder == NOBODY:
            body = NOBODY if task.blocked or task.wait > patience else _there(now, task, free)
            if body == NOBODY:
                elsewhere.append(task)
            else:
                free.discard(body)
                yield towards(now, task, body)
    movable = len(now.bodies) - sum(task.blocked for task in held)
    for task in sorted(elsewhere, key=_is_early):
        if not free:
            return
        if task.blocked:
            if movable <= 1 or not fetch:
                continue
            movable -= 1
        body = min(free, key=lambda body: (now.at[body] != task.source, body not in now.hands, body))
        free.discard(body)
        yield towards(now, task, body)
    yield from _ahead(now, held, free)


def _there(now: Situation, task: Task, free: Iterable[int]) -> int:
    """Somebody at the place: who still has a command in this step, or has none if it is to be waited for."""
    there = [body for body in free if now.at[body] == task.source]
    return min(there, key=lambda body: ((body in now.hands) == (task.wait > 0), body), default=NOBODY)


def _ahead(now: Situation, held: Iterable[Task], free: Iterable[int]) -> Iterable[Move]:
    """Who has nothing to do goes where things are being brought, to be there when they can be used."""
    targets = [task.target for task in held if not task.blocked]
    for body, target in zip(sorted(free), dict.fromkeys(targets), strict=False):
        if now.at[body] != target:
            yield Move(GOTO, body, target)


def _is_early(task: Task) -> bool:
    """Whether nothing is lost if the task is left until later."""
    return task.blocked or task.wait > 1


def nobody_moves(now: Situation, tasks: Iterable[Task]) -> bool:
    """Whether everybody holds something for a tool that nobody has the hands to empty."""
    stuck = sum(task.blocked and task.holder != NOBODY for task in tasks)
    return 0 < stuck == len(now.bodies)


def away(now: Situation, tasks: Iterable[Task]) -> Move:
    """Where nobody moves: throw the thing away that is needed last."""
    task = max((task for task in tasks if task.holder != NOBODY), key=lambda task: task.rank)
    storage = now.book.storage
    return towards(now, Task(PUT, task.thing, storage, storage, task.rank), task.holder)


def towards(now: Situation, task: Task, body: int) -> Move:
    """What brings a body on with a task: going there, or doing it."""
    if now.at[body] != task.source:
        return Move(GOTO, body, task.source)
    return Move(task.verb, body, task.source, task.thing)
