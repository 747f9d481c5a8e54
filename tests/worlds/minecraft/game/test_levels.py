"""Levels, paces and farms; scenario files and what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel import registry
from backburner.kernel.errors import BadFile, Refused, UnknownName
from backburner.kernel.files import Place
from backburner.worlds.minecraft.game.catalogue import catalogue, scenario_of, suites
from backburner.worlds.minecraft.game.physics import DISHES, on_the_way, squared, way_length, way_ticks
from backburner.worlds.minecraft.game.scenario_files import check_scenario
from backburner.worlds.minecraft.game.scenarios import (
    SIDE,
    TAUS,
    Pace,
    dish_graph,
    farm,
    levels,
    pace_of,
    work_steps,
)

YARD: dict[str, Any] = {
    "world": "minecraft",
    "id": "yard",
    "dishes": ["cooked_chicken"],
    "blocks": [
        {"kind": "furnace", "at": [0, 0]},
        {"kind": "chest", "at": [5, 0]},
        {"kind": "oak_log", "at": [0, 8]},
    ],
    "mobs": [{"kind": "chicken", "at": [9, 9]}],
    "spawns": [[2, 2], [3, 2]],
    "tau": 1.5,
}


def read(changes: Mapping[str, Any], folder: Path) -> Any:
    raw = {**YARD, **changes}
    file = folder / "yard.json"
    file.write_text(json.dumps({key: value for key, value in raw.items() if value is not ...}))
    return registry.world(str(file))


def test_the_published_levels() -> None:
    first, second = levels()["level_1"], levels()["level_2"]
    assert [(site.kind, site.at) for site in first.mobs] == [("sheep", (-5, -10)), ("chicken", (-3, -10))]
    kinds = [mob.kind for mob in second.mobs]
    assert {kind: kinds.count(kind) for kind in kinds} == {"pig": 2, "cow": 2, "sheep": 4, "chicken": 6}
    assert squared(second.blocks[0].at, second.blocks[1].at) == 36 + 121
    assert second.spawns == ((-235, -109), (-229, -108))


def test_intervals_come_of_the_task_graph() -> None:
    # Three things of three steps, and 200 ticks of the furnace, two steps of 100: 11. 0.3 · 11 = 3.3 with
    # τ = 1.0, 4.95, 6.6, 8.25, and 9.9 with 3.0; an order waits for one and a half intervals.
    assert {work_steps(dish) for dish in DISHES} == {11}
    assert [pace_of(DISHES, tau) for tau in TAUS] == [
        Pace(4, 6), Pace(5, 7), Pace(7, 10), Pace(9, 13), Pace(10, 15)
    ]  # fmt: skip
    assert pace_of(DISHES, None) == Pace(10, 15)
    graph = dish_graph("cooked_beef")
    assert sum(activity.duration for activity in graph.activities) == 11 * 5
    assert graph.activities[2].predecessors == ("beef", "oak_log")


def test_ways() -> None:
    assert way_length((0, 0), (3, 5)) == 3 * 1414 + 2 * 1000
    assert way_ticks((0, 0), (10, 0)) == 36  # 35.7
    assert way_ticks((4, 4), (4, 4)) == 0
    assert [on_the_way((0, 0), (2, 5), ticks) for ticks in (0, 7, 9, 14, 99)] == [
        (0, 0), (1, 1), (1, 1), (2, 3), (2, 5)
    ]  # fmt: skip


@given(st.tuples(st.integers(-60, 60), st.integers(-60, 60)), st.integers(0, 300))
def test_nobody_is_faster_than_a_sprint(end: tuple[int, int], ticks: int) -> None:
    here = on_the_way((0, 0), end, ticks)
    assert way_length((0, 0), here) <= max(0, ticks * 280)
    assert way_length((0, 0), here) + way_length(here, end) == way_length((0, 0), end)


@settings(max_examples=60)
@given(st.integers(0, 1_000_000))
def test_every_farm_can_be_played(seed: int) -> None:
    scenario = scenario_of(f"farm/{seed}", {"tau": "1.0"})
    check_scenario(scenario, Place("farm"))
    assert farm(seed) == farm(seed)
    cells = [site.at for site in scenario.sites]
    assert len(set(cells)) == len(cells) and all(0 <= x < SIDE and 0 <= z < SIDE for x, z in cells)
    assert 2 <= len(scenario.dishes) <= 4


def test_suites_and_ids() -> None:
    assert suites()["article"] == tuple(f"level_2@tau={tau}" for tau in TAUS)
    for suite in suites():
        for id in registry.expand(f"minecraft/{suite}"):
            assert registry.world(id).id == id
    assert registry.world("minecraft/level_2@bodies=5").scenario.spawns[4] == (-233, -109)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("level_3", "level_2"),
        ("farm/x", "whole number from 0"),
        ("farm/007", "whole number from 0"),
        ("level_2@bodies=9", "from 1 to 8"),
        ("level_2@tau=2", "such as 1.0"),
        ("level_2@tau=nan", "such as 1.0"),
        ("level_2@seats=0+0", "belongs to one seat"),
        ("level_2@instructor=maybe", "instructor"),
        ("level_2@sead=1", "seed"),
    ],
)
def test_unknown_names_and_values(path: str, told: str) -> None:
    with pytest.raises((Refused, UnknownName), match=told.replace("+", r"\+")):
        registry.world(f"minecraft/{path}")


def test_a_file_is_played(tmp_path: Path) -> None:
    world = read({}, tmp_path)
    assert (world.scenario.interval, world.scenario.lifetime, world.scenario.bodies) == (5, 7, 2)
    assert catalogue.restore(world.id, json.loads(written(world.scenario)), *parts_of(world)).scenario
    level = read({"level": "level_2", "blocks": ..., "mobs": ..., "spawns": ..., "tau": ...}, tmp_path)
    assert level.scenario.dishes == ("cooked_chicken",) and level.scenario.interval == 10
    assert read({"tau": ..., "interval": 8, "lifetime": 20}, tmp_path).scenario.lifetime == 20


def written(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def parts_of(world: Any) -> tuple[Any, Any]:
    return json.loads(written(world.rules)), json.loads(written(world.limits))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"dishes": ["cooked_duck"]}, r"dishes\[0\] 'cooked_duck'.*unknown dish"),
        ({"dishes": []}, "at least one dish"),
        ({"dishes": ["cooked_beef"]}, "cooked_beef needs a cow"),
        ({"mobs": [{"kind": "chiken", "at": [9, 9]}]}, r"mobs\[0\] 'chiken'.*did you mean.*chicken"),
        ({"mobs": [{"kind": "chicken", "at": [0, 0]}]}, "a block stands at"),
        ({"mobs": [{"kind": "chicken", "at": [90, 9]}]}, "within 48 blocks"),
        ({"mobs": [{"kind": "chicken", "at": [10**9, 9]}]}, "is 1000000000; it is from -100000 to 100000"),
        ({"mobs": [{"kind": "chicken", "at": [9]}]}, r"mobs\[0\] 'chicken', field 'at'"),
        ({"mobs": [{"kind": "chicken", "at": [9, 9]}] * 201}, "201 entries; at most 200"),
        ({"blocks": YARD["blocks"][1:]}, "exactly one furnace"),
        ({"blocks": [*YARD["blocks"], {"kind": "chest", "at": [7, 7]}]}, "exactly one chest"),
        ({"blocks": [*YARD["blocks"], {"kind": "oak_log", "at": [0, 8]}]}, "another block stands"),
        ({"spawns": [[0, 0]]}, "a block stands"),
        ({"spawns": []}, "give a cell for each body"),
        ({"bodies": 9}, "field 'bodies': is 9; it is from 1 to 8"),
        ({"spawns": [[1, 1]] * 9}, "field 'spawns': 9 bodies; there are from 1 to 8"),
        ({"seats": [[0], [0]]}, "belongs to one seat"),
        ({"tau": 0.01}, "from 0.1"),
        ({"tau": 1e9}, "from 0.1 to 100"),
        ({"tau": 0}, "is 0; it is from 0.1 to 100"),
        ({"interval": 3}, "not both"),
        ({"lifetime": 3}, "goes with an interval"),
        ({"steps": 0}, "from 1"),
        ({"seed": 2**70}, "seed"),
        ({"seeds": 1}, "did you mean seed"),
        ({"level": "level_9"}, "level_2"),
        ({"id": "a b"}, "letters, digits"),
    ],
)
def test_what_is_wrong_with_a_file(changes: Mapping[str, Any], told: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=told) as caught:
        read(changes, tmp_path)
    assert "\n" not in str(caught.value)


def test_every_block_has_room_beside_it(tmp_path: Path) -> None:
    around = [{"kind": "oak_log", "at": at} for at in ([1, 0], [-1, 0], [0, 1], [0, -1])]
    with pytest.raises(BadFile, match="nobody can stand beside it"):
        read({"blocks": [*YARD["blocks"], *around]}, tmp_path)
