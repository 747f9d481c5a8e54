"""What hands can do at a place, and what each body of a seat can do now, as decisions of one command each.

Hands go by the text game's rules, without its defects, for one body at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Protocol

from backburner.kernel.menu import Menu, Names, Option
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.rule_set import TEXT_RULES
from backburner.worlds.clocked_kitchen.game.state import (
    ACTIVATE,
    GET,
    GOTO,
    NOOP,
    NOTHING,
    PUT,
    VERBS,
    WAYS,
    Input,
    State,
)
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TOOL
from backburner.worlds.cuisineworld.game.compiled import Compiled as Kitchen
from backburner.worlds.cuisineworld.game.legality import CODES
from backburner.worlds.dispatch.orders import Order

OCCUPIED = "location_occupied"
"""The code of a place at work, which whoever comes to take its product waits for."""


class Moment(Protocol):
    """A state, or one in progress, as far as hands go."""

    @property
    def tick(self) -> int: ...
    @property
    def held(self) -> Sequence[int]: ...
    @property
    def inside(self) -> Sequence[tuple[int, ...]]: ...
    @property
    def until(self) -> Sequence[int]: ...
    @property
    def ready(self) -> int: ...


class Hands:
    """A moment in which hands are tried, one body after the other, as the text game's conditions look at it.

    No tool keeps a body busy here but by when it is free; a table has room for any number of dishes.
    """

    rules = TEXT_RULES
    table_room: int | None = None
    orders: tuple[Order, ...] = ()

    def __init__(self, compiled: Kitchen, now: Moment) -> None:
        self.compiled = compiled
        self.held, self.inside, self.ready = now.held, now.inside, now.ready
        self.hands_busy = (0,) * len(now.held)
        self.busy = [until > now.tick for until in now.until]

    def obstacle(self, body: int, verb: int, place: int, item: int = NOTHING) -> str:
        """The code of why the body, were it there, could not do this now; empty if it could."""
        if codes := CODES[verb](self, body, place, item):
            return codes[0]
        no_shelf = verb == GET and self.compiled.roles[place] == STORAGE
        return "storage_needs_base_item" if no_shelf and item not in self.compiled.level_ingredients else ""


Choice = Option[Input]

FETCH, KEEP = "fetch", "keep"
"""Taking an ingredient from the storage names it; letting everybody go on is no command."""

PARAMETERS: Mapping[str, Sequence[str]] = {
    KEEP: (),
    "noop": (),
    "goto": ("place",),
    "get": ("place",),
    FETCH: ("item", "place"),
    "put": ("place",),
    "activate": ("place",),
    **dict.fromkeys(WAYS, ()),
}
"""Every verb with its parameters; a step to the next cell has a verb for each direction."""

GO_ON = Option(Input(), KEEP, passes=True, verb=KEEP)


class Choices:
    """The options of one kitchen, each made once; a menu picks among them."""

    verbs = PARAMETERS

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.always = compiled.scenario.asks == "always"
        kitchen = compiled.kitchen
        places, names = range(len(kitchen.places)), compiled.names
        self._noop = [self._option(NOOP, name) for name in names]
        self._goto = [[self._option(GOTO, name, place) for place in places] for name in names]
        self._put = [[self._option(PUT, name, place) for place in places] for name in names]
        self._activate = [[self._option(ACTIVATE, name, place) for place in places] for name in names]
        self._get = [[tuple(self._gets(name, place)) for place in places] for name in names]
        self._ways = [tuple(self._steps(name)) for name in names]

    def _option(self, verb: int, name: str, place: int = -1, item: int = NOTHING) -> Choice:
        kitchen = self.compiled.kitchen
        named = () if item == NOTHING else (kitchen.things[item],)
        where = () if place < 0 else (kitchen.places[place],)
        text = "_".join((VERBS[verb], name, *named, *where))
        spots: tuple[Names, ...] = () if place < 0 else (self.compiled.names_of(place, item),)
        return Option(
            Input((text,)),
            text,
            passes=verb == NOOP and not self.always,
            body=name,
            verb=FETCH if named else VERBS[verb],
            things=(*named, *spots),
        )

    def _gets(self, name: str, place: int) -> Iterator[Choice]:
        role = self.compiled.kitchen.roles[place]
        if role == STORAGE:
            for item in self.compiled.kitchen.level_ingredients:
                yield self._option(GET, name, place, item)
        elif role == TOOL:
            yield self._option(GET, name, place)

    def _steps(self, name: str) -> Iterator[Choice]:
        for way in WAYS:
            text = f"move_{name}_{way}"
            yield Option(Input((text,)), text, body=name, verb=way)

    def labels(self, bodies: Iterable[int]) -> Iterator[str]:
        """Every command that these bodies can be given, as menus have them."""
        for body in bodies:
            things = chain(self._goto[body], self._put[body], self._activate[body], *self._get[body])
            yield from (option.label for option in (*things, *self._ways[body], self._noop[body]))

    def menu(self, state: State, bodies: Iterable[int]) -> Menu[Input]:
        """Body by body what its hands could do somewhere, where it can go, steps, nothing.

        It is not complete, as a seat may give each of its bodies a command at once, and for any time.
        """
        options: list[Choice] = [GO_ON] if self.always else []
        hands = Hands(self.compiled.kitchen, state)
        for body in bodies:
            options += self._with_hands(hands, body)
            options += self._goto[body]
            options += self._ways[body]
            options.append(self._noop[body])
        works = any(until > state.tick for until in state.until)
        return Menu(tuple(options), False, self._under_way(state) if works else ())

    def _with_hands(self, hands: Hands, body: int) -> Iterator[Choice]:
        for place, role in enumerate(self.compiled.kitchen.roles):
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

    def _under_way(self, state: State) -> tuple[str, ...]:
        kitchen = self.compiled.kitchen
        return tuple(
            f"{kitchen.things[state.inside[place][0]]} in {kitchen.places[place]}"
            for place, until in enumerate(state.until)
            if until > state.tick
        )
