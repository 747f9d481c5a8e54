"""What went wrong, in the same words for every world: refused decisions by fault family, and bad endings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from backburner.kernel.charts import Stack, Stacks
from backburner.kernel.episode import CONTEXT_OVERFLOW, Ending, Entry, Episode
from backburner.kernel.scoring import Measured, Section, by_agent
from backburner.kernel.values import Event, Fault, Refusal

FAMILIES = tuple(fault.value for fault in Fault)

BAD_ENDINGS: Mapping[str, str] = {
    "failed": "call failed",
    CONTEXT_OVERFLOW: "context overflow",
    "stopped": "stopped",
    "cut off": "cut off",
    "capped": "safety cap",
}
"""The endings that a task did not come to by itself, and what they are called here: statuses, and the reason
of those that a model's context ended."""


def waits(episode: Episode) -> int:
    """How many answers of an episode were waits: their seat's body began to wait and nothing else, or, where
    one seat decides for all, no body began anything. A last answer of which nothing came ends the episode,
    unless the same one came to nothing before."""
    *before, last = episode.entries or (None,)
    quits = last is not None and len(last.decided) == 1 and not last.refusals and not _begun(last)
    repeated = quits and any(_decided(entry) == _decided(last) for entry in before)
    return sum(map(_waits, episode.entries)) - int(quits and not repeated)


def _decided(entry: Entry | None) -> list[Any]:
    return [] if entry is None else [answer.decision for answer in entry.decided.values()]


def _waits(entry: Entry) -> int:
    if entry.refusals or any(answer.unread is not None for answer in entry.answers.values()):
        return 0
    begun, decided = _begun(entry), entry.decided
    if len(decided) <= 1:
        return len(decided) and int(all(event.kind == "wait" for event in begun))
    works = {event.lane for event in begun if event.kind != "wait"}
    return len(({event.lane for event in begun} & decided.keys()) - works)


def _begun(entry: Entry) -> list[Event]:
    return [event for event in entry.events if event.what in ("start", "resume", "said", "delivered")]


TITLE = "What went wrong"
TEXT = (
    "Refused decisions by fault family, in per cent of all decisions; the families are the same in every "
    "world. A decision of which several parts were refused counts once, by the first of them. Endings in per "
    "cent of episodes: a call to a model failed, the conversation became longer than the model can read, the "
    "agent stopped of its own accord, a limit cut play off."
)


class Failures(Struct, frozen=True):
    """What an agent's decisions were refused for, and how its episodes ended.

    ``by_family``: refused decisions by shared fault family, by the first refusal of each. ``by_kind``: all
    refusals by the world's own names. ``endings``: episodes by status, and by
    ``CONTEXT_OVERFLOW`` in place of it.
    """

    agent: str
    episodes: int
    decisions: int
    refused: int
    by_family: dict[str, int]
    by_kind: dict[str, int]
    endings: dict[str, int]


def failures_of(rows: Sequence[Measured], kind_of: Callable[[Refusal], str]) -> Iterator[Failures]:
    """The failures of each agent. ``kind_of``: a world's own name for a refusal."""
    for agent, played in by_agent(rows):
        entries = [entry for episode, _ in played for entry in episode.entries]
        first = [refusal for entry in entries for refusal in first_refusals(entry)]
        yield Failures(
            agent,
            len(played),
            sum(len(entry.decided) for entry in entries),
            len(first),
            dict(Counter(refusal.fault.value for refusal in first).most_common()),
            dict(Counter(kind_of(refusal) for entry in entries for refusal in entry.refusals).most_common()),
            dict(Counter(_kind(episode.ending) for episode, _ in played if episode.ending).most_common()),
        )


def _kind(ending: Ending) -> str:
    return CONTEXT_OVERFLOW if ending.overflowed else ending.status


def first_refusals(entry: Entry) -> list[Refusal]:
    """The first refusal of each decision in this entry of which something was refused."""
    first_by_seat: dict[str, Refusal] = {}
    for refusal in entry.refusals:
        first_by_seat.setdefault(refusal.seat, refusal)
    return list(first_by_seat.values())


def failures_section(of_worlds: Mapping[str, Sequence[Failures]]) -> Section:
    """One table over all worlds and agents; a family or an ending that never occurs has no column."""
    all_failures = [failures for of_agents in of_worlds.values() for failures in of_agents]
    families = [name for name in FAMILIES if any(failures.by_family.get(name) for failures in all_failures)]
    endings = [
        status for status in BAD_ENDINGS if any(failures.endings.get(status) for failures in all_failures)
    ]
    rows = tuple(
        (
            world,
            failures.agent,
            failures.episodes,
            failures.decisions,
            percent(failures.refused, failures.decisions),
            *(percent(failures.by_family.get(name, 0), failures.decisions) for name in families),
            *(percent(failures.endings.get(status, 0), failures.episodes) for status in endings),
        )
        for world, of_agents in of_worlds.items()
        for failures in of_agents
    )
    names = (BAD_ENDINGS[status] for status in endings)
    columns = ("world", "agent", "episodes", "decisions", "refused", *families, *names)
    return Section(TITLE, TEXT, columns, rows)


def failures_charts(of_worlds: Mapping[str, Sequence[Failures]]) -> list[Stacks]:
    """A picture of each world in which anything was refused, with one bar for each agent."""
    return [
        Stacks(
            f"{world}: refused decisions",
            "% of decisions",
            FAMILIES,
            tuple(Stack(failures.agent, _shares(failures)) for failures in of_agents),
        )
        for world, of_agents in of_worlds.items()
        if any(failures.refused for failures in of_agents)
    ]


def _shares(failures: Failures) -> dict[str, float]:
    return {name: 100 * number / failures.decisions for name, number in failures.by_family.items()}


def percent(part: float, whole: float) -> float | None:
    """``part`` in per cent of ``whole``, two decimals; ``None`` if ``whole`` is 0."""
    return round(100 * part / whole, 2) if whole else None
