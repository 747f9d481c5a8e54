"""Recipe2Plan's metrics (article, section 4.2), as its program computes them and as it states them.

The four figures of the result tables are the program's: relative efficiency is averaged over
failures too, is 0 where it is undefined, and is measured against as many actions of the stored plan
as were accepted. The article's own definition (as many *steps*, unbounded, where it is defined)
stands beside them. ``statistics`` sets the article's data set table (Table 2) beside ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.activities import OVERLAP, overlap
from backburner.kernel.charts import Figure
from backburner.kernel.episode import Episode
from backburner.kernel.experiments import experiments
from backburner.kernel.files import shipped
from backburner.kernel.headline import Best
from backburner.kernel.replay import trajectory
from backburner.kernel.scoring import (
    Estimator,
    Measured,
    Measures,
    Metric,
    Published,
    Scoring,
    Section,
    mean,
    mean_of,
    rounded_mean,
    success,
)
from backburner.kernel.values import Refusal
from backburner.worlds.recipe2plan.game.catalogue import catalogue, known_optimum
from backburner.worlds.recipe2plan.game.compiled import Compiled
from backburner.worlds.recipe2plan.game.rule_set import NO_LIMITS, STANDARD
from backburner.worlds.recipe2plan.game.scenarios import Scenario, Step
from backburner.worlds.recipe2plan.game.state import Cook, Piece, State
from backburner.worlds.recipe2plan.game.transition import Rulebook
from backburner.worlds.recipe2plan.game.world import Recipe2Plan
from backburner.worlds.recipe2plan.metrics import analysis, beliefs, failures, plans
from backburner.worlds.recipe2plan.metrics.analysis import HINTS, TOLD
from backburner.worlds.recipe2plan.metrics.beliefs import Belief
from backburner.worlds.recipe2plan.metrics.plans import Modulo, reference_efficiency


def multitasking_score(rows: Sequence[Measures]) -> float | None:
    """The mean relative efficiency, with 0 for failures (article, equation 3)."""
    return mean([100 * row["relative"] * row["success"] for row in rows if "relative" in row])


def article_score(rows: Sequence[Measures]) -> float | None:
    """Relative efficiency as stated, or 0 for a failure; where it is defined, or a failure."""
    scores = [row.get("article relative") if row["success"] else 0.0 for row in rows]
    return mean([100 * score for score in scores if score is not None])


def cooking_time(rows: Sequence[Measures]) -> float | None:
    """The mean minute at which the last step ends, over the completed episodes."""
    return mean([row["seconds"] / 60 for row in rows if row["success"]])


def regret(rows: Sequence[Measures]) -> float | None:
    """100 (T / T* - 1), mean over completed episodes whose optimum T* is proven."""
    known = [row for row in rows if row["success"] and "optimum" in row]
    return mean([100 * (row["seconds"] / row["optimum"] - 1) for row in known])


COMPLETE = "Σ complete steps / steps / N"
AS_RELEASED = "min(E / Eref, 5 E), or 0"
ARTICLE_RELATIVE = mean_of("article relative", 100)
"""Equation 2, where it is defined."""

rate = partial(Metric, unit="%", better="higher")
stated = partial(rate, lowest=0)
time = partial(Metric, better="lower", lowest=0)

METRICS = (
    Metric("Success", "success rate", "%", "higher", success, "100 · S / N", share=True),
    rate("Progress", "progress rate", over=mean_of("progress"), formula=COMPLETE, lowest=0, highest=100),
    # As released; only published pairs have it.
    rate("R-Efficiency", "relative efficiency", over=mean_of("relative", 100), formula=AS_RELEASED),
    rate("SxE", "multitasking score", over=multitasking_score, formula="R-Efficiency if success, else 0"),
    # Where a step that runs by itself was completed (equation 1).
    rate("Efficiency", "efficiency", over=mean_of("efficiency", 100), formula="T_save / T_auto", lowest=0),
    stated("R-Efficiency*", "relative efficiency as stated", over=ARTICLE_RELATIVE, formula="E / Eref"),
    stated("SxE*", "multitasking score as stated", over=article_score, formula="E / Eref if success, else 0"),
    time("Minutes", "cooking time", "min", over=cooking_time, formula="Σ last end over successes / S"),
    time("regret", "time above the proven optimum", "%", over=regret, formula="100 · mean(T / T* − 1)"),
    OVERLAP,
)


def best(id: str) -> Best | None:
    """The best SxE* of a published pair, by its id: that of the proven shortest plan, or of its bound.

    A plan that completes everything is as efficient as it is short (``plans.complete_efficiency``).
    ``None`` without an optimum, or where the pair has no stored plan: SxE* is then not defined.
    """
    known, scenario = known_optimum(id), registry.scenario(id)
    steps = sum(len(recipe.steps) for recipe in scenario.recipes)
    stored = reference_efficiency(scenario, steps)
    own = None if known is None else plans.complete_efficiency(scenario.recipes, known.bound)
    value = plans.article_relative(own, stored)
    if known is None or value is None:
        return None
    return Best(100 * value, "optimum" if known.status == "optimal" else "bound")


def _beside(row: Published) -> Iterator[Published]:
    """The row in the group of its setting: the article's models play with the truth ("Oracle") or with
    beliefs of their own; its heuristic is compared with both."""
    for knowledge, belongs in (("gold", "Oracle" in row.agent), ("beliefs", "Oracle" not in row.agent)):
        if belongs or row.agent == "Heuristics":
            yield replace(row, group=row.group + TOLD[knowledge])


class Recipe2PlanScoring(Scoring):
    """See ``kernel.scoring.Scoring`` for what each part promises."""

    metrics: Sequence[Metric] = METRICS
    main: Sequence[str] = ("Success", "SxE", "Progress", "regret")

    @property
    def published(self) -> Sequence[Published]:
        """Tables 3, 4 and 8 and section 5.1 of the article: all rows, and again those of a setting
        beside episodes that were played in it."""
        results = published_tables().results
        return (*results, *(again for row in results for again in _beside(row)))

    def group(self, episode: Episode) -> str:
        """With or without time constraints, and what the cook is told beyond the recipes' texts; what is
        not a published pair is a group of its own."""
        scenario = episode.header.scenario
        setting = "with" if scenario.get("lags", True) else "without"
        told = TOLD[scenario.get("knowledge", "none")] + HINTS * scenario.get("hints", False)
        other = "" if "instance" in scenario else ", other recipes"
        return f"{setting} time constraints{told}{other}"

    def measure(self, episode: Episode) -> Measures:
        """Success, progress, efficiencies (where defined) and counts of what was decided."""
        header = episode.header
        world = catalogue.of(header)
        turns = list(trajectory(episode, world))
        state = turns[-1][2].state if turns else world.start(header.seed)
        figures = {**dict(_figures(world, state)), **analysis.counts(episode)}
        figures |= beliefs.measures(world, turns)
        known = known_optimum(header.id) if header.rules_name == "standard" else None
        if known is not None and known.status == "optimal":
            figures["optimum"] = known.seconds
            work = sum(job.step.seconds for job in world.compiled.jobs)
            saved = overlap(episode.events(), work, known.seconds) if figures["success"] else None
            if saved is not None:
                figures["overlap"] = saved
        return figures

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """See ``statistics.statistics``."""
        return statistics(list(map(registry.scenario, ids)))

    def kind_of_refusal(self, refusal: Refusal) -> str:
        """The name of the refusal in the article's Table 15."""
        return analysis.kind_of_refusal(refusal)

    def sections(self, rows: Sequence[Measured]) -> Sequence[Section]:
        """What the agents did and why they failed (article, Figure 5), how far they were from the
        optimum; what they believed (Table 9); plans and their critics (Table 7)."""
        played = [*analysis.sections(rows), *failures.sections(rows), *plans.gap_sections(rows)]
        believed = beliefs.sections(rows, published_tables().beliefs)
        return [*played, *believed, *plans.round_sections(rows, published_tables().modulo)]

    def figures(self, rows: Sequence[Measured], estimate: Estimator) -> Sequence[Figure]:
        """Success with the constraints told (Figure 3), hints (4), invalid actions and ends (5)."""
        played = list(experiments(rows, self.group))
        of_groups = analysis.comparisons(played, self.metrics, self.published, estimate)
        return [*of_groups, analysis.actions_and_ends(rows)]


