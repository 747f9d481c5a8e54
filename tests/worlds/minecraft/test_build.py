"""Farms that are built."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.worlds.dispatch.floors import ways_of
from backburner.worlds.minecraft.metrics.build import BUILDER

OPTIONS = {"bodies": 3, "tau": 1.5, "seed": 5, "farms": 3, "ways": "10:14"}


def test_farms_are_kept_if_ways_are_as_long_as_asked_for(tmp_path: Path) -> None:
    built = BUILDER.build(tmp_path, OPTIONS, lambda most: None)
    assert not built.missing and len(built.rows) == 3
    assert all(10 <= float(str(row[1])) <= 14 for row in built.rows)
    worlds = [registry.world(id) for id in registry.expand(str(tmp_path))]
    assert [world.scenario.bodies for world in worlds] == [3, 3, 3]
    again = BUILDER.build(tmp_path, OPTIONS, lambda most: None)
    assert again.index == built.index
    with pytest.raises(Refused, match="another"):
        BUILDER.build(tmp_path, {**OPTIONS, "tau": 2.0}, lambda most: None)


def test_there_may_be_fewer_than_asked_for(tmp_path: Path) -> None:
    built = BUILDER.build(tmp_path, {**OPTIONS, "ways": "40:", "attempts": 3}, lambda most: None)
    assert built.missing.startswith("0 of 3 farms found in 3 attempts")


@pytest.mark.parametrize("ways", ["8", "8:4", "x:", "-1:", "nan:"])
def test_ranges(ways: str) -> None:
    with pytest.raises(Refused, match="ways is a range"):
        ways_of(ways, "blocks", (8, 12))
