"""A kitchen as its file describes it, and what never changes in it: tables, the grid, the ways through it.

Cells are counted row by row from the upper left corner: cell ``y * width + x``. In the grid ``X`` is a
counter, ``I`` a dispenser of raw ingredients, ``D`` a dispenser of dishes, ``S`` a serving place, a
space the floor, ``1`` and ``2`` the cells on which the cooks start; each kind of utensil has a letter
of its own.

Directions are numbered north 0, south 1, east 2, west 3. Ties are rules: ways are found breadth first
with the neighbours in the order west, north, east, south.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

from backburner.kernel.checks import no_circle, none_of, refers_to, unique
from backburner.kernel.files import shipped

COUNTER, INGREDIENTS, DISHES, SERVING, FLOOR = "X", "I", "D", "S", " "
STARTS = ("1", "2")
OWN_SYMBOLS = (COUNTER, INGREDIENTS, DISHES, SERVING, FLOOR, *STARTS)
"""What means the same in every grid."""

DISH = "dish"
SHIPPED = "two_rooms"
"""The article's kitchen: two rooms that share three counters."""


MOST_CELLS = 2500

MOST_THINGS = 20
"""The most that a utensil may hold."""

KindName = Annotated[
    str,
    Meta(
        pattern=r"^(?!.*(counter|dispenser))[a-z][a-z_]{0,79}\Z",
        description="a kind of utensil is named with small letters and _, and no counter or dispenser",
    ),
]
FoodName = Annotated[
    str,
    Meta(
        pattern=rf"^(?!{DISH}\Z)[a-z][a-z0-9_]{{0,79}}\Z",
        description=f"is no name of food: small letters, digits and _, at most 80 of them, and not {DISH!r}",
    ),
]
Thing = Annotated[str, refers_to("thing", "ingredients", "recipes.output")]
Row = Annotated[str, Meta(min_length=3, max_length=MOST_CELLS)]


class UtensilKind(Struct, frozen=True, forbid_unknown_fields=True):
    """``symbol``: its letter in the grid. ``verb``: the call that starts it, such as ``cook``."""

    symbol: Annotated[str, Meta(min_length=1, max_length=1)]
    verb: Annotated[str, Meta(pattern=r"^[a-z][a-z_]{0,79}\Z", description="use small letters and _ only")]


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of a utensil's table: what becomes of these inputs, in any order, after so many steps."""

    utensil: Annotated[str, refers_to("utensil", "utensils")]
    output: Annotated[FoodName, none_of("a raw ingredient", "ingredients")]
    inputs: Annotated[tuple[Thing, ...], Meta(min_length=1, max_length=MOST_THINGS)]
    steps: Annotated[int, Meta(ge=1, le=1000)] = 3


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """A kitchen of two cooks.

    ``utensils``: kinds by name. ``needs_dish``: everything that may be ordered, and whether it is
    served on a dish. ``capacity``: how much a utensil holds. ``delivery_reward``: what an order earns.
    """

    grid: Annotated[tuple[Row, ...], Meta(min_length=3, max_length=MOST_CELLS)]
    utensils: Annotated[dict[KindName, UtensilKind], Meta(max_length=50), unique("symbol"), unique("verb")]
    ingredients: Annotated[tuple[FoodName, ...], Meta(min_length=1, max_length=500), unique()]
    recipes: Annotated[tuple[Recipe, ...], Meta(max_length=500), no_circle("output", "inputs")]
    needs_dish: Annotated[dict[Thing, bool], Meta(max_length=1000)]
    capacity: Annotated[int, Meta(ge=1, le=MOST_THINGS)] = 3
    delivery_reward: Annotated[int, Meta(ge=0, le=1_000_000)] = 20


PACKAGE = "backburner.worlds.collab_overcooked"


def shipped_layout(name: str) -> Layout:
    """A layout that comes with the package."""
    return shipped(PACKAGE, name, Layout)


MOST_KNOWN = 4096
"""How many contents are kept with what they may become a part of."""


