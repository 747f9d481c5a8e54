"""Kitchens as tuples of small numbers, which a search can compare and keep by the million, and calls on them.

- A **pose** is ``4 * cell + direction``.
- An **item code** is even, and one more for food on a dish: 0 is nothing, 2 an empty dish; if ``egg`` is the
  next name, an egg is 4 and an egg on a dish 5.
- A **content code** says which utensil it is in, what has been put in, and how far its operation has come.
- A **call code** is 0 (``IDLE``) for no call, -n for a wait of n steps, and counts from 1 for other calls.

``CallRules`` are the world's rules for calls: which are accepted, how they go on, when they are done. Only
calls that may be of use are considered. Waits are counted by ``successors``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import DISH, INTERACT
from backburner.worlds.collab_overcooked.game.state import Content, Kitchen, Lying

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
    that is ready (-1 before the start); where it is. ``after_putting`` and ``after_starting`` keep what was
    asked for.
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
        self.after_putting, self.after_starting = cache(self._after_putting), cache(self._after_starting)
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

    def _after_putting(self, utensil: int, content: int, item: int) -> int:
        """The content when an item has been put in (``content`` 0: the utensil is empty); 0 if it is full."""
        items = (*self.rows[content].items, self.name(item))
        fits = len(items) <= self._cookbook.capacity or not content
        return self._code(ContentRow(utensil, tuple(sorted(items)))) if fits else 0

    def _after_starting(self, content: int) -> int:
        """The content in the step in which its operation starts; 0 if it matches no recipe and is lost."""
        utensil, items = self.rows[content][:2]
        recipe = self._cookbook.made_of(self._grid.utensils[utensil].kind, items)
        if recipe is None:
            return 0
        return self._code(ContentRow(utensil, items, recipe.output, 1, recipe.steps))


class CallCodes:
    """The codes of the calls of one kitchen, given out as they are met.

    ``item`` and ``utensil`` are indexed by call code: the code of what is picked up; where (-1: not at a
    utensil). ``put``, ``fill`` and ``start`` hold a call code for each utensil, ``fetch`` one for each item
    that may be fetched. ``from_counter`` and ``from_utensil`` keep what was asked for.
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
        self.from_counter, self.from_utensil = cache(self._from_counter), cache(self._from_utensil)

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

    def _from_counter(self, item: int) -> int:
        """The code for picking up an item of this name from a counter."""
        return self.code(Call(calls.PICKUP, self._packing.name(item), calls.COUNTER))

    def _from_utensil(self, item: int, utensil: int) -> int:
        """The code for picking up what is ready in a utensil."""
        return self.code(Call(calls.PICKUP, self._packing.name(item), self._grid.utensils[utensil].name))


NO_WAY = -1
"""In the place of an action: no tile that the call is about can be reached now."""


