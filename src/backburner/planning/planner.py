"""Shortest plans of a task, with their proof: the way in.

A small task is searched blindly. Otherwise a known plan is improved: no-ops are taken out, and a search
looks at operators like its own, its neighbourhood. Then A* proves it shortest, finds a shorter one, or says
how short plans can be at best.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from backburner.kernel.oracle import Allowance
from backburner.planning.astar import AStar, Limits, Result
from backburner.planning.beam import Unsettled, beam_search
from backburner.planning.facts import FactTable, Operator
from backburner.planning.grounding import OperatorSubset
from backburner.planning.heuristic import BlindHeuristic, HeuristicFactory, OutsideProjection
from backburner.planning.successors import SuccessorGenerator
from backburner.planning.symmetry import Symmetry
from backburner.planning.task import State, Step, Task, in_steps
from backburner.planning.variables import States, StateSpace

Plan = tuple[str, ...]
"""A plan's decisions: names of operators, as many for each step as ``Turns.per_step``; "" is idleness."""

NEIGHBOURHOOD_SHARE = 0.25
"""How much of the time goes into a search in the neighbourhood of a known plan."""

BEAM_SHARE = 0.25
"""How much of what is left then goes into beam searches, where there are several agents."""

BEAM_WIDTHS = (500, 3_000)

LOCATION_GOALS_OF_BEAMS = 8
"""Where the goal may be built: so many of the nearest places are told apart by beams."""

FEW_STATES = 10_000
"""The states of a task that is small enough for a blind search."""


class Known(NamedTuple):
    """What is known from before: a plan, and that no plan has fewer than ``bound`` steps."""

    plan: Plan = ()
    bound: int = 0


