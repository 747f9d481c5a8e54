"""Errors say what is wrong in one line and offer the nearest known name."""

from __future__ import annotations

import pytest

from backburner.kernel import errors
from backburner.kernel.errors import (
    BackburnerError,
    BadFile,
    MissingExtra,
    PolicyFailure,
    UnknownName,
    nearest,
    shorten,
)
from backburner.kernel.extras import install_command

TASKS = ["cooking1", "cooking10", "household1", "lab1"]


def test_every_error_is_a_backburner_error() -> None:
    defined = (kind for kind in vars(errors).values() if getattr(kind, "__module__", "") == errors.__name__)
    found = [kind for kind in defined if isinstance(kind, type)]
    assert all(issubclass(kind, BackburnerError) for kind in found)
    drawn = errors.__doc__ or ""
    assert all(kind.__name__ in drawn for kind in found), "the tree at the top of the file is complete"


def test_an_unknown_name_offers_the_nearest_ones() -> None:
    error = UnknownName("task", "coking1", TASKS, "timearena")
    assert error.nearest == ["cooking1", "cooking10"]
    assert str(error) == "unknown task 'coking1' in timearena; did you mean cooking1 or cooking10?"


def test_a_name_like_no_other_is_just_unknown() -> None:
    assert str(UnknownName("task", "zzz", [*TASKS, "lab2", "lab3", "lab4"])) == "unknown task 'zzz'"


def test_a_few_known_names_are_told() -> None:
    told = str(UnknownName("value", "two", ["one", "own"]))
    assert told in ("unknown value 'two'; did you mean one?", "unknown value 'two'; known: one, own")


@pytest.mark.parametrize(
    ("name", "best"),
    [("Cooking1", "cooking1"), ("househol1", "household1"), ("lab_1", "lab1")],
)
def test_nearest_looks_past_case_and_slips(name: str, best: str) -> None:
    assert nearest(name, TASKS)[0] == best


def test_nearest_gives_the_known_spelling() -> None:
    assert nearest("TACOS", ["Tacos", "Smore-Bars"]) == ["Tacos"]


def test_a_very_long_name_is_shortened_and_still_looked_up() -> None:
    error = UnknownName("task", "cooking1" * 100_000, TASKS)
    assert len(str(error)) < 200


def test_shorten_keeps_the_asked_length() -> None:
    assert shorten("abcdef", 6) == "abcdef"
    assert shorten("abcdefg", 6) == "abcde…"


def test_a_bad_file_is_named_with_place_and_reason() -> None:
    assert str(BadFile("soup.json", "field 'tasks'", "is empty")) == "soup.json: field 'tasks': is empty"
    assert str(BadFile("soup.json", "", "is not there")) == "soup.json: is not there"


def test_a_missing_extra_names_the_command() -> None:
    message = str(MissingExtra("solve", "the oracle"))
    assert message == f"the oracle needs an optional part: {install_command('solve')}"


def test_a_policy_failure_names_its_boundary() -> None:
    assert PolicyFailure("model", "no answer").boundary == "model"
