"""Which things are to stand for the variables of a goal: those with which the least is left to be done.

A first choice is improved step by step: another thing for one variable, or things between which one of
the goal's terms holds already.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from backburner.worlds.robotouille.game.state import Kitchen
from backburner.worlds.robotouille.oracle.recipe_follower.assembly import Assembly
from backburner.worlds.robotouille.oracle.recipe_follower.means import Means
from backburner.worlds.robotouille.oracle.recipe_follower.situation import UNMADE, Choice, Situation

REMEMBERED = 256
"""Choices that are kept in mind."""


class Chooser:
    """Chooses things for the goal of one problem."""

    def __init__(self, means: Means, assembly: Assembly) -> None:
        self._means = means
        self._assembly = assembly
        self._goal = means.engine.goal
        self._in_agreement = len(means.engine.robots) > 1
        self.choices = lru_cache(maxsize=REMEMBERED)(self._choices)
        """See ``_choices``; it is asked for the same many times."""

    def _choices(self, kitchen: Kitchen, before: Choice | None = None) -> tuple[Choice, ...]:
        """A choice that no single change makes better, then those that are as good and a change away.

        ``before``: where to begin. Robots in a team have to agree: of choices as good as each other they
        take the one that sorts first.
        """
        fitting = self._fitting(kitchen)
        choice = before or self._first(fitting)
        best = self._cost(kitchen, choice)
        while True:
            better, as_good = False, [choice]
            for changes in self._changes(kitchen, fitting):
                other = _changed(choice, changes, fitting)
                if other is not None and other not in as_good:
                    cost = self._cost(kitchen, other)
                    if cost < best or (self._in_agreement and cost == best and other < choice):
                        choice, best, better = other, cost, True
                    elif cost == best:
                        as_good.append(other)
            if not better:
                return tuple(as_good)

    def _fitting(self, kitchen: Kitchen) -> list[list[int]]:
        """For each variable the things that may stand for it."""
        layout = self._means.engine.layout(kitchen)
        return [
            [thing for thing in self._goal.candidates(layout, variable) if not kitchen.gone >> thing & 1]
            for variable in range(len(self._goal.variables))
        ]

    def _cost(self, kitchen: Kitchen, choice: Choice) -> int:
        return Situation(self._means, self._assembly, kitchen, choice).cost()

    def _first(self, fitting: list[list[int]]) -> Choice:
        """The first thing that is free for each variable."""
        choice: Choice = ()
        for things in fitting:
            choice += (next((thing for thing in things if thing not in choice), UNMADE),)
        return choice

    def _changes(self, kitchen: Kitchen, fitting: list[list[int]]) -> Iterator[dict[int, int]]:
        """Things for variables: for those of a term that holds of them, then also for what hangs on it;
        for each variable by itself."""
        layout = self._means.engine.layout(kitchen)
        facts = [
            (wish.variables, things)
            for wish in self._goal.positive
            if len(wish.variables) > 1
            for _, things in layout.true_atoms(kitchen.facts & layout.of_predicate[wish.predicate])
            if all(thing in fitting[variable] for variable, thing in zip(wish.variables, things, strict=True))
        ]
        for variables, things in facts:
            changes = dict(zip(variables, things, strict=True))
            yield changes
            yield _grown(changes, facts)
        for variable, candidates in enumerate(fitting):
            for thing in candidates:
                yield {variable: thing}


def _changed(choice: Choice, changes: dict[int, int], fitting: list[list[int]]) -> Choice | None:
    """The choice with these changes; who loses a thing by it takes the one that was there, if that fits."""
    new = list(choice)
    for variable, thing in changes.items():
        if thing not in fitting[variable]:
            return None
        if thing in new:
            other = new.index(thing)
            if new[variable] not in (UNMADE, *fitting[other]):
                return None
            new[other] = new[variable]
        new[variable] = thing
    return tuple(new)


def _grown(changes: dict[int, int], facts: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> dict[int, int]:
    """Changes with further terms that hold of the same things."""
    grown = dict(changes)
    for variables, things in (*facts, *facts):
        pairs = dict(zip(variables, things, strict=True))
        shared = [variable for variable in variables if variable in grown]
        fits = all(grown[variable] == pairs[variable] for variable in shared)
        free = [thing for variable, thing in pairs.items() if variable not in grown]
        if shared and fits and not set(free) & set(grown.values()):
            grown.update(pairs)
    return grown
