"""Scenes of a search as a plan: the commands that lead from one to the next."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.kernel.errors import ReplayMismatch
from backburner.worlds.cuisineworld.game import Commands, CuisineWorld
from backburner.worlds.cuisineworld.game.actions import GET, GOTO, NOOP
from backburner.worlds.cuisineworld.game.kitchen import STORAGE
from backburner.worlds.cuisineworld.game.state import NOTHING
from backburner.worlds.cuisineworld.oracle.model import KitchenModel, Scene
from backburner.worlds.cuisineworld.oracle.steps import Act, Steps


def plan_of(world: CuisineWorld, model: KitchenModel, scenes: Sequence[Scene]) -> tuple[Commands, ...]:
    """A decision for each step of the episode; nobody does anything where the scenes are at an end.

    Raises ``ReplayMismatch`` if no step leads from one scene to the next.
    """
    rows = _acts(model, scenes)
    rows += [()] * ((world.limits.turns or 0) - len(rows))
    said = zip(rows, _targets(model, rows), strict=True)
    return tuple(_commands(world, model, row, targets) for row, targets in said)


def _acts(model: KitchenModel, scenes: Sequence[Scene]) -> list[tuple[Act, ...]]:
    """What each body does in each step: scenes do not tell which of equal bodies and tools is which."""
    steps = Steps(model, model.kitchen.level_ingredients, model.kitchen.dish_things)
    here = model.start()
    found: list[tuple[Act, ...]] = []
    for wanted in scenes[1:]:
        ways = (way for way in steps.of(here) if model.canonical(way[0]) == wanted)
        way = next(ways, None)
        if way is None:
            raise ReplayMismatch(f"no step leads to the scene after step {len(found)}")
        here = way[0]
        found.append(way[1])
    return found


def _targets(model: KitchenModel, rows: Sequence[Sequence[Act]]) -> list[dict[int, int]]:
    """For each step who goes where: in the step before something is done elsewhere."""
    found: list[dict[int, int]] = [{} for _ in rows]
    at = dict.fromkeys(range(model.n_bodies), model.kitchen.start)
    for number, row in enumerate(rows):
        for act in row:
            if at[act.body] != act.place:
                found[number - 1][act.body] = at[act.body] = act.place
    return found


def _commands(
    world: CuisineWorld, model: KitchenModel, row: Sequence[Act], targets: dict[int, int]
) -> Commands:
    command = world.command_reader.command
    said = [command(act.verb, act.body, act.place, _named(model, act)).text for act in row]
    busy = {act.body for act in row}
    for body in range(model.n_bodies):
        if body in targets:
            said.append(command(GOTO, body, targets[body]).text)
        elif body not in busy:
            said.append(command(NOOP, body).text)
    return Commands(tuple(said))


def _named(model: KitchenModel, act: Act) -> int:
    """What is taken from a storage must be named."""
    return act.thing if act.verb == GET and model.kitchen.roles[act.place] == STORAGE else NOTHING
