"""Recipe2Plan's generator: recipes that nobody has written, and what is measured of scenarios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from msgspec.structs import replace

from backburner.kernel.generating import Draft, Draw, Generator, Naming, Result, Structure, Work
from backburner.kernel.oracle import Request, Solution
from backburner.kernel.pack import Argument
from backburner.kernel.schedule import problem_of
from backburner.kernel.values import Outcome
from backburner.worlds.recipe2plan.game import Cook, Recipe2Plan, catalogue
from backburner.worlds.recipe2plan.game.compiled import APPLIANCES, COOK, one_by_one
from backburner.worlds.recipe2plan.game.scenarios import Knowledge, Scenario
from backburner.worlds.recipe2plan.metrics.plans import complete_efficiency
from backburner.worlds.recipe2plan.oracle.drafting import PARAMETERS, free_draft
from backburner.worlds.recipe2plan.oracle.solver import ORACLE

DIALS = {
    "length": "steps of all recipes",
    "decisions": "pieces of steps that the proven plan starts",
    "width": "seconds of all steps over those of the proven plan",
    "attention": "share of the proven plan in which the cook is kept busy",
    "chain": "longest chain of steps, in seconds, over the proven plan",
    "contention": "seconds for which an appliance is needed over the proven plan, of the scarcest",
    "joins": "share of steps that wait for two steps or more",
    "depth": "steps of the chain that has most of them",
    "lags": "share of steps that may not wait for long after another one",
    "lag-cost": "how much longer the proven plan takes than one that need not keep the lags",
    "efficiency": "without lags, the time saved by doing things at once over that of what runs by itself",
    "drop": "how much of that efficiency the lags cost",
    "distractors": "share of the kitchen's appliances that no step needs",
    "hidden": "share of facts that are not told: what waits for what, runs by itself, needs which appliance",
    "gap": "how much later than in the proven plan everything is done, of a script",
    "choice": "share of moments at which some step makes the best end that is still possible later",
}

RESERVED = (
    *(COOK, *APPLIANCES, "step", "steps", "recipe", "action", "thought", "observation", "finish", "none"),
    *("beliefs", "autonomous", "continuous", "dependencies", "appliances", "all", "that"),
    *("min", "sec", "hour"),
)
"""Words that answers, observations and recipes are told with."""


class Recipe2PlanGenerator(Generator):
    """Drafts recipes to be cooked together."""

    help = """New recipes, of steps that name what they work on and what was done to it."""
    parameters = PARAMETERS
    arguments = (
        Argument(
            name="knowledge",
            help="what the cook knows beyond the recipes' texts",
            values=get_args(Knowledge),
            default="none",
        ),
    )
    dials = DIALS
    naming = Naming(reserved=RESERVED)
    scripts = ("serial", "busy", "first-legal", "random")
    limit = "limit"

    def draft(self, parameters: Mapping[str, Any], options: Mapping[str, Any], draw: Draw) -> Draft:
        """See ``drafting``."""
        return free_draft(parameters, options.get("knowledge", "none"), draw.random)

    def structure(self, world: Recipe2Plan) -> Structure:
        """The steps, each of the job of its recipe. What is told of the recipes are facts of a step: what it
        waits for, and whether it runs by itself and in which appliance."""
        problem, jobs = problem_of(world), world.compiled.jobs
        needed = {resource for activity in problem.activities for resource in activity.resources}
        secret = world.scenario.knowledge != "gold"
        waits = sum(len(job.after) for job in jobs)
        facts = sum(1 + (job.appliance is not None) for job in jobs)
        return Structure(
            activities=tuple(
                Work(activity, job=job.recipe) for activity, job in zip(problem.activities, jobs, strict=True)
            ),
            resources=problem.resources,
            bodies=(COOK,),
            objects={resource.name: resource.name in needed for resource in problem.resources},
            told={
                "durations": (len(jobs), 0),
                "precedence": (waits, waits * secret),
                "recipes": (facts, facts * secret),
            },
        )

    def result(self, world: Recipe2Plan, outcome: Outcome) -> Result:
        """The share of complete steps."""
        numbers, steps = outcome.numbers, len(world.compiled.jobs)
        done = round(numbers["progress_percent"] * steps / 100)
        return Result(done / steps, int(numbers["seconds"]), bool(numbers["completed"]))

    def plan(self, world: Recipe2Plan, solution: Solution) -> Sequence[Cook] | None:
        """Piece by piece, unless these are more decisions than there may be."""
        pieces = one_by_one(world.plan(solution.starts)) if solution.starts else ()
        most = world.limits.turns
        return pieces if pieces and (most is None or len(pieces) <= most) else None

    def own(
        self, world: Recipe2Plan, solution: Solution | None, decisions: Sequence[Any]
    ) -> Mapping[str, float]:
        """``lag-cost``, T* / T* without lags - 1, ``efficiency`` and ``drop``; nothing unless both are
        proven."""
        if solution is None or solution.status != "optimal" or not solution.objective:
            return {}
        free = solution if not world.compiled.lags else self._without_lags(world)
        if free.status != "optimal" or not free.objective:
            return {}
        recipes = world.scenario.recipes
        most, kept = (complete_efficiency(recipes, plan.objective or 0) or 0.0 for plan in (free, solution))
        cost = solution.objective / free.objective - 1
        return {"lag-cost": cost, "efficiency": most, "drop": most - kept}

    def _without_lags(self, world: Recipe2Plan) -> Solution:
        scenario: Scenario = replace(world.scenario, lags=False)
        freed = catalogue.build(world.id, scenario, world.rules, "none")
        return ORACLE.solve(freed, Request(effort=self.effort))


GENERATOR = Recipe2PlanGenerator()
"""What Recipe2Plan's pack names."""
