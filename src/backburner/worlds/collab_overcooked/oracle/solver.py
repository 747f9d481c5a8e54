"""Collab-Overcooked's oracle: shortest plans, searched for, proven, and played by the world."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any, get_args

from msgspec.structs import replace

from backburner.kernel.errors import Refused, ReplayMismatch, UnknownName
from backburner.kernel.oracle import Allowance, Onward, Oracle, Request, Slow, Solution, Solve, Status
from backburner.kernel.policy import once_per_world
from backburner.kernel.reach import slow_plan, slowed_plan
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import ONE_WAIT, Call
from backburner.worlds.collab_overcooked.game.catalogue import Foods, Optimum, Preset, Space, known_optimum
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import ACTIONS, INTERACT, START
from backburner.worlds.collab_overcooked.game.reading import reply_of
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, longest_wait
from backburner.worlds.collab_overcooked.game.state import SEATS, Kitchen, Move, State
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.oracle.heuristic import FAR, FoodSpace
from backburner.worlds.collab_overcooked.oracle.packing import IDLE, START_ACT, TAKE_ACT, CallCodes, Packing
from backburner.worlds.collab_overcooked.oracle.search import AStar, Problem, StepsToGo, UnderWay, space_name
from backburner.worlds.collab_overcooked.oracle.successors import CallEdge, MoveEdge

NODES_OF_EFFORT = 5_000
"""Nodes that a search expands in about half a second."""

NODES_A_SECOND = 10_000
"""Nodes that a search expands in about a second, in either space."""

Texts = tuple[str, ...]
"""Calls, or joint moves, as they are written."""


def solve_cooks(
    world: CollabOvercooked,
    *,
    state: State | None = None,
    space: Space = "calls",
    foods: FoodSpace = "own",
    time_limit_seconds: float = 60.0,
    effort: float | None = None,
) -> Solution:
    """A shortest plan from a state, by default the beginning; its objective counts the steps from there.

    A plan in which nothing is fetched in vain is searched for first, then a shorter one. The world plays
    what is found. A plan that the world's own step limit cuts off is no answer; the note tells its length.
    ``plan``: in the space of calls, what each cook that is asked plans, one call or wait at a time; in the
    space of moves, both cooks' moves in each step. Raises ``Refused`` where orders are drawn for ever, and
    for a state with queued calls or a talk that is not over.
    """
    if world.scenario.order_weights:
        raise Refused(f"{world.id}: new orders come in for ever; no plan meets them all")
    if world.scenario.exchange:
        raise Refused(f"{world.id}: play is over before anything is made; no plan meets the order")
    free = CollabOvercooked(world.id, world.scenario, world.rules, NO_LIMITS)
    allowance = Allowance(time_limit_seconds, effort, NODES_A_SECOND)
    solution = _StagedSearch(free, state or free.start(), space, foods).run(allowance)
    return solution.within(world.limits.steps, 0 if state is None else state.kitchen.steps)


class _StagedSearch:
    """Searches for one world from one state: first without anything fetched in vain, then with ``foods``."""

    def __init__(self, world: CollabOvercooked, state: State, space: Space, foods: FoodSpace) -> None:
        self._world, self._state, self._space, self._foods = world, state, space, foods
        self._under_way = calls_under_way(world, state) if space == "calls" else (None, None)
        self._best: tuple[Problem, AStar[Any]] | None = None
        self._steps = FAR
        self._bound = 0

    def run(self, allowance: Allowance) -> Solution:
        began = time.monotonic()
        one_stage = self._space == "moves" or self._foods == "lean"
        stages: tuple[FoodSpace, ...] = ("lean",) if one_stage else ("lean", self._foods)
        proven = False
        for foods in stages:
            kitchen = self._state.kitchen
            problem = Problem(self._world.compiled, kitchen.orders, self._space, foods)
            search = problem.search(kitchen, self._under_way, self._steps)
            search.run(allowance)
            if search.goal is not None:
                self._best, self._steps = (problem, search), search.bound
            proven = search.goal is not None or search.exhausted
            self._bound = search.bound
        return self._solution(proven, time.monotonic() - began)

    def _solution(self, proven: bool, seconds: float) -> Solution:
        plan = self._played()
        status: Status = "feasible" if plan else "unknown"
        if proven:
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

    def _played(self) -> Texts | None:
        """The best plan in words. Raises ``ReplayMismatch`` unless the world confirms its length."""
        if self._best is None:
            return None
        problem, search = self._best
        world, kitchen = self._world, self._state.kitchen
        if self._space == "moves":
            joint_moves = world_moves(search.plan(), problem.packing)
            texts, after = _move_texts(joint_moves), played_moves(world.compiled, kitchen, joint_moves)
        else:
            plans = _plans_of(search.plan(), problem.call_codes, longest_wait(world.rules))
            texts, final = played_calls(world, self._state, plans)
            after = final.kitchen
        if after.orders or after.steps - kitchen.steps != self._steps:
            raise ReplayMismatch(
                f"{world.id}: by the search the plan takes {self._steps} steps; played in the world, "
                f"{after.steps - kitchen.steps} pass and {len(after.orders)} orders are left"
            )
        return texts


def calls_under_way(world: CollabOvercooked, state: State) -> UnderWay:
    """The calls that the cooks are carrying out when one of them is asked for its next one.

    Raises ``Refused`` for a state in which more than that is settled: queued calls, a talk, a repair.
    """
    if state.ask not in ("plan", "correct") or any(cook.queue for cook in state.cooks):
        raise Refused(f"{world.id}: plans are looked for from states without queued calls and open talks")
    under_way: list[Call | None] = []
    for index, cook in enumerate(state.cooks):
        call = world.compiled.reader.read(cook.call) if cook.since >= 0 and index != state.asked else None
        if not isinstance(call, Call):
            under_way.append(None)
        elif call.verb == calls.WAIT:
            left = cook.left + (index < len(state.moves))
            under_way.append(calls.wait(left) if left else None)
        else:
            done = index >= len(state.moves) and world.compiled.execution.done(state.kitchen, index, call)
            under_way.append(None if done else call)
    return under_way[0], under_way[1]


def _plans_of(edges: Sequence[CallEdge], codes: CallCodes, longest: int) -> tuple[Texts, Texts]:
    """What each cook decides, one call after the other; waits in a row are joined up to the longest."""
    begun = ([edge.begun[cook] for edge in edges if edge.begun[cook] != IDLE] for cook in (0, 1))
    first, second = (joined_waits((codes.call(call).text for call in own), longest) for own in begun)
    return first, second


def joined_waits(texts: Iterable[str], longest: int) -> Texts:
    """The calls of one cook as a plan: waits of one step in a row are joined up to the longest allowed."""
    plan: list[str] = []
    for text, alike in groupby(texts):
        number = len(list(alike))
        if text == ONE_WAIT:
            whole, rest = divmod(number, longest)
            plan += [calls.wait(longest).text] * whole + [calls.wait(rest).text] * bool(rest)
        else:
            plan += [text] * number
    return tuple(plan)


def played_calls(world: CollabOvercooked, state: State, plans: tuple[Texts, Texts]) -> tuple[Texts, State]:
    """The calls in the order in which the world asks for them, and the state that they lead to.

    Raises ``ReplayMismatch`` if a call is refused, or asked for when none is left.
    """
    left = [list(plan)[::-1] for plan in plans]
    texts: list[str] = []
    while seats := world.deciders(state):
        cook = state.asked
        if not left[cook]:
            raise ReplayMismatch(f"{world.id}: the plan is over before the orders are met: {texts}")
        texts.append(left[cook].pop())
        step = world.step(state, {seats[0]: reply_of(texts[-1])})
        if step.refusals:
            raise ReplayMismatch(f"{world.id}: {texts[-1]!r} is refused ({step.refusals[0].code})")
        state = step.state
    return tuple(texts), state


def played_moves(compiled: Compiled, kitchen: Kitchen, joint_moves: Iterable[tuple[Move, Move]]) -> Kitchen:
    """The kitchen after these joint moves."""
    for joint in joint_moves:
        kitchen = compiled.stepper.step(kitchen, joint).kitchen
    return kitchen


def world_moves(edges: Sequence[MoveEdge], packing: Packing) -> list[tuple[Move, Move]]:
    """The joint moves of a plan, as the world takes them."""
    return [(_world_move(edge.begun[0], packing), _world_move(edge.begun[1], packing)) for edge in edges]


def _world_move(action: int, packing: Packing) -> Move:
    if action == START_ACT:
        return INTERACT, START
    if action >= TAKE_ACT:
        return INTERACT, packing.name(action - TAKE_ACT)
    return action, ""


def _move_texts(joint_moves: Iterable[tuple[Move, Move]]) -> Texts:
    """Each step's moves, the first cook's before the second's: ``W | INTERACT(egg)``."""
    return tuple(f"{_move_text(first)} | {_move_text(second)}" for first, second in joint_moves)


