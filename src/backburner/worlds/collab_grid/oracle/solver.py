"""The grid's oracle: shortest plans of moves, found and proven by the search of Collab-Overcooked.

Kitchens step alike in both worlds, so that its A* in the space of moves is this world's; plans are played
here move by move before they are believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import cast

from msgspec.structs import replace

from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.oracle import JOINT, Onward, Oracle, Request, Slow, Solution
from backburner.kernel.policy import once_per_world
from backburner.kernel.reach import slow_plan, slowed_plan
from backburner.worlds.collab_grid.game.catalogue import optimum_of
from backburner.worlds.collab_grid.game.legality import Action, planned, read
from backburner.worlds.collab_grid.game.state import NO_LIMITS, State
from backburner.worlds.collab_grid.game.world import CollabGrid
from backburner.worlds.collab_overcooked.game.catalogue import Space
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS as UNLIMITED
from backburner.worlds.collab_overcooked.game.state import SEATS
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.oracle.search import StepsToGo
from backburner.worlds.collab_overcooked.oracle.solver import solve_cooks

NODES_OF_EFFORT = 10_000
"""Nodes that a search expands in about a second."""

SPACE: Space = "moves"


class GridOracle(Oracle):
    """A plan has a line for each step, the chef's action before the assistant's: ``west | interact(egg)``."""

    def solve(self, world: CollabGrid, request: Request) -> Solution:
        """A shortest plan of moves; nothing is fetched that no order takes, which never saves a step."""
        kitchen = CollabOvercooked(world.id, world.scenario, world.rules.of_the_kitchen, UNLIMITED)
        seconds, effort = request.time_limit_seconds, request.effort
        found = solve_cooks(kitchen, space=SPACE, time_limit_seconds=seconds, effort=effort)
        if found.objective is None:
            return found
        actions = [tuple(map(planned, line.split(JOINT))) for line in found.plan]
        _check(world, actions, found.objective)
        plan = tuple(JOINT.join(action.text for action in joint) for joint in actions)
        return replace(found, plan=plan).within(world.limits.steps)

    def known(self, world: CollabGrid) -> Solution | None:
        """The plan of moves that ships with the published world."""
        known = optimum_of(world.id, world.rules.name)
        if known is None:
            return None
        plan = tuple(JOINT.join(action.text for action in joint) for joint in joint_moves(world))
        return Solution(world.id, known.status, known.steps, known.bound, "min", "steps", SPACE, plan=plan)

    def slowed(self, world: CollabGrid, latency: Fraction, request: Request) -> Solution:
        """From the shortest plan: both cooks are asked in every step, and each thinks for itself."""
        free = CollabGrid(world.id, world.scenario, world.rules, NO_LIMITS)
        best = self.known(free) or self.solve(free, request)
        slow = None if best.objective is None else self.slow(free, latency, request)
        return slowed_plan(free, best, slow, latency, limit=world.limits.steps)

    def slow(self, world: CollabGrid, latency: Fraction, request: Request) -> Slow:
        """The shortest plan, stretched."""
        free = CollabGrid(world.id, world.scenario, world.rules, NO_LIMITS)
        plan = [dict(zip(SEATS, actions, strict=True)) for actions in joint_moves(free, request)]
        return slow_plan(free, plan, latency)

    def onward(self, world: CollabGrid, state: State, effort: float) -> Onward:
        """By a search of ``effort`` times ``NODES_OF_EFFORT`` nodes."""
        if world.scenario.order_weights:
            raise Refused(f"{world.id}: new orders come in for ever; no plan meets them all")
        return _steps_to_go(world).onward(state.kitchen, round(effort * NODES_OF_EFFORT))


def joint_moves(world: CollabGrid, request: Request | None = None) -> Sequence[tuple[Action, Action]]:
    """Both cooks' actions in each step of the shipped plan, or of the best that is found; raises ``Refused``
    where there is none."""
    known = optimum_of(world.id, world.rules.name)
    if known is not None:
        both = zip(known.chef, known.assistant, strict=True)
        return [(planned(chefs), planned(assistants)) for chefs, assistants in both]
    found = ORACLE.solve(world, request or Request())
    if found.objective is None:
        raise Refused(f"{world.id}: no plan of moves is known or found. {found.note}".rstrip())
    lines = ([cast(Action, read(text)) for text in line.split(JOINT)] for line in found.plan)
    return [(chefs, assistants) for chefs, assistants in lines]


@once_per_world
def _steps_to_go(world: CollabGrid) -> StepsToGo:
    return StepsToGo(world.compiled, SPACE)


def _check(world: CollabGrid, actions: Sequence[tuple[Action, ...]], steps: int) -> None:
    """Raises ``ReplayMismatch`` unless the world plays the plan to its end, and refuses nothing."""
    free = CollabGrid(world.id, world.scenario, world.rules, NO_LIMITS)
    state = free.start()
    for joint in actions:
        step = free.step(state, dict(zip(SEATS, joint, strict=True)))
        if step.refusals:
            raise ReplayMismatch(f"{world.id}: a move of the plan is refused ({step.refusals[0].code})")
        state = step.state
    if state.ended != "completed" or state.kitchen.steps != steps:
        raise ReplayMismatch(
            f"{world.id}: by the search the plan takes {steps} steps; played in the world, "
            f"{state.kitchen.steps} pass and {len(state.kitchen.orders)} orders are left"
        )


ORACLE = GridOracle()
