"""What the article prints, as numbers, and its data set table (Table 1) beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from backburner.kernel.scoring import Published, rounded_mean
from backburner.worlds.timearena.game.compiled import Compiled
from backburner.worlds.timearena.game.optima import known_optimum
from backburner.worlds.timearena.game.rule_set import STANDARD
from backburner.worlds.timearena.game.scenarios import Scenario


class Table1Row(Struct, frozen=True):
    """A row of the article's Table 1: means for each task of a scenario."""

    scenario: str
    actions: float
    objects: float
    minutes: float


class _Tables(Struct):
    source: str
    table1: tuple[Table1Row, ...]
    table2: tuple[Published, ...]


@cache
def published_tables() -> _Tables:
    """The article's Tables 1 and 2 as numbers."""
    raw = files("backburner.worlds.timearena").joinpath("data", "published.json").read_bytes()
    return msgspec.json.decode(raw, type=_Tables)


# --- the data set ----------------------------------------------------------------------------------------

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
        of_kind = [(id, scenario) for id, scenario in scenarios if scenario.kind == kind]
        table1 = printed.get(kind) if all(len(s.tasks) == 1 for _, s in of_kind) else None
        article = (table1.actions, table1.objects, table1.minutes) if table1 else (None, None, None)
        rows.append([kind, len(of_kind), *_means(of_kind), *article])
    return COLUMNS, rows


def _means(scenarios: Sequence[tuple[str, Scenario]]) -> list[float | None]:
    tables = [Compiled(scenario, STANDARD) for _, scenario in scenarios]
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
