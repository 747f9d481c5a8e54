"""The flow of participants as a table to read: who came, and what became of them, up to who is analysed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from backburner.kernel.scoring import Section
from backburner.study.analysis.tables import FlowRow

if TYPE_CHECKING:
    from backburner.study.analysis.data import Data

STEPS: Mapping[str, str] = {
    "arrived": "arrived",
    "forgotten": "data removed: {}",
    "declined": "declined",
    "undecided": "had not agreed ({})",
    "agreed": "agreed",
    "not_allocated": "not allocated ({})",
    "allocated": "allocated",
    "played": "played {}",
    "withdrew": "withdrew at {}",
    "dropped": "taken out at {}",
    "unmatched": "nobody to play with at {}",
    "open": "under way at {}",
    "finished": "finished",
    "excluded": "excluded: {}",
    "games_left_out": "games left out: {}",
    "without": "no game that counts",
    "counted": "analysed in {}",
    "analysed": "analysed",
}
"""The steps of the flow in their order, and the words for each, with the condition or the detail in them."""

TEXT = (
    "How many people came and what became of them, games in brackets. Whoever arrived has had their data "
    "removed, declined, not agreed yet, or agreed. Whoever was allocated has finished or left; those who did "
    "not withdraw are excluded (by the first rule that does), without a game that counts, or analysed."
)

INDENTED = frozenset(STEPS) - {"arrived", "agreed", "allocated", "analysed"}


def flow_in(data: Data) -> tuple[FlowRow, ...]:
    """The rows of the table ``flow``."""
    rows = data["flow"].cells
    return tuple(
        FlowRow(row.step, row.group, row.condition, row.detail, int(row.people or 0), int(row.games or 0))
        for row in rows.itertuples()
    )


def flow_section(flow: Iterable[FlowRow], labels: Mapping[str, str]) -> Section:
    """A line for each step and what it was about; a column for all, and for each group."""
    rows = list(flow)
    groups = list(dict.fromkeys(row.group for row in rows if row.group))
    lines: dict[str, list[FlowRow]] = {}
    for row in rows:
        about = labels.get(row.condition, row.condition) or row.detail
        words = STEPS[row.step].format(about) if row.step in STEPS else row.step
        lines.setdefault(("  " if row.step in INDENTED else "") + words, []).append(row)
    told = tuple(
        (line, _cell(of), *(_cell([row for row in of if row.group == group]) for group in groups))
        for line, of in lines.items()
    )
    return Section("Flow", TEXT, ("", "people", *groups), told)


def _cell(rows: list[FlowRow]) -> str:
    people, games = sum(row.people for row in rows), sum(row.games for row in rows)
    if not rows:
        return ""
    return f"{people} ({games})" if games else str(people)
