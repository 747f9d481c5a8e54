"""What a goal wants of which things: its variables by what may stand for them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from itertools import permutations, product
from operator import and_, or_

from backburner.planning.overview import Overview

MOST_WAYS = 3000
"""Ways to give variables to movers that are told apart; beyond them some variables are left out."""


class Wants:
    """A goal's variables.

    Each way to give ``fixed`` variables (those of anchors) to things makes a goal of its own. ``classes``
    are variables of movers with the things that may stand for them; no thing is in two classes.
    ``made`` ones stand for things that are made in play. Variables that fit nowhere are left out:
    what is wanted of them does not count.
    """

    def __init__(self, overview: Overview) -> None:
        self.overview = overview
        goal, layout = overview.engine.goal, overview.layout
        self.wishes = goal.positive
        self._kinds = [variable.kind for variable in goal.variables]
        self._apart = overview.engine.rules.goal_names_in_part
        self.things = [tuple(goal.candidates(layout, variable)) for variable in range(len(goal.variables))]
        self.fixed = [v for v, things in enumerate(self.things) if overview.anchors.issuperset(things)]
        self.made = [v for v, things in enumerate(self.things) if any(map(overview.is_foreseen, things))]
        self.classes: list[tuple[list[int], tuple[int, ...]]] = []
        ways = 1
        for variable, things in enumerate(self.things):
            if variable in self.fixed or variable in self.made:
                continue
            alike = [c for c in self.classes if c[1] == things and not self._may_share(c[0][0], variable)]
            if alike and ways * (len(things) - len(alike[0][0])) <= MOST_WAYS:
                ways *= max(1, len(things) - len(alike[0][0]))
                alike[0][0].append(variable)
            elif not alike and not any(set(things) & set(known) for _, known in self.classes):
                ways *= max(1, len(things))
                if ways <= MOST_WAYS:
                    self.classes.append(([variable], things))

    @property
    def forced(self) -> dict[int, int]:
        """Things that certainly stand for a variable, with that variable."""
        return {things[0]: vs[0] for vs, things in self.classes if len(things) == 1}

    @property
    def certain(self) -> dict[int, int]:
        """Things that certainly stand for a variable, whichever that is, with facts about them alone that
        are wanted in any case."""
        found: dict[int, int] = {}
        for variables, things in self.classes:
            if len(variables) == len(things):
                for thing in things:
                    wanted = [self._alone(variable, thing) for variable in variables]
                    found[thing] = reduce(and_, wanted)
        return found

    def _alone(self, variable: int, thing: int) -> int:
        bit = self.overview.layout.bit
        return reduce(
            or_, (bit(wish.predicate, (thing,)) for wish in self.wishes if wish.variables == (variable,)), 0
        )

    @property
    def too_few_things(self) -> bool:
        """Whether some variable can stand for nothing."""
        return not all(self.things) or any(len(vs) > len(things) for vs, things in self.classes)

    def _may_share(self, one: int, other: int) -> bool:
        """Whether one thing may stand for both."""
        return self._apart and self._kinds[one] != self._kinds[other]

    def goals(self, likes: Sequence[Sequence[int]] = ()) -> Iterator[dict[int, int]]:
        """Ways to give the fixed variables to anchors; of ways that differ by ``likes`` only one."""
        for things in product(*(self.things[variable] for variable in self.fixed)):
            pairs = list(zip(self.fixed, things, strict=True))
            if any(
                a == b and not self._may_share(v, w)
                for place, (v, a) in enumerate(pairs)
                for w, b in pairs[:place]
            ):
                continue
            if _in_order(things, likes):
                yield dict(pairs)

    def likes(self) -> list[list[int]]:
        """Groups of anchors that are alike: the same facts hold of them in the beginning, none of them
        about another thing. Exchanging them changes nothing, so that a plan for one goal is as long as
        one for the other."""
        overview = self.overview
        layout, start = overview.layout, overview.start
        named = {variable.name for variable in overview.engine.goal.variables}
        busy = {arg for one in start.effects for arg in one.args}
        groups: dict[tuple[str, frozenset[int]], list[int]] = {}
        for anchor in sorted(overview.anchors):
            facts = [layout.atoms[bit] for bit in _places(layout.about[anchor] & start.facts)]
            if (
                anchor in busy
                or layout.objects[anchor].name in named
                or any(len(args) > 1 for _, args in facts)
            ):
                continue
            key = (layout.objects[anchor].kind, frozenset(predicate for predicate, _ in facts))
            groups.setdefault(key, []).append(anchor)
        return list(groups.values())

    def ways(self, movers: Sequence[int]) -> list[dict[int, int]]:
        """Ways to give variables of classes to some of these things: thing to variable."""
        chosen = [c for c in self.classes if set(c[1]) & set(movers)]
        parts = [
            [
                dict(zip(things, variables, strict=False))
                for things in permutations(candidates, len(variables))
            ]
            for variables, candidates in chosen
        ]
        return [{thing: v for part in way for thing, v in part.items()} for way in product(*parts)]

    def facts(
        self, given: Mapping[int, int], goal: Mapping[int, int], scope: Collection[int]
    ) -> Iterator[tuple[int, ...]]:
        """For each wish about given variables, the facts one of which has to hold.

        Things of the scope stand for no other variables of classes than those that are given.
        """
        layout = self.overview.layout
        decided = {variable for variables, _ in self.classes for variable in variables}
        for wish in self.wishes:
            if not any(variable in given for variable in wish.variables):
                continue
            choices: list[Sequence[int]] = []
            for variable in wish.variables:
                if variable in given:
                    choices.append((given[variable],))
                elif variable in goal:
                    choices.append((goal[variable],))
                else:
                    things = self.things[variable]
                    choices.append([t for t in things if variable not in decided or t not in scope])
            found = (layout.bit(wish.predicate, args) for args in product(*choices))
            yield tuple(bit for bit in found if bit)


def _in_order(things: Sequence[int], likes: Sequence[Sequence[int]]) -> bool:
    """Whether of like things always the first that is free has been chosen."""
    for group in likes:
        used = list(dict.fromkeys(thing for thing in things if thing in group))
        if used != list(group[: len(used)]):
            return False
    return True


def _places(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
