"""Recipe2Plan's analysis of what agents did and why they failed (article, Figure 5 and Table 15)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from backburner.kernel.episode import Episode
from backburner.kernel.scoring import Measured, Measures, Section, by_agent
from backburner.kernel.values import Refusal

VALID = "valid"
NO_ACTION = "No Action"

KINDS = {
    "no_action": NO_ACTION,
    "unknown_recipe": "Wrong Recipe",
    "unknown_step": "Wrong Action",
    "past_time": "Time Error",
    "beyond_time": "Time Error",
    "object_occupied": "Object Occupancy",
    "object_property": "Object Temperature",
    "time_constraint": "Time Constraint",
    "already_done": "Repeated Action",
    "already_running": "Repeated Action",
    "no_duration": "Action Duration",
    "duration_exceeds": "Action Duration",
    "not_interruptible": "Execution Interruptibility",
    "dep_incomplete": "Dependency",
    "dep_unfinished": "Dependency",
}
"""Names of Table 15 by refusal code. The table has none for an answer without an action."""

COLUMNS = (VALID, *dict.fromkeys(KINDS.values()))

ENDINGS = {
    "success": "completed",
    "time_constraint": "time constraint",
    "stuck": "stuck",
    "revision_limit": "revisions",
    "turn_limit": "turns",
    "finish": "finished early",
}
"""How an episode ended, by the outcome's reason."""

Rows = Sequence[Measured]


def kind_of_refusal(refusal: Refusal) -> str:
    """The refusal's name in Table 15."""
    return KINDS.get(refusal.code, NO_ACTION)


def counts(episode: Episode) -> dict[str, float]:
    """Numbers of decisions by what became of them."""
    found = Counter(
        kind_of_refusal(entry.refusals[0]) if entry.refusals else VALID for entry in episode.entries
    )
    return {name: float(found[name]) for name in COLUMNS}


def sections(rows: Rows) -> list[Section]:
    """The article's Figure 5 as two tables."""
    return [_kinds_section(rows), _endings_section(rows)]


def _kinds_section(rows: Rows) -> Section:
    table = []
    for agent, mine in by_agent(rows):
        total = sum(measures[name] for _, measures in mine for name in COLUMNS) or 1.0
        shares = (100 * sum(measures[name] for _, measures in mine) / total for name in COLUMNS)
        table.append((agent, *(round(share, 1) for share in shares)))
    return Section(
        "What the agents did",
        "Shares of all decisions, in per cent: those carried out in full, and those of which something "
        "was refused, by the kinds of the article's Table 15.",
        ("agent", *COLUMNS),
        tuple(table),
    )


def _endings_section(rows: Rows) -> Section:
    table = []
    for agent, mine in by_agent(rows):
        found = Counter(_ending(episode, measures) for episode, measures in mine)
        others = len(mine) - sum(found[name] for name in ENDINGS)
        table.append((agent, len(mine), *(found[name] for name in ENDINGS), others))
    return Section(
        "How the episodes ended",
        "Numbers of episodes: every recipe complete, or the reason for the failure.",
        ("agent", "episodes", *ENDINGS.values(), "other"),
        tuple(table),
    )


def _ending(episode: Episode, measures: Measures) -> str:
    if measures["success"]:
        return "success"
    return episode.ending.reason if episode.ending is not None else ""
