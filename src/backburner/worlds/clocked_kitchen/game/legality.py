"""What hands can do at a place, and what each body of a seat can do now, as decisions of one command each.

Hands go by the text game's rules, without its defects, for one body at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from backburner.kernel.menu import Menu, Names, Option
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
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
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE, TOOL
from backburner.worlds.cuisineworld.game.compiled import Compiled as Kitchen

OCCUPIED = "location_occupied"
"""The code of a place at work, which whoever comes to take its product waits for."""

Inside = Sequence[tuple[int, ...]]


def obstacle(
    kitchen: Kitchen, inside: Inside, ready: int, works: bool, held: int, verb: int, place: int, item: int
) -> str:
    """Why a body that holds this cannot do this there now; ``works``: whether the place is at work."""
    if verb == GET:
        return _get(kitchen, inside, ready, works, held, place, item)
    if verb == PUT:
        return _put(kitchen, inside, ready, works, held, place, item)
    if verb == ACTIVATE:
        return _activate(kitchen, inside, works, held, place)
    return ""


def _get(kitchen: Kitchen, inside: Inside, ready: int, works: bool, held: int, place: int, item: int) -> str:
    if not (ready | kitchen.always_open) >> place & 1:
        return "not_pickable"
    if held != NOTHING:
        return "get_hands_full"
    if works:
        return OCCUPIED
    if kitchen.roles[place] == STORAGE:
        return "" if item in kitchen.level_ingredients else "storage_needs_base_item"
    content = inside[place]
    if not content:
        return "get_empty"
    return "" if item in (NOTHING, content[0]) else "not_inside"


def _put(kitchen: Kitchen, inside: Inside, ready: int, works: bool, held: int, place: int, item: int) -> str:
    if held == NOTHING:
        return "put_hands_empty"
    if works:
        return OCCUPIED
    if item not in (NOTHING, held):
        return "not_held"
    role = kitchen.roles[place]
    if role == STORAGE:
        return ""
    if role == TABLE:
        return "" if held in kitchen.dish_of_thing else "not_a_level_dish"
    content = inside[place]
    if ready >> place & 1:
        return "product_waits"
    if held in content:
        return "inside_already"
    if len(content) >= kitchen.capacity[place]:
        return "location_full"
    return "" if kitchen.addable(place, content) >> held & 1 else "put_waste"


def _activate(kitchen: Kitchen, inside: Inside, works: bool, held: int, place: int) -> str:
    if held != NOTHING:
        return "activate_hands_full"
    if works:
        return OCCUPIED
    content = inside[place]
    if not content:
        return "activate_empty"
    makes = kitchen.roles[place] != TABLE and kitchen.product(place, content) >= 0
    return "" if makes else "activate_waste"


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
        for body in bodies:
            options += self._with_hands(state, body)
            options += self._goto[body]
            options += self._ways[body]
            options.append(self._noop[body])
        works = any(until > state.tick for until in state.until)
        return Menu(tuple(options), False, self._under_way(state) if works else ())

    def _with_hands(self, state: State, body: int) -> Iterator[Choice]:
        kitchen, held = self.compiled.kitchen, state.held[body]
        for place, role in enumerate(kitchen.roles):
            works = state.until[place] > state.tick
            if held != NOTHING:
                if not self._obstacle(state, works, held, PUT, place):
                    yield self._put[body][place]
            elif role == STORAGE:
                yield from self._get[body][place]
            elif role == TOOL and state.inside[place]:
                if self._obstacle(state, works, held, GET, place) in ("", OCCUPIED):
                    yield from self._get[body][place]
                if not self._obstacle(state, works, held, ACTIVATE, place):
                    yield self._activate[body][place]

    def _obstacle(self, state: State, works: bool, held: int, verb: int, place: int) -> str:
        kitchen = self.compiled.kitchen
        return obstacle(kitchen, state.inside, state.ready, works, held, verb, place, NOTHING)

    def _under_way(self, state: State) -> tuple[str, ...]:
        kitchen = self.compiled.kitchen
        return tuple(
            f"{kitchen.things[state.inside[place][0]]} in {kitchen.places[place]}"
            for place, until in enumerate(state.until)
            if until > state.tick
        )


def joined(decisions: Sequence[Input]) -> Input:
    """The commands of several decisions as one, for the shortest of their times."""
    commands = tuple(command for decision in decisions for command in decision.commands)
    return Input(commands, min(decision.ticks for decision in decisions))
