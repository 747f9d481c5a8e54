"""Deeds of a kitchen that its unchanging facts allow."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.worlds.robotouille.game.actions import GroundAction
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import Action
from backburner.worlds.robotouille.game.layout import Layout
from backburner.worlds.robotouille.game.schema import PLAYER


def mover_types(engine: Compiled) -> frozenset[str]:
    """The types of things that move: they come first in a changing fact of two things, or are made."""
    changing = engine.domain.changing
    nodes = (node for effect in engine.domain.special_effects for node in effect.root.walk())
    first = (p.types[0] for p in engine.domain.predicates if p.index in changing and len(p.types) > 1)
    return frozenset({*first, *(node.made_type for node in nodes if node.type == "creation")} - {PLAYER})


def mask_of(layout: Layout, predicates: frozenset[int]) -> int:
    """The bits of all facts of these predicates."""
    mask = 0
    for predicate in predicates:
        mask |= layout.of_predicate[predicate]
    return mask


def ground(
    engine: Compiled, layout: Layout, facts: int, gone: int, changing: frozenset[int]
) -> Iterator[GroundAction]:
    """Every deed over things that are there whose preconditions on unchanging facts hold."""
    for action in engine.domain.actions:
        for args in _bindings(action, layout, facts, gone, changing):
            yield engine.ground(layout, action.index, args)


def _bindings(
    action: Action, layout: Layout, facts: int, gone: int, changing: frozenset[int]
) -> Iterator[tuple[int, ...]]:
    fixed = [claim for claim in action.preconditions if claim.predicate not in changing]
    checks = [
        [claim for claim in fixed if max(claim.params, default=0) == depth]
        for depth in range(max(1, len(action.types)))
    ]

    def holds(depth: int, args: list[int]) -> bool:
        return all(
            bool(facts & layout.bit(claim.predicate, tuple(args[place] for place in claim.params)))
            == claim.is_true
            for claim in checks[depth]
        )

    def bind(args: list[int]) -> Iterator[tuple[int, ...]]:
        depth = len(args)
        if depth == len(action.types):
            yield tuple(args)
            return
        for index, thing in enumerate(layout.objects):
            if thing.type == action.types[depth] and index not in args and not gone >> index & 1:
                args.append(index)
                if holds(depth, args):
                    yield from bind(args)
                args.pop()

    if action.types or holds(0, []):
        yield from bind([])
