"""The calls that a cook could begin now, as decisions."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.contract import Menu, Option
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.state import Kitchen, Reply, State
from backburner.worlds.collab_overcooked.game.talking import NOTHING

WAITS = (1, 2, 3, 5)
"""The waits that are offered, in steps; any up to the longest may be asked for."""


def reply_of(*planned: str, say: str = NOTHING) -> Reply:
    """An answer that plans these calls, and by default says nothing."""
    return Reply(NOTHING, planned, say)


def menu(ware: Kitchenware, state: State, cook: int) -> Menu[Reply]:
    """One call each, and waits; longer plans and words are answers too."""
    options = [
        Option(reply_of(call.text), call.text)
        for call in possible_calls(ware, state.kitchen, cook)
        if call.verb != calls.WAIT
    ]
    options += [_wait(steps) for steps in WAITS]
    return Menu(tuple(options), complete=False, under_way=_under_way(ware, state))


def _wait(steps: int) -> Option[Reply]:
    text = calls.wait(steps).text
    return Option(reply_of(text), text, passes=True)


def _under_way(ware: Kitchenware, state: State) -> tuple[str, ...]:
    return tuple(f"{ware.grid.utensils[one.utensil].verb} {one.output}" for one in state.operations)


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
