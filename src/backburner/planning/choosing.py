"""Which projections a kitchen's bound is made of: who pays together, and who looks on.

Any choice gives a true bound; this one looks for a high one. Each mover pays for itself; what is made in
play pays together with the things it is made in. What a wish wants a thing to be related to looks on, as
long as that keeps the projection small: larger ones cost more time than the states that they save.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.planning.following import Following
from backburner.planning.mutexes import Mutexes
from backburner.planning.overview import Overview, bits
from backburner.planning.projection import Projection, TooLarge
from backburner.planning.wants import Wants
from backburner.planning.work import Work
from backburner.worlds.robotouille.game.state import Kitchen

MOST_TOGETHER = 4_000
"""The most points of a projection with spectators, reckoned as the product of those of its things alone."""

MOST_BESIDE = 8_000
"""The most points of a projection that stands beside another one."""

MOST_BESIDE_RECKONED = 25_000
"""The same reckoned as a product, many points of which are never reached."""


class Chosen:
    """``projections``, each mover paying in one of them at most; by their places those ``beside`` them."""

    def __init__(self, overview: Overview, mutexes: Mutexes, wants: Wants, start: Kitchen) -> None:
        self._wants = wants
        self._start = start
        self._overview = overview
        self._mutexes = mutexes
        self.following = Following(overview, mutexes)
        self._work = Work(overview, mutexes, wants)
        joint = _made_together(overview)
        alone: dict[int, Projection] = {}
        for mover in overview.movers:
            if mover not in joint and not overview.is_foreseen(mover) and self._counts(mover):
                projection = self._small_enough((mover,))
                if projection is not None:
                    alone[mover] = projection
        together = self._small_enough(joint) if joint else None
        self.projections = [together] if together else []
        self.beside: dict[int, list[Projection]] = {}
        self._sizes = sizes = {mover: len(projection.points) for mover, projection in alone.items()}
        for mover, projection in alone.items():
            spectators: list[int] = []
            size = sizes[mover]
            for other in _behind(wants, mover):
                if size * sizes.get(other, MOST_TOGETHER) <= MOST_TOGETHER:
                    size *= sizes[other]
                    spectators.append(other)
            place = len(self.projections)
            self.projections.append(
                Projection(self.following, self._work, (mover,), spectators) if spectators else projection
            )
            if not spectators:
                self.beside[place] = list(self._beside(mover))

    def _counts(self, mover: int) -> bool:
        """Whether the goal may name the mover, or it lies where something is to be done to another one."""
        named = any(mover in things for _, things in self._wants.classes)
        return named or any(True for _ in self._looking_on(mover))

    def _small_enough(self, payers: Sequence[int]) -> Projection | None:
        """The projection with all its points, a looser one if it has too many; ``None`` if that has, too.

        Where several robots may be with several things, there are too many to keep where each of them is.
        """
        several = len(payers) > 2 and len(self._overview.players) > 1
        for loose, anywhere in ((True, True),) if several else ((False, False), (True, False)):
            projection = Projection(self.following, self._work, payers, loose=loose, anywhere=anywhere)
            projection.number_of(self._start)
            try:
                projection.complete()
            except TooLarge:
                continue
            return projection
        return None

    def _beside(self, mover: int) -> Iterator[Projection]:
        """Projections in which another mover looks on."""
        for other in self._looking_on(mover):
            if self._sizes[mover] * self._sizes.get(other, 1) > MOST_BESIDE_RECKONED:
                continue
            projection = Projection(self.following, self._work, (mover,), (other,))
            projection.number_of(self._start)
            try:
                projection.complete(MOST_BESIDE)
            except TooLarge:
                continue
            yield projection

    def _looking_on(self, mover: int) -> Iterator[int]:
        """Movers that may look on beside this one."""
        under = _under(self._overview, self._mutexes, self._wants, mover)
        return iter(dict.fromkeys((*under, *self._blocked(mover))))

    def _blocked(self, mover: int) -> Iterator[int]:
        """Movers to which certainly something is still to be done where this one is in the beginning."""
        overview = self._overview
        facts = overview.facts & overview.own_facts[mover]
        here = {arg for bit in bits(facts) for arg in overview.atom(bit)[1]} & overview.anchors
        for other, wanted in self._wants.certain.items():
            missing = wanted & self._work.telling & ~overview.facts
            if other != mover and missing and here & self._work.where.get(other, set()):
                yield other


def _made_together(overview: Overview) -> Sequence[int]:
    """Things that are made in play, and those that they are made in."""
    makers = set()
    for deed in overview.deeds:
        for effect, args in deed.starts:
            whole = overview.engine.domain.special_effects[effect]
            for node in whole.root.walk():
                if node.type == "creation" and node.owner < whole.n_given:
                    makers.add(args[node.owner])
    if not makers:
        return ()
    return [mover for mover in overview.movers if mover in makers or overview.is_foreseen(mover)]


def _behind(wants: Wants, mover: int) -> Iterator[int]:
    """Movers that come behind this one in a wish, such as what it is to lie on."""
    related: dict[int, None] = {}
    for wish in wants.wishes:
        for place, variable in enumerate(wish.variables):
            if mover in wants.things[variable]:
                for other in wish.variables[place + 1 :]:
                    related.update(dict.fromkeys(wants.things[other]))
    related.pop(mover, None)
    return iter(related)


def _under(overview: Overview, mutexes: Mutexes, wants: Wants, mover: int) -> Iterator[int]:
    """Movers that are certainly wanted where this one may be wanted last.

    Last is what a wish wants to have a property that joint facts are about, such as being clear: as long
    as others are still to come to its place, it has to be taken away again.
    """
    variables = {v for vs, things in wants.classes for v in vs if mover in things}
    parts = {overview.atom(bit)[0] for pair in mutexes.joints.values() for bit in bits(pair)}
    last = {
        wish.variables[0]
        for wish in wants.wishes
        if len(wish.variables) == 1 and wish.predicate in parts and wish.variables[0] in variables
    }
    anchors = {
        v
        for wish in wants.wishes
        if not last.isdisjoint(wish.variables)
        for v in wish.variables
        if v in wants.fixed
    }
    there = {v for wish in wants.wishes if not anchors.isdisjoint(wish.variables) for v in wish.variables}
    return (thing for thing, v in wants.forced.items() if v in there and thing != mover)
