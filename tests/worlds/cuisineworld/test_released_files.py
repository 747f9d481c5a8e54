"""The released program's own files, read as they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from backburner.kernel import registry
from backburner.kernel.errors import BadFile
from backburner.worlds.cuisineworld.game.cookbook import shipped_cookbook
from backburner.worlds.cuisineworld.game.scenario_files import read_released_levels, read_released_recipes
from backburner.worlds.cuisineworld.game.scenarios import levels
from support.cuisineworld.play import MEATCAKE, episode_of
from support.facts import facts_about

RELEASED = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "cuisineworld"

RECIPES: dict[str, Any] = {
    "jam": {"ingredients": ["plum", "sugar"], "location": "pot"},
    "salmonMeatcake": {"ingredients": ["salmon", "flour"], "location": "blender"},
}
LEVELS: dict[str, Any] = {
    "level_x": {
        "task_interval": 20,
        "task_list": {
            "salmonMeatcake": {
                "ingredients": ["salmonMeatcake"],
                "location": "servingtable",
                "task_lifetime": 19,
            }
        },
        "kitchen": ["storage", "servingtable", "blender"],
        "num_agents": 3,
    }
}


def released(name: str) -> Path:
    file = RELEASED / name
    if not file.is_file():
        pytest.skip(f"the released files are not there ({file})")
    return file


def test_the_released_recipes_are_ours() -> None:
    book = read_released_recipes(released("recipe.json"))
    shipped = shipped_cookbook()
    assert {r.product: r for r in book.recipes} == {r.product: r for r in shipped.recipes}
    assert book.ingredients == shipped.ingredients


def test_the_released_levels_are_ours() -> None:
    found = read_released_levels(released("tasks_level_final.json"))
    assert list(found) == list(levels())
    for name, level in found.items():
        ours = levels()[name]
        assert (level.dishes, level.kitchen, level.bodies) == (ours.dishes, ours.kitchen, ours.bodies)
        assert (level.interval, level.lifetime) == (ours.interval, ours.lifetime)


def test_the_older_levels_are_the_facts() -> None:
    found = read_released_levels(released("tasks_level.json"))
    facts = facts_about("cuisineworld")["older_levels"]
    assert {name: list(level.dishes) for name, level in found.items()} == {
        name: level["dishes"] for name, level in facts.items()
    }


def scenario_file(folder: Path, levels: Any = LEVELS, **given: Any) -> Any:
    """The world of a file that names level_x."""
    (folder / "levels.json").write_text(json.dumps(levels))
    named = {"released": {"levels": "levels.json", "level": "level_x"}}
    file = folder / "mine.json"
    file.write_text(json.dumps({"world": "cuisineworld", "id": "x"} | named | given))
    return registry.world(str(file))


def test_a_released_level_plays_at_its_own_pace_or_another(tmp_path: Path) -> None:
    (tmp_path / "recipe.json").write_text(json.dumps(RECIPES))
    (tmp_path / "levels.json").write_text(json.dumps(LEVELS))
    named = {"levels": "levels.json", "level": "level_x", "recipes": "recipe.json"}
    for more, pace in (({}, (20, (19,))), ({"tau": 1.0}, (3, (8,)))):
        file = tmp_path / "mine.json"
        file.write_text(json.dumps({"world": "cuisineworld", "id": "x", "released": named} | more))
        world: Any = registry.world(str(file))
        assert (world.scenario.interval, world.scenario.lifetimes) == pace
    file.write_text(json.dumps({"world": "cuisineworld", "id": "x", "released": named}))
    ending = episode_of(registry.world(str(file)), *MEATCAKE).ending
    assert ending is not None and ending.numbers["completed"] == 1


@pytest.mark.parametrize(("given", "bodies"), [({}, 3), ({"bodies": 1}, 1)])
def test_a_released_level_has_the_bodies_of_its_file_or_others(
    tmp_path: Path, given: dict[str, Any], bodies: int
) -> None:
    assert scenario_file(tmp_path, **given).scenario.bodies == bodies


def test_a_released_level_may_be_given_another_kitchen(tmp_path: Path) -> None:
    """Such as one with the tool that it lacks, as the fryer of level 12."""
    kitchen = ["storage", "servingtable", "blender", "blender"]
    assert scenario_file(tmp_path, kitchen=kitchen).compiled.places[2:] == ("blender0", "blender1")
    without = LEVELS["level_x"] | {"kitchen": ["storage", "servingtable"]}
    with pytest.raises(BadFile, match="salmonMeatcake needs a blender, and there is none"):
        scenario_file(tmp_path, {"level_x": without})
    assert scenario_file(tmp_path, {"level_x": without}, kitchen=kitchen).compiled.places[3] == "blender1"


def test_things_that_are_made_nowhere_are_base_ingredients(tmp_path: Path) -> None:
    """Those that we know come first, in our order."""
    file = tmp_path / "recipe.json"
    file.write_text(json.dumps(RECIPES))
    assert read_released_recipes(file).ingredients == ("salmon", "flour", "plum", "sugar")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"task_interval": 0}, "'level_x', field 'task_interval': is 0; it is from 1"),
        ({"num_agents": "two"}, "levels.json: 'level_x', field 'num_agents': Expected `int`"),
        ({"kitchn": []}, "did you mean kitchen?"),
        ({"task_list": {}}, "one task_lifetime for all orders"),
        (
            {"task_list": {"a": {"ingredients": ["a", "b"], "location": "servingtable", "task_lifetime": 1}}},
            "task 'a', field 'ingredients': an order asks for one thing",
        ),
        (
            {"task_list": {"a": {"ingredients": ["a"], "location": "pot", "task_lifetime": 1}}},
            "field 'location': is 'pot'",
        ),
    ],
)
def test_what_is_wrong_with_released_levels_is_said(
    tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    file = tmp_path / "levels.json"
    file.write_text(json.dumps({"level_x": LEVELS["level_x"] | change}))
    with pytest.raises(BadFile) as error:
        read_released_levels(file)
    assert says in str(error.value)


def test_recipes_that_go_in_circles_and_unknown_levels_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "recipe.json"
    file.write_text(json.dumps({"a": {"ingredients": ["a"], "location": "pot"}}))
    with pytest.raises(BadFile, match="a circle: a needs a"):
        read_released_recipes(file)
    file.write_text(json.dumps(RECIPES | {"a": {"ingredients": ["salmon"], "location": 1}}))
    with pytest.raises(BadFile, match=r"recipe.json: 'a', field 'location': Expected `str`"):
        read_released_recipes(file)
    (tmp_path / "levels.json").write_text(json.dumps(LEVELS))
    mine = tmp_path / "mine.json"
    named = {"levels": "levels.json", "level": "level_y"}
    mine.write_text(json.dumps({"world": "cuisineworld", "id": "x", "released": named}))
    with pytest.raises(BadFile, match=r"did you mean level_x\?"):
        registry.world(str(mine))
