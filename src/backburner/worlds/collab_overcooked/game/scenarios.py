"""Collab-Overcooked's scenarios as values, and the 30 published orders."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from backburner.worlds.collab_overcooked.game.layout import SHIPPED, Layout, shipped_layout

Role = Literal["chef", "assistant"]
ROLES: tuple[Role, Role] = ("chef", "assistant")
"""The seats: the chef (the article's Bob) starts on ``1``, the assistant (Alice) on ``2``."""


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kitchen (the shipped one by name, any other in full), what is ordered, and who knows the recipes.

    ``orders`` are open from the beginning. With ``order_weights``, orders are drawn by these weights
    until ``open_orders`` are open, at the beginning and after each delivery, and play goes on until a
    limit; without, it ends when nothing is open any more. ``level``: that of the published order.
    ``step_limit``: the steps that its author allows. ``first_action``: 0 tells recipes as they are, 1
    with one action of the partner's to a step, a higher number those beginning with that one; see
    ``recipe_actions``.
    """

    orders: tuple[str, ...]
    layout: str | Layout = SHIPPED
    informed: tuple[Role, ...] = ("chef",)
    order_weights: dict[str, float] = {}
    open_orders: int = 1
    level: int | None = None
    step_limit: int | None = None
    first_action: int = 0


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """A published order."""

    name: str
    level: int


class Level(Struct, frozen=True, forbid_unknown_fields=True):
    """``released_last_step``: the last step, from 0, of the run that the released limits come from."""

    level: int
    released_last_step: int
    earlier_last_step: int


class OrderFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The published orders by level, and how much longer than the recorded run one may take."""

    source: str
    limit_factor: float
    levels: tuple[Level, ...]
    orders: tuple[Order, ...]


@cache
def order_file() -> OrderFile:
    """The published orders."""
    raw = files("backburner.worlds.collab_overcooked").joinpath("data", "orders.json").read_bytes()
    return msgspec.json.decode(raw, type=OrderFile)


@cache
def orders() -> dict[str, Order]:
    """The published orders by name, level by level."""
    return {order.name: order for order in order_file().orders}


def layout_of(scenario: Scenario) -> Layout:
    """The layout in full."""
    return shipped_layout(scenario.layout) if isinstance(scenario.layout, str) else scenario.layout
