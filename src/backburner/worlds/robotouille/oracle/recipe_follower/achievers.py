"""What brings a fact about in a domain: actions at once, or the special effects that they start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from backburner.worlds.robotouille.game.achievers import Achiever, achievers
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import Action
from backburner.worlds.robotouille.game.legality import GroundAction
from backburner.worlds.robotouille.game.schema import STATION
from backburner.worlds.robotouille.game.state import Atom, Layout

Fixed = dict[int, int]
"""Things by the places of an action's parameters that are settled."""

CARRY = 4
"""Steps that it usually takes to bring a thing somewhere: there, take it, back, put it down."""

DEEPEST = 4
"""Pieces of work that may have to precede each other."""


class Achievers:
    """Achievers of facts, by predicate, and of things, by kind."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.changing, self.roles = compiled.domain.assigned, compiled.domain.placement
        self.static, self.relations = cache(self._static), cache(self._relations)
        self.irreversible, self.workplaces = cache(self._irreversible), cache(self._workplaces)
        self.at_once: dict[int, list[Achiever]] = {}
        self.later: dict[int, list[Achiever]] = {}
        self.making: dict[str, list[Achiever]] = {}
        for achiever in achievers(compiled.domain):
            if achiever.makes:
                self.making.setdefault(achiever.makes, []).append(achiever)
            else:
                ways = self.later if achiever.later else self.at_once
                ways.setdefault(achiever.predicate, []).append(achiever)

    def _static(self, layout: Layout) -> int:
        """All facts that never change."""
        return sum(bits for one, bits in enumerate(layout.of_predicate) if one not in self.changing)

    def _relations(self, layout: Layout) -> int:
        """All facts that change and are about two things or more."""
        predicates = zip(layout.predicates, layout.of_predicate, strict=True)
        return sum(bits for one, bits in predicates if len(one.types) > 1 and one.index in self.changing)

    def _irreversible(self, layout: Layout) -> int:
        """All facts that nothing makes false again."""
        domain = self.compiled.domain
        nodes = [node.effects for effect in domain.special_effects for node in effect.root.walk()]
        changes = [*nodes, *(action.effects for action in domain.actions)]
        ended = {literal.predicate for effects in changes for literal in effects if not literal.is_true}
        return sum(bits for one, bits in enumerate(layout.of_predicate) if one not in ended)

    def _workplaces(self, layout: Layout) -> frozenset[int]:
        """The stations that some work asks for by what never changes of them."""
        facts, ways = self.compiled.start.facts, (*self.later.values(), *self.making.values())
        asked = {
            literal.predicate
            for achievers in ways
            for achiever in achievers
            for literal in achiever.conditions
            if literal.is_true and len(literal.params) == 1 and literal.predicate not in self.changing
        }
        return frozenset(
            index
            for index, thing in enumerate(layout.objects)
            if thing.type == STATION and any(facts & layout.bit(one, (index,)) for one in asked)
        )

    def operators(
        self, layout: Layout, facts: int, action: Action, fixed: Fixed, things: Mapping[str, Sequence[int]]
    ) -> Iterator[GroundAction]:
        """An action over all choices of these things (by type) for what is not fixed, where what never
        changes allows it."""
        static = self.static(layout)
        pools = [
            (fixed[place],) if place in fixed else things.get(type, ())
            for place, type in enumerate(action.types)
        ]
        for args in product(*pools):
            if len(set(args)) == len(args):
                operator = self.compiled.ground(layout, action.index, args)
                if not operator.needs & static & ~facts and not operator.forbids & static & facts:
                    yield operator

    def fits(self, layout: Layout, facts: int, achiever: Achiever, fixed: Fixed) -> bool:
        """Whether what never changes allows the achiever, as far as its parameters are settled."""
        return all(
            bool(facts & layout.bit(literal.predicate, tuple([fixed[place] for place in literal.params])))
            == literal.is_true
            for literal in achiever.conditions
            if literal.predicate not in self.changing and all(place in fixed for place in literal.params)
        )

    def _fitting(
        self, layout: Layout, facts: int, achievers: Sequence[Achiever], args: Sequence[int]
    ) -> Iterator[tuple[Achiever, Fixed]]:
        for achiever in achievers:
            fixed = achiever.fixed(args)
            if fixed is not None and self.fits(layout, facts, achiever, fixed):
                yield achiever, fixed

    def by_hand(self, layout: Layout, facts: int, atom: Atom) -> list[tuple[Achiever, Fixed]]:
        """The achievers of a fact at once, as far as what never changes tells."""
        return list(self._fitting(layout, facts, self.at_once.get(atom[0], ()), atom[1]))

    def by_work(self, layout: Layout, facts: int, atom: Atom) -> list[tuple[Achiever, Fixed]]:
        """The achievers of a fact by an effect."""
        return list(self._fitting(layout, facts, self.later.get(atom[0], ()), atom[1]))

    def before(self, layout: Layout, facts: int, achiever: Achiever, fixed: Fixed) -> list[Atom]:
        """Facts that do not hold, and that work must bring about before the achiever is applicable."""
        atoms = [
            (literal.predicate, tuple(fixed[place] for place in literal.params))
            for literal in achiever.conditions
            if literal.is_true
            and literal.predicate in self.changing
            and all(p in fixed for p in literal.params)
        ]
        return [
            atom for atom in atoms if not facts & layout.bit(*atom) and not self.by_hand(layout, facts, atom)
        ]

    def steps(self, layout: Layout, facts: int, atom: Atom, depth: int = DEEPEST) -> int | None:
        """How many steps it may take to bring a fact about; ``None`` if nothing does."""
        if facts & layout.bit(*atom):
            return 0
        if self.by_hand(layout, facts, atom):
            return CARRY
        found: list[int] = []
        for achiever, fixed in self.by_work(layout, facts, atom) if depth else ():
            steps = [
                self.steps(layout, facts, one, depth - 1)
                for one in self.before(layout, facts, achiever, fixed)
            ]
            if None not in steps:
                found.append(CARRY + 1 + sum(one or 0 for one in steps))
        return min(found, default=None)
