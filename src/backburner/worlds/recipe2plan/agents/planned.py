"""Agents that play a plan: one made whole before play, and Algorithm 1's, step by step from any moment.

Plans name starts. Where thinking costs time, what is left of one is put off by what the kitchen is behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.oracle import solve_world
from backburner.kernel.policy import PlainPolicy, PlanPolicy, Policy, Reply, Turn, once_per_world
from backburner.worlds.recipe2plan.game import Cook, Piece, Recipe2Plan
from backburner.worlds.recipe2plan.game.beliefs import gold
from backburner.worlds.recipe2plan.game.compiled import one_by_one
from backburner.worlds.recipe2plan.game.state import FINISH, State
from backburner.worlds.recipe2plan.game.text import example_decisions
from backburner.worlds.recipe2plan.oracle.solver import heuristic_plan


def greedy(world: Recipe2Plan) -> Policy:
    """Plays the plan of the article's Algorithm 1; raises ``Refused`` where it finds none."""
    return PutOff("greedy", depth_first_plan(world), world)


@once_per_world
def depth_first_plan(world: Recipe2Plan) -> tuple[Cook, ...]:
    """The decisions of Algorithm 1's plan; raises ``Refused`` where it finds none."""
    found = heuristic_plan(world)
    if found.starts is None:
        why = "finds no plan" if found.status == "none" else "gives up"
        raise Refused(f"{world.id}: the published heuristic {why} after {found.nodes} nodes")
    return tuple(world.plan(found.starts))


def oracle(world: Recipe2Plan) -> Policy:
    """Plays the oracle's plan; raises ``Refused`` where there is none, ``MissingExtra``."""
    return PutOff("oracle", shortest_plan(world), world)


def stepwise(world: Recipe2Plan) -> Policy:
    """Plays the oracle's plan as a cook does who looks at the kitchen after each action.

    Raises ``Refused`` where there is no plan, ``MissingExtra``.
    """
    return PutOff("stepwise", one_by_one(shortest_plan(world)), world)


@once_per_world
def shortest_plan(world: Recipe2Plan) -> tuple[Cook, ...]:
    """The decisions of the oracle's plan."""
    solution = solve_world(world)
    if solution.starts is None:
        raise Refused(f"{world.id}: no plan under these rules ({solution.status}): {solution.note}")
    return tuple(world.plan(solution.starts))


class PutOff(PlanPolicy):
    """Gives the decisions of a plan, later by as much as the kitchen is behind the plan."""

    def __init__(self, name: str, plan: Sequence[Cook], world: Recipe2Plan) -> None:
        super().__init__(name, plan, informed=True)
        planned = [_free_after(world, decision) for decision in plan]
        self._planned = tuple(accumulate([0, *planned], max))

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next decision; ``memory`` counts those given."""
        reply = await super().decide(turn, memory)
        cook: Cook = reply.answer
        late = turn.state.kitchen.clock - self._planned[int(memory or 0)]
        if late <= 0:
            return reply
        later = tuple(replace(piece, start=piece.start + late) for piece in cook.actions)
        return replace(reply, answer=replace(cook, actions=later))


def _free_after(world: Recipe2Plan, decision: Cook) -> int:
    """The second from which on the cook is free when the decision is carried out as planned."""
    done = ((piece, world.compiled.jobs_of[piece.recipe][piece.step]) for piece in decision.actions)
    return max((piece.start if job.autonomous else piece.stop for piece, job in done), default=0)


def example(world: Recipe2Plan) -> Policy:
    """Plays the plan of the worked example that ships with the world."""
    return PlanPolicy("example", example_decisions(world.scenario), informed=True)


class StepByStep(PlainPolicy):
    """One step at a decision: of those that are left, the first of the plan that can be done now.

    It begins when the plan has it begin, or now if that is over, so that a plan which somebody has not kept
    to goes on as well as it can. Where the heuristic finds no plan, steps are taken as the menu has them.
    """

    name = "step by step"
    informed = True

    def __init__(self, world: Recipe2Plan) -> None:
        self._world = world
        self._pieces = _pieces(world)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The truth about the recipes where that is asked for, then the next step, at last *Finish*."""
        state: State = turn.state
        question = self._world.question(turn.observation)
        if question is not None and not question.move:
            return Reply(Cook(beliefs=tuple(map(gold, self._world.scenario.recipes))))
        return Reply(self._next(state) or turn.menu.options[0].decision)

    def _next(self, state: State) -> Cook | None:
        kitchen, compiled = state.kitchen, self._world.compiled
        if kitchen.done == len(compiled.jobs):
            return FINISH
        for piece in self._pieces:
            job = compiled.jobs_of[piece.recipe][piece.step]
            seconds = min(piece.seconds, kitchen.left[job.index])
            begun = Piece(piece.step, piece.recipe, seconds, max(piece.start, kitchen.clock))
            if seconds and self._world.rulebook.legality.obstacle(kitchen, job, begun) is None:
                return Cook((begun,))
        return None


def _pieces(world: Recipe2Plan) -> tuple[Piece, ...]:
    try:
        return tuple(piece for decision in depth_first_plan(world) for piece in decision.actions)
    except Refused:
        return ()
