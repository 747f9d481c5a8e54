"""The levels as the article describes them, beside what our data give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backburner.worlds.cuisineworld.game.pace import work_steps
from backburner.worlds.cuisineworld.game.scenarios import Scenario

COLUMNS = (
    "level",
    "class",
    "dishes",
    "products",
    "ingredients",
    "places",
    "work in a dish (steps)",
    "interval (steps)",
    "orders in an episode",
)


def statistics(scenarios: Sequence[tuple[str, Scenario]]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """One row for each level among the scenarios."""
    by_level: dict[str, list[Scenario]] = {}
    for _, scenario in scenarios:
        by_level.setdefault(scenario.level, []).append(scenario)
    return COLUMNS, [_row(level, found) for level, found in by_level.items()]


def _row(level: str, found: Sequence[Scenario]) -> Sequence[Any]:
    first = found[0]
    book, dishes = first.book, first.dishes
    made = book.closure(dishes)
    return (
        level,
        first.level_class.replace("_", " ") or "–",
        len(dishes),
        len(made),
        len(book.things(dishes)) - len(made),
        len(first.kitchen),
        _range([work_steps(book, dish) for dish in dishes]),
        _range([scenario.interval for scenario in found]),
        _range([scenario.orders_per_episode for scenario in found]),
    )


def _range(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"
