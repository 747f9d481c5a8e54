"""A goal's literals by what brings them about, and the order in which dishes are put together.

*Work* are literals that only special effects bring about (cut, cooked); *relations* bind two things or more
and are made by an action at once (lying on a table); *looks* are whatever else actions bring about (nothing
lies on it).

The order is tried out in an imagined kitchen: nothing lies anywhere, whatever an action needs of a robot or
of a single thing is taken for granted, and only what the actions on the way have changed counts. There an
order is one that leads to the goal with each of its literals brought about once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from backburner.worlds.robotouille.game.legality import GroundAction
from backburner.worlds.robotouille.game.schema import PLAYER
from backburner.worlds.robotouille.game.state import Layout, Object
from backburner.worlds.robotouille.oracle.recipe_follower.achievers import Achievers

Indices = frozenset[int]
"""Indices of the goal's literals, or of its variables."""

NONE: Indices = frozenset()


class Known(NamedTuple):
    """What is known of the imagined kitchen: facts that hold, and facts that do not."""

    true: int
    false: int


class AssemblyStep(NamedTuple):
    """An operator that brings literals about: the variables of which it changes or ends something."""

    operator: GroundAction
    literals: Indices
    moved: Indices


class Dish:
    """Literals of a goal that hang together, each with its fact, and the operators that bring them about.

    ``last``: facts that must hold in the end; ``robots``: facts about robots, which are left out.
    Where no order leads to the goal, any will do.
    """

    def __init__(
        self,
        bits: Mapping[int, int],
        last: int,
        assembly_steps: Sequence[AssemblyStep],
        start: Known,
        robots: int,
    ) -> None:
        self.relations = frozenset(bits)
        self._bits = bits
        self._last = last
        self._assembly_steps = assembly_steps
        self._start = start
        self._robots = robots
        self._finish: dict[tuple[Known, Indices], bool] = {}
        self._standing: dict[tuple[Indices, Indices], tuple[Known, Indices]] = {}
        self._any_order = not self._can_finish(start, NONE)

    def sound(self, held: Indices, unready: Indices) -> Indices:
        """Those of the literals that hold which may stay so."""
        return self.relations & held if self._any_order else self._stand(self.relations & held, unready)[1]

    def following(self, held: Indices, unready: Indices) -> Indices:
        """The literals that may be brought about next."""
        if self._any_order:
            return self.relations - held
        known, done = self._stand(self.relations & held, unready)
        return frozenset(
            term
            for assembly_step, after in self._possible(known, done, self.relations - done, unready)
            if self._can_finish(after, done | assembly_step.literals)
            for term in assembly_step.literals - done
        )

    def _stand(self, held: Indices, unready: Indices) -> tuple[Known, Indices]:
        """The imagined kitchen with as many of the literals that hold as can stay."""
        key = held, unready
        if key not in self._standing:
            known, done = self._start, NONE
            while True:
                ways = self._possible(known, done, held - done, unready)
                ways = ((p, after) for p, after in ways if p.literals <= held)
                found = next((way for way in ways if self._can_finish(way[1], done | way[0].literals)), None)
                if found is None:
                    break
                known, done = found[1], done | found[0].literals
            self._standing[key] = known, done
        return self._standing[key]

    def _possible(
        self, known: Known, done: Indices, wanted: Indices, unready: Indices = NONE
    ) -> Iterator[tuple[AssemblyStep, Known]]:
        """Operators that bring about something wanted and undo nothing, with what follows."""
        kept = 0
        for term in done:
            kept |= self._bits[term]
        for assembly_step in self._assembly_steps:
            operator = assembly_step.operator
            if not assembly_step.literals & wanted or assembly_step.moved & unready:
                continue
            if operator.needs & known.false or operator.forbids & known.true or operator.deletes & kept:
                continue
            adds, deletes = operator.adds & ~self._robots, operator.deletes & ~self._robots
            yield assembly_step, Known(known.true & ~deletes | adds, known.false & ~adds | deletes)

    def _can_finish(self, known: Known, done: Indices) -> bool:
        """Whether all the literals can be brought about from here."""
        if done >= self.relations:
            return not known.false & self._last
        key = known, done
        if key not in self._finish:
            self._finish[key] = any(
                self._can_finish(after, done | assembly_step.literals)
                for assembly_step, after in self._possible(known, done, self.relations - done)
            )
        return self._finish[key]