class Planner:
    """The search for a shortest plan of one task. ``run`` may be called again to go on.

    ``first_plan`` makes a plan that need not be short, or none; it is asked if the task is not a small one.
    With a ``subset`` only its operators are looked at, and proofs hold for plans of these.
    """

    def __init__(
        self,
        task: Task,
        known: Known | None = None,
        first_plan: Callable[[], Plan | None] = lambda: None,
        subset: OperatorSubset | None = None,
    ) -> None:
        self.task = task
        self._first_plan = first_plan
        self._space = StateSpace(task, subset)
        self._generator = SuccessorGenerator(self._space)
        self._heuristics: HeuristicFactory | None = None
        self._search: AStar | None = None
        self.plan: Plan | None = known.plan if known and known.plan else None
        self.bound = known.bound * task.turns.per_step if known else 0
        """No plan has fewer decisions."""
        self.is_proven = False
        """Whether the plan is a shortest one, or it is certain that there is none."""
        self.seconds = 0.0

    def run(self, limits: Limits, allowance: Allowance | None = None) -> None:
        """Searches on until the shortest plan is proven, or a limit is met; ``allowance``: what is left of
        the limits."""
        began, allowance = time.monotonic(), allowance or limits.allowance()
        if self._heuristics is None and not self.is_proven:
            self.search_blindly(Limits(states=min(limits.states, FEW_STATES)), allowance)
        if not self.is_proven:
            if self._heuristics is None:
                plans = [plan for plan in (self.plan, self._first_plan()) if plan]
                self.plan = min(plans, key=len, default=None)
                self._improve(limits, allowance.part(NEIGHBOURHOOD_SHARE))
                self._heuristics = HeuristicFactory(self._space)
                allowance.count(self._heuristics.work)
                self.bound = max(self.bound, self._heuristics.initial_h)
            try:
                if self._search is None:
                    self._look_ahead(self._heuristics, allowance.part(BEAM_SHARE))
                self._prove(self._heuristics, limits, allowance)
            except OutsideProjection:
                # What the heuristic has said so far may be wrong; without it the search begins anew.
                self._heuristics = HeuristicFactory(self._space, blind=True)
                self._search, self.bound = None, 0
                self._prove(self._heuristics, limits, allowance)
        self.seconds += time.monotonic() - began

    def search_blindly(self, limits: Limits, allowance: Allowance | None = None) -> None:
        """What ``run`` does first: a small task is done before projections would be built.

        Where the limits are of states alone, it ends at the same one on every machine.
        """
        search = AStar(self._generator, BlindHeuristic(), self._is_goal, Symmetry(self._space))
        result = search.run(limits, allowance)
        if result.status != "paused":
            self._take(result)
            self._set_proven()

    def _improve(self, limits: Limits, allowance: Allowance) -> None:
        """Looks for shorter plans in the neighbourhood of the known one, first with the same agents."""
        if self.plan is None or not self._space.subset.is_complete:
            return
        known = self.plan
        choices = (False, True) if len(self.task.agents) > 1 else (True,)
        half = allowance.part(0.5)
        for any_agent in choices:
            steps = without_no_ops(self.task, list(in_steps(known, self.task.turns.per_step)))
            known = tuple(name for names in steps for name in names)
            subset = PlanNeighbourhood(self.task, steps, any_agent)
            near = Planner(self.task, Known(known), subset=subset)
            near.run(limits, allowance if any_agent else half)
            known = near.plan or known
        self.plan = known

    def _look_ahead(self, heuristics: HeuristicFactory, allowance: Allowance) -> None:
        """Looks for a shorter plan of several agents by beams, each broader than the last."""
        wanted = len(self.task.agents) > 1 and self._space.subset.is_complete
        if not wanted or not heuristics.goals or self.plan is None:
            return
        symmetry = Symmetry(self._space, heuristics.fixed_objects)
        nearest = heuristics.goals[:LOCATION_GOALS_OF_BEAMS]
        unsettled = Unsettled(self._space, [goal.location_goal for _, goal in nearest])
        for width in BEAM_WIDTHS:
            below = len(self.plan)
            if below <= self.bound or not heuristics.any_below(below):
                return
            path = beam_search(
                self._generator,
                heuristics.below(below),
                unsettled,
                self._is_goal,
                symmetry,
                width=width,
                below=below,
                allowance=allowance,
            )
            if path is not None:
                self.plan = self._names_of(path)

    def _set_proven(self) -> None:
        self.is_proven = True
        if self.plan is not None:
            self.bound = len(self.plan)

    def _prove(self, heuristics: HeuristicFactory, limits: Limits, allowance: Allowance) -> None:
        if heuristics.is_unsolvable:
            self._set_proven()
            return
        if self._search is None:
            below = len(self.plan) if self.plan is not None else None
            if below is not None and (below <= self.bound or not heuristics.any_below(below)):
                self._set_proven()
                return
            symmetry = Symmetry(self._space, heuristics.fixed_objects)
            self._search = AStar(self._generator, heuristics.below(below), self._is_goal, symmetry, below)
        result = self._search.run(limits, allowance)
        self._take(result)
        if result.status == "paused":
            self.bound = max(self.bound, result.bound)
        else:
            self._set_proven()

    def _take(self, result: Result) -> None:
        if result.path is None or (self.plan is not None and len(result.path) >= len(self.plan)):
            return
        self.plan = self._names_of(result.path)

    def _names_of(self, path: Iterable[int]) -> Plan:
        decisions = (self._space.decisions[number] for number in path)
        return tuple(one.operator.name if one.operator else "" for one in decisions)

    def _is_goal(self, states: States, which: int) -> bool:
        state, phase = self._space.decode(states, which)
        is_within_step = self.task.turns.per_step > 1 and phase.taken > 0
        return not is_within_step and self.task.semantics.is_goal(state)

    @property
    def bound_steps(self) -> int:
        """No plan has fewer steps."""
        return -(-self.bound // self.task.turns.per_step)

    @property
    def seen(self) -> int:
        """The number of different states seen by the proof."""
        return self._search.seen if self._search else 0

    @property
    def expanded(self) -> int:
        """The number of states expanded by the proof."""
        return self._search.expanded if self._search else 0


# --- known plans, improved ------------------------------------------------------------------------------

Likeness = tuple[str, ...]
"""An action and what takes part in it; objects created in play go by their kind."""


def without_no_ops(task: Task, plan: Sequence[Step]) -> list[Step]:
    """The plan without steps in which nobody does anything, as long as it reaches the goal without them.

    Where each step belongs to one agent, as many are left out at a time as there are agents. A plan with a
    step that is not applicable comes back as it is.
    """
    size = len(task.agents) if task.turns.are_own else 1
    done: list[Step] = []
    rest = list(plan)
    state = task.initial
    while rest and not task.semantics.is_goal(state):
        later = rest[size:]
        if later and _is_idle(task, state, rest[:size]) and _reaches_goal(task, state, later):
            rest = later
            continue
        after = _after(task, state, rest[0])
        if after is None:
            return list(plan)
        state = after
        done.append(rest.pop(0))
    return done


def _is_idle(task: Task, state: State, steps: Sequence[Step]) -> bool:
    table = task.table(state.created)
    operators = [task.named(table, name) for names in steps for name in names if name]
    return all(operator is not None and operator.is_no_op for operator in operators)


def _reaches_goal(task: Task, state: State, plan: Sequence[Step]) -> bool:
    for names in plan:
        after = _after(task, state, names)
        if after is None:
            return False
        state = after
        if task.semantics.is_goal(state):
            return True
    return False


def _after(task: Task, state: State, names: Step) -> State | None:
    """The state after a step; ``None`` if an operator of it is not applicable."""
    for name in filter(None, names):
        operator = task.named(task.table(state.created), name)
        if operator is None or not task.is_applicable(state, operator):
            return None
        state = task.apply(state, operator)
    return task.semantics.tick(state)


class PlanNeighbourhood(OperatorSubset):
    """Operators like those of a plan; with ``any_agent`` other agents may apply them, too.

    Operators over agents and locations alone, such as going somewhere, are in it if the plan names the
    locations for that agent, or it is there in the beginning. A search among these takes a fraction of the
    time. What it finds is a plan like any other; that it finds none says nothing of other operators.
    """

    is_complete = False

    def __init__(self, task: Task, plan: Sequence[Step], any_agent: bool) -> None:
        """Raises ``KeyError`` for the name of an operator that there is not."""
        self.any_agent = any_agent
        self._task = task
        table, state = task.table(task.initial.created), task.initial
        self._n_given = len(table.objects)
        self._likenesses: set[Likeness] = set()
        self._locations: dict[int, set[int]] = {agent: set() for agent in task.agents}
        for agent in task.agents:
            for _, args in table.true_atoms(state.facts & table.about[agent]):
                self._take_in((agent,), table, args)
        for names in plan:
            table = task.table(state.created)
            operators = []
            for name in filter(None, names):
                operator = task.named(table, name)
                if operator is None:
                    raise KeyError(name)
                operators.append(operator)
                self._likenesses.add(self._likeness(table, operator))
                self._take_in(operator.agents, table, operator.args)
            state = task.step(state, operators)

    def has(self, table: FactTable, operator: Operator) -> bool:
        """Whether it is like one of the plan."""
        locations = self._locations_among(table, operator.args)
        if len(locations) + len(operator.agents) == len(operator.args):
            return all(self._locations[agent].issuperset(locations) for agent in operator.agents)
        return self._likeness(table, operator) in self._likenesses

    def _likeness(self, table: FactTable, operator: Operator) -> Likeness:
        things = (arg for arg in operator.args if not (self.any_agent and arg in operator.agents))
        names = (
            table.objects[one].name if one < self._n_given else f"a {table.objects[one].kind}"
            for one in things
        )
        return (self._task.actions[operator.schema].name, *names)

    def _locations_among(self, table: FactTable, args: Iterable[int]) -> list[int]:
        types = {*self._task.portable_types, self._task.agent_type}
        return [arg for arg in args if table.objects[arg].type not in types]

    def _take_in(self, agents: Iterable[int], table: FactTable, args: Iterable[int]) -> None:
        for agent in self._locations if self.any_agent else agents:
            self._locations[agent].update(self._locations_among(table, args))
