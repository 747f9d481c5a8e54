"""A scheduling problem as a constraint model, and its solver, OR-Tools CP-SAT, which is optional.

``schedule_model`` states what every schedule must satisfy; who solves it adds the objective. For each
activity i with duration p(i) the model has a start variable S(i); its end is C(i) = S(i) + p(i).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import combinations, permutations
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from backburner.kernel.errors import needs_extra
from backburner.kernel.oracle import Status
from backburner.kernel.schedule import Activity, MachineState, Problem

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import (
        BoolVarT,
        CpModel,
        CpSolver,
        IntervalVar,
        IntVar,
        LinearExprT,
        LiteralT,
    )


# --- the solver --------------------------------------------------------------------------------------------


POLL_SECONDS = 0.1
"""How often a search looks for Ctrl-C, where the system does not wake a waiting thread."""


def cp_sat() -> Any:
    """The module of OR-Tools that states and solves models; raises ``MissingExtra``."""
    with needs_extra("solve", "an exact oracle"):
        from ortools.sat.python import cp_model
    return cp_model


class Search(NamedTuple):
    """How a search ended. ``bound`` is the solver's bound on the objective, ``None`` without a solution."""

    solver: CpSolver
    status: Status
    bound: int | None

    def values(self, variables: Mapping[str, LinearExprT]) -> dict[str, int] | None:
        """The value of each variable in the best solution; ``None`` without a solution."""
        if self.status not in ("optimal", "feasible"):
            return None
        return {name: self.solver.value(variable) for name, variable in variables.items()}


def search(
    model: CpModel, *, time_limit_seconds: float, workers: int, seed: int, effort: float = inf
) -> Search:
    """Search for the best solution. With one worker and enough time, equal models give equal solutions.

    ``effort`` limits the search in the solver's deterministic time, in units of one to a few seconds each:
    unlike ``time_limit_seconds`` it stops at the same point however busy the machine is. Raises
    ``KeyboardInterrupt`` on Ctrl-C, when the search has stopped.
    """
    cp = cp_sat()
    solver = cp.CpSolver()
    solver.parameters.max_time_in_seconds = time_limit_seconds
    solver.parameters.max_deterministic_time = effort
    solver.parameters.num_workers = workers
    solver.parameters.random_seed = seed
    statuses: dict[Any, Status] = {
        cp.OPTIMAL: "optimal",
        cp.FEASIBLE: "feasible",
        cp.INFEASIBLE: "infeasible",
        cp.UNKNOWN: "unknown",
    }
    status = statuses[_solve(solver, model)]
    # Without a solution, the solver's bound of 0 may only mean that it has none yet.
    solved = status in ("optimal", "feasible")
    return Search(solver, status, round(solver.best_objective_bound) if solved else None)


class Budget:
    """What searches may spend together, one after the other: seconds, or where there is an ``effort`` that
    much of the solver's deterministic time, with one worker, however long it takes."""

    def __init__(
        self, time_limit_seconds: float = 60.0, workers: int = 1, seed: int = 0, effort: float | None = None
    ) -> None:
        self._seconds = time_limit_seconds if effort is None else inf
        self._effort = inf if effort is None else effort
        self._workers = workers if effort is None else 1
        self._seed = seed

    def search(self, model: CpModel, effort: float = inf) -> Search:
        """See ``search``; it may spend what is left, and no more than this effort."""
        found = search(
            model,
            time_limit_seconds=self._seconds,
            workers=self._workers,
            seed=self._seed,
            effort=min(effort, self._effort),
        )
        self._seconds = max(0.0, self._seconds - found.solver.wall_time)
        self._effort = max(0.0, self._effort - found.solver.response_proto.deterministic_time)
        return found


def _solve(solver: CpSolver, model: CpModel) -> Any:
    """The status of ``solver.solve(model)``; Ctrl-C ends the whole program, not this search alone.

    By itself the solver takes Ctrl-C for the end of this one search, and the program would go on with
    the next one. So the search runs in a thread of its own, beside the thread that hears Ctrl-C.
    """
    solver.parameters.catch_sigint_signal = False
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(solver.solve, model)
        try:
            while not running.done():
                wait([running], POLL_SECONDS)
        except KeyboardInterrupt:
            while not running.done():
                solver.stop_search()
                wait([running], POLL_SECONDS)
            raise
    return running.result()


# --- the model ---------------------------------------------------------------------------------------------


class ScheduleModel(NamedTuple):
    """The variables of a schedule, and the solver's model that constrains them.

    ``start`` and ``end``: by activity. ``operator``: the intervals in which activities, and thoughts about
    them, hold the operator. ``part_before``: for each further part of a preemptive activity the part before
    it, both by name.
    """

    problem: Problem
    cp: CpModel
    start: dict[str, IntVar]
    end: dict[str, LinearExprT]
    operator: list[IntervalVar]
    part_before: Mapping[str, str]


