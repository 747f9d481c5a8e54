"""Deeds as a projection sees them, and what they are charged with.

Each deed is charged in one projection at most: in that of its payer, or, if no mover takes part in it, in
that of what the robot holds. The charge is 1, plus the toll of the place where a free hand is given up,
less the toll of the place where a hand becomes free. With the toll of each free robot's place taken off
the sum, no deed changes the sum by more than 1, whatever the tolls between 0 and 1: they only
say where a way to fetch things is paid for.
"""

from __future__ import annotations

from typing import NamedTuple

from backburner.oracles.search.mutexes import Mutexes
from backburner.oracles.search.overview import Overview
from backburner.oracles.search.pending import Pending, PendingOf
from backburner.oracles.search.scope import Scope
from backburner.worlds.robotouille.ground import Deed

NO_PLACE = -1


class Charge(NamedTuple):
    """Steps, and the anchors whose tolls are added and taken off. ``if_held``: only while a payer is."""

    steps: int
    adds_toll: int = NO_PLACE
    less_toll: int = NO_PLACE
    if_held: bool = False


class Move(NamedTuple):
    """A deed: what it needs of its robot's hand and place, what becomes of them, then the scope's facts."""

    robot: int
    needs_held: int
    needs_other_hand: bool
    takes: int
    drops: int
    place_before: int
    place_begins: int
    place_ends: int
    never_held: int
    needs: int
    forbids: int
    forbids_pairs: tuple[int, ...]
    adds: int
    clears: int
    starts: tuple[Pending, ...]
    charge: Charge


class Moves:
    """The deeds that matter in a scope, those that look alike taken together."""

    def __init__(
        self,
        scope: Scope,
        mutexes: Mutexes,
        pending: PendingOf,
        payers: tuple[int, ...],
        held: dict[int, int],
    ) -> None:
        self._scope = scope
        self._overview = scope.overview
        self._mutexes = mutexes
        self._pending = pending
        self._payers = payers
        self._held = held
        found = (self._move(deed) for deed in self._overview.deeds)
        self.all = list(dict.fromkeys(move for move in found if move is not None))

    def _move(self, deed: Deed) -> Move | None:
        overview, scope = self._overview, self._scope
        robot = deed.robots[0] if deed.robots else -1
        hands, places = overview.hands.get(robot, 0), overview.places.get(robot, 0)
        held = self._held.get(robot, 0)
        adds, clears = scope.own(deed.adds), scope.own(deed.clears)
        pushed = (self._pending.started(effect, args) for effect, args in deed.effects)
        starts = tuple(one for one in pushed if one is not None)
        touches_robot = (deed.adds | deed.clears) & (held | places)
        if not (adds or clears or starts or touches_robot):
            return None
        excluded = self._mutexes.excluded_by(deed.needs)
        return Move(
            robot,
            deed.needs & held,
            bool(deed.needs & hands & ~held),
            deed.adds & held,
            deed.clears & held,
            deed.needs & places,
            deed.adds & places,
            deed.clears & places,
            excluded & sum(self._held.values()),
            scope.own(deed.needs),
            scope.own(deed.forbids) & scope.exact | scope.exactly(excluded),
            self._forbidden_pairs(excluded),
            adds,
            clears,
            starts,
            self._charge(overview, deed, robot),
        )

    def _forbidden_pairs(self, excluded: int) -> tuple[int, ...]:
        alone = self._scope.exactly(excluded)
        pairs = (
            self._scope.own(parts)
            for joint, parts in self._mutexes.joints.items()
            if excluded & joint and self._scope.keeps_exactly(parts)
        )
        return tuple(pair for pair in pairs if not pair & alone)

    def _charge(self, overview: Overview, deed: Deed, robot: int) -> Charge:
        payer = overview.payers[deed]
        if payer is None:
            return Charge(1, if_held=True)
        if payer not in self._payers:
            return Charge(0)
        hands, places = overview.hands.get(robot, 0), overview.places.get(robot, 0)
        if not (deed.adds | deed.clears) & (hands | places):
            return Charge(1)
        in_hand = overview.held.get(robot, 0)
        told = deed.needs & places
        after = told & ~deed.clears | deed.adds & places
        adds_toll = overview.anchor_of(told) if deed.needs & hands & ~in_hand else NO_PLACE
        if (deed.needs & ~deed.clears | deed.adds) & in_hand:
            return Charge(1, adds_toll)
        if after.bit_count() != 1:
            return Charge(0)
        return Charge(1, adds_toll, overview.anchor_of(after))
