"""Which projections a kitchen's bound is made of: who pays together, and who looks on.

Any choice gives a true bound; this one looks for a high one. Each mover pays for itself; what is made in
play pays together with the things it is made in. What a wish wants a thing to be related to looks on, as
long as that keeps the projection small: larger ones cost more time than the states that they save.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.oracles.search.mutexes import Mutexes
from backburner.oracles.search.overview import Overview, bits
from backburner.oracles.search.projection import Projection, TooLarge
from backburner.oracles.search.wants import Wants
from backburner.worlds.robotouille.state import Kitchen

MOST_TOGETHER = 4_000
"""The most points of a projection with spectators, reckoned as the product of those of its things alone."""

MOST_BESIDE = 4_000
"""The same of a projection that stands beside another one."""


class Chosen:
    """``projections``, each mover paying in one of them at most; by their places those ``beside`` them."""

    def __init__(self, overview: Overview, mutexes: Mutexes, wants: Wants, start: Kitchen) -> None:
        joint = _made_together(overview)
        alone: dict[int, Projection] = {}
        for mover in overview.movers:
            if mover not in joint and not overview.is_foreseen(mover):
                projection = _small_enough(overview, mutexes, (mover,), start)
                if projection is not None:
                    alone[mover] = projection
        together = _small_enough(overview, mutexes, joint, start) if joint else None
        self.projections = [together] if together else []
        self.beside: dict[int, list[Projection]] = {}
        sizes = {mover: len(projection.points) for mover, projection in alone.items()}
        for mover, projection in alone.items():
            spectators: list[int] = []
            size = sizes[mover]
            for other in _behind(wants, mover):
                if size * sizes.get(other, MOST_TOGETHER) <= MOST_TOGETHER:
                    size *= sizes[other]
                    spectators.append(other)
            place = len(self.projections)
            self.projections.append(
                Projection(overview, mutexes, (mover,), spectators) if spectators else projection
            )
            if not spectators:
                self.beside[place] = [
                    Projection(overview, mutexes, (mover,), (other,))
                    for other in _under(overview, mutexes, wants, mover)
                    if sizes[mover] * sizes.get(other, MOST_BESIDE) <= MOST_BESIDE
                ]


def _small_enough(
    overview: Overview, mutexes: Mutexes, payers: Sequence[int], start: Kitchen
) -> Projection | None:
    """The projection with all its points, a looser one if it has too many; ``None`` if that has, too."""
    for loose in (False, True):
        projection = Projection(overview, mutexes, payers, loose=loose)
        projection.number(projection.point_of(start))
        try:
            projection.complete()
        except TooLarge:
            continue
        return projection
    return None


def _made_together(overview: Overview) -> Sequence[int]:
    """Things that are made in play, and those of the types that they are made in."""
    engine, objects = overview.engine, overview.layout.objects
    makers = set()
    for deed in overview.deeds:
        for effect, args in deed.effects:
            whole = engine.domain.effects[effect]
            for node in whole.root.walk():
                if node.type == "creation" and node.owner < whole.n_given:
                    makers.add(objects[args[node.owner]].type)
    if not makers:
        return ()
    return [
        mover for mover in overview.movers if objects[mover].type in makers or overview.is_foreseen(mover)
    ]


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
