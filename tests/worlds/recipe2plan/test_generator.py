"""Drafts of new recipes: they load, they can be cooked, their texts tell what waits for what; what is
measured of them."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.generation.names import THEMES, named
from backburner.kernel.generating import Draw, Result
from backburner.kernel.oracle import Request, Solution, solve_world
from backburner.kernel.schedule import perform
from backburner.kernel.testing import check_world
from backburner.worlds.recipe2plan.game import Cook, Lag
from backburner.worlds.recipe2plan.oracle.drafting import MINUTE
from backburner.worlds.recipe2plan.oracle.generator import GENERATOR
from support.recipe2plan.drafts import drafted, parameters, world_of_draft
from support.recipe2plan.play import SOUP, Game, kitchen_of
from support.recipe2plan.recipe_folders import RICE, SALAD


@settings(max_examples=60, deadline=None)
@given(parameters(), st.integers(0, 2**40), st.sampled_from(["none", "beliefs", "gold"]))
def test_any_draft_is_a_file_of_what_was_asked_for(values: dict[str, Any], seed: int, knowledge: str) -> None:
    options = {"knowledge": knowledge}
    draft = GENERATOR.draft(values, options, Draw(seed, Random(seed)))
    assert draft == GENERATOR.draft(values, options, Draw(seed, Random(seed)))
    scenario = world_of_draft(draft.fields).scenario
    steps = [step for recipe in scenario.recipes for step in recipe.steps]
    assert len(steps) == values["steps"] and scenario.knowledge == knowledge
    assert len(scenario.recipes) == min(values["recipes"], len(steps) // 2)
    assert sum(step.autonomous for step in steps) == round(values["alone"] * len(steps))
    assert len({step.appliance for step in steps} - {None}) <= values["devices"]
    most = round(values["lagging"] * len(steps)) if values["lags"] == "some" else 0
    assert sum(bool(step.lags) for step in steps) <= most
    assert scenario.lags == any(step.lags for step in steps)
    # serial play takes all durations together, and the limit is twice that
    assert scenario.limit == 2 * sum(step.seconds for step in steps)


@settings(max_examples=30, deadline=None)
@given(parameters(), st.integers(0, 2**40))
def test_a_text_names_what_the_step_waits_for(values: dict[str, Any], seed: int) -> None:
    """The last verb of each strand, in the past, and its material; a new material has none."""
    draft = GENERATOR.draft(values, {}, Draw(seed, Random(seed)))
    for recipe in draft.fields["recipes"]:
        told = [_told(step["text"]) for step in recipe["steps"]]
        for number, (verb, worked_on) in enumerate(told):
            waits = recipe["steps"][number].get("after", [])
            past = [told[need][0] for need in waits]
            assert sorted(past) == sorted(symbol for symbol, _ in worked_on if symbol)
            heads = {told[need][1][0][1] for need in waits}
            assert heads == {material for symbol, material in worked_on if symbol}
            stage = draft.symbols[verb].stage
            assert all(draft.symbols[earlier].stage <= stage for earlier in past)
            # what is joined was made ready or treated before, and is joined from then on
            assert stage == 3 or len(worked_on) == 1
    used = set(re.findall(r"<(\w+)", str(draft.fields)))
    assert used == set(draft.symbols)


def _told(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The verb of a step, and the materials it names, each with the verb in the past before it."""
    found = re.match(r"<(v\d+)> ", text)
    assert found
    return found[1], re.findall(r"the (?:<(v\d+)\.past> )?<(m\d+)>", text)


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_has_names_for_what_a_draft_tells_of(theme: str) -> None:
    draft = drafted(5, steps=60, recipes=6, materials=24, devices=6, bound=1.0, alone=0.6)
    told = named(draft, theme, GENERATOR.naming, Random(5))
    world = world_of_draft(told.fields, "article")
    devices = {told.names[symbol] for symbol, each in draft.symbols.items() if each.role == "device"}
    assert len(devices) > 2
    for recipe in world.scenario.recipes:
        for number, step in enumerate(recipe.steps):
            if step.appliance is not None:
                assert step.appliance in devices
                assert step.text.removesuffix(" again").endswith(f"the {step.appliance}")
            answer = f"Action: Step({number}, {recipe.name}, 00:01:00, 00:00:00)"
            assert isinstance(world.parse(world.start(), "cook", answer), Cook)


