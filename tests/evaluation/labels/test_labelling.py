"""What needs a label, who is drawn to label it, and what labels come to."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.evaluation.labels.cases import (
    items_of,
    label_measures,
    sampled,
    settle,
    shuffled,
    usable,
)
from backburner.evaluation.labels.label_files import Labels
from backburner.kernel.assessment import Case
from backburner.kernel.errors import UnknownName
from support.evaluation.failed_kitchens import open_items, write_failures
from support.evaluation.labelled import CaseSaid, case_said, cases, item, line


@pytest.mark.parametrize(
    ("told", "label", "how"),
    [
        (case_said(), "", "none"),
        (case_said(ann="state"), "state", "people"),
        (case_said(ann="state", bob="state", eve="goal"), "state", "people"),
        (case_said(ann="state", bob="goal"), "", "tied"),
        (case_said(ann="state", bob="goal", judge="goal"), "goal", "people and judges"),
        (case_said(ann="state", bob="goal", judge="other"), "", "tied"),
        (case_said(ann="state", judge="goal"), "state", "people"),
        (case_said(judge="goal"), "goal", "judges"),
        (case_said(ann="state", bob="state", eve="goal", adjudicator="eve"), "goal", "adjudicator"),
        (case_said(decided="other", ann="state", eve="state", adjudicator="eve"), "other", "record"),
    ],
)
def test_what_labels_come_to(told: CaseSaid, label: str, how: str) -> None:
    (one,) = cases(told)
    assert (one.label, one.how) == (label, how)


def test_only_settled_labels_become_measures_and_decisions_are_counted() -> None:
    settled = cases(case_said(ann="state"), case_said(ann="state", bob="goal"), case_said(decided="goal"))
    first = settled[0].item.key
    again = replace(settled[0], item=replace(settled[0].item, key=replace(first, at=4)))
    assert label_measures([*settled, again]) == {first.record: {"label: failures: state": 2.0}}


def test_labels_that_do_not_fit_are_left_out_and_told() -> None:
    open_case, narrow = item(1), item(2, Case(possible=("goal", "other")))
    lines = (
        line(open_case.key, "ann", "state"),
        line(open_case.key, "bob", "state", version=2),
        line(open_case.key, "eve", "weather"),
        line(narrow.key, "ann", "state"),
        line(item(9).key, "ann", "state"),
    )
    said, wrong = usable([open_case, narrow], Labels(lines))
    assert {key: [one.annotator for one in of_key] for key, of_key in said.items()} == {
        open_case.key: ["ann"]
    }
    assert sorted(wrong) == [
        "1 label left out: about records or decisions that are not here",
        "1 label left out: by version 2 of failures, which has version 1 now",
        "1 label left out: that failures does not know",
        "1 label left out: that the record rules out",
    ]
    assert [one.how for one in settle([open_case, narrow], Labels(lines))] == ["people", "none"]


def test_everybody_draws_the_same_sample_in_an_order_of_their_own() -> None:
    items = [item(number) for number in range(40)]
    mine = sampled(items, 10, 3)
    assert mine == [each for each in items if each in sampled(list(reversed(items)), 10, 3)]
    assert len(mine) == 10 and sampled(items, 10, 4) != mine
    assert sampled(items, None, 0) == sampled(items, 99, 0) == items
    ann, bob = shuffled(mine, "ann", 0), shuffled(mine, "bob", 0)
    assert ann != bob and sorted(one.key for one in ann) == sorted(one.key for one in mine)
    assert shuffled(mine, "ann", 0) == ann


def test_records_have_their_cases_and_a_copy_of_one_is_no_other(tmp_path) -> None:
    first, *_ = write_failures(tmp_path)
    (tmp_path / "copy.jsonl").write_bytes(first.read_bytes())
    found = open_items(tmp_path)
    assert [one.path.name for one in found] == ["copy.jsonl", "kitchen1.jsonl", "kitchen2.jsonl"]
    assert found[0].choices == (
        "state", "goal: bad start", "goal: ingredients", "goal: order", "goal: both", "other",
    )  # fmt: skip
    with pytest.raises(UnknownName, match="did you mean failures"):
        items_of([(found[0].path, found[0].episode)], "failure")