def schedule_model(
    problem: Problem, horizon: int, part_before: Mapping[str, str] | None = None
) -> ScheduleModel:
    """The model of all schedules of ``problem`` that end by ``horizon`` and preempt no activity.

    Preemption is modelled by parts that are activities of their own; see ``preemption``.
    """
    cp = cp_sat().CpModel()
    start = {a.name: cp.new_int_var(0, horizon, f"start of {a.name}") for a in problem.activities}
    end = {a.name: start[a.name] + a.duration for a in problem.activities}
    operator = [
        cp.new_fixed_size_interval_var(start[a.name], a.operator_time, f"operator at {a.name}")
        for a in problem.activities
    ]
    model = ScheduleModel(problem, cp, start, end, operator, part_before or {})
    releases_are_kept(model)
    deadlines_are_kept(model)
    thoughts_come_before_starts(model)
    predecessors_end_first(model)
    maximum_lags_are_kept(model)
    operator_is_at_one_activity_at_a_time(model)
    resource_capacities_are_kept(model)
    machine_states_are_as_required(model)
    # C(i) <= horizon for every activity i.
    for last in end.values():
        cp.add(last <= horizon)
    return model


def users_of(problem: Problem, resource: str) -> list[Activity]:
    """The activities that hold the resource while they run."""
    return [activity for activity in problem.activities if resource in activity.resources]


# --- releases and deadlines ---------------------------------------------------------------------------


def releases_are_kept(model: ScheduleModel) -> None:
    """Releases: S(i) >= r(i) for every activity i that is not there from the beginning."""
    for activity in model.problem.activities:
        if activity.release:
            model.cp.add(model.start[activity.name] >= activity.release)


def deadlines_are_kept(model: ScheduleModel) -> None:
    """Deadlines: C(i) <= d(i) for every activity i that has one."""
    for activity in model.problem.activities:
        if activity.deadline is not None:
            model.cp.add(model.end[activity.name] <= activity.deadline)


# --- precedence and maximum lags ----------------------------------------------------------------------


def predecessors_end_first(model: ScheduleModel) -> None:
    """Precedence: S(j) >= C(i) for every predecessor i of j."""
    for activity in model.problem.activities:
        for predecessor in activity.predecessors:
            model.cp.add(model.start[activity.name] >= model.end[predecessor])


def maximum_lags_are_kept(model: ScheduleModel) -> None:
    """Maximum lags: S(j) <= C(i) + d for every lag of at most d from i to j.

    Of a preempted activity this holds for each part that does not continue the part before it.
    """
    for activity in model.problem.activities:
        before = model.part_before.get(activity.name)
        continues = continuation(model, before, activity) if before and activity.max_lags else None
        for lag in activity.max_lags:
            kept = model.cp.add(model.start[activity.name] <= model.end[lag.after] + lag.at_most)
            if continues is not None:
                kept.only_enforce_if(~continues)


def continuation(model: ScheduleModel, before: str, part: Activity) -> BoolVarT:
    """A literal: if true, the part starts when the one before it ends, and nothing else starts just then."""
    cp, start, end = model.cp, model.start[before], model.end[part.name]
    continues = cp.new_bool_var(f"{part.name} continues {before}")
    # A part lasts one unit, so that two parts with no gap between them take two.
    both = cp.new_optional_interval_var(start, 2, end, continues, f"{before} and {part.name}")
    # The operator is at these parts, so that only activities without an operator could start in between.
    starts = [
        cp.new_fixed_size_interval_var(model.start[a.name], 0, f"{a.name} starts")
        for a in model.problem.activities
        if a.operator_time == 0
    ]
    cp.add_no_overlap([both, *starts])
    return continues


# --- the operator and the resources -------------------------------------------------------------------


def thoughts_come_before_starts(model: ScheduleModel) -> None:
    """Decisions that take L: S(i) >= L, and the operator is held from S(i) - L on.

    Of a preempted activity this holds for each part that does not continue the part before it.
    """
    cp, ticks = model.cp, model.problem.decision_ticks
    for activity in model.problem.activities if ticks else ():
        start, before = model.start[activity.name], model.part_before.get(activity.name)
        cp.add(start >= ticks)
        begins = ~continuation(model, before, activity) if before else cp.new_constant(1)
        thought = cp.new_optional_fixed_size_interval_var(
            start - ticks, ticks, begins, f"thought of {activity.name}"
        )
        model.operator.append(thought)


