"""Collab-Overcooked's shortest plans by trying everything through the world; small kitchens to try it in."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from backburner.worlds.collab_overcooked.game import CollabOvercooked
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import (
    DISH,
    EAST,
    INTERACT,
    NORTH,
    SOUTH,
    START,
    STAY,
    WEST,
    Layout,
    Recipe,
    UtensilKind,
)
from backburner.worlds.collab_overcooked.game.reading import reply_of
from backburner.worlds.collab_overcooked.game.state import Kitchen, Move, State
from backburner.worlds.collab_overcooked.game.view import possible_calls

WIDTH, HEIGHT = 5, 4
INSIDE = [(x, y) for y in range(1, HEIGHT - 1) for x in range(1, WIDTH - 1)]
EDGE = [
    (x, y) for y in range(HEIGHT) for x in range(WIDTH) if (x in (0, WIDTH - 1)) != (y in (0, HEIGHT - 1))
]


def small_layout(seed: int, floor_cells: int = 4) -> Layout:
    """A kitchen of few cells, drawn: rooms that are joined or not, two pots at times, a dish at times.

    Some have no plan at all: the cooks cannot reach what they need.
    """
    draw = random.Random(seed)
    rows = [["X"] * WIDTH for _ in range(HEIGHT)]
    floor = draw.sample(INSIDE, floor_cells)
    for x, y in floor:
        rows[y][x] = " "
    for symbol, (x, y) in zip("12", draw.sample(floor, 2), strict=True):
        rows[y][x] = symbol
    near = [(x, y) for x, y in EDGE if any(abs(x - a) + abs(y - b) == 1 for a, b in floor)]
    draw.shuffle(near)
    for symbol, (x, y) in zip("PISDP"[: draw.choice((4, 5))], near, strict=False):
        rows[y][x] = symbol
    return Layout(
        grid=tuple("".join(row) for row in rows),
        utensils={"pot": UtensilKind("P", "cook")},
        ingredients=("egg",),
        recipes=(Recipe("pot", "boiled_egg", ("egg",), draw.choice((1, 2))),),
        needs_dish={"boiled_egg": draw.random() < 0.3},
        capacity=1,
    )


def fewest_in_calls(world: CollabOvercooked, most: int) -> int | None:
    """Steps until the orders are met, over all calls and waits that the world accepts; ``None``: more."""
    seen: set[Any] = set()
    waiting: list[list[State]] = [[] for _ in range(most + 1)]
    waiting[0].append(world.start())
    for steps, states in enumerate(waiting):
        for state in states:
            if _key(state) in seen:
                continue
            seen.add(_key(state))
            if state.ended == "completed":
                return steps
            if state.ended:
                continue
            for text in _decisions(world, state):
                after = world.step(state, {world.deciders(state)[0]: reply_of(text)}).state
                if after.kitchen.steps <= most:
                    waiting[after.kitchen.steps].append(after)
    return None


def _decisions(world: CollabOvercooked, state: State) -> Iterator[str]:
    yield "wait(1)"
    for call in possible_calls(world.compiled, state.kitchen, state.asked):
        yield call.text


def _key(state: State) -> Any:
    cooks = tuple(replace(cook, recent=(), refusal=None, since=min(cook.since, 0)) for cook in state.cooks)
    kitchen = replace(state.kitchen, steps=0)
    return kitchen, cooks, state.asked, state.ask, state.moves, state.corrected, state.ended


def on_shortest_way_in_moves(compiled: Compiled, orders: tuple[str, ...]) -> dict[Kitchen, int]:
    """The kitchens on shortest plans in moves, and the steps from each to the end of the orders."""
    layers: list[dict[Kitchen, list[Kitchen]]] = [{compiled.stepper.start(orders): []}]
    seen = set(layers[0])
    while layers[-1] and all(kitchen.orders for kitchen in layers[-1]):
        layer: dict[Kitchen, list[Kitchen]] = {}
        for kitchen in layers[-1]:
            for joint in _joint_moves(compiled, kitchen):
                after = replace(compiled.stepper.step(kitchen, joint).kitchen, steps=0, ruined=())
                if after in layer or after not in seen:
                    seen.add(after)
                    layer.setdefault(after, []).append(kitchen)
        layers.append(layer)
    wanted = {kitchen for kitchen in layers[-1] if not kitchen.orders}
    found: dict[Kitchen, int] = {}
    for steps, layer in enumerate(reversed(layers)):
        found |= dict.fromkeys(wanted, steps)
        wanted = {earlier for kitchen in wanted for earlier in layer[kitchen]}
    return found


def _joint_moves(compiled: Compiled, kitchen: Kitchen) -> Iterator[tuple[Move, Move]]:
    for first in _moves(compiled, kitchen, 0):
        for second in _moves(compiled, kitchen, 1):
            yield first, second


def _moves(compiled: Compiled, kitchen: Kitchen, cook: int) -> Iterator[Move]:
    for action in (NORTH, SOUTH, EAST, WEST, STAY):
        yield action, ""
    body = kitchen.bodies[cook]
    tile = body.cell + compiled.grid.deltas[body.facing]
    if compiled.grid.is_floor[tile]:
        return
    if tile in compiled.grid.utensil_at:
        yield INTERACT, START
    if tile in compiled.grid.ingredients:
        yield from ((INTERACT, item) for item in compiled.layout.ingredients)
    else:
        yield INTERACT, DISH if tile in compiled.grid.dishes else ""
