"""Collab-Overcooked's oracle: shortest plans in calls or in moves, and what ships of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from msgspec.structs import replace

from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.oracle import Oracle, Request, Solution, Solve
from backburner.worlds.collab_overcooked.game.optima import Foods, Optimum, Preset, Space
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.oracle.solving import plans_by_cook, solve_cooks


class CollabOvercookedOracle(Oracle):
    """Options: ``space``, what plans are made of; ``foods``, what the calls of plans may fetch."""

    optimum_type = Optimum

    def solve(self, world: CollabOvercooked, request: Request) -> Solution:
        """See ``solve_cooks``."""
        return solve_cooks(
            world,
            space=space_named(request.options.get("space", "calls")),
            foods=foods_named(request.options.get("foods", "own")),
            time_limit_seconds=request.time_limit_seconds,
        )

    def optima(self, world: CollabOvercooked, request: Request, solve: Solve) -> Sequence[Optimum]:
        """An entry for each space in which a plan is found."""
        if "space" in request.options:
            raise Refused("an optima file is about every space of its world; leave --space out")
        foods = foods_named(request.options.get("foods", "own"))
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


def space_named(name: str) -> Space:
    """The decision space of this name; raises ``UnknownName``."""
    known: dict[str, Space] = {each: each for each in get_args(Space)}
    if name not in known:
        raise UnknownName("space", name, known)
    return known[name]


def foods_named(name: str) -> Foods:
    """What plans of calls may fetch, by name; raises ``UnknownName``."""
    known: dict[str, Foods] = {each: each for each in get_args(Foods)}
    if name not in known:
        raise UnknownName("foods", name, known)
    return known[name]


ORACLE = CollabOvercookedOracle()
