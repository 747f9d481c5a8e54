"""The goal: literals over variables, each of which stands for some thing of a kind (article, section 2).

Which things the variables stand for is found by search in the facts that hold. The assignments are
never listed: one released level has a quarter of a million of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Any

from msgspec import Struct

from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.game.rule_set import Rules
from backburner.worlds.robotouille.game.schema import GoalTerm
from backburner.worlds.robotouille.game.state import REMEMBERED, Layout

MOST_TRIES = 5000
"""Things that are tried for variables before a goal counts as too hard to be looked at in every step.

The recorded runs of the released program need 18 at most. Goals can be made that take for ever: ten things
of which each lies on each other.
"""


class GoalLiteral(Struct, frozen=True):
    """A predicate over variables, by their indices: ``iscut(lettuce 1)``."""

    predicate: int
    variables: tuple[int, ...]


class Variable(Struct, frozen=True):
    """What an id of the goal stands for: some thing of a kind, or the very thing called ``name``.

    ``placeholders``: the names that things of this kind will have, where there is none to begin with.
    """

    kind: str
    name: str = ""
    placeholders: tuple[str, ...] = ()


class Goal:
    """The goal of a problem under one rule set.

    ``positive`` are the literals that have to hold, ``negative`` those that must not. ``named`` maps the
    ids that the problem gives to its things to the names of these.
    """

    def __init__(
        self, terms: Sequence[GoalTerm], named: Mapping[str, str], layout: Layout, rules: Rules
    ) -> None:
        self._rules = rules
        self._n_at_start = len(layout.objects)
        named = {id: name for id, name in named.items() if not id.isdigit()}
        ids = ids_of_kinds(terms)
        self._placeholders = {kind: self._assumed(kind, len(ids[kind]), layout) for kind in ids}
        indices: dict[str, int] = {}
        self.variables: list[Variable] = []
        for kind, members in ids.items():
            for id in members:
                if id not in indices:
                    indices[id] = len(self.variables)
                    self.variables.append(Variable(kind, named.get(id, ""), self._placeholders[kind]))
        predicates = {predicate.name: predicate.index for predicate in layout.predicates}
        literals = [
            (
                GoalLiteral(predicates[term.predicate], tuple(indices[str(id)] for id in term.ids)),
                term.is_true,
            )
            for term in terms
        ]
        self.positive = tuple(literal for literal, is_true in literals if is_true)
        self.negative = tuple(literal for literal, is_true in literals if not is_true)
        n_alike = Counter(self._shape(literal) for literal in set(self.positive))
        self._n_needed = tuple(n_alike[self._shape(literal)] for literal in self.positive)
        free = {kind: sum(id not in named for id in members) for kind, members in ids.items()}
        self._reached = lru_cache(maxsize=REMEMBERED)(self._is_reached)
        self._short = rules.goal_names_in_part and any(
            0 < sum(kind in thing.name for thing in layout.objects) < n for kind, n in free.items()
        )

    def __getstate__(self) -> dict[str, Any]:
        """Without what is remembered here, which cannot go to another process."""
        return {name: value for name, value in vars(self).items() if name != "_reached"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._reached = lru_cache(maxsize=REMEMBERED)(self._is_reached)

    def _is_reached(self, layout: Layout, facts: int) -> bool:
        return self.assignment(layout, facts) is not None

    def _shape(self, literal: GoalLiteral) -> tuple[int, tuple[Variable, ...]]:
        """Literals of one shape can be met by the same facts."""
        return literal.predicate, tuple(self.variables[variable] for variable in literal.variables)

    def _assumed(self, kind: str, n_ids: int, layout: Layout) -> tuple[str, ...]:
        """The names that the released program foresees for a kind of which there is nothing yet."""
        if not self._rules.goal_names_in_part or any(kind in thing.name for thing in layout.objects):
            return ()
        return tuple(f"{kind}{number}" for number in range(1, n_ids + 1))

    def reached(self, layout: Layout, facts: int) -> bool:
        """Whether the goal holds."""
        return self._reached(layout, facts & self._relevant(layout))

    def _relevant(self, layout: Layout) -> int:
        """All facts that a literal could be about: none of the others makes a difference."""
        known: int | None = layout.known.get(("relevant", self))
        if known is None:
            negative = (layout.of_predicate[literal.predicate] for literal in self.negative)
            known = layout.known["relevant", self] = reduce(or_, (*self._masks(layout), *negative), 0)
        return known

    def shapes(self, layout: Layout) -> tuple[tuple[int, int, int], ...]:
        """(predicate, how many facts the goal needs, all facts that could be these) of its positive literals,
        those together that can be met by the same facts."""
        known = {
            self._shape(literal): (literal.predicate, n_needed, mask)
            for literal, n_needed, mask in zip(
                self.positive, self._n_needed, self._masks(layout), strict=True
            )
        }
        return tuple(known.values())

    def assignment(self, layout: Layout, facts: int) -> tuple[int, ...] | None:
        """The index of a thing for each variable, so that the goal holds; ``None`` if there are none.

        Raises ``Refused`` where ``MOST_TRIES`` do not decide that.
        """
        if self._short:
            return None
        rows = []
        for mask, n_needed in zip(self._masks(layout), self._n_needed, strict=True):
            row = facts & mask
            # Literals of one shape need a fact each. Without this check ten of them, of which nine are met,
            # would cost 9! tries.
            if row.bit_count() < n_needed:
                return None
            rows.append(row)
        assignments = self._search(layout, rows, {}, list(range(len(rows))), iter(range(MOST_TRIES)))
        return next((things for things in assignments if not self._violates(layout, facts, things)), None)

    def _violates(self, layout: Layout, facts: int, things: Sequence[int]) -> bool:
        """Whether a negative literal holds of these things."""
        return any(
            facts & layout.bit(literal.predicate, tuple([things[variable] for variable in literal.variables]))
            for literal in self.negative
        )

    def _search(
        self, layout: Layout, rows: list[int], chosen: dict[int, int], unmet: list[int], tries: Iterator[int]
    ) -> Iterator[tuple[int, ...]]:
        """All assignments that meet the positive literals, the one with the fewest facts first."""
        if next(tries, None) is None:
            raise Refused(f"the goal is too hard: {MOST_TRIES} tries do not tell whether it holds")
        if not unmet:
            yield tuple(chosen[variable] for variable in range(len(self.variables)))
            return
        tightest = min(unmet, key=lambda index: self._row(layout, rows, chosen, index).bit_count())
        rest = [index for index in unmet if index != tightest]
        variables = self.positive[tightest].variables
        for _, things in layout.true_atoms(self._row(layout, rows, chosen, tightest)):
            more = dict(chosen)
            if all(
                self._choose(more, variable, thing) for variable, thing in zip(variables, things, strict=True)
            ):
                yield from self._search(layout, rows, more, rest, tries)

    def _row(self, layout: Layout, rows: Sequence[int], chosen: Mapping[int, int], index: int) -> int:
        """The facts that can still meet a literal, by its index, with these things chosen."""
        row, literal = rows[index], self.positive[index]
        for argument, variable in enumerate(literal.variables):
            if variable in chosen:
                row &= layout.rows.get((literal.predicate, argument, chosen[variable]), 0)
        return row

    def _choose(self, chosen: dict[int, int], variable: int, thing: int) -> bool:
        """Chooses a thing for a variable; ``False`` if it may not stand for it beside those chosen."""
        if variable in chosen:
            return chosen[variable] == thing
        kind = self.variables[variable].kind
        for other, taken in chosen.items():
            same_kind = self.variables[other].kind == kind or not self._rules.goal_names_in_part
            if taken == thing and same_kind:
                return False
        chosen[variable] = thing
        return True

    def _masks(self, layout: Layout) -> tuple[int, ...]:
        """For each positive literal all facts that could meet it."""
        known: tuple[int, ...] | None = layout.known.get(self)
        if known is None:
            known = layout.known[self] = tuple(self._mask(layout, literal) for literal in self.positive)
        return known

    def _mask(self, layout: Layout, literal: GoalLiteral) -> int:
        mask = layout.of_predicate[literal.predicate]
        for argument, variable in enumerate(literal.variables):
            fitting = 0
            for thing in self.candidates(layout, variable):
                fitting |= layout.rows.get((literal.predicate, argument, thing), 0)
            mask &= fitting
        return mask

    def candidates(self, layout: Layout, index: int) -> Iterator[int]:
        """The things that a variable, by its index, may stand for."""
        variable = self.variables[index]
        for thing, candidate in enumerate(layout.objects):
            if variable.name:
                fits = candidate.name == variable.name
            elif variable.placeholders:
                fits = candidate.name in variable.placeholders
            elif self._rules.goal_names_in_part:
                fits = variable.kind in candidate.name and thing < self._n_at_start
            else:
                fits = variable.kind in (candidate.kind, candidate.type)
            if fits:
                yield thing


def ids_of_kinds(terms: Sequence[GoalTerm]) -> dict[str, list[str]]:
    """The ids that stand with each kind, both in the order in which they are first named."""
    ids: dict[str, list[str]] = {}
    for term in terms:
        for kind, id in zip(term.args, term.ids, strict=True):
            members = ids.setdefault(kind, [])
            if str(id) not in members:
                members.append(str(id))
    return ids
