"""The tasks as the article's Table 3 lists them, beside what is proven of their kitchens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backburner.worlds.robotouille.game.optima import Optimum, known_optimum
from backburner.worlds.robotouille.game.scenarios import Scenario, tasks

COLUMNS = (
    "task",
    "title",
    "kitchens",
    "robots",
    "stations",
    "items",
    "horizon (article)",
    "shortest plans",
    "proven",
)


def statistics(scenarios: Sequence[tuple[str, Scenario]]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """One row for each task among the scenarios; shortest plans under standard rules."""
    by_task: dict[str, list[tuple[str, Scenario]]] = {}
    for id, scenario in scenarios:
        by_task.setdefault(scenario.task, []).append((id, scenario))
    return COLUMNS, [_row(task, found) for task, found in by_task.items()]


def _row(path: str, found: Sequence[tuple[str, Scenario]]) -> Sequence[Any]:
    task = tasks()[path]
    problems = [scenario.problem for _, scenario in found]
    known = [optimum for id, _ in found if (optimum := known_optimum(id, "standard")) is not None]
    return (
        path,
        task.title,
        len(found),
        _range([len(problem.players) for problem in problems]),
        _range([len(problem.stations) for problem in problems]),
        _range([len(problem.items) for problem in problems]),
        task.horizon or "–",
        _range([optimum.steps for optimum in known]) if known else "–",
        _proven(known),
    )


def _proven(known: Sequence[Optimum]) -> str:
    return f"{sum(optimum.status == 'optimal' for optimum in known)} of {len(known)}"


def _range(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"
