"""Where a thing has to go, and what there is in a kitchen to be brought there, as one cook sees it."""

from __future__ import annotations

from msgspec import Struct

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.sight import Observation, SeenUtensil

Job = tuple[str, ...]
"""Calls of one cook, one after the other."""

PLACE = Call(calls.PLACE).text
DELIVER = Call(calls.DELIVER).text
ONE_WAIT = calls.wait().text


def pickup(item: str, place: str) -> str:
    """To take a thing from somewhere."""
    return Call(calls.PICKUP, item, place).text


def put(utensil: SeenUtensil) -> str:
    """To put what one holds into a utensil."""
    return Call(calls.PUT, place=utensil.name).text


def fill(utensil: SeenUtensil) -> str:
    """To fill the dish that one holds."""
    return Call(calls.FILL, place=utensil.name).text


def start(utensil: SeenUtensil) -> str:
    """To start a utensil."""
    return Call(utensil.verb, place=utensil.name).text


class Goal(Struct, frozen=True):
    """What is done with a thing in the end, and the cooks (0, 1) who get to where it is done."""

    cooks: frozenset[int]
    calls: Job


class Thing(Struct, frozen=True):
    """Something on a counter, and the cooks who get to it."""

    item: str
    plated: bool
    cooks: frozenset[int]


class Moment:
    """What a cook sees, to be used up while it is settled what is for what.

    ``hands``: what each cook holds and whether on a dish; ``utensils`` by name.
    """

    def __init__(self, ware: Kitchenware, seen: Observation, me: int) -> None:
        self._grid = ware.grid
        both = frozenset((0, 1))
        cooks = {me: seen.me, 1 - me: seen.partner}
        self.hands = {cook: (one.held, one.plated) for cook, one in cooks.items() if one.held}
        self.things = [
            Thing(one.item, one.plated, both if one.shared else frozenset((me,))) for one in seen.things
        ]
        self.utensils = {one.name: one for one in seen.utensils}
        self.free_counters = seen.counters - sum(one.shared for one in seen.things)

    def near(self, utensil: str) -> frozenset[int]:
        """The cooks who get to a utensil."""
        index = self._grid.utensil_named[utensil]
        return self._reaching((self._grid.utensils[index].cell,))

    def near_dispenser(self, name: str) -> frozenset[int]:
        """The cooks who get to a dispenser of that name."""
        dishes = name == calls.DISH_DISPENSER
        return self._reaching(self._grid.dishes if dishes else self._grid.ingredients)

    def near_serving(self) -> frozenset[int]:
        """The cooks who can deliver."""
        return self._reaching(self._grid.servings)

    def _reaching(self, cells: tuple[int, ...]) -> frozenset[int]:
        return frozenset(cook for cook in (0, 1) if any(cell in self._grid.reach[cook] for cell in cells))

    def of_kind(self, kind: str) -> list[SeenUtensil]:
        """The utensils of a kind that are not used up."""
        utensils = (one for one in self._grid.utensils if one.kind == kind)
        return [self.utensils[one.name] for one in utensils if one.name in self.utensils]

    def has(self, item: str) -> bool:
        """Whether there is such a thing, without a dish, or it is being made."""
        return (
            (item, False) in self.hands.values()
            or any(one.item == item and not one.plated for one in self.things)
            or any(one.output == item for one in self.utensils.values())
        )