def test_all_steps_of_a_verb_are_alike() -> None:
    draft = drafted(3, steps=40)
    steps = [step for recipe in draft.fields["recipes"] for step in recipe["steps"]]
    alike = {
        (_told(step["text"])[0], step["seconds"], step.get("autonomous", False), step.get("appliance"))
        for step in steps
    }
    assert len(alike) == len({verb for verb, *_ in alike}) < len(steps)
    for verb, seconds, alone, _ in alike:
        symbol = draft.symbols[verb]
        assert symbol.minutes * MINUTE == seconds
        assert symbol.role == ("machine verb" if alone else "hand verb")


def test_nearly_all_drafts_can_be_cooked() -> None:
    """With lags, as one schedule keeps them all, and without."""
    for lagging in (0.0, 0.3, 0.9):
        found = [
            solve_world(world_of_draft(drafted(seed, lagging=lagging, ease=0.0).fields), Request(effort=5))
            for seed in range(20)
        ]
        assert {solution.status for solution in found} <= {"optimal", "feasible"}
        assert sum(solution.status == "optimal" for solution in found) >= 19


@pytest.mark.parametrize("knowledge", ["none", "beliefs", "gold"])
def test_drafts_keep_the_contract(knowledge: str) -> None:
    world = world_of_draft(drafted(7, knowledge, steps=8).fields, "article")
    check_world(world, episodes=2, max_steps=40)


# --- what is measured -------------------------------------------------------------------------------------


@pytest.mark.parametrize("knowledge", ["none", "gold"])
def test_the_structure_of_a_soup(knowledge: str) -> None:
    structure = GENERATOR.structure(kitchen_of(SOUP, knowledge=knowledge))
    assert [work.activity.name for work in structure.activities] == [f"Soup {n}" for n in range(5)]
    assert {work.job for work in structure.activities} == {"Soup"} and structure.bodies == ("cook",)
    assert structure.objects == {"oven": False, "microwave": False, "stove": True}
    # it waits four times; of 5 steps it is not told whether they run by themselves, nor of one its stove
    secret = knowledge == "none"
    assert structure.told == {"durations": (5, 0), "precedence": (4, 4 * secret), "recipes": (6, 6 * secret)}


def test_what_lags_cost() -> None:
    """Boil 0-5, salad 0-8, drain 8-9; to be drained at once the salad must wait: 14 minutes."""
    world, free = kitchen_of(RICE, SALAD), kitchen_of(RICE, SALAD, lags=False)
    assert GENERATOR.own(world, solve_world(world), ())["lag-cost"] == 14 / 9 - 1
    assert GENERATOR.own(free, solve_world(free), ())["lag-cost"] == 0


def test_nothing_is_told_of_lags_without_a_proof() -> None:
    world = kitchen_of(RICE, SALAD)
    guess = Solution(world.id, "feasible", 900, 540, "min", "seconds", "")
    assert GENERATOR.own(world, guess, ()) == GENERATOR.own(world, None, ()) == {}


def test_a_result_is_the_share_of_complete_steps() -> None:
    game = Game(kitchen_of(RICE, SALAD)).cook((0, "Rice", 300, 0), (0, "Salad", 480, 0))
    assert GENERATOR.result(game.world, game.world.outcome(game.state)) == Result(2 / 3, 480, False)


def test_a_schedule_that_lags_are_drawn_around_is_kept_to_the_second() -> None:
    """Without ease, and with haste, a chain is done in one go, and no step of it may wait."""
    draft = drafted(1, recipes=1, materials=1, steps=6, lagging=0.9, ease=0.0, haste=1.0, splitting=0.0)
    world = world_of_draft(draft.fields)
    (recipe,) = world.scenario.recipes
    assert [step.lags for step in recipe.steps[1:]] == [(Lag(number, 0),) for number in range(5)]
    starts, clock = {}, 0
    for number, step in enumerate(recipe.steps):
        starts[f"{recipe.name} {number}"], clock = clock, clock + step.seconds
    assert perform(world, starts).finished_at("seconds") == clock
