"""A user's scenario file: what is ordered, in the shipped kitchen or another, and who knows the recipes.

{"world": "collab_overcooked", "id": "lunch", "layout": "kitchens/wide.json", "orders": ["boiled_egg"]}

``layout`` is ``two_rooms``, a layout written out, or a file: JSON as ``data/schemas`` describes it, or,
if its name ends in ``.layout``, the released program's format.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from backburner.kernel.errors import BadFile
from backburner.kernel.files import read_json
from backburner.kernel.places import Place, converted, fields_of
from backburner.worlds.collab_overcooked.game.layout import (
    NAMED_BY,
    SHIPPED,
    Layout,
    Recipe,
    UtensilKind,
    shipped_layout,
)
from backburner.worlds.collab_overcooked.game.layout_checks import check_layout
from backburner.worlds.collab_overcooked.game.recipes import method_of
from backburner.worlds.collab_overcooked.game.rule_set import LARGEST_LIMIT
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import Role

RELEASED_SUFFIX = ".layout"
MOST_OPEN = 20


class ScenarioFile(Struct, forbid_unknown_fields=True):
    """The fields of a scenario file; see ``scenarios.Scenario``."""

    world: str
    id: str
    orders: tuple[str, ...] = ()
    layout: str | Layout = SHIPPED
    informed: tuple[Role, ...] = ("chef",)
    order_weights: dict[str, float] = {}
    open_orders: int = 1
    step_limit: int | None = None


FIELDS = fields_of(ScenarioFile, Layout, Recipe, UtensilKind)


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's scenario file; raises ``BadFile`` naming file, entry and field."""
    place = Place(source)
    found = converted(raw, ScenarioFile, place, FIELDS, NAMED_BY)
    if not re.fullmatch(r"[A-Za-z0-9_.+-]+", found.id):
        raise place.field("id").wrong("use letters, digits and _ . + - only")
    layout, orders, weights = _layout(found, place)
    full = shipped_layout(layout) if isinstance(layout, str) else layout
    _check_orders(full, orders, weights, place)
    if len(set(found.informed)) != len(found.informed):
        raise place.field("informed").wrong("names a cook twice")
    if not 1 <= found.open_orders <= MOST_OPEN:
        raise place.field("open_orders").wrong(f"is {found.open_orders}; it is from 1 to {MOST_OPEN}")
    if found.step_limit is not None and not 1 <= found.step_limit <= LARGEST_LIMIT:
        raise place.field("step_limit").wrong(f"is {found.step_limit}; it is from 1 to {LARGEST_LIMIT}")
    return found.id, Scenario(
        orders, layout, found.informed, weights, found.open_orders, step_limit=found.step_limit
    )


def _layout(found: ScenarioFile, place: Place) -> tuple[str | Layout, tuple[str, ...], dict[str, float]]:
    """The layout, the orders and their weights; those of a released file where the scenario has none."""
    orders, weights = found.orders, found.order_weights
    if isinstance(found.layout, Layout):
        check_layout(found.layout, place.field("layout"))
        return found.layout, orders, weights
    if found.layout == SHIPPED:
        return SHIPPED, orders, weights
    file = Path(place.file).parent / found.layout
    if file.suffix == RELEASED_SUFFIX:
        released = read_released_text(_bytes(file), str(file))
        return released.layout, orders or released.orders, weights or released.order_weights
    return read_layout(file), orders, weights


def read_layout(file: Path) -> Layout:
    """A layout file in our own format; raises ``BadFile``."""
    place = Place(str(file))
    layout = converted(read_json(file), Layout, place, FIELDS, NAMED_BY)
    check_layout(layout, place)
    return layout


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise BadFile(file, "", error.strerror or str(error)) from error


def _check_orders(
    layout: Layout, orders: tuple[str, ...], weights: Mapping[str, float], place: Place
) -> None:
    if not orders and not weights:
        raise place.field("orders").wrong("at least one order is needed, or weights to draw orders by")
    for order in orders:
        _check_order(layout, order, place.field("orders"))
    for order, weight in weights.items():
        here = place.field("order_weights")
        _check_order(layout, order, here)
        if not 0 <= weight < math.inf:
            raise here.wrong(f"the weight of {order} is {weight}; it is a number from 0")
    if weights and not sum(weights.values()):
        raise place.field("order_weights").wrong("every weight is 0")


def _check_order(layout: Layout, order: str, place: Place) -> None:
    if order not in layout.needs_dish:
        raise place.unknown("order", order, layout.needs_dish)
    there = "".join(layout.grid)
    for recipe in method_of(layout, order).steps:
        if layout.utensils[recipe.utensil].symbol not in there:
            raise place.wrong(f"{order} needs the utensil {recipe.utensil}, and there is none in the grid")


LONGEST_FILE = 500_000
"""Characters of a file that is read."""

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
    fields = fields_of(_ReleasedFile, _Kind, _Made)
    found = converted(_literal(text, place), _ReleasedFile, place, fields, NAMED_BY)
    if set(found.recipes) - set(found.utensils):
        stray = min(set(found.recipes) - set(found.utensils))
        raise place.field("recipes").unknown("utensil", stray, found.utensils)
    layout = Layout(
        tuple(row.strip() for row in found.grid.strip().splitlines()),
        {
            name: UtensilKind(kind.symbol, kind.operation)
            for name, kind in found.utensils.items()
            if name != NO_UTENSIL
        },
        found.ingredients,
        tuple(_recipes(found)),
        {name: bool(needed) for name, needed in found.need_dish.items()},
        found.num_items_for_soup,
        found.delivery_reward,
    )
    check_layout(layout, place)
    for order in found.start_order_list:
        if order not in layout.needs_dish:
            raise place.field("start_order_list").unknown("order", order, layout.needs_dish)
    weights = {name: weight for name, weight in found.order_probability.items() if name in layout.needs_dish}
    return ReleasedLayout(layout, found.start_order_list, weights)


def _recipes(found: _ReleasedFile) -> list[Recipe]:
    return [
        Recipe(kind, output, made.recipe, found.cook_time if made.cook_time is None else made.cook_time)
        for kind, table in found.recipes.items()
        for output, made in table.items()
        if kind != NO_UTENSIL
    ]


def _literal(text: str, place: Place) -> Mapping[str, Any]:
    """The dict that a text is; nothing in it is carried out."""
    if len(text) > LONGEST_FILE:
        raise place.wrong(f"{len(text)} characters; at most {LONGEST_FILE} are read")
    try:
        found = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise place.wrong(f"not a Python dict of plain values: {error}") from error
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise place.wrong("not a Python dict with names as keys")
    return found


def read_released_text(raw: bytes, source: str) -> ReleasedLayout:
    """A layout file of the released program, from its bytes; raises ``BadFile``."""
    try:
        return read_released_layout(raw.decode("utf-8"), source)
    except UnicodeDecodeError as error:
        raise BadFile(source, "", f"not UTF-8: {error}") from error
