"""Shortest plans of Collab-Overcooked: looked for, proven, and judged by the world."""

from __future__ import annotations

import time
from typing import Any

from msgspec.structs import replace

from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.oracle import Solution, Status
from backburner.worlds.collab_overcooked.game import NO_LIMITS, CollabOvercooked, calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.state import Kitchen, State
from backburner.worlds.collab_overcooked.oracle.astar import AStar
from backburner.worlds.collab_overcooked.oracle.distances import FAR
from backburner.worlds.collab_overcooked.oracle.needs import Foods
from backburner.worlds.collab_overcooked.oracle.plans import (
    actions_of,
    in_words,
    played_calls,
    played_moves,
    schedules,
)
from backburner.worlds.collab_overcooked.oracle.problem import Problem, Space, Under, space_name


def solve_cooks(
    world: CollabOvercooked,
    *,
    state: State | None = None,
    space: Space = "calls",
    foods: Foods = "own",
    time_limit_seconds: float = 60.0,
) -> Solution:
    """A shortest plan from a state, by default the beginning; its objective counts the steps from there.

    A plan in which nothing is fetched in vain comes first, then it is looked for a shorter one. What is
    found is played by the world. A plan that the world's own step limit cuts off is no answer: the note
    tells its length. ``plan``: in the space of calls what each cook that is asked plans, one call or
    wait at a time; in that of moves both cooks' moves of each step. Raises ``Refused`` where orders are
    drawn for ever, and for a state with queued calls or a talk that is not over.
    """
    if world.scenario.order_weights:
        raise Refused(f"{world.id}: new orders come in for ever; no plan meets them all")
    free = CollabOvercooked(world.id, world.scenario, world.rules, NO_LIMITS)
    found = _Solving(free, state or free.start(), space, foods).run(time_limit_seconds)
    limit = world.limits.steps
    if limit is None or found.objective is None or _steps_at(state) + found.objective <= limit:
        return found
    note = f"the plan takes {found.objective} steps; the world ends play after {limit}"
    status: Status = "infeasible" if found.status == "optimal" else "unknown"
    return replace(found, status=status, objective=None, plan=(), note=note)


def _steps_at(state: State | None) -> int:
    """The steps that have passed in a state; none: the beginning."""
    return 0 if state is None else state.kitchen.steps


class _Solving:
    """The searches for one world from one state."""

    def __init__(self, world: CollabOvercooked, state: State, space: Space, foods: Foods) -> None:
        self._world, self._state, self._space, self._foods = world, state, space, foods
        self._under = under_way(world, state) if space == "calls" else (None, None)
        self._best: tuple[Problem, AStar[Any]] | None = None
        self._steps = FAR
        self._bound = 0

    def run(self, seconds: float) -> Solution:
        began = time.monotonic()
        stages: tuple[Foods, ...] = (
            ("lean",)
            if self._space == "moves" or self._foods == "lean"
            else (
                "lean",
                self._foods,
            )
        )
        over = False
        for foods in stages:
            kitchen = self._state.kitchen
            problem = Problem(self._world.ware, kitchen.orders, self._space, foods)
            search = problem.search(kitchen, self._under, self._steps)
            search.run(max(0.0, seconds - (time.monotonic() - began)))
            if search.goal is not None:
                self._best, self._steps = (problem, search), search.bound
            over = search.goal is not None or search.exhausted
            self._bound = search.bound
        return self._solution(over, time.monotonic() - began)

    def _solution(self, over: bool, seconds: float) -> Solution:
        plan = self._played()
        status: Status = "feasible" if plan else "unknown"
        if over:
            status = "optimal" if plan else "infeasible"
        return Solution(
            scenario=self._world.id,
            status=status,
            objective=self._steps if plan else None,
            bound=None if status == "infeasible" else min(self._bound, self._steps),
            sense="min",
            unit="steps",
            space=space_name(self._space, self._foods),
            seconds=seconds,
            plan=plan or (),
        )

    def _played(self) -> tuple[str, ...] | None:
        """The best plan in words, judged by the world."""
        if self._best is None:
            return None
        problem, search = self._best
        world, kitchen = self._world, self._state.kitchen
        if self._space == "moves":
            actions = actions_of(search.way(), problem.codes)
            after, words = played_moves(world.ware, kitchen, actions), in_words(actions)
        else:
            plans = schedules(search.way(), problem.calls.known, world.rules)
            words, ended = played_calls(world, self._state, plans)
            after = ended.kitchen
        if after.orders or after.steps - kitchen.steps != self._steps:
            raise ReplayMismatch(
                f"{world.id}: by the search the plan takes {self._steps} steps; played in the world, "
                f"{after.steps - kitchen.steps} pass and {len(after.orders)} orders are left"
            )
        return words


def under_way(world: CollabOvercooked, state: State) -> Under:
    """The calls that the cooks are at when one of them is asked for its next one.

    Raises ``Refused`` for a state in which more than that is settled: queued calls, a talk, a repair.
    """
    if state.ask not in ("plan", "correct") or any(cook.queue for cook in state.cooks):
        raise Refused(f"{world.id}: plans are looked for from states without queued calls and open talks")
    found: list[Call | None] = []
    for cook, mine in enumerate(state.cooks):
        call = world.ware.reader.read(mine.call) if mine.since >= 0 and cook != state.asked else None
        if not isinstance(call, Call):
            found.append(None)
        elif call.verb == calls.WAIT:
            left = mine.left + (cook < len(state.moves))
            found.append(calls.wait(left) if left else None)
        else:
            done = cook >= len(state.moves) and world.ware.carrier.done(state.kitchen, cook, call)
            found.append(None if done else call)
    return found[0], found[1]


class StepsToGo:
    """The fewest steps from any kitchen of a world to the end of its orders; for ``metrics_distance``."""

    def __init__(self, ware: Kitchenware, space: Space = "calls", foods: Foods = "lean") -> None:
        self._ware, self._space, self._foods = ware, space, foods
        self._problems: dict[tuple[str, ...], Problem] = {}
        self._known: dict[tuple[Kitchen, Under], int | None] = {}

    def of(
        self, kitchen: Kitchen, under: Under = (None, None), *, time_limit_seconds: float = 60.0
    ) -> int | None:
        """The steps to go; ``None`` if the orders cannot be met any more.

        ``under``: calls that the cooks have begun and carry on with; who is at none may begin anything.
        It says nothing in the space of moves. Raises ``Refused`` if the time does not suffice.
        """
        key = replace(kitchen, steps=0), under
        if key not in self._known:
            self._known[key] = self._searched(kitchen, under, time_limit_seconds)
        return self._known[key]

    def _searched(self, kitchen: Kitchen, under: Under, seconds: float) -> int | None:
        problem = self._problems.get(kitchen.orders)
        if problem is None:
            problem = Problem(self._ware, kitchen.orders, self._space, self._foods)
            self._problems[kitchen.orders] = problem
        search = problem.search(kitchen, under)
        search.run(seconds)
        if search.goal is None and not search.exhausted:
            raise Refused(f"the steps to go are at least {search.bound}; not found in {seconds:g} s")
        return None if search.goal is None else search.bound
