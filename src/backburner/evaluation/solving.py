"""The shortest plan of a world, proven by the solver and judged by the world."""

from __future__ import annotations

from typing import Any, get_args

from msgspec.structs import replace

from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, ReplayMismatch, UnknownName
from backburner.kernel.judge import judge, schedulable
from backburner.kernel.solution import Solution
from backburner.scheduling.makespan import solve_problem
from backburner.worlds.collab_overcooked.game import CollabOvercooked
from backburner.worlds.collab_overcooked.game.optima import Foods
from backburner.worlds.collab_overcooked.oracle.problem import Space
from backburner.worlds.collab_overcooked.oracle.solving import solve_cooks
from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.oracle.beam_search import most_served
from backburner.worlds.robotouille.game import Robotouille
from backburner.worlds.robotouille.oracle.kitchens import solve_kitchen


def solve_world(
    world: World[Any, Any, Any],
    *,
    time_limit_seconds: float = 60.0,
    workers: int = 1,
    seed: int = 0,
    before: Solution | None = None,
    space: str = "",
    foods: str = "",
) -> Solution:
    """The shortest plan of a ``Schedulable`` world, a kitchen of Robotouille or orders of
    Collab-Overcooked, or the play of a CuisineWorld that serves most orders, played in it; the objective is
    the world's figure. ``before``: what an earlier search of a kitchen found, to go on from. ``space`` and
    ``foods`` are for Collab-Overcooked: whether plans are made of ``calls`` (if it is not said) or of
    ``moves``, and whether ``calls`` may fetch the recipes' ``own`` foods (if it is not said) or ``all``.

    If the world's own limits cut the plan off, that plan is no answer: the status is ``infeasible``
    if no shorter plan exists, else ``unknown``, and the note tells the plan's length. Raises
    ``MissingExtra``, ``Refused`` for a world that is not schedulable or has no such spaces, ``UnknownName``
    for a space that there is not, and ``ReplayMismatch`` if the world does not let the plan end as the
    model says, which is a bug in one of the two.
    """
    if isinstance(world, CollabOvercooked):
        return _solve_cooks(world, space, foods, time_limit_seconds)
    if space or foods:
        raise Refused(f"{world.id}: only collab_overcooked has decision spaces to choose from")
    if isinstance(world, CuisineWorld):
        return most_served(world, time_limit_seconds=time_limit_seconds)
    if isinstance(world, Robotouille):
        return solve_kitchen(world, time_limit_seconds=time_limit_seconds, before=before)
    problem = schedulable(world).problem()
    answer = replace(
        solve_problem(problem, time_limit_seconds=time_limit_seconds, workers=workers, seed=seed),
        scenario=world.id,
    )
    if answer.starts is None:
        return answer
    verdict = judge(world, answer.starts)
    if verdict.outcome.status == "cut off":
        return replace(
            answer,
            status="infeasible" if answer.status == "optimal" else "unknown",
            objective=None,
            starts=None,
            note=f"the plan takes {answer.objective} {problem.unit}; the world ends play before "
            f"({verdict.outcome.reason})",
        )
    finished = verdict.finished_at(problem.unit)
    if finished != answer.objective:
        raise ReplayMismatch(
            f"{world.id}: by the model the plan takes {answer.objective} {problem.unit}; "
            f"played in the world it ends as {verdict.outcome}"
        )
    return replace(answer, objective=finished, plan=verdict.words)


def _solve_cooks(world: CollabOvercooked, space: str, foods: str, time_limit_seconds: float) -> Solution:
    spaces: dict[str, Space] = {name: name for name in get_args(Space)}
    if space and space not in spaces:
        raise UnknownName("space", space, spaces)
    return solve_cooks(
        world,
        space=spaces.get(space, "calls"),
        foods=foods_named(foods),
        time_limit_seconds=time_limit_seconds,
    )


def foods_named(name: str) -> Foods:
    """What plans of calls may fetch, by name; ``own`` if it is not said. Raises ``UnknownName``."""
    known: dict[str, Foods] = {each: each for each in get_args(Foods)}
    if name and name not in known:
        raise UnknownName("foods", name, known)
    return known.get(name, "own")
