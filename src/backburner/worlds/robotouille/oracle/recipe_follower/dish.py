"""In which order the parts of one dish can be put together.

That is tried out in an imagined kitchen: nothing lies anywhere, whatever an action needs of a robot or of
a single thing is taken for granted, and only what the actions on the way have changed counts. There an
order is one that leads to the goal with each of its terms brought about once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from backburner.worlds.robotouille.game.actions import GroundAction

Terms = frozenset[int]
"""Terms of the goal, or variables, by their indices."""

NONE: Terms = frozenset()


class Known(NamedTuple):
    """What is known of the imagined kitchen: facts that hold, and facts that do not."""

    true: int
    false: int


class Putting(NamedTuple):
    """A deed that brings terms about: the variables of which it changes or ends something."""

    deed: GroundAction
    terms: Terms
    moved: Terms


class Dish:
    """Terms of a goal that hang together, each with its fact, and the deeds that bring them about.

    ``last``: facts that must hold in the end; ``robots``: facts about robots, which are left out.
    Where no order leads to the goal, any will do.
    """

    def __init__(
        self, bits: Mapping[int, int], last: int, puttings: Sequence[Putting], start: Known, robots: int
    ) -> None:
        self.ties = frozenset(bits)
        self._bits = bits
        self._last = last
        self._puttings = puttings
        self._start = start
        self._robots = robots
        self._finish: dict[tuple[Known, Terms], bool] = {}
        self._standing: dict[tuple[Terms, Terms], tuple[Known, Terms]] = {}
        self._any_order = not self._can_finish(start, NONE)

    def sound(self, held: Terms, unready: Terms) -> Terms:
        """Those of the terms that hold which may stay so."""
        return self.ties & held if self._any_order else self._stand(self.ties & held, unready)[1]

    def following(self, held: Terms, unready: Terms) -> Terms:
        """The terms that may be brought about next."""
        if self._any_order:
            return self.ties - held
        known, done = self._stand(self.ties & held, unready)
        return frozenset(
            term
            for putting, after in self._possible(known, done, self.ties - done, unready)
            if self._can_finish(after, done | putting.terms)
            for term in putting.terms - done
        )

    def _stand(self, held: Terms, unready: Terms) -> tuple[Known, Terms]:
        """The imagined kitchen in which as much of what holds as can stay has been brought about."""
        key = held, unready
        if key not in self._standing:
            known, done = self._start, NONE
            while True:
                ways = self._possible(known, done, held - done, unready)
                ways = ((p, after) for p, after in ways if p.terms <= held)
                found = next((way for way in ways if self._can_finish(way[1], done | way[0].terms)), None)
                if found is None:
                    break
                known, done = found[1], done | found[0].terms
            self._standing[key] = known, done
        return self._standing[key]

    def _possible(
        self, known: Known, done: Terms, wanted: Terms, unready: Terms = NONE
    ) -> Iterator[tuple[Putting, Known]]:
        """Deeds that bring about something wanted and undo nothing, with what follows."""
        kept = 0
        for term in done:
            kept |= self._bits[term]
        for putting in self._puttings:
            deed = putting.deed
            if not putting.terms & wanted or putting.moved & unready:
                continue
            if deed.needs & known.false or deed.forbids & known.true or deed.deletes & kept:
                continue
            adds, clears = deed.adds & ~self._robots, deed.deletes & ~self._robots
            yield putting, Known(known.true & ~clears | adds, known.false & ~adds | clears)

    def _can_finish(self, known: Known, done: Terms) -> bool:
        """Whether all the terms can be brought about from here."""
        if done >= self.ties:
            return not known.false & self._last
        key = known, done
        if key not in self._finish:
            self._finish[key] = any(
                self._can_finish(after, done | putting.terms)
                for putting, after in self._possible(known, done, self.ties - done)
            )
        return self._finish[key]
