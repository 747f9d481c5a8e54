"""One episode's numbers, by name: from what happened, what is known of the order, and its references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from backburner.kernel.scoring import Measures
from backburner.worlds.collab_overcooked.game.optima import Optimum
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.metrics import BETA, progress_completeness, rouge_l, tes
from backburner.worlds.collab_overcooked.metrics.metrics_collaboration import (
    OUTCOMES,
    Capability,
    judge,
    released_capability,
    required_capability,
)
from backburner.worlds.collab_overcooked.metrics.metrics_dialogue import Exchange, Reading, exchange
from backburner.worlds.collab_overcooked.metrics.metrics_distance import Advance, distance
from backburner.worlds.collab_overcooked.metrics.metrics_failure import failure
from backburner.worlds.collab_overcooked.metrics.metrics_pipeline import cut, evaluate
from backburner.worlds.collab_overcooked.metrics.metrics_space import counted
from backburner.worlds.collab_overcooked.metrics.published import published_tables
from backburner.worlds.collab_overcooked.metrics.references import ASSISTANT, CHEF, Reference, calls_of
from backburner.worlds.collab_overcooked.metrics.score_chronicle import Chronicle
from backburner.worlds.collab_overcooked.metrics.score_kitchen import asked_cook, call_spaces

Numbers = Iterator[tuple[str, float]]

Counted = Literal["required", "released", "cut"]
"""How collaborations are counted: in either reading, or as released in what its script leaves of a run."""

CUT: Counted = "cut"
COOKS = ((CHEF, "chef"), (ASSISTANT, "assistant"))


def completion(world: CollabOvercooked, told: Chronicle, known: Optimum | None) -> Numbers:
    """Whether and when everything was delivered, beside what limited it.

    ``steps`` only where it was; ``played`` only where a limit cut play off, with the steps until then.
    ``optimum``: the steps of the shortest known plan, where there is one; ``proven`` is 1 if none is shorter.
    """
    yield "success", float(told.completed)
    yield "delivered", float(told.final.delivered)
    if told.completed:
        yield "steps", float(told.steps)
    elif told.final.ended == "step_limit":
        yield "played", float(told.steps)
    if world.scenario.level is not None:
        yield "level", float(world.scenario.level)
    if known is not None:
        yield "optimum", float(known.steps)
        yield "proven", float(known.status == "optimal")


def advancement(advances: tuple[Sequence[Advance], Sequence[Advance]]) -> Numbers:
    """The mean over each cook's calls of the change in steps to go, and of the steps lost.

    None for a cook without a call whose steps to go are known before and after.
    """
    for cook, name in COOKS:
        found = distance(advances[cook])
        if found.mean_change_steps is not None and found.mean_lost_steps is not None:
            yield f"change {name}", found.mean_change_steps
            yield f"lost {name}", found.mean_lost_steps


def against_references(
    world: CollabOvercooked, told: Chronicle, references: Sequence[Reference], beta: float = BETA
) -> Numbers:
    """TES and ROUGE-L of each cook, PC, and who asked and answered how well, in both readings."""
    spaces = call_spaces(world.ware)
    scores = []
    for cook, name in COOKS:
        history = counted((call for _, call in told.histories[cook]), spaces[cook])
        mine = calls_of(references, cook)
        scores.append(tes(history, mine, beta))
        yield f"TES {name}", scores[-1]
        yield f"ROUGE-L {name}", rouge_l(history, mine, beta)
    yield "PC", progress_completeness(scores)
    yield from _collaboration(world, told, references, beta)
    if world.scenario.level is not None:
        yield from _as_released(told, world.scenario.level, references, spaces, beta)


def _collaboration(
    world: CollabOvercooked, told: Chronicle, references: Sequence[Reference], beta: float
) -> Numbers:
    asked = asked_cook(world.scenario)
    space = call_spaces(world.ware)[asked]
    mine = calls_of(references, asked)
    history = told.histories[asked]

    def seen(reading: Reading) -> list[Exchange]:
        dialogues = [one for one in told.talks if reading == "required" or one.opener != asked]
        dialogues += told.silent if reading == "required" else ()
        return [exchange(one, asked, history, space, reading) for one in dialogues]

    released = released_capability(judge(one, mine, beta) for one in seen("released"))
    yield from _outcomes("released", released)
    exchanges = seen("required")
    yield from _outcomes("required", required_capability(exchanges, mine, beta))
    judged = [(one, judge(one, mine, beta)) for one in exchanges]
    asking = [verdict.ites_request for one, verdict in judged if one.asked_for]
    answering = [verdict.ites_response for one, verdict in judged if one.responded]
    for name, values in (("requests", asking), ("responses", answering)):
        yield name, float(len(values))
        yield f"ITES of {name}", sum(values)
    failed = Counter(failure(one.asked_for, one.history, mine, space, beta) for one in exchanges)
    for kind, number in failed.items():
        if kind is not None:
            yield f"request {kind}", float(number)


def _outcomes(reading: Counted, found: Capability) -> Numbers:
    for outcome, number in found.outcomes.items():
        yield f"{reading}: {outcome}", float(number)


def capability(rows: Sequence[Measures], reading: Counted) -> Capability:
    """The outcomes of the collaborations of several episodes together."""
    counts = (int(sum(row.get(f"{reading}: {outcome}", 0) for row in rows)) for outcome in OUTCOMES)
    return Capability(*counts)


def _as_released(
    told: Chronicle,
    level: int,
    references: Sequence[Reference],
    spaces: tuple[frozenset[str], frozenset[str]],
    beta: float,
) -> Numbers:
    """What the released evaluation says of this run alone, cut off as its script does."""
    line = published_tables().level(level)
    if line is None:
        return
    run = cut(told.released_run(), line.optimal_last_index, published_tables().time_limit_factor)
    found = evaluate([run], references, spaces, beta)
    yield f"{CUT}: success", found.success_rate
    if run.finished:
        yield f"{CUT}: last index", float(run.last_index)
    for cook, name in COOKS:
        yield f"{CUT}: TES {name}", found.cooks[cook].tes[0]
    yield from _outcomes(CUT, found.capability)
