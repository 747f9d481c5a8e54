"""The world's rules for calls on packed kitchens: which are accepted, how they go on, when they are done.

Only calls that may be of use are considered. Waits are counted by ``successors``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import INTERACT
from backburner.worlds.collab_overcooked.oracle.packing import (
    DISH_CODE,
    START_ACT,
    TAKE_ACT,
    CallCodes,
    OnCounters,
    PackedKitchen,
    Packing,
)

NO_WAY = -1
"""In the place of an action: no tile that the call is about can be reached now."""


class CallRules:
    """The rules for the calls of one kitchen. ``served``: each order's item code as it is delivered."""

    def __init__(
        self, compiled: Compiled, packing: Packing, codes: CallCodes, served: Mapping[int, int]
    ) -> None:
        self._rules = compiled.rules
        self._cookbook = compiled.cookbook
        self._packing = packing
        self._codes = codes
        self._served = served
        grid = self._grid = compiled.grid
        rooms = [set(grid.ways(start, -1)) for start in grid.starts]
        self._apart = not rooms[0] & rooms[1]
        self._actions: dict[tuple[int, int, int, int, OnCounters | None], int] = {}

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
        key = (call, cook, pose, blocked, kitchen.on_counters if at_counters else None)
        action = self._actions.get(key)
        if action is None:
            tiles = self._tiles(kitchen, cook, call)
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

    def _tiles(self, kitchen: PackedKitchen, cook: int, call: int) -> tuple[int, ...]:
        """The tiles that a call is about, in the world's order; see ``targets``."""
        mine, other = self._grid.reach[cook], self._grid.reach[1 - cook]
        verb, place = self._codes.calls[call].verb, self._codes.calls[call].place
        if verb == calls.PLACE:
            taken = {cell for _, cell in kitchen.on_counters}
            shared = tuple(cell for cell in self._grid.shared_counters if cell not in taken)
            return shared or tuple(c for c in self._grid.counters if c in mine and c not in taken)
        if place == calls.COUNTER:
            item = self._codes.item[call]
            cells = tuple(c for lying, c in kitchen.on_counters if lying & ~1 == item and c in mine)
            private = tuple(cell for cell in cells if cell not in other)
            return private or cells if self._rules.private_counters_first else cells
        if place == calls.INGREDIENT_DISPENSER:
            cells = self._grid.ingredients
        elif place == calls.DISH_DISPENSER:
            cells = self._grid.dishes
        elif verb == calls.DELIVER:
            cells = self._grid.servings
        else:
            cells = (self._grid.utensils[self._codes.utensil[call]].cell,)
        return tuple(cell for cell in cells if cell in mine)
