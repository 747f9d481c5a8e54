"""Which projections add up to a bound, in which ways a goal's variables fall to their things, and how far
it is in each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_

from backburner.planning.mutexes import Mutexes
from backburner.planning.projection import Projection
from backburner.planning.wants import Wants
from backburner.planning.ways import Distances
from backburner.worlds.robotouille.game.state import Kitchen

Key = tuple[int, tuple[int | None, ...]]
"""A projection, and the variable that each of its things stands for, if any."""

Way = tuple[Key, ...]


class Parts:
    """Projections with different payers, and the ways in which goal variables fall to their things.

    ``groups``: of projections that share variables all ways together. The least over the ways of a group,
    added up over the groups, is the least over all ways. ``beside`` a projection stand others with the
    same payers; the greatest of their distances counts.
    """

    def __init__(
        self,
        wants: Wants,
        mutexes: Mutexes,
        projections: Sequence[Projection],
        beside: Mapping[int, Sequence[Projection]],
        start: Kitchen,
    ) -> None:
        self.wants = wants
        self._mutexes = mutexes
        self.overview = wants.overview
        self.projections = list(projections)
        self._watched = {number for number, others in beside.items() if others}
        self.groups = [self._ways(members) for members in self._connected()]
        chosen = dict.fromkeys(key for group in self.groups for way in group for key in way)
        self.beside = {key: self._keys_beside(key, beside.get(key[0], ())) for key in chosen}
        self.keys = [*chosen, *dict.fromkeys(key for keys in self.beside.values() for key in keys)]
        """Every projection that counts, with the variables that may fall to its things."""
        self._distances: dict[tuple[int, int, int], Distances] = {}
        self._excluded: dict[tuple[tuple[int, int], ...], int] = {}
        self.used = sorted({key[0] for key in self.keys})
        for number in self.used:
            self.projections[number].number_of(start)
            self.projections[number].complete()

    def _keys_beside(self, key: Key, others: Sequence[Projection]) -> list[Key]:
        found: list[Key] = []
        for other in others:
            if other not in self.projections:
                self.projections.append(other)
            roles = (*key[1], *(self.wants.forced.get(thing) for thing in other.spectators))
            found.append((self.projections.index(other), roles))
        return found

    def points_of(self, kitchen: Kitchen) -> dict[int, int]:
        """Where a kitchen is in each projection that counts."""
        return {number: self.projections[number].number_of(kitchen) for number in self.used}

    def _connected(self) -> list[list[int]]:
        """Projections of which one's variables may fall to the other's things."""
        groups: list[tuple[set[int], set[int]]] = []
        for number, projection in enumerate(tuple(self.projections)):
            variables = {
                variable
                for variables, things in self.wants.classes
                if projection.things & set(things)
                for variable in variables
            }
            if any(map(self.overview.is_foreseen, projection.things)):
                variables |= set(self.wants.made)
            if not variables and number not in self._watched:
                continue
            joined = ({number}, variables)
            for group in [group for group in groups if group[1] & variables]:
                joined = (joined[0] | group[0], joined[1] | group[1])
                groups.remove(group)
            groups.append(joined)
        return [sorted(members) for members, _ in groups]

    def _ways(self, members: Sequence[int]) -> list[Way]:
        things = [thing for number in members for thing in self.projections[number].things]
        ways: dict[Way, None] = {}
        for given in self.wants.ways(things):
            keys = []
            for number in members:
                projection = self.projections[number]
                scope = (*projection.payers, *projection.spectators)
                keys.append((number, tuple(given.get(thing) for thing in scope)))
            ways[tuple(keys)] = None
        return list(ways)

    def distances(self, key: Key, goal: Mapping[int, int]) -> Distances:
        """From each point of a projection to those at which what is wanted of its things holds, and
        nothing that keeps what is wanted of others from holding."""
        projection = self.projections[key[0]]
        wanted, unwanted = self._wanted(key, goal), projection.scope.exactly(self._unwanted(goal))
        known = self._distances.get((key[0], wanted, unwanted))
        if known is None:
            known = projection.distances(projection.holding(wanted, unwanted))
            self._distances[key[0], wanted, unwanted] = known
        return known

    def _unwanted(self, goal: Mapping[int, int]) -> int:
        """Facts that never hold where the goal is reached."""
        key = tuple(goal.items())
        if key not in self._excluded:
            excluded = 0
            for variable, things in enumerate(self.wants.things):
                if variable not in goal and things:
                    excluded |= reduce(and_, (self._excluded_by(variable, one, goal) for one in things))
            self._excluded[key] = excluded
        return self._excluded[key]

    def _excluded_by(self, variable: int, thing: int, goal: Mapping[int, int]) -> int:
        """Facts that never hold where a thing stands for a variable as the goal wants it."""
        bit, facts = self.overview.layout.bit, 0
        for wish in self.wants.wishes:
            given = {**goal, variable: thing}
            if variable in wish.variables and all(one in given for one in wish.variables):
                facts |= bit(wish.predicate, tuple(given[one] for one in wish.variables))
        return self._mutexes.excluded_by(facts)

    def _wanted(self, key: Key, goal: Mapping[int, int]) -> int:
        projection = self.projections[key[0]]
        scope = (*projection.payers, *projection.spectators)
        given = {v: thing for thing, v in zip(scope, key[1], strict=True) if v is not None}
        foreseen = [thing for thing in projection.things if self.overview.is_foreseen(thing)]
        if foreseen:
            given |= dict.fromkeys(self.wants.made, foreseen[0])
        told = [*projection.payers, *given.values()]
        wanted = projection.scope.own(sum(self.wants.certain.get(thing, 0) for thing in projection.things))
        for facts in self.wants.facts(given, goal, told):
            own = projection.scope.all_of(facts)
            if len(own) == 1:
                wanted |= own.pop()
        return wanted
