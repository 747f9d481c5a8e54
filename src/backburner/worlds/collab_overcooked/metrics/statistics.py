"""The orders as the article's Table 3 counts them, beside what their recipes take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.recipes import method_of
from backburner.worlds.collab_overcooked.game.rule_set import STANDARD
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, layout_of
from backburner.worlds.collab_overcooked.metrics.metrics_level import level_of
from backburner.worlds.collab_overcooked.metrics.published import published_tables
from backburner.worlds.collab_overcooked.metrics.score_kitchen import asked_cook, behaviours_of

COLUMNS = (
    "orders",
    "level",
    "ingredients",
    "operations",
    "on a dish",
    "level (computed)",
    "collaborative actions",
    "collaborative actions (article)",
    "steps of the released run",
)


def statistics(scenarios: Sequence[Scenario]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """One row for each scenario; figures of the article and the release where the order has a level.

    Behaviours of several orders are those of each alone, added up.
    """
    return COLUMNS, [_row(scenario) for scenario in scenarios]


def _row(scenario: Scenario) -> Sequence[Any]:
    ware = Kitchenware(layout_of(scenario), STANDARD)
    methods = [method_of(ware.layout, order) for order in scenario.orders]
    needed = [behaviours_of(ware, order, asked_cook(scenario)) for order in scenario.orders]
    actions = [one.collaborative_actions for one in needed if one is not None]
    line = None if scenario.level is None else published_tables().level(scenario.level)
    return (
        " + ".join(scenario.orders) or "drawn",
        scenario.level or "–",
        sum(number for method in methods for _, number in method.ingredients),
        sum(len(method.steps) for method in methods),
        sum(method.on_dish for method in methods),
        ", ".join(str(level_of(one)) for one in needed if one is not None) or "–",
        sum(actions) if actions else "–",
        line.collaborative_actions if line else "–",
        line.optimal_last_index + 1 if line else "–",
    )
