"""Things and contents as small numbers, so that a kitchen is a tuple of numbers.

A thing's code is even, and one more if it is food on a dish; 0 is nothing. A content's number tells its
utensil, what is in it, and how far its operation has come.
"""

from __future__ import annotations

from typing import NamedTuple

from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.state import Content

NOTHING = 0
DISH_CODE = 2


class Row(NamedTuple):
    """What is in a utensil: names of things in alphabetical order; see ``state.Content``."""

    utensil: int
    items: tuple[str, ...]
    output: str = ""
    timer: int = 0
    steps: int = 0


class Codes:
    """The numbers of one kitchen, given out as they are met. Contents count from 1."""

    def __init__(self, ware: Kitchenware) -> None:
        self._ware = ware
        self.names = ["", DISH]
        self._numbers = {name: number for number, name in enumerate(self.names)}
        self.rows = [Row(-1, ())]
        self._known: dict[Row, int] = {}
        self._put: dict[tuple[int, int, int], int] = {}
        self._started: dict[int, int] = {}
        self.ticked = [0]
        """The number of each content after a step in which nothing is done to it."""
        self.output = [NOTHING]
        """What each content has become or becomes; nothing before its operation starts."""
        self.left = [-1]
        """The steps after which it is ready; -1 before it starts."""
        self.utensil = [-1]

    def item(self, name: str, plated: bool = False) -> int:
        """The code of a thing."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.names)
            self.names.append(name)
        return 2 * number + plated

    def name(self, code: int) -> str:
        """The name of a thing."""
        return self.names[code >> 1]

    def content(self, found: Content) -> int:
        """The number of a content of the world."""
        return self._number(
            Row(found.utensil, tuple(sorted(found.items)), found.output, found.timer, found.steps)
        )

    def _number(self, row: Row) -> int:
        number = self._known.get(row)
        if number is None:
            number = self._known[row] = len(self.rows)
            self.rows.append(row)
            self.utensil.append(row.utensil)
            self.output.append(self.item(row.output) if row.output else NOTHING)
            self.left.append(row.steps - row.timer if row.output else -1)
            self.ticked.append(number)
            if 0 < row.timer < row.steps:
                self.ticked[number] = self._number(row._replace(timer=row.timer + 1))
        return number

    def put(self, utensil: int, content: int, item: int) -> int:
        """The content after a thing was put into a utensil (``content`` 0: an empty one); 0: it is full."""
        key = (utensil, content, item)
        found = self._put.get(key)
        if found is None:
            items = (*self.rows[content].items, self.name(item))
            fits = len(items) <= self._ware.cookbook.capacity or not content
            found = self._put[key] = self._number(Row(utensil, tuple(sorted(items)))) if fits else 0
        return found

    def started(self, content: int) -> int:
        """The content in the step in which its operation starts; 0: it comes to nothing."""
        found = self._started.get(content)
        if found is None:
            utensil, items = self.rows[content][:2]
            recipe = self._ware.cookbook.made_of(self._ware.grid.utensils[utensil].kind, items)
            found = 0
            if recipe is not None:
                found = self._number(Row(utensil, items, recipe.output, 1, recipe.steps))
            self._started[content] = found
        return found
