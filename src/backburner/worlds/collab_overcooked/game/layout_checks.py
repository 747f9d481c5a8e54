"""Whether a layout makes sense: every mistake is one message that names its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from backburner.kernel.errors import shorten
from backburner.kernel.files import Place
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.calls import COLLABORATION
from backburner.worlds.collab_overcooked.game.layout import DISH, Grid, Layout, Recipe

NAME = re.compile(r"[a-z][a-z_]*")
FOOD = re.compile(r"[a-z][a-z0-9_]*")
MOST_CELLS = 2500
MOST_STEPS = 1000
MOST_RECIPES = 500
MOST_KINDS = 50
MOST_INGREDIENTS = 500
MOST_THINGS = 20
"""The most that a utensil may hold."""
MOST_REWARD = 1_000_000
LONGEST_NAME = 80
TAKEN_VERBS = (
    calls.PICKUP, calls.PUT, calls.PLACE, calls.FILL, calls.DELIVER, calls.DELIVER_AS_PUBLISHED,
    calls.WAIT, calls.CHECK_RECIPE, *COLLABORATION,
)  # fmt: skip
TAKEN_KINDS = ("counter", "dispenser")


def check_layout(layout: Layout, place: Place) -> None:
    """Raises ``BadFile`` for the first thing in a layout that makes no sense.

    Sizes come first, so that this is quick whatever is in the layout.
    """
    _check_sizes(layout, place)
    _check_kinds(layout, place)
    _check_grid(layout, place.field("grid"))
    _check_foods(layout, place)
    for index, recipe in enumerate(layout.recipes):
        _check_recipe(layout, recipe, place.entry("recipes", index, recipe.output))
    _check_tables(layout, place)
    _check_orders(layout, place)
    _check_reach(layout, place.field("grid"))


def _check_sizes(layout: Layout, place: Place) -> None:
    for field, most in (
        ("utensils", MOST_KINDS),
        ("ingredients", MOST_INGREDIENTS),
        ("recipes", MOST_RECIPES),
    ):
        number = len(getattr(layout, field))
        if number > most:
            raise place.field(field).wrong(f"{number} {field}; at most {most} are allowed")
    most_foods = len(layout.ingredients) + len(layout.recipes)
    if len(layout.needs_dish) > most_foods:
        raise place.field("needs_dish").wrong(f"{len(layout.needs_dish)} things, and only {most_foods} foods")
    cells = sum(map(len, layout.grid))
    if cells > MOST_CELLS or len(layout.grid) > MOST_CELLS:
        wide = max(map(len, layout.grid), default=0)
        told = f"{wide} x {len(layout.grid)} cells; at most {MOST_CELLS} are allowed"
        raise place.field("grid").wrong(told)


def _check_kinds(layout: Layout, place: Place) -> None:
    seen: dict[str, str] = {}
    for name, kind in layout.utensils.items():
        here = place.at(f"utensils {shorten(name)!r}")
        if (
            len(name) > LONGEST_NAME
            or not NAME.fullmatch(name)
            or any(taken in name for taken in TAKEN_KINDS)
        ):
            raise here.wrong(
                "a kind of utensil is named with small letters and _, and no counter or dispenser"
            )
        verb = kind.verb
        if len(verb) > LONGEST_NAME or not NAME.fullmatch(verb) or verb in TAKEN_VERBS:
            raise here.field("verb").wrong(f"{shorten(verb)!r} is no verb of its own")
        if len(kind.symbol) != 1 or not kind.symbol.isprintable() or kind.symbol in letters.OWN_SYMBOLS:
            own = "".join(letters.OWN_SYMBOLS)
            raise here.field("symbol").wrong(
                f"{shorten(kind.symbol)!r} is no letter of its own; {own!r} are taken"
            )
        if kind.symbol in seen:
            raise here.field("symbol").wrong(f"{kind.symbol!r} is the letter of {seen[kind.symbol]}")
        seen[kind.symbol] = name
    if len({kind.verb for kind in layout.utensils.values()}) < len(layout.utensils):
        raise place.field("utensils").wrong("two kinds have the same verb")


def _check_grid(layout: Layout, place: Place) -> None:
    rows = layout.grid
    width = len(rows[0]) if rows else 0
    if len(rows) < 3 or width < 3:
        raise place.wrong("a grid has at least 3 rows of at least 3 cells")
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


def _check_foods(layout: Layout, place: Place) -> None:
    if not layout.ingredients:
        raise place.field("ingredients").wrong("at least one is needed")
    for index, name in enumerate(layout.ingredients):
        _check_name(name, place.entry("ingredients", index))
        if name in layout.ingredients[:index]:
            raise place.entry("ingredients", index).wrong(f"{name!r} is there twice")
    for field, least, most in (("capacity", 1, MOST_THINGS), ("delivery_reward", 0, MOST_REWARD)):
        number = getattr(layout, field)
        if not least <= number <= most:
            raise place.field(field).wrong(f"is {number}; it is from {least} to {most}")


def _check_name(name: str, place: Place) -> None:
    if len(name) > LONGEST_NAME or not FOOD.fullmatch(name) or name == DISH:
        told = f"small letters, digits and _, at most {LONGEST_NAME} of them, and not {DISH!r}"
        raise place.wrong(f"{shorten(name)!r} is no name of food: {told}")


def _check_recipe(layout: Layout, recipe: Recipe, place: Place) -> None:
    if recipe.utensil not in layout.utensils:
        raise place.field("utensil").unknown("utensil", recipe.utensil, layout.utensils)
    _check_name(recipe.output, place.field("output"))
    if recipe.output in layout.ingredients:
        raise place.field("output").wrong(f"{recipe.output!r} is a raw ingredient")
    if not 1 <= len(recipe.inputs) <= layout.capacity:
        raise place.field("inputs").wrong(
            f"has {len(recipe.inputs)} things; a utensil takes 1 to {layout.capacity}"
        )
    known = [*layout.ingredients, *(made.output for made in layout.recipes)]
    for name in recipe.inputs:
        if name not in known:
            raise place.field("inputs").unknown("thing", name, known)
    if not 1 <= recipe.steps <= MOST_STEPS:
        raise place.field("steps").wrong(f"is {recipe.steps}; it is from 1 to {MOST_STEPS}")


def _check_tables(layout: Layout, place: Place) -> None:
    """No utensil makes two things of the same inputs, and nothing is needed to make itself."""
    made: dict[tuple[str, tuple[str, ...]], int] = {}
    for index, recipe in enumerate(layout.recipes):
        key = recipe.utensil, tuple(sorted(recipe.inputs))
        if key in made:
            here = place.entry("recipes", index, recipe.output)
            raise here.wrong(
                f"{recipe.utensil} makes something of these inputs already: recipes[{made[key]}]"
            )
        made[key] = index
    inputs: dict[str, set[str]] = {}
    for recipe in layout.recipes:
        inputs.setdefault(recipe.output, set()).update(recipe.inputs)
    settled: set[str] = set(layout.ingredients)
    for output in inputs:
        circle = _circle(inputs, output, [], settled)
        if circle:
            raise place.field("recipes").wrong(f"a circle: {' needs '.join(circle)}")


def _circle(inputs: dict[str, set[str]], item: str, above: list[str], settled: set[str]) -> list[str]:
    """A way from a thing back to itself, if there is one at or below it."""
    if item in above:
        return [*above[above.index(item) :], item]
    if item in settled:
        return []
    for needed in sorted(inputs.get(item, ())):
        circle = _circle(inputs, needed, [*above, item], settled)
        if circle:
            return circle
    settled.add(item)
    return []


def _check_orders(layout: Layout, place: Place) -> None:
    known = dict.fromkeys((*layout.ingredients, *(recipe.output for recipe in layout.recipes)))
    for name in layout.needs_dish:
        if name not in known:
            raise place.field("needs_dish").unknown("thing", name, known)


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
