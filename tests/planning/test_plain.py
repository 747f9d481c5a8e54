"""Tasks stated in words: what they mean, and what is wrong with a word."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.kernel.errors import BackburnerError
from backburner.planning.astar import Limits
from backburner.planning.plain import plain_task
from backburner.planning.planner import Planner

BLOCKS: dict[str, Any] = {
    "take": (
        "x:block",
        ["clear x", "table x", "free"],
        ["holds x", "not table x", "not free", "not clear x"],
    ),
    "put": ("x:block", ["holds x"], ["table x", "clear x", "free", "not holds x"]),
    "stack": (
        "x:block y:block",
        ["holds x", "clear y"],
        ["on x y", "clear x", "free", "not holds x", "not clear y"],
    ),
    "lift": (
        "x:block y:block",
        ["on x y", "clear x", "free"],
        ["holds x", "clear y", "not on x y", "not clear x", "not free"],
    ),
}


def planned(**said: Any) -> Planner:
    planner = Planner(plain_task(**said))
    planner.run(Limits(states=100_000))
    return planner


def test_blocks_are_stacked_anew_in_the_fewest_decisions() -> None:
    """Sussman's: c lies on a. Lift c, put it down, take b, stack it on c; take a, stack it on b: 6."""
    planner = planned(
        objects=dict.fromkeys("abc", "block"),
        actions=BLOCKS,
        start=["on c a", "table a", "table b", "clear c", "clear b", "free"],
        goal=["on a b", "on b c"],
    )
    assert planner.is_proven
    assert planner.plan == (
        "lift(x=c,y=a)", "put(x=c)", "take(x=b)", "stack(x=b,y=c)", "take(x=a)", "stack(x=a,y=b)",
    )  # fmt: skip


def test_that_there_is_no_plan_is_proven() -> None:
    """A block that nothing frees stays where it is."""
    actions = {name: action for name, action in BLOCKS.items() if name != "lift"}
    planner = planned(
        objects=dict.fromkeys("ab", "block"),
        actions=actions,
        start=["on b a", "table a", "clear b", "free"],
        goal=["on a b"],
    )
    assert planner.is_proven and planner.plan is None


def test_negative_preconditions_hold() -> None:
    planner = planned(
        objects={"lamp": "lamp"},
        actions={
            "press": ("l:lamp", ["not lit l"], ["lit l"]),
            "break": ("l:lamp", ["lit l"], ["not lit l", "broken l"]),
        },
        start=[],
        goal=["broken lamp", "lit lamp"],
    )  # fmt: skip
    assert planner.plan == ("press(l=lamp)", "break(l=lamp)", "press(l=lamp)")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"goal": ["on a d"]}, "unknown word 'd'"),
        ({"goal": ["onn a b"]}, "unknown word 'onn'; did you mean on"),
        ({"goal": ["on a"]}, "'on a': on is about block, block"),
        ({"actions": {"take": ("x:block", ["clear y"], [])}}, "unknown word 'y'"),
    ],
)
def test_a_word_that_nothing_stands_for_is_told(changed: dict[str, Any], why: str) -> None:
    said = {"objects": dict.fromkeys("ab", "block"), "actions": BLOCKS, "start": [], "goal": [], **changed}
    with pytest.raises(BackburnerError, match=why):
        plain_task(**said)
