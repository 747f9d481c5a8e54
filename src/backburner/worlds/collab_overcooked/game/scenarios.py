"""Collab-Overcooked's scenarios: their values, the 30 published orders, ids, suites.

``boiled_egg`` is one order, ``boiled_egg+baked_potato_soup`` two that are open at the same time.
``knows`` says who has the recipes, ``recipe`` how they are written: ``whole``, or with one action of the
partner's to a step, in their order (``steps``) or beginning with the second, third ... (``from2``); ``told``
what cooks are told. ``at``: play begins where the n-th of these actions is due, and ends with one exchange.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from backburner.kernel.catalogue import check_options
from backburner.kernel.checks import unique
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import shipped
from backburner.kernel.titles import Called, plain
from backburner.kernel.values import digest
from backburner.worlds.collab_overcooked.game.layout import PACKAGE, SHIPPED, Grid, Layout, shipped_layout
from backburner.worlds.collab_overcooked.game.recipes import asked_calls, method_of
from backburner.worlds.collab_overcooked.game.rule_set import LARGEST_LIMIT
from backburner.worlds.collab_overcooked.game.state import ROLES, Role, cook_of

Telling = Literal["published", "more"]
TELLINGS: tuple[Telling, ...] = get_args(Telling)
"""What cooks are told: the facts in the released program's prompts, or more (the foods there are, how much a
utensil holds, what is lost, what walking costs, all times, what is being made)."""


MOST_OPEN = 20
"""Orders that may be open at once."""

MOST_CALLS = 20
"""Calls of an opening."""

OpenOrders = Annotated[int, Meta(ge=1, le=MOST_OPEN)]
StepLimit = Annotated[int, Meta(ge=1, le=LARGEST_LIMIT)]
Weights = dict[str, Annotated[float, Meta(ge=0)]]


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kitchen (the shipped one by name, any other in full), what is ordered, and who knows the recipes.

    ``orders`` are open from the beginning. With ``order_weights``, orders are drawn by these weights until
    ``open_orders`` are open, at the beginning and after each delivery, and play goes on until a limit;
    without weights, play ends when no order is open any more. ``level``: that of a published order.
    ``step_limit``: the steps that the scenario's author allows. ``first_action``: 0 for whole recipes, 1
    for recipes with one action of the partner's to a step, n for such recipes that begin with the n-th
    action; see ``recipes``. ``told``: what cooks are told; see ``TELLINGS``.

    ``opening``: the calls that a cook without the recipes has been asked for and has done, one by one, before
    play begins; see ``transition``. ``exchange``: play ends when the cook that is asked first has been
    answered.
    """

    orders: Annotated[tuple[str, ...], Meta(max_length=MOST_OPEN)]
    layout: str | Layout = SHIPPED
    # Records always tell who has the recipes: msgspec leaves out a default, but never one from a factory.
    informed: Annotated[tuple[Role, ...], unique()] = field(default_factory=lambda: ("chef",))
    order_weights: Weights = {}
    open_orders: OpenOrders = 1
    level: int | None = None
    step_limit: StepLimit | None = None
    first_action: int = 0
    told: Telling = "published"
    opening: Annotated[tuple[str, ...], Meta(max_length=MOST_CALLS)] = ()
    exchange: bool = False


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """A published order."""

    name: str
    level: int


class Level(Struct, frozen=True, forbid_unknown_fields=True):
    """``released_last_step``: the last step, from 0, of the run that the released limits come from.

    ``times_told``: the utensils of which the level's published recipes tell how long they take.
    """

    level: int
    released_last_step: int
    earlier_last_step: int
    times_told: tuple[str, ...]


class OrderFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The published orders by level, and how much longer than the recorded run one may take."""

    source: str
    limit_factor: float
    levels: tuple[Level, ...]
    orders: tuple[Order, ...]


def order_file() -> OrderFile:
    """The published orders."""
    return shipped(PACKAGE, "orders", OrderFile)


@cache
def orders() -> dict[str, Order]:
    """The published orders by name, level by level."""
    return {order.name: order for order in order_file().orders}


def times_told(scenario: Scenario, order: str) -> Collection[str]:
    """The kinds of utensils whose times an order's recipe tells: all of them but for published orders."""
    layout = layout_of(scenario)
    if scenario.told == "more" or order not in orders() or layout != shipped_layout(SHIPPED):
        return layout.utensils
    level = orders()[order].level
    return next(each.times_told for each in order_file().levels if each.level == level)


def layout_of(scenario: Scenario) -> Layout:
    """The layout in full.

    One of one's own has its maps sorted, as records hold them: utensils are numbered in the order of theirs,
    and a record is to replay from its file. The published one keeps the order of the released program.
    """
    if isinstance(scenario.layout, str):
        return shipped_layout(scenario.layout)
    layout = scenario.layout
    utensils, needs_dish = dict(sorted(layout.utensils.items())), dict(sorted(layout.needs_dish.items()))
    return replace(layout, utensils=utensils, needs_dish=needs_dish)


KNOWS: Mapping[str, tuple[Role, ...]] = {**{role: (role,) for role in ROLES}, "both": ROLES}
"""Option ``knows``: the cooks that have the recipes.

These are tuples of their own, not the default of ``Scenario.informed``: records name the informed cooks of
every scenario that an id gives, and a struct leaves a field out whose value is the very default.
"""

