"""A* in batches: the shortest way to a goal, proven, or a bound when time is over.

States with the least *estimate* (steps so far and a lower bound of those to come) are expanded first,
among them those furthest on. When the least estimate is that of a way to the goal that is known, none is
shorter. A search that has paused goes on where it stopped. Lower bounds may be inconsistent: a state to
which a shorter way turns up is expanded again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from backburner.planning.limits import Clock, Found, Limits
from backburner.planning.space import Numbers, States
from backburner.planning.steps import Steps
from backburner.planning.symmetry import Symmetry
from backburner.planning.table import Places, Table

Bound = Callable[[States], NDArray[np.int64]]
"""A lower bound on the steps from each of these states to a goal; 0 at a goal."""

IsGoal = Callable[[States, int], bool]
BATCH = 4_000
"""Small enough to reach a goal early among many states with the same estimate."""


class AStar:
    """A search from the first state of a space; ``below``: only ways with fewer steps are of interest.

    ``symmetry`` tells which states are the same; the bound must count goals that it takes for each other.
    """

    def __init__(
        self, steps: Steps, bound: Bound, is_goal: IsGoal, symmetry: Symmetry, below: int | None = None
    ) -> None:
        self._steps = steps
        self._bound = bound
        self._is_goal = is_goal
        self._below = below
        self._goal: int | None = None
        first = steps.space.widened(steps.space.first)
        self._symmetry = symmetry
        self._table = Table(len(first.rows), self._symmetry)
        self._open: dict[int, dict[int, list[Places]]] = {}
        self.expanded = 0
        self._take_in(first, np.zeros(1, dtype=np.int32), np.full(1, -1, dtype=np.int32), 0)

    @property
    def seen(self) -> int:
        """The number of different states."""
        return self._table.count

    def run(self, limits: Limits) -> Found:
        """Searches until the answer is proven or a limit is met."""
        clock = Clock(limits.seconds)
        while self._open:
            estimate = min(self._open)
            if self._below is not None and estimate >= self._below:
                break
            if not clock.left or self._table.count > limits.states:
                return self._found("paused", estimate)
            self._expand(self._pop(estimate), estimate)
        if self._goal is not None:
            return self._found("proven", int(self._table.steps[self._goal]))
        return Found("none", self._below or 0)

    def _found(self, status: Literal["proven", "paused"], bound: int) -> Found:
        way = None if self._goal is None else tuple(self._choices_to(self._goal))
        return Found(status, bound, way)

    def _choices_to(self, place: int) -> Iterator[int]:
        """The choices on the way to a place. The states that are kept of it may differ in which of equal
        things is which; what leads from one to the next is found anew."""
        places = self._table.way(place)
        state = self._steps.space.widened(self._steps.space.first)
        for after in places[1:]:
            found = self._steps.successors(state)
            same = (self._symmetry.codes(found.states) == self._table.codes[after]).all(axis=1)
            which = int(np.argmax(same))
            yield int(found.choices[which])
            state = found.states.pick(np.array([which]))

    def _pop(self, estimate: int) -> Places:
        """Places with this estimate, those furthest on first, a batch of them."""
        by_steps = self._open[estimate]
        found: list[Places] = []
        room = BATCH
        while by_steps and room > 0:
            steps = max(by_steps)
            places = by_steps[steps].pop()
            if len(places) > 2 * room:
                by_steps[steps].append(places[room:])
                places = places[:room]
            if not by_steps[steps]:
                del by_steps[steps]
            # A shorter way has put the others elsewhere.
            found.append(places[self._table.steps[places] == steps])
            room -= len(found[-1])
        if not by_steps:
            del self._open[estimate]
        return np.concatenate(found)

    def _expand(self, places: Places, estimate: int) -> None:
        if not len(places):
            return
        self.expanded += len(places)
        after = self._steps.successors(self._table.states(places))
        parents = places[after.parents]
        steps = self._table.steps[parents].astype(np.int32) + 1
        self._take_in(after.states, steps, parents, estimate)

    def _take_in(self, states: States, steps: Numbers, parents: Places, least: int) -> None:
        """Keeps what may be on a shorter way than the best one; ``least``: the estimate before, which
        holds for what comes behind, too."""
        if not len(steps):
            return
        bounds = self._bound(states)
        estimates = np.maximum(steps + bounds, least)
        if self._below is not None:
            useful = estimates < self._below
            states, steps, bounds = states.pick(useful), steps[useful], bounds[useful]
            parents, estimates = parents[useful], estimates[useful]
            if not len(steps):
                return
        added = self._table.add(states, steps, parents)
        if len(added.shorter):
            again = added.shorter
            so_far = self._table.steps[again].astype(np.int32)
            self._push(again, so_far, np.maximum(so_far + self._bound(self._table.states(again)), least))
        self._push(added.places, steps[added.new], estimates[added.new])
        self._look_for_goals(added.places[bounds[added.new] == 0])
        self._look_for_goals(added.shorter)

    def _look_for_goals(self, places: Places) -> None:
        states = self._table.states(places)
        for which, place in enumerate(places):
            steps = int(self._table.steps[place])
            if (self._below is None or steps < self._below) and self._is_goal(states, which):
                self._below, self._goal = steps, int(place)

    def _push(self, places: Places, steps: Numbers, estimates: NDArray[np.int64]) -> None:
        for estimate in np.unique(estimates):
            of_estimate = estimates == estimate
            for so_far in np.unique(steps[of_estimate]):
                those = places[of_estimate & (steps == so_far)]
                self._open.setdefault(int(estimate), {}).setdefault(int(so_far), []).append(those)
