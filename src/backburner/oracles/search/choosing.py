"""Which projections a kitchen's bound is made of: who pays together, and who looks on.

Any choice gives a true bound; this one looks for a high one. Each mover pays for itself; what is made in
play pays together with the things it is made in. Things that a goal or the beginning relates look on, as
long as that keeps the projection small.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.oracles.search.mutexes import Mutexes
from backburner.oracles.search.overview import Overview
from backburner.oracles.search.projection import Projection
from backburner.oracles.search.wants import Wants
from backburner.worlds.robotouille.state import Kitchen

MOST_TOGETHER = 4_000
"""The most points of a projection with spectators, reckoned as the product of those of its things alone."""


def choose_projections(
    overview: Overview, mutexes: Mutexes, wants: Wants, start: Kitchen
) -> list[Projection]:
    """The projections, each mover paying in one of them. Raises ``TooLarge``."""
    joint = _made_together(overview)
    alone = {
        mover: _completed(Projection(overview, mutexes, (mover,)), start)
        for mover in overview.movers
        if mover not in joint and not overview.is_foreseen(mover)
    }
    found = [_completed(Projection(overview, mutexes, joint), start)] if joint else []
    for mover, projection in alone.items():
        spectators: list[int] = []
        size = len(projection.points)
        for other in _related(overview, wants, mover, start):
            if other in alone and size * len(alone[other].points) <= MOST_TOGETHER:
                size *= len(alone[other].points)
                spectators.append(other)
        found.append(Projection(overview, mutexes, (mover,), spectators) if spectators else projection)
    return found


def _completed(projection: Projection, start: Kitchen) -> Projection:
    projection.number(projection.point_of(start))
    projection.complete()
    return projection


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


def _related(overview: Overview, wants: Wants, mover: int, start: Kitchen) -> Iterator[int]:
    """Other movers that a wish may relate to this one, and those that need the place where it is."""
    related: dict[int, None] = {}
    shared: dict[int, None] = {}
    mine = [wish for wish in wants.wishes if any(mover in wants.things[v] for v in wish.variables)]
    for wish in mine:
        for place, variable in enumerate(wish.variables):
            if mover in wants.things[variable]:
                for other in wish.variables[place + 1 :]:
                    related.update(dict.fromkeys(wants.things[other]))
    anchors = {variable for wish in mine for variable in wish.variables if variable in wants.fixed}
    for wish in wants.wishes:
        if not anchors.isdisjoint(wish.variables):
            for variable in wish.variables:
                shared.update(dict.fromkeys(wants.things[variable]))
    blocked = {
        arg
        for _, args in overview.layout.true_atoms(overview.layout.about[mover] & start.facts)
        for arg in args
        if arg in overview.anchors
    }
    wanted = {thing for _, things in wants.classes for thing in things}
    for deed in overview.deeds:
        if deed.effects and not blocked.isdisjoint(deed.args):
            related.update(dict.fromkeys(arg for arg in deed.args if arg in wanted))
    related |= shared
    related.pop(mover, None)
    return iter(related)
