"""Score tables in terminals of any width: nothing is cut off."""

from __future__ import annotations

import pytest
from msgspec import structs
from rich.console import Console

from backburner.evaluation.scoring.scores import Row, WorldScores
from backburner.evaluation.scoring.statistics import Estimate, says_little
from backburner.evaluation.tables.score_tables import about_intervals, about_little, score_tables
from backburner.evaluation.tables.terminal import section_table
from backburner.kernel.scoring import Metric, Section

KEYS = ("Success", "Progress", "R-Efficiency", "SxE", "Efficiency", "R-Efficiency*", "Minutes", "overlap")


def scores(failed: int = 0) -> WorldScores:
    metrics = tuple(Metric(key, key, "%", "higher", lambda rows: None, "") for key in KEYS)
    figures = {key: Estimate(100.0, 99.6, 100.0) for key in KEYS}  # as wide as an interval gets
    row = Row("a group", "standard", "first-legal", 65, failed, figures, scenarios=65)
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
    assert "…" not in text and max(map(len, text.splitlines())) <= width
    assert all(key in text for key in KEYS)
    assert (text.count("100.00"), text.count("[100, 100]")) == (len(KEYS), len(KEYS))


def test_an_interval_that_says_little_is_left_out_or_a_word() -> None:
    """Over fewer than five scenarios, or over more than four fifths of a share's scale."""
    metric = structs.replace(scores().metrics[0], share=True)
    assert says_little(Estimate(0.0, 0.0, 84.0), metric, 6) == "wide"
    assert says_little(Estimate(0.0, 0.0, 46.0), metric, 6) == ""
    assert says_little(Estimate(207.5, 0.0, 1821.0), scores().metrics[0], 2) == "few"
    whole = scores()
    few = structs.replace(whole, rows=(structs.replace(whole.rows[0], scenarios=4),))
    (table,) = score_tables(few, 200)
    assert table.plain.count("100.00") == len(KEYS) and "[" not in table.plain
    assert about_little(few) == "intervals: none over fewer than five scenarios" and not about_little(whole)


def test_a_wide_table_lies_on_its_side() -> None:
    """The name, the number of episodes and eight figures of 17 columns with 3 between them are 176."""
    assert printed(176, 0).splitlines()[1].split()[:2] == ["agent", "n"]
    assert printed(175, 0).splitlines()[1].split() == ["agent", "first-legal"]


LABELS = tuple(
    f"react@history=last-observation-reasoning-action,plan=on(a-model-{size})" for size in ("small", "large")
)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_agents_whose_names_differ_only_at_the_end_can_be_told_apart(width: int) -> None:
    """A name that no line holds is broken after a sign, any other one nowhere."""
    whole = scores()
    (row,) = whole.rows
    long = structs.replace(whole, rows=tuple(structs.replace(row, agent=label) for label in LABELS))
    (table,) = score_tables(long, width)
    lines = table.plain.splitlines()
    assert max(map(len, lines)) <= width
    assert all(label in (table.plain if width > len(label) else "".join(lines)) for label in LABELS)


WIDE = Section("wide", "", ("agent", *(f"level {n}" for n in range(9))), (("first-legal", *["0.500"] * 9),))
LONG = Section("long", "", ("agent", "score"), tuple((f"agent {n}", 0.5) for n in range(9)))


def told(section: Section, width: int) -> list[str]:
    return section_table(section, width).plain.splitlines()


def test_an_analysis_that_is_too_wide_lies_on_its_side() -> None:
    assert [line.split() for line in told(WIDE, 90)[1:3]] == [["level"] * 9, ["agent", *"012345678"]]
    narrow = told(WIDE, 50)
    assert narrow[1].split() == ["agent", "first-legal"]
    assert [line.split() for line in narrow[3:]] == [["level", str(n), "0.500"] for n in range(9)]


def test_what_no_table_holds_is_a_paragraph_for_each_row() -> None:
    assert told(LONG, 15)[1].split() == ["agent", "score"]
    assert told(LONG, 12)[1:3] == ["agent 0", "  score 0.50"]
    names = ("suite", "agent", *(f"a-metric-{n}" for n in range(6)))
    row = ("collab_overcooked/level1", "stand-in:skill=0.7", *["64.20 [56.10, 70.30]"] * 6)
    text = told(Section("", "", names, (row, row, row)), 40)
    assert max(map(len, text)) <= 40
    assert text[:3] == [
        "collab_overcooked/level1",
        "  agent stand-in:skill=0.7;",
        "  a-metric-0 64.20 [56.10, 70.30];",
    ]


def test_an_interval_is_not_broken_and_prose_only_between_words() -> None:
    section = Section("", "", ("name", "what it shows"), (("a", "12.00 [1, 20] and more of the same kind"),))
    lines = told(section, 24)
    assert lines[0].split() == ["name", "what", "it", "shows"] and max(map(len, lines)) <= 24
    assert " ".join(" ".join(lines[2:]).split()) == "a 12.00 [1, 20] and more of the same kind"
    assert any("[1, 20]" in line for line in lines)


def test_no_foreign_sign_moves_the_cursor() -> None:
    text = section_table(Section("odd\x1b[2J", "", ("agent\r", "n"), (("\x1b[2Jme", "1\t"),)), 80).plain
    assert all(line.isprintable() for line in text.splitlines())


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
