"""An order's runs through the released evaluation: means, deviations, IC, RC and its faulty total."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from backburner.worlds.collab_overcooked.metrics.metrics import (
    BETA,
    Alignment,
    best_alignment,
    progress_completeness,
)
from backburner.worlds.collab_overcooked.metrics.metrics_collaboration import (
    Capability,
    Judged,
    judge,
    released_capability,
)
from backburner.worlds.collab_overcooked.metrics.metrics_dialogue import Dialogue, exchange
from backburner.worlds.collab_overcooked.metrics.metrics_space import counted
from backburner.worlds.collab_overcooked.metrics.metrics_success import limit, mean_and_deviation
from backburner.worlds.collab_overcooked.metrics.references import ASSISTANT, CHEF, Reference, calls_of

History = tuple[tuple[int, str], ...]
"""A cook's calls as (timestamp, call)."""


class Run(Struct, frozen=True):
    """One recorded run of an order. ``last_index``: the 0-based index of its last step."""

    finished: bool
    last_index: int
    histories: tuple[History, History]
    dialogues: tuple[Dialogue, ...]


class CookScores(Struct, frozen=True):
    """Means and population deviations over runs of one cook's TES, completeness and precision.

    Of several references the one with the best TES is reported.
    """

    tes: tuple[float, float]
    completeness: tuple[float, float]
    precision: tuple[float, float]


class Evaluation(Struct, frozen=True):
    """What the released evaluation says of the runs of one order.

    ``last_index``: mean and deviation over the finished runs, zeros if there are none. ``cube``: counts
    of dialogues by [requests add more, equal, less than the answer][answer fails][requests fail].
    """

    cooks: tuple[CookScores, CookScores]
    pc: float
    faulty_total: float
    success_rate: float
    last_index: tuple[float, float]
    judged: tuple[tuple[Judged, ...], ...]
    capability: Capability
    cube: tuple[tuple[tuple[int, ...], ...], ...]


def evaluate(
    runs: Sequence[Run],
    references: Sequence[Reference],
    spaces: tuple[frozenset[str], frozenset[str]],
    beta: float = BETA,
) -> Evaluation:
    """The released evaluation of the runs of one order; failed runs count in all but ``last_index``.

    ``spaces``: the call spaces of chef and assistant. Raises ``ValueError`` without runs or references.
    """
    if not runs:
        raise ValueError("an evaluation needs at least one run")
    alignments = [
        [_aligned(run, cook, references, spaces, beta) for run in runs] for cook in (CHEF, ASSISTANT)
    ]
    chef, assistant = (_scores(of_cook, beta) for of_cook in alignments)
    finished = [run for run in runs if run.finished]
    judged = tuple(_judged(run, references, spaces[ASSISTANT], beta) for run in runs)
    return Evaluation(
        cooks=(chef, assistant),
        pc=progress_completeness([chef.tes[0], assistant.tes[0]]),
        faulty_total=_faulty_total(alignments),
        success_rate=len(finished) / len(runs),
        last_index=mean_and_deviation([run.last_index for run in finished]) or (0.0, 0.0),
        judged=judged,
        capability=released_capability(one for of_run in judged for one in of_run),
        cube=_cube(one for of_run in judged for one in of_run),
    )


def _aligned(
    run: Run,
    cook: int,
    references: Sequence[Reference],
    spaces: tuple[frozenset[str], frozenset[str]],
    beta: float,
) -> Alignment:
    history = counted((call for _, call in run.histories[cook]), spaces[cook])
    return best_alignment(history, calls_of(references, cook), beta)


def _scores(alignments: Sequence[Alignment], beta: float) -> CookScores:
    columns = (
        [one.score(beta) for one in alignments],
        [one.completeness for one in alignments],
        [one.precision for one in alignments],
    )
    return CookScores(*(mean_and_deviation(column) or (0.0, 0.0) for column in columns))


def _judged(
    run: Run, references: Sequence[Reference], space: frozenset[str], beta: float
) -> tuple[Judged, ...]:
    """What each dialogue that the chef opened was worth."""
    opened = (dialogue for dialogue in run.dialogues if dialogue.opener == CHEF)
    seen = (exchange(one, ASSISTANT, run.histories[ASSISTANT], space, "released") for one in opened)
    return tuple(judge(one, calls_of(references, ASSISTANT), beta) for one in seen)


def _faulty_total(alignments: Sequence[Sequence[Alignment]]) -> float:
    """The harmonic mean of completeness and 1 - precision: 0 for a perfect run.

    Each cook's mean is weighted by its calls in all runs (by those of its references for completeness).
    """
    completeness = _weighted(
        [(_mean(one.completeness for one in mine), sum(one.reference for one in mine)) for mine in alignments]
    )
    waste = 1 - _weighted(
        [
            (_mean(one.precision for one in mine), sum(max(1, one.history) for one in mine))
            for mine in alignments
        ]
    )
    return 2 * completeness * waste / (completeness + waste) if completeness + waste else 0.0


def _weighted(pairs: Sequence[tuple[float, int]]) -> float:
    return sum(value * weight for value, weight in pairs) / sum(weight for _, weight in pairs)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


def _cube(judged: Iterable[Judged]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    counts = [[[0, 0], [0, 0]] for _ in range(3)]
    for one in judged:
        layer = 1 + (one.ites_request < one.ites_response) - (one.ites_request > one.ites_response)
        counts[layer][one.ites_response <= 0][one.ites_request <= 0] += 1
    return tuple(tuple(tuple(row) for row in layer) for layer in counts)


def cut(run: Run, optimal_last_index: int, gamma: float) -> Run:
    """The run as the released script hands it on: whole if it is a success, otherwise cut off.

    What is cut off are calls and dialogues with a timestamp of gamma times the level's number (rounded
    down) or later; a run that was cut is not finished.
    """
    most = limit(optimal_last_index, gamma)
    if run.finished and run.last_index <= most:
        return run
    end = int(most)
    chef, assistant = (tuple(entry for entry in history if entry[0] < end) for history in run.histories)
    talks = tuple(dialogue for dialogue in run.dialogues if dialogue.timestep < end)
    return Run(False, min(run.last_index, end - 1), (chef, assistant), talks)


def mean_by_order(values: Iterable[tuple[str, float]]) -> Mapping[str, float]:
    """The mean of each order's runs, from (order, value of a run)."""
    found: dict[str, list[float]] = defaultdict(list)
    for order, value in values:
        found[order].append(value)
    return {order: _mean(mine) for order, mine in found.items()}


def mean_by_level(values: Iterable[tuple[int, str, float]]) -> Mapping[int, float]:
    """The mean of each level's orders, from (level, order, value of a run); every order weighs the same."""
    rows = list(values)
    level_of = {order: level for level, order, _ in rows}
    found: dict[int, list[float]] = defaultdict(list)
    for order, mean in mean_by_order((order, value) for _, order, value in rows).items():
        found[level_of[order]].append(mean)
    return {level: _mean(means) for level, means in sorted(found.items())}
