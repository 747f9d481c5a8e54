"""Deeds as a projection sees them, and what they cost there.

Each deed is charged 1 in one projection at most: in that of its payer. A deed in which no mover takes
part, such as going somewhere, is charged where the mover is that the robot holds, or, if it holds none,
where the one is that it does something to next.
"""

from __future__ import annotations

from typing import NamedTuple

from backburner.planning.following import Following
from backburner.planning.mutexes import Mutexes
from backburner.planning.pending import Pending, PendingOf
from backburner.planning.scope import Scope
from backburner.worlds.robotouille.game.actions import GroundAction


class Move(NamedTuple):
    """A deed: what it needs of its robot's hand and place, what becomes of them, what its robot and what
    others do not hold then; then the scope's facts.

    ``pays``: its payer is in the scope; ``goes``: nobody pays for it. ``attended``: it is done with free
    hands to what is where the robot stands. ``frees``: the robot's hands may be free after it.
    """

    robot: int
    needs_held: int
    needs_other: bool
    needs_free: bool
    takes: int
    drops: int
    place_before: int
    place_begins: int
    place_ends: int
    never_held: int
    never_beside: int
    needs: int
    forbids: int
    forbids_pairs: tuple[int, ...]
    adds: int
    clears: int
    starts: tuple[Pending, ...]
    pays: bool
    goes: bool
    attended: bool
    frees: bool


