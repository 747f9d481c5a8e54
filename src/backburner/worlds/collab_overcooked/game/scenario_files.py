"""A user's scenario file: what is ordered, in the shipped kitchen or another, and who knows the recipes.

{"world": "collab_overcooked", "id": "lunch", "layout": "kitchens/wide.json", "orders": ["boiled_egg"]}

``layout`` is ``two_rooms``, a layout written out, or a file: JSON as ``data/schemas`` describes it, or,
if its name ends in ``.layout``, the released program's format. Every mistake in a file is one message that
names its place.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from backburner.kernel.checks import FileId, unique
from backburner.kernel.errors import shorten
from backburner.kernel.files import Place, check, converted, read_json, read_text
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.calls import COLLABORATION
from backburner.worlds.collab_overcooked.game.layout import (
    MOST_CELLS,
    SHIPPED,
    Grid,
    Layout,
    Recipe,
    UtensilKind,
)
from backburner.worlds.collab_overcooked.game.recipes import method_of, operations_of
from backburner.worlds.collab_overcooked.game.scenarios import (
    MOST_OPEN,
    OpenOrders,
    Scenario,
    StepLimit,
    Telling,
    Weights,
    layout_of,
    most_asked_actions,
    orders,
)
from backburner.worlds.collab_overcooked.game.state import Role

RELEASED_SUFFIX = ".layout"
MOST_OPERATIONS = 200
"""The most operations that an order may take."""
MOST_WHOLE = 1
"""The most that ``first_action`` may be where the partner has nothing to do."""


class ScenarioFile(Struct, forbid_unknown_fields=True):
    """The fields of a scenario file; see ``scenarios.Scenario``."""

    world: str
    id: FileId
    orders: Annotated[tuple[str, ...], Meta(max_length=MOST_OPEN)] = ()
    layout: str | Layout = SHIPPED
    informed: Annotated[tuple[Role, ...], unique()] = ("chef",)
    order_weights: Weights = {}
    open_orders: OpenOrders = 1
    step_limit: StepLimit | None = None
    told: Telling = "published"


FILE_TYPES: Mapping[str, Any] = {"layout": Layout, "scenario": ScenarioFile}
"""The files that users write, by the name of their schema."""


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's scenario file; raises ``BadFile`` naming file, entry and field."""
    place = Place(source)
    fields = converted(raw, ScenarioFile, place)
    layout, orders, weights = _layout(fields, place)
    scenario = Scenario(
        orders,
        layout,
        fields.informed,
        weights,
        fields.open_orders,
        step_limit=fields.step_limit,
        told=fields.told,
    )
    check(scenario, place)
    _check_orders(layout_of(scenario), scenario, place)
    return fields.id, scenario


def check_scenario(scenario: Scenario, place: Place) -> None:
    """Raises ``BadFile`` for the first thing in a scenario that no file and no id could have given."""
    if isinstance(scenario.layout, Layout):
        check_layout(scenario.layout, place.at("layout"))
    elif scenario.layout != SHIPPED:
        raise place.field("layout").unknown("layout", scenario.layout, [SHIPPED])
    layout = layout_of(scenario)
    _check_orders(layout, scenario, place)
    published = orders().get(scenario.orders[0]) if len(scenario.orders) == 1 else None
    if scenario.level is not None and (published is None or published.level != scenario.level):
        told = "has no level" if published is None else f"is of level {published.level}"
        raise place.field("level").wrong(
            f"is {scenario.level}; {' + '.join(scenario.orders) or 'this'} {told}"
        )
    most = max(MOST_WHOLE, most_asked_actions(layout, scenario.orders, scenario.informed))
    if not 0 <= scenario.first_action <= most:
        raise place.field("first_action").wrong(f"is {scenario.first_action}; it is from 0 to {most}")
    if scenario.opening and not scenario.exchange:
        raise place.field("opening").wrong("has calls, and exchange is not set")
    if scenario.exchange and (len(scenario.orders) > 1 or len(scenario.informed) != 1):
        raise place.field("exchange").wrong("is about one order whose recipe one cook has")


def _layout(fields: ScenarioFile, place: Place) -> tuple[str | Layout, tuple[str, ...], dict[str, float]]:
    """The layout, the orders and their weights; those of a released file where the scenario has none."""
    orders, weights = fields.orders, fields.order_weights
    if isinstance(fields.layout, Layout):
        check_layout(fields.layout, place.at("layout"))
        return fields.layout, orders, weights
    if fields.layout == SHIPPED:
        return SHIPPED, orders, weights
    file = Path(place.file).parent / fields.layout
    if file.suffix == RELEASED_SUFFIX:
        released = read_released_layout(read_text(file, LONGEST_FILE), str(file))
        return released.layout, orders or released.orders, weights or released.order_weights
    return read_layout(file), orders, weights


