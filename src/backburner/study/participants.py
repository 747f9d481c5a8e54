"""The participants of a study: the links they come by, where each of them is, and how they are forgotten."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from urllib.parse import urlencode

import msgspec

from backburner.kernel.errors import Refused, UnknownName
from backburner.serve.store import STORE, Store, remove_files
from backburner.study.design import Status, Study
from backburner.study.entries import (
    Answered,
    AnyEntry,
    Arrived,
    Assigned,
    Began,
    Ended,
    Entered,
    Left,
    Messaged,
    Noticed,
    Opened,
    Played,
    Read,
    Recruiting,
    Spoke,
)
from backburner.study.journal import Journal
from backburner.study.stages import PlacedStage, group_of, stages_of, table_of

# --- who takes part ---------------------------------------------------------------------------------------


IDLE_SECONDS = 6 * 3600.0
"""Whoever has done nothing for so long does not hold a place in the table of orders any more."""


@dataclass
class Participant:
    """One person, as far as they have come. Times are seconds since 1970. ``read``: when they had read the
    messages up to a number, from 1."""

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
    noticed: dict[int, list[Noticed]] = field(default_factory=dict)
    messages: list[Messaged] = field(default_factory=list)
    read: dict[int, float] = field(default_factory=dict)

    def stages(self, study: Study) -> tuple[PlacedStage, ...]:
        """The stages that are known."""
        return stages_of(study, self.assigned)

    def present_stage(self, study: Study) -> PlacedStage | None:
        """Where they are; ``None`` behind the last stage, and for those who have ended."""
        stages = self.stages(study)
        return stages[self.position] if self.ended is None and self.position < len(stages) else None

    @property
    def attempt(self) -> int:
        """How often they have answered where they are."""
        return self.attempts.get(self.position, 0)

    @property
    def unread(self) -> list[Messaged]:
        """What the researcher wrote and they have not read."""
        return self.messages[max(self.read, default=0) :]

    def read_at(self, number: int) -> float | None:
        """When they had read the message of this number."""
        return min((at for up_to, at in self.read.items() if up_to >= number), default=None)

    def agreed(self, study: Study) -> bool:
        """Whether they have agreed on every page that asks."""
        return all(placed.position in self.left for placed in self.stages(study) if placed.kind == "consent")

    def consented(self, study: Study) -> bool:
        """Whether they have agreed, and did not take it back."""
        status = None if self.ended is None else self.ended.status
        return status not in ("declined", "withdrawn") and self.agreed(study)

    def part(self, study: Study) -> str:
        """The last stage that they have reached, with the number of the trial that it belongs to."""
        stages = self.stages(study)
        placed = stages[min(self.position, len(stages) - 1)]
        trial = f" {placed.trial.number}/{placed.trials}" if placed.trial else ""
        return f"{placed.stage.name}{trial}"

    def group(self, study: Study) -> str:
        """The group between subjects that they are in; empty where there is none, or none yet."""
        if self.assigned is None:
            return ""
        return group_of(study, study.condition(table_of(study)[self.assigned.row][0]))

    def follow(self, entry: AnyEntry) -> None:
        """Take in the next entry."""
        if isinstance(entry, Noticed):  # a page says it, and nobody may have done anything
            self.noticed.setdefault(entry.position, []).append(entry)
            return
        if isinstance(entry, Messaged):
            self.messages.append(entry)
            return
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
            case Read():
                self.read[entry.number] = entry.at
            case Ended():
                self.ended = entry
            case _:
                pass


@dataclass
class Cohort:
    """A study's participants. ``forgotten``: those of whom nothing but a tombstone is left, and why;
    ``recruiting``: when the researcher opened and closed recruitment."""

    began: Began | None = None
    people: dict[str, Participant] = field(default_factory=dict)
    forgotten: dict[str, str] = field(default_factory=dict)
    teams: int = 0
    recruiting: list[Recruiting] = field(default_factory=list)

    @property
    def closed(self) -> bool:
        """Whether the researcher lets nobody new in."""
        return bool(self.recruiting) and not self.recruiting[-1].open

    def follow(self, whose: str, entry: AnyEntry) -> None:
        """Take in the next entry of the journal."""
        if isinstance(entry, Began):
            self.began = entry
        elif isinstance(entry, Recruiting):
            self.recruiting.append(entry)
        elif isinstance(entry, Arrived):
            self.people[whose] = Participant(whose, entry, entry.language, entry.at)
        elif whose in self.people:
            self.people[whose].follow(entry)
            if isinstance(entry, Assigned):
                self.teams = max(self.teams, entry.number + 1)

    def forget(self, whose: str, reason: str) -> None:
        """Somebody's entries are gone."""
        self.people.pop(whose, None)
        self.forgotten[whose] = reason

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
        return Counter(rows.values())

    def expired(self, study: Study, now: float) -> list[Participant]:
        """Those who have done nothing for as long as data are kept."""
        kept_seconds = study.retention.days * 86_400
        return [one for one in self.people.values() if now - one.last_at > kept_seconds]

    def team(self, participant: Participant) -> list[Participant]:
        """The members of somebody's team of whom there are data, in their order."""
        if participant.assigned is None:
            return [participant]
        return [self.people[id] for id in participant.assigned.members if id in self.people]


