"""The lower bound for a kitchen's search: which projections, which goals."""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from backburner.planning.bound import GoalBound, LeastBound
from backburner.planning.chains import Chains
from backburner.planning.choosing import Chosen
from backburner.planning.mutexes import Mutexes
from backburner.planning.overview import Overview
from backburner.planning.parts import Parts
from backburner.planning.projection import TooLarge
from backburner.planning.space import Space, States
from backburner.planning.wants import Wants
from backburner.planning.ways import FAR

MOST_GOALS = 2000
"""Goals of their own that are told apart; beyond them the search goes without a bound."""

FEW_GOALS = 600
"""So many goals are all told apart; of more those that differ by like anchors count as one."""

UNREACHABLE = FAR // 2
"""Bounds from here on contain an infinite one."""


class Bounds:
    """Bounds for the goals of a space, the least first.

    Where a domain has none of the structure that projections rely on, there is no bound but 0.
    """

    def __init__(self, space: Space, structured: bool = True) -> None:
        self._space = space
        self.goals: list[tuple[int, GoalBound]] = []
        self.hopeless = False
        """Whether it is certain that no goal can be reached."""
        self.one_for_all: frozenset[int] = frozenset()
        """Anchors of which some stand for the others: their places are not exchanged once more."""
        self._parts: Parts | None = None
        self._chains: Chains | None = None
        self.least = 0
        """A lower bound on the steps from the start."""
        if structured:
            self._find(space)

    @classmethod
    def none(cls, space: Space) -> Bounds:
        """No bound but 0."""
        return cls(space, structured=False)

    def _find(self, space: Space) -> None:
        overview = Overview(space.engine, space.start, space.repertoire)
        if not overview.tellable or len(overview.made_types) > 1:
            return
        wants = Wants(overview)
        if wants.too_few_things:
            self.hopeless = True
            return
        goals = list(islice(wants.goals(), FEW_GOALS + 1))
        if len(goals) > FEW_GOALS:
            likes = wants.likes() if space.repertoire.complete else []
            self.one_for_all = frozenset(anchor for group in likes for anchor in group)
            goals = list(islice(wants.goals(likes), MOST_GOALS + 1))
        if len(goals) > MOST_GOALS:
            return
        mutexes = Mutexes(overview)
        try:
            chosen = Chosen(overview, mutexes, wants, space.start)
            self._parts = parts = Parts(wants, mutexes, chosen.projections, chosen.beside, space.start)
        except TooLarge:
            self._parts = None
            return
        self._chains = Chains(parts, chosen.following, space.phases)
        points = parts.points_of(space.start)
        bounds = [GoalBound(parts, goal) for goal in goals]
        self.goals = [(least, bound) for bound in bounds if (least := bound.at(points)) < UNREACHABLE]
        self.goals.sort(key=lambda one: one[0])
        self.hopeless = not self.goals
        if self.goals:
            self.least = max(0, self.goals[0][0])
        if self.goals and self._chains.tell_more:
            self.least = max(self.least, int(self.below(None)(space.widened(space.first))[0]))

    def below(self, steps: int | None) -> LeastBound | NoBound:
        """The bound for plans with fewer steps: goals that need as many are left out."""
        if self._parts is None or self._chains is None:
            return NoBound()
        chosen = [bound for least, bound in self.goals if steps is None or least < steps]
        return LeastBound(self._space, self._parts, chosen, self._chains, steps) if chosen else NoBound()

    def any_below(self, steps: int) -> bool:
        """Whether some goal may be reached in fewer steps."""
        return self._parts is None or self.least < steps


class NoBound:
    """Nothing is known: 0."""

    def __call__(self, states: States) -> NDArray[np.int64]:
        """0 for each state."""
        return np.zeros(len(states.rests), dtype=np.int64)
