"""What is shipped as data: shortest plans in both decision spaces, and minimal trajectories."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.optima import write_entries
from backburner.kernel.oracle import Solution
from backburner.worlds.collab_overcooked.game import CollabOvercooked
from backburner.worlds.collab_overcooked.game.optima import Foods, Optimum, Preset, Space
from backburner.worlds.collab_overcooked.metrics.references import Reference
from backburner.worlds.collab_overcooked.metrics.trajectories import OrderTrajectories
from backburner.worlds.collab_overcooked.oracle.plans import by_cook
from backburner.worlds.collab_overcooked.oracle.solving import solve_cooks
from backburner.worlds.collab_overcooked.oracle.trajectories import Trajectories, trajectories

SPACES: tuple[Space, ...] = ("calls", "moves")
NEAR_STEPS = 2
"""The second set holds the plans that take at most so many steps more than the shortest."""


def as_data(world: CollabOvercooked, found: Solution, space: Space, foods: Foods) -> Optimum | None:
    """What is shipped of a solution; ``None`` without a plan, or of rules of one's own."""
    if found.objective is None or found.bound is None or world.rules.name not in ("standard", "released"):
        return None
    preset: Preset = "released" if world.rules.name == "released" else "standard"
    chef, assistant = by_cook(world, found.plan, space)
    return Optimum(
        id=world.id,
        rules=preset,
        space=space,
        steps=found.objective,
        bound=found.bound,
        status="optimal" if found.status == "optimal" else "feasible",
        chef=chef,
        assistant=assistant,
        foods="all" if space == "moves" else foods,
    )


def optima_of(
    world: CollabOvercooked, *, foods: Foods = "own", time_limit_seconds: float = 60.0
) -> list[Optimum]:
    """The shortest plans of a world in both spaces; those that are not found in the time are left out."""
    found = (
        as_data(
            world,
            solve_cooks(world, space=space, foods=foods, time_limit_seconds=time_limit_seconds),
            space,
            foods,
        )
        for space in SPACES
    )
    return [optimum for optimum in found if optimum is not None]


def order_trajectories(world: CollabOvercooked, *, most: int = 1000) -> OrderTrajectories:
    """The trajectories of a world of one published order."""
    scenario = world.scenario
    if scenario.level is None:
        raise Refused(f"{world.id}: trajectories are shipped for the published orders")
    shortest = trajectories(world, most=most)
    near = trajectories(world, slack_steps=NEAR_STEPS, most=most)
    complete = shortest.complete and near.complete
    in_vain: tuple[Reference, ...] = ()
    found = solve_cooks(world)
    if found.objective is not None and found.objective < shortest.fewest_steps:
        sets = trajectories(world, foods="own", most=most)
        in_vain, complete = _named("in_vain", sets), complete and sets.complete
    return OrderTrajectories(
        scenario.orders[0],
        scenario.level,
        complete,
        _named("shortest", shortest),
        _named("near", near),
        in_vain,
    )


def _named(set_name: str, found: Trajectories) -> tuple[Reference, ...]:
    return tuple(
        Reference(f"{set_name}_{number}", one.steps, one.chef, one.assistant)
        for number, one in enumerate(found.found, 1)
    )


def write_trajectories(path: Path, names: Sequence[str], *, most: int = 1000) -> list[OrderTrajectories]:
    """The trajectories of published orders into a file like the shipped one, one order on each line."""
    found = []
    for id in dict.fromkeys(id for name in names for id in registry.expand(name)):
        world = registry.world(id, limits="none")
        if not isinstance(world, CollabOvercooked):
            raise Refused(f"{id}: this file is about collab_overcooked")
        found.append(order_trajectories(world, most=most))
    source = (
        f"all minimal trajectories, searched by backburner.worlds.collab_overcooked.oracle.shipping for "
        f"{' '.join(names)}; at most {most} from any moment"
    )
    write_entries(path, source, found, field="orders")
    return found
