"""Kappas: published worked examples, laws that hold for any votes, intervals, whole label sets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.evaluation.labels.agreement import (
    RECORD,
    agreements,
    cohen,
    fleiss,
    kappa_text,
    with_interval,
)
from support.evaluation.labelled import case_said, cases

# --- worked examples ------------------------------------------------------------------------------------

COHEN_1960 = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
"""J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20
(1960), Table 1, in two hundredths: proportions .44 .07 .09 / .05 .20 .05 / .01 .03 .06; kappa .492."""

FLEISS_1971 = [
    (0, 0, 0, 6, 0), (0, 3, 0, 0, 3), (0, 1, 4, 0, 1), (0, 0, 0, 0, 6), (0, 3, 0, 3, 0), (2, 0, 4, 0, 0),
    (0, 0, 4, 0, 2), (2, 0, 3, 1, 0), (2, 0, 0, 4, 0), (0, 0, 0, 0, 6), (1, 0, 0, 5, 0), (1, 1, 0, 4, 0),
    (0, 3, 3, 0, 0), (1, 0, 0, 5, 0), (0, 2, 0, 3, 1), (0, 0, 5, 0, 1), (3, 0, 0, 1, 2), (5, 1, 0, 0, 0),
    (0, 2, 0, 4, 0), (1, 0, 2, 0, 3), (0, 0, 0, 0, 6), (0, 1, 0, 5, 0), (0, 2, 0, 1, 3), (2, 0, 0, 4, 0),
    (1, 0, 0, 4, 1), (0, 5, 0, 1, 0), (4, 0, 0, 0, 2), (0, 2, 0, 4, 0), (1, 0, 5, 0, 0), (0, 0, 0, 0, 6),
]  # fmt: skip
"""J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76 (1971),
Table 1: 30 patients, 6 psychiatrists, 5 diagnoses. Overall kappa .430; by diagnosis .245, .245, .520, .471
and .566 (Table 1 and section on single categories)."""

WIKIPEDIA = [
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
]  # fmt: skip
"""The worked example of the article on Fleiss' kappa in Wikipedia: 10 subjects, 14 raters, kappa .210."""


def paired(table: Sequence[Sequence[int]]) -> list[tuple[str, str]]:
    """The votes of two raters whose confusion matrix this is."""
    return [
        (str(row), str(column))
        for row, column in product(range(len(table)), repeat=2)
        for _ in range(table[row][column])
    ]


def counted(table: Sequence[Sequence[int]]) -> list[tuple[str, ...]]:
    """Votes with these counts of each label for each subject."""
    return [tuple(str(key) for key, n in enumerate(row) for _ in range(n)) for row in table]


def binary(votes: list[tuple[str, ...]], key: str) -> list[tuple[str, ...]]:
    return [tuple(key if vote == key else "" for vote in votes_of_one) for votes_of_one in votes]


def test_cohen_s_example_of_1960():
    found = cohen(paired(COHEN_1960), ["0", "1", "2"])
    assert found is not None and round(found, 3) == 0.492


def test_cohen_of_two_by_two():
    """35 of 50 agree; chance: .5 * .6 + .5 * .4 = .5; (.7 - .5) / .5 = .4."""
    found = cohen(paired([[20, 5], [10, 15]]), ["0", "1"])
    assert found is not None and round(found, 12) == 0.4


def test_fleiss_example_of_1971_overall_and_by_diagnosis():
    votes = counted(FLEISS_1971)
    found = fleiss(votes, [str(key) for key in range(5)])
    assert found is not None and round(found, 3) == 0.430
    by_label = [fleiss(binary(votes, str(key)), [str(key), ""]) for key in range(5)]
    assert [round(each or 0, 3) for each in by_label] == [0.245, 0.245, 0.520, 0.471, 0.566]


def test_fleiss_of_fourteen_raters():
    found = fleiss(counted(WIKIPEDIA), [str(key) for key in range(5)])
    assert found is not None and round(found, 3) == 0.210


# --- laws -----------------------------------------------------------------------------------------------

LABELS = ("a", "b", "c")
votes_of = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=30)


@given(votes_of)
def test_kappa_lies_between_minus_one_and_one_and_does_not_mind_who_is_named_first(votes):
    for coefficient in (cohen, fleiss):
        found = coefficient(votes, LABELS)
        other = coefficient([(b, a) for a, b in votes], LABELS)
        assert (found is None) == (other is None)
        if found is not None and other is not None:
            assert -1 - 1e-9 <= found <= 1 + 1e-9
            assert found == pytest.approx(other)


@given(votes_of)
def test_names_of_labels_and_the_order_of_cases_do_not_matter(votes):
    renamed = {"a": "c", "b": "a", "c": "b"}
    other = [(renamed[first], renamed[second]) for first, second in reversed(votes)]
    for coefficient in (cohen, fleiss):
        assert coefficient(votes, LABELS) == pytest.approx(coefficient(other, LABELS))


