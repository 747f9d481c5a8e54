"""The goal: facts over kinds of things, any fitting things (article, section 2, Language Goal).

Which things stand for the ids is found by search in the facts that hold. The ways to choose them are
never listed: one released level has a quarter of a million.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from backburner.worlds.robotouille.game.layout import Layout
from backburner.worlds.robotouille.game.rule_set import Rules
from backburner.worlds.robotouille.game.schema import GoalTerm


class Wish(Struct, frozen=True):
    """A goal term: a predicate over variables, by their indices."""

    predicate: int
    variables: tuple[int, ...]


class Variable(Struct, frozen=True):
    """What an id stands for: one of the things of a kind, or the thing called ``name``.

    ``foreseen``: names that stand for things that are not there in the beginning.
    """

    kind: str
    name: str = ""
    foreseen: tuple[str, ...] = ()


class Goal:
    """The goal of a problem under one rule set; ``named`` is the thing's name for each id of its own."""

    def __init__(
        self, terms: Sequence[GoalTerm], named: Mapping[str, str], layout: Layout, rules: Rules
    ) -> None:
        self._rules = rules
        self._n_at_start = len(layout.objects)
        named = {id: name for id, name in named.items() if not id.isdigit()}
        ids = ids_of_kinds(terms)
        self._foreseen = {kind: self._assumed(kind, len(ids[kind]), layout) for kind in ids}
        places: dict[str, int] = {}
        self.variables: list[Variable] = []
        for kind, members in ids.items():
            for id in members:
                if id not in places:
                    places[id] = len(self.variables)
                    self.variables.append(Variable(kind, named.get(id, ""), self._foreseen[kind]))
        predicates = {predicate.name: predicate.index for predicate in layout.predicates}
        wishes = [
            Wish(predicates[term.predicate], tuple(places[str(id)] for id in term.ids)) for term in terms
        ]
        self.wishes = tuple(wish for wish, term in zip(wishes, terms, strict=True) if term.is_true)
        self.barred = tuple(wish for wish, term in zip(wishes, terms, strict=True) if not term.is_true)
        alike = Counter(self._fitting(wish) for wish in set(self.wishes))
        self._needed = tuple(alike[self._fitting(wish)] for wish in self.wishes)
        free = {kind: sum(id not in named for id in members) for kind, members in ids.items()}
        self._short = rules.goal_names_in_part and any(
            0 < sum(kind in thing.name for thing in layout.objects) < n for kind, n in free.items()
        )

    def _fitting(self, wish: Wish) -> tuple[int, tuple[Variable, ...]]:
        """What facts may make it hold."""
        return wish.predicate, tuple(self.variables[variable] for variable in wish.variables)

    def _assumed(self, kind: str, n_ids: int, layout: Layout) -> tuple[str, ...]:
        """The released program's names for things of a kind of which there is none to begin with."""
        if not self._rules.goal_names_in_part or any(kind in thing.name for thing in layout.objects):
            return ()
        return tuple(f"{kind}{number}" for number in range(1, n_ids + 1))

    def reached(self, layout: Layout, facts: int) -> bool:
        """Whether some choice of things makes all terms hold."""
        return self.choice(layout, facts) is not None

    def choice(self, layout: Layout, facts: int) -> tuple[int, ...] | None:
        """Things for the variables under which all terms hold, if there are any."""
        rows = [facts & mask for mask in self._masks(layout)]
        # Terms alike need a fact each: without this look, nine of ten equal wishes cost 9! tries.
        if self._short or any(row.bit_count() < n for row, n in zip(rows, self._needed, strict=True)):
            return None
        ways = self._search(layout, rows, {}, list(range(len(rows))))
        return next((way for way in ways if not self._breaks(layout, facts, way)), None)

    def _breaks(self, layout: Layout, facts: int, things: Sequence[int]) -> bool:
        """Whether something holds of these things that must not."""
        return any(
            facts & layout.bit(wish.predicate, tuple([things[variable] for variable in wish.variables]))
            for wish in self.barred
        )

    def _search(
        self, layout: Layout, rows: list[int], chosen: dict[int, int], open_wishes: list[int]
    ) -> Iterator[tuple[int, ...]]:
        """Depth first, the term with the fewest ways to hold first."""
        if not open_wishes:
            yield tuple(chosen[variable] for variable in range(len(self.variables)))
            return
        tightest = min(open_wishes, key=lambda wish: self._row(layout, rows, chosen, wish).bit_count())
        rest = [wish for wish in open_wishes if wish != tightest]
        variables = self.wishes[tightest].variables
        for _, things in layout.true_atoms(self._row(layout, rows, chosen, tightest)):
            more = dict(chosen)
            if all(
                self._choose(more, variable, thing) for variable, thing in zip(variables, things, strict=True)
            ):
                yield from self._search(layout, rows, more, rest)

    def _row(self, layout: Layout, rows: Sequence[int], chosen: Mapping[int, int], wish: int) -> int:
        row = rows[wish]
        for where, variable in enumerate(self.wishes[wish].variables):
            if variable in chosen:
                row &= layout.rows.get((self.wishes[wish].predicate, where, chosen[variable]), 0)
        return row

    def _choose(self, chosen: dict[int, int], variable: int, thing: int) -> bool:
        """Whether the thing may stand for the variable; it then does."""
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
        """For each term all facts that could make it hold."""
        known: tuple[int, ...] | None = layout.known.get(self)
        if known is None:
            known = layout.known[self] = tuple(self._mask(layout, wish) for wish in self.wishes)
        return known

    def _mask(self, layout: Layout, wish: Wish) -> int:
        mask = layout.of_predicate[wish.predicate]
        for where, variable in enumerate(wish.variables):
            fitting = 0
            for thing in self.candidates(layout, variable):
                fitting |= layout.rows.get((wish.predicate, where, thing), 0)
            mask &= fitting
        return mask

    def candidates(self, layout: Layout, variable: int) -> Iterator[int]:
        """The things that may stand for a variable."""
        wanted = self.variables[variable]
        for index, thing in enumerate(layout.objects):
            if wanted.name:
                fits = thing.name == wanted.name
            elif wanted.foreseen:
                fits = thing.name in wanted.foreseen
            elif self._rules.goal_names_in_part:
                fits = wanted.kind in thing.name and index < self._n_at_start
            else:
                fits = wanted.kind in (thing.kind, thing.type)
            if fits:
                yield index


def ids_of_kinds(terms: Sequence[GoalTerm]) -> dict[str, list[str]]:
    """The ids that stand with each kind, both in the order in which they are first named."""
    ids: dict[str, list[str]] = {}
    for term in terms:
        for kind, id in zip(term.args, term.ids, strict=True):
            members = ids.setdefault(kind, [])
            if str(id) not in members:
                members.append(str(id))
    return ids
