"""Agents whose whole plan is made before play."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.kernel.errors import Refused
from backburner.kernel.oracle import solve_world
from backburner.kernel.policy import PlanPolicy, Policy, once_per_world
from backburner.worlds.recipe2plan.game import Cook, Recipe2Plan
from backburner.worlds.recipe2plan.game.actions import FINISH
from backburner.worlds.recipe2plan.game.example import example_decisions
from backburner.worlds.recipe2plan.oracle.solver import heuristic_plan


def greedy(world: Recipe2Plan) -> Policy:
    """Plays the plan of the article's Algorithm 1; raises ``Refused`` where it finds none."""
    return PlanPolicy("greedy", depth_first_plan(world), informed=True)


@once_per_world
def depth_first_plan(world: Recipe2Plan) -> tuple[Cook, ...]:
    """The decisions of Algorithm 1's plan; raises ``Refused`` where it finds none."""
    found = heuristic_plan(world)
    if found.starts is None:
        why = "finds no plan" if found.status == "none" else "gives up"
        raise Refused(f"{world.id}: the published heuristic {why} after {found.nodes} nodes")
    return tuple(world.plan(found.starts))


def stepwise(world: Recipe2Plan) -> Policy:
    """Plays the oracle's plan as a cook does who looks at the kitchen after each action.

    Raises ``Refused`` where there is no plan, ``MissingExtra``.
    """
    solution = solve_world(world)
    if solution.starts is None:
        raise Refused(f"{world.id}: no plan under these rules ({solution.status}): {solution.note}")
    return PlanPolicy("stepwise", one_by_one(world.plan(solution.starts)), informed=True)


def one_by_one(plan: Sequence[Cook]) -> tuple[Cook, ...]:
    """A plan with its actions in decisions of their own, one after the other."""
    return tuple(
        one
        for decision in plan
        for one in ([Cook((piece,)) for piece in decision.actions] + ([FINISH] if decision.finish else []))
        or [decision]
    )


def example(world: Recipe2Plan) -> Policy:
    """Plays the plan of the worked example that ships with the world."""
    return PlanPolicy("example", example_decisions(world.scenario), informed=True)
