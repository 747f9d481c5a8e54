"""Which calls are accepted, when they are done: the world's validator on kitchens in numbers."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.oracle.codes import DISH_CODE, Codes
from backburner.worlds.collab_overcooked.oracle.floors import Floor
from backburner.worlds.collab_overcooked.oracle.known_calls import KnownCalls
from backburner.worlds.collab_overcooked.oracle.needs import Needs


class Accepting:
    """Tests calls in one kitchen, but for whether there is a way to carry them out."""

    def __init__(self, ware: Kitchenware, codes: Codes, needs: Needs, known: KnownCalls) -> None:
        self._ware, self._rules = ware, ware.rules
        self._codes = codes
        self._needs = needs
        self._known = known

    def _content(self, floor: Floor, utensil: int) -> int:
        of = self._codes.utensil
        for content in floor.contents:
            if of[content] == utensil:
                return content
        return 0

    def candidates(self, floor: Floor, cook: int) -> Iterator[int]:
        """Calls that may be of use to a cook; not all of them are accepted."""
        held = floor.held1 if cook else floor.held0
        known = self._known
        if held:
            yield from known.fill if held == DISH_CODE else () if held & 1 else known.put
            yield known.deliver
            yield known.place
            return
        for item in {item & ~1 for item, _ in floor.lying}:
            yield known.from_counter(item)
        for content in floor.contents:
            utensil = self._codes.utensil[content]
            if self._codes.left[content] < 0:
                yield known.start[utensil]
            elif self._codes.left[content] == 0:
                yield known.from_utensil(self._codes.output[content], utensil)
        for place, left in enumerate(floor.budget):
            if left > 0:
                yield known.fetch[place]

    def accepted(self, floor: Floor, cook: int, call: int) -> bool:
        """Whether a call can be begun, or gone on with, as things are."""
        held = floor.held1 if cook else floor.held0
        verb, utensil = self._known.all[call].verb, self._known.utensil[call]
        if verb == calls.PICKUP:
            return not held and (utensil < 0 or self._is_ready(floor, call, utensil))
        if verb == calls.PLACE:
            return held > 0
        if verb == calls.DELIVER:
            wanted = floor.orders[:1] if self._rules.first_order_only else floor.orders
            return held > 0 and held & ~1 in wanted and self._needs.wanted[held & ~1] == held
        content = self._content(floor, utensil)
        left = self._codes.left[content]
        if verb == calls.FILL:
            return held == DISH_CODE and left >= 0 and self._may_fill(floor, content)
        if verb == calls.PUT:
            room = self._rules.full_utensils_accept or self._codes.put(utensil, content, held) > 0
            return held > 0 and held != DISH_CODE and not held & 1 and left < 0 and room
        return not held and content > 0 and left < 0

    def _is_ready(self, floor: Floor, call: int, utensil: int) -> bool:
        content = self._content(floor, utensil)
        item = self._known.item[call]
        if self._codes.left[content] or self._codes.output[content] != item:
            return False
        name, kind = self._codes.name(item), self._ware.grid.utensils[utensil].kind
        cookbook = self._ware.cookbook
        return not (cookbook.needs_dish.get(name, False) and cookbook.makes(kind, name))

    def _may_fill(self, floor: Floor, content: int) -> bool:
        if not self._rules.dish_asked_of_order:
            return True
        order = floor.orders[0]
        filled = self._codes.name(order) in self._codes.name(self._codes.output[content])
        return bool(self._needs.wanted[order] & 1) and filled

    def done(self, floor: Floor, cook: int, call: int) -> bool:
        """Whether the kitchen is as it is when this call has been carried out."""
        held = floor.held1 if cook else floor.held0
        verb = self._known.all[call].verb
        if verb == calls.PICKUP:
            return held & ~1 == self._known.item[call]
        if verb in (calls.PUT, calls.PLACE, calls.DELIVER):
            return not held
        if verb == calls.FILL:
            return bool(held & 1)
        content = self._content(floor, self._known.utensil[call])
        return not content or self._codes.left[content] >= 0
