"""Whether a layout makes sense beyond what it declares: every mistake is one message that names its place."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.errors import shorten
from backburner.kernel.files import Place, check
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.calls import COLLABORATION
from backburner.worlds.collab_overcooked.game.layout import MOST_CELLS, Grid, Layout

TAKEN_VERBS = (
    calls.PICKUP, calls.PUT, calls.PLACE, calls.FILL, calls.DELIVER, calls.DELIVER_AS_PUBLISHED,
    calls.WAIT, calls.CHECK_RECIPE, *COLLABORATION,
)  # fmt: skip


def check_layout(layout: Layout, place: Place) -> None:
    """Raises ``BadFile`` for the first thing in a layout that makes no sense."""
    check(layout, place)
    _check_kinds(layout, place)
    _check_grid(layout, place.field("grid"))
    _check_recipes(layout, place)
    _check_reach(layout, place.field("grid"))


def _check_kinds(layout: Layout, place: Place) -> None:
    for name, kind in layout.utensils.items():
        here = place.at(f"utensils {shorten(name)!r}")
        if kind.verb in TAKEN_VERBS:
            raise here.field("verb").wrong(f"{kind.verb!r} is no verb of its own")
        if not kind.symbol.isprintable() or kind.symbol in letters.OWN_SYMBOLS:
            own = "".join(letters.OWN_SYMBOLS)
            raise here.field("symbol").wrong(f"{kind.symbol!r} is no letter of its own; {own!r} are taken")


def _check_grid(layout: Layout, place: Place) -> None:
    rows = layout.grid
    width = len(rows[0])
    if sum(map(len, rows)) > MOST_CELLS:
        wide = max(map(len, rows))
        raise place.wrong(f"{wide} x {len(rows)} cells; at most {MOST_CELLS} are allowed")
    for y, row in enumerate(rows):
        if len(row) != width:
            raise place.wrong(f"row {y} has {len(row)} cells and row 0 has {width}")
    symbols = {kind.symbol for kind in layout.utensils.values()}
    for x, y, tile in _cells(layout):
        if tile not in letters.OWN_SYMBOLS and tile not in symbols:
            raise place.wrong(f"{tile!r} at ({x}, {y}) is the letter of nothing; no utensil has it")
        border = x in (0, width - 1) or y in (0, len(rows) - 1)
        if border and tile in (letters.FLOOR, *letters.STARTS):
            raise place.wrong(f"the border is open at ({x}, {y}): only things that stand there may close it")
    text = "".join(rows)
    for start in letters.STARTS:
        if text.count(start) != 1:
            raise place.wrong(f"{text.count(start)} cells with {start!r}; one cook starts there")
    needed = {letters.INGREDIENTS: "dispenser of ingredients", letters.SERVING: "serving place"}
    if any(layout.needs_dish.values()):
        needed[letters.DISHES] = "dispenser of dishes"
    for tile, what in needed.items():
        if tile not in text:
            raise place.wrong(f"there is no {what} ({tile!r})")


def _cells(layout: Layout) -> Iterator[tuple[int, int, str]]:
    for y, row in enumerate(layout.grid):
        for x, tile in enumerate(row):
            yield x, y, tile


def _check_recipes(layout: Layout, place: Place) -> None:
    """Utensils hold what they need, and none makes two things of the same inputs."""
    made: dict[tuple[str, tuple[str, ...]], int] = {}
    for index, (here, recipe) in enumerate(place.entries("recipes", layout.recipes)):
        if len(recipe.inputs) > layout.capacity:
            told = f"has {len(recipe.inputs)} things; a utensil takes 1 to {layout.capacity}"
            raise here.field("inputs").wrong(told)
        first = made.setdefault((recipe.utensil, tuple(sorted(recipe.inputs))), index)
        if first != index:
            raise here.wrong(f"{recipe.utensil} makes something of these inputs already: recipes[{first}]")


def _check_reach(layout: Layout, place: Place) -> None:
    """Somebody can use every dispenser, utensil and serving place."""
    grid = Grid(layout)
    anybody = grid.reach[0] | grid.reach[1]
    names = dict.fromkeys(grid.ingredients, "the dispenser of ingredients")
    names |= dict.fromkeys(grid.dishes, "the dispenser of dishes")
    names |= dict.fromkeys(grid.servings, "the serving place")
    names |= {utensil.cell: utensil.name for utensil in grid.utensils}
    for cell, name in sorted(names.items()):
        if cell not in anybody:
            raise place.wrong(f"no cook can reach {name} at {grid.at(cell)}")
