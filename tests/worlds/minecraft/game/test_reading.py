"""What is read of an answer: lists, calls in prose, and what strangers may send."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.kernel.values import Refusal
from backburner.worlds.minecraft.game import Calls
from backburner.worlds.minecraft.game.actions import MOST_CALLS
from support.minecraft.play import DISPATCHER, act, yard

STANDARD, RELEASED = yard("standard"), yard("released")


def read(text: str, world: object = STANDARD) -> tuple[str, ...] | str:
    found = (STANDARD if world is STANDARD else RELEASED).parse(STANDARD.start(), DISPATCHER, text)
    return found.code if isinstance(found, Refusal) else found.calls


@pytest.mark.parametrize(
    ("answer", "calls"),
    [
        ("['goto(alex, chicken)', 'goto(steve, sheep)']", ("goto(alex, chicken)", "goto(steve, sheep)")),
        ('["goto(alex, chicken)"]', ("goto(alex, chicken)",)),
        ("goto(alex, 'chicken')", ("goto(alex, chicken)",)),
        ("Alex first: `killMob(Alex, chicken)`.\nSteve (who is far) waits.", ("killMob(alex, chicken)",)),
        ("GOTO(alex,furnace) and takeoutfurnace(steve)", ("goto(alex, furnace)", "takeOutFurnace(steve)")),
        ("['craft(alex, table)']", ("craft(alex, table)",)),
        ("[]", ()),
        ("Wait.", ()),
        ("I do not know.", "no_call"),
        ("", "no_call"),
        ("__import__('os').system('rm -rf /')", "no_call"),
    ],
)
def test_calls_are_found_wherever_they_stand(answer: str, calls: tuple[str, ...] | str) -> None:
    assert read(answer) == calls


@pytest.mark.parametrize(
    ("answer", "calls"),
    [
        ("['goto(alex, chicken)', \"goto(steve, sheep)\"]", ("goto(alex, chicken)", "goto(steve, sheep)")),
        ("plan = ['goto(alex, chicken)'] # both", ("goto(alex, chicken)",)),
        ("['I think so']", ("I think so",)),
        ("[]", ()),
        ("[goto(alex, chicken)]", "no_call"),
        ("goto(alex, chicken)", "no_call"),
    ],
)
def test_where_a_list_is_needed_its_strings_are_the_calls(answer: str, calls: tuple[str, ...] | str) -> None:
    assert read(answer, RELEASED) == calls


@given(
    st.lists(st.sampled_from(["goto(alex, chicken)", "takeOutFurnace(steve)", "mineBlock(steve, oak_log)"]))
)
def test_words_are_read_back(calls: list[str]) -> None:
    decision = Calls(tuple(calls))
    for world in (STANDARD, RELEASED):
        assert world.parse(world.start(), DISPATCHER, world.words(decision)) == decision


@pytest.mark.parametrize("piece", ["goto(", "[", "'", "goto(alex, ", "a" * 41, "('", "goto(alex, b) "])
@pytest.mark.parametrize("world", [STANDARD, RELEASED], ids=["standard", "released"])
def test_a_million_letters_are_read_in_no_time(piece: str, world: object) -> None:
    text = piece * (1_000_000 // len(piece))
    spent = []
    for _ in range(5):
        began = time.process_time()
        read(text, world)
        spent.append(time.process_time() - began)
        if spent[-1] < 0.1:
            return
    raise AssertionError(f"{min(spent):.3f} s")


def test_a_decision_of_thousands_of_calls_is_one_step() -> None:
    step = act(STANDARD, STANDARD.start(), *["goto(alex, oak_log)"] * 100_000)
    assert len(step.refusals) == MOST_CALLS
    assert dict(step.refusals[-1].detail)["count"] == 100_000 - MOST_CALLS
    long = act(STANDARD, STANDARD.start(), "goto(alex, " + "x" * 1_000_000 + ")")
    assert [refusal.code for refusal in long.refusals] == ["form"]
    assert len(str(long.refusals[0].detail)) < 400 and len(long.state.last[0]) <= 200


@pytest.mark.parametrize(
    "decision", [None, 7, "goto(alex, oak_log)", ["x"], Calls((), "do it"), Calls(("",))]
)
def test_what_is_no_decision_is_refused_and_costs_a_step(decision: object) -> None:
    step = STANDARD.step(STANDARD.start(), {DISPATCHER: decision})
    assert step.refusals and step.state.steps == 1
