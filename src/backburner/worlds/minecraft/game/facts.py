"""What the game itself fixes: what mobs drop, what burns, what is smelted, how long things take.

Times are in ticks of a twentieth of a second. The published facts are those of Minecraft (Java edition);
where it leaves a time to the player's program, such as how long a window is open, the number is ours and says
so.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from msgspec import Struct

TICKS_A_SECOND = 20

Stack = tuple[str, int]
"""An item and how many of it."""


class Mob(Struct, frozen=True):
    """``health`` in points; ``drops``: item with the least and the greatest number, its meat first."""

    health: int
    drops: tuple[tuple[str, int, int], ...]


MOBS: Mapping[str, Mob] = {
    "chicken": Mob(4, (("chicken", 1, 1), ("feather", 0, 2))),
    "cow": Mob(10, (("beef", 1, 3), ("leather", 0, 2))),
    "pig": Mob(10, (("porkchop", 1, 3),)),
    "sheep": Mob(8, (("mutton", 1, 2), ("white_wool", 1, 1))),
}

FURNACE, CHEST, OAK_LOG = "furnace", "chest", "oak_log"
BLOCKS = (FURNACE, CHEST, OAK_LOG)
MINEABLE = (OAK_LOG,)
"""Blocks that bodies dig: what a furnace or a chest holds is not to be spilt."""

FUELS: Mapping[str, int] = {OAK_LOG: 300}
"""The fuel of these kitchens, and for how many ticks one burns."""

COOKED: Mapping[str, str] = {
    "beef": "cooked_beef",
    "chicken": "cooked_chicken",
    "mutton": "cooked_mutton",
    "porkchop": "cooked_porkchop",
}
"""What a furnace makes of what."""

RAW: Mapping[str, str] = {cooked: raw for raw, cooked in COOKED.items()}
MEAT_OF: Mapping[str, str] = {mob.drops[0][0]: kind for kind, mob in MOBS.items()}
"""The mob that drops a raw meat."""

DISHES = tuple(sorted(RAW))

SMELTING_TICKS = 200
STACK = 64
"""Items that a slot holds."""

HAND_DAMAGE = 1
HIT_TICKS = 10
"""A mob that was hit cannot be hurt again for so long."""

MINING_TICKS = 60
"""An oak log, dug with bare hands."""

COLLECTING_TICKS = 10
"""What was dropped can be picked up after so long."""

WINDOW_TICKS = 10
"""To open a furnace or a chest, move an item and close it: ours."""

SPRINT_MILLIBLOCKS_A_SECOND = 5600
"""Bodies sprint, as the path finder of the released program lets them."""


def drops(seed: int, kind: str, number: int) -> tuple[Stack, ...]:
    """What the ``number``-th mob of a kind, from 0, that is killed in an episode drops.

    It depends on nothing but the seed, the kind and the number, whoever kills it and wherever it stood, so
    that a server can be told all of it in advance. Items of which there are none are left out.
    """
    draw = random.Random(f"{seed}/{kind}/{number}")
    found = ((item, draw.randint(least, most)) for item, least, most in MOBS[kind].drops)
    return tuple((item, count) for item, count in found if count)


def killing_ticks(kind: str) -> int:
    """From the first hit until what was dropped is picked up."""
    return -(-MOBS[kind].health // HAND_DAMAGE) * HIT_TICKS + COLLECTING_TICKS