WHOLE, STEPS = "whole", "steps"
"""Option ``recipe``: recipes as they are, or with one action of the partner's to a step."""

START = "start"
"""Option ``at``: play begins at the start, and not where an action of the partner's is due."""

DEFAULTS: Mapping[str, str] = {"at": START, "knows": "chef", "recipe": WHOLE, "told": "published"}
SAID: Mapping[str, str] = {
    **{"knows=assistant": "the assistant knows how", "knows=both": "both know how", "at": "at {}"},
    **{"recipe": "recipe as {}", "told": "told {}"},
}
"""How titles tell options."""

MOST_ORDERS = 8


def called(scenario: Scenario) -> Called:
    """By what is ordered, or may be."""
    return Called(tuple(map(plain, scenario.orders or scenario.order_weights)) or ("orders",))


def scenario_of(path: str, options: Mapping[str, str]) -> Scenario:
    """The scenario of an id's path; raises ``UnknownName`` and ``Refused``."""
    check_options("collab_overcooked", options, DEFAULTS, {"knows": tuple(KNOWS), "told": TELLINGS})
    knows = options.get("knows", DEFAULTS["knows"])
    told = next(each for each in TELLINGS if each == options.get("told", DEFAULTS["told"]))
    names = tuple(path.split("+"))
    if not path:
        raise Refused("collab_overcooked: an id names an order, such as collab_overcooked/boiled_egg")
    if len(names) > MOST_ORDERS:
        raise Refused(f"collab_overcooked: {len(names)} orders at once; at most {MOST_ORDERS}")
    for name in names:
        if name not in orders():
            raise UnknownName("order", name, [*orders(), *suites()], "collab_overcooked")
    level = orders()[path].level if len(names) == 1 else None
    recipe = options.get("recipe", DEFAULTS["recipe"])
    first = _first_action(recipe, names, KNOWS[knows])
    at = options.get("at", DEFAULTS["at"])
    opening = _opening(at, names, KNOWS[knows])
    return Scenario(
        names,
        informed=KNOWS[knows],
        level=level,
        first_action=first,
        told=told,
        opening=opening,
        exchange=at != START,
    )


def _opening(at: str, names: Sequence[str], informed: Sequence[Role]) -> tuple[str, ...]:
    """The calls that come before the one that a value of option ``at`` stands for."""
    if at == START:
        return ()
    if re.fullmatch(r"[1-9]\d{0,2}", at, re.ASCII) is None:
        raise UnknownName("value of option 'at'", at, (START, "1", "2"), "collab_overcooked")
    if len(names) > 1 or len(informed) > 1:
        raise Refused(f"collab_overcooked: at={at} is of one order whose recipe one cook has")
    layout = shipped_layout(SHIPPED)
    calls = asked_calls(layout, Grid(layout), method_of(layout, names[0]), cook_of(informed[0]))
    if int(at) > len(calls):
        raise Refused(f"collab_overcooked: at={at}, but {names[0]} asks {len(calls)} actions of the partner")
    return calls[: int(at) - 1]


def _first_action(recipe: str, names: Sequence[str], informed: Sequence[Role]) -> int:
    """The number that a value of option ``recipe`` stands for; see ``Scenario``."""
    if recipe in (WHOLE, STEPS):
        return (WHOLE, STEPS).index(recipe)
    match = re.fullmatch(r"from([2-9]|[1-9]\d{1,2})", recipe, re.ASCII)
    if match is None:
        raise UnknownName("value of option 'recipe'", recipe, (WHOLE, STEPS, "from2"), "collab_overcooked")
    most = most_asked_actions(shipped_layout(SHIPPED), names, informed)
    if int(match[1]) > most:
        raise Refused(f"collab_overcooked: recipe={recipe}, but the partner has {most} actions in it")
    return int(match[1])


def most_asked_actions(layout: Layout, orders: Sequence[str], informed: Sequence[Role]) -> int:
    """The most actions of the partner's that a recipe of these lists for a cook who has it."""
    grid = Grid(layout)
    methods = [method_of(layout, order) for order in orders]
    return max(
        (len(asked_calls(layout, grid, method, cook_of(role))) for method in methods for role in informed),
        default=0,
    )


@cache
def suites() -> dict[str, Sequence[str]]:
    """Suite path to scenario paths: the levels, all orders, a quick suite, pairs of orders at once."""
    by_level = {
        f"level{level.level}": tuple(order.name for order in orders().values() if order.level == level.level)
        for level in order_file().levels
    }
    firsts = tuple(names[0] for names in by_level.values())
    seconds = tuple(names[1] for names in by_level.values())
    return {
        **by_level,
        "all": tuple(orders()),
        "quick": firsts,
        "pairs": tuple(f"{first}+{second}" for first, second in zip(firsts, seconds, strict=True)),
    }


def parts(world: World[Any, Any, Any]) -> list[str]:
    """What a world's scenario is built of: what is or may be ordered, and a kitchen of somebody's own."""
    scenario = world.scenario
    layout = [] if isinstance(scenario.layout, str) else [f"layout {digest(scenario.layout)}"]
    return [*(f"order {order}" for order in (*scenario.orders, *scenario.order_weights)), *layout]
