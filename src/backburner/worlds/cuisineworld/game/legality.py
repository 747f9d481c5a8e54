"""What can be done now: why a command fails when it is tried, and what menus list, a command for each body.

A command's conditions are checked group by group; the codes of the first group that fails are the reasons
for its refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Generic, Protocol, TypeVar

from backburner.kernel.menu import Menu, Names, Option
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE, TOOL, Compiled
from backburner.worlds.cuisineworld.game.rule_set import Rules
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
from backburner.worlds.dispatch.orders import Order

D = TypeVar("D")

Codes = tuple[str, ...]


class ByPlace(Protocol):
    """A number for each place that is asked about."""

    def __getitem__(self, place: int, /) -> int: ...


class Underway(Protocol):
    """A step in progress, as far as the conditions of commands look at it; see ``transition.Transition``."""

    compiled: Compiled
    rules: Rules
    table_room: int | None
    orders: tuple[Order, ...]
    ready: int

    @property
    def held(self) -> Sequence[int]: ...
    @property
    def hands_busy(self) -> Sequence[int]: ...
    @property
    def inside(self) -> Sequence[tuple[int, ...]]: ...
    @property
    def busy(self) -> ByPlace: ...


def get_codes(now: Underway, body: int, place: int, item: int) -> Codes:
    """Why a body that is there cannot take something now."""
    compiled = now.compiled
    if not (now.ready | compiled.always_open) >> place & 1:
        return ("not_pickable",)
    codes = _busy_codes(now, body, place, now.held[body] != NOTHING and "get_hands_full")
    if codes:
        return codes
    if compiled.roles[place] == STORAGE:
        return () if 0 <= item < compiled.n_ingredients else ("storage_needs_base_item",)
    content = now.inside[place]
    if not content:
        return ("get_empty",)
    other = item not in (NOTHING, content[0]) and not now.rules.items_ignored
    return ("not_inside",) if other else ()


def _busy_codes(now: Underway, body: int, place: int, hands: str | bool) -> Codes:
    """The codes for a busy body, for its hands (``hands``, if any) and for a busy place."""
    if not (now.hands_busy[body] or hands or now.busy[place]):
        return ()
    codes = ["agent_occupied"] if now.hands_busy[body] else []
    if hands:
        codes.append(str(hands))
    if now.busy[place]:
        codes.append("location_occupied")
    return tuple(codes)


def put_codes(now: Underway, body: int, place: int, item: int) -> Codes:
    """Why a body that is there cannot put down what it holds now."""
    if now.rules.waste_hides_reasons:
        return _released_put_codes(now, body, place)
    return _put_codes(now, body, place, item)


def _released_put_codes(now: Underway, body: int, place: int) -> Codes:
    """The reasons in the released order, in which what fits comes first."""
    compiled, held, content = now.compiled, now.held[body], now.inside[place]
    if held != NOTHING and compiled.roles[place] != STORAGE:
        misfit = _misfit(now, place, held, content)
        if misfit and not (misfit == "put_waste" and held in content):
            return (misfit,)
    codes = _busy_codes(now, body, place, held == NOTHING and "put_hands_empty")
    if len(content) >= compiled.capacity[place] and (now.busy[place] or held not in content):
        return (*codes, "location_full")
    return codes


def _put_codes(now: Underway, body: int, place: int, item: int) -> Codes:
    """The reasons in the order in which they help: hands, a place that takes nothing, a thing that does
    not fit."""
    held, content = now.held[body], now.inside[place]
    codes = _busy_codes(now, body, place, held == NOTHING and "put_hands_empty")
    if codes:
        return codes
    if item not in (NOTHING, held) and not now.rules.items_ignored:
        return ("not_held",)
    role = now.compiled.roles[place]
    if role == STORAGE:
        return ()
    if role != TABLE:
        if now.ready >> place & 1:
            return ("product_waits",)
        if held in content:
            return () if now.rules.duplicates_vanish else ("inside_already",)
        if len(content) >= now.compiled.capacity[place]:
            return ("location_full",)
    misfit = _misfit(now, place, held, content)
    return (misfit,) if misfit else ()


def _misfit(now: Underway, place: int, held: int, content: tuple[int, ...]) -> str:
    """The code of why this thing does not belong there; empty if it does."""
    if now.compiled.roles[place] != TABLE:
        return "" if now.compiled.addable(place, content) >> held & 1 else "put_waste"
    if held not in now.compiled.dish_of_thing:
        return "not_a_level_dish"
    if now.table_room is None:
        return ""
    room = table_has_room(now.compiled, now.inside, now.orders, held, now.table_room)
    return "" if room else "table_full"


def activate_codes(now: Underway, body: int, place: int, item: int) -> Codes:
    """Why a body that is there cannot start a tool now."""
    content = now.inside[place]
    codes = _busy_codes(now, body, place, now.held[body] != NOTHING and "activate_hands_full")
    if codes or not content:
        return codes if content else (*codes, "activate_empty")
    made = now.compiled.roles[place] != TABLE and now.compiled.product(place, content) >= 0
    return () if made else ("activate_waste",)


CODES = {GET: get_codes, PUT: put_codes, ACTIVATE: activate_codes}
"""Why a body that is at a place cannot use its hands there, by verb."""


def table_has_room(
    compiled: Compiled, inside: Sequence[tuple[int, ...]], orders: Sequence[Order], dish: int, room: int
) -> bool:
    """Whether somebody waits for one more such dish, or fewer than ``room`` lie there for nobody.

    With two orders for soup and three soups on the table, one lies there for nobody.
    """
    waiting = [compiled.dish_things[order.dish] for order in orders if order.left]
    lying = [thing for table in compiled.tables for thing in inside[table]]
    if lying.count(dish) < waiting.count(dish):
        return True
    spare = sum(max(0, lying.count(thing) - waiting.count(thing)) for thing in set(lying))
    return spare < room


# --- menus ----------------------------------------------------------------------------------------------

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

WORDING: Mapping[str, str] = {
    "noop": "stay",
    "goto": "go to {place}",
    "get": "take from {place}",
    FETCH: "take {item} from {place}",
    "put": "put into {place}",
    "activate": "start {place}",
}
"""How they are said to people."""


class KitchenOptions(Generic[D]):
    """The options of one kitchen, each made once: of each body, by place.

    ``decides`` makes a decision of a command; ``spot`` tells what a place, or its shelf for a thing, is
    called in scenes; ``passes``: whether a body that does nothing lets time pass.
    """

    def __init__(
        self,
        compiled: Compiled,
        bodies: int,
        decides: Callable[[tuple[str, ...]], D],
        spot: Callable[[int, int], Names],
        *,
        passes: bool = True,
    ) -> None:
        self.kitchen = compiled
        self._decides, self._spot, self._passes = decides, spot, passes
        everybody, places = range(bodies), range(len(compiled.places))
        self._noop = [self._option(NOOP, body) for body in everybody]
        self._goto = [[self._option(GOTO, body, place) for place in places] for body in everybody]
        self._put = [[self._option(PUT, body, place) for place in places] for body in everybody]
        self._activate = [[self._option(ACTIVATE, body, place) for place in places] for body in everybody]
        self._get = [[self._gets(body, place) for place in places] for body in everybody]

    def _option(self, verb: int, body: int, place: int = -1, item: int = NOTHING) -> Option[D]:
        name = body_name(body)
        named = () if item == NOTHING else (self.kitchen.things[item],)
        where = () if place < 0 else (self.kitchen.places[place],)
        text = "_".join((VERBS[verb], name, *named, *where))
        return Option(
            self._decides((text,)),
            text,
            passes=verb == NOOP and self._passes,
            body=name,
            verb=FETCH if named else VERBS[verb],
            things=(*named, *(self._spot(place, item) for _ in where)),
        )

    def _gets(self, body: int, place: int) -> tuple[Option[D], ...]:
        role = self.kitchen.roles[place]
        if role == STORAGE:
            return tuple(self._option(GET, body, place, item) for item in self.kitchen.level_ingredients)
        return (self._option(GET, body, place),) if role == TOOL else ()

    def _under_way(self, inside: Sequence[tuple[int, ...]], busy: Sequence[int]) -> tuple[str, ...]:
        """What tools are at; ``busy``: for each place whether it is."""
        things, places = self.kitchen.things, self.kitchen.places
        return tuple(f"{things[inside[place][0]]} in {places[place]}" for place, at in enumerate(busy) if at)


def _place_called(compiled: Compiled, place: int, item: int) -> str:
    """What a command calls a place, whatever the item; a function of the module, so that worlds pickle."""
    return compiled.places[place]


class Choices(KitchenOptions[Commands]):
    """The menus of one kitchen."""

    verbs = PARAMETERS
    wording = WORDING

    def __init__(self, compiled: Compiled, bodies: int, table_room: int | None) -> None:
        super().__init__(compiled, bodies, Commands, partial(_place_called, compiled))
        self.table_room = table_room
        self._ways = [
            [(*of_body[:place], *of_body[place + 1 :]) for place in range(len(of_body))]
            for of_body in self._goto
        ]

    def labels(self, bodies: Iterable[int]) -> Iterator[str]:
        """Every command that these bodies can be given, as menus have them."""
        for body in bodies:
            yield self._noop[body].label
            ways = chain.from_iterable(self._ways[body])
            things = chain(self._put[body], self._activate[body], *self._get[body], ways)
            yield from dict.fromkeys(option.label for option in things)

    def menu(self, state: State, bodies: Iterable[int]) -> Menu[Commands]:
        """Body by body: what it can do where it is, where it can go, nothing. It is not complete, as a seat
        may give each of its bodies a command at once, and name things in other ways."""
        options: list[Option[Commands]] = []
        for body in bodies:
            self._add(options, state, body)
        return Menu(
            tuple(options), False, self._under_way(state.inside, state.busy) if any(state.busy) else ()
        )

    def _add(self, options: list[Option[Commands]], state: State, body: int) -> None:
        if not state.hands_busy[body]:
            place = state.at[body]
            if not state.busy[place]:
                if state.held[body] != NOTHING:
                    if self._takes(state, place, state.held[body]):
                        options.append(self._put[body][place])
                else:
                    self._with_free_hands(options, state, body, place)
            options += self._ways[body][place]
        options.append(self._noop[body])

    def _with_free_hands(self, options: list[Option[Commands]], state: State, body: int, place: int) -> None:
        compiled, content = self.kitchen, state.inside[place]
        if compiled.roles[place] == STORAGE:
            options += self._get[body][place]
        elif content and compiled.roles[place] == TOOL:
            if compiled.product(place, content) >= 0:
                options.append(self._activate[body][place])
            if (state.ready | compiled.always_open) >> place & 1:
                options += self._get[body][place]

    def _takes(self, state: State, place: int, thing: int) -> bool:
        """Whether the place takes this thing from somebody's hands."""
        compiled, content = self.kitchen, state.inside[place]
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
