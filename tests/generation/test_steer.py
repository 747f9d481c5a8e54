"""What is asked of dials, and how drafts are steered towards it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from backburner.generation.steer import Range, cells_of, deviation, drawn, listed, range_of, stream, why_not
from backburner.kernel.errors import Refused
from backburner.kernel.generating import Parameter

KNOBS = (
    Parameter(name="tools", help="", kind="whole", low=1, high=9),
    Parameter(name="share", help="", kind="real", low=0, high=1),
    Parameter(name="steps", help="", kind="whole", low=4, high=60, prior="log-uniform"),
    Parameter(name="kit", help="", kind="choice", values=("own", "one")),
)


class Tried(Struct):
    parameters: dict[str, Any]
    deviation: float | None


@pytest.mark.parametrize(
    ("text", "dial", "low", "high"),
    [
        ("18:22", "length", 18, 22),
        ("20", "length", 20, 20),
        ("2.5", "width", 2.25, 2.75),
        (".15:", "gap", 0.15, None),
        (":4", "width", None, 4),
    ],
)
def test_a_number_is_exact_for_whole_dials_and_a_tenth_around_for_others(
    text: str, dial: str, low: float | None, high: float | None
) -> None:
    assert range_of(text, dial) == Range(low, high)


@pytest.mark.parametrize("text", ["", ":", "two", "3:2", "nan", "1:2:3", "inf:"])
def test_what_is_no_range_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(Refused, match="width"):
        range_of(text, "width")


def test_distance_is_relative_to_the_end_that_is_missed() -> None:
    wanted = Range(2, 3)
    assert [wanted.distance(value) for value in (1, 2, 3, 4.5)] == [0.5, 0, 0, 0.5]
    assert deviation({"width": 4.5, "chain": 1}, {"width": wanted, "chain": Range(0.5, 1)}) == 0.5
    assert deviation({"width": 3.6}, {"width": wanted, "gap:busy": wanted}) == pytest.approx(1.2)


def test_the_first_generation_is_drawn_from_the_prior_and_later_ones_around_the_best() -> None:
    best = Tried({"tools": 5, "share": 0.5, "steps": 20, "kit": "one"}, 0.0)

    near = 0
    for number in range(200):
        made = drawn(KNOBS, {}, [best, Tried({}, None)], stream(0, number))
        near += abs(made["tools"] - 5) <= 2 and abs(made["share"] - 0.5) < 0.25
    assert near > 140  # 80 % are drawn around the best, nearly all of these near it
    first = [drawn(KNOBS, {}, [], stream(0, number)) for number in range(200)]
    assert {made["kit"] for made in first} == {"own", "one"}
    assert {made["tools"] for made in first} == set(range(1, 10))
    assert sum(made["steps"] < 16 for made in first) > 80  # half of them, on a scale of logarithms


@given(st.integers(0, 2**60), st.integers(0, 10**6))
def test_equal_draws_give_equal_parameters_within_their_range(seed: int, number: int) -> None:
    one, other = (drawn(KNOBS, {"tools": 3}, [], stream(seed, "parameters", 0, number)) for _ in range(2))
    assert one == other and one["tools"] == 3
    assert 0 <= one["share"] <= 1 and 4 <= one["steps"] <= 60


def test_a_pinned_parameter_leaves_the_others_as_they_are() -> None:
    free, pinned = (drawn(KNOBS, pins, [], Random(7)) for pins in ({}, {"tools": 3}))
    assert {**free, "tools": 3} == pinned


def test_cells_of_a_grid_are_all_combinations() -> None:
    cells = cells_of("length=20/40+attention=.7/1")
    assert [(str(cell["length"]), str(cell["attention"])) for cell in cells] == [
        ("20", "0.63:0.77"),
        ("20", "0.9:1.1"),
        ("40", "0.63:0.77"),
        ("40", "0.9:1.1"),
    ]
    with pytest.raises(Refused, match="NAME=VALUE"):
        listed("length")


def test_arithmetic_that_forbids_a_cell_is_told() -> None:
    """One body that is held half of the time, and two pots: at most 2.5 things run at a time."""
    told = why_not({"width": Range(3, 4), "attention": Range(0.4, 0.5)}, 1, 2)
    assert "2.5" in told
    assert not why_not({"width": Range(2, 4), "attention": Range(0.4, 0.5)}, 1, 2)
