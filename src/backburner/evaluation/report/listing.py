"""The episodes that figures lead to: one line for each, with what it can be found by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from backburner.evaluation.scoring.failures import first_refusals, waits
from backburner.evaluation.scoring.scores import Records, WorldScores
from backburner.evaluation.scoring.usage import NO_PRICES, Prices, answers_of, counted
from backburner.kernel.episode import Episode
from backburner.kernel.errors import shorten
from backburner.kernel.scoring import Measures, Metric
from backburner.kernel.values import total

LONGEST_REASON = 200
"""Characters of why an episode ended that its line tells; the transcript has all."""


class Listed(Struct, frozen=True):
    """An episode in the list.

    ``agent``: as tables call it, with what sets its run apart; ``player``: as its record does. ``counted``:
    whether the world's tables are over it. ``faults``: refused decisions by fault family, each by its first
    refusal, of so many ``decisions``, of which some are ``waits``. ``tokens`` are ``None`` where the provider
    told none, ``money`` where a price is not known; ``calls`` 0 where no model was asked. ``figures``: the
    world's metrics of this one episode. ``record``: its file, from the folder that is reported; ``page``: its
    transcript, from the report's folder of files, empty without one.
    """

    world: str
    group: str
    rules: str
    agent: str
    player: str
    scenario: str
    seed: int
    status: str
    reason: str
    counted: bool
    decisions: int
    waits: int
    faults: dict[str, int]
    calls: int
    tokens: int | None
    seconds: float
    money: float | None
    figures: dict[str, float]
    record: str
    page: str = ""


def listed(
    loaded: Records, scores: Sequence[WorldScores], folder: Path, prices: Prices | None = None
) -> dict[Path, Listed]:
    """A line for each measured episode by its record's file, world by world, in the order of its table."""
    paths = {id(episode): path for path, episode in loaded.episodes}
    return {
        path: line for world in scores for path, line in _of_world(world, paths, folder, prices or NO_PRICES)
    }


def _of_world(
    world: WorldScores, paths: Mapping[int, Path], folder: Path, prices: Prices
) -> Iterator[tuple[Path, Listed]]:
    for cell in world.cells:
        for line in cell.lines:
            counting = {id(episode) for episode, _ in line.rows}
            for episode, measures in line.experiment.rows:
                path = paths[id(episode)]
                yield (
                    path,
                    _line(
                        episode,
                        figures=_figures(world.metrics, measures),
                        group=cell.group,
                        agent=line.experiment.agent,
                        counted=id(episode) in counting,
                        record=str(path.relative_to(folder) if path.is_relative_to(folder) else path.name),
                        money=prices.cost(episode) if prices.models else None,
                    ),
                )


def _line(episode: Episode, *, figures: dict[str, float], money: float | None, **known: Any) -> Listed:
    header, ending = episode.header, episode.ending
    spent = [usage for _, usage in answers_of(episode)]
    together = total(spent)
    refusals = [first for entry in episode.entries for first in first_refusals(entry)]
    return Listed(
        world=header.world,
        rules=header.rules_name,
        player=header.agent,
        scenario=header.id,
        seed=header.seed,
        status=ending.status if ending else "",
        reason=shorten((ending.error or ending.reason) if ending else "", LONGEST_REASON),
        decisions=sum(len(entry.answers) for entry in episode.entries),
        waits=waits(episode),
        faults=dict(Counter(refusal.fault.value for refusal in refusals)),
        calls=together.calls,
        tokens=together.input_tokens + together.output_tokens if all(map(counted, spent)) else None,
        seconds=round(together.seconds, 3),
        money=money if spent else None,
        figures=figures,
        **known,
    )


def _figures(metrics: Sequence[Metric], measures: Measures) -> dict[str, float]:
    """The metrics that are defined for one episode."""
    found = {metric.key: metric.over([measures]) for metric in metrics}
    return {key: figure for key, figure in found.items() if figure is not None}


def as_table(lines: Sequence[Listed]) -> dict[str, Any]:
    """The lines as plain data with each field's name once."""
    return {"fields": list(Listed.__struct_fields__), "rows": [structs.astuple(line) for line in lines]}