def read_layout(file: Path) -> Layout:
    """A layout file in our own format; raises ``BadFile``."""
    place = Place(str(file))
    layout = converted(read_json(file), Layout, place)
    check_layout(layout, place)
    return layout


def _check_orders(layout: Layout, scenario: Scenario, place: Place) -> None:
    orders, weights = scenario.orders, scenario.order_weights
    if not orders and not weights:
        raise place.field("orders").wrong("at least one order is needed, or weights to draw orders by")
    for order in orders:
        _check_order(layout, order, place.field("orders"))
    for order in weights:
        _check_order(layout, order, place.field("order_weights"))
    if weights and not 0 < sum(weights.values()) < math.inf:
        told = (
            "every weight is 0" if not sum(weights.values()) else "the weights are too large to be added up"
        )
        raise place.field("order_weights").wrong(told)


def _check_order(layout: Layout, order: str, place: Place) -> None:
    if order not in layout.needs_dish:
        raise place.unknown("order", order, layout.needs_dish)
    operations = operations_of(layout, order)
    if operations > MOST_OPERATIONS:
        raise place.wrong(
            f"{order} takes {shorten(str(operations))} operations; at most {MOST_OPERATIONS} are allowed"
        )
    there = "".join(layout.grid)
    for recipe in method_of(layout, order).steps:
        if layout.utensils[recipe.utensil].symbol not in there:
            raise place.wrong(f"{order} needs the utensil {recipe.utensil}, and there is none in the grid")


# --- layouts, beyond what they declare ------------------------------------------------------------------

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


# --- the released program's layout files ----------------------------------------------------------------

LONGEST_FILE = 80_000
"""Characters of a released layout file, which is read in less than a tenth of a second."""

NO_UTENSIL = "none"
"""A kind that stands for no utensil: its outputs are what needs no work."""


class ReleasedLayout(Struct, frozen=True):
    """A layout, the orders that play begins with, and the weights by which more are drawn."""

    layout: Layout
    orders: tuple[str, ...]
    order_weights: dict[str, float]


class _Kind(Struct):
    symbol: str
    operation: str


class _Made(Struct):
    recipe: tuple[str, ...]
    cook_time: int | None = None


class _ReleasedFile(Struct):
    grid: str
    start_order_list: tuple[str, ...]
    utensils: dict[str, _Kind]
    ingredients: tuple[str, ...]
    recipes: dict[str, dict[str, _Made]]
    need_dish: dict[str, int]
    order_probability: dict[str, float] = {}
    cook_time: int = 3
    num_items_for_soup: int = 3
    delivery_reward: int = 20


def read_released_layout(text: str, source: str) -> ReleasedLayout:
    """A layout file of the released program; raises ``BadFile``.

    What the program reads and never uses is passed over: shaped rewards, the lists of who operates
    what (the grid decides), weights of orders that nothing makes.
    """
    place = Place(source)
    file = converted(_literal(text, place), _ReleasedFile, place)
    if set(file.recipes) - set(file.utensils):
        stray = min(set(file.recipes) - set(file.utensils))
        raise place.field("recipes").unknown("utensil", stray, file.utensils)
    layout = Layout(
        tuple(row.strip() for row in file.grid.strip().splitlines()),
        {
            name: UtensilKind(kind.symbol, kind.operation)
            for name, kind in file.utensils.items()
            if name != NO_UTENSIL
        },
        file.ingredients,
        tuple(_recipes(file)),
        {name: bool(needed) for name, needed in file.need_dish.items()},
        file.num_items_for_soup,
        file.delivery_reward,
    )
    check_layout(layout, place)
    for order in file.start_order_list:
        if order not in layout.needs_dish:
            raise place.field("start_order_list").unknown("order", order, layout.needs_dish)
    weights = {name: weight for name, weight in file.order_probability.items() if name in layout.needs_dish}
    return ReleasedLayout(layout, file.start_order_list, weights)


def _recipes(file: _ReleasedFile) -> list[Recipe]:
    return [
        Recipe(kind, output, made.recipe, file.cook_time if made.cook_time is None else made.cook_time)
        for kind, table in file.recipes.items()
        for output, made in table.items()
        if kind != NO_UTENSIL
    ]


def _literal(text: str, place: Place) -> Mapping[str, Any]:
    """The dict that a text is; nothing in it is carried out."""
    if len(text) > LONGEST_FILE:
        raise place.wrong(f"{len(text)} characters; at most {LONGEST_FILE} are read")
    try:
        literal = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise place.wrong(f"not a Python dict of plain values: {error}") from error
    if not isinstance(literal, dict) or not all(isinstance(key, str) for key in literal):
        raise place.wrong("not a Python dict with names as keys")
    return literal