def operator_is_at_one_activity_at_a_time(model: ScheduleModel) -> None:
    """The operator: no two of the intervals [S(i), S(i) + w(i)) overlap, w(i) being i's operator time.

    An interval of no length is at no instant within another one.
    """
    model.cp.add_no_overlap(model.operator)


def resource_capacities_are_kept(model: ScheduleModel) -> None:
    """Renewable resources: at any time the running activities hold no more units than the capacity."""
    for resource in model.problem.resources:
        users = users_of(model.problem, resource.name)
        demands = [user.resources.count(resource.name) for user in users]
        if sum(demands) <= resource.capacity:
            continue
        if pairs := shared_setups(model.problem, resource.name):
            users_take_turns_or_share(model, users, pairs)
            continue
        held = [
            model.cp.new_fixed_size_interval_var(
                model.start[user.name], user.duration, f"{user.name} holds {resource.name}"
            )
            for user in users
        ]
        if resource.capacity == 1 and max(demands) == 1:
            model.cp.add_no_overlap(held)
        else:
            model.cp.add_cumulative(held, demands, resource.capacity)


# --- machine states -----------------------------------------------------------------------------------


def machine_states_are_as_required(model: ScheduleModel) -> None:
    """Setups: an activity starts when its machine is in the state that it requires."""
    for activity in model.problem.activities:
        if activity.requires is not None:
            machine_is_in_state(model, activity, activity.requires, model.cp.new_constant(1))


def machine_is_in_state(
    model: ScheduleModel, activity: Activity, state: MachineState, condition: BoolVarT
) -> None:
    """If ``condition``: some setup to the state precedes the activity, and no other setup comes between.

    A literal for each setup to that state says that the activity relies on it. Every setup of the
    machine to another state then ends before the one relied on starts, or starts after the activity.
    """
    cp, start, end = model.cp, model.start, model.end
    others = [a for a in model.problem.activities if a.name != activity.name]
    setups = {
        a.name: cp.new_bool_var(f"{activity.name} relies on {a.name}") for a in others if a.sets == state
    }
    cp.add_bool_or(~condition, *setups.values())
    changes = [a.name for a in others if a.sets and a.sets.resource == state.resource and a.sets != state]
    for setup, relied_on in setups.items():
        cp.add(end[setup] <= start[activity.name]).only_enforce_if(relied_on)
        for change in changes:
            earlier = cp.new_bool_var(f"{change} before {setup}")
            cp.add(end[change] <= start[setup]).only_enforce_if(earlier)
            cp.add(start[change] >= end[activity.name]).only_enforce_if(relied_on, ~earlier)


def shared_setups(problem: Problem, resource: str) -> list[tuple[Activity, Activity]]:
    """Pairs (user, setup) that may hold the machine together; see ``Activity.sets``."""
    pairs = []
    for user, setup in permutations(users_of(problem, resource), 2):
        state = setup.sets
        if state is None or state.resource != resource or user.duration != setup.duration:
            continue
        if user.sets == state or (_sets_nothing(user, resource) and user.operator_time == 0):
            pairs.append((user, setup))
    return pairs


def _sets_nothing(activity: Activity, resource: str) -> bool:
    return activity.sets is None or activity.sets.resource != resource


def users_take_turns_or_share(
    model: ScheduleModel, users: Sequence[Activity], pairs: Sequence[tuple[Activity, Activity]]
) -> None:
    """Disjunction: of two users i and j, C(i) <= S(j), or C(j) <= S(i), or they share as ``pairs`` allow."""
    cp = model.cp
    for one, other in combinations(users, 2):
        before = cp.new_bool_var(f"{one.name} before {other.name}")
        after = cp.new_bool_var(f"{other.name} before {one.name}")
        cp.add(model.end[one.name] <= model.start[other.name]).only_enforce_if(before)
        cp.add(model.end[other.name] <= model.start[one.name]).only_enforce_if(after)
        cp.add_bool_or(before, after, *_shared(model, one, other, pairs))


def _shared(
    model: ScheduleModel, one: Activity, other: Activity, pairs: Sequence[tuple[Activity, Activity]]
) -> list[LiteralT]:
    """A literal for each of the ``pairs`` that these two are: if true, they run at the same time.

    Where the user is no setup to the same state, the machine must be in that state before.
    """
    literals: list[LiteralT] = []
    for user, setup in pairs:
        if {user.name, setup.name} != {one.name, other.name}:
            continue
        share = model.cp.new_bool_var(f"{setup.name} with {user.name}")
        model.cp.add(model.start[user.name] == model.start[setup.name]).only_enforce_if(share)
        if user.sets != setup.sets and setup.sets is not None:
            machine_is_in_state(model, user, setup.sets, share)
        literals.append(share)
    return literals
