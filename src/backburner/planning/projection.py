"""A kitchen seen through a few of its things: a small graph whose distances are lower bounds.

Of the *payers* and the *spectators* the scope's facts are kept; effects that wait may happen at any time,
but not while the robot that started them stands by and does nothing. A robot is kept only while it holds
a payer, or stands by one with free hands, to do something to it next: then what it holds and where it is.
Spectators are seen more roughly (``work``): not who holds them, nor how often something has been done
to them. Every step of the kitchen is an edge here, or changes nothing here. Only steps of payers
are charged, so projections with different payers add up. If robots may be ``anywhere``, it is not kept
where they are, and going somewhere is free.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.planning.following import Following
from backburner.planning.holding import Holding, Holds
from backburner.planning.moves import Move, Moves
from backburner.planning.overview import bits
from backburner.planning.pending import Pending, PendingOf, push, with_freshness
from backburner.planning.scope import Scope
from backburner.planning.ways import Distances, Edge, Ways
from backburner.planning.work import Work
from backburner.worlds.robotouille.game.state import Kitchen

MOST_POINTS = 60_000


class TooLarge(Exception):
    """A projection has more points than are worth looking at."""


class Point(NamedTuple):
    """Facts by the scope's own bits, robots with something of the scope, effects at work."""

    facts: int
    holds: Holds
    pending: frozenset[Pending]


ANYTHING = Point(-1, (), frozenset())
"""Where it is not known what holds: every goal may be reached."""


class Done(NamedTuple):
    """A move, done: the facts and holds after it, the effects that it starts then, what it costs, and
    whether its robot is still with something of the scope."""

    facts: int
    holds: Holds
    starts: tuple[Pending, ...]
    steps: int
    stays: bool


