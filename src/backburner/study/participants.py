"""Who takes part, and where each of them is: worked out from the entries of the journal, in their order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from backburner.kernel.errors import Refused
from backburner.study.course import Stop, course_of
from backburner.study.design import Study
from backburner.study.entries import (
    Answered,
    AnyEntry,
    Arrived,
    Assigned,
    Began,
    Ended,
    Entered,
    Left,
    Opened,
    Played,
    Spoke,
)
from backburner.study.journal import Entry

IDLE_SECONDS = 6 * 3600.0
"""Whoever has done nothing for so long does not hold a place in the table of orders any more."""


@dataclass
class Participant:
    """One person, as far as they have come. Times are seconds since 1970."""

    id: str
    arrived: Arrived
    language: str
    last_at: float
    position: int = 0
    assigned: Assigned | None = None
    ended: Ended | None = None
    entered: dict[int, float] = field(default_factory=dict)
    left: dict[int, float] = field(default_factory=dict)
    answers: dict[int, Answered] = field(default_factory=dict)
    attempts: dict[int, int] = field(default_factory=dict)
    opened: dict[int, Opened] = field(default_factory=dict)
    played: dict[int, Played] = field(default_factory=dict)

    def course(self, study: Study) -> tuple[Stop, ...]:
        """The stops that are known."""
        return course_of(study, self.assigned)

    def stop(self, study: Study) -> Stop | None:
        """Where they are; ``None`` behind the last stop, and for those who have ended."""
        stops = self.course(study)
        return stops[self.position] if self.ended is None and self.position < len(stops) else None

    def consented(self, study: Study) -> bool:
        """Whether they have agreed on every page that asks, and did not take it back."""
        pages = [stop.position for stop in self.course(study) if stop.kind == "consent"]
        status = None if self.ended is None else self.ended.status
        return status not in ("declined", "withdrawn") and all(page in self.left for page in pages)

    def follow(self, entry: AnyEntry) -> None:
        """Take in the next entry."""
        self.last_at = entry.at
        match entry:
            case Spoke():
                self.language = entry.language
            case Entered():
                self.entered.setdefault(entry.position, entry.at)
            case Answered():
                self.answers[entry.position] = entry
                self.attempts[entry.position] = self.attempts.get(entry.position, 0) + 1
            case Assigned():
                self.assigned = entry
            case Opened():
                self.opened[entry.position] = entry
            case Played():
                self.played[entry.position] = entry
            case Left():
                self.left[entry.position] = entry.at
                self.position = entry.position + 1
            case Ended():
                self.ended = entry
            case _:
                pass


@dataclass
class Cohort:
    """A study's participants. ``forgotten``: those of whom nothing but a tombstone is left."""

    began: Began | None = None
    people: dict[str, Participant] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    teams: int = 0

    def follow(self, whose: str, entry: AnyEntry) -> None:
        """Take in the next entry of the journal."""
        if isinstance(entry, Began):
            self.began = entry
        elif isinstance(entry, Arrived):
            self.people[whose] = Participant(whose, entry, entry.language, entry.at)
        elif whose in self.people:
            self.people[whose].follow(entry)
            if isinstance(entry, Assigned):
                self.teams = max(self.teams, entry.number + 1)

    def forget(self, whose: str) -> None:
        """Somebody's entries are gone."""
        self.people.pop(whose, None)
        self.forgotten.add(whose)

    def one(self, id: str) -> Participant:
        """A participant; raises ``Refused``."""
        if id not in self.people:
            raise Refused(
                f"participant {id} is forgotten" if id in self.forgotten else f"no participant {id}"
            )
        return self.people[id]

    def by_recruited(self, recruited: str) -> Participant | None:
        """Whoever came with this id of a recruiting platform."""
        found = (one for one in self.people.values() if recruited and one.arrived.recruited == recruited)
        return next(found, None)

    def by_invitation(self, number: int) -> Participant | None:
        """Whoever came with this invitation."""
        return next((one for one in self.people.values() if one.arrived.invitation == number), None)

    def rows_taken(self, now: float) -> dict[int, int]:
        """How many teams have each row: those with a member who is through or still at it."""
        rows: dict[str, int] = {}
        for one in self.people.values():
            lost = one.ended is not None and one.ended.status != "complete"
            idle = one.ended is None and now - one.last_at > IDLE_SECONDS
            if one.assigned is not None and not lost and not idle:
                rows[one.assigned.team] = one.assigned.row
        counts: dict[int, int] = {}
        for row in rows.values():
            counts[row] = counts.get(row, 0) + 1
        return counts

    def expired(self, study: Study, now: float) -> list[Participant]:
        """Those who have done nothing for as long as data are kept."""
        kept_seconds = study.retention.days * 86_400
        return [one for one in self.people.values() if now - one.last_at > kept_seconds]

    def team(self, participant: Participant) -> list[Participant]:
        """The members of somebody's team of whom there are data, in their order."""
        if participant.assigned is None:
            return [participant]
        return [self.people[id] for id in participant.assigned.members if id in self.people]


def cohort_of(entries: Iterable[Entry], forgotten: Iterable[str] = ()) -> Cohort:
    """All participants, out of a journal; raises ``Refused`` for content that is no entry."""
    cohort = Cohort(forgotten=set(forgotten))
    for entry in entries:
        try:
            content = msgspec.json.decode(entry.content, type=AnyEntry)
        except msgspec.DecodeError as error:
            raise Refused(f"entry {entry.number} of the journal: {error}") from error
        cohort.follow(entry.whose, content)
    return cohort
