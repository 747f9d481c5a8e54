"""How far plans are from the proven optimum: the agents', and the published heuristic's beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backburner.kernel.scoring import Measured, Section
from backburner.worlds.recipe2plan.metrics.analysis import cells

STORED = "stored plans (the article's heuristic)"

Plan = tuple[float, float]
"""How long it takes, and the least that is possible."""


def gap(plan: Plan) -> float:
    """100 (T / T* - 1): time above the proven optimum, in per cent."""
    seconds, optimum = plan
    return 100 * (seconds / optimum - 1)


def sections(rows: Sequence[Measured]) -> list[Section]:
    """One table over all plans whose optimum is proven; none where there is no such plan."""
    table = [*_stored_rows(rows), *_agent_rows(rows)]
    if not table:
        return []
    section = Section(
        "Time above the proven optimum",
        "100 · (T / T* − 1) of the completed episodes whose optimum T* is proven, and how many of them take "
        "no longer than it. The stored plans are those of the article's heuristic, of the same scenarios.",
        ("agent", "setting", "plans", "mean %", "most %", "optimal"),
        tuple(table),
    )
    return [section]


def _stored_rows(rows: Sequence[Measured]) -> Iterator[tuple[Any, ...]]:
    """One for each setting, over the scenarios that were played, each counted once."""
    plans: dict[str, dict[Any, Plan]] = {}
    for episode, measures in rows:
        scenario = episode.header.scenario
        if "optimum" in measures and scenario.get("reference"):
            setting = "lags on" if scenario.get("lags", True) else "lags off"
            plan = (stored_seconds(scenario), measures["optimum"])
            plans.setdefault(setting, {})[scenario.get("instance")] = plan
    for setting, found in plans.items():
        yield (STORED, setting, *_figures(list(found.values())))


def stored_seconds(scenario: Mapping[str, Any]) -> int:
    """When the last action of the stored plan ends; the scenario as a record's header has it."""
    ends: list[int] = [action["start"] + action["seconds"] for action in scenario["reference"]]
    return max(ends)


def _agent_rows(rows: Sequence[Measured]) -> Iterator[tuple[Any, ...]]:
    for agent, setting, mine in cells(rows):
        plans = [(row["seconds"], row["optimum"]) for _, row in mine if row["success"] and "optimum" in row]
        if plans:
            yield (agent, setting, *_figures(plans))


def _figures(plans: Sequence[Plan]) -> tuple[int, float, float, int]:
    """(number, mean, most, how many are optimal)."""
    gaps = [gap(plan) for plan in plans]
    mean = round(sum(gaps) / len(gaps), 1)
    return len(plans), mean, round(max(gaps), 1), sum(seconds == optimum for seconds, optimum in plans)
