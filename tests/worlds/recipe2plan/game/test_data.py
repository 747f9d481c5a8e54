"""The shipped tables, swept: what the article says about them, and that they hang together."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest
from msgspec.structs import replace

from backburner.kernel.files import Place
from backburner.worlds.recipe2plan.game.recipe_checks import check_recipes
from backburner.worlds.recipe2plan.game.scenarios import (
    Instance,
    Recipe,
    Scenario,
    combine,
    shipped_instances,
    shipped_recipes,
    suites,
)
from backburner.worlds.recipe2plan.metrics.score import published_tables

RECIPES = list(shipped_recipes().values())
INSTANCES = list(shipped_instances().values())
STEPS = [(recipe.name, number, step) for recipe in RECIPES for number, step in enumerate(recipe.steps)]

every_recipe = pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
every_instance = pytest.mark.parametrize("instance", INSTANCES, ids=lambda instance: str(instance.number))


# --- what the article and the released files say ---------------------------------------------------


def test_sixty_five_pairs_of_twenty_four_recipes() -> None:
    """Article, Table 2; of its 29 recipes the released instances use 24."""
    assert len(RECIPES) == 24
    assert [instance.number for instance in INSTANCES] == list(range(65))
    assert len({frozenset(instance.recipes) for instance in INSTANCES}) == 65
    assert all(len(set(instance.recipes)) == 2 for instance in INSTANCES)


def test_three_hundred_steps() -> None:
    assert len(STEPS) == 300
    assert sum(step.autonomous for _, _, step in STEPS) == 76
    assert sum(step.splittable for _, _, step in STEPS) == 99
    assert sum(len(step.lags) for _, _, step in STEPS) == 64


def test_durations_are_half_minutes_and_limits_one_to_five_minutes() -> None:
    assert all(step.seconds % 30 == 0 and 30 <= step.seconds <= 3600 for _, _, step in STEPS)
    assert {lag.seconds for _, _, step in STEPS for lag in step.lags} == {60, 120, 180, 240, 300}


def test_limits_count_from_steps_done_in_one_go() -> None:
    """A limit counts from a direct prerequisite, but for one; five steps with a limit may be split."""
    indirect, split = [], []
    for name, number, step in STEPS:
        for lag in step.lags:
            assert not shipped_recipes()[name].steps[lag.after].splittable
            indirect += [] if lag.after in step.after else [(name, lag.after, number)]
            split += [(name, lag.after, number)] if step.splittable else []
    assert indirect == [("Dinosaur-Eggs", 1, 4)]
    assert sorted(split) == [
        ("Choco", 12, 13),
        ("Daikon-Radish", 9, 13),
        ("Pizza", 1, 2),
        ("Saltine-Candy", 1, 2),
        ("Smore-Bars", 4, 5),
    ]


def test_appliances_and_temperatures() -> None:
    """Only the oven has a temperature; one preheating keeps the cook busy."""
    assert {step.appliance for _, _, step in STEPS} == {None, "oven", "stove", "microwave"}
    preheats = [(name, number, step) for name, number, step in STEPS if step.sets_fahrenheit]
    assert {step.sets_fahrenheit for _, _, step in preheats} == {350, 390, 425, 450, 464, 482}
    assert [(name, number) for name, number, step in preheats if not step.autonomous] == [
        ("Rainbow-Cupcakes", 0)
    ]
    for _, _, step in STEPS:
        heats = step.sets_fahrenheit, step.needs_fahrenheit
        assert (step.appliance == "oven") == (heats != (None, None))


def test_no_pair_fights_over_the_oven() -> None:
    """23 pairs use no oven, 41 preheat it once, one does so twice, in one recipe."""
    preheats = Counter[int]()
    for instance in INSTANCES:
        steps = [[s for s in shipped_recipes()[name].steps if s.sets_fahrenheit] for name in instance.recipes]
        assert not all(steps)
        preheats[sum(map(len, steps))] += 1
    assert preheats == {0: 23, 1: 41, 2: 1}


# --- that the tables hang together -----------------------------------------------------------------


def test_each_recipe_passes_the_checks_of_a_users_own() -> None:
    check_recipes(RECIPES, Place("recipes.json"))


def test_nothing_is_there_that_is_not_used() -> None:
    assert {name for instance in INSTANCES for name in instance.recipes} == set(shipped_recipes())


def test_no_two_recipes_are_equal() -> None:
    bare = {tuple(replace(step, text="") for step in recipe.steps) for recipe in RECIPES}
    assert len(bare) == len({recipe.name for recipe in RECIPES}) == 24


@every_instance
@pytest.mark.parametrize("lags", [True, False])
def test_a_stored_plan_does_every_step_once(instance: Instance, lags: bool) -> None:
    """It never splits a step and is sorted by start; the plan with limits is missing for one pair."""
    plan = instance.reference(lags)
    if plan is None:
        assert (instance.number, instance.recipes, lags) == (16, ("Pizza", "Chocolate-Egg"), True)
        return
    recipes = [shipped_recipes()[name] for name in instance.recipes]
    done = {(action.recipe, action.step): action.seconds for action in plan}
    assert len(done) == len(plan)
    assert done == {
        (place, number): step.seconds
        for place, recipe in enumerate(recipes)
        for number, step in enumerate(recipe.steps)
    }
    assert all(action.start <= following.start for action, following in pairwise(plan))
    for action in plan:
        step = recipes[action.recipe].steps[action.step]
        ends = {a.step: a.start + a.seconds for a in plan if a.recipe == action.recipe}
        assert all(ends[need] <= action.start for need in step.after)
        assert not lags or all(action.start - ends[lag.after] <= lag.seconds for lag in step.lags)


def test_mean_lengths_of_the_stored_plans() -> None:
    """75.99 minutes for 65 pairs without limits, 83.85 for 64 with them."""
    means = []
    for lags in (False, True):
        plans = [plan for plan in (instance.reference(lags) for instance in INSTANCES) if plan]
        ends = [max(action.start + action.seconds for action in plan) / 60 for plan in plans]
        means.append((len(ends), round(sum(ends) / len(ends), 2)))
    assert means == [(65, 75.99), (64, 83.85)]


def test_suites_are_the_published_pairs_in_order() -> None:
    for suite, lags in (("constrained", "on"), ("unconstrained", "off")):
        paths = suites()[suite]
        assert len(paths) == 65
        scenarios = [scenario(path) for path in paths]
        assert [s.instance for s in scenarios] == list(range(65))
        assert {s.lags for s in scenarios} == {lags == "on"}
    assert set(suites()["quick"]) < set(suites()["all"]) and len(suites()["quick"]) == 6


def scenario(path: str) -> Scenario:
    names, _, lags = path.partition("@lags=")
    return combine(names, {"lags": lags})


# --- the sentences ----------------------------------------------------------------------------------

UNSAID = re.compile(
    r"\b(steps?|interrupt\w*|split\w*|autonomous\w*|parallel|concurrent\w*|simultaneous\w*|meanwhile|"
    r"multitask\w*|prerequisites?|depend\w*|constraints?|limits?|lags?|appliances?|occup\w+|agents?|"
    r"actions?|recipes?|durations?|at the same time|in the meantime)\b",
    re.IGNORECASE,
)
"""Words of the benchmark, not of a kitchen: what an agent has to find out must not be in a sentence."""


@every_recipe
def test_sentences_are_a_cooks(recipe: Recipe) -> None:
    for step in recipe.steps:
        assert not UNSAID.search(step.text), step.text
        assert re.fullmatch(r"[A-Z0-9][^\n]*[.]", step.text), step.text
        assert step.text == " ".join(step.text.split())
        assert 1 < len(step.text.split()) <= 30


@every_recipe
def test_sentences_of_a_recipe_differ(recipe: Recipe) -> None:
    """But for the colouring of the cupcakes, which is said twice as released, and two settings aside."""
    times = Counter(step.text for step in recipe.steps)
    twice = {text for text, count in times.items() if count > 1}
    expected = {
        "Rainbow-Cupcakes": {recipe.steps[2].text},
        "Puddings": {"Set it aside."} & twice,
    }
    assert twice == expected.get(recipe.name, set())


def test_temperatures_that_are_named_are_those_of_the_oven() -> None:
    """390 °F is 200 °C and so on, each rounded as released."""
    for name, number, step in STEPS:
        if step.sets_fahrenheit is None:
            continue
        named = [int(n) for n in re.findall(r"\d{3}", step.text)]
        fahrenheit = {n for n in named if n >= 300} | {round(n * 9 / 5 + 32) for n in named if n < 300}
        assert step.sets_fahrenheit in fahrenheit, (name, number)


def test_minutes_that_are_named_are_the_minutes_of_the_step() -> None:
    """Some sentences name a time; where it is not the step's own, the released sentence differs too."""
    others = []
    for name, number, step in STEPS:
        found = re.search(r"(\d+) (second|minute|hour)", step.text)
        if found:
            seconds = int(found[1]) * {"second": 1, "minute": 60, "hour": 3600}[found[2]]
            if seconds != step.seconds:
                others.append((name, number, seconds, step.seconds))
    assert others == [("Chocolate-Egg", 5, 60, 180), ("Chocolate-Cake", 8, 300, 180)]


