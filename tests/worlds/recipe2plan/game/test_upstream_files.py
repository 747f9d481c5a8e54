"""The released file formats: what they say, every mistake in them, and the released files themselves."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.kernel.errors import BadFile
from backburner.worlds.recipe2plan.game.scenario_files import read_upstream
from backburner.worlds.recipe2plan.game.scenarios import (
    Lag,
    Recipe,
    ReferenceAction,
    Scenario,
    Step,
    scenario_of,
    shipped_instances,
    shipped_recipes,
)

RELEASED = Path(__file__).resolve().parents[5] / "shared" / "upstream" / "recipe2plan"


def step(number: int, time: str, **fields: Any) -> dict[str, Any]:
    """A step as the released file writes it."""
    bare: dict[str, Any] = {
        "step": number, "text": f" Do number {number}. ", "time": time, "parallel": 0, "interrupt": 0,
        "prequisites": [], "time_constraint": {}, "physical": {},
    }  # fmt: skip
    return {**bare, **fields}


HEAT = {"require": {}, "update": {"temperature": 390.0}}
BAKE = {"require": {"temperature": 390.0}}

COOKING: list[Any] = [
    [
        {
            "recipe": "Bread",
            "steps": [
                step(0, "10 min", parallel=1, physical={"oven": HEAT}),
                step(1, "30 sec", interrupt=1),
                step(2, "1 hour", parallel=1, prequisites=[1, 0], physical={"oven": BAKE}),
            ],
        },
        {
            "recipe": "Jam",
            "steps": [
                step(0, "5 min", parallel=1, physical={"stove": {"require": {}}}),
                step(1, "2 min", prequisites=[0], time_constraint={"0": "3 min"}),
            ],
        },
    ]
]

PLANS: dict[str, Any] = {
    "Bread_Jam": {
        "plan_wo_restriction": [
            [0, "Bread", 600, 0],
            [0, "Jam", 300, 0],
            [1, "Bread", 30, 0],
            [1, "Jam", 120, 300],
            [2, "Bread", 3600, 600],
        ],
        "plan_w_restriction": None,
    }
}

BREAD = Recipe(
    "Bread",
    (
        Step("Do number 0.", 600, autonomous=True, appliance="oven", sets_fahrenheit=390),
        Step("Do number 1.", 30, splittable=True),
        Step(
            "Do number 2.", 3600, autonomous=True, after=(1, 0), appliance="oven", needs_fahrenheit=390
        ),
    ),
)  # fmt: skip
JAM = Recipe(
    "Jam",
    (
        Step("Do number 0.", 300, autonomous=True, appliance="stove"),
        Step("Do number 1.", 120, after=(0,), lags=(Lag(0, 180),)),
    ),
)


def write(folder: Path, cooking: Any = COOKING, plans: Any = PLANS) -> Path:
    """The two files in ``folder``; the one for the plans only if there are any."""
    (folder / "cooking.json").write_text(json.dumps(cooking))
    if plans is not None:
        (folder / "plan.json").write_text(json.dumps(plans))
    return folder


def test_what_the_files_say(tmp_path: Path) -> None:
    write(tmp_path)
    plan = (
        ReferenceAction(0, 0, 600, 0),
        ReferenceAction(0, 1, 300, 0),
        ReferenceAction(1, 0, 30, 0),
        ReferenceAction(1, 1, 120, 300),
        ReferenceAction(2, 0, 3600, 600),
    )
    assert read_upstream(tmp_path, lags=False) == [Scenario((BREAD, JAM), False, plan, 0)]
    assert read_upstream(tmp_path) == [Scenario((BREAD, JAM), True, None, 0)]


def test_a_file_or_its_folder_or_the_folder_above(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    write(data)
    expected = read_upstream(data / "cooking.json", lags=False)
    assert expected[0].reference is not None
    assert read_upstream(str(data), lags=False) == read_upstream(tmp_path, lags=False) == expected


def test_plans_may_be_absent(tmp_path: Path) -> None:
    write(tmp_path, plans=None)
    assert read_upstream(tmp_path, lags=False) == [Scenario((BREAD, JAM), False, None, 0)]
    write(tmp_path, plans={})
    assert read_upstream(tmp_path, lags=False)[0].reference is None


# --- mistakes ----------------------------------------------------------------------------------------

Change = Callable[[Any], object]


def first(cooking: Any, number: int) -> dict[str, Any]:
    """A step of Bread."""
    found: dict[str, Any] = cooking[0][0]["steps"][number]
    return found


MISTAKES: dict[str, tuple[Change, str]] = {
    "unknown unit": (
        lambda c: first(c, 1).update(time="30 s"),
        "instance 0, [0] 'Bread', steps[1], field 'time': '30 s': is not a whole number and one of sec, min",
    ),
    "part of a minute": (
        lambda c: first(c, 1).update(time="1.5 min"),
        "instance 0, [0] 'Bread', steps[1], field 'time': '1.5 min': is not a whole number",
    ),
    "seconds as a number": (
        lambda c: first(c, 1).update(time=30),
        "instance 0, [0] 'Bread', steps[1], field 'time': Expected `str`, got `int`",
    ),
    "no time at all": (
        lambda c: first(c, 1).update(time="0 min"),
        "instance 0, recipes[0] 'Bread', steps[1], field 'seconds': is 0; it is from 1",
    ),
    "limit in words": (
        lambda c: c[0][1]["steps"][1].update(time_constraint={"0": "soon"}),
        "instance 0, [1] 'Jam', steps[1], time_constraint '0': 'soon': is not a whole number",
    ),
    "limit on an unknown step": (
        lambda c: c[0][1]["steps"][1].update(time_constraint={"7": "3 min"}),
        "instance 0, recipes[1] 'Jam', steps[1], field 'lags': there is no step 7",
    ),
    "limit on no number": (
        lambda c: c[0][1]["steps"][1].update(time_constraint={"zero": "3 min"}),
        "instance 0, [1] 'Jam', steps[1], time_constraint 'zero': Expected `int`, got `str`",
    ),
    "the other spelling": (
        lambda c: first(c, 2).update(prerequisites=first(c, 2).pop("prequisites")),
        "instance 0, [0] 'Bread', steps[2]: Object contains unknown field `prerequisites`",
    ),
    "no prerequisites": (
        lambda c: first(c, 2).pop("prequisites"),
        "instance 0, [0] 'Bread', steps[2]: Object missing required field `prequisites`",
    ),
    "neither 0 nor 1": (
        lambda c: first(c, 0).update(parallel=2),
        "instance 0, [0] 'Bread', steps[0], field 'parallel': Invalid enum value 2",
    ),
    "both parallel and interrupt": (
        lambda c: first(c, 0).update(interrupt=1),
        "instance 0, recipes[0] 'Bread', steps[0], field 'splittable': a step that runs by itself",
    ),
    "out of place": (
        lambda c: first(c, 1).update(step=2),
        "instance 0, recipes[0] 'Bread', steps[1], field 'step': is 2, not its place in the list",
    ),
    "two appliances": (
        lambda c: first(c, 0)["physical"].update(stove={"require": {}}),
        "instance 0, [0] 'Bread', steps[0], field 'physical': 2 entries; at most 1 are allowed",
    ),
    "a volume": (
        lambda c: first(c, 2).update(physical={"oven": {"require": {"volume": 2}}}),
        "instance 0, [0] 'Bread', steps[2], physical 'oven', field 'require': Object contains unknown field",
    ),
    "half a degree": (
        lambda c: first(c, 2).update(physical={"oven": {"require": {"temperature": 390.5}}}),
        "steps[2], physical 'oven', require, field 'temperature': Expected `float` that's a multiple",
    ),
    "baking in a cold oven": (
        lambda c: first(c, 2).update(prequisites=[1]),
        "recipes[0] 'Bread', steps[2], field 'needs_fahrenheit': no step before it sets the oven to 390 °F",
    ),
    "no recipe": (lambda c: c[0].clear(), "instance 0, field 'recipes': 0 entries; at least one is needed"),
    "a recipe twice": (
        lambda c: c[0].append(c[0][0]),
        "instance 0, recipes[2] 'Bread': 'Bread' stands here twice",
    ),
    "no name": (lambda c: c[0][1].pop("recipe"), "instance 0, [1]: Object missing required field"),
    "no list": (lambda c: c.append(3), "instance 1: Expected `array`, got `int`"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_message(tmp_path: Path, mistake: str) -> None:
    change, message = MISTAKES[mistake]
    cooking = copy.deepcopy(COOKING)
    change(cooking)
    told = complaint(write(tmp_path, cooking, None))
    assert told.startswith(f"{tmp_path / 'cooking.json'}: ") and "\n" not in told
    assert message in told


def complaint(folder: Path) -> str:
    with pytest.raises(BadFile) as caught:
        read_upstream(folder, lags=False)
    return str(caught.value)


def action(plans: Any) -> list[Any]:
    found: list[Any] = plans["Bread_Jam"]["plan_wo_restriction"][3]
    return found


PLAN_MISTAKES: dict[str, tuple[Change, str]] = {
    "an unknown instance": (
        lambda p: p.update(Bread_Jem=p.pop("Bread_Jam")),
        "unknown instance 'Bread_Jem'; did you mean Bread_Jam?",
    ),
    "an unknown recipe": (
        lambda p: action(p).__setitem__(1, "Jem"),
        "instance 'Bread_Jam', action 3: unknown recipe 'Jem'; did you mean Jam?",
    ),
    "an unknown step": (
        lambda p: action(p).__setitem__(0, 9),
        "instance 'Bread_Jam', action 3, recipe 'Jam': there is no step 9",
    ),
    "no length": (
        lambda p: action(p).__setitem__(2, 0),
        "'Bread_Jam', plan_wo_restriction[3], [2]: is 0; it is at least 1",
    ),
    "a time in words": (
        lambda p: action(p).__setitem__(2, "2 min"),
        "'Bread_Jam', plan_wo_restriction[3], [2] '2 min': Expected `int`, got `str`",
    ),
    "half an action": (
        lambda p: action(p).pop(),
        "'Bread_Jam', plan_wo_restriction[3]: Expected `array` of length 4, got 3",
    ),
    "one plan only": (
        lambda p: p["Bread_Jam"].pop("plan_w_restriction"),
        "'Bread_Jam': Object missing required field `plan_w_restriction`",
    ),
}


@pytest.mark.parametrize("mistake", PLAN_MISTAKES)
def test_a_mistake_in_a_plan_is_one_message(tmp_path: Path, mistake: str) -> None:
    change, message = PLAN_MISTAKES[mistake]
    plans = copy.deepcopy(PLANS)
    change(plans)
    told = complaint(write(tmp_path, COOKING, plans))
    assert told.startswith(f"{tmp_path / 'plan.json'}: ") and "\n" not in told
    assert message in told


@pytest.mark.parametrize("text", ["", "[", "\x00", '{"a": 1}', "3", "[" * 5000])
def test_what_is_no_cooking_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "cooking.json").write_text(text)
    assert complaint(tmp_path).startswith(f"{tmp_path / 'cooking.json'}: ")


def test_what_is_no_plan_file(tmp_path: Path) -> None:
    assert "Expected `object`, got `array`" in complaint(write(tmp_path, plans=[]))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert complaint(tmp_path).endswith("cooking.json: No such file or directory")
    with pytest.raises(BadFile, match="not a file's name"):
        read_upstream("\0")


def test_a_temperature_beyond_all_numbers(tmp_path: Path) -> None:
    (tmp_path / "cooking.json").write_text(json.dumps(COOKING).replace("390.0", "1e999"))
    assert complaint(tmp_path).startswith(f"{tmp_path / 'cooking.json'}: ")


# --- the released files ------------------------------------------------------------------------------


def wordless(scenario: Scenario) -> Scenario:
    """The scenario without its sentences."""
    recipes = [
        replace(recipe, steps=tuple(replace(step, text="") for step in recipe.steps))
        for recipe in scenario.recipes
    ]
    return replace(scenario, recipes=tuple(recipes))


@pytest.mark.parametrize("lags", [True, False])
def test_the_released_files_are_ours_but_for_the_sentences(lags: bool) -> None:
    if not RELEASED.is_dir():
        pytest.skip(f"the released files are not there ({RELEASED})")
    recipes = shipped_recipes()
    ours = [scenario_of([recipes[name] for name in names], lags) for names in shipped_instances()]
    released = read_upstream(RELEASED, lags)
    assert [wordless(scenario) for scenario in released] == [wordless(scenario) for scenario in ours]
    for theirs, mine in zip(released, ours, strict=True):
        for recipe, other in zip(theirs.recipes, mine.recipes, strict=True):
            same = [a.text for a, b in zip(recipe.steps, other.steps, strict=True) if a.text == b.text]
            assert all(len(text.split()) < 8 for text in same)
