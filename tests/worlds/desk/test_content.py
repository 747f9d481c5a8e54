"""What results say and what is worked out of them; equality of content."""

from __future__ import annotations

import random

import pytest

from backburner.worlds.desk.game.content import (
    MOST_DEEP,
    Choose,
    InTable,
    OfValues,
    Undefined,
    canonical,
    depth,
    in_words,
    jobs_in,
    value,
)
from support.desk.worded import TABLES, Worded, formula, looked_up

VOTES = InTable("column", "count votes", "votes")


@pytest.mark.parametrize(
    ("of", "comes_to", "said"),
    [
        (InTable("cell", "price", "cost", 2), 75, "the cost in row 2 of price"),
        (
            InTable("lookup", "price", "code", where="leg", equals="B2"),
            "QX-2",
            "the code of price where leg is B2",
        ),
        # 410 twice: the first of equals counts
        (
            InTable("row_of_max", "count votes", "ward", where="votes"),
            "north",
            "the ward of count votes where votes is greatest",
        ),
        (
            InTable("nth", "count votes", "votes", 3),
            388,
            "number 3 of count votes by votes, the greatest first",
        ),
        (
            InTable("count", "count votes", where="votes", compares=">", equals=100),
            3,
            "the number of rows of count votes where votes is above 100",
        ),
        (OfValues("sum", (VOTES,)), 410 + 388 + 95 + 410, "the sum of every votes of count votes"),
        (OfValues("difference", (1000, 120, 75)), 805, "1000 less 120 less 75"),
        (OfValues("percent", (2, 3)), 66, "2 in percent of 3, rounded down"),
        (OfValues("percent", (-1, 3)), -34, "-1 in percent of 3, rounded down"),
        (OfValues("code", ("qx", 7)), "QX-7", "qx and 7, joined with hyphens"),
        (
            Choose(OfValues("max", (VOTES,)), ">=", 410, "hold", "ship"),
            "hold",
            "hold if (the greatest of every votes of count votes) is at least 410, otherwise ship",
        ),
    ],
)
def test_a_formula_comes_to_what_it_says(of, comes_to, said) -> None:
    assert (value(of, TABLES), in_words(of)) == (comes_to, said)


def test_a_second_evaluator_that_goes_by_the_words_agrees() -> None:
    draw, second = random.Random(0), Worded(TABLES)
    agreed = undefined = 0
    for number in range(1500):
        of = looked_up(draw) if number % 10 == 0 else formula(draw, draw.randint(1, MOST_DEEP))
        try:
            found = value(of, TABLES)
        except Undefined:
            undefined += 1
            continue
        assert second.value(in_words(of)) == found, in_words(of)
        assert depth(of) <= MOST_DEEP and set(jobs_in(of)) <= set(TABLES)
        agreed += 1
    assert agreed > 500, undefined


@pytest.mark.parametrize(
    "of",
    [
        InTable("cell", "price", "cost", 3),
        InTable("cell", "price", "coast"),
        InTable("cell", "nothing", "cost"),
        InTable("lookup", "price", "cost", where="leg", equals="z9"),
        OfValues("percent", (1, 0)),
        OfValues("sum", ("north",)),
        VOTES,
    ],
)
def test_what_has_no_value_says_why(of) -> None:
    with pytest.raises(Undefined, match=r"[a-z]"):
        value(of, TABLES)


@pytest.mark.parametrize(
    ("said", "kind", "is_"),
    [
        ("46,480", "int", 46480), (" 46 480 ", "int", 46480), ("46_480", "int", 46480), ("12.0", "int", 12),
        ("-7", "int", -7), ("+7", "int", 7), (7, "int", 7), ("007", "int", 7), ("12.5", "int", None),
        ("seven", "int", None), ("", "int", None), ("٣", "int", None), ("9" * 16, "int", None),
        (True, "int", None),
        (" qx-1 ", "code", "QX-1"), (7, "code", "7"), ("", "code", None), ("x" * 41, "code", None),
        ("LEFT", "choice", "left"), ("middle", "choice", None), (None, "choice", None),
    ],
)  # fmt: skip
def test_equality_of_content(said, kind, is_) -> None:
    found = canonical(said, kind, ("left", "right"))
    assert found == is_ and (found is None or canonical(found, kind, ("left", "right")) == found)
