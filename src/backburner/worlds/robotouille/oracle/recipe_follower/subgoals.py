"""What can be brought about next: work to be begun, ties to be made, places to be cleared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from backburner.worlds.robotouille.game.actions import GroundAction
from backburner.worlds.robotouille.game.layout import Atom
from backburner.worlds.robotouille.game.schema import PLAYER
from backburner.worlds.robotouille.oracle.recipe_follower.means import DEEPEST, Fixed, Way
from backburner.worlds.robotouille.oracle.recipe_follower.situation import Situation

Kind = Literal["timed", "worked", "tied"]

CANDIDATES = 4
"""Deeds kept of those that bring the same about."""


class Subgoal(NamedTuple):
    """One of these deeds is to be done, so that something comes to hold of certain things.

    ``timed``: it starts what goes on by itself, or is needed for that. ``worked``: other work.
    """

    kind: Kind
    about: frozenset[int]
    deeds: tuple[GroundAction, ...]


class Subgoals:
    """The subgoals that are open in a situation, for a robot that leaves to others what they have
    ``claimed``, and undoes nothing of what is ``kept``."""

    def __init__(self, situation: Situation, robot: int, kept: int, claimed: frozenset[int]) -> None:
        self._situation = situation
        self._means = situation.means
        self._layout = situation.layout
        self._facts = situation.kitchen.facts
        self._kept = kept
        self._claimed = claimed
        self._things: dict[str, list[int]] = {}
        for index, thing in enumerate(self._layout.objects):
            free = index not in claimed and not situation.kitchen.gone >> index & 1
            if index == robot if thing.type == PLAYER else free:
                self._things.setdefault(thing.type, []).append(index)

    def all(self) -> list[Subgoal]:
        """What is open, each once; for every one of them the deeds that lack the least come first."""
        found = [*self._makings(), *self._works(), *self._ties()]
        found = [subgoal for subgoal in found if subgoal.deeds and not self._claimed & subgoal.about]
        found.sort(key=lambda subgoal: subgoal.kind != "timed")
        return list({subgoal.deeds: subgoal for subgoal in reversed(found)}.values())

    def _makings(self) -> Iterator[Subgoal]:
        """Things that the goal speaks of, and that have yet to be made."""
        for kind, missing in self._situation.missing().items():
            if missing > self._situation.being_made(kind):
                for way in self._means.making.get(kind, ()):
                    yield self._subgoal("timed" if self._takes_time(way) else "worked", (), way, {})

    def _works(self) -> Iterator[Subgoal]:
        """Work that is not done and does not go on by itself."""
        for term in sorted(self._situation.assembly.work - self._situation.held):
            atom = self._situation.atom(term)
            if atom is not None:
                yield from self._work(atom, "worked", DEEPEST)

    def _work(self, atom: Atom, kind: Kind, depth: int) -> Iterator[Subgoal]:
        """Work for a fact, or for what must come before it."""
        if self._situation.goes_on(atom):
            return
        for way, fixed in self._means.by_work(self._layout, self._facts, atom):
            now: Kind = "timed" if self._takes_time(way) else kind
            before = self._means.before(self._layout, self._facts, way, fixed)
            if not before:
                yield self._subgoal(now, atom[1], way, fixed)
            for one in before if depth else ():
                yield from self._work(one, now, depth - 1)

    def _takes_time(self, way: Way) -> bool:
        effects = self._means.engine.domain.special_effects
        return any(effects[use.effect].takes_time for use in way.action.starts)

    def _ties(self) -> Iterator[Subgoal]:
        """Ties that may be made next, and looks where all ties are made."""
        situation, assembly = self._situation, self._situation.assembly
        terms = assembly.following(situation.held, situation.unready)
        if not assembly.ties - situation.sound:
            terms = assembly.looks - situation.held
        for term in sorted(terms):
            atom = situation.atom(term)
            if atom is not None:
                ways = self._means.by_hand(self._layout, self._facts, atom)
                misplaced = situation.misplaced() - set(atom[1])
                deeds = [
                    deed
                    for way, fixed in ways
                    for deed in self._deeds(way, fixed)
                    if not misplaced.intersection(deed.args)
                ]
                yield Subgoal("tied", frozenset(atom[1]), self._best(deeds))

    def _subgoal(self, kind: Kind, about: Iterable[int], way: Way, fixed: Fixed) -> Subgoal:
        return Subgoal(kind, frozenset(about), self._best(self._deeds(way, fixed)))

    def _deeds(self, way: Way, fixed: Fixed) -> list[GroundAction]:
        """A way's deeds that undo nothing that is kept, and start nothing that goes on already."""
        engine, kitchen = self._means.engine, self._situation.kitchen
        deeds = self._means.deeds(self._layout, self._facts, way.action, fixed, self._things)
        return [
            deed
            for deed in deeds
            if not deed.deletes & self._kept and not engine.runs_already(self._layout, kitchen, deed)
        ]

    def _best(self, deeds: list[GroundAction]) -> tuple[GroundAction, ...]:
        """Those for which the least is lacking."""

        def lacking(deed: GroundAction) -> int:
            return (deed.needs & ~self._facts | deed.forbids & self._facts).bit_count()

        return tuple(sorted(deeds, key=lacking)[:CANDIDATES])
