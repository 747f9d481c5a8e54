"""Agents whose whole plan is made before play."""

from __future__ import annotations

from backburner.kernel.errors import Refused
from backburner.kernel.policy import PlanPolicy, Policy, once_per_world
from backburner.worlds.recipe2plan.game import Cook, Recipe2Plan
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


def example(world: Recipe2Plan) -> Policy:
    """Plays the plan of the worked example that ships with the world."""
    return PlanPolicy("example", example_decisions(world.scenario), informed=True)
