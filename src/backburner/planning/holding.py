"""Which robots a projection keeps, and what becomes of them: those that hold something, or stand by it.

Where all robots can do the same, it does not matter which of them it is: one stands for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from backburner.planning.moves import Move, Moves
from backburner.planning.overview import bits
from backburner.planning.scope import Scope


class Hold(NamedTuple):
    """A robot with a payer: the fact that it holds it, 0 if it stands by with free hands;
    the fact of where it is; by their bits the moves that it cannot do before it has gone elsewhere."""

    robot: int
    fact: int
    place: int
    barred: int = 0


Holds = tuple[Hold, ...]


class Holding:
    """What robots may hold after a move; ``held``: for each actor the facts that it holds a payer.

    If they may be ``anywhere``, it is not kept where they are.
    """

    def __init__(self, scope: Scope, moves: Moves, held: Mapping[int, int], anywhere: bool) -> None:
        self._scope = scope
        self._anywhere = anywhere
        self._overview = scope.overview
        self._moves = moves
        self._held = held
        self._lets_attend = {move: moves.lets_attend(move) for move in moves.all}
        self._barred: dict[Move, int] = {}
        self._after: dict[Holds, list[tuple[Move, Holds, int]]] = {}

    def of(self, robot: int, facts: int) -> Holds:
        """Which payer a robot with these facts holds, or where it is with free hands."""
        overview = self._overview
        in_hand = overview.as_actor(robot, facts & overview.held[robot])
        actor = robot if robot in self._held else overview.actors[0]
        held = in_hand & self._held[actor]
        if in_hand & ~held:
            return ()
        place = 0 if self._anywhere else overview.as_actor(robot, facts & overview.places[robot])
        return (Hold(actor, held, place),)

    def kept(self, facts: int, holds: Iterable[Hold]) -> Holds:
        """These robots but for those with free hands where no payer is."""
        anchored = self._scope.anchored
        return tuple(hold for hold in holds if hold.fact or facts & anchored.get(hold.place, 0))

    def possible(self, holds: Holds) -> list[tuple[Move, Holds, int]]:
        """Moves that what the robots hold allows, what they hold then, and what it costs."""
        known = self._after.get(holds)
        if known is None:
            known = self._after[holds] = []
            for place, move in enumerate(self._moves.all):
                for hold in self._who_may(move, holds):
                    others = tuple(other for other in holds if other is not hold)
                    if not ((hold and hold.barred >> place & 1) or self._is_excluded(move, hold, others)):
                        known += self._after_move(move, hold, others)
        return known

    def _after_move(self, move: Move, hold: Hold | None, others: Holds) -> Iterator[tuple[Move, Holds, int]]:
        for after, steps in self._alone_after(move) if hold is None else self._held_after(move, hold):
            if hold or after or move.adds or move.clears or move.starts:
                yield move, tuple(sorted({*others, *after})), steps

    @staticmethod
    def _is_excluded(move: Move, hold: Hold | None, others: Holds) -> bool:
        """Whether a move never happens where its robot and the others hold what they do, and are."""
        own = hold.fact if hold else 0
        beside = any(move.never_beside & (other.fact | other.place) for other in others)
        return beside or bool(move.never_held & own & ~move.needs_held)

    def _who_may(self, move: Move, holds: Holds) -> Sequence[Hold | None]:
        """The robots that may do a move; ``None``: one that is with nothing of the scope."""
        if len(self._overview.actors) == len(self._overview.players):
            return [next((hold for hold in holds if hold.robot == move.robot), None)]
        busy = sum(bool(hold.fact) for hold in holds)
        return [*holds, None] if busy < len(self._overview.players) else holds

    def _held_after(self, move: Move, hold: Hold) -> Iterator[tuple[Holds, int]]:
        """What a robot that holds or attends to something has after a move, if it can do it."""
        misses = move.needs_held & ~hold.fact or move.needs_other
        misses = misses or (not self._anywhere and move.place_before & ~hold.place)
        if misses or (move.needs_free if hold.fact else not move.pays):
            return
        fact = hold.fact & ~move.drops | move.takes
        place = hold.place & ~move.place_ends | move.place_begins
        yield self._with(move, fact, place), int(move.pays or move.goes)

    def _alone_after(self, move: Move) -> Iterator[tuple[Holds, int]]:
        """What a robot that is with nothing of the scope may be with after a move."""
        if move.goes:
            if not self._anywhere:
                yield (Hold(move.robot, 0, move.place_begins),), 1
        elif not (move.needs_held or move.attended):
            told = move.place_before & ~move.place_ends | move.place_begins
            anywhere = self._overview.places.get(move.robot, 0)
            unknown = move.takes and told.bit_count() != 1 and not self._anywhere
            for place in bits(anywhere) if unknown else [told]:
                yield self._with(move, move.takes, place), int(move.pays)

    def _with(self, move: Move, fact: int, place: int) -> Holds:
        """The robot after a move if it holds something then or goes on attending."""
        if self._anywhere:
            return (Hold(move.robot, fact, 0),) if fact else ()
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
