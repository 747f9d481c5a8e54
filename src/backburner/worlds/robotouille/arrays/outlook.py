"""How many steps the goal is away at the least, by counting facts: cheap, and never too many.

For example, of a goal with ``iscut(lettuce 1)``, ``item_at(lettuce 1, table 2)`` and ``item_at(bread 3, table
2)`` only the last holds of anything. A cut and a thing put down are missing, which no single action brings
about: two steps for one robot, at the least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import lcm
from typing import NamedTuple

from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import Action
from backburner.worlds.robotouille.game.layout import Layout
from backburner.worlds.robotouille.game.state import Kitchen


class Lack(NamedTuple):
    """Facts that the goal needs: ``needed`` of a ``predicate``, out of those in ``mask``.

    ``cost``: the part of an action that each takes at least, counted in ``Outlook.unit``. ``coming``: how
    many of them each effect at work may still bring about, by effect, for which nobody has to act.
    """

    predicate: int
    needed: int
    mask: int
    cost: int
    coming: tuple[tuple[int, int], ...]


class Outlook:
    """The bound for one kitchen in which ``acting`` robots act in each step; ``unit`` is one action."""

    def __init__(self, compiled: Compiled, full: Layout, acting: int) -> None:
        shapes = compiled.goal.shapes(full)
        wanted = {predicate for predicate, _, _ in shapes}
        share: Counter[int] = Counter()
        for action in compiled.domain.actions:
            brought = [predicate for predicate in _brought(compiled, action) if predicate in wanted]
            for predicate in brought:
                share[predicate] = max(share[predicate], len(brought))
        self.acting = acting
        self.unit = lcm(*share.values())
        self.lacks = tuple(
            Lack(
                predicate,
                needed,
                mask,
                self.unit // share[predicate] if share[predicate] else 0,
                tuple(
                    (effect.index, n_coming)
                    for effect in compiled.domain.special_effects
                    if (n_coming := list(_of_effect(compiled, effect.index)).count(predicate))
                ),
            )
            for predicate, needed, mask in shapes
        )
        self._overlap = compiled.rules.goal_names_in_part  # one fact may then stand for two of the goal

    def steps(self, kitchen: Kitchen) -> int:
        """No play reaches the goal in fewer steps from a kitchen in which it is not reached; 1 at least."""
        at_work = Counter(running.effect for running in kitchen.effects)
        lacking: dict[int, int] = {}
        for predicate, needed, mask, cost, coming in self.lacks:
            n_lacking = needed - (kitchen.facts & mask).bit_count()
            n_lacking -= sum(at_work[effect] * n_coming for effect, n_coming in coming)
            before = lacking.get(predicate, 0)
            parts = max(n_lacking, 0) * cost
            lacking[predicate] = max(before, parts) if self._overlap else before + parts
        return max(-(-sum(lacking.values()) // (self.unit * self.acting)), 1)


def _brought(compiled: Compiled, action: Action) -> Iterator[int]:
    """The predicates of what may become true by an action: at once, or by what it starts."""
    yield from (literal.predicate for literal in action.effects if literal.is_true)
    for start in action.starts:
        yield from _of_effect(compiled, start.effect)


def _of_effect(compiled: Compiled, effect: int) -> Iterator[int]:
    """The predicates of what may become true by a special effect, which for a conditional one are all that it
    names: what it makes false is true while it does not hold."""
    for node in compiled.domain.special_effects[effect].root.walk():
        for literal in node.effects:
            if literal.is_true or node.type == "conditional":
                yield literal.predicate
