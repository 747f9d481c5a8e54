"""The furnace: an input, a fuel and an output slot, and what becomes of them in so many ticks.

It lights when there is something to smelt, room for what comes of it, and fuel; then it burns on, whatever
happens. While it burns, what can be smelted comes on by a tick in each tick; what cannot starts anew. When
the fire is out, what was begun goes back by two ticks in each.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from backburner.worlds.minecraft.game.facts import COOKED, FUELS, SMELTING_TICKS, STACK, Stack

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
