"""How good plans are: multitasking efficiency, and time above the proven optimum.

Efficiency (article, section 4.2, equations 1 and 2) is here as stated and as released.

``T_save`` is how much shorter the cooking was than its actions one after the other, ``T_auto`` the
time of the complete steps that run by themselves; efficiency is their ratio. Relative efficiency
divides it by that of a beginning of the published heuristic's plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backburner.kernel import registry
from backburner.kernel.charts import Bar, Bars, Figure, Group
from backburner.kernel.scoring import Measured, Section
from backburner.worlds.recipe2plan.game.compiled import Compiled
from backburner.worlds.recipe2plan.game.scenarios import Recipe, ReferenceAction, Scenario
from backburner.worlds.recipe2plan.game.state import Kitchen
from backburner.worlds.recipe2plan.metrics.analysis import cells

EDGES = (1, 2, 3, 4, 5, 10, 15, 20, 30, 60)
"""Minutes: an action belongs to the first of them that it does not exceed."""


def figure_6() -> tuple[Sequence[Section], Sequence[Figure]]:
    """The shipped durations, which GPT-4o annotated, over the actions of each recipe once."""
    scenarios = map(registry.scenario, registry.expand("recipe2plan/constrained"))
    recipes = dict.fromkeys(recipe for scenario in scenarios for recipe in scenario.recipes)
    minutes = [step.seconds / 60 for recipe in recipes for step in recipe.steps]
    rows = []
    for low, high in zip((0, *EDGES), (*EDGES, float("inf")), strict=True):
        number = sum(low < each <= high for each in minutes)
        rows.append((_named(low, high), number, round(100 * number / len(minutes), 1)))
    shares = tuple(Group(name, (Bar("actions", share),)) for name, _, share in rows)
    text = f"{len(minutes)} actions of {len(recipes)} recipes by their duration."
    return (
        (Section("Durations of actions", text, ("minutes", "actions", "%"), tuple(rows)),),
        (Figure("figure-6", "Durations of actions", text, (Bars("Durations", "% of actions", shares),)),),
    )


def _named(low: float, high: float) -> str:
    if high == float("inf"):
        return f"over {low:g}"
    return f"{high:g}" if high - low <= 1 else f"{low + 1:g} to {high:g}"


MOST_RELATIVE = 5
"""The release takes no reference below a fifth: relative is at most five times absolute."""


def efficiency(compiled: Compiled, kitchen: Kitchen) -> float | None:
    """T_save / T_auto of what was cooked; ``None`` before a step that runs by itself is complete."""
    auto = compiled.autonomous_seconds(kitchen.left)
    return max(0, kitchen.worked - kitchen.finish) / auto if auto else None


def complete_efficiency(recipes: Sequence[Recipe], seconds: int) -> float | None:
    """Efficiency of any plan that completes these recipes in so many seconds.

    Whatever the plan, its actions take as long together as all steps, and all that runs by itself is
    complete. So several optimal plans have one efficiency, and a longer plan has a lower one. ``None``
    if nothing runs by itself.
    """
    steps = [step for recipe in recipes for step in recipe.steps]
    auto = sum(step.seconds for step in steps if step.autonomous)
    return max(0, sum(step.seconds for step in steps) - seconds) / auto if auto else None


def reference_efficiency(scenario: Scenario, n_actions: int) -> float | None:
    """Efficiency of the first ``n_actions`` of the stored plan; it may be below 0, as released.

    ``None`` without a plan, or while nothing in it runs by itself.
    """
    begun = (scenario.reference or ())[:n_actions]
    auto = sum(action.seconds for action in begun if _autonomous(scenario, action))
    return (sum(action.seconds for action in begun) - _last_end(begun)) / auto if auto else None


def released_relative(own: float | None, reference: float | None) -> float:
    """Relative efficiency as released: 0 where it is undefined, and bounded (``MOST_RELATIVE``)."""
    if own is None or not reference:
        return 0.0
    return min(own / reference, MOST_RELATIVE * own)


def article_relative(own: float | None, reference: float | None) -> float | None:
    """Relative efficiency as the article states it; ``None`` where it is undefined."""
    return own / reference if own is not None and reference is not None and reference > 0 else None


def _autonomous(scenario: Scenario, action: ReferenceAction) -> bool:
    return scenario.recipes[action.recipe].steps[action.step].autonomous


def _last_end(actions: Sequence[ReferenceAction]) -> int:
    return max((action.start + action.seconds for action in actions), default=0)


# --- time above the proven optimum -----------------------------------------------------------------------

STORED = "stored plans (the article's heuristic)"

Plan = tuple[float, float]
"""How long it takes, and the least that is possible."""


def gap(plan: Plan) -> float:
    """100 (T / T* - 1): time above the proven optimum, in per cent."""
    seconds, optimum = plan
    return 100 * (seconds / optimum - 1)


def sections(rows: Sequence[Measured]) -> list[Section]:
    """One table over all plans whose optimum is proven; none where there is no such plan."""
    table = [*_stored_rows(rows), *_agent_rows(rows)]
    if not table:
        return []
    section = Section(
        "Time above the proven optimum",
        "100 · (T / T* − 1) of the completed episodes whose optimum T* is proven, and how many of them take "
        "no longer than it. The stored plans are those of the article's heuristic, of the same scenarios.",
        ("agent", "setting", "plans", "mean %", "most %", "optimal"),
        tuple(table),
    )
    return [section]


def _stored_rows(rows: Sequence[Measured]) -> Iterator[tuple[Any, ...]]:
    """One for each setting, over the scenarios that were played, each counted once."""
    plans: dict[str, dict[Any, Plan]] = {}
    for episode, measures in rows:
        scenario = episode.header.scenario
        if "optimum" in measures and scenario.get("reference"):
            setting = "lags on" if scenario.get("lags", True) else "lags off"
            plan = (stored_seconds(scenario), measures["optimum"])
            plans.setdefault(setting, {})[scenario.get("instance")] = plan
    for setting, found in plans.items():
        yield (STORED, setting, *_figures(list(found.values())))


def stored_seconds(scenario: Mapping[str, Any]) -> int:
    """When the last action of the stored plan ends; the scenario as a record's header has it."""
    ends: list[int] = [action["start"] + action["seconds"] for action in scenario["reference"]]
    return max(ends)


def _agent_rows(rows: Sequence[Measured]) -> Iterator[tuple[Any, ...]]:
    for agent, setting, mine in cells(rows):
        plans = [(row["seconds"], row["optimum"]) for _, row in mine if row["success"] and "optimum" in row]
        if plans:
            yield (agent, setting, *_figures(plans))


def _figures(plans: Sequence[Plan]) -> tuple[int, float, float, int]:
    """(number, mean, most, how many are optimal)."""
    gaps = [gap(plan) for plan in plans]
    mean = round(sum(gaps) / len(gaps), 1)
    return len(plans), mean, round(max(gaps), 1), sum(seconds == optimum for seconds, optimum in plans)
