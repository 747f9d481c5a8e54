"""Scores beside what their orders allow, worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from backburner.kernel.scoring import Measured, Section
from backburner.worlds.cuisineworld.metrics.tables import headroom
from backburner.worlds.dispatch.scores import LEAST_FAILED, MOST_SERVED
from support.cuisineworld.play import episode_of, world_of


def measured(
    path: str, tau: float, *counts: tuple[int, int, int, int], stopped: bool = False
) -> list[Measured]:
    """Episodes with orders completed and failed, and the bounds of both."""
    episode = episode_of(world_of(path))
    return [
        (
            episode,
            {
                "tau": tau, "completed": done, "failed": failed, MOST_SERVED: most, LEAST_FAILED: least,
                "turns": 60, "steps": 59 if stopped else 60,
            },
        )
        for done, failed, most, least in counts
    ]  # fmt: skip


ROWS = [
    *measured("level_3", 1.0, (1, 3, 2, 2), (3, 1, 4, 0)),
    *measured("level_3", 2.0, (4, 0, 4, 0)),
    *measured("level_0", 1.0, (1, 1, 2, 0)),
]
"""Level 3, τ = 1.0: 4 of 8 where 6 of 8 are allowed; τ = 2.0: all of all. Level 0: 1 of 2, and 2 of 2."""


def section(rows: Sequence[Measured]) -> Section:
    found = headroom(rows)
    assert found is not None
    return found


def test_each_level_has_score_bound_and_gap_and_the_gap_at_each_interval() -> None:
    by_level = {row[2]: row[3:] for row in section(ROWS).rows}
    # CoS (0.5 + 1) / 2, bound (0.75 + 1) / 2
    assert by_level["level_3"] == (".750", ".875", ".125", ".25", "–", ".00", "–", "–")
    assert by_level["level_0"] == (".500", "1.000", ".500", ".50", "–", "–", "–", "–")


def test_the_mean_is_over_the_levels_played() -> None:
    (mean,) = [row for row in section(ROWS).rows if row[2] == "mean"]
    # (0.75 + 0.5) / 2 of (0.875 + 1) / 2; at τ = 1.0 the mean of two gaps, at τ = 2.0 that of one
    assert mean[3:] == (".625", ".938", ".312", ".38", "–", ".00", "–", "–")


def test_every_cell_stands_there_for_machines() -> None:
    cells = section(ROWS).cells
    assert [(cell["level"], cell["tau"]) for cell in cells] == [
        ("level_0", 1.0),
        ("level_3", 1.0),
        ("level_3", 2.0),
    ]
    assert cells[1] == {
        "agent": "speaker",
        "agents": 2,
        "level": "level_3",
        "tau": 1.0,
        "episodes": 2,
        "completed": 4,
        "failed": 4,
        MOST_SERVED: 6,
        LEAST_FAILED: 2,
        "share": 0.5,
        "bound": 0.75,
        "gap": pytest.approx(0.25),
        "clock stopped": False,
    }


def test_who_stopped_the_clock_is_marked() -> None:
    """A bound may then be passed: the gap is negative."""
    found = section(measured("level_3", 1.0, (3, 0, 2, 1), stopped=True))
    assert found.rows[0][3:7] == ("1.000", ".667", "-.333*", "-.33")
    assert "stops the clock" in found.text


def test_without_bounds_there_is_no_table() -> None:
    plain = [(episode, {"tau": 1.0, "completed": 1, "failed": 0}) for episode, _ in ROWS]
    assert headroom(plain) is None
