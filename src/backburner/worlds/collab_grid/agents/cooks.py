"""Agents without a model: cooks that share the recipe's next tasks, and cooks that play a shortest plan.

What there is to do, and who does it, they find as the greedy cooks of Collab-Overcooked do; a task is a call
of that world, which they carry out move by move. Nobody speaks: both go by the recipe, and so know more than
their seats where these do not have it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from backburner.kernel.policy import PlainPolicy, Reply, Turn, once_per_world
from backburner.worlds.collab_grid.game.catalogue import optimum_of
from backburner.worlds.collab_grid.game.legality import IDLE, INTERACT, VERBS, Action
from backburner.worlds.collab_grid.game.state import State
from backburner.worlds.collab_grid.game.world import CollabGrid
from backburner.worlds.collab_grid.oracle.solver import joint_moves
from backburner.worlds.collab_overcooked.agents.task_allocation import allocated
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.layout import START
from backburner.worlds.collab_overcooked.game.state import SEATS, Cook, Kitchen, cook_of
from backburner.worlds.collab_overcooked.game.state import State as PublishedState
from backburner.worlds.collab_overcooked.game.world import observed

CHEF, ASSISTANT = 0, 1


class GreedyCooks(PlainPolicy):
    """Plays either cook, from the whole kitchen and the recipe; where the other does not play so, it adapts,
    as tasks are shared anew in every step."""

    name = "greedy"
    informed = True

    def __init__(self, world: CollabGrid) -> None:
        self._world = world
        self._compiled = world.compiled
        self._tasks = lru_cache(maxsize=64)(self._shared_out)  # both cooks ask in the same kitchen

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next move of its task; nothing is remembered."""
        return Reply(self.action(turn.state, cook_of(turn.seat), turn.index))

    def action(self, state: State, cook: int, index: int) -> Action:
        """What a cook does in a state, the ``index``-th of the episode.

        Who has no way, who stands in the other's way with nothing to do, and the assistant where the cooks
        would run into each other, goes aside.
        """
        kitchen = state.kitchen
        tasks = self._tasks(kitchen)
        ways = [self._towards(kitchen, each, tasks[each]) for each in (0, 1)]
        wanted = ways[cook]
        blocks = wanted == IDLE and ways[1 - cook] is None
        if wanted is None or blocks or (cook == ASSISTANT and self._collides(kitchen, ways[CHEF], wanted)):
            wanted = self._aside(kitchen, cook, f"{state.seed}/{index}")
        accepted = self._world.legality.refusal(kitchen, cook, wanted) is None
        return wanted if accepted else IDLE

    def _shared_out(self, kitchen: Kitchen) -> Sequence[Call]:
        """For each cook the call that it is to do next; who has no way leaves it to an idle partner that
        can do it."""
        seen = observed(self._compiled, PublishedState(kitchen, (Cook(), Cook())), CHEF)
        plans = allocated(self._compiled, seen, CHEF)
        read = [self._compiled.reader.read(plans[cook][0]) if cook in plans else None for cook in (0, 1)]
        tasks = [each if isinstance(each, Call) else calls.wait() for each in read]
        for cook in (0, 1):
            stuck = self._towards(kitchen, cook, tasks[cook]) is None
            able = self._compiled.legality.refusal(kitchen, 1 - cook, tasks[cook]) is None
            if stuck and able and tasks[1 - cook].verb == calls.WAIT:
                return tasks[::-1]
        return tasks

    def _towards(self, kitchen: Kitchen, cook: int, task: Call) -> Action | None:
        """The next move of a task; ``None`` if there is no way now."""
        if task.verb == calls.WAIT:
            return IDLE
        move = self._compiled.execution.move(kitchen, cook, task)
        if move is None:
            return None
        number, parameter = move
        verb = VERBS[number]
        grid, body = self._compiled.grid, kitchen.bodies[cook]
        fetches = grid.tiles[body.cell + grid.deltas[body.facing]] == letters.INGREDIENTS
        return Action(verb, parameter if verb == INTERACT and (fetches or parameter == START) else "")

    def _collides(self, kitchen: Kitchen, chefs: Action | None, wanted: Action) -> bool:
        """Whether the assistant would run into the chef, as far as that does its task."""
        if wanted.verb == INTERACT or wanted == IDLE:
            return False
        return self._compiled.stepper.step(kitchen, ((chefs or IDLE).move, wanted.move)).collided

    def _aside(self, kitchen: Kitchen, cook: int, seed: str) -> Action:
        """A step to a free cell, or none."""
        grid, body = self._compiled.grid, kitchen.bodies[cook]
        other = kitchen.bodies[1 - cook].cell
        free = [
            VERBS[direction]
            for direction, delta in enumerate(grid.deltas)
            if grid.is_floor[body.cell + delta] and body.cell + delta != other
        ]
        draw = random.Random(f"aside/{seed}/{cook}")
        return Action(draw.choice(free)) if free and draw.random() < 0.75 else IDLE


class OracleCooks(PlainPolicy):
    """Plays either cook's part of the shipped shortest plan, or of the best that is found in a minute.

    When play is no longer as planned, goes on as the greedy cooks do. Raises ``Refused`` where no plan is
    known or found.
    """

    name = "oracle"
    informed = True

    def __init__(self, world: CollabGrid) -> None:
        self._greedy = GreedyCooks(world)
        self._planned: dict[Kitchen, tuple[Action, Action]] = {}
        state = world.start()
        for actions in joint_moves(world):
            self._planned[state.kitchen] = actions
            state = world.step(state, dict(zip(SEATS, actions, strict=True))).state

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The plan's move in this kitchen."""
        cook, state = cook_of(turn.seat), turn.state
        planned = self._planned.get(state.kitchen)
        return Reply(self._greedy.action(state, cook, turn.index) if planned is None else planned[cook])


oracle_cooks = once_per_world(OracleCooks)
"""``OracleCooks`` of a world; its plan is read once."""


def shipped_cooks(world: CollabGrid) -> OracleCooks | None:
    """``OracleCooks`` where a plan ships with the scenario."""
    return None if optimum_of(world.id, world.rules.name) is None else oracle_cooks(world)
