"""A kitchen seen through a few of its things: a small graph whose distances are lower bounds.

Of the *payers* and the *spectators* the scope's facts are kept; effects that wait may happen at any time.
A robot is kept only while it holds one of the things: then what it holds and where it is. Every step of
the kitchen is an edge here, or changes nothing here. Only steps of payers are charged, so projections
with different payers add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.oracles.search.moves import NO_PLACE, Charge, Move, Moves
from backburner.oracles.search.mutexes import Mutexes
from backburner.oracles.search.overview import Overview, bits
from backburner.oracles.search.pending import Pending, PendingOf, push
from backburner.oracles.search.scope import Scope
from backburner.oracles.search.ways import Distances, Edge, Tolls, Ways
from backburner.worlds.robotouille.state import Kitchen

MOST_POINTS = 60_000


class TooLarge(Exception):
    """A projection has more points than are worth looking at."""


class Hold(NamedTuple):
    """A robot that holds something of the scope: the fact that it does, and that of where it is."""

    robot: int
    fact: int
    place: int


Holds = tuple[Hold, ...]


class Point(NamedTuple):
    """Facts by the scope's own bits, robots that hold something, effects at work."""

    facts: int
    holds: Holds
    pending: frozenset[Pending]


class Done(NamedTuple):
    """A move, done: the facts and holds after it, the effects that it starts then, and what it costs."""

    facts: int
    holds: Holds
    starts: tuple[Pending, ...]
    steps: int
    charge: Charge


