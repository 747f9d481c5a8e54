"""A user's scenario file: what is ordered, in the shipped kitchen or another, and who knows the recipes.

{"world": "collab_overcooked", "id": "lunch", "layout": "kitchens/wide.json", "orders": ["boiled_egg"]}

``layout`` is ``two_rooms``, a layout written out, or a file: JSON as ``data/schemas`` describes it, or,
if its name ends in ``.layout``, the released program's format.
"""

from __future__ import annotations

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
from backburner.worlds.collab_overcooked.game.limits import MOST
from backburner.worlds.collab_overcooked.game.recipes import method_of
from backburner.worlds.collab_overcooked.game.released_layout import read_released_text
from backburner.worlds.collab_overcooked.game.scenarios import Role, Scenario

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
    if found.step_limit is not None and not 1 <= found.step_limit <= MOST:
        raise place.field("step_limit").wrong(f"is {found.step_limit}; it is from 1 to {MOST}")
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
