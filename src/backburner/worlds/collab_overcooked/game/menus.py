"""The calls that a cook could begin now, as decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from backburner.kernel.menu import Menu, Option
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.keys import FETCH, OPERATE
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.seats import SEATS
from backburner.worlds.collab_overcooked.game.state import Kitchen, Reply, State
from backburner.worlds.collab_overcooked.game.talking import NOTHING

WAITS = (1, 2, 3, 5)
"""The waits that are offered, in steps; any up to the longest may be asked for."""


def reply_of(*planned: str, say: str = NOTHING) -> Reply:
    """An answer that plans these calls, and by default says nothing."""
    return Reply(NOTHING, planned, say)


class Choices:
    """The menus of one kitchen. ``places``: what each tile is called, as scenes call it."""

    def __init__(self, ware: Kitchenware, places: Mapping[int, str]) -> None:
        self._ware, self._places = ware, places
        self._waits = [[_wait(steps, cook) for steps in WAITS] for cook in (0, 1)]

    def menu(self, state: State, cook: int) -> Menu[Reply]:
        """One call each, and waits; longer plans and words are answers too."""
        options = [
            self._option(state.kitchen, cook, call)
            for call in possible_calls(self._ware, state.kitchen, cook)
            if call.verb != calls.WAIT
        ]
        return Menu((*options, *self._waits[cook]), complete=False, under_way=self._under_way(state))

    def _option(self, kitchen: Kitchen, cook: int, call: Call) -> Option[Reply]:
        """Which of several counters, dispensers or serving places it is, the cook chooses: the nearest."""
        cells = self._ware.targets.of(kitchen, cook, call)
        names = tuple(self._places[cell] for cell in cells)
        place = names[0] if len(names) == 1 else names
        return Option(
            reply_of(call.text),
            call.text,
            body=SEATS[cook],
            verb=self._verb(call),
            things=(call.item, place) if call.item else (place,),
        )

    def _verb(self, call: Call) -> str:
        if call.verb in self._ware.reader.operations:
            return OPERATE
        return FETCH if call.place == calls.INGREDIENT_DISPENSER else call.verb

    def _under_way(self, state: State) -> tuple[str, ...]:
        utensils = self._ware.grid.utensils
        return tuple(f"{utensils[one.utensil].verb} {one.output}" for one in state.operations)


def _wait(steps: int, cook: int) -> Option[Reply]:
    text = calls.wait(steps).text
    return Option(reply_of(text), text, passes=True, body=SEATS[cook], verb=calls.WAIT, things=(str(steps),))


def possible_calls(ware: Kitchenware, kitchen: Kitchen, cook: int) -> Iterator[Call]:
    """Every call but waits that is accepted now and has a way to be carried out."""
    for call in _candidates(ware, kitchen, cook):
        refusal = ware.validator.refusal(kitchen, cook, call)
        if refusal is None and ware.carrier.move(kitchen, cook, call) is not None:
            yield call


def _candidates(ware: Kitchenware, kitchen: Kitchen, cook: int) -> Iterator[Call]:
    utensils = ware.grid.utensils
    if kitchen.bodies[cook].held:
        yield from (Call(calls.PUT, place=utensil.name) for utensil in utensils)
        yield from (Call(calls.FILL, place=utensil.name) for utensil in utensils)
        yield Call(calls.PLACE)
        yield Call(calls.DELIVER)
        return
    for item in dict.fromkeys(one.item for one in kitchen.lying):
        yield Call(calls.PICKUP, item, calls.COUNTER)
    for content in kitchen.contents:
        name = utensils[content.utensil].name
        yield (
            Call(calls.PICKUP, content.output, name)
            if content.timer
            else Call(utensils[content.utensil].verb, place=name)
        )
    yield Call(calls.PICKUP, DISH, calls.DISH_DISPENSER)
    for item in ware.layout.ingredients:
        yield Call(calls.PICKUP, item, calls.INGREDIENT_DISPENSER)
