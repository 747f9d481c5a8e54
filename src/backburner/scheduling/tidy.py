"""Tidy plans: no more pieces than their length needs.

The shortest plan is searched for in pieces of one step of the grid; which of them lie side by side is
left to chance. Here the length is given, and a plan with the fewest breaks is searched for.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backburner.kernel.scheduling import Problem
from backburner.kernel.solution import Solution
from backburner.scheduling.model import runs_on_from, schedule, search
from backburner.scheduling.pieces import Cut, joined

EFFORT = 0.5
"""Of this search (see ``model.search``): about two seconds. Few plans need a tenth of it."""


def tidied(answer: Solution, problem: Problem, cut: Cut, **how: Any) -> Solution:
    """The answer with a plan as long, in the fewest pieces that are found.

    ``cut`` is the problem in pieces, of which the answer has a plan, and without a break none is as
    short.
    """
    if answer.objective is None or answer.starts is None:
        return answer
    plan = schedule(cut.problem, answer.objective // problem.grid, cut.follows)
    pieces = {activity.name: activity for activity in cut.problem.activities}
    run_on = [runs_on_from(plan, before, pieces[name]) for name, before in cut.follows.items()]
    plan.model.add(sum(run_on) < len(run_on))
    plan.model.maximize(sum(run_on))
    found = search(plan.model, effort=EFFORT, **how)
    seconds, starts = answer.seconds + found.solver.wall_time, found.starts(plan)
    if starts is None:
        return replace(answer, seconds=seconds)
    return replace(answer, seconds=seconds, starts=min(answer.starts, joined(problem, starts), key=len))
