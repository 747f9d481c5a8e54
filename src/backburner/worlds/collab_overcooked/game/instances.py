"""Collab-Overcooked's scenarios by id: the 30 published orders, alone or several at once.

``boiled_egg`` is one order, ``boiled_egg+baked_potato_soup`` two that are open at the same time.
``knows`` says who has the recipes, ``recipe`` how they are told: ``whole``, or with one action of the
partner's to a step, in their order (``steps``) or beginning with the second, third ... (``from2``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from backburner.kernel.errors import Refused, UnknownName
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, shipped_layout
from backburner.worlds.collab_overcooked.game.recipe_actions import asked_actions
from backburner.worlds.collab_overcooked.game.recipes import method_of
from backburner.worlds.collab_overcooked.game.rule_set import STANDARD
from backburner.worlds.collab_overcooked.game.scenarios import Role, Scenario, order_file, orders
from backburner.worlds.collab_overcooked.game.seats import cook_of

KNOWS: Mapping[str, tuple[Role, ...]] = {
    "chef": ("chef",),
    "assistant": ("assistant",),
    "both": ("chef", "assistant"),
}
"""Option ``knows``: the cooks that have the recipes."""

WHOLE, STEPS = "whole", "steps"
"""Option ``recipe``: recipes as they are, or with one action of the partner's to a step."""

DEFAULTS: Mapping[str, str] = {"knows": "chef", "recipe": WHOLE}
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
    recipe = options.get("recipe", DEFAULTS["recipe"])
    first = _first_action(recipe, names, KNOWS[knows])
    return Scenario(names, informed=KNOWS[knows], level=level, first_action=first)


def _first_action(recipe: str, names: Sequence[str], informed: Sequence[Role]) -> int:
    """The number that a value of option ``recipe`` stands for; see ``Scenario``."""
    if recipe in (WHOLE, STEPS):
        return (WHOLE, STEPS).index(recipe)
    match = re.fullmatch(r"from([2-9]|[1-9]\d{1,2})", recipe, re.ASCII)
    if match is None:
        raise UnknownName("value of option 'recipe'", recipe, (WHOLE, STEPS, "from2"), "collab_overcooked")
    layout = shipped_layout(SHIPPED)
    ware = Kitchenware(layout, STANDARD)
    readers = [cook_of(role) for role in informed]
    most = max(asked_actions(ware, method_of(layout, name), cook) for name in names for cook in readers)
    if int(match[1]) > most:
        raise Refused(f"collab_overcooked: recipe={recipe}, but the partner has {most} actions in it")
    return int(match[1])


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
