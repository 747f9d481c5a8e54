"""Scenario files of a user's own: a good one cooks, and every mistake is one message.

The message names the file, the recipe, the step and the field, and the nearest known name where one is
unknown.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel.errors import BadFile
from backburner.kernel.files import Place
from backburner.worlds.recipe2plan.game.compiled import Compiled
from backburner.worlds.recipe2plan.game.recipe_checks import check_recipes
from backburner.worlds.recipe2plan.game.rule_set import NO_LIMITS, STANDARD
from backburner.worlds.recipe2plan.game.scenario_files import read_file
from backburner.worlds.recipe2plan.game.scenarios import Lag, Recipe, Scenario, Step, shipped_recipes
from backburner.worlds.recipe2plan.game.state import Cook, Piece
from backburner.worlds.recipe2plan.game.transition import Rulebook

GRATIN: dict[str, Any] = {
    "name": "Leek-Gratin",
    "steps": [
        {
            "text": "Preheat the oven to 400 °F.",
            "seconds": 600,
            "autonomous": True,
            "appliance": "oven",
            "sets_fahrenheit": 400,
        },
        {"text": "Slice the leeks.", "seconds": 300, "splittable": True},
        {
            "text": "Melt the butter in a pan.",
            "seconds": 120,
            "autonomous": True,
            "appliance": "stove",
        },
        {
            "text": "Turn the leeks in the butter.",
            "seconds": 240,
            "after": [1, 2],
            "lags": [{"after": 2, "seconds": 60}],
            "appliance": "stove",
        },
        {
            "text": "Bake them under cheese.",
            "seconds": 1200,
            "autonomous": True,
            "after": [0, 3],
            "lags": [{"after": 3, "seconds": 180}],
            "appliance": "oven",
            "needs_fahrenheit": 400,
        },
        {"text": "Serve.", "seconds": 60, "after": [4], "lags": [{"after": 4, "seconds": 300}]},
    ],
}

SALAD: dict[str, Any] = {"name": "Salad", "steps": [{"text": "Toss the salad.", "seconds": 180}]}

SCENARIO: dict[str, Any] = {
    "world": "recipe2plan",
    "id": "supper",
    "lags": True,
    "recipes": [GRATIN, "Tacos", SALAD],
}


def opened(scenario: dict[str, Any], source: str = "mine.json") -> Scenario:
    path, found = read_file(json.loads(json.dumps(scenario)), source)
    assert path == scenario["id"]
    return found


# --- good ones ----------------------------------------------------------------------------------------


def test_recipes_of_ours_and_of_ones_own() -> None:
    scenario = opened(SCENARIO)
    assert [recipe.name for recipe in scenario.recipes] == ["Leek-Gratin", "Tacos", "Salad"]
    assert scenario.recipes[1] == shipped_recipes()["Tacos"]
    assert (scenario.lags, scenario.reference, scenario.instance) == (True, None, None)
    assert (scenario.knowledge, scenario.hints) == ("none", False)
    assert not opened({**SCENARIO, "lags": False}).lags
    told = opened({**SCENARIO, "knowledge": "gold", "hints": True})
    assert (told.knowledge, told.hints) == ("gold", True)
    assert (scenario.limit, opened({**SCENARIO, "limit": 3600}).limit) == (None, 3600)
    with pytest.raises(BadFile, match="field 'limit'"):
        opened({**SCENARIO, "limit": 0})
    with pytest.raises(BadFile, match="field 'knowledge': Invalid enum value 'golden'"):
        opened({**SCENARIO, "knowledge": "golden"})


def test_a_recipe_of_ones_own_can_be_cooked() -> None:
    """oven 0-10, leeks 0-3, butter 3-5, leeks 3-5 again, pan 5-9, bake 10-30, toss 10-13, serve 30-31."""
    scenario = opened({**SCENARIO, "recipes": [GRATIN, SALAD]})
    plan = [
        (0, "Leek-Gratin", 10, 0),
        (1, "Leek-Gratin", 3, 0),
        (2, "Leek-Gratin", 2, 3),
        (1, "Leek-Gratin", 2, 3),
        (3, "Leek-Gratin", 4, 5),
        (4, "Leek-Gratin", 20, 10),
        (0, "Salad", 3, 10),
        (5, "Leek-Gratin", 1, 30),
    ]
    book = Rulebook(Compiled(scenario), STANDARD, NO_LIMITS)
    pieces = [Piece(step, recipe, 60 * length, 60 * start) for step, recipe, length, start in plan]
    step = book.step(book.start(), Cook(tuple(pieces)))
    assert not step.refusals
    assert step.state.ended == "completed"
    assert step.state.kitchen.finish == 31 * 60


def test_a_published_pair_has_its_plan() -> None:
    scenario = opened({**SCENARIO, "recipes": ["Cobbler", "Pancakes"], "lags": False})
    assert scenario.instance == 0 and scenario.reference is not None
    assert opened({**SCENARIO, "recipes": ["Pancakes", "Cobbler"]}).instance is None


def test_a_limit_that_is_just_long_enough() -> None:
    """Turning takes 240 seconds: baking within 240 seconds of the butter is possible, within 239 is not."""
    scenario = copy.deepcopy(SCENARIO)
    gratin(scenario, 4).update(lags=[{"after": 2, "seconds": 240}])
    assert opened(scenario).recipes[0].steps[4].lags[0].seconds == 240


def test_preheating_between_is_fine_if_it_can_be_done_before() -> None:
    """The oven is set to 300 °F and to 400 °F in any order, as nothing says that 300 °F comes later."""
    scenario = copy.deepcopy(SCENARIO)
    gratin(scenario, 2).update(appliance="oven", sets_fahrenheit=300)
    assert opened(scenario).recipes[0].steps[2].sets_fahrenheit == 300


# --- mistakes -----------------------------------------------------------------------------------------

Change = Callable[[dict[str, Any]], object]


def gratin(scenario: dict[str, Any], number: int) -> dict[str, Any]:
    """A step of the gratin."""
    found: dict[str, Any] = scenario["recipes"][0]["steps"][number]
    return found


STEP_MISTAKES: dict[str, tuple[int, dict[str, Any], str]] = {
    # what is wrong with a step by itself
    "no sentence": (1, {"text": " "}, "one line that says what to do is needed"),
    "two lines": (1, {"text": "Slice.\nServe."}, "one line that says what to do is needed"),
    "colours for the terminal": (1, {"text": "\x1b[31mSlice."}, "one line that says"),
    "no duration": (1, {"seconds": 0}, "field 'seconds': is 0; it is from 1 to 10000000"),
    "negative duration": (1, {"seconds": -60}, "field 'seconds': is -60; it is from 1 to"),
    "duration in words": (1, {"seconds": "5 min"}, "field 'seconds': Expected `int`, got `str`"),
    "half a second": (1, {"seconds": 0.5}, "field 'seconds': Expected `int`, got `float`"),
    "duration that is a flag": (1, {"seconds": True}, "field 'seconds': Expected `int`, got `bool`"),
    "autonomous and splittable": (
        0,
        {"splittable": True},
        "field 'splittable': a step that runs by itself cannot be done in pieces",
    ),
    "appliance in two words": (2, {"appliance": "gas stove"}, "'gas stove': use letters, digits and"),
    "appliance called cook": (
        2,
        {"appliance": "cook"},
        "'cook': use letters, digits and _ - only, 99 at most, and not 'cook'",
    ),
    "heat without an appliance": (
        1,
        {"needs_fahrenheit": 400},
        "field 'needs_fahrenheit': only an appliance has a temperature, and none is named",
    ),
    "sets and needs": (
        4,
        {"sets_fahrenheit": 350},
        "field 'sets_fahrenheit': a step sets a temperature or needs one, not both",
    ),
    "unknown field": (1, {"splitable": True}, "Object contains unknown field `splitable`"),
    # prerequisites
    "unknown step": (3, {"after": [1, 6]}, "field 'after': there is no step 6; the recipe has steps 0 to 5"),
    "negative step": (3, {"after": [-1]}, "field 'after': there is no step -1"),
    "later step": (1, {"after": [2]}, "field 'after': step 2 does not come before step 1"),
    "circle of one": (3, {"after": [3]}, "field 'after': step 3 does not come before step 3"),
    "circle": (1, {"after": [4]}, "field 'after': step 4 does not come before step 1"),
    "prerequisite twice": (3, {"after": [1, 1]}, "after[1]: '1' stands here twice"),
    # limits
    "limit on an unknown step": (
        3,
        {"lags": [{"after": 9, "seconds": 60}]},
        "field 'lags': there is no step 9",
    ),
    "limit on a later step": (
        3,
        {"lags": [{"after": 4, "seconds": 60}]},
        "field 'lags': step 4 does not come before step 3",
    ),
    "limit twice": (
        3,
        {"lags": [{"after": 2, "seconds": 60}, {"after": 2, "seconds": 90}]},
        "lags[1]: '2' stands here twice",
    ),
    "negative limit": (
        3,
        {"lags": [{"after": 2, "seconds": -1}]},
        "lags[0], field 'seconds': is -1; it is from 0 to",
    ),
    "limit on a step that may come later": (
        3,
        {"lags": [{"after": 0, "seconds": 60}]},
        "field 'lags': step 3 does not wait for step 0, so no time counts from its end",
    ),
    "limit without seconds": (3, {"lags": [{"after": 2}]}, "Object missing required field `seconds`"),
    "limit shorter than what is in between": (
        4,
        {"lags": [{"after": 2, "seconds": 239}]},
        "field 'lags': can never be kept: at most 239 seconds after step 2, and the steps in between",
    ),
    # temperatures
    "no preheating": (
        4,
        {"after": [3]},
        "field 'needs_fahrenheit': no step before it sets the oven to 400 °F",
    ),
    "another temperature": (
        4,
        {"needs_fahrenheit": 350},
        "field 'needs_fahrenheit': no step before it sets the oven to 350 °F",
    ),
    "another oven": (
        4,
        {"appliance": "oven2"},
        "field 'needs_fahrenheit': no step before it sets the oven2 to 400 °F",
    ),
}


@pytest.mark.parametrize("mistake", STEP_MISTAKES)
def test_a_mistake_in_a_step_is_one_message(mistake: str) -> None:
    number, fields, message = STEP_MISTAKES[mistake]
    scenario = copy.deepcopy(SCENARIO)
    gratin(scenario, number).update(fields)
    told = complaint(scenario)
    assert told.startswith("mine.json: recipes[0] 'Leek-Gratin', steps[")
    assert message in told
    assert f"steps[{number}]" in told


def complaint(scenario: dict[str, Any]) -> str:
    with pytest.raises(BadFile) as caught:
        opened(scenario)
    told = str(caught.value)
    assert "\n" not in told
    return told


MISTAKES: dict[str, tuple[Change, str]] = {
    "no recipes": (lambda s: s.update(recipes=[]), "field 'recipes': 0 entries; at least one is needed"),
    "none named": (lambda s: s.pop("recipes"), "field 'recipes': 0 entries; at least one is needed"),
    "unknown field": (lambda s: s.update(lag=True), "Object contains unknown field `lag`"),
    "lags in words": (lambda s: s.update(lags="on"), "field 'lags': Expected `bool`, got `str`"),
    "no id": (lambda s: s.pop("id"), "Object missing required field `id`"),
    "bad id": (
        lambda s: s.update(id="my supper"),
        "'my supper': use letters, digits and _ . + - only",
    ),
    "unknown recipe": (
        lambda s: s["recipes"].append("Cobler"),
        "recipes[3] 'Cobler': unknown recipe 'Cobler'; did you mean Cobbler?",
    ),
    "recipe that is a number": (lambda s: s["recipes"].append(3), "recipes[3]: Expected `str | object`, got"),
    "recipe twice": (
        lambda s: s["recipes"].append("Tacos"),
        "recipes[3] 'Tacos': 'Tacos' stands here twice",
    ),
    "own recipe twice": (
        lambda s: s["recipes"].append(SALAD),
        "'Salad' stands here twice",
    ),
    "name of a published recipe": (
        lambda s: s["recipes"][0].update(name="Cobbler"),
        "recipes[0] 'Cobbler', field 'name': a published recipe has this name",
    ),
    "name with a space": (
        lambda s: s["recipes"][0].update(name="Leek Gratin"),
        "field 'name': 'Leek Gratin': use letters, digits and _ - only",
    ),
    "name with a line break": (
        lambda s: s["recipes"][0].update(name="Leek\n"),
        "field 'name': 'Leek\\n': use letters",
    ),
    "no name": (lambda s: s["recipes"][0].pop("name"), "recipes[0]: Object missing required field `name`"),
    "empty name": (lambda s: s["recipes"][0].update(name=""), "recipes[0] '', field 'name': '': use letters"),
    "name of the cook": (
        lambda s: s["recipes"][0].update(name="cook"),
        "recipes[0] 'cook': a recipe is not called 'cook', as the cook or an appliance is",
    ),
    "name of an appliance": (
        lambda s: s["recipes"][2].update(name="microwave"),
        "recipes[2] 'microwave': a recipe is not called 'microwave', as the cook or an appliance is",
    ),
    "no steps": (
        lambda s: s["recipes"][0].update(steps=[]),
        "'Leek-Gratin', field 'steps': 0 entries; at least one is needed",
    ),
    "unknown field of a recipe": (
        lambda s: s["recipes"][0].update(serves=4),
        "recipes[0] 'Leek-Gratin': Object contains unknown field `serves`",
    ),
    "instance without files": (
        lambda s: s.update(instance=3),
        "field 'upstream': a released instance is named by 'upstream' and 'instance', without 'recipes'",
    ),
    "released files and recipes": (
        lambda s: s.update(instance=3, upstream="data"),
        "field 'upstream': a released instance is named by",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_message(mistake: str) -> None:
    change, message = MISTAKES[mistake]
    scenario = copy.deepcopy(SCENARIO)
    change(scenario)
    told = complaint(scenario)
    assert told.startswith("mine.json: ") and message in told


def test_limits_that_the_cooks_own_time_breaks() -> None:
    """Peel (60 s) and chop (60 s) both wait for the boiling, and frying for both: one cook needs 120 s."""
    soup = {
        "name": "Soup",
        "steps": [
            {"text": "Boil.", "seconds": 300, "autonomous": True, "appliance": "stove"},
            {"text": "Peel.", "seconds": 60, "after": [0]},
            {"text": "Chop.", "seconds": 60, "after": [0]},
            {"text": "Fry.", "seconds": 60, "after": [1, 2], "lags": [{"after": 0, "seconds": 119}]},
        ],
    }
    told = complaint({**SCENARIO, "recipes": [soup]})
    assert "steps[3], field 'lags': can never be kept: at most 119 seconds" in told and "take 120" in told
    soup["steps"][3]["lags"][0]["seconds"] = 120  # type: ignore[index]
    opened({**SCENARIO, "recipes": [soup]})


def test_limits_that_an_appliance_breaks() -> None:
    """Two pots of 100 s each on the one stove take 200 s, though the cook is free."""
    pots = {
        "name": "Pots",
        "steps": [
            {"text": "Chop.", "seconds": 60},
            {"text": "Boil.", "seconds": 100, "autonomous": True, "after": [0], "appliance": "stove"},
            {"text": "Steam.", "seconds": 100, "autonomous": True, "after": [0], "appliance": "stove"},
            {"text": "Mix.", "seconds": 60, "after": [1, 2], "lags": [{"after": 0, "seconds": 199}]},
        ],
    }
    assert "and the steps in between take 200" in complaint({**SCENARIO, "recipes": [pots]})


def test_a_temperature_that_is_changed_on_the_way() -> None:
    """The oven goes to 400 °F, then to 300 °F, and only then must it be at 400 °F."""
    pie = {
        "name": "Pie",
        "steps": [
            {"text": "Preheat.", "seconds": 60, "appliance": "oven", "sets_fahrenheit": 400},
            {"text": "Cool.", "seconds": 60, "after": [0], "appliance": "oven", "sets_fahrenheit": 300},
            {"text": "Bake.", "seconds": 60, "after": [1], "appliance": "oven", "needs_fahrenheit": 400},
        ],
    }
    told = complaint({**SCENARIO, "recipes": [pie]})
    assert "'Pie', steps[2], field 'needs_fahrenheit': step 1 comes in between and sets the oven" in told


# --- any mistake at all, and any recipe ---------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 999) | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)


@given(st.data())
def test_whatever_stands_in_a_file_is_a_scenario_or_one_message(data: st.DataObject) -> None:
    """Any value in any place: what comes is a scenario or a ``BadFile``, never another error."""
    scenario = copy.deepcopy(SCENARIO)
    holder: Any = scenario
    while True:
        place = data.draw(st.sampled_from(list(holder) if isinstance(holder, dict) else range(len(holder))))
        if not isinstance(holder[place], dict | list) or not holder[place] or data.draw(st.booleans()):
            break
        holder = holder[place]
    holder[place] = data.draw(JSON)
    try:
        read_file(scenario, "mine.json")
    except BadFile as error:
        assert str(error).startswith("mine.json: ")


@st.composite
def some_recipes(draw: st.DrawFn) -> Recipe:
    """Up to seven steps, any of them autonomous or on the stove, each waiting for some before it."""
    steps: list[Step] = []
    for number in range(draw(st.integers(2, 7))):
        needs = st.lists(st.integers(0, number - 1), unique=True) if number else st.just([])
        stove = "stove" if draw(st.booleans()) else None
        after = tuple(draw(needs))
        steps.append(Step("Do.", draw(st.integers(1, 99)), draw(st.booleans()), False, after, (), stove))
    return Recipe("Any", tuple(steps))


@given(some_recipes(), st.randoms(use_true_random=False))
def test_a_limit_that_was_kept_once_is_not_refused(recipe: Recipe, chance: Random) -> None:
    """Cook the recipe in some order, each step as soon as it may start; limits of exactly the lags pass."""
    book = Rulebook(Compiled(Scenario((recipe,))), STANDARD, NO_LIMITS)
    state, starts = book.start(), dict[int, int]()
    while not state.ended:
        piece = chance.choice(book.legality.possible(state.kitchen))
        starts[piece.step] = piece.start
        state = book.step(state, Cook((piece,))).state
    steps = []
    for number, step in enumerate(recipe.steps):
        ends = {need: starts[need] + recipe.steps[need].seconds for need in step.after}
        lags = [Lag(need, starts[number] - end) for need, end in ends.items()]
        steps.append(replace(step, lags=tuple(lags)))
    check_recipes([replace(recipe, steps=tuple(steps))], Place("any.json"))


# --- an instance of the released files ---------------------------------------------------------------


def test_a_released_instance_word_for_word(tmp_path: Path) -> None:
    """The path of the released files counts from the folder of the scenario file."""
    released = {
        "step": 0, "text": "Warm the milk.", "time": "2 min", "parallel": 0, "interrupt": 0,
        "prequisites": [], "time_constraint": {}, "physical": {"stove": {"require": {}}},
    }  # fmt: skip
    (tmp_path / "data").mkdir()
    cooking = [[{"recipe": "Milk", "steps": [released]}]]
    (tmp_path / "data" / "cooking.json").write_text(json.dumps(cooking))
    file = {"world": "recipe2plan", "id": "verbatim-0", "upstream": "data", "instance": 0, "lags": False}
    scenario = opened(file, str(tmp_path / "mine.json"))
    assert (scenario.instance, scenario.lags) == (0, False)
    assert scenario.recipes[0].steps[0].text == "Warm the milk."
    with pytest.raises(BadFile, match="field 'instance': there is no instance 1; they are numbered from 0"):
        opened({**file, "instance": 1}, str(tmp_path / "mine.json"))
    with pytest.raises(BadFile, match=r"cooking\.json: No such file"):
        opened({**file, "upstream": "elsewhere/cooking.json"}, str(tmp_path / "mine.json"))
