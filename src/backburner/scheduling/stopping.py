"""A search of the solver that Ctrl-C ends at once, and everything that was waiting for it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver

OFTEN_SECONDS = 0.1
"""Between two looks for Ctrl-C, where the system does not wake a waiting thread."""


def solved(solver: CpSolver, model: CpModel) -> Any:
    """The status of ``solver.solve(model)``.

    Left to itself the solver would take Ctrl-C for the end of this one search, and the program would
    go on with the next. Here the search runs beside the thread that hears it. Raises
    ``KeyboardInterrupt`` when the search has stopped.
    """
    solver.parameters.catch_sigint_signal = False
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(solver.solve, model)
        try:
            while not search.done():
                wait([search], OFTEN_SECONDS)
        except KeyboardInterrupt:
            while not search.done():
                solver.stop_search()
                wait([search], OFTEN_SECONDS)
            raise
    return search.result()
