"""Figures: a world's own and the scores over time, drawn and written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import backburner
from backburner.evaluation.scoring.scores import score
from backburner.evaluation.tables.figures import all_figures, drawn, one_of_each, progress, write_figures
from backburner.kernel import registry
from backburner.kernel.charts import Bars, Box, Boxes, Chart, Figure, Lines, Stacks
from backburner.kernel.episode import Episode
from backburner.kernel.scoring import Measured, Section
from support.evaluation.made_episodes import made
from support.policies import Answers

SHOWN = {
    "timearena": {"figure-3"},
    "recipe2plan": {"figure-5"},
    "robotouille": {"figure-5", "figure-6"},
    "collab_overcooked": {"figure-3", "outcomes", "figure-8"},
    "cuisineworld": {"figure-3"},
}
"""What a few episodes without success are enough for."""

SCENARIOS = {
    "timearena": ("timearena/household9",),
    "recipe2plan": ("recipe2plan/Cobbler+Pancakes",),
    "robotouille": ("robotouille/synchronous/1@seed=42",),
    "collab_overcooked": ("collab_overcooked/baked_bell_pepper", "collab_overcooked/baked_bell_pepper_soup"),
    "cuisineworld": ("cuisineworld/level_0@tau=1.0", "cuisineworld/level_0@tau=2.0"),
}


def played(world: str) -> list[Episode]:
    return [backburner.play_now(backburner.world(id), backburner.RandomPolicy()) for id in SCENARIOS[world]]


@pytest.mark.parametrize("world", SHOWN)
def test_no_figure_rests_on_a_table(world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables may be called something else, or not be there: figures are computed from what was measured."""
    episodes = played(world)
    scoring = registry.scoring(world)
    (before,) = score(episodes)
    assert before.sections and SHOWN[world] <= {figure.key for figure in before.figures}

    def reworded(rows: Sequence[Measured]) -> list[Section]:
        return [Section("Another title", "", ("column",), ()) for _ in before.sections]

    monkeypatch.setattr(type(scoring), "sections", lambda self, rows: reworded(rows))
    (after,) = score(episodes)
    assert after.sections != before.sections
    assert after.figures == before.figures


def test_figures_without_charts_are_left_out() -> None:
    (world,) = score(played("timearena"))
    assert all(figure.charts for figure in world.figures)


def test_scores_over_time_come_last() -> None:
    episode = backburner.play_now(backburner.world("timearena/household9"), backburner.FirstLegalPolicy())
    (world,) = score([episode])
    assert [figure.key for figure in all_figures(world.figures, world.measured)] == ["figure-3", "progress"]


def test_every_kind_of_chart_is_drawn() -> None:
    charts: tuple[Chart, ...] = (
        Bars("bars", "", ()),
        Stacks("stacks", "", (), ()),
        Boxes("boxes", "", (Box("a", 1, 2, 3, 4, 5, 6),)),
        Lines("lines", "", "", ()),
    )
    assert [drawn(chart).title for chart in charts] == ["bars", "stacks", "boxes", "lines"]
    assert {ET.fromstring(drawn(chart).svg).tag for chart in charts} == {"{http://www.w3.org/2000/svg}svg"}


def test_each_chart_is_a_file_of_its_own_name(tmp_path: Path) -> None:
    chart = Bars("Success: level 1 / α", "", ())
    one, several = Figure("figure-1", "", "", (chart,)), Figure("figure-2", "", "", (chart, chart))
    written = write_figures([("tea", one), ("tea", several)], tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in written] == [
        "tea/figure-1.svg",
        "tea/figure-2-success-level-1.svg",
        "tea/figure-2-success-level-1-2.svg",
    ]
    assert written[0].read_text().startswith("<?xml")
    assert ET.parse(written[0]).getroot().tag == "{http://www.w3.org/2000/svg}svg"


def test_scores_over_time_are_drawn_where_somebody_scored() -> None:
    id = "timearena/household9"
    idle: Any = backburner.play_now(backburner.world(id), Answers("wait"))
    busy = backburner.play_now(backburner.world(id), backburner.FirstLegalPolicy())
    assert list(progress([idle])) == []
    (chart,) = progress([idle, busy])
    assert chart.title == f"{id} · standard" and chart.stepped
    assert [line.points[-1].y for line in chart.lines] == [0, 100]


def test_the_first_episode_of_each_agent_and_scenario_is_drawn() -> None:
    first, again, other, elsewhere = made("two"), made("two", seed=1), made("one"), made("one", "b")
    assert one_of_each([elsewhere, first, again, other]) == [other, first, elsewhere]