class Assembly:
    """The literals of a goal as work, relations and looks, and which relations can be made when."""

    def __init__(self, achievers: Achievers) -> None:
        self._achievers = achievers
        self._literals = achievers.compiled.goal.positive
        self._n_variables = len(achievers.compiled.goal.variables)
        self._layout = self._imagined()
        self._robots = 0
        for thing, facts in zip(self._layout.objects, self._layout.about, strict=True):
            self._robots |= facts if thing.type == PLAYER else 0
        self._start = self._beginning()
        indices = range(len(self._literals))
        changing = frozenset(term for term in indices if self._literals[term].predicate in achievers.changing)
        by_hand = frozenset(term for term in changing if any(True for _ in self._operators(term)))
        self.work = changing - by_hand
        self.relations = frozenset(term for term in by_hand if self._is_relation(term))
        self.looks = by_hand - self.relations
        self._carried = {
            term: frozenset(
                variable
                for operator in self._operators(term)
                for variable in self._ended(operator.deletes & self._robots)
            )
            for term in self.relations
        }
        self._dishes = [self._dish(relations) for relations in self._groups()]

    def sound(self, held: Indices, unready: Indices) -> Indices:
        """Those of the relations that hold which may stay so; ``unready``: variables that need work first."""
        return frozenset(term for dish in self._dishes for term in dish.sound(held, unready))

    def following(self, held: Indices, unready: Indices) -> Indices:
        """The relations that may be made next."""
        return frozenset(term for dish in self._dishes for term in dish.following(held, unready))

    def carried(self, literals: Indices) -> Indices:
        """The variables that robots let go of where these relations are made."""
        return frozenset().union(*(self._carried[term] for term in literals))

    def _bit(self, term: int) -> int:
        return self._layout.bit(self._literals[term].predicate, self._literals[term].variables)

    def _is_relation(self, term: int) -> bool:
        return len(self._literals[term].variables) > 1 and not self._bit(term) & self._robots

    def _imagined(self) -> Layout:
        """A thing for each variable, and one more of each type."""
        compiled = self._achievers.compiled
        predicates, variables = compiled.layout(compiled.start).predicates, compiled.goal.variables
        types = {
            variable: type
            for literal in self._literals
            for variable, type in zip(literal.variables, predicates[literal.predicate].types, strict=True)
        }
        things = [Object(str(n), types[n], variable.kind) for n, variable in enumerate(variables)]
        return Layout(predicates, [*things, *(Object(type, type, "") for type in compiled.domain.types)])

    def _beginning(self) -> Known:
        """Nothing is related to anything, but as effects may do it; what never changes is as it is."""
        true = false = 0
        for (predicate, args), bit in self._layout.bits.items():
            free = predicate not in self._achievers.changing or predicate in self._achievers.later
            if len(args) > 1 and not free and not bit & self._robots and min(args) < self._n_variables:
                false |= bit
        for term in range(len(self._literals)):
            false |= self._bit(term) if self._is_relation(term) else 0
        for variable in range(self._n_variables):
            on, off = self._traits(variable)
            true, false = true | on, false | off
        return Known(true, false)

    def _traits(self, variable: int) -> tuple[int, int]:
        """What never changes and holds of all things that may stand for a variable, and what of none."""
        compiled = self._achievers.compiled
        layout, facts = compiled.layout(compiled.start), compiled.start.facts
        things = list(compiled.goal.candidates(layout, variable))
        on = off = 0
        for predicate in layout.predicates:
            if things and len(predicate.types) == 1 and predicate.index not in self._achievers.changing:
                bit = self._layout.bit(predicate.index, (variable,))
                holds = {bool(facts & layout.bit(predicate.index, (thing,))) for thing in things}
                on |= bit if holds == {True} else 0
                off |= bit if holds == {False} else 0
        return on, off

    def _operators(self, term: int) -> Iterator[GroundAction]:
        """The operators that bring a literal about at once."""
        literal, layout, static = self._literals[term], self._layout, self._achievers.static(self._layout)
        of_type = layout.by_type(range(len(layout.objects)))
        for way in self._achievers.at_once.get(literal.predicate, ()):
            fixed = way.fixed(literal.variables)
            if fixed is not None:
                facts = static & ~self._start.false  # what is not known of a thing is taken for granted
                yield from self._achievers.operators(layout, facts, way.action, fixed, of_type)

    def _ended(self, facts: int) -> Indices:
        """The variables that these facts are about."""
        args = (arg for _, args in self._layout.true_atoms(facts) for arg in args)
        return frozenset(arg for arg in args if arg < self._n_variables)

    def _groups(self) -> list[Indices]:
        """The relations that have variables in common, directly or by others."""
        groups: list[Indices] = []
        for term in sorted(self.relations):
            touching = [group for group in groups if self._variables(group) & self._variables({term})]
            groups = [group for group in groups if group not in touching]
            groups.append(frozenset((term,)).union(*touching))
        return groups

    def _variables(self, literals: Iterable[int]) -> set[int]:
        return {variable for term in literals for variable in self._literals[term].variables}

    def _dish(self, relations: Indices) -> Dish:
        bits = {term: self._bit(term) for term in relations}
        of_dish = self._variables(relations)
        last = 0
        for term in self.looks:
            last |= self._bit(term) if of_dish.issuperset(self._literals[term].variables) else 0
        operators = {operator.name: operator for term in relations for operator in self._operators(term)}
        assembly_steps = [
            AssemblyStep(
                operator,
                frozenset(term for term, bit in bits.items() if operator.adds & bit),
                self._ended(operator.deletes),
            )
            for operator in operators.values()
        ]
        return Dish(bits, last & ~self._robots, assembly_steps, self._start, self._robots)
