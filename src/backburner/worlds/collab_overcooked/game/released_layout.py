"""Layouts in the released program's own format: a Python dict literal, read as data and never run."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from backburner.kernel.errors import BadFile
from backburner.kernel.places import Place, converted, fields_of
from backburner.worlds.collab_overcooked.game.layout import NAMED_BY, Layout, Recipe, UtensilKind
from backburner.worlds.collab_overcooked.game.layout_checks import check_layout

LONGEST = 500_000
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


class _File(Struct):
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
    found = converted(_literal(text, place), _File, place, fields_of(_File, _Kind, _Made), NAMED_BY)
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


def _recipes(found: _File) -> list[Recipe]:
    return [
        Recipe(kind, output, made.recipe, found.cook_time if made.cook_time is None else made.cook_time)
        for kind, table in found.recipes.items()
        for output, made in table.items()
        if kind != NO_UTENSIL
    ]


def _literal(text: str, place: Place) -> Mapping[str, Any]:
    """The dict that a text is; nothing in it is carried out."""
    if len(text) > LONGEST:
        raise place.wrong(f"{len(text)} characters; at most {LONGEST} are read")
    try:
        found = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise place.wrong(f"not a Python dict of plain values: {error}") from error
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise place.wrong("not a Python dict with names as keys")
    return found


def read_released_text(raw: bytes, source: str) -> ReleasedLayout:
    """The same from a file's bytes."""
    try:
        return read_released_layout(raw.decode("utf-8"), source)
    except UnicodeDecodeError as error:
        raise BadFile(source, "", f"not UTF-8: {error}") from error
