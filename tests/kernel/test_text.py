"""Texts in parts, any kind of which can be left out; plans as people and models write them, taken apart."""

from __future__ import annotations

import random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.kernel import registry
from backburner.kernel.text import (
    LINE_FORM,
    LONGEST_LINE,
    Kind,
    Part,
    Text,
    answers_by_step,
    answers_on_lines,
    joined,
    only,
    parted,
    without,
)
from support.small_worlds.relay import Relay

KINDS: tuple[Kind, ...] = get_args(Kind)
TEXTS = st.text(alphabet="ab \n", max_size=6)

WORLDS = (
    "timearena/cooking1+cooking2",
    "recipe2plan/Tacos+Vada@hints=on,knowledge=beliefs",
    "robotouille/multi_agent/1@play=dispatcher,seed=42",
    "robotouille/synchronous/1@seed=42",
    "cuisineworld/level_3@bodies=3",
    "cuisineworld/level_9@bodies=2,feedback=full,hints=no,seats=each,spoil=5",
    "cuisineworld/level_9@bodies=2,feedback=none",
    "collab_overcooked/boiled_egg",
)


def test_a_text_in_parts() -> None:
    parts = parted([("role", "You cook."), ("hints", ""), ("hints", "Stir."), ("state", "Hot.")])
    assert parts == (Part("role", "You cook.\n\n"), Part("hints", "Stir.\n\n"), Part("state", "Hot."))
    assert joined(parts) == "You cook.\n\nStir.\n\nHot."
    assert without(parts, "hints") == "You cook.\n\nHot."
    assert without(parts, "state") == "You cook.\n\nStir."
    assert only(parts, "hints", "role") == "You cook.\n\nStir."
    assert only(parts, "recipes") == ""


@given(st.lists(st.tuples(st.sampled_from(KINDS), TEXTS), max_size=6), st.sets(st.sampled_from(KINDS)))
def test_what_is_kept_and_what_is_left_out_are_everything(
    said: list[tuple[Kind, str]], kinds: set[Kind]
) -> None:
    parts = parted(said)
    assert joined(parts) == "\n\n".join(text for _, text in said if text)
    others = [kind for kind in KINDS if kind not in kinds]
    assert without(parts, *kinds) == only(parts, *others)


@pytest.mark.parametrize("id", WORLDS)
def test_the_parts_of_what_a_world_tells_are_what_it_tells(id: str) -> None:
    """All along an episode of decisions that are accepted, refused and unreadable."""
    world: Any = registry.world(id, limits="none")
    assert isinstance(world, Text)
    chance, state = random.Random(0), world.start()
    assert all(joined(world.briefing_parts(seat)) == world.briefing(seat) for seat in world.seats)
    kinds = set()
    for _ in range(25):
        decisions = {}
        for seat in world.deciders(state):
            seen = world.observe(state, seat)
            parts = world.description_parts(seen)
            assert joined(parts) == world.describe(seen)
            kinds |= {part.kind for part in parts}
            text = chance.choice(
                [*(option.label for option in world.menu(state, seat).options), "goto_agent0"]
            )
            decisions[seat] = world.parse(state, seat, text)
        state = world.step(state, decisions).state
    assert "state" in kinds
    assert ("feedback" in kinds) == ("feedback=none" not in id)


# --- whole plans ---------------------------------------------------------------------------------------

TWO = ("wash cup", "wait")


@pytest.mark.parametrize(
    "plan",
    [
        "wash cup\nwait",
        "\n\n  wash cup  \n\nwait\n",
        "1. wash cup\n2. wait",
        "1) wash cup\n2) wait",
        "- wash cup\n* wait",
        "**1.** wash cup\n**2.** wait",
        "Step 1: wash cup\nStep 2: wait",
        "Minute 0: wash cup\nMinute 3: wait",
        "Action: wash cup\nAction: wait",
        "Action 1: wash cup\nAction 2: wait",
        "- **Action:** wash cup\n- **Action:** wait",
        "```\nwash cup\nwait\n```",
        "First I thought: heat water\n\nPlan:\nwash cup\nwait",
        "**My plan**\nwash cup\nwait",
        "Here is the plan:\n1. wash cup\n2. wait\nGood luck!",
        "So I begin.\nAction: wash cup\nThen nothing is to be done.\nAction: wait",
        "Plan: wash cup\nwait",
        "`wash cup`\n`wait`",
    ],
)
def test_a_line_is_an_answer_however_it_is_dressed_up(plan: str) -> None:
    assert answers_on_lines(plan) == TWO


@pytest.mark.parametrize("nothing", ["", "\n \n", "Plan:", "```\n```", "- \n*\n1.", "Action:\n**Action:**"])
def test_a_text_without_a_plan_has_no_answers(nothing: str) -> None:
    assert answers_on_lines(nothing) == ()


def test_numbers_within_an_action_stay() -> None:
    line = "Step(0, Tacos, 00:05:00, 00:00:00)"
    assert answers_on_lines(line) == (line,)
    assert answers_on_lines("add 2. spoon") == ("add 2. spoon",)


def who(line: str) -> list[str]:
    return [word for word in ("ann", "bob") if word in line]


def test_a_step_ends_at_a_gap_at_a_heading_and_when_somebody_acts_again() -> None:
    plan = (
        "Step 1:\nann cuts\nbob waits\nStep 2: ann stirs\n\nbob stirs\nbob tastes, and so they end\nthe end"
    )
    assert answers_by_step(plan, who) == (
        "ann cuts\nbob waits",
        "ann stirs",
        "bob stirs",
        "bob tastes, and so they end",
    )
    assert answers_by_step("nobody\n\nnothing", who) == ()


@given(st.text() | st.text(alphabet="1.)-*_` \n:Actionplns#", max_size=300))
def test_no_text_raises(text: str) -> None:
    for answer in answers_on_lines(text):
        assert answer.strip() == answer and 0 < len(answer) <= LONGEST_LINE
    assert all(answers_by_step(text, lambda line: line[:1]))


def test_long_texts_are_read_in_one_go() -> None:
    """Where a pattern could be matched in many ways, this would never end."""
    for text in ("*" * 300_000, "1. " * 100_000, "action " * 50_000, "- * + " * 50_000, "((" * 100_000):
        answers_on_lines(text)
    assert len(answers_on_lines("stir\n" * 10_000)) == 10_000


def test_worlds_say_how_their_plans_are_written() -> None:
    arena: Any = registry.world("timearena/cooking1")
    assert "wait" in arena.plan_form
    assert arena.answers_in("1. wait") == ("wait",)
    plain = Relay()
    assert plain.plan_form == LINE_FORM
    assert plain.answers_in("- rest\n- rest") == ("rest", "rest")
    cooks: Any = registry.world("collab_overcooked/boiled_egg")
    assert (cooks.plan_form, cooks.answers_in("wait(1)")) == ("", ())


def test_a_whole_plan_is_one_decision_where_starts_are_told() -> None:
    kitchen: Any = registry.world("recipe2plan/Tacos+Vada")
    plan = (
        "Plan:\nAction: Step(0, Tacos, 00:05:00, 00:00:00)\n\nThen\n2. Action: Step(1, Vada, 1 min, 00:05:00)"
    )
    assert kitchen.answers_in(plan) == (
        "Action: Step(0, Tacos, 00:05:00, 00:00:00), Step(1, Vada, 00:01:00, 00:05:00)",
    )
    assert kitchen.answers_in("I would rather not.") == ()
