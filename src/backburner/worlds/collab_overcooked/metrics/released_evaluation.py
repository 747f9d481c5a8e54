"""The released evaluation: dialogues as its program writes them down and judges them, runs of an order.

The unit of dialogues is a step in which the chef opened a talk. Its list has the chef's answer that opened
it, every answer of the talk in the order in which it was asked for, and the chef's correction, if one was
needed in that step. Asked is whoever did not say anything first: if the chef opens with empty words and the
assistant speaks, it is the chef. IC is the share of dialogues whose requests bring the asked cook's task
forward (ITES > 0), RC the share in which its answer does. What is asked twice counts twice, a request in
double quotes is lost, one that the asked cook could not carry out is dropped, and a plan to wait is an answer
even if a better one follows.

Of an order's runs come means, deviations, IC, RC and a faulty total.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from backburner.worlds.collab_overcooked.metrics.collaboration import (
    Capability,
    Contribution,
    Dialogue,
    Exchange,
    History,
    calls_until,
    capability_of,
    contribution,
    request_texts,
)
from backburner.worlds.collab_overcooked.metrics.measures import (
    BETA,
    Alignment,
    best_alignment,
    limit,
    mean_and_deviation,
    progress_completeness,
)
from backburner.worlds.collab_overcooked.metrics.references import (
    ASSISTANT,
    CHEF,
    NO_CALL,
    Calls,
    Reference,
    Space,
    Spaces,
    calls_of,
    counted_as_released,
)

SILENT = ("", "[NOTHING]")
"""What is nothing said, to the letter."""

_CALL_BEGINS = re.compile(r"(?<!\w)\w++\(")


class Judged(Struct, frozen=True):
    """A dialogue: the cook that began it by saying something, what passed, what that adds."""

    timestep: int
    began: int
    exchange: Exchange
    added: Contribution


def judged(
    dialogue: Dialogue,
    histories: tuple[History, History],
    spaces: Spaces,
    references: Sequence[Reference],
    beta: float = BETA,
) -> Judged | None:
    """What a dialogue comes to; ``None`` if nobody says anything in it, where the release breaks down.

    ``spaces``: the released lists of chef and assistant.
    """
    began = begun_by(dialogue)
    if began is None:
        return None
    asked = 1 - began
    done = calls_until(histories[asked], dialogue.timestep)
    asks = _asked_for(dialogue, began)
    seen = Exchange(
        counted_as_released(done, spaces[0] | spaces[1]),
        asks,
        counted_as_released(asks, spaces[asked]),
        counted_as_released(_answer(dialogue, asked), spaces[asked]),
    )
    return Judged(dialogue.timestep, began, seen, contribution(seen, calls_of(references, asked), beta))


def begun_by(dialogue: Dialogue) -> int | None:
    """The cook that says something first; ``None`` if nobody does."""
    return next((turn.cook for turn in dialogue.turns if turn.say not in SILENT), None)


def _asked_for(dialogue: Dialogue, began: int) -> Calls:
    """The requests in every plan of the cook that began; blanks and single quotes around them are dropped."""
    plans = (turn.plan for turn in dialogue.turns if turn.cook == began)
    return tuple(f"{text.strip().strip(QUOTE)})" for plan in plans for text in request_texts(plan))


QUOTE = "'"


def _answer(dialogue: Dialogue, asked: int) -> Calls:
    """The calls of the asked cook's first plan that has any, requests and waits among them; then without
    these."""
    for turn in dialogue.turns:
        if turn.cook == asked:
            calls = tuple(_calls(turn.plan))
            if calls:
                return tuple(call for call in calls if "request" not in call and "wait" not in call)
    return ()


def _calls(plan: str) -> Iterator[str]:
    """Every word with a parenthesis behind it, up to where that closes first."""
    found = _CALL_BEGINS.search(plan)
    while found is not None:
        end = plan.find(")", found.end())
        if end < 0:
            return
        yield plan[found.start() : end + 1]
        found = _CALL_BEGINS.search(plan, end)


# --- runs of an order -----------------------------------------------------------------------------------


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


class Collaboration(Struct, frozen=True):
    """What the released evaluation says of the dialogues that the chef opened.

    ``dialogues``: those of each run. ``cube``: counts of dialogues, where ``cube[0][1][0]`` has those whose
    requests add more than the answer, the answer failing and the requests succeeding. The first index is 0, 1
    or 2 for requests that add more than, as much as, or less than the answer; the other two are 1 for
    failure.
    """

    dialogues: tuple[tuple[Judged, ...], ...]
    capability: Capability
    cube: tuple[tuple[tuple[int, ...], ...], ...]


class Evaluation(Struct, frozen=True):
    """What the released evaluation says of the runs of one order.

    ``last_index``: mean and deviation over the finished runs, zeros if there are none. ``collaboration``:
    ``None`` where it is not defined, because of what ``undefined`` says; the released program stops with an
    error then.
    """

    cooks: tuple[CookScores, CookScores]
    pc: float
    faulty_total: float
    success_rate: float
    last_index: tuple[float, float]
    collaboration: Collaboration | None
    undefined: str = ""


def evaluate(
    runs: Sequence[Run], references: Sequence[Reference], spaces: Spaces, beta: float = BETA
) -> Evaluation:
    """The released evaluation of the runs of one order; failed runs count in all but ``last_index``.

    ``spaces``: the released lists of calls of chef and assistant. Raises ``ValueError`` without runs or
    references.
    """
    if not runs:
        raise ValueError("an evaluation needs at least one run")
    deeds = spaces[CHEF] | spaces[ASSISTANT]
    alignments = [
        [_aligned(run.histories[cook], calls_of(references, cook), deeds, beta) for run in runs]
        for cook in (CHEF, ASSISTANT)
    ]
    chef, assistant = (_scores(of_cook, beta) for of_cook in alignments)
    finished = [run for run in runs if run.finished]
    collaboration, undefined = _collaboration(runs, references, spaces, beta)
    return Evaluation(
        cooks=(chef, assistant),
        pc=progress_completeness([chef.tes[0], assistant.tes[0]]),
        faulty_total=_faulty_total(alignments),
        success_rate=len(finished) / len(runs),
        last_index=mean_and_deviation([run.last_index for run in finished]) or (0.0, 0.0),
        collaboration=collaboration,
        undefined=undefined,
    )


def _aligned(history: History, references: Sequence[Calls], deeds: Space, beta: float) -> Alignment:
    """How a history fits. An empty one is a single ``NO_CALL``; one in which nothing counts is empty."""
    done = [call for _, call in history] or [NO_CALL]
    return best_alignment(counted_as_released(done, deeds), references, beta)


def _collaboration(
    runs: Sequence[Run], references: Sequence[Reference], spaces: Spaces, beta: float
) -> tuple[Collaboration | None, str]:
    """What the dialogues that the chef opened add, or why that is not defined."""
    of_runs: list[tuple[Judged, ...]] = []
    for run in runs:
        of_run: list[Judged] = []
        for dialogue in (dialogue for dialogue in run.dialogues if dialogue.opener == CHEF):
            one = judged(dialogue, run.histories, spaces, references, beta)
            if one is None:
                return None, f"nobody says anything in the talk of step {dialogue.timestep}"
            of_run.append(one)
        of_runs.append(tuple(of_run))
    added = [one.added for of_run in of_runs for one in of_run]
    return Collaboration(tuple(of_runs), capability_of(added), _cube(added)), ""


def _scores(alignments: Sequence[Alignment], beta: float) -> CookScores:
    columns = (
        [alignment.score(beta) for alignment in alignments],
        [alignment.completeness for alignment in alignments],
        [alignment.precision for alignment in alignments],
    )
    return CookScores(*(mean_and_deviation(column) or (0.0, 0.0) for column in columns))


def _faulty_total(alignments: Sequence[Sequence[Alignment]]) -> float:
    """The harmonic mean of completeness and 1 - precision: 0 for a perfect run.

    Each cook's mean is weighted by its calls in all runs (by those of its references for completeness).
    """
    completeness = _weighted(
        (_mean(each.completeness for each in own), sum(each.reference for each in own)) for own in alignments
    )
    waste = 1 - _weighted(
        (_mean(each.precision for each in own), sum(each.history for each in own)) for own in alignments
    )
    return 2 * completeness * waste / (completeness + waste) if completeness + waste else 0.0


def _weighted(weighted: Iterable[tuple[float, int]]) -> float:
    """The mean of (value, weight) pairs, 0 without any weight."""
    pairs = list(weighted)
    whole = sum(weight for _, weight in pairs)
    return sum(value * weight for value, weight in pairs) / whole if whole else 0.0


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known)


def _cube(contributions: Iterable[Contribution]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    counts = [[[0, 0], [0, 0]] for _ in range(3)]
    for added in contributions:
        layer = 1 + (added.ites_request < added.ites_response) - (added.ites_request > added.ites_response)
        counts[layer][added.ites_response <= 0][added.ites_request <= 0] += 1
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