class Projection:
    """The graph of one projection; see the module."""

    def __init__(
        self,
        overview: Overview,
        mutexes: Mutexes,
        payers: Sequence[int],
        spectators: Sequence[int] = (),
        loose: bool = False,
    ) -> None:
        self.overview = overview
        self.payers = tuple(payers)
        self.spectators = tuple(spectators)
        self.things = frozenset((*payers, *spectators))
        self.scope = Scope(overview, mutexes, self.things, set(payers))
        self.pending = PendingOf(self.scope, loose)
        self._held = {robot: overview.held_of(robot, self.things) for robot in overview.players}
        self._paying = sum(overview.held_of(robot, set(payers)) for robot in overview.players)
        self._moves = Moves(self.scope, mutexes, self.pending, self.payers, self._held).all
        self._after: dict[Holds, list[tuple[Move, Holds]]] = {}
        self._done_of: dict[tuple[int, Holds], list[Done]] = {}
        self.points: list[Point] = []
        self._numbers: dict[Point, int] = {}
        self._edges: list[Edge] = []
        self._done = 0
        self._ways: Ways | None = None

    def hold(self, robot: int, facts: int) -> Holds:
        """What a robot with these facts holds of the scope: one entry or none."""
        held = facts & self._held[robot]
        return (Hold(robot, held, facts & self.overview.places[robot]),) if held else ()

    def point_of(self, kitchen: Kitchen) -> Point:
        """Where a kitchen is here."""
        layout = self.overview.engine.layout_of(kitchen.made)
        holds = (hold for robot in self.overview.players for hold in self.hold(robot, kitchen.facts))
        return Point(
            self.scope.read(layout, kitchen.facts),
            tuple(sorted(holds)),
            self.pending.running(kitchen.effects),
        )

    def number(self, point: Point) -> int:
        """The number of a point."""
        known = self._numbers.get(point)
        if known is None:
            known = self._numbers[point] = len(self.points)
            self.points.append(point)
            self._ways = None
        return known

    def complete(self) -> None:
        """All points that can be reached from those that are known, and the ways between them.

        Raises ``TooLarge``.
        """
        while self._done < len(self.points):
            if len(self.points) > MOST_POINTS:
                raise TooLarge
            begin, point = self._done, self.points[self._done]
            for done in self._all_done(point.facts, point.holds):
                facts, pending = done.facts, point.pending
                if done.starts:
                    facts, pending = push(facts, pending, done.starts)
                charge = done.charge
                end = Point(facts, done.holds, pending)
                self._edge(begin, end, done.steps, charge.adds_toll, charge.less_toll)
            for one in point.pending:
                if not one.full:
                    self._happen(begin, point, one)
            self._done += 1

    def distances(self, goals: NDArray[np.bool_], tolls: Tolls) -> Distances:
        """The least charge from each point to one of the goals."""
        if self._ways is None:
            self.complete()
            self._ways = Ways(self._edges, len(self.points))
        return self._ways.distances(goals, tolls)

    def holding(self, facts: int) -> NDArray[np.bool_]:
        """The points at which all these facts hold, by the scope's own bits."""
        return np.array([point.facts & facts == facts for point in self.points], dtype=np.bool_)

    def _possible(self, holds: Holds) -> list[tuple[Move, Holds]]:
        """Moves that what the robots hold allows, and what they hold then."""
        known = self._after.get(holds)
        if known is None:
            known = self._after[holds] = []
            facts = sum(hold.fact for hold in holds)
            of_robot = {hold.robot: hold for hold in holds}
            for move in self._moves:
                if move.never_held & facts & ~move.needs_held:
                    continue
                others = [hold for hold in holds if hold.robot != move.robot]
                for after in self._held_after(move, of_robot.get(move.robot)):
                    if of_robot.get(move.robot) or after or move.adds or move.clears or move.starts:
                        known.append((move, tuple(sorted((*others, *after)))))
        return known

    def _held_after(self, move: Move, hold: Hold | None) -> Iterator[Holds]:
        """What the acting robot may hold after a move that it can do; nothing if it cannot."""
        if hold is not None:
            fits = not move.needs_held & ~hold.fact and not move.place_before & ~hold.place
            if fits and not move.needs_other_hand:
                fact = hold.fact & ~move.drops | move.takes
                place = hold.place & ~move.place_ends | move.place_begins
                yield (Hold(move.robot, fact, place),) if fact else ()
        elif not move.needs_held and not move.takes:
            yield ()
        elif not move.needs_held:
            told = move.place_before & ~move.place_ends | move.place_begins
            anywhere = self.overview.places[move.robot]
            for place in [told] if told.bit_count() == 1 else bits(anywhere):
                yield (Hold(move.robot, move.takes, place),)

    def _all_done(self, facts: int, holds: Holds) -> list[Done]:
        """What all moves come to, whatever effects are at work; kept, as many points differ by those."""
        known = self._done_of.get((facts, holds))
        if known is None:
            moves = self._possible(holds)
            known = [done for move, after in moves for done in self._do(facts, holds, move, after)]
            self._done_of[facts, holds] = known = list(dict.fromkeys(known))
        return known

    def _do(self, facts: int, before: Holds, move: Move, after: Holds) -> Iterator[Done]:
        if move.needs & ~facts or move.forbids & facts:
            return
        for pair in move.forbids_pairs:
            if pair & facts == pair:
                return
        ends = [facts & ~move.clears | move.adds]
        for vague in bits(move.clears & self.scope.vague & facts):
            ends += [end | vague for end in ends]
        charge = move.charge
        free = charge.if_held and not any(
            hold.robot == move.robot and hold.fact & self._paying for hold in before
        )
        for end in ends:
            yield Done(end, after, move.starts, 0 if free else charge.steps, charge)

    def _happen(self, begin: int, point: Point, pending: Pending) -> None:
        """An effect brings something about, and may be over then."""
        over = point.pending - {pending}
        self._edge(begin, point._replace(pending=over))
        for needs, adds, clears in pending.outcomes:
            if not needs & ~point.facts:
                after = point._replace(facts=point.facts & ~clears | adds)
                self._edge(begin, after)
                self._edge(begin, after._replace(pending=over))

    def _edge(
        self, begin: int, point: Point, steps: int = 0, adds_toll: int = NO_PLACE, less_toll: int = NO_PLACE
    ) -> None:
        end = self.number(point)
        if end != begin:
            self._edges.append(Edge(begin, end, steps, adds_toll, less_toll))
