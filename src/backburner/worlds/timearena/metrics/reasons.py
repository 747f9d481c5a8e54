"""Why agents wait, in their own words (article, section 4.4): reasons told beside their decisions.

The article asked its agents for a reason with each action and found that many wait to get out of a wrong
one. Waits are told apart by whether they were necessary, and whether something had just been refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from backburner.kernel.episode import Entry, Episode
from backburner.kernel.policy import REASON
from backburner.kernel.scoring import Measured, Section, by_agent
from backburner.worlds.timearena.game.catalogue import catalogue
from backburner.worlds.timearena.metrics.analysis import NECESSARY, UNNECESSARY, action_types

AFTER_REFUSAL = f"{UNNECESSARY}, after a refusal"
KINDS = (NECESSARY, UNNECESSARY, AFTER_REFUSAL)

MOST_REASONS = 3
LONGEST_REASON = 160
"""Characters of a reason that are shown."""


def waits(episode: Episode) -> Iterator[tuple[str, str]]:
    """(kind, reason) of each wait; the reason is empty where none was given."""
    header = episode.header
    world = catalogue.restore(header.id, header.scenario, header.rules, header.limits)
    refused = False
    for kind, entry in zip(action_types(episode, world), episode.entries, strict=True):
        if kind in (NECESSARY, UNNECESSARY):
            yield AFTER_REFUSAL if refused and kind == UNNECESSARY else kind, reason_of(entry)
        refused = bool(entry.refusals)


def reason_of(entry: Entry) -> str:
    """The reason that was given with the decision; empty if there was none."""
    said = (thought for answer in entry.answers.values() for thought in answer.thoughts)
    return next((thought.text for thought in said if thought.purpose == REASON), "")


def sections(rows: Sequence[Measured]) -> list[Section]:
    """The reasons of agents that give any; nothing where there are none."""
    table: list[tuple[str, str, int, int, str]] = []
    for agent, mine in by_agent(rows):
        if any(reason_of(entry) for episode, _ in mine for entry in episode.entries):
            table += _lines(agent, [wait for episode, _ in mine for wait in waits(episode)])
    if not table:
        return []
    text = (
        "Of agents that give a reason with their decisions: how often they wait, how often with a reason, "
        f"and the most frequent reasons. {AFTER_REFUSAL.capitalize()}: something could have been started, "
        "and the decision before was refused."
    )
    columns = ("agent", "wait", "number", "with a reason", "reasons")
    return [Section("Why they wait", text, columns, tuple(table))]


def _lines(agent: str, found: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str, int, int, str]]:
    for kind in KINDS:
        reasons = [reason for of, reason in found if of == kind]
        given = Counter(" ".join(reason.split())[:LONGEST_REASON] for reason in reasons if reason)
        most = " / ".join(reason for reason, _ in given.most_common(MOST_REASONS))
        yield agent, kind, len(reasons), given.total(), most
