"""What is put around an answer, read in places that grow less sure; several answers are handed on as such."""

from __future__ import annotations

import pytest

from backburner.kernel.values import Fault, Refusal
from backburner.kernel.wrapping import found_within
from support.promptly import within

NONE = Refusal("none", Fault.UNREADABLE)


def read(line: str) -> str | Refusal:
    return line if line in ("go left", "go right") else NONE


FOUND = {
    "go left": ("go left",),
    "Sure! Here is my action:\n\ngo left": ("go left",),
    "I will do this: go left.": ("go left",),
    "go left\n\nLet me know if you need more!": ("go left",),
    "1. go left": ("go left",),
    "“go left”": ("go left",),
    "The answer is $\\boxed{go left}$.": ("go left",),
    "go right\n\\boxed{\\text{go left}}": ("go left",),
    "go right?\n<answer>\ngo left\n</answer>": ("go left",),
    "go right?\n```\ngo left\n```": ("go left",),
    "```text\ngo left": ("go left",),
    '{"thought": "go right", "action": "go left"}': ("go left",),
    "go left\ngo right\ngo left": ("go left", "go right"),
    "Do not: go right\nDo: go left": ("go left",),
    "I won't do this: go right": (),
    "I go left and right": (),
    "": (),
}


@pytest.mark.parametrize("text", FOUND)
def test_answers_are_found_in_the_surest_place(text: str) -> None:
    assert found_within(text, read) == FOUND[text]


@pytest.mark.parametrize(
    "piece",
    ["go\n", "\\boxed{", "<answer>", '"action": "', "```\n", "a:", "*", "'", "- ", "1. ", " "],
)
def test_a_million_signs_take_a_moment(piece: str) -> None:
    with within(0.2):
        found_within(piece * (1_000_000 // len(piece)), read)
