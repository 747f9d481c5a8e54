"""Ids, files, limits and records of the grid, and what is measured."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from backburner.kernel import registry
from backburner.kernel.claims import verify
from backburner.kernel.errors import BackburnerError, BadFile
from backburner.kernel.play import play_now
from backburner.worlds.collab_grid.agents.cooks import GreedyCooks, OracleCooks
from backburner.worlds.collab_grid.game import Limits
from backburner.worlds.collab_grid.metrics import METRICS, scoring


def test_scenarios_and_horizons_are_those_of_the_published_world() -> None:
    assert [id.partition("/")[2] for id in registry.expand("collab_grid/all")] == [
        id.partition("/")[2] for id in registry.expand("collab_overcooked/all")
    ]
    for rules in ("standard", "released"):
        for path in ("boiled_egg", "baked_potato_soup", "boiled_egg+baked_potato_slices"):
            here = registry.world(f"collab_grid/{path}", rules=rules)
            there = registry.world(f"collab_overcooked/{path}", rules=rules)
            assert here.limits.steps == there.limits.steps
            assert here.scenario == there.scenario
            for field in here.rules.__struct_fields__:
                assert getattr(here.rules, field) == getattr(there.rules, field)


@pytest.mark.parametrize(
    ("id", "why"),
    [
        ("", "collab_grid: an id names an order, such as collab_grid/boiled_egg"),
        ("boild_egg", "did you mean boiled_egg"),
        ("boiled_egg@recipe=steps", "unknown option 'recipe'"),
        ("boiled_egg@knows=chief", "did you mean chef"),
    ],
)
def test_a_bad_id_is_refused_with_what_helps(id: str, why: str) -> None:
    with pytest.raises(BackburnerError) as caught:
        registry.scenario(f"collab_grid/{id}")
    assert why in str(caught.value), caught.value


def test_a_file_of_the_published_world_is_played_under_this_worlds_name(tmp_path: Path) -> None:
    file = tmp_path / "lunch.json"
    file.write_text(json.dumps({"world": "collab_grid", "id": "lunch", "orders": ["boiled_egg", "carrot"]}))
    world = registry.world(str(file))
    assert world.limits.steps == 120
    assert play_now(world, GreedyCooks(world)).ending.numbers["delivered"] == 2  # type: ignore[union-attr]


@pytest.mark.parametrize("change", [{"exchange": True}, {"first_action": 1}, {"orders": ["boild_egg"]}])
def test_a_strangers_record_is_checked_like_a_file(change: dict[str, object]) -> None:
    plain = {**msgspec.to_builtins(registry.scenario("collab_grid/boiled_egg")), **change}
    with pytest.raises(BadFile, match="collab_grid/boiled_egg"):
        registry.catalogue("collab_grid").restore(
            "collab_grid/boiled_egg", plain, {"name": "standard"}, {"steps": 10}
        )


def test_a_limit_is_from_1() -> None:
    with pytest.raises(BackburnerError, match="from 1 to"):
        Limits(0)


def test_what_is_measured() -> None:
    world = registry.world("collab_grid/baked_carrot_soup")
    rows = [scoring.measure(play_now(world, cooks(world))) for cooks in (GreedyCooks, OracleCooks)]
    assert rows[1] == {"success": 1, "delivered": 1, "refused": 0, "steps": 31, "optimum": 31}
    figures = {metric.key: metric.over(rows) for metric in METRICS}
    assert figures["SR"] == 100 and figures["Refused"] == 0
    assert figures["T/T*"] == pytest.approx((rows[0]["steps"] / 31 + 1) / 2)


def test_a_record_replays() -> None:
    world = registry.world("collab_grid/baked_potato_slices")
    verdict = verify(play_now(world, GreedyCooks(world)))
    assert verdict.verified
