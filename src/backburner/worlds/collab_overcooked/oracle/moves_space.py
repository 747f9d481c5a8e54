"""The grid's decision space: both cooks move, turn, act or stay in every step.

Nothing is fetched beyond what the orders take. That loses no shorter plan: what a thing that ends in
no order was moved by can be left out, each act on it replaced by staying.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.grid import INTERACT, STAY
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.oracle.codes import DISH_CODE, Codes
from backburner.worlds.collab_overcooked.oracle.floors import Floor
from backburner.worlds.collab_overcooked.oracle.needs import Needs
from backburner.worlds.collab_overcooked.oracle.steps import START_ACT, TAKE_ACT, Steps


class GridMove(NamedTuple):
    """Both cooks' actions in one step, and the kitchen after it."""

    steps: int
    node: Floor
    begun: tuple[int, int]


class MovesSpace:
    """The joint moves of two cooks in one kitchen."""

    def __init__(self, ware: Kitchenware, codes: Codes, needs: Needs, steps: Steps) -> None:
        self._grid = ware.grid
        self._codes = codes
        self._needs = needs
        self._steps = steps
        self._dishes = needs.fetched.index(DISH_CODE) if DISH_CODE in needs.fetched else -1
        self._turns: dict[int, tuple[int, ...]] = {}

    def moves(self, floor: Floor) -> Iterator[GridMove]:
        """Every joint move that may be of use."""
        second = self._actions(floor, floor.pose1, floor.held1)
        for action0 in self._actions(floor, floor.pose0, floor.held0):
            for action1 in second:
                after = self._steps.step(floor, action0, action1)
                if after != floor:
                    yield GridMove(1, after, (action0, action1))

    def _actions(self, floor: Floor, pose: int, held: int) -> list[int]:
        turns = self._turns.get(pose)
        if turns is None:
            turns = self._turns[pose] = tuple(self._walks(pose))
        cell = (pose >> 2) + self._grid.deltas[pose & 3]
        return [*turns, STAY, *self._acts(floor, cell, held)]

    def _walks(self, pose: int) -> Iterator[int]:
        """Steps onto the floor, and turns to tiles that one can do something with."""
        for direction, delta in enumerate(self._grid.deltas):
            cell = (pose >> 2) + delta
            if self._grid.is_floor[cell] or direction != pose & 3:
                yield direction

    def _acts(self, floor: Floor, cell: int, held: int) -> Iterator[int]:
        """Acts on a tile that change something, now or by what the partner does in the same step."""
        utensil = self._grid.utensil_at.get(cell)
        tile = self._grid.tiles[cell]
        if utensil is not None:
            content = next((one for one in floor.contents if self._codes.utensil[one] == utensil), 0)
            if content and self._codes.left[content] < 0:
                yield START_ACT
            yield INTERACT
        elif tile == letters.INGREDIENTS:
            for item, left in zip(self._needs.fetched, floor.budget, strict=True):
                if left > 0 and not held and item != DISH_CODE:
                    yield TAKE_ACT + item
        elif tile == letters.DISHES:
            if not held and floor.budget[self._dishes] > 0 <= self._dishes:
                yield INTERACT
        elif tile == letters.COUNTER or (tile == letters.SERVING and held):
            yield INTERACT
