"""Rules of exclusion, one measure and one value at a time; and whether an answer fits its item."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.study.design import Choice, Exclusion, Item, Likert, Number, Option, Words
from backburner.study.entries import checked, is_correct
from backburner.study.export.data import excludes, is_of_time

UNKNOWN = None


@pytest.mark.parametrize(
    ("rule", "value", "excluded"),
    [
        ({"below": 3}, 2.9, True),
        ({"below": 3}, 3.0, False),  # at the limit nobody is excluded
        ({"above": 3}, 3.0, False),
        ({"above": 3}, 3.1, True),
        ({"above": 0}, True, True),  # a truth counts as 1
        ({"above": 0}, "many", False),  # a text lies nowhere
        ({"equals": "left"}, "left", True),
        ({"equals": "left"}, "open", False),
        ({"equals": 3}, 3.0, True),
        ({"equals": "3"}, 3.0, True),  # an answer is one answer, however it is written
        ({"equals": 3.5}, "3.5", True),
        ({"equals": True}, "true", True),
        ({"equals": "a,b"}, "a,b", True),  # several options, with commas
        ({"below": 3}, UNKNOWN, False),
        ({"equals": "left"}, UNKNOWN, False),
    ],
)
def test_a_rule_compares_one_measure_with_one_value(rule: dict[str, Any], value: Any, excluded: bool) -> None:
    assert excludes(Exclusion("r", "minutes", **rule), value) == excluded


def test_rules_about_time_are_those_that_a_rehearsal_would_break() -> None:
    names = ("minutes", "seconds", "seconds:read", "trials", "answer:seconds", "metric:CT")
    of_time = [is_of_time(Exclusion("r", name, above=1)) for name in names]
    assert of_time == [True, True, True, False, False, False]


LIKERT = Likert("fun", "t", points=5)
ONE = Choice("goal", "t", (Option("a", "t"), Option("b", "t")))
SEVERAL = Choice("goals", "t", (Option("a", "t"), Option("b", "t")), several=True)
AGE = Number("age", "t", lowest=18, highest=120)
NAME = Words("name", "t", longest=5)


@pytest.mark.parametrize(
    ("item", "answer", "kept", "problem"),
    [
        (LIKERT, 5.0, 5.0, None),
        (LIKERT, 6.0, 6.0, "between"),
        (LIKERT, 2.5, 2.5, "between"),
        (LIKERT, "5", "5", "between"),
        (LIKERT, None, None, "required"),
        (ONE, "b", "b", None),
        (ONE, "c", "c", "required"),
        (ONE, ("a",), ("a",), "required"),
        (SEVERAL, ("b", "a", "b"), ("b", "a"), None),
        (SEVERAL, "a", "a", "required"),
        (SEVERAL, (), None, "required"),
        (AGE, 18.0, 18.0, None),
        (AGE, 17.0, 17.0, "between"),
        (AGE, 20.5, 20.5, "whole"),
        (AGE, float("nan"), None, "between"),
        (NAME, "  Ada ", "Ada", None),
        (NAME, "Ada Lovelace", "Ada Lovelace", "longest"),
        (NAME, "   ", None, None),  # nobody has to say it
    ],
    ids=str,
)
def test_an_answer_is_kept_as_it_fits(item: Item, answer: Any, kept: Any, problem: str | None) -> None:
    found = checked([item], {item.name: answer, "nobody asked": "x"})
    assert (found.problems[item.name][0] if found.problems else None) == problem
    assert found.fits == (problem is None)
    assert found.answers.keys() == {item.name}
    if answer == answer:
        assert found.answers[item.name] == kept


@pytest.mark.parametrize(
    ("item", "answer", "right"),
    [
        (Likert("check", "t", check="attention", correct=2), 2.0, True),
        (Likert("check", "t", check="attention", correct=2), 3.0, False),
        (Words("word", "t", check="comprehension", correct="Egg"), " egg", True),
        (Choice("one", "t", ONE.options, check="attention", correct="a"), "a", True),
        (Choice("some", "t", ONE.options, several=True, check="attention", correct="a"), ("a",), True),
        (Choice("some", "t", ONE.options, several=True, check="attention", correct="a"), ("a", "b"), False),
        (LIKERT, 5.0, None),
    ],
    ids=str,
)
def test_a_check_has_one_right_answer(item: Item, answer: Any, right: bool | None) -> None:
    assert is_correct(item, answer) is right


def test_only_checks_of_comprehension_are_asked_again() -> None:
    quiz = Choice("quiz", "t", ONE.options, check="comprehension", correct="b")
    attention = Likert("check", "t", check="attention", correct=2)
    assert checked([quiz, attention], {"quiz": "a", "check": 5.0}).wrong == ("quiz",)
    assert checked([quiz, attention], {"quiz": "b", "check": 5.0}).wrong == ()
    assert checked([quiz], {"quiz": "z"}).wrong == (), "what is no answer is told as that"
