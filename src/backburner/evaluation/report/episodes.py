"""The episodes that figures lead to: one line for each, with what it can be found by.

A figure leads to the list, narrowed down by what its row and its column name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct, structs

from backburner.evaluation.scoring.failures import BAD_ENDINGS, FAMILIES, first_refusals, waits
from backburner.evaluation.scoring.failures import TITLE as FAILURES
from backburner.evaluation.scoring.scores import Records, WorldScores
from backburner.evaluation.scoring.usage import NO_PRICES, Prices, answers_of, counted
from backburner.evaluation.tables.words import columns_of_words
from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.errors import shorten
from backburner.kernel.scoring import Measures, Metric, Section
from backburner.kernel.values import total

LONGEST_REASON = 200
"""Characters of why an episode ended that its line tells; the transcript has all."""


class Listed(Struct, frozen=True):
    """An episode in the list.

    ``title``: how people call the scenario. ``agent``: as tables call it, with what sets its run apart;
    ``player``: as its record does. ``counted``: whether the world's tables are over it. ``faults``: refused
    decisions by fault family, each by its first refusal, of so many ``decisions``, of which some are
    ``waits``. ``tokens`` are ``None`` where the provider told none, ``money`` where a price is not known;
    ``calls`` 0 where no model was asked. ``figures``: the world's metrics of this one episode. ``record``:
    its file, from the folder that is reported; ``page``: its transcript, from the report's folder of files,
    empty without one.
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
    title: str = ""


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
    for cell, line, (episode, measures), counts in world.played:
        path = paths[id(episode)]
        yield (
            path,
            _line(
                episode,
                figures=_figures(world.metrics, measures),
                group=cell.group,
                agent=line.experiment.agent,
                counted=counts,
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
        title=registry.title(header.id),
        seed=header.seed,
        status=ending.status if ending else "",
        reason=shorten((ending.error or ending.reason) if ending else "", LONGEST_REASON),
        decisions=sum(len(entry.decided) for entry in episode.entries),
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


# --- what leads to them ----------------------------------------------------------------------------------


Filter = Mapping[str, Sequence[str]]
"""Field of a listed episode to the values that it may have; ``fault`` to families that occurred in it."""

ANY = "any"
"""Any fault family."""


def address(**fields: str | Sequence[str]) -> str:
    """The list of the episodes that have all these values; empty ones are left out."""
    narrowed = {name: [value] if isinstance(value, str) else value for name, value in fields.items() if value}
    return f"#episodes?{urlencode(narrowed, doseq=True)}" if narrowed else "#episodes"


class FigureLinks:
    """What the rows and columns of a report's tables name, among the episodes that were played."""

    def __init__(self, lines: Iterable[Listed]) -> None:
        self._names: dict[str, dict[str, Filter]] = {}
        for line in lines:
            names = self._names.setdefault(line.world, {})
            for name, found in _names(line):
                names.setdefault(name, found)
        self._worlds = set(self._names)

    def of_section(self, section: Section, world: str = "") -> list[list[str]]:
        """For each row and column of a table where its figure leads to; empty where it is of no episodes.

        A row that has a column of agents, but names none that played, is an article's.
        """
        words = columns_of_words(section)
        columns = [self._column(title, world, section.title) for title in section.columns]
        return [
            [
                "" if words[at] or not column_or_row else address(**column_or_row)
                for at, column_or_row in enumerate(self._cells(section, row, columns, world))
            ]
            for row in section.rows
        ]

    def _cells(
        self, section: Section, row: Sequence[object], columns: Sequence[Filter], world: str
    ) -> Iterator[dict[str, Sequence[str]]]:
        own = world or next((cell for cell in row if isinstance(cell, str) and cell in self._worlds), "")
        named = [self._named(cell, own) for cell in row]
        narrowed = _together(named)
        lacks_agent = "agent" in section.columns and not {"agent", "player"} & narrowed.keys()
        for cell, column in zip(row, columns, strict=True):
            known = {**narrowed, **column}
            never = not cell and {"fault", "status"} & column.keys()
            if lacks_agent or cell in (None, "", "–") or never or not known:
                yield {}
            else:
                yield {"world": [own], **known} if own else known

    def _named(self, cell: object, world: str) -> Filter:
        return self._names.get(world, {}).get(cell, {}) if isinstance(cell, str) else {}

    def _column(self, title: str, world: str, of: str) -> Filter:
        if of == FAILURES:
            if title in FAMILIES or title == "refused":
                return {"fault": [ANY if title == "refused" else title]}
            statuses = [status for status, told in BAD_ENDINGS.items() if title == told]
            return {"status": statuses} if statuses else {}
        named = self._names.get(world, {}).get(title, {})
        return named if "agent" in named or "player" in named else {}


def _names(line: Listed) -> Iterator[tuple[str, Filter]]:
    """What tables call an episode by, and what it then is."""
    yield line.player, {"player": [line.player]}
    yield line.agent, {"agent": [line.agent]}
    yield f"{line.player} (informed)", {"player": [line.player]}
    for name in (line.agent, line.player):
        yield f"{name}, {line.rules}", {"player": [line.player], "rules": [line.rules]}
    yield line.group, {"group": [line.group]}
    yield line.rules, {"rules": [line.rules]}
    whole = line.scenario.removeprefix(f"{line.world}/")
    for name in (line.scenario, whole, whole.partition("@")[0]):
        yield name, {"scenario": [name]}


def _together(filters: Iterable[Filter]) -> dict[str, Sequence[str]]:
    """What all say; several values of one field are alternatives."""
    found: dict[str, list[str]] = {}
    for one in filters:
        for field, values in one.items():
            own = found.setdefault(field, [])
            own += (value for value in values if value not in own)
    return dict(found)
