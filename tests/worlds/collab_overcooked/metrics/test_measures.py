"""TES, ROUGE-L, ITES and PC by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.worlds.collab_overcooked.metrics.measures import (
    Alignment,
    align,
    best_alignment,
    ites,
    longest_common,
    prefix_matched,
    progress_completeness,
    rouge_l,
    tes,
)
from backburner.worlds.collab_overcooked.metrics.references import published_tables

CUT_TOFU = (
    "pickup(tofu,ingredient_dispenser)",
    "put_obj_in_utensil(chopping_board0)",
    "cut(chopping_board0)",
    "pickup(tofu_slices,chopping_board0)",
    "place_obj_on_counter()",
)
PUT_DOWN_AN_EGG = (*CUT_TOFU[:3], "pickup(egg,ingredient_dispenser)", "place_obj_on_counter()")

letters = st.lists(st.sampled_from("abcd"), max_size=8)
references = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), min_size=1, max_size=3)


def test_the_articles_listing_4() -> None:
    """An egg is put down instead of the tofu.

    The reference begins with three calls that are there: with m = n = 5, (1 + b²) 3 / (5 + b² 5) = 3/5,
    whatever b is. The last call is in both as well: (1 + b²) 4 / (5 + b² 5) = 4/5.
    """
    assert prefix_matched(PUT_DOWN_AN_EGG, CUT_TOFU) == 3
    assert longest_common(PUT_DOWN_AN_EGG, CUT_TOFU) == 4
    printed = published_tables().listing4
    for beta in (0.5, 0.95, 2.0):
        assert tes(PUT_DOWN_AN_EGG, [CUT_TOFU], beta) == pytest.approx(printed.tes)
        assert rouge_l(PUT_DOWN_AN_EGG, [CUT_TOFU], beta) == pytest.approx(printed.rouge_l)


def test_what_is_redundant_lowers_precision_alone() -> None:
    history = ("a", "x", "b", "c")
    # D = 3, m = 3, n = 4: (1 + 0.9025) 3 / (3 + 0.9025 · 4) = 5.7075 / 6.61
    assert align(history, ("a", "b", "c")) == Alignment(3, 3, 4)
    assert align(history, ("a", "b", "c")).completeness == 1
    assert align(history, ("a", "b", "c")).precision == 3 / 4
    assert tes(history, [("a", "b", "c")]) == pytest.approx(5.7075 / 6.61)


def test_beta_weighs_redundancy() -> None:
    # D = 2, m = 4, n = 2. b = 1: 4/6; b = 2: 10 / 12, as n, which is short, weighs four times as much
    assert tes("ab", ["abcd"], 1.0) == pytest.approx(4 / 6)
    assert tes("ab", ["abcd"], 2.0) == pytest.approx(10 / 12)


def test_the_best_reference_counts_the_first_of_equals() -> None:
    assert best_alignment("ab", ["ba", "abc", "ab"]) == Alignment(2, 2, 2)
    assert best_alignment("x", ["abc", "ab"]) == Alignment(0, 3, 1)


def test_an_empty_history_counts_as_one_call_that_matches_nothing() -> None:
    assert align("", "ab").precision == 0
    assert tes("", ["ab"]) == 0
    # n = 1 after one call, not 2: (1 + b²) 1 / (2 + b²)
    assert ites("a", "", ["ab"]) == pytest.approx(1.9025 / 2.9025)


def test_nothing_to_do_and_nothing_done_is_perfect() -> None:
    assert tes("", [""]) == 1
    assert tes("a", [""]) == 0


def test_ites_takes_the_best_reference_before_and_after() -> None:
    # before: "ab" 2 · 1 / (2 + 1) = 2/3 with b = 1; after: "acd" 2 · 3 / (3 + 3) = 1
    assert ites("cd", "a", ["ab", "acd"], 1.0) == pytest.approx(1 - 2 / 3)


def test_what_is_done_again_has_negative_ites() -> None:
    # b = 1: 2 · 1 / (2 + 2) - 2 · 1 / (2 + 1)
    assert ites("a", "a", ["ab"], 1.0) == pytest.approx(1 / 2 - 2 / 3)


def test_progress_completeness_is_the_mean_over_cooks() -> None:
    assert progress_completeness([1.0, 0.5]) == 0.75


def test_without_references_or_cooks_there_is_nothing_to_compute() -> None:
    with pytest.raises(ValueError, match="at least one reference"):
        tes("a", [])
    with pytest.raises(ValueError, match="at least one cook"):
        progress_completeness([])


@given(letters, references)
def test_scores_lie_between_0_and_1_and_rouge_l_is_never_less(
    history: list[str], those: list[list[str]]
) -> None:
    assert 0 <= tes(history, those) <= rouge_l(history, those) <= 1 + 1e-12


@given(references)
def test_a_history_that_is_a_reference_is_perfect(those: list[list[str]]) -> None:
    assert tes(those[-1], those) == pytest.approx(1)


@given(st.data(), references)
def test_the_next_calls_of_a_reference_always_bring_it_forward(
    data: st.DataObject, those: list[list[str]]
) -> None:
    done = data.draw(st.integers(0, len(those[0]) - 1))
    assert ites(those[0][done:], those[0][:done], those[:1]) > 0


@given(letters, letters)
def test_the_longest_common_subsequence_knows_no_direction(one: list[str], other: list[str]) -> None:
    assert longest_common(one, other) == longest_common(other, one)
    assert longest_common(one[::-1], other[::-1]) == longest_common(one, other)
