"""The article's data set table (its Table 1) beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backburner.kernel.scoring import rounded_mean
from backburner.worlds.timearena.game.combination import Combination
from backburner.worlds.timearena.game.optima import known_optimum
from backburner.worlds.timearena.game.rule_set import STANDARD
from backburner.worlds.timearena.game.scenarios import Scenario
from backburner.worlds.timearena.metrics.published import published_tables

COLUMNS = (
    "scenario", "combinations", "verbs", "required actions", "objects", "background actions",
    "action minutes", "optimum (min)", "oracle script (min)",
    "article: actions", "article: objects", "article: time (min)",
)  # fmt: skip


def statistics(scenarios: Sequence[tuple[str, Scenario]]) -> tuple[Sequence[str], list[list[Any]]]:
    """Means over these (id, scenario), by kind. The article's "actions" are distinct verbs."""
    rows = []
    printed = {row.scenario: row for row in published_tables().table1}
    for kind in dict.fromkeys(scenario.kind for _, scenario in scenarios):
        mine = [(id, scenario) for id, scenario in scenarios if scenario.kind == kind]
        table1 = printed.get(kind) if all(len(s.tasks) == 1 for _, s in mine) else None
        article = (table1.actions, table1.objects, table1.minutes) if table1 else (None, None, None)
        rows.append([kind, len(mine), *_means(mine), *article])
    return COLUMNS, rows


def _means(scenarios: Sequence[tuple[str, Scenario]]) -> list[float | None]:
    tables = [Combination(scenario, STANDARD) for _, scenario in scenarios]
    optima = [known_optimum(id) for id, _ in scenarios]
    known = [optimum for optimum in optima if optimum is not None]
    script = [optimum.script_minutes for optimum in known if optimum.script_minutes is not None]
    return [
        rounded_mean([len(table.verbs) for table in tables]),
        rounded_mean([len(table.required) for table in tables]),
        rounded_mean([len(table.items) for table in tables]),
        rounded_mean([sum(not required.occupies_agent for required in table.required) for table in tables]),
        rounded_mean([table.total_minutes for table in tables]),
        rounded_mean([optimum.minutes for optimum in known]) if len(known) == len(scenarios) else None,
        rounded_mean(script) if len(script) == len(scenarios) else None,
    ]
