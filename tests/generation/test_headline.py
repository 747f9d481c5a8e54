"""The recipe of the headline's suites, as a world can give it, and what is refused as no scale."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.generation.headline import GAPS, headline_cells, packed
from backburner.kernel import registry
from backburner.kernel.answers import Answered
from backburner.kernel.built import BuiltFile, BuiltScenario, suites_of
from backburner.kernel.errors import Refused
from backburner.kernel.generating import generator_of
from support.generation.builds import WORLD, build


class Fewer(type(generator_of("timearena"))):  # type: ignore[misc]
    """A world without the highest band, in which nothing is longer than 30."""

    bands = ("low", "middle")
    lengths = ((10, 20), (21, 30))


def test_a_world_without_a_band_has_cells_of_the_others() -> None:
    """2 bands with 2 lengths in 2 themes are 8 cells; 3 with 5 in 2 are 30."""
    generator = generator_of("timearena")
    cells = headline_cells(Fewer())
    assert [cell.band for cell in cells] == ["low"] * 4 + ["middle"] * 4
    assert {cell.ranges["gap:busy"] for cell in cells[4:]} == {GAPS["min"][1]}
    assert len(headline_cells(generator)) == 30
    assert [cell for cell in headline_cells(generator) if cell in cells] == cells


def test_a_file_without_a_band_has_no_suite_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = Answered("", "min", "minutes", "optimal", 8, 8)
    scenarios = tuple(BuiltScenario(name, "high", {}, answer, 0.5, 0.25) for name in "ab")
    monkeypatch.setattr(
        "backburner.kernel.built.built_of", lambda package: BuiltFile("", 1, (0, 0), scenarios)
    )
    names = ("built-1/a", "built-1/b")
    assert suites_of.__wrapped__("shop") == {"built-1": names, "built-1/high": names}


def test_a_band_that_busy_play_nearly_attains_is_refused_by_its_name(tmp_path: Path) -> None:
    build(tmp_path / "easy", length="5:8", gap="busy=:.02", scenarios=1)
    (name,) = (Path(id).stem for id in registry.expand(str(tmp_path / "easy")))
    with pytest.raises(Refused, match=r"busy play attains [\d.]+ in the band middle: .* fewer bands"):
        packed(WORLD, "", tmp_path / "easy", {name: "middle"}, map)
