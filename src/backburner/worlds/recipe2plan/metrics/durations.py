"""How long the actions of recipes take (the article's Figure 6)."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.kernel import registry
from backburner.kernel.charts import Bar, Bars, Figure, Group
from backburner.kernel.scoring import Section

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
