"""The shipped tables against what was read out of the released files, number by number."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.worlds.recipe2plan.game.scenarios import (
    Instance,
    Scenario,
    scenario_of,
    shipped_instances,
    shipped_recipes,
)
from backburner.worlds.recipe2plan.metrics.plans import reference_efficiency
from backburner.worlds.recipe2plan.metrics.score import statistics
from support.facts import facts_about

every_recipe = pytest.mark.parametrize("name", shipped_recipes())
every_instance = pytest.mark.parametrize(
    "instance", shipped_instances().values(), ids=lambda instance: str(instance.number)
)


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    """What was read out of the released files; skips where it is not there."""
    return facts_about("recipe2plan")


def test_the_same_recipes_and_pairs(facts: dict[str, Any]) -> None:
    assert [recipe["name"] for recipe in facts["recipes"]] == list(shipped_recipes())
    pairs = [tuple(instance["recipes"]) for instance in facts["instances"]]
    assert pairs == list(shipped_instances())


@every_recipe
def test_steps_of_a_recipe(facts: dict[str, Any], name: str) -> None:
    recorded = next(recipe for recipe in facts["recipes"] if recipe["name"] == name)
    steps = shipped_recipes()[name].steps
    assert len(steps) == recorded["n_steps"]
    for number, (step, known) in enumerate(zip(steps, recorded["steps"], strict=True)):
        assert known["index"] == number
        assert step.seconds == known["duration_min"] * 60
        assert (step.autonomous, step.splittable) == (known["autonomous"], known["interruptible"])
        assert list(step.after) == known["depends_on"]
        uses = known.get("resource", {})
        assert step.appliance == uses.get("object")
        assert step.needs_fahrenheit == uses.get("needs_temperature_f")
        assert step.sets_fahrenheit == uses.get("sets_temperature_f")


@every_recipe
def test_limits_of_a_recipe(facts: dict[str, Any], name: str) -> None:
    recorded = next(recipe for recipe in facts["recipes"] if recipe["name"] == name)
    limits = {
        (known["index"], int(later), minutes * 60)
        for known in recorded["steps"]
        for later, minutes in known.get("max_lag_min_to", {}).items()
    }
    steps = enumerate(shipped_recipes()[name].steps)
    assert {(lag.after, number, lag.seconds) for number, step in steps for lag in step.lags} == limits


@every_instance
def test_a_pair_and_its_plans(facts: dict[str, Any], instance: Instance) -> None:
    recorded = facts["instances"][instance.number]
    recipes = [shipped_recipes()[name] for name in instance.recipes]
    steps = [step for recipe in recipes for step in recipe.steps]
    assert len(steps) == recorded["n_steps"]
    assert sum(step.seconds for step in steps) == recorded["sum_duration_min"] * 60
    autonomous = sum(step.seconds for step in steps if step.autonomous)
    assert autonomous == recorded["sum_autonomous_min"] * 60
    for lags, setting in ((False, "without"), (True, "with")):
        known = recorded[f"heuristic_{setting}_constraints"]
        scenario = scenario_of(recipes, lags)
        assert scenario.instance == instance.number
        if known is None:
            assert scenario.reference is None
            continue
        assert scenario.reference is not None
        makespan = max(action.start + action.seconds for action in scenario.reference)
        assert makespan == known["makespan_min"] * 60
        share = reference_efficiency(scenario, len(scenario.reference))
        assert share == pytest.approx(known["efficiency"], abs=1e-6)


def test_table_2_is_what_was_measured(facts: dict[str, Any]) -> None:
    """The measured figures of the released data; the article's beside them are as printed."""
    table = {row["statistic"]: row for row in facts["paper_table2"]}
    rows = {row[0]: row[1:] for row in statistics(every_scenario())[1]}
    over_recipes = {
        "actions per recipe": "mean actions per recipe",
        "autonomous actions per recipe": "mean autonomous actions per recipe",
        "interruptible actions per recipe": "mean interruptible actions per recipe",
        "time constraints per recipe": "mean time constraints per recipe",
        "minutes per time constraint": "mean time limit, min",
    }
    for ours, theirs in over_recipes.items():
        assert rows[ours][0] == pytest.approx(table[theirs]["measured"]["over_24"], abs=0.0051)
        assert rows[ours][1] == table[theirs]["paper"]
    minutes = table["mean duration per action, min"]
    assert rows["minutes per action"][0] == pytest.approx(
        minutes["measured"]["over_24_recipes_steps"], abs=0.0051
    )
    assert rows["minutes per action"][1] == minutes["paper"]
    for setting, key in (("without", "mean_of_65"), ("with", "mean_of_64")):
        known = table[f"heuristic efficiency {setting} constraints, %"]
        ours = rows[f"efficiency {setting} time constraints (%)"]
        assert ours == [pytest.approx(known["measured"][key], abs=0.0051), known["paper"]]
    choices = table["mean executable actions per step"]
    measured = next(iter(choices["measured"].values()))
    assert rows["executable actions per step"] == [pytest.approx(measured, abs=0.0051), choices["paper"]]
    assert rows["recipes"] == [24, table["recipes"]["paper"]]
    assert rows["instances"] == [65, table["instances"]["paper"]]


def every_scenario() -> list[Scenario]:
    recipes = shipped_recipes()
    return [
        scenario_of([recipes[name] for name in names], lags)
        for lags in (True, False)
        for names in shipped_instances()
    ]
