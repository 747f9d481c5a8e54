"""The kitchen that the pages show can be played, and the errors that they quote are the real ones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import backburner
from backburner.kernel import registry
from backburner.kernel.errors import BadFile

PAGE = Path(__file__).parents[4] / "docs" / "add-a-scenario.md"
SECTION = PAGE.read_text().partition("## Collab-Overcooked\n")[2].partition("\n## ")[0]
SCENARIO, LAYOUT, ERRORS = re.findall(r"^```\n(.*?)^```", SECTION, re.MULTILINE | re.DOTALL)


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    """The scenario of the page, beside the layout that it names."""
    (tmp_path / "kitchens").mkdir()
    (tmp_path / "kitchens" / "corridor.json").write_text(LAYOUT)
    file = tmp_path / "lunch.json"
    file.write_text(SCENARIO)
    return file


def test_the_kitchen_of_the_page_is_played(scenario: Path) -> None:
    world = registry.world(str(scenario))
    episode = backburner.play_now(world, backburner.RandomPolicy(), seed=3)
    assert episode.ending is not None and episode.ending.numbers["steps"] == 100
    assert "gratin: takes potato (1), egg (1)." in world.briefing("assistant")
    assert "gratin: takes" not in world.briefing("chef")


@pytest.mark.parametrize(
    ("right", "wrong", "quoted"),
    [('"I1   2S"', '"I1  2S"', 0), ('"oven", "output"', '"ovn", "output"', 1)],
)
def test_the_errors_of_the_page_are_the_real_ones(
    scenario: Path, right: str, wrong: str, quoted: int
) -> None:
    layout = scenario.parent / "kitchens" / "corridor.json"
    layout.write_text(LAYOUT.replace(right, wrong))
    with pytest.raises(BadFile) as caught:
        registry.world(str(scenario))
    assert f"backburner: {caught.value}".replace(f"{layout.parent}/", "") == ERRORS.splitlines()[quoted]


def test_the_scenario_of_the_page_names_its_layout() -> None:
    assert json.loads(SCENARIO)["layout"] == "kitchens/corridor.json"
