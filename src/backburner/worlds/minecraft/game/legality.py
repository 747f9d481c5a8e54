"""What each body of a seat can do now, as decisions of one call each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from backburner.kernel.menu import Menu, Option
from backburner.worlds.minecraft.game.actions import (
    GOTO,
    KILL,
    MINE,
    PUT_FUEL,
    PUT_IN_CHEST,
    PUT_ITEM,
    TAKE_OUT,
    Calls,
    label,
    spelt,
)
from backburner.worlds.minecraft.game.compiled import Compiled
from backburner.worlds.minecraft.game.physics import (
    CHEST,
    COOKED,
    DISHES,
    FUELS,
    FURNACE,
    MINEABLE,
    MOBS,
    fits,
    squared,
)
from backburner.worlds.minecraft.game.state import State
from backburner.worlds.minecraft.game.transition import NEAR_CHEST, REACH_DOUBLED, SIGHT, TAKING, WORK

WORDING: Mapping[str, str] = {
    "goto": "go to {place}",
    "killMob": "hunt {mob}",
    "mineBlock": "dig {block}",
    "putFuelFurnace": "burn {fuel} in {furnace}",
    "putItemFurnace": "put {item} into {furnace}",
    "takeOutFurnace": "take out of {furnace}",
    "putInChest": "put {item} into {chest}",
}
"""How verbs are said to people."""

VERBS: Mapping[str, Sequence[str]] = {
    GOTO: ("place",),
    KILL: ("mob",),
    MINE: ("block",),
    PUT_FUEL: ("fuel", "furnace"),
    PUT_ITEM: ("item", "furnace"),
    TAKE_OUT: ("furnace",),
    PUT_IN_CHEST: ("item", "chest"),
}
"""The actions with all that they are about, by the names that scenes use, so that one can point at it."""

NOBODY = Option(Calls(()), "wait", passes=True)


class Choices:
    """The menus of one scenario."""

    verbs = VERBS
    wording = WORDING

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled

    def menu(self, state: State, bodies: Iterable[int]) -> Menu[Calls]:
        """Body by body: what it can do where it is, where it can go; then, for all, nothing.

        It is not complete, as a seat may give each of its bodies a call at once. What somebody is at already
        is left out: it may be gone when another comes to it.
        """
        options = [option for body in bodies for option in self._of(state, body)]
        under_way = tuple(
            f"{self.compiled.names[errand.body]}: {label(errand.verb, errand.thing)}"
            for errand in state.errands
        )
        smelting = (f"{state.furnace.input[0]} in the furnace",) if state.furnace.progress else ()
        return Menu((*options, NOBODY), False, (*under_way, *smelting))

    def _of(self, state: State, body: int) -> Iterator[Option[Calls]]:
        claimed = {errand.site for errand in state.errands if errand.body != body}
        absent = set(state.gone)
        at_furnace = any(errand.verb in (PUT_FUEL, PUT_ITEM, TAKE_OUT) for errand in state.errands)
        for kind in self.compiled.mob_kinds:
            if near := self.compiled.nearest(state.at[body], kind, WORK, absent | claimed):
                yield self._option(KILL, body, kind, self.compiled.site_names[near[1]])
        for kind in MINEABLE:
            if near := self.compiled.nearest(state.at[body], kind, WORK, absent | claimed):
                yield self._option(MINE, body, kind, self.compiled.site_names[near[1]])
        if not at_furnace:
            yield from self._at_furnace(state, body)
        here = state.at[body]
        if squared(here, self.compiled.chest) <= NEAR_CHEST**2:
            for item, _ in state.carried[body]:
                yield self._option(PUT_IN_CHEST, body, item, item, CHEST)
        yield from self._ways(state, body, absent)

    def _at_furnace(self, state: State, body: int) -> Iterator[Option[Calls]]:
        away, furnace = squared(state.at[body], self.compiled.furnace), state.furnace
        if 4 * away <= REACH_DOUBLED**2:
            for item, _ in state.carried[body]:
                if item in COOKED and fits(furnace.input, item):
                    yield self._option(PUT_ITEM, body, item, item, FURNACE)
            for item, _ in state.carried[body]:
                if item in FUELS and fits(furnace.fuel, item):
                    yield self._option(PUT_FUEL, body, item, item, FURNACE)
        if furnace.output[1] and away <= TAKING**2:
            yield self._option(TAKE_OUT, body, "", FURNACE)

    def _ways(self, state: State, body: int, absent: set[int]) -> Iterator[Option[Calls]]:
        """To whatever the body does not stand at already."""
        for kind in (*self.compiled.block_kinds, *self.compiled.mob_kinds):
            if kind == "cow" and self.compiled.rules.no_way_to_cows:
                continue
            if (nearest := self.compiled.nearest(state.at[body], kind, SIGHT, absent)) and nearest[0] > 1:
                yield self._option(GOTO, body, kind, self.compiled.site_names[nearest[1]])

    def labels(self, bodies: Iterable[int]) -> Iterator[str]:
        """Every call that these bodies can be given, as menus have them."""
        compiled = self.compiled
        things: Mapping[str, Iterable[str]] = {
            GOTO: (*compiled.block_kinds, *compiled.mob_kinds),
            KILL: compiled.mob_kinds,
            MINE: MINEABLE,
            PUT_FUEL: FUELS,
            PUT_ITEM: COOKED,
            TAKE_OUT: ("",),
            PUT_IN_CHEST: (*DISHES, *MINEABLE, *(item for mob in MOBS.values() for item, *_ in mob.drops)),
        }
        for body in bodies:
            for verb, about in things.items():
                yield from (spelt(verb, compiled.names[body], thing) for thing in about)

    def _option(self, verb: str, body: int, thing: str, *things: str) -> Option[Calls]:
        name = self.compiled.names[body]
        text = spelt(verb, name, thing)
        return Option(Calls((text,)), text, body=name, verb=verb, things=things)