@given(st.lists(st.sampled_from(LABELS), min_size=2, max_size=20))
def test_who_always_agrees_has_kappa_one_or_none_where_there_is_one_label(labels):
    votes = [(label, label) for label in labels]
    expected = None if len(set(labels)) == 1 else pytest.approx(1)
    assert cohen(votes, LABELS) == expected
    assert fleiss(votes, LABELS) == expected


@given(votes_of)
def test_an_interval_lies_between_the_ends_and_holds_something(votes):
    found = with_interval(cohen, [(str(n), vote) for n, vote in enumerate(votes)], LABELS)
    assert (found.cases, found.episodes) == (len(votes), len(votes))
    if found.low is not None and found.high is not None:
        assert -1 <= found.low <= found.high <= 1


# --- intervals ------------------------------------------------------------------------------------------


def test_a_jackknife_interval_by_hand():
    """Four cases, three of which agree: (a,a) (b,b) (a,a) (a,b).

    Kappa: observed 3/4; chance 3/4 * 1/2 + 1/4 * 1/2 = 1/2; so 1/2. Without the first or third: 2/3 observed,
    chance 2/3 * 1/3 + 1/3 * 2/3 = 4/9, kappa 2/5. Without the second: 2/3 observed; one rater has a alone, so
    chance is 1 * 2/3, kappa 0. Without the fourth: 1. Pseudo-values 4 * 1/2 - 3 * k: 0.8, 2, 0.8, -1. Their
    mean 0.65, deviation 1.24766, t(3) = 3.18245: 0.65 +- 1.98531, cut at the ends.
    """
    votes = [(str(n), vote) for n, vote in enumerate([("a", "a"), ("b", "b"), ("a", "a"), ("a", "b")])]
    found = with_interval(cohen, votes, ("a", "b"))
    assert (found.value, found.low, found.high) == (pytest.approx(0.5), -1.0, 1.0)
    many = [(f"{copy}/{n}", vote) for copy in range(9) for n, vote in votes]
    wide = with_interval(cohen, [(n.partition("/")[2], vote) for n, vote in many], ("a", "b"))
    narrow = with_interval(cohen, many, ("a", "b"))
    assert wide.episodes == 4 and narrow.episodes == 36
    assert wide.low == -1.0 and narrow.low is not None and narrow.low > 0


def test_no_interval_of_perfect_agreement_or_of_two_episodes():
    perfect = [(str(n), (label, label)) for n, label in enumerate("abab")]
    assert kappa_text(with_interval(cohen, perfect, ("a", "b"))) == "1.00"
    two = [("one", ("a", "a")), ("one", ("b", "b")), ("two", ("a", "b"))]
    assert with_interval(cohen, two, ("a", "b")).low is None
    assert kappa_text(with_interval(cohen, perfect[:1], ("a",))) == "–"


# --- whole label sets -----------------------------------------------------------------------------------


def test_two_annotators_a_judge_and_the_record():
    settled = cases(
        case_said(ann="state", bob="state", judge="goal"),
        case_said(ann="state", bob="goal", judge="goal"),
        case_said(ann="goal", bob="goal", judge="goal"),
        case_said(ann="goal"),
        case_said(decided="state", ann="state", bob="goal"),
    )
    (found,) = agreements(settled)
    assert found.annotators == {"ann": 5, "bob": 4, "judge:m": 3}
    pairs = {(pair.one, pair.other): pair for pair in found.pairs}
    assert set(pairs) == {
        ("ann", "bob"), ("ann", "judge:m"), ("bob", "judge:m"), ("ann", RECORD), ("bob", RECORD),
    }  # fmt: skip
    both = pairs["ann", "bob"]
    assert both.confusion == {"state": {"state": 1, "goal": 2}, "goal": {"state": 0, "goal": 1}}
    assert (both.agreeing, both.kappa.cases) == (50.0, 4)
    assert pairs["ann", RECORD].agreeing == 100 and pairs["bob", RECORD].agreeing == 0
    assert found.together is not None and found.together.kappa.cases == 3
    assert [one.how for one in found.divided] == ["people", "people and judges", "record"]


def test_adjudicators_are_left_out_and_so_is_their_own_say_there():
    settled = cases(case_said(ann="state", bob="goal", eve="goal", adjudicator="eve"))
    (found,) = agreements(settled)
    assert [(pair.one, pair.other) for pair in found.pairs] == [("ann", "bob")]
    assert found.divided[0].label == "goal"


def test_no_agreement_where_nobody_has_labelled():
    assert list(agreements(cases(case_said(decided="state")))) == []