class Cookbook:
    """The tables of a layout. Inputs match in any order, each as often as it is listed."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.raw = frozenset(layout.ingredients)
        self.products = self.raw | {recipe.output for recipe in layout.recipes}
        self.needs_dish = layout.needs_dish
        self.capacity = layout.capacity
        self._made = {(recipe.utensil, tuple(sorted(recipe.inputs))): recipe for recipe in layout.recipes}
        self._kinds: dict[str, set[str]] = {}
        self._recipes: dict[str, list[Recipe]] = {}
        self._parts: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
        for recipe in layout.recipes:
            self._recipes.setdefault(recipe.utensil, []).append(recipe)
            self._kinds.setdefault(recipe.output, set()).add(recipe.utensil)

    def made_of(self, kind: str, inputs: Sequence[str]) -> Recipe | None:
        """What a utensil of this kind makes of exactly these inputs."""
        return self._made.get((kind, tuple(sorted(inputs))))

    def part_of(self, kind: str, items: tuple[str, ...]) -> tuple[str, ...]:
        """What a utensil of this kind makes of these things and others, in the order of its table."""
        known = self._parts.get((kind, items))
        if known is None:
            here = Counter(items)
            recipes = (each for each in self._recipes.get(kind, ()) if len(each.inputs) > len(items))
            known = tuple(dict.fromkeys(each.output for each in recipes if here <= Counter(each.inputs)))
            if len(self._parts) < MOST_KNOWN:
                self._parts[kind, items] = known
        return known

    def makes(self, kind: str, output: str) -> bool:
        """Whether a utensil of this kind can make it at all."""
        return kind in self._kinds.get(output, ())


# --- the grid -------------------------------------------------------------------------------------------

NORTH: Final = 0
SOUTH: Final = 1
EAST: Final = 2
WEST: Final = 3
STAY: Final = 4
INTERACT: Final = 5
ACTIONS = ("N", "S", "E", "W", "STAY", "INTERACT")
"""The names of the actions, by number."""

START = "start"
"""The parameter of an act that starts an operation; food may have this name without harm."""

IDLE = (STAY, "")
"""The move of a cook that does nothing."""

Stand = tuple[int, int]
"""A cell to stand on and the direction to face."""

Way = tuple[int, int, int]
"""The way to a cell: the number of moves, the first move, the last move."""


MOST_WAYS = 2_000_000
"""So many ways are kept at most: all of them in kitchens of up to about a hundred cells."""


class Utensil(Struct, frozen=True):
    """One utensil. Its name is its kind and its number among its kind, in reading order: ``pot0``."""

    name: str
    kind: str
    verb: str
    cell: int


class Grid:
    """What never changes in a kitchen, looked up by cell. ``reach``: for each cook, the tiles it can ever
    face."""

    def __init__(self, layout: Layout) -> None:
        rows = layout.grid
        self.width, self.height = len(rows[0]), len(rows)
        text = "".join(rows)
        self.starts = (text.index(STARTS[0]), text.index(STARTS[1]))
        self.tiles = text.replace(STARTS[0], FLOOR).replace(STARTS[1], FLOOR)
        self.deltas = (-self.width, self.width, 1, -1)
        self.is_floor = tuple(tile == FLOOR for tile in self.tiles)
        self.utensils = _utensils(layout, self.tiles)
        self.utensil_at = {utensil.cell: index for index, utensil in enumerate(self.utensils)}
        self.utensil_named = {utensil.name: index for index, utensil in enumerate(self.utensils)}
        self.counters = self._cells(COUNTER)
        self.ingredients = self._cells(INGREDIENTS)
        self.dishes = self._cells(DISHES)
        self.servings = self._cells(SERVING)
        self._stands = {cell: self._around(cell) for cell, tile in enumerate(self.tiles) if tile != FLOOR}
        self._ways: dict[tuple[int, int], dict[int, Way]] = {}
        self.reach = tuple(self._reach(start) for start in self.starts)
        shared = self.reach[0] & self.reach[1]
        self.shared_counters = tuple(cell for cell in self.counters if cell in shared)

    def _cells(self, tile: str) -> tuple[int, ...]:
        return tuple(cell for cell, symbol in enumerate(self.tiles) if symbol == tile)

    def _around(self, tile: int) -> tuple[Stand, ...]:
        """Where one stands to face a tile: north, south, east and west of it."""
        x = tile % self.width
        stands = []
        for side, facing in ((NORTH, SOUTH), (SOUTH, NORTH), (EAST, WEST), (WEST, EAST)):
            cell = tile + self.deltas[side]
            inside = 0 <= cell < len(self.tiles) and abs(cell % self.width - x) <= 1
            if inside and self.is_floor[cell]:
                stands.append((cell, facing))
        return tuple(stands)

    def beside(self, tile: int) -> frozenset[int]:
        """The cells of floor from which a tile that is none can be faced."""
        return frozenset(cell for cell, _ in self._stands[tile])

    def _reach(self, start: int) -> frozenset[int]:
        """The tiles that a cook who starts here can ever face."""
        room = self.ways(start, -1)
        return frozenset(
            tile for tile, stands in self._stands.items() if any(cell in room for cell, _ in stands)
        )

    def at(self, cell: int) -> tuple[int, int]:
        """(x, y) of a cell."""
        return cell % self.width, cell // self.width

    def ways(self, start: int, blocked: int) -> Mapping[int, Way]:
        """The way to every cell that can be reached while somebody stands on ``blocked`` (-1: nobody)."""
        ways = self._ways.get((start, blocked))
        if ways is None:
            if len(self._ways) * len(self.tiles) > MOST_WAYS:
                self._ways.clear()
            ways = self._ways[start, blocked] = self._search(start, blocked)
        return ways

    def _search(self, start: int, blocked: int) -> dict[int, Way]:
        ways: dict[int, Way] = {start: (0, STAY, STAY)}
        waiting = [start]
        for cell in waiting:
            moves, first, _ = ways[cell]
            for direction in (WEST, NORTH, EAST, SOUTH):
                following = cell + self.deltas[direction]
                if self.is_floor[following] and following != blocked and following not in ways:
                    ways[following] = (moves + 1, direction if cell == start else first, direction)
                    waiting.append(following)
        return ways

    def next_move(self, cell: int, facing: int, blocked: int, tiles: Iterable[int]) -> int | None:
        """The first move of the cheapest way to face one of these tiles and act on it.

        A way costs its moves, one turn if it does not end facing the tile, and the act itself; the first
        of the cheapest counts. ``None`` if no tile can be reached now.
        """
        ways = self.ways(cell, blocked)
        best, cheapest = None, len(self.tiles) * 2
        for tile in tiles:
            for stand, wanted in self._stands[tile]:
                way = ways.get(stand)
                if way is None:
                    continue
                moves, first, last = way
                turned = last if moves else facing
                cost = moves + (turned != wanted)
                if cost < cheapest:
                    cheapest = cost
                    best = first if moves else INTERACT if turned == wanted else wanted
        return best


def _utensils(layout: Layout, tiles: str) -> tuple[Utensil, ...]:
    """The utensils by kind in the layout's order, each kind in reading order."""
    return tuple(
        Utensil(f"{name}{number}", name, kind.verb, cell)
        for name, kind in layout.utensils.items()
        for number, cell in enumerate(cell for cell, tile in enumerate(tiles) if tile == kind.symbol)
    )