def _move_text(move: Move) -> str:
    name, parameter = ACTIONS[move[0]], move[1]
    return f"{name}({parameter})" if parameter else name


def plans_by_cook(world: CollabOvercooked, texts: Texts, space: Space) -> tuple[Texts, Texts]:
    """A solution's plan from the beginning of the world, each cook's part apart."""
    if space == "moves":
        steps = [text.split(" | ") for text in texts]
        return tuple(first for first, _ in steps), tuple(second for _, second in steps)
    plans: tuple[list[str], list[str]] = ([], [])
    state = world.start()
    for text in texts:
        plans[state.asked].append(text)
        state = world.step(state, {world.deciders(state)[0]: reply_of(text)}).state
    return tuple(plans[0]), tuple(plans[1])


@once_per_world
def _steps_to_go(world: CollabOvercooked) -> StepsToGo:
    return StepsToGo(world.compiled, "calls", "own")


def _of_calls(request: Request) -> Request:
    return replace(request, options={})


class CollabOvercookedOracle(Oracle):
    """Options: ``space``, what plans are made of; ``foods``, what the calls of plans may fetch."""

    optimum_type = Optimum

    def solve(self, world: CollabOvercooked, request: Request) -> Solution:
        """See ``solve_cooks``."""
        return solve_cooks(
            world,
            space=_chosen(request, "space", get_args(Space)),
            foods=_chosen(request, "foods", get_args(Foods)),
            time_limit_seconds=request.time_limit_seconds,
            effort=request.effort,
        )

    def slowed(self, world: CollabOvercooked, latency: Fraction, request: Request) -> Solution:
        """From the shortest plan of calls, of which each cook names all its own in its first reply."""
        free = CollabOvercooked(world.id, world.scenario, world.rules, NO_LIMITS)
        best = self.known(free) or self.solve(free, _of_calls(request))
        slow = None if best.objective is None else self.slow(free, latency, request)
        return slowed_plan(free, best, slow, latency, limit=world.limits.steps)

    def slow(self, world: CollabOvercooked, latency: Fraction, request: Request) -> Slow:
        """All calls of each cook in one reply."""
        free = CollabOvercooked(world.id, world.scenario, world.rules, NO_LIMITS)
        known = known_optimum(world.id, world.rules.name)
        if known is not None:
            parts = known.chef, known.assistant
        else:
            parts = plans_by_cook(free, self.solve(free, _of_calls(request)).plan, "calls")
        wait = (calls.wait(1).text,)
        plan = [{seat: reply_of(*(part or wait))} for seat, part in zip(SEATS, parts, strict=True)]
        return slow_plan(free, plan, latency)

    def known(self, world: CollabOvercooked) -> Solution | None:
        """The shipped plan of calls."""
        found = known_optimum(world.id, world.rules.name)
        if found is None:
            return None
        free = CollabOvercooked(world.id, world.scenario, world.rules, NO_LIMITS)
        plan, _ = played_calls(free, free.start(), (found.chef, found.assistant))
        space = space_name("calls", found.foods)
        return Solution(world.id, found.status, found.steps, found.bound, "min", "steps", space, plan=plan)

    def onward(self, world: CollabOvercooked, state: State, effort: float) -> Onward:
        """By a search of ``effort`` times ``NODES_OF_EFFORT`` nodes in the space of calls.

        It is about states without queued calls and open talks: to talk takes no time, so that what is agreed
        on counts for nothing until it is done.
        """
        if world.scenario.order_weights or world.scenario.exchange:
            raise Refused(f"{world.id}: no plan meets the orders; see solve")
        nodes = round(effort * NODES_OF_EFFORT)
        return _steps_to_go(world).onward(state.kitchen, nodes, calls_under_way(world, state))

    def optima(self, world: CollabOvercooked, request: Request, solve: Solve) -> Sequence[Optimum]:
        """An entry for each space in which a plan is found."""
        if "space" in request.options:
            raise Refused("an optima file is about every space of its world; leave space out")
        foods = _chosen(request, "foods", get_args(Foods))
        entries = []
        for space in get_args(Space):
            asked = replace(request, options={"space": space, "foods": foods})
            entries.append(_as_optimum(world, solve(world, asked), space, foods))
        return [entry for entry in entries if entry is not None]


def _as_optimum(world: CollabOvercooked, solution: Solution, space: Space, foods: Foods) -> Optimum | None:
    """A solution as it is shipped; ``None`` if it has no plan, or the rules are neither of the presets."""
    if (
        solution.objective is None
        or solution.bound is None
        or world.rules.name not in ("standard", "released")
    ):
        return None
    preset: Preset = "released" if world.rules.name == "released" else "standard"
    chef, assistant = plans_by_cook(world, solution.plan, space)
    return Optimum(
        id=world.id,
        rules=preset,
        space=space,
        steps=solution.objective,
        bound=solution.bound,
        status="optimal" if solution.status == "optimal" else "feasible",
        chef=chef,
        assistant=assistant,
        foods="all" if space == "moves" else foods,
    )


def _chosen(request: Request, option: str, known: Sequence[str]) -> Any:
    """The value of an option, by default the first that is known; raises ``UnknownName``."""
    name = request.options.get(option, known[0])
    for each in known:
        if each == name:
            return each
    raise UnknownName(option, name, known)


ORACLE = CollabOvercookedOracle()
