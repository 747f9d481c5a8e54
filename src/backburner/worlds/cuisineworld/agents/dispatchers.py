"""Dispatchers without a model: a greedy one, and the allocation problem of the article.

**Greedy** gives no order up, shares what is there, cooks ahead, looks ahead. It is a list scheduler: the most
urgent task goes to the body that can do it first. How it does so is set by a ``DispatchRule``. Every few
steps it simulates a handful of rules for the next 25 steps (a rollout), as if nothing more were ordered, and
goes on by the one that serves most.

**Allocation** (MindAgent, section 4.1, Eqs. 2-5): sub-tasks *m* of the open tasks *p*, here numbered through,
are given to agents *i*: maximize the sum of u v, where v is 1 for what is given to whom (Eqs. 3, 4), such
that all together take at most T_max, and each sub-task goes to one agent at most (Eq. 5). Every agent gets
one sub-task at most, which the article leaves open: the problem is solved again at every step, and an agent
does one thing in a step. OR-Tools CP-SAT solves it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec import Struct

from backburner.kernel.policy import PlainPolicy, Policy, Reply, Turn
from backburner.scheduling.model import cp_sat, search
from backburner.worlds.cuisineworld.agents.planner_state import Memory, PlannerState, StateEstimator
from backburner.worlds.cuisineworld.agents.tasks import (
    AHEAD,
    NOBODY,
    Task,
    acts_of_step,
    deadlocked,
    next_act,
    tasks_of,
    way_out,
)
from backburner.worlds.cuisineworld.game.state import ACTIVATE, GOTO, NOTHING, PUT, SILENCE, Act
from backburner.worlds.cuisineworld.game.world import CuisineWorld

REVIEW_STEPS = 3
"""The rule is thought over when orders come or go, and after so many steps."""

KEEPING_STEPS = 10
"""Where dishes spoil, so many steps that they keep are good for one spare dish of a kind."""

ROLLOUT_STEPS = 25

SPARE = 0.3
"""What a spare dish is worth at the end of a rollout, against one that is served."""

LATER = 0.003
"""What a served dish loses with each step."""


class DispatchRule(Struct, frozen=True):
    """How tasks are ranked and shared out.

    ``first``: the dish whose order comes before all others, which are sorted by deadline. ``ahead``: spare
    dishes of each kind that are cooked ahead. ``patience``: steps that a body waits at a tool for its
    product. ``fetch``: whether inputs are fetched while their tool still holds something; one body at least
    stays free to take that away.
    """

    first: int = NOTHING
    ahead: int = AHEAD
    patience: int = 1
    fetch: bool = True


class GreedyMemory(Struct, frozen=True):
    """What the dispatcher remembers; ``rule`` was chosen when these ``orders`` were open."""

    memory: Memory
    rule: DispatchRule
    orders: tuple[int, ...] | None = None


class GreedyDispatcher(PlainPolicy):
    """Plays the bodies of its seat, by what the seat sees.

    It plans for all bodies, those of other seats included as long as they do what it expects of them.
    """

    name = "greedy"

    def __init__(self, world: CuisineWorld) -> None:
        self._estimator = StateEstimator(world)
        self._groups = world.seating.groups
        keeps = world.scenario.spoil_steps
        self._ahead = AHEAD if keeps is None else min(AHEAD, keeps // KEEPING_STEPS)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """A command for each body; silence of a head chef."""
        if not turn.observation.own:
            return Reply(SILENCE, memory)
        old = memory or GreedyMemory(Memory(), DispatchRule(ahead=self._ahead))
        now, seen = self._estimator.estimate(turn.observation, old.memory)
        orders = tuple(dish for dish, _ in now.orders)
        rule = old.rule
        if orders != old.orders or turn.observation.step % REVIEW_STEPS == 0:
            rule = best_rule(now, rule, self._ahead, self._groups)
        acts = play_step(now, rule, self._groups)
        commands, kept = self._estimator.answer(turn.seat, turn.observation, now, seen, acts)
        return Reply(commands, GreedyMemory(kept, rule, orders))


def play_step(now: PlannerState, rule: DispatchRule, groups: Sequence[Collection[int]]) -> list[Act]:
    """The acts of the next step by this rule; ``now`` follows them."""
    return acts_of_step(now, lambda now: by_urgency(now, rule), groups)


def by_urgency(now: PlannerState, rule: DispatchRule) -> Iterable[Act]:
    """The next act of each body: for a task at the place where it is, or else for the most urgent one."""
    tasks = tasks_of(now, rule.first, rule.ahead)
    held = [task for task in tasks if task.holder != NOBODY]
    if deadlocked(now, held):
        yield way_out(now, held)
        return
    for task in held:
        yield next_act(now, task, task.holder)
    free = {body for body in now.bodies if now.held[body] == NOTHING}
    elsewhere: list[Task] = []
    for task in tasks:
        if task.holder == NOBODY:
            body = NOBODY if task.blocked or task.wait > rule.patience else _body_there(now, task, free)
            if body == NOBODY:
                elsewhere.append(task)
            else:
                free.discard(body)
                yield next_act(now, task, body)
    movable = len(now.bodies) - sum(task.blocked for task in held)
    for task in sorted(elsewhere, key=_can_wait):
        if not free:
            return
        if task.blocked:
            if movable <= 1 or not rule.fetch:
                continue
            movable -= 1
        body = min(free, key=lambda body: (now.at[body] != task.source, body not in now.unassigned, body))
        free.discard(body)
        yield next_act(now, task, body)
    yield from _gather(now, held, free)


def _body_there(now: PlannerState, task: Task, free: Iterable[int]) -> int:
    """A free body at the task's place, or ``NOBODY``.

    One that can still act in this step comes first; last if there is nothing to do here but wait.
    """
    there = [body for body in free if now.at[body] == task.source]
    return min(there, key=lambda body: ((body in now.unassigned) == (task.wait > 0), body), default=NOBODY)


def _can_wait(task: Task) -> bool:
    """Whether nothing is lost if the task is left until later."""
    return task.blocked or task.wait > 1


def _gather(now: PlannerState, held: Iterable[Task], free: Iterable[int]) -> Iterable[Act]:
    """Bodies with nothing to do go where things are being brought, and are there when those can be used."""
    targets = [task.target for task in held if not task.blocked]
    for body, target in zip(sorted(free), dict.fromkeys(targets), strict=False):
        if now.at[body] != target:
            yield Act(body, GOTO, target)


def best_rule(
    now: PlannerState, used: DispatchRule, most_ahead: int, groups: Sequence[Collection[int]]
) -> DispatchRule:
    """The rule that is worth most from here; the one in use wherever no other is worth more."""
    best, most = used, _rollout(now.copy(), used, groups)
    for rule in _others(now, used, most_ahead):
        worth = _rollout(now.copy(), rule, groups)
        if worth > most:
            best, most = rule, worth
    return best


def _others(now: PlannerState, used: DispatchRule, most_ahead: int) -> Iterable[DispatchRule]:
    usual = DispatchRule(ahead=most_ahead)
    dishes = dict.fromkeys(dish for dish, _ in now.orders if dish in now.domain.dishes)
    rules = [usual, *(DispatchRule(dish, most_ahead) for dish in list(dishes)[1:])]
    for ahead in dict.fromkeys((0, most_ahead)):
        rules += [
            DispatchRule(ahead=ahead, patience=steps, fetch=fetch)
            for fetch in (True, False)
            for steps in (1, 2)
        ]
    return (rule for rule in dict.fromkeys(rules) if rule != used)


def _rollout(now: PlannerState, rule: DispatchRule, groups: Sequence[Collection[int]]) -> float:
    """Orders served, less those that run out, if nothing more were ordered; spare dishes count a little."""
    worth = 0.0
    for step in range(min(ROLLOUT_STEPS, now.steps_left)):
        play_step(now, rule, groups)
        served, expired = now.end_step()
        worth += served * (1 - LATER * step) - expired
    return worth + SPARE * sum(min(AHEAD, now.on_tables(dish)) for dish in now.domain.dishes)


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


class AllocationDispatcher(PlainPolicy):
    """Plays the bodies of its seat as the allocation problem of each step has it.

    The tasks *p* are the open orders by deadline, then spare dishes; their sub-tasks those of ``tasks``.
    Quality grows with urgency, ``QUALITY`` from one demand to the next; a body costs the steps that it
    takes until the thing is where it must be. T_max is all steps that the bodies have left.
    """

    name = "allocation"

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
