"""A goal's terms by what it takes to bring them about, and the order in which dishes are put together.

*Work* are terms that only special effects bring about (cut, cooked); *ties* bind two things or more and
are made by an action at once (lying on a table); *looks* are whatever else actions bring about (nothing
lies on it).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from backburner.worlds.robotouille.game.layout import Layout, Object
from backburner.worlds.robotouille.game.schema import PLAYER
from backburner.worlds.robotouille.oracle.recipe_follower.dish import Dish, Known, Putting, Terms
from backburner.worlds.robotouille.oracle.recipe_follower.means import Means


class Assembly:
    """The terms of a goal by sort, and which ties can be made when."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._wishes = means.engine.goal.positive
        self._n_variables = len(means.engine.goal.variables)
        self._layout = self._imagined()
        self._robots = 0
        for thing, facts in zip(self._layout.objects, self._layout.about, strict=True):
            self._robots |= facts if thing.type == PLAYER else 0
        self._start = self._beginning()
        terms = range(len(self._wishes))
        changing = frozenset(term for term in terms if self._wishes[term].predicate in means.changing)
        by_hand = frozenset(term for term in changing if any(True for _ in self._puttings(term)))
        self.work = changing - by_hand
        self.ties = frozenset(term for term in by_hand if self._is_tie(term))
        self.looks = by_hand - self.ties
        self._carried = {
            term: frozenset(
                variable
                for putting in self._puttings(term)
                for variable in self._ended(putting.deed.deletes & self._robots)
            )
            for term in self.ties
        }
        self._dishes = [self._dish(ties) for ties in self._groups()]

    def sound(self, held: Terms, unready: Terms) -> Terms:
        """Those of the ties that hold which may stay so; ``unready``: variables that need work first."""
        return frozenset(term for dish in self._dishes for term in dish.sound(held, unready))

    def following(self, held: Terms, unready: Terms) -> Terms:
        """The ties that may be made next."""
        return frozenset(term for dish in self._dishes for term in dish.following(held, unready))

    def carried(self, terms: Terms) -> Terms:
        """The variables that robots let go of where these ties are made."""
        return frozenset().union(*(self._carried[term] for term in terms))

    def _bit(self, term: int) -> int:
        return self._layout.bit(self._wishes[term].predicate, self._wishes[term].variables)

    def _is_tie(self, term: int) -> bool:
        return len(self._wishes[term].variables) > 1 and not self._bit(term) & self._robots

    def _imagined(self) -> Layout:
        """A thing for each variable, and one more of each type."""
        engine = self._means.engine
        predicates, variables = engine.layout(engine.start).predicates, engine.goal.variables
        types = {
            variable: type
            for wish in self._wishes
            for variable, type in zip(wish.variables, predicates[wish.predicate].types, strict=True)
        }
        things = [Object(str(n), types[n], variable.kind) for n, variable in enumerate(variables)]
        return Layout(predicates, [*things, *(Object(type, type, "") for type in engine.domain.types)])

    def _beginning(self) -> Known:
        """Nothing is tied to anything, except as effects may do it; what never changes is as it is."""
        true = false = 0
        for (predicate, args), bit in self._layout.bits.items():
            free = predicate not in self._means.changing or predicate in self._means.later
            if len(args) > 1 and not free and not bit & self._robots and min(args) < self._n_variables:
                false |= bit
        for term in range(len(self._wishes)):
            false |= self._bit(term) if self._is_tie(term) else 0
        for variable in range(self._n_variables):
            on, off = self._traits(variable)
            true, false = true | on, false | off
        return Known(true, false)

    def _traits(self, variable: int) -> tuple[int, int]:
        """What never changes and holds of all things that may stand for a variable, and what of none."""
        engine = self._means.engine
        layout, facts = engine.layout(engine.start), engine.start.facts
        things = list(engine.goal.candidates(layout, variable))
        on = off = 0
        for predicate in layout.predicates:
            if things and len(predicate.types) == 1 and predicate.index not in self._means.changing:
                bit = self._layout.bit(predicate.index, (variable,))
                holds = {bool(facts & layout.bit(predicate.index, (thing,))) for thing in things}
                on |= bit if holds == {True} else 0
                off |= bit if holds == {False} else 0
        return on, off

    def _puttings(self, term: int) -> Iterator[Putting]:
        """The deeds that bring a term about at once."""
        wish, layout, static = self._wishes[term], self._layout, self._means.static(self._layout)
        of_type: dict[str, list[int]] = {}
        for index, thing in enumerate(layout.objects):
            of_type.setdefault(thing.type, []).append(index)
        for way in self._means.at_once.get(wish.predicate, ()):
            fixed = way.fixed(wish.variables)
            if fixed is not None:
                facts = static & ~self._start.false  # what is not known of a thing is taken for granted
                for deed in self._means.deeds(layout, facts, way.action, fixed, of_type):
                    yield Putting(deed, frozenset((term,)), self._ended(deed.deletes))

    def _ended(self, facts: int) -> Terms:
        """The variables that these facts are about."""
        args = (arg for _, args in self._layout.true_atoms(facts) for arg in args)
        return frozenset(arg for arg in args if arg < self._n_variables)

    def _groups(self) -> list[Terms]:
        """The ties that have variables in common, directly or by others."""
        groups: list[Terms] = []
        for term in sorted(self.ties):
            touching = [group for group in groups if self._variables(group) & self._variables({term})]
            groups = [group for group in groups if group not in touching]
            groups.append(frozenset((term,)).union(*touching))
        return groups

    def _variables(self, terms: Iterable[int]) -> set[int]:
        return {variable for term in terms for variable in self._wishes[term].variables}

    def _dish(self, ties: Terms) -> Dish:
        bits = {term: self._bit(term) for term in ties}
        of_dish = self._variables(ties)
        last = 0
        for term in self.looks:
            last |= self._bit(term) if of_dish.issuperset(self._wishes[term].variables) else 0
        deeds = {putting.deed.name: putting for term in ties for putting in self._puttings(term)}
        puttings = [
            Putting(p.deed, frozenset(term for term, bit in bits.items() if p.deed.adds & bit), p.moved)
            for p in deeds.values()
        ]
        return Dish(bits, last & ~self._robots, puttings, self._start, self._robots)
