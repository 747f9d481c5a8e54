"""Which episodes a figure leads to: the list, narrowed down by what its row and its column name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import urlencode

from backburner.evaluation.report.listing import Listed
from backburner.evaluation.scoring.failures import BAD_ENDINGS, FAMILIES
from backburner.evaluation.scoring.failures import TITLE as FAILURES
from backburner.evaluation.tables.sections import columns_of_words
from backburner.kernel.scoring import Section

Filter = Mapping[str, Sequence[str]]
"""Field of a listed episode to the values that it may have; ``fault`` to families that occurred in it."""

ANY = "any"
"""Any fault family."""


def address(**fields: str | Sequence[str]) -> str:
    """The list of the episodes that have all these values; empty ones are left out."""
    narrowed = {name: [value] if isinstance(value, str) else value for name, value in fields.items() if value}
    return f"#episodes?{urlencode(narrowed, doseq=True)}" if narrowed else "#episodes"


class Links:
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
