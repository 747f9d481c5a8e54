"""Oracles: proven optimal plans, the published heuristic, and bounds.

Every plan is played and measured by the world that it is for; an oracle never scores itself.
"""

from backburner.oracles.cpsat import solve_problem
from backburner.oracles.optima import collect, write_optima
from backburner.oracles.recipe2plan_heuristic import HeuristicPlan, heuristic_plan
from backburner.oracles.result import Solution
from backburner.oracles.solve import solve_world
from backburner.oracles.timearena_script import ScriptPlan, script_plan
from backburner.oracles.waits import most_necessary_waits

__all__ = [
    "HeuristicPlan",
    "ScriptPlan",
    "Solution",
    "collect",
    "heuristic_plan",
    "most_necessary_waits",
    "script_plan",
    "solve_problem",
    "solve_world",
    "write_optima",
]
