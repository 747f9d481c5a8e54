"""Recipes out of folders: every kind of file that has some, and every mistake as one message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.kernel.errors import BadFile
from backburner.worlds.recipe2plan.game import Recipe, Step
from backburner.worlds.recipe2plan.game.scenario_files import file_of, read_file, read_pool
from backburner.worlds.recipe2plan.game.scenarios import scenario_of, shipped_recipes
from support.recipe2plan.recipe_folders import EGG, RICE, SALAD, TEA, write_recipes


def names(folder: Path) -> list[str]:
    return [recipe.name for recipe in read_pool(folder)]


def written(folder: Path, name: str, content: Any) -> Path:
    (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


def test_lists_and_scenario_files_are_pooled_by_name(tmp_path: Path) -> None:
    write_recipes(tmp_path, TEA, "Tacos", name="1.json")
    write_recipes(tmp_path, SALAD, TEA, name="2.json")
    written(tmp_path, "3.json", json.dumps(file_of("dinner", [RICE, TEA], lags=False)))
    written(tmp_path, "notes.txt", "not read")
    pool = read_pool(tmp_path)
    assert [recipe.name for recipe in pool] == ["Rice", "Salad", "Tacos", "Tea"]
    assert pool[0] == RICE and pool[2] == shipped_recipes()["Tacos"]


def test_the_released_files_are_a_pool(tmp_path: Path) -> None:
    step = {"step": 0, "text": "Do it.", "time": "5 min", "parallel": 0, "interrupt": 0}
    step |= {"prequisites": [], "time_constraint": {}, "physical": {}}
    jam, bread = ({"recipe": name, "steps": [step]} for name in ("Jam", "Bread"))
    written(tmp_path, "cooking.json", [[jam, bread], [jam]])
    # plans and what else lies there are no recipes
    written(tmp_path, "other.json", "[]")
    assert names(tmp_path) == ["Bread", "Jam"]
    assert read_pool(tmp_path)[0].steps == (Step("Do it.", 300),)


def test_a_published_recipe_may_come_in_other_words(tmp_path: Path) -> None:
    vada = shipped_recipes()["Vada"]
    shouting = replace(vada, steps=tuple(replace(step, text=step.text.upper()) for step in vada.steps))
    assert read_pool(write_recipes(tmp_path, shouting)) == [shouting]


def slower(recipe: Recipe) -> Recipe:
    first, *rest = recipe.steps
    return replace(recipe, steps=(replace(first, seconds=first.seconds + 60), *rest))


def test_a_folder_without_recipes_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"no file with recipes \(\*\.json\) in this folder"):
        read_pool(tmp_path)
    with pytest.raises(BadFile, match="nowhere: no such folder"):
        read_pool(tmp_path / "nowhere")
    with pytest.raises(BadFile, match="no file with recipes"):
        read_pool(write_recipes(tmp_path))


def test_two_recipes_of_one_name_are_a_mistake(tmp_path: Path) -> None:
    write_recipes(tmp_path, TEA, name="1.json")
    write_recipes(tmp_path, slower(TEA), name="2.json")
    with pytest.raises(BadFile, match=r"2\.json: recipe 'Tea': is another one than that in .*1\.json"):
        read_pool(tmp_path)


def test_a_recipe_is_not_called_like_an_appliance_of_another(tmp_path: Path) -> None:
    wok = Recipe("Fry", (Step("Fry it.", 60, appliance="Rice"),))
    write_recipes(tmp_path, wok, name="1.json")
    write_recipes(tmp_path, RICE, name="2.json")
    with pytest.raises(BadFile, match=r"recipes.1. 'Rice': a recipe is not called 'Rice'"):
        read_pool(tmp_path)


BROKEN = {
    "{": "not JSON",
    "[]": "Expected `object`, got `array`",
    '{"recipes": ["Taccos"]}': r"recipes.0. 'Taccos': unknown recipe 'Taccos'; did you mean Tacos",
    '{"recipes": [{"name": "Jam", "steps": []}]}': "recipes.0. 'Jam', field 'steps'",
    '{"recipes": [{"name": "Jam", "steps": [{"text": "Cook."}]}]}': r"'Jam', steps.0.: .*`seconds`",
    '{"world": "timearena", "id": "x", "tasks": ["lab1"]}': "field 'world': is 'timearena'",
    '{"world": "recipe2plan", "id": "x", "recipes": ["Tacos"], "lag": true}': "unknown field `lag`",
}


@pytest.mark.parametrize("content", BROKEN)
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path: Path, content: str) -> None:
    write_recipes(tmp_path, TEA, name="0.json")
    with pytest.raises(BadFile, match=rf"bad\.json: .*{BROKEN[content]}"):
        read_pool(written(tmp_path, "bad.json", content))


def test_a_published_name_for_another_recipe_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"recipes\.json: recipes.0. 'Tacos', field 'name': a published recipe"):
        read_pool(write_recipes(tmp_path, slower(shipped_recipes()["Tacos"])))


@pytest.mark.parametrize("lags", [True, False])
def test_a_scenario_file_is_read_back_as_it_was_written(lags: bool) -> None:
    recipes = [shipped_recipes()["Tacos"], EGG]
    file = file_of("dinner", recipes, lags)
    # published ones by name, so that their plans are compared
    assert file["recipes"][0] == "Tacos"
    assert read_file(file, "dinner.json") == ("dinner", scenario_of(recipes, lags))
