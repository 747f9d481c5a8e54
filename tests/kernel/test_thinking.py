"""What is said, and what is thought aloud: the marks, thoughts without an end or a beginning, the time."""

from __future__ import annotations

import random

import pytest

from backburner.kernel.wrapping import Spoken, spoken
from support.promptly import within

SAID = {
    "wait": Spoken("wait"),
    "  wait \n": Spoken("  wait \n"),
    "<think>wash cup?</think>\n\nwait": Spoken("wait", "wash cup?"),
    "<think>\n\n</think>\n\nwait": Spoken("wait"),
    "<THINKING>\nwash cup?\n</Thinking>wait": Spoken("wait", "wash cup?"),
    "<seed:think>hm</seed:think>wait": Spoken("wait", "hm"),
    "[THINK]hm[/THINK]wait": Spoken("wait", "hm"),
    "◁think▷hm◁/think▷wait": Spoken("wait", "hm"),
    "<thought>hm</thought>wait": Spoken("wait", "hm"),
    "<reasoning>hm</reasoning>\nwait": Spoken("wait", "hm"),
    "wash cup? No.\n</think>\nwait": Spoken("wait", "wash cup? No."),
    "<think>a</think> wash <think>b</think> cup": Spoken("wash  cup", "a\n\nb"),
    "wash<think>a</think>cup": Spoken("wash cup", "a"),
    "<think>a <think>b</think> c</think> wait": Spoken("wait", "a <think>b\n\nc"),
    "<think>wash cup, then": Spoken("", "wash cup, then"),
    "Let me see. <think>wash cup, then": Spoken("Let me see.", "wash cup, then"),
    "<think>a</think>wait<think>b": Spoken("wait", "a\n\nb"),
    "wait</think>": Spoken("", "wait"),
    "<think>": Spoken(""),
    "</think>": Spoken(""),
    "wa</thi<think>a</think>nk>it": Spoken("wa</thi nk>it", "a"),
    "I [think] of <b>cups</b>, x < think > y": Spoken("I [think] of <b>cups</b>, x < think > y"),
    "Thought: wash cup\nAction: wait": Spoken("Thought: wash cup\nAction: wait"),
}


@pytest.mark.parametrize("text", SAID)
def test_thoughts_are_told_from_what_is_said(text: str) -> None:
    assert spoken(text) == SAID[text]


PIECES = ("<think>", "</think>", "<", "</", "think", "thi", "nk>", "/", ">", " ", "\n", "wait", "[/THINK]")


def test_what_is_said_holds_no_thoughts_and_nothing_is_lost() -> None:
    draw = random.Random(5)
    for _ in range(5000):
        text = "".join(draw.choices(PIECES, k=draw.randint(0, 14)))
        said = spoken(text)
        assert spoken(said.answer) == Spoken(said.answer)
        assert (said.answer + said.thoughts).count("wait") == text.count("wait")


@pytest.mark.parametrize(
    "piece",
    ["<think>", "</think>", "<think></think>", "<think>a</think>b", "<", "<think", "</", "a ", "[THINK]"],
)
def test_a_million_signs_take_a_moment(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    with within(0.5):
        spoken(text)
