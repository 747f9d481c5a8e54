"""Kitchens as tuples of small numbers, which a search can compare and keep by the million.

- A **pose** is ``4 * cell + direction``.
- An **item code** is even, and one more for food on a dish: 0 is nothing, 2 an empty dish; if ``egg`` is the
  next name, an egg is 4 and an egg on a dish 5.
- A **content code** says which utensil it is in, what has been put in, and how far its operation has come.
- A **call code** is 0 (``IDLE``) for no call, -n for a wait of n steps, and counts from 1 for other calls.
"""

from __future__ import annotations

from typing import NamedTuple

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import DISH, INTERACT
from backburner.worlds.collab_overcooked.game.state import Content, Kitchen

NOTHING = 0
DISH_CODE = 2

IDLE = 0
"""The code of no call."""

WAIT = -1
"""The code of a wait of one step."""

START_ACT = INTERACT + 1
"""The action that starts an operation."""

TAKE_ACT = INTERACT + 2
"""Plus an item code: the action that takes this raw food from a dispenser."""

UNLIMITED = 99
"""A budget that nothing is taken from."""

OnCounters = tuple[tuple[int, int], ...]
"""What lies on counters as (item code, cell); see ``canonical``."""


class PackedKitchen(NamedTuple):
    """A kitchen: each cook's pose and held item, what lies on counters, the contents of the utensils, the
    open orders as item codes, and how many of each item may still be fetched."""

    pose0: int
    held0: int
    pose1: int
    held1: int
    on_counters: OnCounters
    contents: tuple[int, ...]
    orders: tuple[int, ...]
    budget: tuple[int, ...]


def canonical(on_counters: OnCounters) -> OnCounters:
    """Sorted by name. Items of one name keep the order in which they were put down, which play depends on."""
    return tuple(sorted(on_counters, key=_name_index)) if len(on_counters) > 1 else on_counters


def _name_index(entry: tuple[int, int]) -> int:
    return entry[0] >> 1


class ContentRow(NamedTuple):
    """What a content code stands for: item names in alphabetical order; see ``state.Content``."""

    utensil: int
    items: tuple[str, ...]
    output: str = ""
    timer: int = 0
    steps: int = 0


class Packing:
    """The codes of one kitchen, given out as items and contents are met. Content codes count from 1.

    ``ticked``, ``output``, ``steps_left`` and ``utensil`` are indexed by content code: the code after a step
    in which nothing is done to it; what it becomes (``NOTHING`` before its operation starts); the steps until
    that is ready (-1 before the start); where it is.
    """

    def __init__(self, compiled: Compiled) -> None:
        self._grid = compiled.grid
        self._cookbook = compiled.cookbook
        rules = compiled.rules
        self._order_counts = rules.starting_stalls_timers or rules.starts_found_in_one_pass
        self.names = ["", DISH]
        self._name_indices = {name: index for index, name in enumerate(self.names)}
        self.rows = [ContentRow(-1, ())]
        self._codes: dict[ContentRow, int] = {}
        self._after_putting: dict[tuple[int, int, int], int] = {}
        self._after_starting: dict[int, int] = {}
        self.ticked = [0]
        self.output = [NOTHING]
        self.steps_left = [-1]
        self.utensil = [-1]

    def item(self, name: str, plated: bool = False) -> int:
        """The code of an item."""
        index = self._name_indices.get(name)
        if index is None:
            index = self._name_indices[name] = len(self.names)
            self.names.append(name)
        return 2 * index + plated

    def name(self, item: int) -> str:
        """The name of an item."""
        return self.names[item >> 1]

    def pack(self, kitchen: Kitchen, budget: tuple[int, ...]) -> PackedKitchen:
        """A kitchen of the world, from which this many of each item may still be fetched."""
        first, second = kitchen.bodies
        contents = tuple(self._content(content) for content in kitchen.contents)
        return PackedKitchen(
            4 * first.cell + first.facing,
            self.item(first.held, first.plated) if first.held else NOTHING,
            4 * second.cell + second.facing,
            self.item(second.held, second.plated) if second.held else NOTHING,
            canonical(tuple((self.item(lying.item, lying.plated), lying.cell) for lying in kitchen.lying)),
            contents if self._order_counts else self._by_utensil(contents),
            tuple(self.item(name) for name in kitchen.orders),
            budget,
        )

    def _by_utensil(self, contents: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(contents, key=self.utensil.__getitem__))

    def with_content(self, contents: tuple[int, ...], new: int) -> tuple[int, ...]:
        """The contents and a new one: last where the order of filling matters, else sorted by utensil."""
        return (*contents, new) if self._order_counts else self._by_utensil((*contents, new))

    def _content(self, content: Content) -> int:
        items = tuple(sorted(content.items))
        return self._code(ContentRow(content.utensil, items, content.output, content.timer, content.steps))

    def _code(self, row: ContentRow) -> int:
        code = self._codes.get(row)
        if code is None:
            code = self._codes[row] = len(self.rows)
            self.rows.append(row)
            self.utensil.append(row.utensil)
            self.output.append(self.item(row.output) if row.output else NOTHING)
            self.steps_left.append(row.steps - row.timer if row.output else -1)
            self.ticked.append(code)
            if 0 < row.timer < row.steps:
                self.ticked[code] = self._code(row._replace(timer=row.timer + 1))
        return code

    def after_putting(self, utensil: int, content: int, item: int) -> int:
        """The content when an item has been put in (``content`` 0: the utensil is empty); 0 if it is full."""
        key = (utensil, content, item)
        after = self._after_putting.get(key)
        if after is None:
            items = (*self.rows[content].items, self.name(item))
            fits = len(items) <= self._cookbook.capacity or not content
            after = self._code(ContentRow(utensil, tuple(sorted(items)))) if fits else 0
            self._after_putting[key] = after
        return after

    def after_starting(self, content: int) -> int:
        """The content in the step in which its operation starts; 0 if it matches no recipe and is lost."""
        after = self._after_starting.get(content)
        if after is None:
            utensil, items = self.rows[content][:2]
            recipe = self._cookbook.made_of(self._grid.utensils[utensil].kind, items)
            after = 0
            if recipe is not None:
                after = self._code(ContentRow(utensil, items, recipe.output, 1, recipe.steps))
            self._after_starting[content] = after
        return after