def _figures(world: Recipe2Plan, state: State) -> Iterator[tuple[str, float]]:
    kitchen, scenario = state.kitchen, world.scenario
    numbers = world.outcome(state).numbers
    yield "success", numbers["completed"]
    yield "progress", numbers["progress_percent"]
    yield "seconds", numbers["seconds"]
    own = plans.efficiency(world.compiled, kitchen)
    if own is not None:
        yield "efficiency", own
    if scenario.instance is not None:
        by_actions = plans.reference_efficiency(scenario, kitchen.actions)
        yield "relative", plans.released_relative(own, by_actions)
    by_steps = plans.reference_efficiency(scenario, kitchen.done)
    stated = plans.article_relative(own, by_steps)
    if stated is not None:
        yield "article relative", stated


class Statistic(Struct, frozen=True):
    """A row of the article's Table 2."""

    statistic: str
    value: float


class _Tables(Struct, forbid_unknown_fields=True):
    source: str
    table2: tuple[Statistic, ...]
    results: tuple[Published, ...]
    modulo: tuple[Modulo, ...]
    beliefs: tuple[Belief, ...]


def published_tables() -> _Tables:
    """The article's tables as numbers."""
    return shipped("backburner.worlds.recipe2plan", "published", _Tables)


# --- the data set ----------------------------------------------------------------------------------------

