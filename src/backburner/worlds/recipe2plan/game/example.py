"""The worked example of a plan (article, Tables 11, 12 and 14): recipes of our own, planned by the oracle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from backburner.kernel.text import WorkedPlan
from backburner.worlds.recipe2plan.game.beliefs import gold, parts, statement
from backburner.worlds.recipe2plan.game.rule_set import STANDARD, Rules
from backburner.worlds.recipe2plan.game.scenarios import Recipe, Scenario
from backburner.worlds.recipe2plan.game.state import FINISH, Cook, Piece
from backburner.worlds.recipe2plan.game.text import clock, recipe_text, words


class _ExampleFile(Struct, forbid_unknown_fields=True):
    source: str
    recipes: tuple[Recipe, ...]
    plan: tuple[tuple[int, int, int, int], ...]


@cache
def _shipped() -> _ExampleFile:
    raw = files("backburner.worlds.recipe2plan").joinpath("data", "example.json").read_bytes()
    return msgspec.json.decode(raw, type=_ExampleFile)


def example_recipes() -> tuple[Recipe, ...]:
    """The recipes of the example; none of them is among the published ones."""
    return _shipped().recipes


def example_plan() -> tuple[Piece, ...]:
    """The plan for them, by start. It keeps every time constraint, and is no longer than without them."""
    names = [recipe.name for recipe in example_recipes()]
    return tuple(Piece(step, names[of], seconds, start) for step, of, seconds, start in _shipped().plan)


def example_scenario(scenario: Scenario, single: bool) -> Scenario:
    """The example, or the first of its recipes alone, told as the scenario tells its own."""
    recipes = example_recipes()[: 1 if single else None]
    return Scenario(recipes, scenario.lags, knowledge=scenario.knowledge, hints=scenario.hints)


def example_decisions(scenario: Scenario) -> tuple[Cook, ...]:
    """How a scenario of the example's recipes is played, action by action; at last the word that all is
    done, for rules under which play goes on until then."""
    true = (Cook(beliefs=tuple(map(gold, scenario.recipes))),) if scenario.knowledge == "beliefs" else ()
    return (*true, *(Cook((piece,)) for piece in _plan_of(scenario.recipes)), FINISH)


def _plan_of(recipes: Sequence[Recipe]) -> tuple[Piece, ...]:
    names = [recipe.name for recipe in recipes]
    return tuple(piece for piece in example_plan() if piece.recipe in names)


def worked_plan(scenario: Scenario, single: bool, rules: Rules) -> WorkedPlan:
    """The example, or the first of its recipes alone; of them is told what the scenario tells of its own."""
    recipes = example_scenario(scenario, single).recipes
    plan = _plan_of(recipes)
    task = "\n\n".join(_told(recipe, scenario, rules) for recipe in recipes)
    return WorkedPlan(task, "\n".join(_outline(recipes, plan)), words(Cook(plan), STANDARD))


def _told(recipe: Recipe, scenario: Scenario, rules: Rules) -> str:
    """The recipe with the truth about it, or with beliefs, which are true here, where there are any."""
    truth = gold(recipe)
    beyond = {"none": [], "beliefs": [statement(truth)], "gold": list(parts(truth))}
    return "\n".join((recipe_text(recipe, scenario.lags, rules), *beyond[scenario.knowledge]))


def _outline(recipes: Sequence[Recipe], plan: Sequence[Piece]) -> Iterator[str]:
    """A sentence for each step that runs by itself: what the cook does meanwhile."""
    steps = {(recipe.name, number): step for recipe in recipes for number, step in enumerate(recipe.steps)}
    busy = [piece for piece in plan if not steps[piece.recipe, piece.step].autonomous]
    for piece in plan:
        if steps[piece.recipe, piece.step].autonomous:
            meanwhile = [one for one in busy if piece.start <= one.start < piece.stop]
            done = _listed([(one, one.seconds < steps[one.recipe, one.step].seconds) for one in meanwhile])
            yield (
                f"Step {piece.step} of {piece.recipe} runs by itself from {clock(piece.start)} to "
                f"{clock(piece.stop)}; what I begin meanwhile: {done or 'nothing'}."
            )


def _listed(pieces: Sequence[tuple[Piece, bool]]) -> str:
    """Pieces in words; of some only a part is done."""
    named = (f"{'part of ' * partial}step {piece.step} of {piece.recipe}" for piece, partial in pieces)
    return ", ".join(dict.fromkeys(named))
