"""A scheduling problem as a constraint model for OR-Tools CP-SAT.

``schedule`` states what every plan must satisfy; the oracles add what they look for. OR-Tools is an
optional part, imported only when a model is built.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from backburner.kernel.errors import MissingExtra
from backburner.kernel.scheduling import Activity, Problem
from backburner.kernel.solution import Status
from backburner.scheduling.levels import levels_are_as_needed, sharing, take_turns_or_share
from backburner.scheduling.plan import Schedule, users_of
from backburner.scheduling.stopping import solved

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import BoolVarT, CpModel, CpSolver


def cp_sat() -> Any:
    """The module of OR-Tools that states and solves models; raises ``MissingExtra``."""
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        raise MissingExtra("solve", "an exact oracle") from error
    return cp_model


def schedule(problem: Problem, horizon: int, follows: Mapping[str, str] | None = None) -> Schedule:
    """The model of all plans of ``problem`` that end by ``horizon`` and split nothing any further."""
    model = cp_sat().CpModel()
    start = {a.name: model.new_int_var(0, horizon, f"start of {a.name}") for a in problem.activities}
    end = {a.name: start[a.name] + a.duration for a in problem.activities}
    attention = [
        model.new_fixed_size_interval_var(start[a.name], a.attention, f"attention to {a.name}")
        for a in problem.activities
    ]
    plan = Schedule(problem, model, start, end, attention, follows or {})
    needs_come_first(plan)
    lags_are_kept(plan)
    agent_attends_to_one_thing_at_a_time(plan)
    resources_are_not_overbooked(plan)
    levels_are_as_needed(plan)
    # Everything is over at the horizon.
    for last in end.values():
        model.add(last <= horizon)
    return plan


def needs_come_first(plan: Schedule) -> None:
    """An activity starts no earlier than the end of each activity that it waits for."""
    for activity in plan.problem.activities:
        for before in activity.after:
            plan.model.add(plan.start[activity.name] >= plan.end[before])


def lags_are_kept(plan: Schedule) -> None:
    """An activity, or what is done of it without a break, starts within its maximum lags."""
    model = plan.model
    for activity in plan.problem.activities:
        before = plan.follows.get(activity.name)
        runs_on = runs_on_from(plan, before, activity) if before and activity.lags else None
        for lag in activity.lags:
            kept = model.add(plan.start[activity.name] <= plan.end[lag.after] + lag.at_most)
            if runs_on is not None:
                kept.only_enforce_if(~runs_on)


def runs_on_from(plan: Schedule, before: str, activity: Activity) -> BoolVarT:
    """A literal: if true, the piece begins as the one before ends, and nothing else starts just then."""
    model, start, end = plan.model, plan.start[before], plan.end[activity.name]
    runs_on = model.new_bool_var(f"{activity.name} runs on")
    # Each of the two lasts one step.
    both = model.new_optional_interval_var(start, 2, end, runs_on, f"{before} and what runs on")
    # What takes attention cannot start within them as it is.
    at_once = [
        model.new_fixed_size_interval_var(plan.start[a.name], 0, f"{a.name} starts")
        for a in plan.problem.activities
        if a.attention == 0
    ]
    model.add_no_overlap([both, *at_once])
    return runs_on


def agent_attends_to_one_thing_at_a_time(plan: Schedule) -> None:
    """The intervals that hold the agent are disjoint."""
    plan.model.add_no_overlap(plan.attention)


def resources_are_not_overbooked(plan: Schedule) -> None:
    """At no time do the running activities hold more units of a resource than there are."""
    for resource in plan.problem.resources:
        users = users_of(plan.problem, resource.name)
        demands = [user.resources.count(resource.name) for user in users]
        if sum(demands) <= resource.capacity:
            continue
        if pairs := sharing(plan.problem, resource.name):
            take_turns_or_share(plan, users, pairs)
            continue
        held = [
            plan.model.new_fixed_size_interval_var(
                plan.start[user.name], user.duration, f"{user.name} holds {resource.name}"
            )
            for user in users
        ]
        if resource.capacity == 1 and max(demands) == 1:
            plan.model.add_no_overlap(held)
        else:
            plan.model.add_cumulative(held, demands, resource.capacity)


class Search(NamedTuple):
    """How a search went; ``bound`` is the solver's, ``None`` if it has no plan to go with it."""

    solver: CpSolver
    status: Status
    bound: int | None

    def starts(self, plan: Schedule) -> dict[str, int] | None:
        """The start of each activity in the plan that was found, if one was."""
        if self.status not in ("optimal", "feasible"):
            return None
        return {name: self.solver.value(start) for name, start in plan.start.items()}


def search(
    model: CpModel, *, time_limit_seconds: float, workers: int, seed: int, effort: float = inf
) -> Search:
    """Search for the best plan. With one worker and time to finish, equal models give equal plans.

    ``effort`` limits the search too, in the solver's own units, which take some seconds each: however
    busy the machine is, it stops at the same point.
    """
    cp = cp_sat()
    solver = cp.CpSolver()
    solver.parameters.max_time_in_seconds = time_limit_seconds
    solver.parameters.max_deterministic_time = effort
    solver.parameters.num_workers = workers
    solver.parameters.random_seed = seed
    words: dict[Any, Status] = {
        cp.OPTIMAL: "optimal",
        cp.FEASIBLE: "feasible",
        cp.INFEASIBLE: "infeasible",
        cp.UNKNOWN: "unknown",
    }
    status = words[solved(solver, model)]
    # Without a plan, the solver's bound of 0 may only mean that it has none yet.
    planned = status in ("optimal", "feasible")
    return Search(solver, status, round(solver.best_objective_bound) if planned else None)
