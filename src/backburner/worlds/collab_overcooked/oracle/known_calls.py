"""The calls of one kitchen as numbers."""

from __future__ import annotations

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.oracle.codes import DISH_CODE, NOTHING, Codes

IDLE = 0
"""No call."""

WAIT = -1
"""A wait of a step; -n is one of n steps."""


class KnownCalls:
    """Calls count from 1, in the order in which they are met.

    By number: ``item`` the code of what is picked up, ``utensil`` where (-1: at none).
    """

    def __init__(self, ware: Kitchenware, codes: Codes, fetched: tuple[int, ...]) -> None:
        self._ware = ware
        self._codes = codes
        self.all: list[Call] = [calls.wait()]
        self.item = [NOTHING]
        self.utensil = [-1]
        self._numbers: dict[Call, int] = {}
        names = [utensil.name for utensil in ware.grid.utensils]
        self.place = self.number(Call(calls.PLACE))
        self.deliver = self.number(Call(calls.DELIVER))
        self.put = tuple(self.number(Call(calls.PUT, place=name)) for name in names)
        self.fill = tuple(self.number(Call(calls.FILL, place=name)) for name in names)
        self.start = tuple(
            self.number(Call(utensil.verb, place=utensil.name)) for utensil in ware.grid.utensils
        )
        self.fetch = tuple(self._fetch(item) for item in fetched)
        self._from_counter: dict[int, int] = {}
        self._from_utensil: dict[tuple[int, int], int] = {}

    def number(self, call: Call) -> int:
        """The number of a call."""
        if call.verb == calls.WAIT:
            return -call.steps
        number = self._numbers.get(call)
        if number is None:
            number = self._numbers[call] = len(self.all)
            self.all.append(call)
            self.item.append(self._codes.item(call.item) if call.item else NOTHING)
            self.utensil.append(self._ware.grid.utensil_named.get(call.place, -1))
        return number

    def call(self, number: int) -> Call:
        """The call of a number."""
        return calls.wait(-number) if number < 0 else self.all[number]

    def _fetch(self, item: int) -> int:
        source = calls.DISH_DISPENSER if item == DISH_CODE else calls.INGREDIENT_DISPENSER
        return self.number(Call(calls.PICKUP, self._codes.name(item), source))

    def from_counter(self, item: int) -> int:
        """To pick up from a counter what has this name."""
        number = self._from_counter.get(item)
        if number is None:
            call = Call(calls.PICKUP, self._codes.name(item), calls.COUNTER)
            number = self._from_counter[item] = self.number(call)
        return number

    def from_utensil(self, item: int, utensil: int) -> int:
        """To pick up what is ready in a utensil."""
        number = self._from_utensil.get((item, utensil))
        if number is None:
            name = self._ware.grid.utensils[utensil].name
            call = Call(calls.PICKUP, self._codes.name(item), name)
            number = self._from_utensil[item, utensil] = self.number(call)
        return number
