"""Ids, files and records: what may be asked for, and what is said of what may not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backburner.kernel import registry
from backburner.kernel.errors import BackburnerError, BadFile, Refused
from backburner.kernel.play import play_now
from backburner.worlds.clocked_kitchen.agents.greedy import Greedy
from backburner.worlds.clocked_kitchen.game import Clock, Scenario

LUNCH: dict[str, Any] = {
    "world": "clocked_kitchen",
    "id": "lunch",
    "dishes": ["lettuceSalad"],
    "kitchen": ["storage", "servingtable", "chopboard", "mixer"],
    "bodies": 3,
    "tau": 1.5,
    "plan": ["#S###", "#...X", "#...C", "##T##"],
    "clock": {"cell_ticks": 3},
}

GRILL: dict[str, Any] = {
    "world": "clocked_kitchen",
    "id": "grill",
    "dishes": ["grilledFish"],
    "kitchen": ["storage", "servingtable", "grill"],
    "interval": 8,
    "lifetimes": {"grilledFish": 20},
    "cookbook": {
        "ingredients": ["fish"],
        "kinds": [
            {"name": "storage", "gives": "ingredients"},
            {"name": "servingtable", "gives": "nothing"},
            {"name": "grill", "capacity": 2, "busy_steps": 4},
        ],
        "recipes": [{"product": "grilledFish", "tool": "grill", "inputs": ["fish"]}],
    },
}


def written(folder: Path, file: dict[str, Any]) -> str:
    path = folder / "kitchen.json"
    path.write_text(json.dumps(file))
    return str(path)


def test_the_suites_are_those_of_the_text_game() -> None:
    assert len(registry.expand("clocked_kitchen/all")) == 180
    assert len(registry.expand("clocked_kitchen/quick")) == 4
    assert len(registry.expand("clocked_kitchen/level_3/all@bodies=4")) == 15


def test_an_id_says_what_is_played() -> None:
    scenario: Scenario = registry.scenario(
        "clocked_kitchen/level_3@asks=always,bodies=4,seats=0+1.2.3,seconds=90,seed=play,step=1.5,tau=1.0"
    )
    assert scenario.clock == Clock(step_ticks=15) and scenario.asks == "always"
    assert (scenario.ticks, scenario.kitchen.seed, scenario.kitchen.tau) == (900, None, 1.0)
    assert scenario.kitchen.groups == ((0,), (1, 2, 3))


def test_steps_are_seconds_unless_the_id_says_otherwise() -> None:
    assert registry.scenario("clocked_kitchen/level_0").ticks == 600
    assert registry.scenario("clocked_kitchen/level_0@step=0.5").ticks == 300
    assert registry.scenario("clocked_kitchen/level_0@seconds=180").ticks == 1800


@pytest.mark.parametrize(
    ("id", "why"),
    [
        ("", "name a level"),
        ("levl_3", "did you mean level_3"),
        ("level_3@stpe=1.0", "did you mean step"),
        ("level_3@asks=allways", "did you mean always"),
        ("level_3@step=0.0", "from 0.1 to 60.0 with one digit"),
        ("level_3@step=1", "not '1'"),
        ("level_3@step=1.05", "not '1.05'"),
        ("level_3@step=²." + "9" * 50, "with one digit"),
        ("level_3@seconds=0", "from 1 to"),
        ("level_3@plan=x", "or drawn"),
        ("level_3@plan=99999999", "from 0 to 1000000"),
        ("level_3@bodies=17", "from 1 to 16"),
        ("level_0@bodies=8", "has room for 7 bodies, not 8; plan=0 makes one"),
        ("level_3@tau=9", "clocked_kitchen: option 'tau'"),
        ("level_3@seats=0+1+2", "each of the bodies 0 to 1"),
        ("level_3@head_chef=yes", "unknown option 'head_chef'"),
    ],
)
def test_a_bad_id_is_refused_with_what_helps(id: str, why: str) -> None:
    with pytest.raises(BackburnerError) as caught:
        registry.scenario(f"clocked_kitchen/{id}")
    assert why in str(caught.value), caught.value


def test_as_many_bodies_as_the_floor_holds_may_play() -> None:
    world = registry.world("clocked_kitchen/level_0@bodies=16,plan=0")
    assert len(set(world.start().at)) == 16


@pytest.mark.parametrize("file", [LUNCH, GRILL, {**GRILL, "plan": 3}], ids=["lunch", "grill", "made"])
def test_a_file_is_played(tmp_path: Path, file: dict[str, Any]) -> None:
    world = registry.world(written(tmp_path, file))
    ending = play_now(world, Greedy(world)).ending
    assert ending is not None and ending.numbers["completed"] > 3


def test_a_published_level_in_a_file_has_its_drawn_plan(tmp_path: Path) -> None:
    drawn = registry.scenario("clocked_kitchen/level_4")
    file = {"world": "clocked_kitchen", "id": "mine", "level": "level_4", "tau": 2.0}
    assert registry.world(written(tmp_path, file)).scenario.plan == drawn.plan


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"plan": ["#S###", "#...X", "#...Q", "##T##"]}, "rows[2]: 'Q' is no kind of this kitchen"),
        ({"plan": ["#S###", "#...X", "#....", "##T##"]}, "0 cells C (chopboard); the kitchen has 1"),
        ({"plan": -1}, "a seed is from 0"),
        ({"plan": "S"}, "field 'plan'"),
        ({"clock": {"cell_ticks": 0}}, "clock, field 'cell_ticks': is 0; it is from 1 to 600"),
        ({"clock": {"cel_ticks": 1}}, "did you mean cell_ticks"),
        ({"clock": {"step_ticks": 10**40}}, "field 'step_ticks'"),
        ({"asks": "sometimes"}, "field 'asks'"),
        ({"letters": {"#": "mixer"}}, "'#' is no letter for a plan"),
        ({"letters": {"ab": "mixer"}}, "'ab' is no letter"),
        ({"plam": []}, "did you mean plan"),
        ({"head_chef": True}, "field 'head_chef': the clocked kitchen does not have this variant"),
        ({"spoil_steps": 3}, "field 'spoil_steps'"),
        ({"bodies": 40}, "field 'bodies': is 40; it is at most 16"),
        ({"bodies": 4}, "4 bodies need 8 cells of floor; there are 6"),
        ({"dishes": ["letuceSalad"]}, "did you mean lettuceSalad"),
        ({"steps": 50_000}, "field 'steps'"),
    ],
)
def test_a_file_that_cannot_be_played_says_why(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    with pytest.raises(BadFile) as caught:
        registry.world(written(tmp_path, {**LUNCH, **change}))
    assert why in str(caught.value), caught.value
    assert "kitchen.json" in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"plan": []},
        {"plan": ["S" * 5000]},
        {"plan": ["." * 90] * 90},
        {"clock": {"step_ticks": -1}},
        {"letters": [["", "pot"]]},
        {"kitchen": {"level": "x", "dishes": [], "kitchen": [], "interval": 0, "lifetimes": []}},
    ],
)
def test_a_strangers_record_is_checked_like_a_file(change: dict[str, Any]) -> None:
    plain = {**msgspec.to_builtins(registry.scenario("clocked_kitchen/level_0")), **change}
    with pytest.raises((BadFile, Refused, msgspec.ValidationError)):
        registry.catalogue("clocked_kitchen").restore(
            "clocked_kitchen/level_0", plain, {"name": "standard"}, {"ticks": 10}
        )
