"""The next action of a call: the world's own shortest ways, looked up by what they depend on."""

from __future__ import annotations

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.grid import INTERACT
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.oracle.codes import Codes
from backburner.worlds.collab_overcooked.oracle.floors import Floor
from backburner.worlds.collab_overcooked.oracle.known_calls import KnownCalls
from backburner.worlds.collab_overcooked.oracle.steps import START_ACT, TAKE_ACT

NO_WAY = -1


class Carrying:
    """Carries out the calls of one kitchen."""

    def __init__(self, ware: Kitchenware, codes: Codes, known: KnownCalls) -> None:
        grid = self._grid = ware.grid
        self._codes = codes
        self._known = known
        self._private_first = ware.rules.private_counters_first
        self._shared = tuple(cell for cell in grid.counters if all(cell in reach for reach in grid.reach))
        rooms = [set(grid.ways(start, -1)) for start in grid.starts]
        self._apart = not rooms[0] & rooms[1]
        self._actions: dict[tuple[object, ...], int] = {}

    def action(self, floor: Floor, cook: int, call: int) -> int:
        """The next action of the cheapest way to do this; ``NO_WAY`` if there is none now."""
        pose, other = (floor.pose1, floor.pose0) if cook else (floor.pose0, floor.pose1)
        moving = self._known.all[call].place == calls.COUNTER or call == self._known.place
        blocked = -1 if self._apart else other >> 2
        key = (call, cook, pose, blocked, floor.lying if moving else None)
        known = self._actions.get(key)
        if known is None:
            tiles = self._tiles(floor, cook, call)
            action = self._grid.next_move(pose >> 2, pose & 3, blocked, tiles)
            if action == INTERACT:
                action = self._act(call)
            known = NO_WAY if action is None else action
            self._actions[key] = known
        return known

    def _act(self, call: int) -> int:
        if call in self._known.start:
            return START_ACT
        if self._known.all[call].place == calls.INGREDIENT_DISPENSER:
            return TAKE_ACT + self._known.item[call]
        return INTERACT

    def _tiles(self, floor: Floor, cook: int, call: int) -> tuple[int, ...]:
        """The tiles that a call is about, in the order in which they are looked at; see ``targets``."""
        mine, other = self._grid.reach[cook], self._grid.reach[1 - cook]
        done = self._known.all[call]
        if call == self._known.place:
            taken = {cell for _, cell in floor.lying}
            shared = tuple(cell for cell in self._shared if cell not in taken)
            return shared or tuple(c for c in self._grid.counters if c in mine and c not in taken)
        if done.place == calls.COUNTER:
            item = self._known.item[call]
            cells = tuple(cell for found, cell in floor.lying if found & ~1 == item and cell in mine)
            private = tuple(cell for cell in cells if cell not in other)
            return private or cells if self._private_first else cells
        if done.place == calls.INGREDIENT_DISPENSER:
            cells = self._grid.ingredients
        elif done.place == calls.DISH_DISPENSER:
            cells = self._grid.dishes
        elif done.verb == calls.DELIVER:
            cells = self._grid.servings
        else:
            cells = (self._grid.utensils[self._known.utensil[call]].cell,)
        return tuple(cell for cell in cells if cell in mine)