def cohort_of(journal: Journal) -> Cohort:
    """All participants, out of a journal; raises ``Refused`` for content that is no entry."""
    cohort = Cohort(forgotten={whose: line.reason for whose, line in journal.forgotten.items()})
    for entry in journal.entries():
        try:
            content = msgspec.json.decode(entry.content, type=AnyEntry)
        except msgspec.DecodeError as error:
            raise Refused(f"entry {entry.number} of the journal: {error}") from error
        cohort.follow(entry.whose, content)
    return cohort


class TurnedAway(Refused):
    """Somebody cannot take part; ``key`` is that of the words that say why."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(key)


# --- links ------------------------------------------------------------------------------------------------


INVITATION = "invitation"
"""The parameter of a link that ``study links`` makes."""


class Links:
    """Makes and checks what only those know whom it was given to."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def token(self, participant: str) -> str:
        """What a participant's browser keeps, to go on with."""
        return f"{participant}.{self._mark('participant', participant)}"

    def participant(self, token: str) -> str | None:
        """Whose token it is; ``None`` if it is nobody's."""
        whose, _, mark = token.partition(".")
        return whose if self._fits("participant", whose, mark) else None

    def invitation(self, number: int) -> str:
        """The invitation of this number."""
        return f"{number}-{self._mark('invitation', str(number))}"

    def invited(self, invitation: str) -> int | None:
        """The number of an invitation; ``None`` if it is none of this study's."""
        number, _, mark = invitation.partition("-")
        right = number.isascii() and number.isdecimal() and len(number) < 10
        return int(number) if right and self._fits("invitation", number, mark) else None

    def researcher(self) -> str:
        """What opens the researcher's page, and nothing else."""
        return self._mark("researcher", "")

    def is_researcher(self, token: str) -> bool:
        """Whether it does; it takes as long for any wrong one."""
        return self._fits("researcher", "", token)

    def marks(self, recruited: str, invitation: int | None) -> tuple[str, ...]:
        """What a tombstone keeps of the links that somebody came by: without the secret it tells nothing."""
        named = (
            recruited and ("recruited", recruited),
            invitation is not None and ("invited", str(invitation)),
        )
        return tuple(self._mark("forgotten", "/".join(each)) for each in named if each)

    def _mark(self, kind: str, of: str) -> str:
        made = blake2b(f"{kind}/{of}".encode("utf-8", "replace"), key=self._secret, digest_size=16)
        return urlsafe_b64encode(made.digest()).decode().rstrip("=")

    def _fits(self, kind: str, of: str, mark: str) -> bool:
        return hmac.compare_digest(self._mark(kind, of).encode(), mark.encode("utf-8", "replace"))


def researcher_address(base: str, study: Study, links: Links) -> str:
    """The link of the researcher's page; browsers send nobody what stands behind its number sign."""
    return f"{base.rstrip('/')}/researcher/{study.name}#{links.researcher()}"


def address_of(base: str, study: Study, parameters: Mapping[str, str]) -> str:
    """A participant's link; ``base`` is the server's address, such as ``https://study.example``."""
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"{base.rstrip('/')}/study/{study.name}{query}"


def back_of(study: Study, status: Status) -> tuple[str, str]:
    """(completion code, address to go back to) of an end; empty where the file has none."""
    code = study.recruitment.codes.get(status, "")
    back = study.recruitment.back
    if "{code}" in back and not code:
        return "", ""
    return code, back.replace("{code}", code)


# --- removing data ----------------------------------------------------------------------------------------


def forget_all(
    folder: Path, study: Study, participants: Sequence[str], *, expired: bool, now: float
) -> dict[str, list[str]]:
    """Remove participants by their names (in the tables, or as a recruiting platform calls them), and with
    ``expired`` all whose time is up; each with the games whose records went too.

    Raises ``UnknownName`` before anybody is removed, ``Refused`` where a server has the folder.
    """
    if not (folder / "journal.jsonl").exists():
        raise Refused(f"{folder}: no data of a study")
    journal = Journal(folder, write=True)
    try:
        cohort = cohort_of(journal)
        chosen = {}
        for name in participants:
            one = cohort.people.get(name) or cohort.by_recruited(name)
            if one is None:
                if name in cohort.forgotten:
                    continue
                raise UnknownName("participant", name, sorted(cohort.people))
            chosen[one.id] = (one, "asked")
        if expired:
            for one in cohort.expired(study, now):
                chosen.setdefault(one.id, (one, "expired"))
        gone = {id: forget(journal, one, reason, now) for id, (one, reason) in chosen.items()}
        _remove_games(folder, [game for games in gone.values() for game in games])
        return gone
    finally:
        journal.close()


def _remove_games(folder: Path, games: Sequence[str]) -> None:
    """Remove games from what the server keeps of them."""
    if not (folder / STORE).exists():
        return
    store = Store(folder / STORE)
    try:
        for game in games:
            store.remove(game)
            remove_files(folder, game)
    finally:
        store.close()


def forget(journal: Journal, one: Participant, reason: str, now: float) -> list[str]:
    """Remove what a journal keeps of somebody, and the records of the games that they were in; the games.

    Whoever asked for it stays known by the marks of their links; whose time was up does not.
    """
    links, came = Links(journal.secret()), one.arrived
    marks = () if reason == "expired" else links.marks(came.recruited, came.invitation)
    games = list(dict.fromkeys(opened.game for opened in one.opened.values()))
    journal.forget(one.id, reason, datetime.fromtimestamp(now, UTC).date().isoformat(), marks)
    for game in games:
        (journal.records / f"{game}.jsonl").unlink(missing_ok=True)
    return games
