"""Collab-Overcooked's scenarios by id: the 30 published orders, alone or several at once.

``boiled_egg`` is one order, ``boiled_egg+baked_potato_soup`` two that are open at the same time.
``knows`` says who has the recipes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from backburner.kernel.errors import Refused, UnknownName
from backburner.worlds.collab_overcooked.scenarios import Role, Scenario, order_file, orders

KNOWS: Mapping[str, tuple[Role, ...]] = {
    "chef": ("chef",),
    "assistant": ("assistant",),
    "both": ("chef", "assistant"),
}
"""Option ``knows``: the cooks that have the recipes."""

DEFAULTS: Mapping[str, str] = {"knows": "chef"}
MOST_ORDERS = 8


def scenario_of(path: str, options: Mapping[str, str]) -> Scenario:
    """The scenario of an id's path; raises ``UnknownName`` and ``Refused``."""
    for key in options:
        if key not in DEFAULTS:
            raise UnknownName("option", key, DEFAULTS, "collab_overcooked")
    knows = options.get("knows", DEFAULTS["knows"])
    if knows not in KNOWS:
        raise UnknownName("value of option 'knows'", knows, KNOWS, "collab_overcooked")
    names = tuple(path.split("+"))
    if not path:
        raise Refused("collab_overcooked: an id names an order, such as collab_overcooked/boiled_egg")
    if len(names) > MOST_ORDERS:
        raise Refused(f"collab_overcooked: {len(names)} orders at once; at most {MOST_ORDERS}")
    for name in names:
        if name not in orders():
            raise UnknownName("order", name, [*orders(), *suites()], "collab_overcooked")
    level = orders()[path].level if len(names) == 1 else None
    return Scenario(names, informed=KNOWS[knows], level=level)


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
