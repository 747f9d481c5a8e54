"""The released evaluation of recorded episodes, order by order, cut off as its script does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.kernel.scoring import Measured, Measures, Section, by_agent
from backburner.worlds.collab_overcooked.metrics.metrics import progress_completeness
from backburner.worlds.collab_overcooked.metrics.metrics_success import mean_and_deviation
from backburner.worlds.collab_overcooked.metrics.score_measures import CUT, capability

TEXT = (
    "What the released scripts say of each order, oddities included: a run is a success if the number of its "
    "last step, counted from 0, is at most 1.5 times the level's recorded one, any other is cut off there; "
    "IC and RC over dialogues that the chef opened, 0 if there are none. A level is the mean of its orders. "
    "Comparable with the release under released rules only."
)
COLUMNS = ("agent", "order", "runs", "success", "last step", "deviation", "TES chef", "TES assistant", "PC")


def released_section(rows: Sequence[Measured]) -> Iterator[Section]:
    """The table, if there are published orders."""
    table = tuple(_table(rows))
    if table:
        yield Section("As the release evaluates", TEXT, (*COLUMNS, "IC", "RC"), table)


def _table(rows: Sequence[Measured]) -> Iterator[tuple[object, ...]]:
    for agent, mine in by_agent(rows):
        orders: dict[str, list[Measures]] = {}
        levels: dict[int, dict[str, None]] = {}
        for episode, measures in mine:
            if f"{CUT}: success" in measures:
                order = episode.header.id.partition("/")[2]
                orders.setdefault(order, []).append(measures)
                levels.setdefault(int(measures["level"]), {})[order] = None
        for level, names in sorted(levels.items()):
            figures = [of_order(orders[name]) for name in names]
            for name, own in zip(names, figures, strict=True):
                yield (agent, name, len(orders[name]), *map(_cell, own))
            runs = sum(len(orders[name]) for name in names)
            yield (agent, f"level {level}", runs, *map(_cell, _means(figures)))


def of_order(runs: Sequence[Measures]) -> tuple[float | None, ...]:
    """Success rate, mean and deviation of the last index, TES of both cooks, PC, IC and RC of an order.

    There is no last index without a success.
    """
    taken = [run[f"{CUT}: last index"] for run in runs if f"{CUT}: last index" in run]
    mean, deviation = mean_and_deviation(taken) or (None, None)
    scores = [_mean([run[f"{CUT}: TES {cook}"] for run in runs]) for cook in ("chef", "assistant")]
    found = capability(runs, CUT)
    success = _mean([run[f"{CUT}: success"] for run in runs])
    return success, mean, deviation, *scores, progress_completeness(scores), found.ic or 0.0, found.rc or 0.0


def _means(figures: Sequence[Sequence[float | None]]) -> Iterator[float | None]:
    for column in zip(*figures, strict=True):
        known = [value for value in column if value is not None]
        yield _mean(known) if known else None


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _cell(value: float | None) -> float | str:
    return "–" if value is None else round(value, 3)
