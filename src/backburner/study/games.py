"""The games of a study: what is wanted for a stage, and what a finished record says of a participant."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from msgspec import Struct

from backburner.agents.person.policy import SLIP
from backburner.kernel import registry
from backburner.kernel.episode import Episode, episode_in
from backburner.kernel.errors import BackburnerError
from backburner.kernel.values import Seat
from backburner.serve.players import STAND_IN
from backburner.study.checking import built
from backburner.study.course import Stop
from backburner.study.design import PERSON, Player, Study, seats_of
from backburner.study.entries import Measure, Numbers


class GameWanted(Struct, frozen=True):
    """A game that is to be opened for a stage.

    ``people``: participant to seat; those who are not here yet are among them, and a stand-in plays until
    they come. ``players``: who has every other seat. ``here``: how many of the people have come.
    """

    position: int
    people: dict[str, Seat]
    players: dict[Seat, Player]
    here: int
    scenario: str
    rules: str
    limits: str
    seed: int
    title: str

    @property
    def key(self) -> tuple[int, tuple[str, ...]]:
        """What tells it from any other."""
        return self.position, tuple(self.people)


class GameOpened(Struct, frozen=True):
    """A game that was opened: its id, its host's token, and the token of each person's seat."""

    game: str
    host: str
    tokens: dict[Seat, str]


class Told(Struct, frozen=True):
    """What a record says, of everybody and of each seat."""

    status: str
    reason: str
    scenario: str
    seed: int
    steps: int
    players: str
    seats: dict[Seat, Numbers]
    measures: tuple[Measure, ...]
    digest: str


def person_seats(study: Study, stop: Stop) -> tuple[Seat, ...]:
    """The seats of a game that are people's."""
    return tuple(seat for seat, player in players_at(study, stop).items() if player.agent == PERSON)


def players_at(study: Study, stop: Stop) -> dict[Seat, Player]:
    """Who has which seat of a game, as its condition says."""
    condition = study.condition(stop.condition)
    world = built(stop.scenario, condition.rules, condition.limits)
    return seats_of(condition, world.seats)


def told_by(record: bytes, name: str) -> Told:
    """What a finished game's record says; one that cannot be read is a failed game without numbers."""
    digest = blake2b(record, digest_size=32).hexdigest()
    try:
        episode = episode_in(record, name)
    except BackburnerError as error:
        return Told("failed", str(error), "", 0, 0, "", {}, (), digest)
    header, ending = episode.header, episode.ending
    return Told(
        ending.status if ending else "interrupted",
        ending.reason if ending else "",
        header.id,
        header.seed,
        len(episode.entries),
        ", ".join(f"{seat}={player.name}" for seat, player in header.players.items()),
        {seat: _numbers(episode, seat) for seat in header.seats or tuple(header.players)},
        tuple(_measures(episode)),
        digest,
    )


def _numbers(episode: Episode, seat: Seat) -> Numbers:
    answers = [entry.answers[seat] for entry in episode.entries if seat in entry.answers]
    purposes = [{thought.purpose for thought in answer.thoughts} for answer in answers]
    slips = [thought for answer in answers for thought in answer.thoughts if thought.purpose == SLIP]
    refusals = [refusal for entry in episode.entries for refusal in entry.refusals if refusal.seat == seat]
    return Numbers(len(answers), sum(STAND_IN in each for each in purposes), len(slips), len(refusals))


def _measures(episode: Episode) -> Sequence[Measure]:
    """The metrics of this episode alone, then the numbers of its outcome."""
    found: list[Measure] = []
    scoring = registry.scoring(episode.header.world)
    measured = scoring.measure(episode)
    for metric in scoring.metrics:
        value = metric.over([measured])
        if value is not None:
            lowest, highest = (0.0, 100.0) if metric.share else (metric.lowest, metric.highest)
            found.append(Measure(metric.key, value, metric.title, metric.unit, lowest, highest))
    taken = {each.name.casefold() for each in found}  # most worlds have metrics of some of their numbers
    numbers = episode.ending.numbers if episode.ending else {}
    found += [
        Measure(name, float(value), name) for name, value in numbers.items() if name.casefold() not in taken
    ]
    return found
