"""Farms made from seeds: levels like the published one, on which everything can be reached and cooked."""

from __future__ import annotations

import random
from collections.abc import Iterator

from backburner.worlds.minecraft.game.facts import CHEST, DISHES, FURNACE, MEAT_OF, OAK_LOG, RAW
from backburner.worlds.minecraft.game.ground import Cell, squared
from backburner.worlds.minecraft.game.levels import Level, Site

SIDE = 33
"""Blocks of a farm's side: from any corner one sees to the other, 46 blocks away."""

APART = 3
"""Blocks between things, so that one can stand beside each."""

FEWEST_DISHES, MOST_LOGS = 2, 3
MOBS_BESIDE = (2, 8)
"""The least and the greatest number of mobs beside one for each dish."""

MOST_SEEDS = 1_000_000
SPAWNS = 2


def farm(seed: int) -> Level:
    """The farm of a seed: two dishes or more, a mob for each and some beside, one to three logs.

    A farm is the same wherever it is made.
    """
    draw = random.Random(f"farm {seed}")
    dishes = tuple(sorted(draw.sample(DISHES, draw.randint(FEWEST_DISHES, len(DISHES)))))
    needed = [MEAT_OF[RAW[dish]] for dish in dishes]
    kinds = [*needed, *draw.choices(sorted(MEAT_OF.values()), k=draw.randint(*MOBS_BESIDE))]
    blocks = [FURNACE, CHEST, *[OAK_LOG] * draw.randint(1, MOST_LOGS)]
    cells = list(_cells(draw, len(blocks) + len(kinds) + SPAWNS))
    return Level(
        f"farm_{seed}",
        dishes,
        tuple(map(Site, blocks, cells)),
        tuple(map(Site, kinds, cells[len(blocks) :])),
        tuple(cells[-SPAWNS:]),
    )


def _cells(draw: random.Random, count: int) -> Iterator[Cell]:
    """So many cells apart from each other."""
    found: list[Cell] = []
    while len(found) < count:
        cell = (draw.randrange(SIDE), draw.randrange(SIDE))
        if all(squared(cell, other) >= APART * APART for other in found):
            found.append(cell)
            yield cell
