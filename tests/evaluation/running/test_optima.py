"""Known optima as data: collected, written whole, read again."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct

from backburner.evaluation.running.searches import collect, write_optima
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import read_optima
from backburner.worlds.recipe2plan.game.catalogue import Optimum as Recipe2PlanOptimum
from backburner.worlds.timearena.game.catalogue import Optimum, known_optimum

LAB1 = Optimum("timearena/lab1", 13, "optimal", 13, 13, 4, 4)
"""wash 4, add 4, heat 5: a chain. Of heating's minutes, 4 are spent waiting, however it is done."""


def test_a_scenario_and_a_suite() -> None:
    assert collect(["timearena/lab1"]) == [LAB1]
    found = collect(["timearena/lab1", "timearena/singles/lab"])
    assert [optimum.id for optimum in found] == [f"timearena/lab{number}" for number in range(1, 11)]
    assert found == [known_optimum(optimum.id) for optimum in found]


def test_each_is_told_as_soon_as_it_is_known() -> None:
    told: list[Struct] = []
    assert collect(["timearena/lab1", "timearena/household4"], progress=told.append) == told
    assert [optimum.id for optimum in told] == ["timearena/lab1", "timearena/household4"]


def test_a_scenario_without_a_plan_is_left_out() -> None:
    found = collect(["timearena/cooking2+cooking3", "timearena/lab1"], rules="released")
    # under these rules other pairs count as well, so nothing is said about waits
    assert found == [Optimum("timearena/lab1", 13, "feasible", 9, 13)]


def test_an_unknown_name_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="lab1"):
        write_optima(tmp_path / "optima.json", ["timearena/lab_1"])
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_lines_that_can_be_read_again(tmp_path: Path) -> None:
    path = tmp_path / "optima.json"
    names = ["timearena/lab1", "timearena/cooking7@kit=one"]
    found = write_optima(path, names)
    assert list(tmp_path.iterdir()) == [path]
    file = read_optima(path, Optimum)
    assert file.optima == tuple(found)
    assert file.source == "backburner solve timearena/lab1 timearena/cooking7@kit=one --write-optima FILE"
    lines = path.read_text().splitlines()
    assert sum(line.strip().startswith('{"id"') for line in lines) == 2
    assert write_optima(path, names) == found
    assert path.read_text().splitlines() == lines


def test_each_world_has_a_file_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "optima.json"
    with pytest.raises(Refused, match="one world"):
        write_optima(path, ["timearena/lab1", "recipe2plan/Pizza"])
    assert not path.exists()
    (pizza,) = write_optima(path, ["recipe2plan/Pizza"])
    file = read_optima(path, Recipe2PlanOptimum)
    assert file.optima == (pizza,)
    assert file.optima[0].status == "optimal"
