"""Labels in reports: tables for any world, with and without the library that reckons kappas."""

from __future__ import annotations

import sys

import pytest

from backburner.evaluation.labels.agreement import agreements
from backburner.evaluation.labels.label_tables import label_figures, label_sections
from backburner.kernel.assessment import uncompleted
from backburner.kernel.charts import Stacks
from backburner.kernel.errors import MissingExtra
from support.evaluation.labelled import case_said, cases
from support.evaluation.made_episodes import made

SETTLED = (
    case_said(ann="state", bob="state"),
    case_said(ann="goal", bob="state"),
    case_said(judge="goal"),
    case_said(decided="goal"),
)


def test_tables_tell_classes_how_they_were_found_and_who_labelled() -> None:
    classes, decided, annotators = label_sections(cases(*SETTLED))
    assert classes.columns == ("agent", "cases", "state", "goal", "unlabelled")
    assert classes.rows == (("act(small)", 4, 25.0, 50.0, 25.0),)
    assert decided.columns == ("agent", "by the record", "by people", "by a model alone", "tied")
    assert decided.rows == (("act(small)", 1, 1, 1, 1),)
    assert annotators.rows[:3] == (
        ("ann", "person", 2, "", ""),
        ("bob", "person", 2, "", ""),
        ("judge:m (model)", "judge", 1, "", ""),
    )
    assert annotators.rows[3][:4] == ("ann, bob", "both", 2, 50.0)


def test_a_figure_shows_what_has_no_label_as_that() -> None:
    (figure,) = label_figures(cases(*SETTLED))
    (chart,) = figure.charts
    assert isinstance(chart, Stacks)
    assert chart.stacks[0].parts == {"state": 25, "goal": 50, "other": 0, "unlabelled": 25}


def test_nothing_is_told_of_a_set_that_nobody_has_labelled() -> None:
    untouched = cases(case_said(decided="goal"), case_said())
    assert label_sections(untouched) == [] and list(label_figures(untouched)) == []


def test_without_the_library_labels_count_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    monkeypatch.setitem(sys.modules, "statsmodels.stats", None)
    settled = cases(*SETTLED)
    with pytest.raises(MissingExtra, match=r"agreement of annotators needs an optional part: .*study"):
        next(agreements(settled))
    *_, annotators = label_sections(settled)
    assert "Kappas are left out: the agreement of annotators needs" in annotators.text
    assert [row[0] for row in annotators.rows] == ["ann", "bob", "judge:m (model)"]


def test_in_a_world_without_labels_of_its_own_whatever_was_not_completed_is_a_case() -> None:
    (case,) = uncompleted(made())
    assert (case.decided, case.facts) == ("", ("It ended as: ended.",))
    assert uncompleted(made(status="failed")) == ()
