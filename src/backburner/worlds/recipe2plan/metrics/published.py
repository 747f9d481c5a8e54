"""What the article prints, as numbers, and its data set table (Table 2) beside ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from backburner.kernel.scoring import Published, rounded_mean
from backburner.worlds.recipe2plan.game.actions import Cook, Piece
from backburner.worlds.recipe2plan.game.compiled import Compiled
from backburner.worlds.recipe2plan.game.rule_set import NO_LIMITS, STANDARD
from backburner.worlds.recipe2plan.game.rules import Rulebook
from backburner.worlds.recipe2plan.game.scenarios import Scenario, Step
from backburner.worlds.recipe2plan.metrics.beliefs import Belief
from backburner.worlds.recipe2plan.metrics.efficiency import reference_efficiency
from backburner.worlds.recipe2plan.metrics.rounds import Modulo


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


@cache
def published_tables() -> _Tables:
    """The article's tables as numbers."""
    raw = files("backburner.worlds.recipe2plan").joinpath("data", "published.json").read_bytes()
    return msgspec.json.decode(raw, type=_Tables)


# --- the data set ----------------------------------------------------------------------------------------

COLUMNS = ("statistic", "these scenarios", "article (Table 2)")

Figure = float | int | None


def statistics(scenarios: Sequence[Scenario]) -> tuple[Sequence[str], list[list[Any]]]:
    """The lines of Table 2 for these scenarios; ``None`` where there is nothing to take a mean of.

    Each recipe is counted once, in however many scenarios it stands. The article has 29 recipes; the
    released instances use 24 of them.
    """
    figures = {**_of_recipes(scenarios), **_of_plans(scenarios)}
    printed = {row.statistic: row.value for row in published_tables().table2}
    return COLUMNS, [[name, figures[name], printed[name]] for name in printed]


def _of_recipes(scenarios: Sequence[Scenario]) -> dict[str, Figure]:
    recipes = list(dict.fromkeys(recipe for scenario in scenarios for recipe in scenario.recipes))
    steps = [step for recipe in recipes for step in recipe.steps]

    def per_recipe(count: Callable[[Step], int]) -> Figure:
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


def _of_plans(scenarios: Sequence[Scenario]) -> dict[str, Figure]:
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
