"""Who is there and who waits for whom: for partners at the trials, and for a team's games.

Nothing is decided or written here: what the study's data and the open pages say is all that there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from backburner.study.checking import team_size
from backburner.study.course import Stop
from backburner.study.design import Study
from backburner.study.games import GameWanted, person_seats, players_at
from backburner.study.pages import Waiting
from backburner.study.participants import Cohort, Participant


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
            stop = one.stop(self._study) if one is not None else None
            if one is not None and stop is not None and stop.kind == "trials" and one.assigned is None:
                found.append((one.entered.get(stop.position, 0.0), id, one))
        return [one for _, _, one in sorted(found, key=lambda each: each[:2])]

    def wanted(self) -> list[GameWanted]:
        """The games that are to be opened now, each once."""
        found = {}
        for one in self._cohort.people.values():
            stop = one.stop(self._study)
            if stop is not None and stop.kind == "play" and stop.position not in one.opened:
                game = self._wanted(one, stop)
                if game is not None:
                    found[game.key] = game
        return list(found.values())

    def _wanted(self, one: Participant, stop: Stop) -> GameWanted | None:
        seats = person_seats(self._study, stop)
        mates = self._mates(one, len(seats))
        places = dict(zip(mates, seats, strict=False))
        active = [mate for mate in mates.values() if mate is not None and mate.ended is None]
        here = [mate for mate in active if mate.position == stop.position and mate.id in self._present]
        if one not in here or (len(here) < len(active) and not self._waited_enough(here, stop.position)):
            return None
        people = {mate.id: places[index] for index, mate in mates.items() if mate in active}
        players = {
            seat: player for seat, player in players_at(self._study, stop).items() if seat not in seats
        }
        condition = self._study.condition(stop.condition)
        return GameWanted(
            stop.position,
            people,
            players,
            len(here),
            stop.scenario,
            condition.rules,
            condition.limits,
            stop.seed,
            stop.stage.name,
        )

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
        stop = one.stop(self._study)
        if stop is None or stop.position in one.opened or stop.kind not in ("trials", "play"):
            return None
        left = self._study.groups.waiting_seconds - (self._clock() - self.since(one, stop.position))
        if stop.kind == "trials":
            return Waiting(len(self.waiting()), team_size(self._study), max(0.0, left))
        seats = person_seats(self._study, stop)
        mates = [m for m in self._mates(one, len(seats)).values() if m is not None and m.ended is None]
        here = [m for m in mates if m.position == stop.position and m.id in self._present]
        if len(here) >= len(mates):
            return None
        return Waiting(len(here), len(mates), max(0.0, left))
