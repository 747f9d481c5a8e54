"""Agents that a world's plan or heuristic plays: the proven optimum, the heuristic, one that slips."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from backburner.agents.scripted import JointPlanPolicy, PlanPolicy, PriorityPolicy
from backburner.evaluation.solving import solve_world
from backburner.kernel.contract import Schedulable, World
from backburner.kernel.digest import digest
from backburner.kernel.errors import Refused
from backburner.kernel.policy import Policy
from backburner.worlds.collab_overcooked.agents import ClumsyCooks, GreedyCooks, OracleCooks
from backburner.worlds.collab_overcooked.game import CollabOvercooked
from backburner.worlds.cuisineworld.agents.greedy import GreedyDispatcher
from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.recipe2plan.game import Recipe2Plan
from backburner.worlds.recipe2plan.game.example import example_decisions
from backburner.worlds.recipe2plan.oracle.heuristic import heuristic_plan
from backburner.worlds.robotouille.agents.recipe_follower import FollowerPolicy
from backburner.worlds.robotouille.game import Robotouille
from backburner.worlds.robotouille.game.optima import known_optimum
from backburner.worlds.robotouille.oracle.kitchens import Plan, best_plan
from backburner.worlds.timearena.game import TimeArena
from backburner.worlds.timearena.oracle.script import script_plan


class _Solved:
    """A world as a key: equal if scenario and rules are equal, so that it is solved once."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self._key = digest((world.scenario, world.rules, world.limits))

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Solved) and other._key == self._key


def oracle(world: World[Any, Any, Any]) -> Policy:
    """Plays the proven optimal plan (Robotouille, Collab-Overcooked: the best that is known, and shipped if
    there is one; CuisineWorld: the best that is found in a minute).

    Raises ``Refused`` if there is none, or no exact oracle.
    """
    if isinstance(world, Robotouille):
        return JointPlanPolicy("oracle", _best_plan(_Solved(world)))
    if isinstance(world, CollabOvercooked):
        return _talking_oracle(_Solved(world))
    if isinstance(world, CuisineWorld):
        return PlanPolicy("oracle", _best_service(_Solved(world)), informed=True)
    return PlanPolicy("oracle", _optimal_plan(_Solved(world)), informed=True)


@lru_cache(maxsize=512)
def _best_plan(solved: _Solved) -> Plan:
    return best_plan(solved.world)


@lru_cache(maxsize=512)
def _talking_oracle(solved: _Solved) -> Policy:
    return OracleCooks(solved.world)


@lru_cache(maxsize=512)
def _best_service(solved: _Solved) -> tuple[str, ...]:
    world: CuisineWorld = solved.world
    if world.scenario.seed is None:
        raise Refused(f"{world.id}: orders come by the seed of play, so that there is no plan before")
    return solve_world(world).plan


@lru_cache(maxsize=512)
def _optimal_plan(solved: _Solved) -> tuple[Any, ...]:
    world: World[Any, Any, Any] = solved.world
    if not isinstance(world, Schedulable):
        raise Refused(f"{world.id}: this world has no exact oracle yet")
    solution = solve_world(world)
    if not solution.starts:
        raise Refused(f"{world.id}: no plan under these rules ({solution.status}): {solution.note}")
    return tuple(world.plan(solution.starts))


def greedy(world: World[Any, Any, Any]) -> Policy:
    """Plays the world's published heuristic, or one of our own where none is published.

    Raises ``Refused`` if there is none, or it finds no plan.
    """
    for kind, made in GREEDY.items():
        if isinstance(world, kind):
            return made(_Solved(world))
    raise Refused(f"{world.id}: this world has no heuristic")


def demonstrator(world: World[Any, Any, Any]) -> Policy:
    """Shows how a world is played that was named for that: the plan that ships with the world, else the
    heuristic, so that nobody waits for a search.

    Raises ``Refused`` where there is neither.
    """
    if isinstance(world, Recipe2Plan):
        return PlanPolicy("example", example_decisions(world.scenario), informed=True)
    known = isinstance(world, Robotouille) and known_optimum(world.id, world.rules.name)
    return oracle(world) if known else greedy(world)


def clumsy(world: World[Any, Any, Any]) -> Policy:
    """Plays as the heuristic does, with slips drawn by the episode's seed.

    Raises ``Refused`` where no such agent is made.
    """
    if isinstance(world, CollabOvercooked):
        return ClumsyCooks(world)
    raise Refused(f"{world.id}: this world has no clumsy agent; collab_overcooked has")


def _timearena(solved: _Solved) -> Policy:
    return PriorityPolicy("greedy", _ranking(solved))


@lru_cache(maxsize=512)
def _ranking(solved: _Solved) -> tuple[Any, ...]:
    world: TimeArena = solved.world
    acts = {required.name: required.acts for required in world.combination.required}
    return tuple(act for name in script_plan(world).order for act in acts[name])


def _recipe2plan(solved: _Solved) -> Policy:
    return PlanPolicy("greedy", _depth_first_plan(solved), informed=True)


@lru_cache(maxsize=512)
def _depth_first_plan(solved: _Solved) -> tuple[Any, ...]:
    world: Recipe2Plan = solved.world
    found = heuristic_plan(world)
    if found.starts is None:
        why = "finds no plan" if found.status == "none" else "gives up"
        raise Refused(f"{world.id}: the published heuristic {why} after {found.moments} moments")
    return tuple(world.plan(found.starts))


def _robotouille(solved: _Solved) -> Policy:
    return FollowerPolicy(solved.world)


def _collab_overcooked(solved: _Solved) -> Policy:
    return GreedyCooks(solved.world)


GREEDY: Mapping[type[Any], Callable[[_Solved], Policy]] = {
    TimeArena: _timearena,
    Recipe2Plan: _recipe2plan,
    Robotouille: _robotouille,
    CollabOvercooked: _collab_overcooked,
    CuisineWorld: lambda solved: GreedyDispatcher(solved.world),
}
"""Each world with a heuristic, and what makes an agent of it."""
