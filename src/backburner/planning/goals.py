"""Goal assignments: which objects may stand for the goal's variables, and which facts that asks for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from itertools import permutations, product
from operator import and_, or_

from backburner.planning.facts import bits
from backburner.planning.grounding import GroundTask

MOST_ASSIGNMENTS = 3000
"""Assignments of portables that are told apart; beyond them some variables are left out."""


class GoalAssignments:
    """The goal's variables, by what may be assigned to them.

    ``of_locations`` are variables of locations: each assignment of them makes a *location goal* of its own.
    ``created`` ones stand for objects that are created in play. ``classes`` are all others, with the
    portables that may be assigned to them; no portable is in two classes. A variable that fits nowhere is
    left out: its literals do not count, which can only lower a bound.
    """

    def __init__(self, ground: GroundTask) -> None:
        self.ground = ground
        goal, table = ground.task.goal, ground.table
        self.literals = goal.literals
        self._kinds = [variable.kind for variable in goal.variables]
        self._may_differ_in_kind = goal.may_share
        self.candidates = [tuple(goal.candidates(table, variable)) for variable in range(len(goal.variables))]
        variables = range(len(goal.variables))
        self.of_locations = [v for v in variables if ground.locations.issuperset(self.candidates[v])]
        self.created = [v for v in variables if any(map(ground.is_created, self.candidates[v]))]
        self.classes: list[tuple[list[int], tuple[int, ...]]] = []
        assignments = 1
        for variable, things in enumerate(self.candidates):
            if variable in self.of_locations or variable in self.created:
                continue
            alike = [c for c in self.classes if c[1] == things and not self._may_share(c[0][0], variable)]
            if alike and assignments * (len(things) - len(alike[0][0])) <= MOST_ASSIGNMENTS:
                assignments *= max(1, len(things) - len(alike[0][0]))
                alike[0][0].append(variable)
            elif not alike and not any(set(things) & set(known) for _, known in self.classes):
                assignments *= max(1, len(things))
                if assignments <= MOST_ASSIGNMENTS:
                    self.classes.append(([variable], things))

    @property
    def forced(self) -> dict[int, int]:
        """Portables that are assigned to a variable in every assignment, with that variable."""
        return {things[0]: variables[0] for variables, things in self.classes if len(things) == 1}

    @property
    def certain(self) -> dict[int, int]:
        """Portables that are assigned to some variable in every assignment, with the facts about them alone
        that the goal asks for whichever it is."""
        certain: dict[int, int] = {}
        for variables, things in self.classes:
            if len(variables) == len(things):
                for thing in things:
                    certain[thing] = reduce(and_, (self._unary(variable, thing) for variable in variables))
        return certain

    def _unary(self, variable: int, thing: int) -> int:
        bit = self.ground.table.bit
        of_variable = (one for one in self.literals if one.variables == (variable,))
        return reduce(or_, (bit(literal.predicate, (thing,)) for literal in of_variable), 0)

    @property
    def facts(self) -> int:
        """All facts that may make a goal literal true."""
        facts = 0
        for literal in self.literals:
            for thing in self.candidates[literal.variables[0]] if literal.variables else ():
                facts |= self.ground.facts_of[thing] & self.ground.table.of_predicate[literal.predicate]
        return facts

    @property
    def is_unsolvable(self) -> bool:
        """Whether there are too few objects for some variable."""
        return not all(self.candidates) or any(len(vs) > len(things) for vs, things in self.classes)

    def _may_share(self, one: int, other: int) -> bool:
        """Whether one object may be assigned to both."""
        return self._may_differ_in_kind and self._kinds[one] != self._kinds[other]

    def location_goals(self, symmetries: Sequence[Sequence[int]] = ()) -> Iterator[dict[int, int]]:
        """Assignments of variables to locations; of those that differ by ``symmetries`` only one."""
        for things in product(*(self.candidates[variable] for variable in self.of_locations)):
            pairs = list(zip(self.of_locations, things, strict=True))
            if any(
                a == b and not self._may_share(v, w)
                for place, (v, a) in enumerate(pairs)
                for w, b in pairs[:place]
            ):
                continue
            if _is_canonical(things, symmetries):
                yield dict(pairs)

    def location_symmetries(self) -> list[list[int]]:
        """Goal symmetries: groups of locations of one kind of which the same is true in the beginning, and
        nothing about another object. Permuting them maps plans for one location goal to plans for another."""
        ground = self.ground
        table, initial = ground.table, ground.task.initial
        named = {variable.name for variable in ground.task.goal.variables}
        busy = {arg for one in initial.active for arg in one.args}
        groups: dict[tuple[str, frozenset[int]], list[int]] = {}
        for location in sorted(ground.locations):
            atoms = [table.atom(bit) for bit in bits(table.about[location] & initial.facts)]
            is_busy = location in busy or table.objects[location].name in named
            if is_busy or any(len(args) > 1 for _, args in atoms):
                continue
            key = (table.objects[location].kind, frozenset(predicate for predicate, _ in atoms))
            groups.setdefault(key, []).append(location)
        return list(groups.values())

    def assignments(self, portables: Sequence[int]) -> list[dict[int, int]]:
        """Assignments of the classes that have to do with these portables: portable to variable."""
        chosen = [c for c in self.classes if set(c[1]) & set(portables)]
        parts = [
            [
                dict(zip(things, variables, strict=False))
                for things in permutations(candidates, len(variables))
            ]
            for variables, candidates in chosen
        ]
        return [{thing: v for part in parts for thing, v in part.items()} for parts in product(*parts)]

    def alternatives(
        self, assigned: Mapping[int, int], location_goal: Mapping[int, int], objects: Collection[int]
    ) -> Iterator[tuple[int, ...]]:
        """For each goal literal about assigned variables, the facts one of which has to be true.

        ``objects`` are assigned to no variables of classes but those given.
        """
        table = self.ground.table
        in_classes = {variable for variables, _ in self.classes for variable in variables}
        for literal in self.literals:
            if not any(variable in assigned for variable in literal.variables):
                continue
            choices: list[Sequence[int]] = []
            for variable in literal.variables:
                if variable in assigned:
                    choices.append((assigned[variable],))
                elif variable in location_goal:
                    choices.append((location_goal[variable],))
                else:
                    things = self.candidates[variable]
                    choices.append([t for t in things if variable not in in_classes or t not in objects])
            facts = (table.bit(literal.predicate, args) for args in product(*choices))
            yield tuple(bit for bit in facts if bit)


def _is_canonical(things: Sequence[int], symmetries: Sequence[Sequence[int]]) -> bool:
    """Whether of each symmetric group always the first object that is free has been chosen."""
    for group in symmetries:
        used = list(dict.fromkeys(thing for thing in things if thing in group))
        if used != list(group[: len(used)]):
            return False
    return True