COLUMNS = ("statistic", "these scenarios", "article (Table 2)")

Value = float | int | None


def statistics(scenarios: Sequence[Scenario]) -> tuple[Sequence[str], list[list[Any]]]:
    """The lines of Table 2 for these scenarios; ``None`` where there is nothing to take a mean of.

    Each recipe is counted once, in however many scenarios it stands. The article has 29 recipes; the
    released instances use 24 of them.
    """
    figures = {**_of_recipes(scenarios), **_of_plans(scenarios)}
    printed = {row.statistic: row.value for row in published_tables().table2}
    return COLUMNS, [[name, figures[name], printed[name]] for name in printed]


def _of_recipes(scenarios: Sequence[Scenario]) -> dict[str, Value]:
    recipes = list(dict.fromkeys(recipe for scenario in scenarios for recipe in scenario.recipes))
    steps = [step for recipe in recipes for step in recipe.steps]

    def per_recipe(count: Callable[[Step], int]) -> Value:
        return rounded_mean([sum(map(count, recipe.steps)) for recipe in recipes])

    return {
        "recipes": len(recipes),
        "actions per recipe": per_recipe(lambda step: 1),
        "autonomous actions per recipe": per_recipe(lambda step: step.autonomous),
        "interruptible actions per recipe": per_recipe(lambda step: step.splittable),
        "time constraints per recipe": per_recipe(lambda step: len(step.lags)),
        "minutes per action": rounded_mean([step.seconds / 60 for step in steps]),
        "minutes per time constraint": rounded_mean(
            [lag.seconds / 60 for step in steps for lag in step.lags]
        ),
        "instances": len({scenario.recipes for scenario in scenarios}),
    }


def _of_plans(scenarios: Sequence[Scenario]) -> dict[str, Value]:
    """Figures of the published heuristic's plans.

    Executable actions are counted along the plans without lags, whose 3.05 the article's 3.1 comes
    nearest to, and along the plans with lags (3.30) only where there are no others.
    """
    free = [scenario for scenario in scenarios if not scenario.lags]
    bound = [scenario for scenario in scenarios if scenario.lags]
    choices = [n for scenario in free or bound for n in executable(scenario)]
    return {
        "executable actions per step": rounded_mean(choices),
        "efficiency without time constraints (%)": rounded_mean(_efficiencies(free)),
        "efficiency with time constraints (%)": rounded_mean(_efficiencies(bound)),
    }


def executable(scenario: Scenario) -> list[int]:
    """How many steps could start at once, before each action of the stored plan; empty without one."""
    book = Rulebook(Compiled(scenario), STANDARD, NO_LIMITS)
    state, counts = book.start(), []
    for action in scenario.reference or ():
        kitchen = state.kitchen
        counts.append(sum(piece.start == kitchen.clock for piece in book.legality.possible(kitchen)))
        piece = Piece(action.step, scenario.recipes[action.recipe].name, action.seconds, action.start)
        state = book.step(state, Cook((piece,))).state
    return counts


def _efficiencies(scenarios: Sequence[Scenario]) -> list[float]:
    """Of the stored plans, in per cent."""
    shares = [reference_efficiency(scenario, len(scenario.reference or ())) for scenario in scenarios]
    return [100 * share for share in shares if share is not None]


scoring = Recipe2PlanScoring()
