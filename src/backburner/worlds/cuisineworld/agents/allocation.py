"""The article's allocation problem as a dispatcher: solved at every step, for what can be done now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from backburner.kernel.errors import Refused
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.scheduling.cpsat import cp_sat
from backburner.worlds.cuisineworld.agents.dispatch import away, moves_of, nobody_moves, towards
from backburner.worlds.cuisineworld.agents.foresight import Style, work_of
from backburner.worlds.cuisineworld.agents.seat import Noted, SeatView
from backburner.worlds.cuisineworld.agents.situation import Move, Situation
from backburner.worlds.cuisineworld.agents.work import NOBODY, Task
from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.game.actions import ACTIVATE, PUT
from backburner.worlds.cuisineworld.game.state import NOTHING
from backburner.worlds.cuisineworld.oracle.allocation import Offer, allocate

QUALITY = 1000
"""What a sub-task of the least urgent demand is worth; more than steps may cost."""

STYLE = Style()


def allocation(world: Any) -> Policy:
    """The dispatcher of a CuisineWorld; raises ``Refused`` for any other world, and ``MissingExtra``."""
    if not isinstance(world, CuisineWorld):
        raise Refused(f"{world.id}: the allocation problem is one of CuisineWorld")
    cp_sat()
    return AllocationDispatcher(world)


class AllocationDispatcher:
    """Plays the bodies of its seat as the allocation problem of each step has it.

    The tasks *p* are the open orders by deadline, then spare dishes; their sub-tasks those of ``work``.
    Quality grows with urgency, ``QUALITY`` from one demand to the next; a body costs the steps that it
    takes until the thing is where it must be. T_max is all steps that the bodies have left.
    """

    name = "allocation"
    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(self, world: CuisineWorld) -> None:
        self._view = SeatView(world)
        self._groups = world.seating.groups

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """A command for each body."""
        now, noted = self._view.situation(turn.observation, memory or Noted())
        moves = moves_of(now, allocated, self._groups)
        return Reply(*self._view.answer(turn.seat, turn.observation, now, noted, moves))


def allocated(now: Situation) -> Iterable[Move]:
    """The next command of each body that is given a sub-task."""
    work = work_of(now, STYLE)
    tasks = [*work.tasks, *work.leftovers()]
    if nobody_moves(now, tasks):
        return [away(now, tasks)]
    most = max((task.rank for task in tasks), default=0)
    offers = [
        Offer(body, number, QUALITY * (most - task.rank + 1), steps, steps)
        for number, task in enumerate(tasks)
        for body in _able(now, task)
        if (steps := _steps(now, task, body)) <= now.steps_left
    ]
    taken = allocate(offers, now.steps_left * len(now.bodies)) if offers else ()
    return [towards(now, tasks[offer.task], offer.agent) for offer in taken]


def _able(now: Situation, task: Task) -> Iterable[int]:
    """Who can do a sub-task: whoever holds the thing; else all with empty hands, if there is room for it."""
    if task.holder != NOBODY:
        return (task.holder,)
    return () if task.blocked else (body for body in now.bodies if now.held[body] == NOTHING)


def _steps(now: Situation, task: Task, body: int) -> int:
    """Steps until a body has done it: going there, waiting, taking; going on, putting."""
    there = max(int(now.at[body] != task.source), task.wait) + 1
    return there if task.verb in (PUT, ACTIVATE) else there + 2
