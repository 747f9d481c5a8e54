"""Score tables in terminals of any width: nothing is cut off."""

from __future__ import annotations

import pytest
from msgspec import structs
from rich.console import Console

from backburner.evaluation.scores import Row, WorldScores
from backburner.evaluation.statistics import Estimate
from backburner.evaluation.tables import about_intervals, score_tables, section_table
from backburner.kernel.scoring import Metric, Section

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


LABELS = tuple(
    f"react@history=last-observation-reasoning-action,plan=on(a-model-{size})" for size in ("small", "large")
)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_agents_whose_names_differ_only_at_the_end_can_be_told_apart(width: int) -> None:
    whole = scores()
    (row,) = whole.rows
    long = structs.replace(whole, rows=tuple(structs.replace(row, agent=label) for label in LABELS))
    console = Console(width=width, color_system=None, legacy_windows=False)
    for table in score_tables(long, width):
        with console.capture() as capture:
            console.print(table)
        names = "".join(line.split("  ")[0].strip() for line in capture.get().splitlines())
        assert all(label in names for label in LABELS)


def test_an_analysis_has_the_names_of_agents_in_full_too() -> None:
    console = Console(width=40, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(section_table(Section("", "", ("agent", "n"), tuple((name, 1) for name in LABELS)), 40))
    names = "".join(line.split("  ")[0].strip() for line in capture.get().splitlines())
    assert all(label in names for label in LABELS)


WIDE = Section("wide", "", ("agent", *(f"level {n}" for n in range(9))), (("first-legal", *["0.500"] * 9),))
LONG = Section("long", "", ("agent", "score"), tuple((f"agent {n}", 0.5) for n in range(9)))


def test_an_analysis_that_is_too_wide_lies_on_its_side() -> None:
    assert [column.header for column in section_table(WIDE, 90).columns][1] == "level\n0"
    narrow = section_table(WIDE, 50)
    assert [column.header for column in narrow.columns] == ["agent", "first-legal"]
    assert list(narrow.columns[0].cells) == [f"level {n}" for n in range(9)]
    assert list(narrow.columns[1].cells) == ["0.500"] * 9


def test_an_analysis_that_would_be_wider_on_its_side_stays_as_it_is() -> None:
    assert [column.header for column in section_table(LONG, 10).columns] == ["agent", "score"]


def test_which_method_each_figure_s_interval_has_is_told() -> None:
    whole = scores()
    (row,) = whole.rows
    methods = dict(
        zip(KEYS, ("beta", "beta", "gamma", "t", "one scenario", "all equal", "equal", ""), strict=True)
    )
    figures = {key: structs.replace(figure, method=methods[key]) for key, figure in row.figures.items()}
    told = about_intervals(structs.replace(whole, rows=(structs.replace(row, figures=figures),)))
    assert told.startswith("Success, Progress: Clopper and Pearson's exact interval")
    assert "R-Efficiency: the gamma interval" in told and "SxE: Student's t" in told
    assert "None for Efficiency where a single scenario has the figure." in told
    assert about_intervals(structs.replace(whole, rows=())) == ""
