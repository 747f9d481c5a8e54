"""Table 2 of the article beside the shipped scenarios, and beside a small one with its arithmetic."""

from __future__ import annotations

from msgspec.structs import replace

from backburner.worlds.recipe2plan.game.scenarios import (
    Lag,
    Recipe,
    ReferenceAction,
    Scenario,
    Step,
    combine,
    suites,
)
from backburner.worlds.recipe2plan.metrics.score import COLUMNS, executable, published_tables, statistics

TEA = Scenario(
    (
        Recipe(
            "Tea",
            (
                Step("Boil the water.", 300, autonomous=True, appliance="stove"),
                Step("Lay the table.", 120, splittable=True),
                Step("Brew the tea.", 180, after=(0,), lags=(Lag(0, 60),)),
            ),
        ),
    ),
    reference=(
        ReferenceAction(0, 0, 300, 0),
        ReferenceAction(1, 0, 120, 0),
        ReferenceAction(2, 0, 180, 300),
    ),
)
"""Water 0-5 min, table 0-2 min, brewing 5-8 min: 8 minutes in place of 10 one by one."""


def test_executable_at_each_action_of_the_plan() -> None:
    """At 0 the water and the table; then the table alone, while the water boils; at 2 min nothing yet."""
    assert executable(TEA) == [2, 1, 0]
    assert executable(replace(TEA, reference=None)) == []


def test_the_lines_of_the_table() -> None:
    """The plan saves 10 - 8 = 2 minutes of the 5 that the water boils by itself: 40 %."""
    columns, rows = statistics([TEA])
    assert columns == COLUMNS
    assert [row[:2] for row in rows] == [
        ["recipes", 1],
        ["actions per recipe", 3],
        ["autonomous actions per recipe", 1],
        ["interruptible actions per recipe", 1],
        ["time constraints per recipe", 1],
        ["minutes per action", 3.33],
        ["minutes per time constraint", 1],
        ["instances", 1],
        ["executable actions per step", 1],
        ["efficiency without time constraints (%)", None],
        ["efficiency with time constraints (%)", 40],
    ]
    assert [row[2] for row in rows] == [row.value for row in published_tables().table2]


def test_a_recipe_is_counted_once() -> None:
    _, rows = statistics([TEA, replace(TEA, lags=False, reference=None)])
    figures = {row[0]: row[1] for row in rows}
    assert (figures["recipes"], figures["instances"]) == (1, 1)
    assert figures["executable actions per step"] is None


def test_choices_are_counted_without_limits_where_there_is_such_a_plan() -> None:
    """Table 2 prints 3.1; the released plans without limits have 3.05, those with them 3.30."""
    figures = {}
    for suite in ("constrained", "unconstrained", "all"):
        parts = [path.split("@lags=") for path in suites()[suite]]
        _, rows = statistics([combine(names, {"lags": lags}) for names, lags in parts])
        figures[suite] = {row[0]: row[1] for row in rows}["executable actions per step"]
    assert figures == {"constrained": 3.3, "unconstrained": 3.05, "all": 3.05}


def test_nothing_at_all() -> None:
    _, rows = statistics([])
    assert {row[1] for row in rows} == {0, None}
