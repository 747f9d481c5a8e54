"""The tiles that a call is about, in the order in which they are looked at."""

from __future__ import annotations

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.grid import Grid
from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.state import Kitchen

SERVING = "serving_place"


class Targets:
    """Where calls lead in kitchens of one layout, as far as a cook can ever get there."""

    def __init__(self, grid: Grid, rules: Rules) -> None:
        self._grid = grid
        self._rules = rules
        self._within = tuple(
            {
                calls.INGREDIENT_DISPENSER: self._reached(cook, grid.ingredients),
                calls.DISH_DISPENSER: self._reached(cook, grid.dishes),
                calls.DELIVER: self._reached(cook, grid.servings),
            }
            | {utensil.name: self._reached(cook, (utensil.cell,)) for utensil in grid.utensils}
            for cook in (0, 1)
        )
        self._counters = tuple(self._reached(cook, grid.counters) for cook in (0, 1))
        shared = grid.reach[0] & grid.reach[1]
        self._shared = tuple(cell for cell in grid.counters if cell in shared)

    def _reached(self, cook: int, cells: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(cell for cell in cells if cell in self._grid.reach[cook])

    def of(self, kitchen: Kitchen, cook: int, call: Call) -> tuple[int, ...]:
        """The tiles on which a cook can do this; empty if there is none, or nothing to do there."""
        if call.verb == calls.PICKUP:
            return self.of_pickup(kitchen, cook, call)
        if call.verb == calls.PLACE:
            return self.of_place(kitchen, cook)
        if call.verb == calls.DELIVER:
            return self._within[cook][calls.DELIVER]
        return self._within[cook].get(call.place, ())

    def of_pickup(self, kitchen: Kitchen, cook: int, call: Call) -> tuple[int, ...]:
        """Where the thing can be taken from; counters in the order in which things were put down."""
        place = call.place
        if place in self._within[cook]:
            return self._within[cook][place]
        mine, other = self._grid.reach[cook], self._grid.reach[1 - cook]
        cells = tuple(one.cell for one in kitchen.lying if one.item == call.item and one.cell in mine)
        if not self._rules.private_counters_first:
            return cells
        return tuple(cell for cell in cells if cell not in other) or cells

    def of_place(self, kitchen: Kitchen, cook: int) -> tuple[int, ...]:
        """Empty counters that both cooks can reach, or if there is none, that this one can."""
        taken = {one.cell for one in kitchen.lying}
        shared = tuple(cell for cell in self._shared if cell not in taken)
        return shared or tuple(cell for cell in self._counters[cook] if cell not in taken)

    def space(self, cook: int) -> tuple[str, ...]:
        """What a cook can reach, by name: utensils, dispensers, the serving place."""
        return tuple(
            SERVING if name == calls.DELIVER else name for name, cells in self._within[cook].items() if cells
        )
