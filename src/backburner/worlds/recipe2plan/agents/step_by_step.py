"""Cooks step by step by the plan of the article's Algorithm 1, from wherever the kitchen has got to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.errors import Refused
from backburner.kernel.policy import Reply, Turn
from backburner.worlds.recipe2plan.agents.planned import depth_first_plan
from backburner.worlds.recipe2plan.game import Cook, Piece, Recipe2Plan
from backburner.worlds.recipe2plan.game.actions import FINISH
from backburner.worlds.recipe2plan.game.beliefs import gold
from backburner.worlds.recipe2plan.game.state import State


class StepByStep:
    """One step at a decision: of those that are left, the first of the plan that can be done now.

    It begins when the plan has it begin, or now if that is over, so that a plan which somebody has not kept
    to goes on as well as it can. Where the heuristic finds no plan, steps are taken as the menu has them.
    """

    name = "step by step"
    informed = True
    settings: Mapping[str, Any] = {}

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
