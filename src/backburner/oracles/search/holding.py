"""Which robots a projection keeps, and what becomes of them: those that hold something, or stand by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from backburner.oracles.search.moves import Move, Moves
from backburner.oracles.search.overview import bits
from backburner.oracles.search.scope import Scope


class Hold(NamedTuple):
    """A robot with a payer: the fact that it holds it, 0 if it stands by with free hands;
    the fact of where it is; by their bits the moves that it cannot do before it has gone elsewhere."""

    robot: int
    fact: int
    place: int
    barred: int = 0


Holds = tuple[Hold, ...]


class Holding:
    """What robots may hold after a move; ``held``: for each robot the facts that it holds a payer."""

    def __init__(self, scope: Scope, moves: Moves, held: Mapping[int, int]) -> None:
        self._scope = scope
        self._overview = scope.overview
        self._moves = moves
        self._held = held
        self._lets_attend = {move: moves.lets_attend(move) for move in moves.all}
        self._barred: dict[Move, int] = {}
        self._after: dict[Holds, list[tuple[Move, Holds, int]]] = {}

    def of(self, robot: int, facts: int) -> Holds:
        """Which payer a robot with these facts holds, or where it is with free hands."""
        held = facts & self._held[robot]
        if facts & self._overview.held[robot] & ~held:
            return ()
        return (Hold(robot, held, facts & self._overview.places[robot]),)

    def kept(self, facts: int, holds: Iterable[Hold]) -> Holds:
        """These robots but for those with free hands where no payer is."""
        anchored = self._scope.anchored
        return tuple(hold for hold in holds if hold.fact or facts & anchored.get(hold.place, 0))

    def possible(self, holds: Holds) -> list[tuple[Move, Holds, int]]:
        """Moves that what the robots hold allows, what they hold then, and what it costs."""
        known = self._after.get(holds)
        if known is None:
            known = self._after[holds] = []
            facts = sum(hold.fact for hold in holds)
            of_robot = {hold.robot: hold for hold in holds}
            for place, move in enumerate(self._moves.all):
                hold = of_robot.get(move.robot)
                if move.never_held & facts & ~move.needs_held or (hold and hold.barred >> place & 1):
                    continue
                others = [other for other in holds if other.robot != move.robot]
                after_all = self._alone_after(move) if hold is None else self._held_after(move, hold)
                for after, steps in after_all:
                    if hold or after or move.adds or move.clears or move.starts:
                        known.append((move, tuple(sorted((*others, *after))), steps))
        return known

    def _held_after(self, move: Move, hold: Hold) -> Iterator[tuple[Holds, int]]:
        """What a robot that holds or attends to something has after a move, if it can do it."""
        misses = move.needs_held & ~hold.fact or move.place_before & ~hold.place or move.needs_other
        if misses or (move.needs_free if hold.fact else not move.pays):
            return
        fact = hold.fact & ~move.drops | move.takes
        place = hold.place & ~move.place_ends | move.place_begins
        yield self._with(move, fact, place), int(move.pays or move.goes)

    def _alone_after(self, move: Move) -> Iterator[tuple[Holds, int]]:
        """What a robot that is with nothing of the scope may be with after a move."""
        if move.goes:
            yield (Hold(move.robot, 0, move.place_begins),), 1
        elif not (move.needs_held or move.attended):
            told = move.place_before & ~move.place_ends | move.place_begins
            anywhere = self._overview.places.get(move.robot, 0)
            unknown = move.takes and told.bit_count() != 1
            for place in bits(anywhere) if unknown else [told]:
                yield self._with(move, move.takes, place), int(move.pays)

    def _with(self, move: Move, fact: int, place: int) -> Holds:
        """The robot after a move if it holds something then or goes on attending."""
        if fact:
            return (Hold(move.robot, fact, place, self._barred_after(move)),)
        return (Hold(move.robot, 0, place),) if move.frees and self._lets_attend[move] else ()

    def _barred_after(self, move: Move) -> int:
        """The moves with what is held that cannot come next."""
        known = self._barred.get(move)
        if known is None:
            place = move.place_before & ~move.place_ends | move.place_begins
            known = self._barred[move] = sum(
                1 << number
                for number, other in enumerate(self._moves.all)
                if not move.goes
                and other.needs_held
                and other.robot == move.robot
                and other.place_before == place
                and self._moves.barred(move, other)
            )
        return known
