"""The worked example of a plan: as good as can be, of recipes that stand in no test set."""

from __future__ import annotations

import asyncio

import pytest

from backburner.agents.models.examples import demonstrated
from backburner.kernel import registry
from backburner.kernel.oracle import solve_world
from backburner.kernel.text import Examples
from backburner.worlds.recipe2plan.game.reading import cut
from backburner.worlds.recipe2plan.game.scenarios import Scenario, shipped_recipes
from backburner.worlds.recipe2plan.game.text import example_plan, example_recipes
from backburner.worlds.recipe2plan.metrics.assessment import Critics
from backburner.worlds.recipe2plan.metrics.critics import Critique, criticise
from support.recipe2plan.play import kitchen_of, world_of


@pytest.mark.parametrize("lags", [True, False])
def test_the_plan_is_the_oracle_s_and_keeps_everything(lags: bool) -> None:
    """The apples alone take 10 minutes until the oven is hot, 20 in it, and 2 to serve."""
    said = criticise(Scenario(example_recipes(), lags), example_plan())
    assert (said.violations, said.finish) == ((), 32 * 60)
    best = solve_world(kitchen_of(*example_recipes(), lags=lags))
    assert (best.status, best.objective) == ("optimal", 32 * 60)


def test_it_gives_nothing_away() -> None:
    published = shipped_recipes().values()
    texts = {step.text for recipe in published for step in recipe.steps}
    for recipe in example_recipes():
        assert recipe.name not in shipped_recipes()
        assert not any(step.text in texts for step in recipe.steps)


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("rules", ["standard", "released"])
def test_a_world_reads_its_plan_as_it_was_meant(rules: str, single: bool) -> None:
    recipes = example_recipes()[: 1 if single else None]
    world = kitchen_of(*recipes, rules=rules)
    assert isinstance(world, Examples)
    shown = world.worked_plan(single)
    assert cut(shown.plan) == shown.plan
    said = Critics(world.scenario, world.reader).criticise(shown.plan)
    assert isinstance(said, Critique)
    assert not said.violations
    assert all((f"Recipe {recipe.name}" in shown.task) == (recipe in recipes) for recipe in example_recipes())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("@knowledge=none", (True, False, False)),
        ("@knowledge=none,lags=off", (False, False, False)),
        ("@knowledge=gold", (True, True, False)),
        ("@knowledge=beliefs", (True, True, True)),
    ],
)
def test_as_much_is_told_of_it_as_of_the_recipes_to_be_cooked(options: str, told: tuple[bool, ...]) -> None:
    task = world_of(f"Vada{options}").worked_plan().task
    words = ("must start within", "Autonomous: 0, 4, 5", "Beliefs about Baked-Apples")
    assert tuple(word in task for word in words) == told


def test_the_outline_says_what_is_done_at_the_same_time() -> None:
    outline = world_of("Vada").worked_plan().outline
    assert outline.splitlines()[1] == (
        "Step 1 of Leek-Soup runs by itself from 00:07:00 to 00:15:00; what I begin meanwhile: "
        "step 3 of Baked-Apples, part of step 0 of Leek-Soup."
    )


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("knowledge", ["none", "gold", "beliefs"])
def test_its_play_is_shown_action_by_action(knowledge: str, rules: str, single: bool) -> None:
    """Seven actions for the apples, six for the soup; what was believed is no part of it, but is told."""
    world = registry.world(f"recipe2plan/Vada@knowledge={knowledge}", rules=rules)
    shown = asyncio.run(demonstrated(world, "cook", single=single))
    assert shown is not None
    cooked = [step for step in shown.steps if step.decision.actions]
    assert len(cooked) == (7 if single else 13)
    assert not any(step.decision.beliefs for step in shown.steps)
    end = shown.world.outcome(cooked[-1].after).numbers
    assert (end["completed"], end["seconds"]) == (1, 32 * 60)
    seen = shown.world.describe(shown.world.observe(cooked[0].state, "cook"))
    assert ("Beliefs about Baked-Apples" in seen) == (knowledge == "beliefs")
