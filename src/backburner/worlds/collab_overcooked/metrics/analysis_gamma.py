"""Success under other time limits than the one that was played (article, Figure 8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.kernel.scoring import Measured, Measures, Section, by_agent
from backburner.worlds.collab_overcooked.metrics.metrics_success import (
    Completion,
    Counting,
    limit,
    success_rate,
)
from backburner.worlds.collab_overcooked.metrics.published import published_tables

GAMMAS = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)

TEXTS: dict[Counting, str] = {
    "steps": "The limit is gamma times the least steps of the order, where those are known.",
    "released": "The limit is gamma times the number recorded for the level (16, 23, 35, 32, 55, 64), as the "
    "released program compares it with the number of the last step, counted from 0.",
}


def gamma_sections(rows: Sequence[Measured]) -> Iterator[Section]:
    """Success by level over gamma, for each way of counting that some episode can be counted in."""
    for counting, text in TEXTS.items():
        table = tuple(
            (*cell, *("–" if share is None else share for share in shares))
            for *cell, shares in success_over_gamma(rows, counting)
        )
        if table:
            yield Section(
                f"Success over gamma, {'least' if counting == 'steps' else 'recorded'} steps",
                f"In per cent (Figure 8 of the article). {text} A dash: some episode was cut off earlier.",
                ("agent", "level", "episodes", *(f"{gamma:g}" for gamma in GAMMAS)),
                table,
            )


def success_over_gamma(
    rows: Sequence[Measured], counting: Counting
) -> Iterator[tuple[str, str, int, list[float | None]]]:
    """(agent, level, episodes, per cent of them in time for each of ``GAMMAS``, one decimal).

    ``None`` stands where some episode was cut off before that time.
    """
    for agent, mine in by_agent(rows):
        levels: dict[str, list[Measures]] = {}
        for _, measures in mine:
            if completion_of(measures).success(1, counting) is not None:
                level = f"{measures['level']:g}" if "level" in measures else "other"
                levels.setdefault(level, []).append(measures)
        for level, played in sorted(levels.items()):
            shares = (share_within(played, gamma, counting) for gamma in GAMMAS)
            yield agent, level, len(played), [None if s is None else round(100 * s, 1) for s in shares]


def completion_of(measures: Measures) -> Completion:
    """When an episode delivered, out of its numbers."""
    numbers = (measures.get(key) for key in ("steps", "level", "optimum"))
    steps, level, optimum = (None if number is None else int(number) for number in numbers)
    return Completion(steps, level, optimum)


def share_within(rows: Sequence[Measures], gamma: float, counting: Counting) -> float | None:
    """The share that delivered in time; ``None`` where an episode was cut off before that time."""
    if any(row["played"] < _steps_allowed(row, gamma, counting) for row in rows if "played" in row):
        return None
    return success_rate([completion_of(row) for row in rows], gamma, counting)


def _steps_allowed(measures: Measures, gamma: float, counting: Counting) -> int:
    """The most steps with which an episode is in time."""
    if counting == "steps":
        return int(limit(int(measures["optimum"]), gamma))
    line = published_tables().level(int(measures["level"]))
    return 0 if line is None else int(limit(line.optimal_last_index, gamma)) + 1