class CallRules:
    """The rules for the calls of one kitchen. ``served``: each order's item code as it is delivered."""

    def __init__(
        self, compiled: Compiled, packing: Packing, codes: CallCodes, served: Mapping[int, int]
    ) -> None:
        self._rules, self._targets = compiled.rules, compiled.targets
        self._cookbook = compiled.cookbook
        self._packing = packing
        self._codes = codes
        self._served = served
        grid = self._grid = compiled.grid
        rooms = [set(grid.ways(start, -1)) for start in grid.starts]
        self._apart = not rooms[0] & rooms[1]
        self._actions: dict[tuple[int, int, int, int, OnCounters], int] = {}

    def _content(self, kitchen: PackedKitchen, utensil: int) -> int:
        utensil_of = self._packing.utensil
        for content in kitchen.contents:
            if utensil_of[content] == utensil:
                return content
        return 0

    def candidates(self, kitchen: PackedKitchen, cook: int) -> Iterator[int]:
        """Calls that may be of use to a cook, accepted or not."""
        held = kitchen.held1 if cook else kitchen.held0
        codes = self._codes
        if held:
            yield from codes.fill if held == DISH_CODE else () if held & 1 else codes.put
            yield codes.deliver
            yield codes.place
            return
        for item in {item & ~1 for item, _ in kitchen.on_counters}:
            yield codes.from_counter(item)
        for content in kitchen.contents:
            utensil, left = self._packing.utensil[content], self._packing.steps_left[content]
            if left < 0:
                yield codes.start[utensil]
            elif left == 0:
                yield codes.from_utensil(self._packing.output[content], utensil)
        for index, left in enumerate(kitchen.budget):
            if left > 0:
                yield codes.fetch[index]

    def accepted(self, kitchen: PackedKitchen, cook: int, call: int) -> bool:
        """Whether a call can be begun or gone on with now, the way to it aside."""
        held = kitchen.held1 if cook else kitchen.held0
        verb, utensil = self._codes.calls[call].verb, self._codes.utensil[call]
        if verb == calls.PICKUP:
            return not held and (utensil < 0 or self._can_take_out(kitchen, call, utensil))
        if verb == calls.PLACE:
            return held > 0
        if verb == calls.DELIVER:
            wanted = kitchen.orders[:1] if self._rules.first_order_only else kitchen.orders
            return held > 0 and held & ~1 in wanted and self._served[held & ~1] == held
        content = self._content(kitchen, utensil)
        left = self._packing.steps_left[content]
        if verb == calls.FILL:
            return held == DISH_CODE and left >= 0 and self._may_fill(kitchen, content)
        if verb == calls.PUT:
            accepts = (
                self._rules.full_utensils_accept or self._packing.after_putting(utensil, content, held) > 0
            )
            return held > 0 and held != DISH_CODE and not held & 1 and left < 0 and accepts
        return not held and content > 0 and left < 0

    def _can_take_out(self, kitchen: PackedKitchen, call: int, utensil: int) -> bool:
        """Whether a utensil has it ready and it is not served on a dish, which had to be filled there."""
        content, item = self._content(kitchen, utensil), self._codes.item[call]
        if self._packing.steps_left[content] or self._packing.output[content] != item:
            return False
        name, kind = self._packing.name(item), self._grid.utensils[utensil].kind
        return not (self._cookbook.needs_dish.get(name, False) and self._cookbook.makes(kind, name))

    def _may_fill(self, kitchen: PackedKitchen, content: int) -> bool:
        if not self._rules.dish_asked_of_order:
            return True
        order = kitchen.orders[0]
        filled = self._packing.name(order) in self._packing.name(self._packing.output[content])
        return bool(self._served[order] & 1) and filled

    def done(self, kitchen: PackedKitchen, cook: int, call: int) -> bool:
        """Whether the kitchen is as it is when this call has been carried out."""
        held = kitchen.held1 if cook else kitchen.held0
        verb = self._codes.calls[call].verb
        if verb == calls.PICKUP:
            return held & ~1 == self._codes.item[call]
        if verb in (calls.PUT, calls.PLACE, calls.DELIVER):
            return not held
        if verb == calls.FILL:
            return bool(held & 1)
        content = self._content(kitchen, self._codes.utensil[call])
        return not content or self._packing.steps_left[content] >= 0

    def action(self, kitchen: PackedKitchen, cook: int, call: int) -> int:
        """The next action of the cheapest way to carry this call out, or ``NO_WAY``.

        Ways are looked up by what they depend on; where the cooks' rooms are apart, not by the partner.
        """
        pose, other = (kitchen.pose1, kitchen.pose0) if cook else (kitchen.pose0, kitchen.pose1)
        at_counters = self._codes.calls[call].place == calls.COUNTER or call == self._codes.place
        blocked = -1 if self._apart else other >> 2
        key = (call, cook, pose, blocked, kitchen.on_counters if at_counters else ())
        action = self._actions.get(key)
        if action is None:
            name = self._packing.name
            lying = [Lying(cell, name(item)) for item, cell in kitchen.on_counters] if at_counters else ()
            tiles = self._targets.of(lying, cook, self._codes.calls[call])
            move = self._grid.next_move(pose >> 2, pose & 3, blocked, tiles)
            action = NO_WAY if move is None else self._act(call) if move == INTERACT else move
            self._actions[key] = action
        return action

    def _act(self, call: int) -> int:
        if call in self._codes.start:
            return START_ACT
        if self._codes.calls[call].place == calls.INGREDIENT_DISPENSER:
            return TAKE_ACT + self._codes.item[call]
        return INTERACT
