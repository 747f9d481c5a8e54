"""Shortest plans of Robotouille's kitchens, from their beginning or from any state."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from backburner.kernel.errors import ReplayMismatch
from backburner.kernel.oracle import Solution, Status
from backburner.planning.astar import AStar
from backburner.planning.bound import Outside
from backburner.planning.bounds_of import Bounds, NoBound
from backburner.planning.limits import Clock, Found, Limits
from backburner.planning.phases import Phase, Phases
from backburner.planning.plans import Played, in_steps, played
from backburner.planning.repertoire import PlanRepertoire, Repertoire
from backburner.planning.space import Space, States
from backburner.planning.steps import Steps
from backburner.planning.symmetry import Symmetry
from backburner.planning.tightening import tightened
from backburner.worlds.robotouille.game.state import State
from backburner.worlds.robotouille.game.world import Robotouille

Deeds = tuple[str, ...]
"""A plan's actions by name, one for each robot and decision; "" is idleness."""

NEAR_SHARE = 0.25
"""How much of the time goes into a search among deeds like those of a known plan."""

FEW_STATES = 10_000
"""The states of a kitchen that is small enough for a search without a bound."""


class Known(NamedTuple):
    """What an earlier search has found: a plan's deeds, and a bound in steps."""

    deeds: Deeds = ()
    bound: int = 0


class KitchenSearch:
    """The search for a shortest plan of one kitchen. ``run`` may be called again to go on.

    ``world`` should have no step limit: a plan beyond it could not be played. ``first_plan`` makes a
    plan that need not be short, or none; it is asked if the kitchen is not a small one. What needs as
    many steps as a known plan is never looked at. With a ``repertoire`` only its deeds are looked at, and
    proofs hold for plans of these.
    """

    def __init__(
        self,
        world: Robotouille,
        state: State | None = None,
        known: Known | None = None,
        first_plan: Callable[[], Deeds | None] = lambda: None,
        repertoire: Repertoire | None = None,
    ) -> None:
        self.world = world
        self._first_plan = first_plan
        self.state = state or world.start()
        engine = world.compiled
        self.phases = Phases(world.scenario.play, engine.robots, engine.rules.any_robot)
        phase = Phase(self.state.turn) if self.phases.in_own_turn else Phase()
        self._space = Space(engine, self.phases, self.state.kitchen, phase, repertoire)
        self._steps = Steps(self._space)
        self._bounds: Bounds | None = None
        self._exact: AStar | None = None
        self.deeds: Deeds | None = known.deeds if known and known.deeds else None
        self.bound = known.bound * self.phases.per_step if known else 0
        self.proven = False
        self.seconds = 0.0

    def run(self, limits: Limits) -> None:
        """Searches on until the shortest plan is proven, or a limit is met."""
        clock = Clock(limits.seconds)
        if self._bounds is None and not self.proven:
            self._search_plainly(Limits(limits.seconds, min(limits.states, FEW_STATES)))
        if not self.proven:
            if self._bounds is None:
                plans = [plan for plan in (self.deeds, self._first_plan()) if plan]
                self.deeds = min(plans, key=len, default=None)
                self._shorten(Limits(limits.seconds * NEAR_SHARE, limits.states))
                self._bounds = Bounds(self._space)
                self.bound = max(self.bound, self._bounds.least)
            try:
                self._search(self._bounds, clock, limits)
            except Outside:
                # What the bound has told so far may be wrong; without it the search begins anew.
                self._bounds, self._exact, self.bound = Bounds.none(self._space), None, 0
                self._search(self._bounds, clock, limits)
        self.seconds += clock.spent

    def _search_plainly(self, limits: Limits) -> None:
        """A search without a bound: a small kitchen is done before a bound would be found."""
        found = AStar(self._steps, NoBound(), self._is_goal, Symmetry(self._space)).run(limits)
        if found.status != "paused":
            self._take(found)
            self._is_proven()

    def _shorten(self, limits: Limits) -> None:
        """Looks for shorter plans among deeds like those of the known one, first by the same robots."""
        if self.deeds is None or not self._space.repertoire.complete:
            return
        known = self.deeds
        engine, start = self.world.compiled, self.state.kitchen
        choices = (False, True) if len(engine.robots) > 1 else (True,)
        clock = Clock(limits.seconds)
        for any_robot in choices:
            steps = list(in_steps(known, self.phases.per_step))
            plan = tightened(engine, self.phases, start, steps)
            known = tuple(name for names in plan for name in names)
            repertoire = PlanRepertoire(engine, start, plan, any_robot)
            near = KitchenSearch(self.world, self.state, Known(known), repertoire=repertoire)
            near.run(Limits(clock.left if any_robot else limits.seconds / 2, limits.states))
            known = near.deeds or known
        self.deeds = known

    def _is_proven(self) -> None:
        self.proven = True
        if self.deeds is not None:
            self.bound = len(self.deeds)

    def _search(self, bounds: Bounds, clock: Clock, limits: Limits) -> None:
        if bounds.hopeless:
            self._is_proven()
            return
        self._prove(bounds, Limits(clock.left, limits.states))

    def _prove(self, bounds: Bounds, limits: Limits) -> None:
        if self._exact is None:
            below = len(self.deeds) if self.deeds is not None else None
            if below is not None and (below <= self.bound or not bounds.any_below(below)):
                self._is_proven()
                return
            symmetry = Symmetry(self._space, bounds.one_for_all)
            self._exact = AStar(self._steps, bounds.below(below), self._is_goal, symmetry, below)
        found = self._exact.run(limits)
        self._take(found)
        if found.status == "paused":
            self.bound = max(self.bound, found.bound)
        else:
            self._is_proven()

    def _take(self, found: Found) -> None:
        if found.way is None or (self.deeds is not None and len(found.way) >= len(self.deeds)):
            return
        choices = (self._space.choices[number] for number in found.way)
        self.deeds = tuple(choice.deed.name if choice.deed else "" for choice in choices)

    def _is_goal(self, states: States, which: int) -> bool:
        kitchen, phase = self._space.decode(states, which)
        between = self.phases.per_step > 1 and phase.chosen > 0
        return not between and self.world.compiled.reached(kitchen)

    @property
    def bound_steps(self) -> int:
        """No plan has fewer steps."""
        return -(-self.bound // self.phases.per_step)

    @property
    def seen(self) -> int:
        """The number of different states seen by the proof."""
        return self._exact.seen if self._exact else 0

    def replay(self) -> Played | None:
        """The best plan, played by the world; ``None`` if there is none yet.

        Raises ``ReplayMismatch`` if the world does not complete the goal with it.
        """
        if self.deeds is None:
            return None
        result = played(self.world, self.state, self.deeds, self.phases.per_step)
        if not result.completed:
            raise ReplayMismatch(
                f"{self.world.id}: the plan of {len(self.deeds)} deeds does not reach the goal"
            )
        return result

    def solution(self) -> Solution:
        """What is known now; the plan is played by the world."""
        best = self.replay()
        status: Status = "feasible" if best else "unknown"
        if self.proven:
            status = "optimal" if best else "infeasible"
        return Solution(
            scenario=self.world.id,
            status=status,
            objective=best.steps if best else None,
            bound=None if status == "infeasible" else self.bound_steps,
            sense="min",
            unit="steps",
            space=f"every action, {self.world.scenario.play}",
            seconds=self.seconds,
            plan=best.words if best else (),
        )
