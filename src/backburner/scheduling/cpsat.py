"""The solver behind this package: OR-Tools CP-SAT, which is an optional part of the installation."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from backburner.kernel.errors import MissingExtra
from backburner.kernel.oracle import Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ortools.sat.python.cp_model import CpModel, CpSolver, LinearExprT

POLL_SECONDS = 0.1
"""How often a search looks for Ctrl-C, where the system does not wake a waiting thread."""


def cp_sat() -> Any:
    """The module of OR-Tools that states and solves models; raises ``MissingExtra``."""
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        raise MissingExtra("solve", "an exact oracle") from error
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

    ``effort`` limits the search in the solver's deterministic time, in units of a few seconds each:
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
