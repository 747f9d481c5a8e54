"""Pattern selection, and the collection of patterns that a heuristic adds up.

Any selection gives an admissible heuristic; this one looks for a high one. Each portable owns the cost of its
operators; what is created in play shares a pattern with the objects it is created in. What a goal literal
relates an owner to is its context, as long as that keeps the projection small: larger ones cost more time
than the states that they save.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import and_

from backburner.planning.abstraction import Relevance
from backburner.planning.facts import bits
from backburner.planning.goals import GoalAssignments
from backburner.planning.grounding import GroundTask
from backburner.planning.mutexes import Mutexes, Succession
from backburner.planning.pattern_database import Distances, Projection, TooLarge
from backburner.planning.task import State

MOST_WITH_CONTEXT = 4_000
"""Abstract states of a projection with context at most, estimated as the product of those of its objects."""

MOST_ALTERNATIVE = 8_000
"""Abstract states of an alternative at most."""

MOST_ALTERNATIVE_ESTIMATED = 25_000
"""The same, estimated as a product, many states of which are never reached."""

Key = tuple[int, tuple[int | None, ...]]
"""A projection, and the goal variable that each of its objects is assigned to, if any: a pattern database."""

Summands = tuple[Key, ...]
"""Pattern databases that are added up, each of another projection of one component."""


class PatternSelection:
    """``projections``: each portable is owner in one of them at most, so that they may be added up.

    ``alternatives``: by the place of a projection others with the same owners and another context; the
    maximum of them counts.
    """

    def __init__(
        self, ground: GroundTask, mutexes: Mutexes, assignments: GoalAssignments, initial: State
    ) -> None:
        self._assignments = assignments
        self._initial = initial
        self._ground = ground
        self._mutexes = mutexes
        self.succession = Succession(ground, mutexes)
        self._relevance = Relevance(ground, assignments.facts)
        joint = _created_together(ground)
        alone: dict[int, Projection] = {}
        for portable in ground.portables:
            if portable not in joint and not ground.is_created(portable) and self._counts(portable):
                projection = self._small_enough((portable,))
                if projection is not None:
                    alone[portable] = projection
        together = self._small_enough(joint) if joint else None
        self.projections = [together] if together else []
        self.alternatives: dict[int, list[Projection]] = {}
        self._sizes = sizes = {portable: len(one.states) for portable, one in alone.items()}
        for portable, projection in alone.items():
            context: list[int] = []
            size = sizes[portable]
            for other in _named_behind(assignments, portable):
                if size * sizes.get(other, MOST_WITH_CONTEXT) <= MOST_WITH_CONTEXT:
                    size *= sizes[other]
                    context.append(other)
            place = len(self.projections)
            if context:
                self.projections.append(self._projection((portable,), context))
            else:
                self.projections.append(projection)
                self.alternatives[place] = list(self._alternatives_to(portable))

    def _projection(
        self,
        owners: Sequence[int],
        context: Sequence[int] = (),
        *,
        coarse: bool = False,
        anywhere: bool = False,
    ) -> Projection:
        return Projection(self.succession, self._relevance, owners, context, coarse, anywhere)

    def _counts(self, portable: int) -> bool:
        """Whether the goal may name it, or it lies where something is to be done to another one."""
        named = any(portable in things for _, things in self._assignments.classes)
        return named or any(True for _ in self._contexts(portable))

    def _small_enough(self, owners: Sequence[int]) -> Projection | None:
        """The projection, complete; a coarser one if it has too many states; ``None`` if that has, too.

        Where several agents may be with several owners, there are too many positions to keep.
        """
        several = len(owners) > 2 and len(self._ground.agents) > 1
        for coarse, anywhere in ((True, True),) if several else ((False, False), (True, False)):
            projection = self._projection(owners, coarse=coarse, anywhere=anywhere)
            projection.number_of(self._initial)
            try:
                projection.complete()
            except TooLarge:
                continue
            return projection
        return None

    def _alternatives_to(self, portable: int) -> Iterator[Projection]:
        """Projections with another portable as context."""
        for other in self._contexts(portable):
            if self._sizes[portable] * self._sizes.get(other, 1) > MOST_ALTERNATIVE_ESTIMATED:
                continue
            projection = self._projection((portable,), (other,))
            projection.number_of(self._initial)
            try:
                projection.complete(MOST_ALTERNATIVE)
            except TooLarge:
                continue
            yield projection

    def _contexts(self, portable: int) -> Iterator[int]:
        """Portables that make a context in an alternative."""
        under = _certainly_under(self._ground, self._mutexes, self._assignments, portable)
        return iter(dict.fromkeys((*under, *self._blocked_by(portable))))

    def _blocked_by(self, portable: int) -> Iterator[int]:
        """Portables to which certainly something is still to be done where this one is in the beginning."""
        ground = self._ground
        facts = ground.facts & ground.facts_of[portable]
        here = {arg for bit in bits(facts) for arg in ground.atom(bit)[1]} & ground.locations
        for other, wanted in self._assignments.certain.items():
            missing = wanted & self._relevance.coarse & ~ground.facts
            if other != portable and missing and here & self._relevance.locations.get(other, set()):
                yield other


def _created_together(ground: GroundTask) -> Sequence[int]:
    """Objects that are created in play, and those that they are created in."""
    creators = set()
    for operator in ground.operators:
        for effect, args in operator.triggers:
            schema = ground.task.effects[effect]
            for node in schema.root.walk():
                if node.type == "creation" and node.owner < schema.n_given:
                    creators.add(args[node.owner])
    if not creators:
        return ()
    return [one for one in ground.portables if one in creators or ground.is_created(one)]


def _named_behind(assignments: GoalAssignments, portable: int) -> Iterator[int]:
    """Portables that come behind this one in a goal literal, such as what it has to lie on."""
    related: dict[int, None] = {}
    for literal in assignments.literals:
        for place, variable in enumerate(literal.variables):
            if portable in assignments.candidates[variable]:
                for other in literal.variables[place + 1 :]:
                    related.update(dict.fromkeys(assignments.candidates[other]))
    related.pop(portable, None)
    return iter(related)


def _certainly_under(
    ground: GroundTask, mutexes: Mutexes, assignments: GoalAssignments, portable: int
) -> Iterator[int]:
    """Portables that the goal certainly names where this one may come last.

    Last comes what a goal literal asks a property of that conjunctions are about, such as being clear: as
    long as others are still to come to its location, it has to be taken away again.
    """
    variables = {v for vs, things in assignments.classes for v in vs if portable in things}
    halves = {ground.atom(bit)[0] for pair in mutexes.conjunctions.values() for bit in bits(pair)}
    literals = assignments.literals
    last = {
        literal.variables[0]
        for literal in literals
        if len(literal.variables) == 1 and literal.predicate in halves and literal.variables[0] in variables
    }
    locations = {
        v
        for literal in literals
        if not last.isdisjoint(literal.variables)
        for v in literal.variables
        if v in assignments.of_locations
    }
    there = {v for one in literals if not locations.isdisjoint(one.variables) for v in one.variables}
    return (thing for thing, v in assignments.forced.items() if v in there and thing != portable)


class PatternCollection:
    """The pattern databases of a selection.

    Projections whose objects may be assigned to the same variables make a component. Its ``components``
    entry has for each assignment the pattern databases to add up; the minimum over the assignments of each
    component, added up over the components, is the minimum over all assignments.
    """

    def __init__(self, selection: PatternSelection, assignments: GoalAssignments, mutexes: Mutexes) -> None:
        self.assignments = assignments
        self.ground = assignments.ground
        self._mutexes = mutexes
        self.projections = list(selection.projections)
        self._has_alternatives = {number for number, others in selection.alternatives.items() if others}
        self.components = [self._summands(members) for members in self._connected()]
        added = dict.fromkeys(key for one in self.components for summands in one for key in summands)
        self.alternatives = {key: self._keys_of(key, selection.alternatives.get(key[0], ())) for key in added}
        """For each pattern database that is added up others, the maximum with which counts."""
        self.keys = [*added, *dict.fromkeys(key for keys in self.alternatives.values() for key in keys)]
        self._distances: dict[tuple[int, int, int], Distances] = {}
        self._excluded: dict[tuple[tuple[int, int], ...], int] = {}
        self.used = sorted({key[0] for key in self.keys})
        """The projections that count."""
        for number in self.used:
            self.projections[number].number_of(self.ground.task.initial)
            self.projections[number].complete()

    def _keys_of(self, key: Key, alternatives: Sequence[Projection]) -> list[Key]:
        keys: list[Key] = []
        for other in alternatives:
            if other not in self.projections:
                self.projections.append(other)
            forced = (self.assignments.forced.get(thing) for thing in other.pattern.context)
            keys.append((self.projections.index(other), (*key[1], *forced)))
        return keys

    def numbers_of(self, state: State) -> dict[int, int]:
        """The number of a state's abstract state in each projection that counts."""
        return {number: self.projections[number].number_of(state) for number in self.used}

    def _connected(self) -> list[list[int]]:
        components: list[tuple[set[int], set[int]]] = []
        for number, projection in enumerate(tuple(self.projections)):
            objects = projection.pattern.objects
            variables = {
                variable
                for variables, things in self.assignments.classes
                if objects & set(things)
                for variable in variables
            }
            if any(map(self.ground.is_created, objects)):
                variables |= set(self.assignments.created)
            if not variables and number not in self._has_alternatives:
                continue
            joined = ({number}, variables)
            for other in [one for one in components if one[1] & variables]:
                joined = (joined[0] | other[0], joined[1] | other[1])
                components.remove(other)
            components.append(joined)
        return [sorted(members) for members, _ in components]

    def _summands(self, members: Sequence[int]) -> list[Summands]:
        patterns = [self.projections[number].pattern for number in members]
        summands: dict[Summands, None] = {}
        for assigned in self.assignments.assignments([one for p in patterns for one in p.objects]):
            keys = []
            for number, pattern in zip(members, patterns, strict=True):
                variables = tuple(assigned.get(thing) for thing in (*pattern.owners, *pattern.context))
                keys.append((number, variables))
            summands[tuple(keys)] = None
        return list(summands)

    def distances(self, key: Key, location_goal: Mapping[int, int]) -> Distances:
        """The distance table of a pattern database: to the abstract states in which what the goal asks of
        the pattern's objects is true, and nothing that is mutex with what it asks of others."""
        projection = self.projections[key[0]]
        true = self._wanted(key, location_goal)
        false = projection.pattern.project_exact(self._unwanted(location_goal))
        known = self._distances.get((key[0], true, false))
        if known is None:
            known = projection.distances(projection.where(true, false))
            self._distances[key[0], true, false] = known
        return known

    def _unwanted(self, location_goal: Mapping[int, int]) -> int:
        """Facts that are never true where the goal is reached."""
        key = tuple(location_goal.items())
        if key not in self._excluded:
            excluded = 0
            for variable, things in enumerate(self.assignments.candidates):
                if variable not in location_goal and things:
                    each = (self._excluded_by(variable, thing, location_goal) for thing in things)
                    excluded |= reduce(and_, each)
            self._excluded[key] = excluded
        return self._excluded[key]

    def _excluded_by(self, variable: int, thing: int, location_goal: Mapping[int, int]) -> int:
        """Facts that are mutex with the goal literals about a variable, if the object is assigned to it."""
        bit, facts = self.ground.table.bit, 0
        assigned = {**location_goal, variable: thing}
        for literal in self.assignments.literals:
            if variable in literal.variables and all(one in assigned for one in literal.variables):
                facts |= bit(literal.predicate, tuple(assigned[one] for one in literal.variables))
        return self._mutexes.excluded_by(facts)

    def _wanted(self, key: Key, location_goal: Mapping[int, int]) -> int:
        pattern = self.projections[key[0]].pattern
        things = (*pattern.owners, *pattern.context)
        assigned = {v: thing for thing, v in zip(things, key[1], strict=True) if v is not None}
        created = [thing for thing in pattern.objects if self.ground.is_created(thing)]
        if created:
            assigned |= dict.fromkeys(self.assignments.created, created[0])
        decided = [*pattern.owners, *assigned.values()]
        wanted = pattern.project(sum(self.assignments.certain.get(thing, 0) for thing in pattern.objects))
        for facts in self.assignments.alternatives(assigned, location_goal, decided):
            abstract = pattern.project_each(facts)
            if len(abstract) == 1:
                wanted |= abstract.pop()
        return wanted
