"""Instructions out of what several persons have said, line by line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.worlds.dispatch.instructor import (
    BETWEEN,
    CUT,
    LONGEST,
    TAKEN_BACK,
    harmless,
    instruction_of,
)

MAYA, BO = "Maya", "Bo"


@pytest.mark.parametrize(
    ("said", "instruction"),
    [
        ([], None),
        ([(MAYA, "keep")], None),
        ([(MAYA, "  ")], None),
        ([(MAYA, "cook chicken")], "cook chicken"),
        ([(MAYA, "say: cook chicken")], "cook chicken"),
        ([(MAYA, "cook chicken"), (MAYA, "then sheep")], "cook chicken | then sheep"),
        (
            [(MAYA, "cook"), (BO, "I dig"), (MAYA, "fine")],
            "Maya: cook | Bo: I dig | Maya: fine",
        ),
        ([(MAYA, "cook chicken"), (BO, "keep")], "cook chicken"),
        ([(MAYA, "revoke")], TAKEN_BACK),
        ([(MAYA, "cook chicken"), (MAYA, " Revoke ")], TAKEN_BACK),
        ([(MAYA, "revoke"), (MAYA, "dig")], "dig"),
        ([(MAYA, "do not revoke")], "do not revoke"),
        ([(MAYA, "<think>hm</think>dig"), (MAYA, "a\nb\x1b[31m")], "dig | a b [31m"),
    ],
)
def test_lines_in_order_are_one_instruction(said: list[tuple[str, str]], instruction: str | None) -> None:
    assert instruction_of(said) == instruction


def test_of_too_much_the_last_lines_are_told() -> None:
    said = [(MAYA, f"{number} " + "x" * 97) for number in range(10)]
    told = instruction_of(said)
    assert told is not None and told.split(BETWEEN)[0] == CUT
    assert [line[0] for line in told.split(BETWEEN)[1:]] == ["6", "7", "8", "9"]
    assert LONGEST - 110 < len(told) <= LONGEST
    assert instruction_of([(MAYA, "dig"), (BO, "y" * 600)]) == f"{CUT} | Bo: {'y' * 600}"[:LONGEST]


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=300)), max_size=12))
def test_whatever_is_said_can_be_told(said: list[tuple[str, str]]) -> None:
    told = instruction_of(said)
    assert told is None or (len(told) <= LONGEST and told == harmless(told))
