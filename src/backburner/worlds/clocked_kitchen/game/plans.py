"""Plans that ship with the levels, drawn by hand, and plans that are made from a seed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from backburner.worlds.clocked_kitchen.game.floor import FLOOR, WALL
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE, Compiled

Plan = tuple[str, ...]


class _PlanFile(Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    plans: dict[str, Plan]


@cache
def drawn_plans() -> Mapping[str, Plan]:
    """The plans of the published levels, by their names."""
    raw = files("backburner.worlds.clocked_kitchen").joinpath("data", "plans.json").read_bytes()
    return msgspec.json.decode(raw, type=_PlanFile).plans


TABLE_CELLS = 2


def made_plan(compiled: Compiled, legend: Mapping[str, str], bodies: int, seed: int) -> Plan:
    """A room with everything along its walls and on islands, each place within reach; by a seed of its own.

    Nothing stands in a corner, and islands keep two cells away from the walls and from each other, so that
    every cell of floor can be walked to.
    """
    letters = {kind: letter for letter, kind in legend.items()}
    draw = random.Random(f"clocked_kitchen/{seed}")
    cells = _cells(compiled, letters)
    width, height = _size(len(cells), bodies, draw)
    rows = [
        [WALL if y in (0, height - 1) or x in (0, width - 1) else FLOOR for x in range(width)]
        for y in range(height)
    ]
    free = [(x, y) for y in range(1, height - 1) for x in (0, width - 1)]
    free += [(x, y) for x in range(1, width - 1) for y in (0, height - 1)]
    free += [(x, y) for y in range(3, height - 3, 3) for x in range(3, width - 3, 3)]
    chosen = draw.sample(free, len(cells))
    for (x, y), letter in zip(chosen, draw.sample(cells, len(cells)), strict=True):
        rows[y][x] = letter
    return tuple("".join(row) for row in rows)


def _cells(compiled: Compiled, letters: Mapping[str, str]) -> Sequence[str]:
    """A letter for each cell that has to be drawn."""
    cells: list[str] = []
    for kind, role in zip(compiled.kinds, compiled.roles, strict=True):
        count = {STORAGE: len(compiled.level_ingredients), TABLE: TABLE_CELLS}.get(role, 1)
        cells += [letters[kind.name]] * count
    return cells


def _size(cells: int, bodies: int, draw: random.Random) -> tuple[int, int]:
    """The sides of a room with walls for all cells and floor for all bodies, a little longer than wide."""
    height = 5 + draw.randrange(3)
    width = height + draw.randrange(4)
    while 2 * (width - 2) + 2 * (height - 2) < 2 * cells or (width - 2) * (height - 2) < 4 * bodies:
        width, height = width + 1, height + (width % 2)
    return width, height
