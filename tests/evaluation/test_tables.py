"""Score tables in terminals of any width: nothing is cut off."""

from __future__ import annotations

import pytest
from rich.console import Console

from backburner.evaluation.scores import Row, WorldScores
from backburner.evaluation.statistics import Estimate
from backburner.evaluation.tables import score_tables
from backburner.kernel.scoring import Metric

KEYS = ("Success", "Progress", "R-Efficiency", "SxE", "Efficiency", "R-Efficiency*", "Minutes", "overlap")


def scores(failed: int = 0) -> WorldScores:
    metrics = tuple(Metric(key, key, "%", "higher", lambda rows: None, "") for key in KEYS)
    figures = {key: Estimate(100.0, 99.6, 100.0) for key in KEYS}  # as wide as an interval gets
    row = Row("a group", "standard", "first-legal", 65, failed, figures)
    return WorldScores("world", "World", metrics, (row,), (), (), (), ())


def printed(width: int, failed: int) -> str:
    console = Console(width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        for table in score_tables(scores(failed), width):
            console.print(table)
    return capture.get()


@pytest.mark.parametrize("failed", [0, 3])
@pytest.mark.parametrize("width", [60, 80, 100, 110, 120, 160, 190, 240])
def test_every_figure_is_there_in_full(width: int, failed: int) -> None:
    text = printed(width, failed)
    assert "…" not in text
    assert all(key in text for key in KEYS)
    assert (text.count("100.00"), text.count("[100, 100]")) == (len(KEYS), len(KEYS))


def test_intervals_stand_beside_the_figures_where_all_of_them_fit() -> None:
    """Eight figures of 20 columns and the 20 for the agent are 180."""
    assert "100.00 [100, 100]" in printed(180, 0)
    assert "100.00 [100, 100]" not in printed(179, 0)
    assert printed(120, 0).count("a group") == 2  # 20 + 8 columns of at least 13 do not fit, so two tables
