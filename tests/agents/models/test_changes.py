"""What changes between two descriptions."""

from __future__ import annotations

from backburner.agents.models.examples import changes

BEFORE = """\
The pot is empty.
  Ann holds a cup
Wait
Take the cup"""

AFTER = """\
Ann holds a cup

The pot is full.
The pot is full.
Wait
Pour"""


def test_new_lines_come_first_and_gone_ones_after() -> None:
    assert changes(BEFORE, AFTER) == (
        "+ The pot is full.",
        "+ The pot is full.",
        "+ Pour",
        "- The pot is empty.",
        "- Take the cup",
    )


def test_what_stands_beside_does_not_count() -> None:
    assert changes(BEFORE, AFTER, ["wait", "Pour", "take the cup"]) == (
        "+ The pot is full.",
        "+ The pot is full.",
        "- The pot is empty.",
    )


def test_spelling_alone_is_no_change() -> None:
    assert changes("Ann holds a cup", "ann  holds a CUP.") == ()
    assert changes("a\na\nb", "a\nb\nb") == ("+ b", "- a")
    assert changes("", "") == ()
