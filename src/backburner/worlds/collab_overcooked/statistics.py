"""The orders as the article's Table 3 counts them, beside what their recipes take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backburner.worlds.collab_overcooked.published import published_tables
from backburner.worlds.collab_overcooked.recipes import method_of
from backburner.worlds.collab_overcooked.scenarios import Scenario, layout_of

COLUMNS = (
    "orders",
    "level",
    "ingredients",
    "operations",
    "on a dish",
    "collaborative actions (article)",
    "steps of the released run",
)


def statistics(scenarios: Sequence[Scenario]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """One row for each scenario; figures of the article and the release where the order has a level."""
    return COLUMNS, [_row(scenario) for scenario in scenarios]


def _row(scenario: Scenario) -> Sequence[Any]:
    methods = [method_of(layout_of(scenario), order) for order in scenario.orders]
    line = None if scenario.level is None else published_tables().level(scenario.level)
    return (
        " + ".join(scenario.orders) or "drawn",
        scenario.level or "–",
        sum(number for method in methods for _, number in method.ingredients),
        sum(len(method.steps) for method in methods),
        sum(method.on_dish for method in methods),
        line.collaborative_actions if line else "–",
        line.optimal_last_index + 1 if line else "–",
    )
