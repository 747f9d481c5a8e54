"""What each body of a seat can do now, as decisions of one command each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from backburner.kernel.menu import Menu, Option
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE, TOOL, Compiled
from backburner.worlds.cuisineworld.game.phases import SPEAKER
from backburner.worlds.cuisineworld.game.reading import CommandReader
from backburner.worlds.cuisineworld.game.scenarios import body_name
from backburner.worlds.cuisineworld.game.state import (
    ACTIVATE,
    GET,
    GOTO,
    NOOP,
    NOTHING,
    PUT,
    VERBS,
    Commands,
    State,
)
from backburner.worlds.cuisineworld.game.transition import table_has_room

Choice = Option[Commands]

FETCH = "fetch"
"""Taking an ingredient from the storage names it, so that it has a verb of its own."""

PARAMETERS: Mapping[str, Sequence[str]] = {
    "noop": (),
    "goto": ("place",),
    "get": ("place",),
    FETCH: ("item", "place"),
    "put": ("place",),
    "activate": ("place",),
}
"""Every verb with its parameters."""


class Choices:
    """The options of one kitchen, each made once; a menu picks among them."""

    def __init__(
        self, compiled: Compiled, reader: CommandReader, bodies: int, table_room: int | None
    ) -> None:
        self.compiled = compiled
        self.table_room = table_room
        places = range(len(compiled.places))
        self._reader = reader
        self._noop = [self._option(NOOP, body) for body in range(bodies)]
        self._put = [[self._option(PUT, body, place) for place in places] for body in range(bodies)]
        self._activate = [[self._option(ACTIVATE, body, place) for place in places] for body in range(bodies)]
        self._get = [[self._gets(body, place) for place in places] for body in range(bodies)]
        ways = [[self._option(GOTO, body, place) for place in places] for body in range(bodies)]
        self._goto = [[(*of_body[:place], *of_body[place + 1 :]) for place in places] for of_body in ways]

    def _option(self, verb: int, body: int, place: int = -1, item: int = NOTHING) -> Choice:
        command = self._reader.command(verb, body, place, item)
        named = () if item == NOTHING else (self.compiled.things[item],)
        where = () if place < 0 else (self.compiled.places[place],)
        return Option(
            Commands((command.text,)),
            command.text,
            passes=verb == NOOP,
            body=body_name(body),
            verb=FETCH if named else VERBS[verb],
            things=(*named, *where),
        )

    def _gets(self, body: int, place: int) -> tuple[Choice, ...]:
        role = self.compiled.roles[place]
        if role == STORAGE:
            return tuple(self._option(GET, body, place, item) for item in self.compiled.level_ingredients)
        return (self._option(GET, body, place),) if role == TOOL else ()

    def labels(self, bodies: Iterable[int]) -> Iterator[str]:
        """Every command that these bodies can be given, as menus have them."""
        for body in bodies:
            yield self._noop[body].label
            ways = chain.from_iterable(self._goto[body])
            things = chain(self._put[body], self._activate[body], *self._get[body], ways)
            yield from dict.fromkeys(option.label for option in things)

    def menu(self, state: State, bodies: Iterable[int]) -> Menu[Commands]:
        """Body by body: what it can do where it is, where it can go, nothing. It is not complete, as a seat
        may give each of its bodies a command at once, and name things in other ways."""
        options: list[Choice] = []
        for body in bodies:
            self._add(options, state, body)
        return Menu(tuple(options), False, self._under_way(state) if any(state.busy) else ())

    def _add(self, options: list[Choice], state: State, body: int) -> None:
        if not state.hands_busy[body]:
            place = state.at[body]
            if not state.busy[place]:
                if state.held[body] != NOTHING:
                    if self._takes(state, place, state.held[body]):
                        options.append(self._put[body][place])
                else:
                    self._with_free_hands(options, state, body, place)
            options += self._goto[body][place]
        options.append(self._noop[body])

    def _with_free_hands(self, options: list[Choice], state: State, body: int, place: int) -> None:
        compiled, content = self.compiled, state.inside[place]
        if compiled.roles[place] == STORAGE:
            options += self._get[body][place]
        elif content and compiled.roles[place] == TOOL:
            if compiled.product(place, content) >= 0:
                options.append(self._activate[body][place])
            if (state.ready | compiled.always_open) >> place & 1:
                options += self._get[body][place]

    def _takes(self, state: State, place: int, thing: int) -> bool:
        """Whether the place takes this thing from somebody's hands."""
        compiled, content = self.compiled, state.inside[place]
        role = compiled.roles[place]
        if role == TABLE:
            return thing in compiled.dish_of_thing and (
                self.table_room is None
                or table_has_room(compiled, state.inside, state.orders, thing, self.table_room)
            )
        if role == STORAGE:
            return True
        room = len(content) < compiled.capacity[place] and not state.ready >> place & 1
        return room and bool(compiled.addable(place, content) >> thing & 1)

    def _under_way(self, state: State) -> tuple[str, ...]:
        compiled = self.compiled
        return tuple(
            f"{compiled.things[state.inside[place][0]]} in {compiled.places[place]}"
            for place, busy in enumerate(state.busy)
            if busy
        )


def joined(decisions: Sequence[Commands]) -> Commands:
    """The commands of several decisions as one; raises ``Refused`` for words among them."""
    if any(decision.instruction is not None for decision in decisions):
        return SPEAKER.joined(decisions)
    return Commands(tuple(command for decision in decisions for command in decision.commands))
