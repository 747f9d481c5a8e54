"""What the game itself fixes: drops and fuel, how long things take, how far it is, how a furnace works.

Times are in ticks of a twentieth of a second. The published facts are those of Minecraft (Java edition);
where it leaves a time to the player's program, such as how long a window is open, the number is ours and says
so.

**The ground** is flat and open, in cells of a block. A cell is (x, z), counted as the game counts blocks.
Ways lead over the eight cells around, as the path finder takes them: diagonally first, then straight on. Mobs
and other bodies are in nobody's way, and the few blocks that stand about are walked around at no cost; nobody
stops on one.

**The furnace** has an input, a fuel and an output slot. It lights when there is something to smelt, room for
what comes of it, and fuel; then it burns on, whatever happens. While it burns, what can be smelted comes on
by a tick in each tick; what cannot starts anew. When the fire is out, what was begun goes back by two ticks
in each.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

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


Cell = tuple[int, int]

STRAIGHT, DIAGONAL = 1000, 1414
"""The length of a step in thousandths of a block."""

BESIDE: tuple[Cell, ...] = ((-1, 0), (0, -1), (0, 1), (1, 0))


def squared(one: Cell, other: Cell) -> int:
    """The distance of two cells as the crow flies, squared."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def distance(one: Cell, other: Cell) -> float:
    """The distance of two cells as the crow flies, in blocks, with one digit."""
    return round(math.sqrt(squared(one, other)), 1)


def way_length(start: Cell, end: Cell) -> int:
    """The length of the way between two cells, in thousandths of a block."""
    far, near = sorted((abs(start[0] - end[0]), abs(start[1] - end[1])), reverse=True)
    return near * DIAGONAL + (far - near) * STRAIGHT


def way_ticks(start: Cell, end: Cell) -> int:
    """How long it takes to go there: 10 blocks straight on are 10,000 · 20 / 5,600 = 35.7, so 36 ticks."""
    return -(-way_length(start, end) * TICKS_A_SECOND // SPRINT_MILLIBLOCKS_A_SECOND)


def on_the_way(start: Cell, end: Cell, ticks: int) -> Cell:
    """The cell that has been reached after so many ticks."""
    gone = ticks * SPRINT_MILLIBLOCKS_A_SECOND // TICKS_A_SECOND
    if gone >= way_length(start, end):
        return end
    right, down = end[0] - start[0], end[1] - start[1]
    x, z = start
    diagonal = min(abs(right), abs(down), gone // DIAGONAL)
    x, z = x + _towards(right) * diagonal, z + _towards(down) * diagonal
    if diagonal < min(abs(right), abs(down)):
        return x, z
    straight = (gone - diagonal * DIAGONAL) // STRAIGHT
    if x == end[0]:
        return x, z + _towards(down) * straight
    return x + _towards(right) * straight, z


def _towards(difference: int) -> int:
    return (difference > 0) - (difference < 0)


def beside(cell: Cell) -> Iterator[Cell]:
    """The four cells next to one."""
    for right, down in BESIDE:
        yield cell[0] + right, cell[1] + down


def stand_at(start: Cell, thing: Cell, taken: Collection[Cell]) -> Cell | None:
    """Where a body stops that goes up to a thing: the nearest free cell beside it; where it is, if that is
    one already. ``None`` if none is free."""
    if squared(start, thing) <= 1 and start not in taken:
        return start
    free = [cell for cell in beside(thing) if cell not in taken]
    return min(free, key=lambda cell: (way_length(start, cell), cell), default=None)


NO_STACK: Stack = ("", 0)
COOLING = 2


class Furnace(Struct, frozen=True, omit_defaults=True, gc=False):
    """What is in the slots; for how many more ticks it burns; for how many the input has been smelted."""

    input: Stack = NO_STACK
    fuel: Stack = NO_STACK
    output: Stack = NO_STACK
    burning: int = 0
    progress: int = 0

    @property
    def smelts(self) -> bool:
        """Whether the input can be smelted, and there is room for what comes of it."""
        made = COOKED.get(self.input[0], "")
        return bool(made) and (not self.output[1] or (self.output[0] == made and self.output[1] < STACK))


class Change(NamedTuple):
    """After so many ticks an item of this name was begun, was done, or is lost again as the fire is out."""

    after: int
    what: str
    item: str


BEGUN, DONE, LOST = "begun", "done", "lost"


def advance(furnace: Furnace, ticks: int) -> tuple[Furnace, list[Change]]:
    """The furnace so many ticks later, and what changed on the way.

    A log (300 ticks) and two chickens: the first is done after 200, the second has come to 100 when the fire
    goes out after 300, and to nothing after 350.
    """
    changes: list[Change] = []
    passed = 0
    while passed < ticks:
        furnace = _lit(furnace, changes, passed)
        left = ticks - passed
        if furnace.burning and furnace.smelts:
            if not furnace.progress:
                changes.append(Change(passed, BEGUN, furnace.input[0]))
            span = min(left, furnace.burning, SMELTING_TICKS - furnace.progress)
            progress = furnace.progress + span
            furnace = replace(furnace, burning=furnace.burning - span, progress=progress)
            if progress == SMELTING_TICKS:
                changes.append(Change(passed + span, DONE, furnace.input[0]))
                furnace = _made(furnace)
        elif furnace.burning:
            span = min(left, furnace.burning)
            furnace = replace(furnace, burning=furnace.burning - span)
        elif furnace.progress:
            span = min(left, -(-furnace.progress // COOLING))
            item, progress = furnace.input[0], max(0, furnace.progress - COOLING * span)
            furnace = replace(furnace, progress=progress)
            if not progress:
                changes.append(Change(passed + span, LOST, item))
        else:
            return furnace, changes
        passed += span
    return furnace, changes


def _lit(furnace: Furnace, changes: list[Change], passed: int) -> Furnace:
    """Fuel is taken where it is needed; what cannot be smelted starts anew."""
    if furnace.smelts:
        if furnace.burning or not furnace.fuel[1]:
            return furnace
        return replace(furnace, fuel=less(furnace.fuel), burning=FUELS[furnace.fuel[0]])
    if furnace.progress and (furnace.burning or furnace.fuel[1]):
        changes.append(Change(passed, LOST, furnace.input[0]))
        return replace(furnace, progress=0)
    return furnace


def _made(furnace: Furnace) -> Furnace:
    made = COOKED[furnace.input[0]]
    output = (made, furnace.output[1] + 1)
    return replace(furnace, input=less(furnace.input), output=output, progress=0)


def less(stack: Stack) -> Stack:
    """One item less."""
    return (stack[0], stack[1] - 1) if stack[1] > 1 else NO_STACK


def more(stack: Stack, item: str) -> Stack:
    """One item more, of which there are none or some already."""
    return item, stack[1] + 1


def fits(stack: Stack, item: str) -> bool:
    """Whether one more of an item goes into a slot."""
    return not stack[1] or (stack[0] == item and stack[1] < STACK)
