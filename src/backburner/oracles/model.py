"""A scheduling problem as a constraint model for OR-Tools CP-SAT.

``schedule`` states what every plan must satisfy; the oracles add what they look for. OR-Tools is an
optional part, imported only when a model is built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from backburner.kernel.errors import MissingExtra
from backburner.kernel.scheduling import Activity, Problem
from backburner.oracles.result import Status

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntervalVar, IntVar, LinearExprT


def cp_sat() -> Any:
    """The module of OR-Tools that states and solves models; raises ``MissingExtra``."""
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        raise MissingExtra("solve", "an exact oracle") from error
    return cp_model


class Schedule(NamedTuple):
    """The variables of a plan: each activity's start and end, and when it holds the agent."""

    problem: Problem
    model: CpModel
    start: dict[str, IntVar]
    end: dict[str, LinearExprT]
    attention: list[IntervalVar]


def schedule(problem: Problem, horizon: int) -> Schedule:
    """The model of all plans of ``problem`` that end by ``horizon``."""
    model = cp_sat().CpModel()
    start = {a.name: model.new_int_var(0, horizon, f"start of {a.name}") for a in problem.activities}
    end = {a.name: start[a.name] + a.duration for a in problem.activities}
    attention = [
        model.new_fixed_size_interval_var(start[a.name], a.attention, f"attention to {a.name}")
        for a in problem.activities
    ]
    plan = Schedule(problem, model, start, end, attention)
    needs_come_first(plan)
    agent_attends_to_one_thing_at_a_time(plan)
    resources_are_not_overbooked(plan)
    # Everything is over at the horizon.
    for last in end.values():
        model.add(last <= horizon)
    return plan


def needs_come_first(plan: Schedule) -> None:
    """An activity starts no earlier than the end of each activity that it waits for."""
    for activity in plan.problem.activities:
        for before in activity.after:
            plan.model.add(plan.start[activity.name] >= plan.end[before])


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


def users_of(problem: Problem, resource: str) -> list[Activity]:
    """The activities that hold the resource while they run."""
    return [activity for activity in problem.activities if resource in activity.resources]


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


def search(model: CpModel, *, time_limit_seconds: float, workers: int, seed: int) -> Search:
    """Search for the best plan. With one worker and time to finish, equal models give equal plans."""
    cp = cp_sat()
    solver = cp.CpSolver()
    solver.parameters.max_time_in_seconds = time_limit_seconds
    solver.parameters.num_workers = workers
    solver.parameters.random_seed = seed
    words: dict[Any, Status] = {
        cp.OPTIMAL: "optimal",
        cp.FEASIBLE: "feasible",
        cp.INFEASIBLE: "infeasible",
        cp.UNKNOWN: "unknown",
    }
    status = words[solver.solve(model)]
    # Without a plan, the solver's bound of 0 may only mean that it has none yet.
    planned = status in ("optimal", "feasible")
    return Search(solver, status, round(solver.best_objective_bound) if planned else None)