class CallCodes:
    """The codes of the calls of one kitchen, given out as they are met.

    ``item`` and ``utensil`` are indexed by call code: the code of what is picked up; where (-1: not at a
    utensil). ``put``, ``fill`` and ``start`` hold a call code for each utensil, ``fetch`` one for each item
    that may be fetched.
    """

    def __init__(self, compiled: Compiled, packing: Packing, fetched: tuple[int, ...]) -> None:
        self._grid = compiled.grid
        self._packing = packing
        self.calls: list[Call] = [calls.wait()]
        self.item = [NOTHING]
        self.utensil = [-1]
        self._codes: dict[Call, int] = {}
        utensils = compiled.grid.utensils
        self.place = self.code(Call(calls.PLACE))
        self.deliver = self.code(Call(calls.DELIVER))
        self.put = tuple(self.code(Call(calls.PUT, place=utensil.name)) for utensil in utensils)
        self.fill = tuple(self.code(Call(calls.FILL, place=utensil.name)) for utensil in utensils)
        self.start = tuple(self.code(Call(utensil.verb, place=utensil.name)) for utensil in utensils)
        self.fetch = tuple(self._fetch(item) for item in fetched)
        self._from_counter: dict[int, int] = {}
        self._from_utensil: dict[tuple[int, int], int] = {}

    def code(self, call: Call) -> int:
        """The code of a call."""
        if call.verb == calls.WAIT:
            return -call.steps
        code = self._codes.get(call)
        if code is None:
            code = self._codes[call] = len(self.calls)
            self.calls.append(call)
            self.item.append(self._packing.item(call.item) if call.item else NOTHING)
            self.utensil.append(self._grid.utensil_named.get(call.place, -1))
        return code

    def call(self, code: int) -> Call:
        """The call of a code."""
        return calls.wait(-code) if code < 0 else self.calls[code]

    def _fetch(self, item: int) -> int:
        dispenser = calls.DISH_DISPENSER if item == DISH_CODE else calls.INGREDIENT_DISPENSER
        return self.code(Call(calls.PICKUP, self._packing.name(item), dispenser))

    def from_counter(self, item: int) -> int:
        """The code for picking up an item of this name from a counter."""
        code = self._from_counter.get(item)
        if code is None:
            call = Call(calls.PICKUP, self._packing.name(item), calls.COUNTER)
            code = self._from_counter[item] = self.code(call)
        return code

    def from_utensil(self, item: int, utensil: int) -> int:
        """The code for picking up what is ready in a utensil."""
        code = self._from_utensil.get((item, utensil))
        if code is None:
            call = Call(calls.PICKUP, self._packing.name(item), self._grid.utensils[utensil].name)
            code = self._from_utensil[item, utensil] = self.code(call)
        return code
