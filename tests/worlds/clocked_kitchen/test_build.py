"""Floors are made, judged by their ways, written as files that play, and gone on with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backburner.kernel import registry
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.play import play_now
from backburner.worlds.clocked_kitchen.agents.greedy import Greedy
from backburner.worlds.clocked_kitchen.metrics.build import BUILDER, ways_on
from support.clocked_kitchen.play import world_of

USUAL: dict[str, Any] = {
    "level": "level_3",
    "ways": "0:",
    "kitchens": 3,
    "seed": 0,
    "bodies": 2,
    "tau": 2.0,
}


def built(out: Path, **options: Any) -> Any:
    return BUILDER.build(out, {**USUAL, **options}, lambda total: None)


def test_ways_are_counted_from_place_to_place() -> None:
    """A lane of nine cells, the table at its left end, the blender at its sixth cell, both shelves at its
    right end: 5 from table to blender, 8 from there to the shelves, 3 from the blender, each there and back.

    The shelves and the storage as a whole are three targets, so that each pair of another place and one of
    these counts: (2 * 5 + 6 * 8 + 6 * 3) / 14.
    """
    plan = ("#########S#", "T.........S", "######B####")
    assert ways_on(world_of("level_0", plan).compiled) == (76 / 14, 8)


def test_floors_are_kept_if_their_ways_are_as_asked_for(tmp_path: Path) -> None:
    told = built(tmp_path / "new", ways="3:4.5")
    assert len(told.rows) == 3 and not told.missing
    for id in registry.expand(str(tmp_path / "new")):
        world = registry.world(id)
        mean, _ = ways_on(world.compiled)
        assert 3 <= mean <= 4.5
        ending = play_now(world, Greedy(world)).ending
        assert ending is not None and ending.numbers["completed"] > 0


def test_level_12_comes_with_its_fryer(tmp_path: Path) -> None:
    built(tmp_path / "new", level="level_12", kitchens=1, bodies=3)
    (id,) = registry.expand(str(tmp_path / "new"))
    world = registry.world(id)
    assert "fryer0" in world.compiled.kitchen.places and world.seats == ("agent0", "agent1", "agent2")


def test_a_build_goes_on_and_another_one_does_not_mix(tmp_path: Path) -> None:
    first = built(tmp_path / "new").index
    more = built(tmp_path / "new", kitchens=5).index
    assert more.judged[:3] == first.judged and len(more.judged) == 5
    with pytest.raises(Refused, match="built with another level: level_3, not level_4"):
        built(tmp_path / "new", level="level_4")


def test_a_secret_seed_is_as_large_as_hosts_have_them(tmp_path: Path) -> None:
    assert len(built(tmp_path / "new", seed=2**61).rows) == 3


def test_fewer_than_asked_for_is_told(tmp_path: Path) -> None:
    told = built(tmp_path / "new", ways=":0.5", attempts=4)
    assert told.missing.startswith("0 of 3 kitchens found in 4 attempts") and told.lines[1] == "  4 too long"


@pytest.mark.parametrize("ways", ["5", "5:3", "x:", "nan:", "-1:", "3:1e9"])
def test_what_is_no_range_is_refused(tmp_path: Path, ways: str) -> None:
    with pytest.raises(Refused, match="range of cells"):
        built(tmp_path / "new", ways=ways)


@pytest.mark.parametrize("options", [{"bodies": 99}, {"tau": 1000.0}, {"seed": 2**63}])
def test_what_cannot_be_asked_for_is_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="out of range"):
        built(tmp_path / "new", **options)
    assert not (tmp_path / "new").exists()


def test_an_unknown_level_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="level_3"):
        built(tmp_path / "new", level="level3")