# --- the article's tables ----------------------------------------------------------------------------


def test_results_of_the_article() -> None:
    """Tables 3 (8 models twice), 4 (7) and 8 (8) with two settings each, the heuristic, section 5.1."""
    results = published_tables().results
    sources = Counter(row.source for row in results)
    assert sources == {"Table 3": 34, "Table 4": 14, "Table 8": 16, "section 5.1": 1}
    assert {row.group for row in results} == {"without time constraints", "with time constraints"}
    assert len({(row.group, row.agent) for row in results}) == len(results)
    best = {(row.agent, row.group): row.figures for row in results}
    assert best["GPT-4o (ReAct)", "with time constraints"] == {
        "Success": 21.5, "Progress": 64.0, "R-Efficiency": 109.5, "SxE": 20.5,
    }  # fmt: skip
    assert best["Gemini-2.5-Pro (Plan-and-Solve + Oracle)", "with time constraints"]["Success"] == 63.1


def test_success_is_a_share_of_sixty_five_instances() -> None:
    """Each printed rate is k / 65; 18.8 is 12 / 64, so one record seems to be missing."""
    shares = {round(100 * k / 65, 1) for k in range(66)}
    odd = [row for row in published_tables().results if row.figures["Success"] not in shares]
    assert [(row.agent, row.figures["Success"]) for row in odd] == [
        ("DeepSeek-R1 (Plan-and-Solve + Oracle)", 18.8)
    ]
    assert "1/64" in odd[0].note


def test_scores_above_success_are_noted() -> None:
    """S x E exceeds the success rate only where relative efficiency exceeds 100."""
    for row in published_tables().results:
        if row.figures.get("SxE", 0) > row.figures["Success"]:
            assert "exceeds the success rate" in row.note


def test_f1_of_beliefs_is_the_harmonic_mean() -> None:
    """F1 = 2 R P / (R + P), to the printed digits."""
    beliefs = published_tables().beliefs
    assert len(beliefs) == 24
    for row in beliefs:
        assert 2 * row.recall * row.precision / (row.recall + row.precision) == pytest.approx(
            row.f1, abs=0.01
        )


def test_table_7_has_plans_to_be_mended_and_plans_to_be_improved() -> None:
    """Table 7: 20 failed plans to be mended, 18 feasible ones to be improved."""
    rows = published_tables().modulo
    assert [(row.agent, row.passed, row.cases) for row in rows] == [
        ("GPT-4o", 3, 20), ("o1-mini", 3, 20), ("GPT-4o", 10, 18), ("o1-mini", 8, 18),
    ]  # fmt: skip
    assert [row.change for row in rows] == [None, None, -2.62, -3.87]
