"""Which actions are possible: a join of each action's preconditions over the facts that hold.

Bindings come from the facts, most telling precondition first, so that what is looked at depends on
where the robots are and not on how many things there are.
"""

from __future__ import annotations

from collections.abc import Sequence

from backburner.worlds.robotouille.game.domain import Action, Claim
from backburner.worlds.robotouille.game.layout import Layout


class Matcher:
    """The bindings of an action's parameters that satisfy its preconditions.

    ``facts`` are typical ones, by which the order of the join is chosen.
    """

    def __init__(self, action: Action, layout: Layout, facts: int) -> None:
        self.types = action.types
        self._steps = _join_order(action, layout, facts)

    def matches(self, layout: Layout, facts: int, gone: int) -> list[tuple[int, ...]]:
        """All bindings, sorted."""
        found: list[tuple[int, ...]] = []
        self._bind(0, [-1] * len(self.types), layout, facts, gone, found)
        found.sort()
        return found

    def _bind(
        self, depth: int, args: list[int], layout: Layout, facts: int, gone: int, found: list[tuple[int, ...]]
    ) -> None:
        """Binds what the precondition at ``depth`` leaves open, checks what is bound by then, goes on."""
        if depth == len(self._steps):
            found.append(tuple(args))
            return
        source, free, checks = self._steps[depth]
        for values in self._values(source, free, args, layout, facts, gone):
            for place, value in zip(free, values, strict=True):
                args[place] = value
            if all(
                bool(facts & layout.bit(c.predicate, tuple([args[p] for p in c.places]))) == c.is_true
                for c in checks
            ):
                self._bind(depth + 1, args, layout, facts, gone, found)
        for place in free:
            args[place] = -1

    def _values(
        self,
        source: Claim | None,
        free: Sequence[int],
        args: list[int],
        layout: Layout,
        facts: int,
        gone: int,
    ) -> list[Sequence[int]]:
        """What the free parameters may be: different from each other and from what is bound."""
        if source is None:
            if not free:
                return [()]
            type = self.types[free[0]]
            return [
                (index,)
                for index, thing in enumerate(layout.objects)
                if thing.type == type and index not in args and not gone >> index & 1
            ]
        row = facts & layout.of_predicate[source.predicate]
        for where, place in enumerate(source.places):
            if args[place] >= 0:
                row &= layout.rows.get((source.predicate, where, args[place]), 0)
        wheres = [source.places.index(place) for place in free]
        values = ([things[where] for where in wheres] for _, things in layout.true_atoms(row))
        return [value for value in values if not any(one in args for one in value)]


_Step = tuple[Claim | None, tuple[int, ...], tuple[Claim, ...]]
"""A precondition to read bindings from, the parameters it binds, and what can be checked then."""


def _join_order(action: Action, layout: Layout, facts: int) -> list[_Step]:
    """Preconditions in the order in which they leave the fewest bindings to try."""
    number = [(facts & mask).bit_count() for mask in layout.of_predicate]
    of_type = {type: sum(thing.type == type for thing in layout.objects) for type in action.types}
    steps: list[_Step] = []
    bound: set[int] = set()
    open_claims = list(action.needs)

    def expected(claim: Claim) -> float:
        size = float(number[claim.predicate])
        for place in claim.places:
            if place in bound:
                size /= max(1, of_type[action.types[place]])
        return size

    def ready() -> tuple[Claim, ...]:
        checks = tuple(claim for claim in open_claims if bound.issuperset(claim.places))
        open_claims[:] = [claim for claim in open_claims if claim not in checks]
        return checks

    if checks := ready():
        steps.append((None, (), checks))
    while len(bound) < len(action.params):
        readable = [claim for claim in open_claims if claim.is_true]
        source = min(readable, key=expected) if readable else None
        if source is None:
            free: tuple[int, ...] = (next(p for p in range(len(action.params)) if p not in bound),)
        else:
            open_claims.remove(source)
            free = tuple(place for place in source.places if place not in bound)
        bound.update(free)
        steps.append((source, free, ready()))
    return steps