class Moves:
    """The deeds that matter in a scope, those that look alike taken together."""

    def __init__(
        self,
        scope: Scope,
        following: Following,
        mutexes: Mutexes,
        pending: PendingOf,
        payers: tuple[int, ...],
        held: dict[int, int],
        anywhere: bool,
    ) -> None:
        self._scope = scope
        self._overview = scope.overview
        self._following = following
        self._mutexes = mutexes
        self._pending = pending
        self._payers = payers
        self._held = held
        self._joints = {
            joint: scope.own(parts) for joint, parts in mutexes.joints.items() if scope.keeps_exactly(parts)
        }
        self._told_of = {
            player: self._overview.held_of(player, payers) | self._overview.places[player]
            for player in self._overview.players
        }
        self._pairs: dict[int, tuple[int, ...]] = {}
        self._attends = not anywhere and self._attention_is_told()
        self._deeds: dict[Move, list[GroundAction]] = {}
        others: list[GroundAction] = []
        for deed in self._overview.deeds:
            if not self._overview.actors_only(deed):
                continue
            moves = self._moves(deed)
            for move in moves:
                if self._matters(move):
                    self._deeds.setdefault(move, []).append(deed)
            if moves[0].frees and not (moves[0].pays or moves[0].goes or self._matters(moves[0])):
                others.append(deed)
        self.attended: dict[tuple[int, int], list[GroundAction]] = {}
        """The deeds of attended moves, by robot and place."""
        for move, deeds in self._deeds.items():
            if move.attended:
                self.attended.setdefault((move.robot, move.place_before), []).extend(deeds)
        for deed in others:
            if self._lets_attend(deed):
                self._deeds.setdefault(self._moves(deed)[0], []).append(deed)
        self.all = list(self._deeds)

    def _attention_is_told(self) -> bool:
        """Whether hands become free in known places only, no two robots are in one, and no deed that does
        not pay here, nor an effect, brings a payer to an anchor."""
        scope, overview = self._scope, self._overview
        if not self._following.places_are_exclusive:
            return False
        brought = 0
        for deed in overview.deeds:
            payer = overview.payers[deed]
            if payer is not None and deed.robots and not self._following.place_after(deed):
                return False
            if payer not in self._payers:
                brought |= scope.own(deed.adds)
            for effect, args in deed.starts:
                started = self._pending.started(effect, args)
                for outcome in started.outcomes if started else ():
                    brought |= outcome.adds
        return not any(brought & anchored for anchored in scope.anchored.values())

    def lets_attend(self, move: Move) -> bool:
        """Whether a robot may go on with an attended move right after this one."""
        return any(map(self._lets_attend, self._deeds[move]))

    def _lets_attend(self, deed: GroundAction) -> bool:
        place = self._following.place_after(deed)
        nexts = self.attended.get((deed.robots[0], place), ()) if deed.robots else ()
        return any(not self._following.barred(deed, one) for one in nexts)

    def barred(self, first: Move, second: Move) -> bool:
        """Whether a robot certainly cannot do the second move right after the first."""
        return all(
            self._following.barred(one, two) for one in self._deeds[first] for two in self._deeds[second]
        )

    def where_attended(self) -> tuple[dict[int, set[tuple[int, int]]], int]:
        """For each payer places of deeds with free hands, and what certainly has to hold of it for them;
        then the places of those where the payer is made in play."""
        overview = self._overview
        found: dict[int, set[tuple[int, int]]] = {}
        made = 0
        for (robot, place), deeds in self.attended.items():
            certain = ~self._following.loose(robot, place)
            for deed in deeds:
                payer = overview.payers[deed]
                if payer is None or overview.is_foreseen(payer):
                    made |= place
                else:
                    needs = deed.needs & overview.own_facts[payer] & certain
                    found.setdefault(payer, set()).add((place, needs))
        return found, made

    @staticmethod
    def _matters(move: Move) -> bool:
        return bool(
            move.adds
            or move.clears
            or move.starts
            or move.takes
            or move.drops
            or move.place_begins
            or move.place_ends
        )

    def _moves(self, deed: GroundAction) -> list[Move]:
        """The deed, and if something made takes part in it, the deed with another one than is looked at."""
        move = self._move(deed)
        made = self._scope.made
        if not made or not any(self._overview.is_foreseen(arg) for arg in deed.args):
            return [move]
        other = move._replace(
            needs=move.needs & ~made,
            forbids=move.forbids & ~made,
            forbids_pairs=tuple(pair for pair in move.forbids_pairs if not pair & made),
            adds=move.adds & ~made,
            clears=move.clears & ~made,
            starts=tuple(rest for one in move.starts if (rest := one.without(made)) is not None),
        )
        return [move, other]

    def _move(self, deed: GroundAction) -> Move:
        overview, scope = self._overview, self._scope
        robot = deed.robots[0] if deed.robots else -1
        hands, places = overview.hands.get(robot, 0), overview.places.get(robot, 0)
        held, in_hand = self._held.get(robot, 0), overview.held.get(robot, 0)
        pushed = (self._pending.started(effect, args) for effect, args in deed.starts)
        excluded = self._mutexes.excluded_by(deed.needs)
        payer = overview.payers[deed]
        hand_after = deed.needs & hands & ~deed.deletes | deed.adds & hands
        needs, place = scope.own(deed.needs), deed.needs & places
        pays, needs_free = payer in self._payers, bool(deed.needs & hands & ~in_hand)
        here = scope.anchored.get(place, 0)
        return Move(
            robot,
            deed.needs & held,
            bool(deed.needs & in_hand & ~held),
            needs_free,
            deed.adds & held,
            deed.deletes & held,
            place,
            deed.adds & places,
            deed.deletes & places,
            excluded & held,
            self._beside(excluded, robot),
            needs,
            scope.own(deed.forbids) & scope.exact | scope.exactly(excluded),
            self._forbidden_pairs(excluded),
            scope.own(deed.adds),
            scope.own(deed.deletes),
            tuple(one for one in pushed if one is not None),
            pays,
            payer is None,
            self._attends and pays and needs_free and bool(needs & here & ~scope.made),
            robot >= 0 and (not hand_after or bool(hand_after & ~in_hand)),
        )

    def _beside(self, excluded: int, robot: int) -> int:
        """Of excluded facts those that tell of another robot which payer it holds, and where it is."""
        overview, found = self._overview, 0
        others = [other for other in overview.players if other != robot]
        if len(overview.actors) < len(overview.players):
            others = others[:1]
        for other in others:
            found |= overview.as_actor(other, excluded & self._told_of[other])
        return found

    def _forbidden_pairs(self, excluded: int) -> tuple[int, ...]:
        known = self._pairs.get(excluded)
        if known is None:
            alone = self._scope.exactly(excluded)
            pairs = (pair for joint, pair in self._joints.items() if excluded & joint)
            known = self._pairs[excluded] = tuple(pair for pair in pairs if not pair & alone)
        return known
