"""The facts that a projection keeps, by its own bits.

Of its things it keeps what is about them and anchors. Other movers are not told apart: of facts that
differ by them only it keeps that one of them holds. Of things that are made in play it follows the one
that the goal will name, whichever that is; where a goal names several, they are not told apart either.
"""

from __future__ import annotations

from collections.abc import Iterable

from backburner.planning.mutexes import Mutexes
from backburner.planning.overview import Overview, bits
from backburner.planning.work import Work
from backburner.worlds.robotouille.game.layout import Atom, Layout

SOME_MOVER = -1
SOME_MADE = -2


class Scope:
    """The facts kept of some things.

    ``exact`` are own bits that stand for one fact each; ``vague`` those of several that may hold
    together, so that ending one of them may leave another. ``made`` are those about the thing made in
    play that is followed; ``anchored`` has, by the fact that a player is at an anchor, those that relate
    one of ``ours`` to it. Of these things only what is useful is kept, of others only what is telling
    (``work``).
    """

    def __init__(
        self, overview: Overview, mutexes: Mutexes, work: Work, things: frozenset[int], ours: set[int]
    ) -> None:
        self.overview = overview
        self._work = work
        self.things = things
        self._made_types = {overview.layout.objects[thing].type for thing in things} & overview.made_types
        members = self._members(overview, ours)
        self._bits = {key: 1 << place for place, key in enumerate(members)}
        self._own: dict[int, int] = {bit: self._bits[key] for key, own in members.items() for bit in own}
        self._kept = sum(self._own)
        self._exactly: dict[int, int] = {}
        self.vague = self.made = 0
        for key, own in members.items():
            if all(arg >= 0 for arg in key[1]):
                self._exactly[own[0]] = self._bits[key]
            elif SOME_MADE in key[1] and overview.names_one_made:
                self.made |= self._bits[key]
                self.vague |= self._bits[key] if SOME_MOVER in key[1] else 0
            elif SOME_MADE in key[1] or not mutexes.exclude_each_other(own):
                self.vague |= self._bits[key]
        self.exact = sum(self._exactly.values())
        at: dict[int, int] = {}
        for (_, args), bit in self._bits.items():
            for anchor in overview.anchors.intersection(args) if args[0] in ours else ():
                at[anchor] = at.get(anchor, 0) | bit
        places = (place for player in overview.players for place in bits(overview.places[player]))
        self.anchored = {place: at.get(overview.anchor_of(place), 0) for place in places}

    def _members(self, overview: Overview, ours: set[int]) -> dict[Atom, list[int]]:
        """The facts behind each fact that is kept."""
        members: dict[Atom, list[int]] = {}
        for place, atom in enumerate(overview.layout.atoms):
            key = self._key(overview.layout, atom)
            theirs = key is not None and key[1][0] in self.things - ours
            if key is not None and (self._work.telling if theirs else self._work.useful) >> place & 1:
                members.setdefault(key, []).append(1 << place)
        if len(self.things) > 1:
            return members
        # What others change at will says nothing of a thing alone.
        others = 0
        for deed in overview.deeds:
            if overview.payers[deed] not in ours:
                others |= deed.adds | deed.deletes
        return {key: own for key, own in members.items() if not sum(own) & others}

    def _key(self, layout: Layout, atom: Atom) -> Atom | None:
        predicate, args = atom
        overview = self.overview
        if predicate not in overview.changing or not args or any(arg in overview.players for arg in args):
            return None
        types = [layout.objects[arg].type for arg in args]
        if args[0] not in self.things and types[0] not in self._made_types:
            return None
        return predicate, tuple(self._name(arg, type) for arg, type in zip(args, types, strict=True))

    def _name(self, arg: int, type: str) -> int:
        if type in self.overview.made_types:
            return SOME_MADE
        return arg if arg in self.things or arg in self.overview.anchors else SOME_MOVER

    def read(self, layout: Layout, facts: int) -> int:
        """The own bits of facts of any layout."""
        own = 0
        for bit in bits(facts):
            key = self._key(layout, layout.atoms[bit.bit_length() - 1])
            if key is not None:
                own |= self._bits.get(key, 0)
        return own

    def own(self, facts: int) -> int:
        """The own bits of facts of the overview's layout."""
        own = 0
        for bit in bits(facts & self._kept):
            own |= self._own[bit]
        return own

    def exactly(self, facts: int) -> int:
        """The own bits of those of these facts that are kept exactly."""
        return self.own(sum(bit for bit in bits(facts & self._kept) if bit in self._exactly))

    def keeps_exactly(self, facts: int) -> bool:
        """Whether all these facts are kept exactly."""
        return all(bit in self._exactly for bit in bits(facts))

    def all_of(self, facts: Iterable[int]) -> set[int]:
        """The own bits of each of these facts; 0 where one is left out."""
        return {self._own.get(fact, 0) for fact in facts}
