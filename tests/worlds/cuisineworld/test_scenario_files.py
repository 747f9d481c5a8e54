"""Level files of one's own, and what is said about those that cannot work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import backburner
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import BadFile
from backburner.worlds.cuisineworld.game.catalogue import scenario_of
from support.cuisineworld.play import codes, episode_of, steps_of

SALAD: dict[str, Any] = {
    "world": "cuisineworld",
    "id": "salad",
    "dishes": ["lettuceSalad"],
    "kitchen": ["storage", "servingtable", "chopboard", "mixer"],
    "bodies": 1,
    "tau": 2.0,
}

OWN_BOOK: dict[str, Any] = {
    "ingredients": ["milk", "cocoa"],
    "recipes": [
        {"product": "hotMilk", "tool": "stove", "inputs": ["milk"]},
        {"product": "chocolate", "tool": "stove", "inputs": ["hotMilk", "cocoa"]},
    ],
    "kinds": [
        {"name": "larder", "gives": "ingredients"},
        {"name": "hatch", "gives": "nothing"},
        {"name": "stove", "capacity": 2, "busy_steps": 2},
    ],
}
CAFE: dict[str, Any] = {
    "world": "cuisineworld",
    "id": "cafe",
    "cookbook": OWN_BOOK,
    "dishes": ["chocolate"],
    "kitchen": ["larder", "hatch", "stove"],
    "bodies": 1,
    "interval": 30,
    "lifetimes": {"chocolate": 29},
}


def written(folder: Path, content: Any, name: str = "level.json") -> str:
    file = folder / name
    file.write_text(json.dumps(content))
    return str(file)


def spoken(text: str) -> list[str]:
    """One command a step."""
    return text.split()


def test_a_level_of_ones_own_plays(tmp_path: Path) -> None:
    world: Any = registry.world(written(tmp_path, SALAD))
    salad = spoken(
        """goto_agent0_storage0 get_agent0_lettuce_storage0 goto_agent0_chopboard0 put_agent0_chopboard0
        activate_agent0_chopboard0 get_agent0_chopboard0 goto_agent0_mixer0 put_agent0_mixer0
        activate_agent0_mixer0 get_agent0_mixer0 goto_agent0_servingtable0 put_agent0_servingtable0"""
    )
    episode = episode_of(world, *salad)
    assert world.id == "cuisineworld/user/salad"
    assert episode.ending is not None and episode.ending.numbers["completed"] == 1


def test_a_cookbook_of_ones_own_with_kinds_of_its_own(tmp_path: Path) -> None:
    """Chocolate is made twice over in the same stove: what was made first is taken out and put back."""
    world: Any = registry.world(written(tmp_path, CAFE))
    assert world.compiled.places == ("larder0", "hatch0", "stove0")
    lines = spoken(
        """goto_agent0_larder0 get_agent0_milk_larder0 goto_agent0_stove0 put_agent0_stove0
        activate_agent0_stove0 noop_agent0 get_agent0_stove0 put_agent0_stove0 goto_agent0_larder0
        get_agent0_cocoa_larder0 goto_agent0_stove0 put_agent0_stove0 activate_agent0_stove0 noop_agent0
        get_agent0_stove0 goto_agent0_hatch0 put_agent0_hatch0"""
    )
    episode = episode_of(world, *lines)
    assert episode.ending is not None and episode.ending.numbers["completed"] == 1
    assert [event.time for event in episode.events() if event.what == "delivered"] == [17]


def test_nothing_goes_onto_a_product_that_waits(tmp_path: Path) -> None:
    """Even where a recipe takes both: what was made is taken out first."""
    world: Any = registry.world(written(tmp_path, CAFE))
    lines = spoken(
        """goto_agent0_larder0 get_agent0_milk_larder0 goto_agent0_stove0 put_agent0_stove0
        activate_agent0_stove0 goto_agent0_larder0 get_agent0_cocoa_larder0 goto_agent0_stove0"""
    )
    steps = steps_of(world, *lines, "put_agent0_stove0")
    assert codes(steps[-1]) == ["product_waits"]
    offered = {option.label for option in world.menu(steps[-1].state, "dispatcher").options}
    assert offered == {"goto_agent0_larder0", "goto_agent0_hatch0", "noop_agent0"}


def test_a_tool_that_keeps_its_body_busy_for_long(tmp_path: Path) -> None:
    """Three steps at the mill: the body can do nothing in the two steps after that of the start."""
    mill = {"name": "mill", "capacity": 1, "busy_steps": 3, "holds_body": True}
    flour = {"product": "flour", "tool": "mill", "inputs": ["grain"]}
    book = {"ingredients": ["grain"], "recipes": [flour], "kinds": [*OWN_BOOK["kinds"][:2], mill]}
    change = {"cookbook": book, "dishes": ["flour"], "kitchen": ["larder", "hatch", "mill"]}
    world: Any = registry.world(written(tmp_path, CAFE | change | {"lifetimes": {"flour": 29}}))
    lines = spoken("goto_agent0_larder0 get_agent0_grain_larder0 goto_agent0_mill0 put_agent0_mill0")
    state = steps_of(world, *lines, "activate_agent0_mill0")[-1].state
    assert [option.label for option in world.menu(state, "dispatcher").options] == ["noop_agent0"]
    assert "occupy(agent0)\n" in world.describe(world.observe(state, "dispatcher"))
    both = ["get_agent0_mill0", "goto_agent0_hatch0", "get_agent0_mill0"]
    steps = steps_of(world, *both, state=state)
    assert [codes(step) for step in steps] == [
        ["agent_occupied", "location_occupied"],
        ["agent_occupied"],
        [],
    ]


def test_a_cookbook_can_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    written(tmp_path, OWN_BOOK, "book.json")
    apart = registry.world(written(tmp_path, CAFE | {"cookbook": "book.json"}))
    assert apart.scenario == registry.world(written(tmp_path, CAFE)).scenario


def test_a_published_level_by_its_name_is_the_published_scenario(tmp_path: Path) -> None:
    file = {"world": "cuisineworld", "id": "three", "level": "level_3", "tau": 1.5, "episode": 1}
    world = registry.world(written(tmp_path, file))
    assert world.scenario == scenario_of("level_3", {"tau": "1.5", "episode": "1"})


def test_level_12_as_it_stands_is_refused_and_with_a_fryer_plays(tmp_path: Path) -> None:
    file = {"world": "cuisineworld", "id": "fries", "level": "level_12", "tau": 1.5}
    with pytest.raises(BadFile, match="frenchFries needs a fryer"):
        registry.world(written(tmp_path, file))
    kitchen = [*scenario_of("level_12", {}).kitchen, "fryer"]
    world: Any = registry.world(written(tmp_path, file | {"kitchen": kitchen}), rules="released")
    assert world.compiled.places[-1] == "fryer0"


def test_records_of_ones_own_levels_replay_without_their_files(tmp_path: Path) -> None:
    file = written(tmp_path, CAFE)
    episode = backburner.play_now(registry.world(file), backburner.FirstLegalPolicy())
    (tmp_path / "level.json").unlink()
    path = tmp_path / "record.jsonl"
    backburner.write_episode(episode, path)
    assert check(read_episode(path)) == 60


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"kitchen": ["storage", "servingtable", "chopboard"]},
            "lettuceSalad needs a mixer, and there is none",
        ),
        (
            {"kitchen": ["storage", "servingtable", "mixer"]},
            "dishes[0] 'lettuceSalad': lettuceSalad needs a chopboard for lettuceSlice",
        ),
        ({"kitchen": ["servingtable", "chopboard", "mixer"]}, "there is not a storage"),
        ({"kitchen": ["storage", "chopboard", "mixer"]}, "there is not a serving table (servingtable)"),
        ({"kitchen": ["storage", "servingtabel", "mixer"]}, "did you mean servingtable?"),
        ({"dishes": ["letuceSalad"]}, "dishes[0] 'letuceSalad': unknown dish 'letuceSalad'; did you mean"),
        ({"dishes": ["lettuce"]}, "lettuce is a base ingredient"),
        ({"dishes": ["lettuceSalad", "lettuceSalad"]}, "stands here twice"),
        ({"dishes": []}, "give one of dishes"),
        ({"level": "level_3"}, "give one of dishes"),
        ({"dishs": []}, "did you mean dishes?"),
        ({"id": "a b"}, "field 'id'"),
        ({"bodies": 0}, "field 'bodies': is 0; it is from 1 to 64"),
        ({"bodies": 65}, "is 65; it is from 1 to 64"),
        ({"bodies": "two"}, "field 'bodies'"),
        ({"tau": 0}, "field 'tau': is 0; it is from 0.1 to 100.0"),
        ({"tau": None}, "field 'tau': give tau, or interval and lifetimes"),
        ({"beta": 1e9}, "field 'beta'"),
        ({"interval": 5}, "not both"),
        ({"interval": 5, "tau": None}, "says nothing about lettuceSalad"),
        ({"interval": 5, "tau": None, "lifetimes": {"lettuceSald": 3}}, "did you mean lettuceSalad?"),
        (
            {"interval": 5, "tau": None, "lifetimes": {"lettuceSalad": 0}},
            "lifetimes 'lettuceSalad': is 0; it is from 1",
        ),
        ({"interval": 0, "tau": None}, "field 'interval'"),
        ({"lifetimes": {"lettuceSalad": 9}}, "goes with an interval"),
        ({"steps": 0}, "field 'steps'"),
        ({"most_open": 0}, "field 'most_open'"),
        ({"table_room": -1}, "field 'table_room'"),
        ({"spoil_steps": 0}, "field 'spoil_steps'"),
        ({"seats": [[0, 1]]}, "field 'seats': each of the bodies 0 to 0 belongs to one seat"),
        ({"seats": [[0], []]}, "belongs to one seat"),
        ({"feedback": "some"}, "field 'feedback'"),
        ({"cookbook": "none.json"}, "none.json"),
    ],
)
def test_what_is_wrong_with_a_level_is_said(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadFile) as error:
        registry.world(written(tmp_path, SALAD | change))
    assert says in str(error.value) and str(tmp_path) in str(error.value)


def recipe(product: str = "tea", tool: str = "stove", inputs: tuple[str, ...] = ("milk",)) -> dict[str, Any]:
    return {"product": product, "tool": tool, "inputs": list(inputs)}


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (
            [recipe(inputs=("mlk",))],
            "recipes[2] 'tea', inputs[0] 'mlk': unknown ingredient 'mlk'; did you mean milk or hotMilk?",
        ),
        ([recipe(tool="stov")], "field 'tool': unknown tool 'stov'; did you mean stove?"),
        ([recipe(tool="hatch")], "unknown tool 'hatch'"),
        ([recipe(inputs=())], "field 'inputs': 0 entries; at least one is needed"),
        ([recipe(inputs=("cocoa", "cocoa"))], "'cocoa' stands here twice"),
        ([recipe(inputs=("milk", "cocoa", "hotMilk"))], "3 inputs do not fit a stove, which holds 2"),
        ([recipe()], "the same in a stove makes hotMilk"),
        ([recipe("milk")], "a circle: milk needs milk"),
        ([recipe("green_tea")], "letters and digits only"),
        (
            [recipe("a", inputs=("b",)), recipe("b", inputs=("a",))],
            "a circle: a needs b needs a",
        ),
    ],
)
def test_what_is_wrong_with_recipes_is_said(tmp_path: Path, more: list[Any], says: str) -> None:
    book = OWN_BOOK | {"recipes": OWN_BOOK["recipes"] + more}
    for content, other in (
        (CAFE | {"cookbook": book}, "cookbook"),
        (CAFE | {"cookbook": "b.json"}, "b.json"),
    ):
        written(tmp_path, book, "b.json")
        with pytest.raises(BadFile) as error:
            registry.world(written(tmp_path, content))
        told = str(error.value).replace("b needs a needs b", "a needs b needs a")
        assert says in told and other in told


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ({"name": "stove", "capacity": 2}, "'stove' stands here twice"),
        ({"name": "stove2"}, "use letters only"),
        ({"name": "oven", "capacity": 0}, "field 'capacity'"),
        ({"name": "oven", "busy_steps": -1}, "field 'busy_steps'"),
        ({"name": "board", "gives": "anything"}, "holds 1 thing"),
        ({"name": "oven", "gives": "all"}, "field 'gives'"),
    ],
)
def test_what_is_wrong_with_kinds_is_said(tmp_path: Path, kind: dict[str, Any], says: str) -> None:
    book = OWN_BOOK | {"kinds": [*OWN_BOOK["kinds"], kind]}
    with pytest.raises(BadFile) as error:
        registry.world(written(tmp_path, CAFE | {"cookbook": book}))
    assert f"kinds[3] '{kind['name']}'" in str(error.value) and says in str(error.value)
