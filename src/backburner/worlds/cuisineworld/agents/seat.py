"""What dispatchers share: the situation out of what a seat sees, and an answer out of moves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from backburner.kernel.values import Seat
from backburner.worlds.cuisineworld.agents.book import Book
from backburner.worlds.cuisineworld.agents.partners import Expected, expected, trusted
from backburner.worlds.cuisineworld.agents.situation import Move, Situation
from backburner.worlds.cuisineworld.game import Commands, CuisineWorld
from backburner.worlds.cuisineworld.game.actions import GOTO, NOOP
from backburner.worlds.cuisineworld.game.state import Observation


class Noted(Struct, frozen=True):
    """What is remembered: since when each place has been at work, which tools hold what they made, what is
    expected of others."""

    since: Mapping[int, int] = {}
    made: frozenset[int] = frozenset()
    others: Expected = Expected()


class SeatView:
    """A world as its seats see it."""

    def __init__(self, world: CuisineWorld) -> None:
        self.book = Book(world)
        self.seating = world.seating
        self.hidden_orders = world.scenario.hidden_orders

    def situation(self, seen: Observation, old: Noted) -> tuple[Situation, Noted]:
        """Where everything is, with the bodies that can be planned with, and what is now remembered."""
        since = {p: old.since.get(p, seen.step) for p, place in enumerate(seen.places) if place.busy}
        doubts = old.others.judged(seen)
        now = Situation.seen(self.book, seen, trusted(seen, doubts), since, old.made)
        return now, Noted(since, old.made, Expected({}, doubts))

    def answer(
        self, seat: Seat, seen: Observation, now: Situation, noted: Noted, moves: Sequence[Move]
    ) -> tuple[Commands, Noted]:
        """The commands for the seat's own bodies, after which all are as in ``now``; what to remember."""
        own = self.seating.bodies_of[seat]
        idle = set(own) - {move.body for move in moves}
        given = [move for move in moves if move.body in own]
        for move in self._idle(now, idle):
            now.apply(move)
            given.append(move)
        commands = Commands(tuple(now.command(move) for move in given))
        others = expected(seen, now, noted.others.doubts)
        return commands, Noted(noted.since, frozenset(now.made), others)

    def _idle(self, now: Situation, bodies: Collection[int]) -> list[Move]:
        """Those without a task go and look for orders, where these are seen at a table only."""
        table = self.book.kitchen.start
        found = []
        for body in sorted(bodies):
            looks = self.hidden_orders and now.at[body] != table
            found.append(Move(GOTO if looks else NOOP, body, table))
        return found
