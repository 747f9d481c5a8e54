"""What hands can do at a place, and what each body of a seat can do now, as decisions of one command each.

Hands go by the text game's rules, without its defects, for one body at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec.structs import replace

from backburner.kernel.menu import Menu, Option
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.rule_set import TEXT_RULES
from backburner.worlds.clocked_kitchen.game.scenarios import MOST_BODIES
from backburner.worlds.clocked_kitchen.game.state import (
    ACTIVATE,
    GET,
    NOTHING,
    PUT,
    WAYS,
    Input,
    State,
)
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TOOL
from backburner.worlds.cuisineworld.game.compiled import Compiled as Kitchen
from backburner.worlds.cuisineworld.game.legality import CODES, WORDING, ByPlace, KitchenOptions
from backburner.worlds.cuisineworld.game.legality import PARAMETERS as TEXT_GAME
from backburner.worlds.dispatch.orders import Order

OCCUPIED = "location_occupied"
"""The code of a place at work, which whoever comes to take its product waits for."""


class Hands:
    """A moment in which hands are tried, one body after the other, as the text game's conditions look at it.

    No tool keeps a body busy here but by when it is free; a table has room for any number of dishes.
    """

    rules = TEXT_RULES
    table_room: int | None = None
    orders: tuple[Order, ...] = ()
    hands_busy = (0,) * MOST_BODIES

    def __init__(
        self,
        compiled: Kitchen,
        held: Sequence[int],
        inside: Sequence[tuple[int, ...]],
        ready: int,
        busy: ByPlace,
    ) -> None:
        self.compiled = compiled
        self.held, self.inside, self.ready, self.busy = held, inside, ready, busy

    def obstacle(self, body: int, verb: int, place: int, item: int = NOTHING) -> str:
        """The code of why the body, were it there, could not do this now; empty if it could."""
        if codes := CODES[verb](self, body, place, item):
            return codes[0]
        no_shelf = verb == GET and self.compiled.roles[place] == STORAGE
        return "storage_needs_base_item" if no_shelf and item not in self.compiled.level_ingredients else ""


KEEP = "keep"
"""Letting everybody go on is no command."""

PARAMETERS: Mapping[str, Sequence[str]] = {
    KEEP: (),
    **TEXT_GAME,
    **dict.fromkeys(WAYS, ()),
}
"""Every verb with its parameters; a step to the next cell has a verb for each direction."""

GO_ON = Option(Input(), KEEP, passes=True, verb=KEEP, gloss="change nothing")
TO_STAND, TO_THROW_AWAY = "stop, and stand still", "throws it away"


class Choices(KitchenOptions[Input]):
    """The menus of one kitchen."""

    verbs = PARAMETERS
    wording: Mapping[str, str] = {**WORDING, "keep": "go on"}

    def __init__(self, compiled: Compiled) -> None:
        self.always = compiled.scenario.asks == "always"
        names = compiled.names
        super().__init__(compiled.kitchen, len(names), Input, compiled.names_of, passes=not self.always)
        self._noop = [replace(option, gloss=TO_STAND) for option in self._noop]
        for place, role in enumerate(compiled.kitchen.roles):
            if role == STORAGE:
                for put in self._put:
                    put[place] = replace(put[place], gloss=TO_THROW_AWAY)
        self._ways = [tuple(self._steps(name)) for name in names]

    def _steps(self, name: str) -> Iterator[Option[Input]]:
        for way in WAYS:
            text = f"move_{name}_{way}"
            yield Option(Input((text,)), text, body=name, verb=way)

    def labels(self, bodies: Iterable[int]) -> Iterator[str]:
        """Every command that these bodies can be given, as menus have them."""
        return (option.label for option in self.vocabulary(bodies) if option is not GO_ON)

    def vocabulary(self, bodies: Iterable[int]) -> Iterator[Option[Input]]:
        """Every option that menus of these bodies may have: what hands do, where to go, steps, nothing."""
        for body in bodies:
            starts = (
                start
                for role, start in zip(self.kitchen.roles, self._activate[body], strict=True)
                if role == TOOL
            )
            yield from chain(*self._get[body], self._put[body], starts, self._goto[body])
            yield from (*self._ways[body], self._noop[body])
        if self.always:
            yield GO_ON

    def menu(self, state: State, bodies: Iterable[int]) -> Menu[Input]:
        """Body by body what its hands could do somewhere, where it can go, steps, nothing.

        It is not complete, as a seat may give each of its bodies a command at once, and for any time.
        """
        options: list[Option[Input]] = [GO_ON] if self.always else []
        tick = state.tick
        busy = [until > tick for until in state.until]
        hands = Hands(self.kitchen, state.held, state.inside, state.ready, busy)
        for body in bodies:
            options += self._with_hands(hands, body)
            options += self._goto[body]
            options += self._ways[body]
            options.append(self._noop[body])
        return Menu(tuple(options), False, self._under_way(state.inside, busy) if any(busy) else ())

    def _with_hands(self, hands: Hands, body: int) -> Iterator[Option[Input]]:
        for place, role in enumerate(self.kitchen.roles):
            if hands.held[body] != NOTHING:
                if not hands.obstacle(body, PUT, place):
                    yield self._put[body][place]
            elif role == STORAGE:
                yield from self._get[body][place]
            elif role == TOOL and hands.inside[place]:
                if hands.obstacle(body, GET, place) in ("", OCCUPIED):
                    yield from self._get[body][place]
                if not hands.obstacle(body, ACTIVATE, place):
                    yield self._activate[body][place]
