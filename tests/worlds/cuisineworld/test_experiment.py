"""The collaboration experiment: Table 1 with intervals, the curves of Figure 3, worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from backburner.kernel.charts import Line, Lines, Point
from backburner.kernel.scoring import Measured
from backburner.worlds.cuisineworld.game.scenarios import evaluated
from backburner.worlds.cuisineworld.metrics.tables import counts_by_pace, figure_3, table_1, teams
from support.cuisineworld.play import episode_of, world_of

LEVEL_3 = evaluated().index("level_3")


def measured(path: str, tau: float, *counts: tuple[int, int]) -> list[Measured]:
    """Episodes of a scenario in which so many orders were completed, and so many failed."""
    episode = episode_of(world_of(path))
    return [(episode, {"tau": tau, "completed": done, "failed": failed}) for done, failed in counts]


ROWS = [
    *measured("level_3", 1.0, (1, 3), (3, 1)),
    *measured("level_3", 2.0, (4, 0), (4, 0)),
    *measured("level_3@bodies=3", 1.0, (2, 2)),
]
"""Two bodies: 4 of 8 and 8 of 8, CoS 0.75. Three bodies: 2 of 4 in one episode."""


def row_of(rows: Sequence[Sequence[object]], agent: str, bodies: int) -> Sequence[object]:
    (found,) = [row for row in rows if row[:2] == (agent, bodies)]
    return found


def test_teams_are_an_agent_with_a_number_of_bodies() -> None:
    assert [(team.agent, team.bodies, len(team.by_level["level_3"])) for team in teams(ROWS)] == [
        ("speaker", 2, 4),
        ("speaker", 3, 1),
    ]


def test_scores_stand_in_table_1_with_the_interval_of_drawing_episodes_anew() -> None:
    """τ = 1.0 drawn anew is 2/8, 4/8 or 6/8 (once in four, two, four), τ = 2.0 always 1: the score is
    between (0.25 + 1) / 2 and (0.75 + 1) / 2."""
    row = row_of(table_1(ROWS).rows, "speaker", 2)
    cell = "0.750\n[.62, .88]"
    assert row[2 + LEVEL_3] == cell
    assert row[-1] == cell, "the mean of the one level played"
    assert set(row[2:-1]) == {cell, "–"}


def test_a_single_episode_has_no_interval() -> None:
    assert row_of(table_1(ROWS).rows, "speaker", 3)[2 + LEVEL_3] == "0.500"


def test_the_mean_is_drawn_anew_level_by_level() -> None:
    """A level that always scores 0 halves score and interval: [0.125 + 0.5, 0.375 + 0.5] halved."""
    rows = [row for row in ROWS if row[0].header.scenario.get("bodies", 2) == 2]
    rows += measured("level_0", 1.0, (0, 4), (0, 4))
    row = row_of(table_1(rows).rows, "speaker", 2)
    assert row[-1] == "0.375\n[.31, .44]"


def test_the_articles_rows_stand_below() -> None:
    rows = table_1(ROWS).rows
    assert [row_of(rows, "GPT-4, article", bodies)[-1] for bodies in (2, 3, 4)] == [
        "0.673",
        "0.694",
        "0.692",
    ]


def test_figure_3_has_counts() -> None:
    assert ("speaker", 2, "level_3", "4/8", "–", "8/8", "–", "–") in counts_by_pace(ROWS).rows


def test_figure_3_has_lines_with_the_articles_beside() -> None:
    figure = figure_3(ROWS)
    (chart,) = figure.charts
    assert isinstance(chart, Lines)
    assert (chart.title, chart.x) == ("level_3, speaker", "τ")
    # Three bodies were played at one interval only, which makes no line.
    assert chart.lines[0] == Line("2 agents", (Point(1.0, 0.5), Point(2.0, 1.0)), "2")
    quoted = [line for line in chart.lines if line.quoted]
    assert [(line.name, line.family) for line in quoted] == [
        ("GPT-4, 2 agents", "2"),
        ("GPT-4, 3 agents", "3"),
    ]
    # Table 6: 10 of 26 on level 3 at τ = 1.0.
    assert quoted[0].points[0] == Point(1.0, pytest.approx(10 / 26))


def test_orders_are_counted_over_all_levels_at_once() -> None:
    rows = [*measured("level_0", 1.0, (1, 0)), *measured("level_3", 1.0, (0, 3))]
    table = counts_by_pace(rows).rows
    assert table[-1] == ("speaker", 2, "all orders", "0.250", "–", "–", "–", "–")
