"""Recipe2Plan's generator: recipes that nobody has written, or a pool's in new sets, and what is measured.

By the article's rule (section 3.3) a set of recipes is chosen if it gives much to gain without maximum lags
(an efficiency above 80 %) and if the lags cost some of it. The article measures both on its heuristic's
plans: what the heuristic loses it may lose by its own fault, so efficiencies of proven plans are told beside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import comb
from pathlib import Path
from typing import Any, get_args

from msgspec.structs import replace

from backburner.kernel.errors import Refused, shorten
from backburner.kernel.generating import Draft, Draw, Generator, Naming, Result, Structure, Work
from backburner.kernel.oracle import Request, Solution
from backburner.kernel.pack import Argument
from backburner.kernel.schedule import problem_of
from backburner.kernel.values import Outcome
from backburner.worlds.recipe2plan.game import Cook, Recipe, Recipe2Plan, catalogue
from backburner.worlds.recipe2plan.game.compiled import APPLIANCES, COOK, one_by_one
from backburner.worlds.recipe2plan.game.scenario_files import file_of, read_pool
from backburner.worlds.recipe2plan.game.scenarios import Knowledge, shipped_instances, shipped_recipes
from backburner.worlds.recipe2plan.metrics.plans import complete_efficiency
from backburner.worlds.recipe2plan.oracle.drafting import PARAMETERS, free_draft
from backburner.worlds.recipe2plan.oracle.solver import ORACLE, heuristic_plan

# --- sets of recipes ----------------------------------------------------------------------------------------

PUBLISHED = "published"
"""The pool of the 24 recipes that ship."""

WITH, WITHOUT = "constrained", "unconstrained"
"""The folders of the scenarios with and without maximum lags, named like the published suites."""


def set_draft(source: str, size: int, number: int) -> Draft:
    """The scenario of one set out of a pool, with its lags, and beside it that without; ``number`` counts
    the sets in order of their names, over and over.

    Their ids differ, so that records of both can stand in one folder. Raises ``Refused`` if the pool is too
    small, ``BadFile`` as ``read_pool`` does.
    """
    pool = list(shipped_recipes().values()) if source == PUBLISHED else read_pool(Path(source))
    if not 1 <= size <= len(pool):
        names = shorten(", ".join(sorted(recipe.name for recipe in pool)))
        raise Refused(f"sets of {size} cannot be formed of so few recipes ({len(pool)}: {names})")
    recipes = next(islice(sets_of(pool, size), number % comb(len(pool), size), None))
    name = "+".join(recipe.name for recipe in recipes)
    fields = {**file_of(name, recipes, True), "limit": None}
    del fields["world"]
    beside = {f"{WITHOUT}/{name}": file_of(f"{name}.{WITHOUT}", recipes, False)}
    return Draft(fields, path=f"{WITH}/{name}", beside=beside)


def sets_of(pool: Sequence[Recipe], size: int) -> Iterator[tuple[Recipe, ...]]:
    """Every set of so many recipes once, in order of their names; a published pair in its own order."""
    published = {frozenset(names): names for names in shipped_instances()}
    for found in combinations(sorted(pool, key=lambda recipe: recipe.name), size):
        by_name = {recipe.name: recipe for recipe in found}
        names = published.get(frozenset(by_name), tuple(by_name))
        yield tuple(by_name[name] for name in names)


def rule_of(recipes: Sequence[Recipe], free: int | None, tied: int | None) -> tuple[float, float]:
    """(efficiency without lags, how much of it they cost) of plans that take so many seconds without and with
    them; 0 where there is no plan, or nothing runs by itself."""
    most, kept = (complete_efficiency(recipes, seconds) if seconds else None for seconds in (free, tied))
    return most or 0.0, (most or 0.0) - (kept or 0.0) if free and tied else 0.0


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
    "heuristic-efficiency": "efficiency of the plan of the article's Algorithm 1; 0 if it finds none",
    "heuristic-drop": "how much of that the lags cost; 0 if it finds no plan that keeps them",
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

    help = (
        "New recipes, of steps that name what they work on and what was done to it; or sets out of a pool "
        "of recipes: then two folders appear in --out, constrained and unconstrained."
    )
    parameters = PARAMETERS
    arguments = (
        Argument(
            name="knowledge",
            help="What the cook knows beyond the recipes' texts.",
            values=get_args(Knowledge),
            default="none",
        ),
        Argument(name="from", help="Sets out of a folder with recipes, or of the published 24: published."),
        Argument(name="size", kind="whole number", least=1, default=2, help="Recipes in a set."),
    )
    dials = DIALS
    naming = Naming(reserved=RESERVED)
    scripts = ("serial", "busy", "first-legal", "random")
    effort = 2.0
    bands = ("middle", "high")  # in the lowest, busy play attained .955 and .958: more than leaves a scale
    things = "max"
    limit = "limit"

    def draft(self, parameters: Mapping[str, Any], options: Mapping[str, Any], draw: Draw) -> Draft:
        """See ``drafting`` and ``sets``."""
        if "from" in options:
            draft = set_draft(options["from"], options.get("size", 2), draw.seed)
        else:
            draft = free_draft(parameters, draw.random)
        if options.get("knowledge", "none") == "none":
            return draft
        told = {"knowledge": options["knowledge"]}
        beside = {path: {**file, **told} for path, file in draft.beside.items()}
        return replace(draft, fields={**draft.fields, **told}, beside=beside)

    def with_answer(
        self, fields: Mapping[str, Any], options: Mapping[str, Any], solution: Solution
    ) -> Mapping[str, Any]:
        """Sets out of a pool have no limit."""
        return {name: value for name, value in fields.items() if value is not None}

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
        read = map(world.reader.read, solution.plan)
        whole = (
            world.plan(solution.starts) if solution.starts else [one for one in read if isinstance(one, Cook)]
        )
        pieces = one_by_one(whole)
        most = world.limits.turns
        return pieces if pieces and (most is None or len(pieces) <= most) else None

    def own(
        self, world: Recipe2Plan, solution: Solution | None, decisions: Sequence[Any]
    ) -> Mapping[str, float]:
        """``lag-cost`` is T* / T* without lags - 1; it, ``efficiency`` and ``drop`` are told if both are
        proven."""
        if solution is None or solution.status != "optimal" or not solution.objective:
            return {}
        scenario, freed = world.scenario, world
        if world.compiled.lags:
            freed = catalogue.build(world.id, replace(scenario, lags=False), world.rules, "none")
        by_heuristic = (heuristic_plan(each).seconds for each in (freed, world))
        most, cost = rule_of(scenario.recipes, *by_heuristic)
        found = {"heuristic-efficiency": most, "heuristic-drop": cost}
        free = solution if freed is world else ORACLE.solve(freed, Request(effort=self.effort))
        if free.status == "optimal" and free.objective:
            found["lag-cost"] = solution.objective / free.objective - 1
            found["efficiency"], found["drop"] = rule_of(scenario.recipes, free.objective, solution.objective)
        return found


GENERATOR = Recipe2PlanGenerator()
"""What Recipe2Plan's pack names."""
