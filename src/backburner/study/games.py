"""The games of a study: what each stage wants, who waits for whom, and what a finished record says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import blake2b

from msgspec import Struct

from backburner.agents.person.policy import SLIP
from backburner.kernel import registry
from backburner.kernel.episode import Episode, episode_in
from backburner.kernel.errors import BackburnerError
from backburner.kernel.values import Seat, filled
from backburner.serve.protocol import STAND_IN
from backburner.study.design import PERSON, Player, Study, seats_of
from backburner.study.entries import Measure, Numbers, Opened, Played
from backburner.study.pages import Waiting
from backburner.study.participants import Cohort, Participant
from backburner.study.stages import PlacedStage, built, team_size


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

    @property
    def key(self) -> tuple[int, tuple[str, ...]]:
        """What tells it from any other."""
        return self.position, tuple(self.people)


class GameOpened(Struct, frozen=True):
    """A game that was opened: its id, its host's token, and the token of each person's seat."""

    game: str
    host: str
    tokens: dict[Seat, str]


class Running(Struct, frozen=True):
    """A game that is being played: its host's token, since when, the participants and their seats."""

    game: str
    host: str
    since: float
    people: dict[str, Seat]


class GameResult(Struct, frozen=True):
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

    def played(self, at: float, position: int, opened: Opened) -> Played:
        """The entry of a participant who was in the game."""
        own = self.seats.get(opened.seat, Numbers())
        return filled(Played, self, opened, at=at, position=position, own=own)


def person_seats(study: Study, placed: PlacedStage) -> tuple[Seat, ...]:
    """The seats of a game that are people's."""
    return tuple(seat for seat, player in players_at(study, placed).items() if player.agent == PERSON)


def players_at(study: Study, placed: PlacedStage) -> dict[Seat, Player]:
    """Who has which seat of a game, as its condition says."""
    condition = study.condition(placed.condition)
    world = built(placed.scenario, condition.rules, condition.limits)
    return seats_of(condition, world.seats)


def result_of(record: bytes, name: str) -> GameResult:
    """What a finished game's record says; one that cannot be read is a failed game without numbers."""
    digest = blake2b(record, digest_size=32).hexdigest()
    try:
        episode = episode_in(record, name)
    except BackburnerError as error:
        return GameResult("failed", str(error), "", 0, 0, "", {}, (), digest)
    header, ending = episode.header, episode.ending
    return GameResult(
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
    answers = [entry.answers[seat] for entry in episode.entries if seat in entry.decided]
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


# --- who waits for whom -----------------------------------------------------------------------------------


class Partners:
    """The participants whose pages are open, and what they wait for."""

    def __init__(self, study: Study, cohort: Cohort, clock: Callable[[], float]) -> None:
        self._study, self._cohort, self._clock = study, cohort, clock
        self._present: Counter[str] = Counter()
        self._came: dict[str, float] = {}

    def come(self, id: str) -> bool:
        """A page of a participant is open; whether it is their first."""
        self._present[id] += 1
        if self._present[id] > 1:
            return False
        self._came[id] = self._clock()
        return True

    def go(self, id: str) -> bool:
        """A page of a participant was closed; whether it was their last."""
        self._present[id] -= 1
        if self._present[id] > 0:
            return False
        del self._present[id]
        return True

    def waiting(self) -> list[Participant]:
        """Those at the trials who have no partners yet and whose page is open, the first to come first."""
        found = []
        for id in self._present:
            one = self._cohort.people.get(id)
            placed = one.present_stage(self._study) if one is not None else None
            if one is not None and placed is not None and placed.kind == "trials" and one.assigned is None:
                found.append((one.entered.get(placed.position, 0.0), id, one))
        return [one for _, _, one in sorted(found, key=lambda each: each[:2])]

    def wanted(self) -> list[GameWanted]:
        """The games that are to be opened now, each once."""
        found = {}
        for one in self._cohort.people.values():
            placed = one.present_stage(self._study)
            if placed is not None and placed.kind == "play" and placed.position not in one.opened:
                game = self._wanted(one, placed)
                if game is not None:
                    found[game.key] = game
        return list(found.values())

    def _wanted(self, one: Participant, placed: PlacedStage) -> GameWanted | None:
        seats = person_seats(self._study, placed)
        mates = self._mates(one, len(seats))
        places = dict(zip(mates, seats, strict=False))
        active = [mate for mate in mates.values() if mate is not None and mate.ended is None]
        here = [mate for mate in active if mate.position == placed.position and mate.id in self._present]
        if one not in here or (len(here) < len(active) and not self._waited_enough(here, placed.position)):
            return None
        people = {mate.id: places[index] for index, mate in mates.items() if mate in active}
        players = {
            seat: player for seat, player in players_at(self._study, placed).items() if seat not in seats
        }
        condition = self._study.condition(placed.condition)
        return filled(GameWanted, placed, condition, people=people, players=players, here=len(here))

    def _mates(self, one: Participant, seats: int) -> dict[int, Participant | None]:
        """Place among the seats of people to who has it: those of the team who play in one game."""
        if one.assigned is None or seats == 1:
            return {0: one}
        first = one.assigned.member // seats * seats
        members = one.assigned.members[first : first + seats]
        return {index: self._cohort.people.get(id) for index, id in enumerate(members)}

    def _waited_enough(self, here: list[Participant], position: int) -> bool:
        since = min((self.since(mate, position) for mate in here), default=self._clock())
        return self._clock() - since >= self._study.groups.waiting_seconds

    def since(self, one: Participant, position: int) -> float:
        """Since when somebody waits with an open page."""
        return max(one.entered.get(position, 0.0), self._came.get(one.id, 0.0))

    def told(self, one: Participant) -> Waiting | None:
        """What somebody who waits is told; ``None`` for whoever does not."""
        placed = one.present_stage(self._study)
        if placed is None or placed.position in one.opened or placed.kind not in ("trials", "play"):
            return None
        left = self._study.groups.waiting_seconds - (self._clock() - self.since(one, placed.position))
        if placed.kind == "trials":
            return Waiting(len(self.waiting()), team_size(self._study), max(0.0, left))
        seats = person_seats(self._study, placed)
        mates = [m for m in self._mates(one, len(seats)).values() if m is not None and m.ended is None]
        here = [m for m in mates if m.position == placed.position and m.id in self._present]
        if len(here) >= len(mates):
            return None
        return Waiting(len(here), len(mates), max(0.0, left))
