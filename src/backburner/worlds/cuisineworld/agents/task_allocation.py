"""The allocation problem of the MindAgent article (section 4.1, Eqs. 2-5) as a dispatcher.

Sub-tasks *m* of the open tasks *p*, here numbered through, are given to agents *i*: maximize the sum of
u v, where v is 1 for what is given to whom (Eqs. 3, 4), such that all together take at most T_max, and
each sub-task goes to one agent at most (Eq. 5). Every agent gets one sub-task at most, which the article
leaves open: the problem is solved again at every step, and an agent does one thing in a step. OR-Tools
CP-SAT solves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from backburner.kernel.policy import Policy, Reply, Turn
from backburner.scheduling.cpsat import cp_sat, search
from backburner.worlds.cuisineworld.agents.planner_state import Memory, PlannerState, StateEstimator
from backburner.worlds.cuisineworld.agents.tasks import (
    NOBODY,
    Task,
    acts_of_step,
    deadlocked,
    next_act,
    tasks_of,
    way_out,
)
from backburner.worlds.cuisineworld.game.phases import SILENCE
from backburner.worlds.cuisineworld.game.state import ACTIVATE, NOTHING, PUT, Act
from backburner.worlds.cuisineworld.game.world import CuisineWorld

TIME_LIMIT_SECONDS = 10.0
"""Far more than problems of a few agents and orders take."""

QUALITY = 1000
"""What a sub-task of the least urgent demand is worth; more than steps may cost."""


class Offer(Struct, frozen=True):
    """An agent that can do a sub-task: its utility u = q - c, and the steps tau that it takes.

    What is not offered has the utility minus infinity (Eq. 2).
    """

    agent: int
    task: int
    quality: int
    cost: int
    steps: int


def allocate(offers: Sequence[Offer], most_steps: int) -> tuple[Offer, ...]:
    """The offers taken, of the greatest utility in all; raises ``MissingExtra``."""
    model = cp_sat().CpModel()
    taken = [model.new_bool_var(f"agent {offer.agent} does {offer.task}") for offer in offers]
    for alternatives in _alternatives(offers):
        model.add_at_most_one(taken[index] for index in alternatives)
    model.add(sum(o.steps * v for o, v in zip(offers, taken, strict=True)) <= most_steps)
    model.maximize(sum((o.quality - o.cost) * v for o, v in zip(offers, taken, strict=True)))
    answer = search(model, time_limit_seconds=TIME_LIMIT_SECONDS, workers=1, seed=0)
    if answer.status not in ("optimal", "feasible"):
        return ()
    return tuple(o for o, v in zip(offers, taken, strict=True) if answer.solver.boolean_value(v))


def _alternatives(offers: Sequence[Offer]) -> list[list[int]]:
    """The indices of the offers of each agent, and of each sub-task."""
    groups: dict[tuple[str, int], list[int]] = {}
    for index, offer in enumerate(offers):
        groups.setdefault(("agent", offer.agent), []).append(index)
        groups.setdefault(("task", offer.task), []).append(index)
    return list(groups.values())


def allocation(world: CuisineWorld) -> Policy:
    """The dispatcher of a world; raises ``MissingExtra``."""
    cp_sat()
    return AllocationDispatcher(world)


class AllocationDispatcher:
    """Plays the bodies of its seat as the allocation problem of each step has it.

    The tasks *p* are the open orders by deadline, then spare dishes; their sub-tasks those of ``tasks``.
    Quality grows with urgency, ``QUALITY`` from one demand to the next; a body costs the steps that it
    takes until the thing is where it must be. T_max is all steps that the bodies have left.
    """

    name = "allocation"
    informed = False
    settings: Mapping[str, Any] = {}

    def __init__(self, world: CuisineWorld) -> None:
        self._estimator = StateEstimator(world)
        self._groups = world.seating.groups

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """A command for each body; silence of a head chef."""
        if not turn.observation.own:
            return Reply(SILENCE, memory)
        now, seen = self._estimator.estimate(turn.observation, memory or Memory())
        acts = acts_of_step(now, allocated, self._groups)
        return Reply(*self._estimator.answer(turn.seat, turn.observation, now, seen, acts))


def allocated(now: PlannerState) -> Iterable[Act]:
    """The next act of each body that is given a sub-task."""
    tasks = tasks_of(now)
    if deadlocked(now, tasks):
        return [way_out(now, tasks)]
    lowest_rank = max((task.rank for task in tasks), default=0)
    offers = [
        Offer(body, number, QUALITY * (lowest_rank - task.rank + 1), steps, steps)
        for number, task in enumerate(tasks)
        for body in _able(now, task)
        if (steps := _steps(now, task, body)) <= now.steps_left
    ]
    taken = allocate(offers, now.steps_left * len(now.bodies)) if offers else ()
    return [next_act(now, tasks[offer.task], offer.agent) for offer in taken]


def _able(now: PlannerState, task: Task) -> Iterable[int]:
    """Who can do a sub-task: whoever holds the thing; else all with empty hands, if there is room for it."""
    if task.holder != NOBODY:
        return (task.holder,)
    return () if task.blocked else (body for body in now.bodies if now.held[body] == NOTHING)


def _steps(now: PlannerState, task: Task, body: int) -> int:
    """Steps until a body has done it: going there, waiting, taking; going on, putting."""
    there = max(int(now.at[body] != task.source), task.wait) + 1
    return there if task.verb in (PUT, ACTIVATE) else there + 2