class Projection:
    """The graph of one projection; see the module."""

    def __init__(
        self,
        following: Following,
        work: Work,
        payers: Sequence[int],
        spectators: Sequence[int] = (),
        loose: bool = False,
        anywhere: bool = False,
    ) -> None:
        self.overview = overview = following.overview
        mutexes = following.mutexes
        self.payers = tuple(payers)
        self.spectators = tuple(spectators)
        self.things = frozenset((*payers, *spectators))
        self.scope = Scope(overview, mutexes, work, self.things, set(payers))
        self.pending = PendingOf(self.scope, self.payers, loose)
        held = {robot: overview.held_of(robot, payers) for robot in overview.actors}
        moves = Moves(self.scope, following, mutexes, self.pending, self.payers, held, anywhere)
        self.robots = Holding(self.scope, moves, held, anywhere)
        self._attended, self._attended_made = moves.where_attended()
        self._done_of: dict[tuple[int, Holds], list[Done]] = {}
        self.points: list[Point] = []
        self._numbers: dict[Point, int] = {}
        self._edges: list[Edge] = []
        self._done = 0
        self._ways: Ways | None = None
        self.number(ANYTHING)

    # Where a kitchen is

    def attended(self, thing: int, facts: int) -> int:
        """The places where a robot with free hands may do something to a thing of which these facts hold."""
        return sum({place for place, needs in self._attended.get(thing, ()) if not needs & ~facts})

    def seen(self, facts: int, holds: Holds, attended: int, pending: frozenset[Pending]) -> int:
        """The number of the point with these facts, robots and effects; ``attended``: where robots may do
        something. Effects are fresh there if any known point has them so."""
        attended |= self._attended_made
        here = sorted({hold for hold in holds if hold.fact or hold.place & attended})
        holds = self.robots.kept(facts, here)
        known = self._numbers.get(Point(facts, holds, with_freshness(pending, bool(holds))))
        return self.number(Point(facts, holds, pending)) if known is None else known

    def number_of(self, kitchen: Kitchen) -> int:
        """The number of the point where a kitchen is."""
        layout = self.overview.engine.layout_of(kitchen.made)
        if self.scope.made and sum(one.type in self.overview.made_types for one in layout.objects) > 1:
            return self.number(ANYTHING)
        holds = tuple(
            hold for robot in self.overview.players for hold in self.robots.of(robot, kitchen.facts)
        )
        attended = 0
        for thing in self.payers:
            attended |= self.attended(thing, kitchen.facts)
        pending = self.pending.running(kitchen.effects)
        return self.seen(self.scope.read(layout, kitchen.facts), holds, attended, pending)

    # The graph

    def number(self, point: Point) -> int:
        """The number of a point."""
        known = self._numbers.get(point)
        if known is None:
            known = self._numbers[point] = len(self.points)
            self.points.append(point)
            self._ways = None
        return known

    def complete(self, most: int = MOST_POINTS) -> None:
        """All points that can be reached from those that are known, and the ways between them.

        Raises ``TooLarge``.
        """
        while self._done < len(self.points):
            if len(self.points) > most:
                raise TooLarge
            begin, point = self._done, self.points[self._done]
            if point is not ANYTHING:
                self._go_on(begin, point)
            self._done += 1

    def _go_on(self, begin: int, point: Point) -> None:
        later = with_freshness(point.pending, False)
        for done in self._all_done(point.facts, point.holds):
            facts, pending = push(done.facts, later, done.starts, done.stays)
            self._edge(begin, Point(facts, done.holds, pending), done.steps)
        for hold in point.holds:
            if not hold.fact:
                others = tuple(other for other in point.holds if other is not hold)
                self._edge(begin, Point(point.facts, others, later))
        self._edge(begin, point._replace(pending=later), 1)
        for one in point.pending:
            if not one.full:
                self._happen(begin, point, one)

    def distances(self, goals: NDArray[np.bool_]) -> Distances:
        """The least charge from each point to one of the goals."""
        if self._ways is None:
            self.complete()
            self._ways = Ways(self._edges, len(self.points))
        return self._ways.distances(goals)

    def holding(self, wanted: int, unwanted: int) -> NDArray[np.bool_]:
        """The points at which all these facts hold, and none of those, by the scope's own bits."""
        both = wanted | unwanted
        return np.array(
            [one is ANYTHING or one.facts & both == wanted for one in self.points], dtype=np.bool_
        )

    def _all_done(self, facts: int, holds: Holds) -> list[Done]:
        """What all moves come to, whatever effects are at work; kept, as many points differ by those."""
        known = self._done_of.get((facts, holds))
        if known is None:
            possible = self.robots.possible(holds)
            known = [done for one in possible for done in self._do(facts, *one)]
            self._done_of[facts, holds] = known = list(dict.fromkeys(known))
        return known

    def _do(self, facts: int, move: Move, after: Holds, steps: int) -> Iterator[Done]:
        if move.needs & ~facts or move.forbids & facts:
            return
        for pair in move.forbids_pairs:
            if pair & facts == pair:
                return
        ends = [facts & ~move.clears | move.adds]
        for vague in bits(move.clears & self.scope.vague & facts):
            ends += [end | vague for end in ends]
        for end in ends:
            holds = self.robots.kept(end, after)
            stays = any(hold.robot == move.robot for hold in holds)
            yield Done(end, holds, move.starts, steps, stays)

    def _happen(self, begin: int, point: Point, pending: Pending) -> None:
        """An effect brings something about, and may be over then."""
        over = point.pending - {pending}
        if not pending.fresh:
            self._edge(begin, point._replace(pending=over))
        for outcome in pending.possible(point.facts, self.scope.made):
            after = point._replace(facts=point.facts & ~outcome.clears | outcome.adds)
            self._edge(begin, after)
            self._edge(begin, after._replace(pending=over))

    def _edge(self, begin: int, point: Point, steps: int = 0) -> None:
        end = self.number(point)
        if end != begin:
            self._edges.append(Edge(begin, end, steps))
