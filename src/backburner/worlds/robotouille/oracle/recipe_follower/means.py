"""What brings a fact about in a domain: actions at once, or the special effects that they start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct

from backburner.worlds.robotouille.game.actions import GroundAction
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import Action, EffectNode, EffectStart, LiftedLiteral
from backburner.worlds.robotouille.game.layout import Atom, Layout
from backburner.worlds.robotouille.game.schema import STATION

Fixed = dict[int, int]
"""Things by the places of an action's parameters that are settled."""

CARRY = 4
"""Steps that it usually takes to bring a thing somewhere: there, take it, back, put it down."""

DEEPEST = 4
"""Pieces of work that may have to precede each other."""


class Way(Struct, frozen=True):
    """An action that brings a fact about; ``arguments``: the fact's argument at places of its parameters.

    ``claims`` are what else must hold for it: preconditions and, where an effect brings the fact (``node``
    does), the conditions in the effect.
    """

    action: Action
    arguments: tuple[tuple[int, int], ...]
    claims: tuple[LiftedLiteral, ...]
    node: EffectNode | None = None

    def fixed(self, args: Sequence[int]) -> Fixed | None:
        """What the parameters have to be for a fact over these things; ``None`` if that cannot be."""
        fixed: Fixed = {}
        for place, argument in self.arguments:
            if fixed.setdefault(place, args[argument]) != args[argument]:
                return None
        return fixed if len(set(fixed.values())) == len(fixed) else None


class Means:
    """The ways to bring facts about, by predicate, and to make things, by kind."""

    def __init__(self, engine: Compiled) -> None:
        self.engine = engine
        self.changing, self.roles = engine.domain.assigned, engine.domain.placement
        self.at_once: dict[int, list[Way]] = {}
        self.later: dict[int, list[Way]] = {}
        self.making: dict[str, list[Way]] = {}
        for action in engine.domain.actions:
            for claim in action.effects:
                if claim.is_true:
                    arguments = tuple((place, number) for number, place in enumerate(claim.params))
                    self.at_once.setdefault(claim.predicate, []).append(
                        Way(action, arguments, action.preconditions)
                    )
            for use in action.starts:
                self._add_effect(
                    action, use, engine.domain.special_effects[use.effect].root, action.preconditions
                )

    def _add_effect(
        self, action: Action, use: EffectStart, node: EffectNode, claims: tuple[LiftedLiteral, ...]
    ) -> None:
        """The ways by a node of an effect and those below it; ``claims`` must hold for it to be reached."""
        claims += tuple(
            LiftedLiteral(claim.predicate, tuple(use.params[place] for place in claim.params), claim.is_true)
            for claim in node.conditions
            if all(place < len(use.params) for place in claim.params)
        )
        for claim in node.effects:
            if claim.is_true:
                given = [(use.params[p], n) for n, p in enumerate(claim.params) if p < len(use.params)]
                self.later.setdefault(claim.predicate, []).append(Way(action, tuple(given), claims, node))
        if node.type == "creation":
            self.making.setdefault(node.made_name, []).append(Way(action, (), claims, node))
        for below in node.nested:
            self._add_effect(action, use, below, claims)

    def static(self, layout: Layout) -> int:
        """All facts that never change."""
        known: int | None = layout.known.get("static")
        if known is None:
            known = sum(
                bits for predicate, bits in enumerate(layout.of_predicate) if predicate not in self.changing
            )
            layout.known["static"] = known
        return known

    def ties(self, layout: Layout) -> int:
        """All facts that change and are about two things or more."""
        known: int | None = layout.known.get("ties")
        if known is None:
            known = layout.known["ties"] = sum(
                bits
                for predicate, bits in zip(layout.predicates, layout.of_predicate, strict=True)
                if len(predicate.types) > 1 and predicate.index in self.changing
            )
        return known

    def lasting(self, layout: Layout) -> int:
        """All facts that nothing makes false again."""
        known: int | None = layout.known.get("lasting")
        if known is None:
            effects = [
                node.effects for effect in self.engine.domain.special_effects for node in effect.root.walk()
            ]
            changes = [*effects, *(action.effects for action in self.engine.domain.actions)]
            ended = {claim.predicate for fx in changes for claim in fx if not claim.is_true}
            kept = (bits for predicate, bits in enumerate(layout.of_predicate) if predicate not in ended)
            known = layout.known["lasting"] = sum(kept)
        return known

    def workplaces(self, layout: Layout, facts: int) -> frozenset[int]:
        """The stations that some work asks for by what never changes of them."""
        known: frozenset[int] | None = layout.known.get("workplaces")
        if known is None:
            ways = (way for ways in (*self.later.values(), *self.making.values()) for way in ways)
            asked = {
                claim.predicate
                for way in ways
                for claim in way.claims
                if claim.is_true and len(claim.params) == 1 and claim.predicate not in self.changing
            }
            known = layout.known["workplaces"] = frozenset(
                index
                for index, thing in enumerate(layout.objects)
                if thing.type == STATION and any(facts & layout.bit(one, (index,)) for one in asked)
            )
        return known

    def deeds(
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
                deed = self.engine.ground(layout, action.index, args)
                if not deed.needs & static & ~facts and not deed.forbids & static & facts:
                    yield deed

    def fits(self, layout: Layout, facts: int, way: Way, fixed: Fixed) -> bool:
        """Whether what never changes allows the way, as far as its parameters are settled."""
        return all(
            bool(facts & layout.bit(claim.predicate, tuple([fixed[place] for place in claim.params])))
            == claim.is_true
            for claim in way.claims
            if claim.predicate not in self.changing and all(place in fixed for place in claim.params)
        )

    def _ways(
        self, layout: Layout, facts: int, ways: Sequence[Way], args: Sequence[int]
    ) -> Iterator[tuple[Way, Fixed]]:
        for way in ways:
            fixed = way.fixed(args)
            if fixed is not None and self.fits(layout, facts, way, fixed):
                yield way, fixed

    def by_hand(self, layout: Layout, facts: int, atom: Atom) -> list[tuple[Way, Fixed]]:
        """The ways to bring a fact about at once, as far as what never changes tells."""
        return list(self._ways(layout, facts, self.at_once.get(atom[0], ()), atom[1]))

    def by_work(self, layout: Layout, facts: int, atom: Atom) -> list[tuple[Way, Fixed]]:
        """The ways to bring a fact about by an effect."""
        return list(self._ways(layout, facts, self.later.get(atom[0], ()), atom[1]))

    def before(self, layout: Layout, facts: int, way: Way, fixed: Fixed) -> list[Atom]:
        """What does not hold, and must be brought about by work before the way can be gone."""
        atoms = [
            (claim.predicate, tuple(fixed[place] for place in claim.params))
            for claim in way.claims
            if claim.is_true and claim.predicate in self.changing and all(p in fixed for p in claim.params)
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
        for way, fixed in self.by_work(layout, facts, atom) if depth else ():
            steps = [
                self.steps(layout, facts, one, depth - 1) for one in self.before(layout, facts, way, fixed)
            ]
            if None not in steps:
                found.append(CARRY + 1 + sum(one or 0 for one in steps))
        return min(found, default=None)
