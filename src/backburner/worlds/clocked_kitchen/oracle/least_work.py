"""The least work in a dish of a clocked kitchen: along shortest ways, with nobody in the way, in ticks.

What hands do at a place shows at once, and keeps their body for ``hand_ticks``. An ingredient costs its body
two of these and the way from its shelf to the tool; a product the start of its tool, two of these and the way
on. Nothing is sooner served than by the longest such row, from the first step to a shelf on. What lies on a
board may be taken on its other side: ways of things that may lie there on the way count nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from backburner.kernel.schedule import Activity
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE
from backburner.worlds.cuisineworld.game.state import NOTHING


def ways_on(compiled: Compiled) -> tuple[float, int]:
    """The mean and the longest way, in cells, from where one place is served to another place."""
    floor = compiled.floor
    ways = [
        min(there.distance[cell] for cell, look in enumerate(here.looks) if look >= 0)
        for here in floor.targets
        for there in floor.targets
        if here.place != there.place
    ]
    return sum(ways) / len(ways), max(ways)


class LeastWork:
    """What dishes take at the least; their activities are those of ``tree``."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        kitchen, clock = compiled.kitchen, compiled.clock
        self.cell = min(clock.cell_ticks, clock.squeeze_ticks)
        self.recipes = {recipe.product: recipe for recipe in kitchen.recipes}
        self.kinds = {kind.name: kind for kind in kitchen.kinds}
        self.places: dict[str, list[int]] = {}
        for place, kind in enumerate(kitchen.kinds):
            self.places.setdefault(kind.name, []).append(place)

    def tree(self, dish: str) -> tuple[Activity, ...]:
        """All that a dish is made of, a thing that several products need as often."""
        made: list[Activity] = []
        self._visit(dish, "", made)
        return tuple(made)

    def _visit(self, thing: str, used_in: str, made: list[Activity]) -> str:
        hand = self.compiled.clock.hand_ticks
        recipe = self.recipes.get(thing)
        if recipe is None:
            ticks = 2 * hand + self.way_from_shelf(thing, used_in)
            made.append(Activity(f"{thing} {len(made)}", ticks, ticks))
            return made[-1].name
        inputs = tuple(self._visit(name, recipe.tool, made) for name in recipe.inputs)
        works = max(hand, self.works(recipe.tool))
        carried = 0 if recipe.tool == used_in else 2 * hand + self.way(thing, used_in)
        held = (works if self.kinds[recipe.tool].holds_body else hand) + carried
        made.append(Activity(f"{thing} {len(made)}", works + carried, held, inputs, (recipe.tool,)))
        return made[-1].name

    def ticks(self, dish: str) -> tuple[int, int]:
        """A time within which no play serves the dish in an empty kitchen, and the time of bodies in it."""
        floor, bodies = self.compiled.floor, len(self.compiled.names)
        of_bodies = sum(activity.operator_time for activity in self.tree(dish))
        starts = floor.entrances[:bodies]
        shelves = [floor.targets[number] for (_, item), number in floor.target_of.items() if item != NOTHING]
        first = min((shelf.distance[cell] for shelf in shelves for cell in starts), default=0)
        row = first * self.cell + self._row(dish, "")
        return max(row, ceil((of_bodies - self.compiled.clock.hand_ticks) / bodies)), of_bodies

    def _row(self, thing: str, used_in: str) -> int:
        """Ticks from the first deed at a shelf until the thing is put into what it is used in."""
        hand, recipe = self.compiled.clock.hand_ticks, self.recipes.get(thing)
        if recipe is None:
            return hand + self.way_from_shelf(thing, used_in)
        before = max(self._row(name, recipe.tool) for name in recipe.inputs)
        carried = 0 if recipe.tool == used_in else hand + self.way(thing, used_in)
        return before + self.works(recipe.tool) + carried

    def works(self, tool: str) -> int:
        """How long a kind of tool works."""
        return self.compiled.work_ticks[self.places[tool][0]]

    def way(self, product: str, used_in: str) -> int:
        """Ticks of the shortest way from a tool that makes a product to one of another kind, or to a
        table."""
        tool, floor = self.recipes[product].tool, self.compiled.floor
        return self._nearest(product, [floor.target_of[here, NOTHING] for here in self.places[tool]], used_in)

    def way_from_shelf(self, ingredient: str, used_in: str) -> int:
        """Ticks of the shortest way from a shelf of an ingredient to a tool of a kind."""
        return self._nearest(ingredient, self.shelves(ingredient), used_in)

    def shelves(self, ingredient: str) -> list[int]:
        """The targets where an ingredient is taken."""
        kitchen, floor = self.compiled.kitchen, self.compiled.floor
        item = kitchen.thing_number[ingredient]
        return [floor.target_of[place, item] for place, role in enumerate(kitchen.roles) if role == STORAGE]

    def _nearest(self, thing: str, starts: Sequence[int], used_in: str) -> int:
        kitchen, floor, ends = self.compiled.kitchen, self.compiled.floor, self._ends(used_in)
        boards = [place for place, kind in enumerate(kitchen.kinds) if kind.gives == "anything"]
        item = kitchen.thing_number[thing]
        if ends[0] not in boards and any(kitchen.addable(board, ()) >> item & 1 for board in boards):
            return 0
        targets = [floor.target_of[place, NOTHING] for place in ends]
        return self.cell * min(self.cells_between(start, end) for start in starts for end in targets)

    def _ends(self, used_in: str) -> Sequence[int]:
        tables = [place for place, role in enumerate(self.compiled.kitchen.roles) if role == TABLE]
        return self.places[used_in] if used_in else tables

    def cells_between(self, here: int, there: int) -> int:
        """Cells of the shortest way from where one target is served to where another is."""
        targets = self.compiled.floor.targets
        return min(
            targets[there].distance[cell] for cell, look in enumerate(targets[here].looks) if look >= 0
        )
