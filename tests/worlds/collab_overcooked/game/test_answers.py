"""Answers read from text: the free grammar, the released program's, and what of them is found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, shipped_layout
from backburner.worlds.collab_overcooked.game.reading import read, read_exactly, written
from backburner.worlds.collab_overcooked.game.rule_set import STANDARD
from backburner.worlds.collab_overcooked.game.state import ROLES, Reply

OURS = Compiled(shipped_layout(SHIPPED), STANDARD).reader


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("Chef analysis: a\nChef plan: wait(1); wait(2)\nChef say: hi", ("wait(1)", "wait(2)")),
        ("1. Bob plan: wait(1)\n2. Bob say: [NOTHING]", ("wait(1)",)),
        ("analysis: My plan: none\nTheir plan: x\nplan: wait(1)\nsay: y", ("wait(1)",)),
        ("plan: wait(1);\n  wait(2)\nsay: so", ("wait(1)", "wait(2)")),
        ("plan: wait(1) ; \t wait( 2 )\u00a0;\nsay: so", ("wait(1)", "wait( 2 )")),
        ("plan: wait(1)", ("wait(1)",)),
        ("wait(1); deliver()", ("wait(1)", "deliver()")),
        ("I wait; and see", "no_plan"),
        ("analysis: a\nsay: b", "no_plan"),
        ("plan: ;;\nsay: b", "no_plan"),
        ("", "no_plan"),
    ],
)
def test_answers_are_read_freely(text: str, plan: tuple[str, ...] | str) -> None:
    found = read(text, OURS)
    assert (found.plan if isinstance(found, Reply) else found.code) == plan


A = "Chef analysis: a\n"
S = "\nChef say: b"


@pytest.mark.parametrize(
    ("text", "analysis", "plan", "say"),
    [
        (f"{A}Chef plan: wait(1); wait(2){S}", "a", ("wait(1)", " wait(2)"), "b"),
        (f"{A}Chef plan:\nwait(1){S}", "a", ("wait(1)",), "b"),
        (f"{A}Chef plan: wait(1);{S}\n\nSo be it.", "a", ("wait(1)", ""), "b\n\nSo be it."),
        ("Chef analysis:\n\na\n\nb\n\nChef plan: wait(1)\n\nChef say: b", "a\n\nb", ("wait(1)",), "b"),
        (f"```\n{A}Chef plan: wait(1){S}\n```", "a", ("wait(1)",), "b\n```"),
        (f"{A}Chef plan: wait(1){S}\nChef plan: wait(2){S}", "a", ("wait(1)",), f"b\nChef plan: wait(2){S}"),
        (f"{A}Chef plan: I will wait;wait(1){S}", "a", ("I will wait", "wait(1)"), "b"),
        ("Chef analysis: a Chef plan: wait(1) Chef say: b", "a", ("wait(1)",), "b"),
        ("Chef analysis: a\r\nChef plan: wait(1)\r\nChef say: b\r\n", "a", ("wait(1)",), "b"),
        (f"{A}Chef plan: 1. wait(1); 2. wait(2){S}", "a", ("1. wait(1)", " 2. wait(2)"), "b"),
        (f"{A}Chef plan: [NOTHING]{S}", "a", ("[NOTHING]",), "b"),
        ("Chef  analysis:  a\nChef  plan:  wait(1)\nChef  say:  b", "a", ("wait(1)",), "b"),
        (f"{A}Chef plan: wait(1){S} [END]  ", "a", ("wait(1)",), "b [END]"),
        # no analysis, or an empty one, or one behind the plan
        (f"Chef plan: wait(1){S}", "", ("wait(1)",), "b"),
        (f"Chef analysis:\nChef plan: wait(1){S}", "", ("wait(1)",), "b"),
        (f"Chef plan: wait(1){S}\nChef analysis: a", "", ("wait(1)",), "b\nChef analysis: a"),
        (f"{A}Chef plan : wait(1){S}", "", ("wait(1)",), "b"),
        # no plan that could be read
        (f"{A}Chef plan: wait(1)", "a", (), "[NOTHING]"),
        (f"{A}chef plan: wait(1){S}", "a", (), "b"),
        ("CHEF ANALYSIS: a\nCHEF PLAN: wait(1)\nCHEF SAY: b", "a", (), "b"),
        ("**Chef analysis:** a\n**Chef plan:** wait(1)\n**Chef say:** b", "** a\n**", (), "** b"),
        (f"Chef say: b\n{A}Chef plan: wait(1)", "a", (), f"b\n{A}Chef plan: wait(1)"),
        (f"{A}Chef plan: wait(1);\nwait(2){S}", "a", (), "b"),
        (f"{A}Chef plan:{S}", "a", (), "b"),
        (f"{A}2. Chef plan: wait(1)\n3. Chef say: b", "a\n2.", (), "b"),
        (f'{A}Chef plan: "wait(1)"{S}', "a", (), "b"),
        (f"{A}Chef plan: wait: 1{S}", "a", (), "b"),
        (f"{A}Chef plan: wait(1)\nNote: c{S}", "a", (), "b"),
        (f"{A}Chef plan: ;wait(1){S}", "a", (), "b"),
        (f"{A}Chef plan: wait(1)\nChef say b", "a", (), "b"),
        (f"{A}Chef plan: wait(1)\nChef say : b", "a", (), "b"),
        (f"{A}Chef plan: {'a' * 30}(1){S}", "a", (), "b"),
        (f"{A}Chef plan: {'a' * 29}(1){S}", "a", (f"{'a' * 29}(1)",), "b"),
        (f"{A}Chef plan:\twait(1){S}", "a", (), "b"),
        # a later label counts if the first does not fit; nothing at all
        (f"{A}Chef plan: wait(1)\nand\nChef plan: wait(2){S}", "a", ("wait(2)",), "b"),
        ("analysis: a\nplan: wait(1)\nsay: b", "", (), "[NOTHING]"),
        ("Assistant analysis: a\nAssistant plan: wait(1)\nAssistant say: b", "", (), "[NOTHING]"),
        ("Chef analysis a\nChef plan wait(1)\nChef say b", "", (), "b"),
        ("Chef analysis - a\nChef plan wait: 1\nChef say: b", "", ("wait: 1",), "b"),
        ('{"Chef plan": "wait(1)", "Chef say": "b"}', "", (), '": "b"}'),
        ("**Chef plan**: wait(1)\n**Chef say**: b", "", (), "**: b"),
        ("She says: the Chef says so", "", (), "s so"),
        ("", "", (), "[NOTHING]"),
    ],
)  # fmt: skip
def test_answers_are_read_exactly(text: str, analysis: str, plan: tuple[str, ...], say: str) -> None:
    found = read_exactly(text, "chef")
    assert (found.analysis, found.plan, found.say) == (analysis, plan, say)


def test_each_role_has_its_own_labels() -> None:
    text = "Chef analysis: a\nChef plan: wait(1)\nChef say: b"
    assert read_exactly(text.replace("Chef", "Assistant"), "assistant") == read_exactly(text, "chef")
    assert read_exactly(text, "assistant") == Reply(say="[NOTHING]")


def test_what_stands_behind_a_plan_is_kept_where_it_may_be_read() -> None:
    text = f"{A}Chef plan: [NOTHING]\nChef say: [NOTHING]\n"
    assert read_exactly(text, "chef").rest == "[NOTHING]\nChef say: [NOTHING]"
    assert read_exactly(f"{A}Chef plan: wait(1){S}", "chef").rest == ""
    assert read_exactly(f"{A}CHEF PLAN: wait(1){S}", "chef", keep_rest=True).rest == f"wait(1){S}"


ENTRY = st.sampled_from(["wait(1)", "request('cook(pot0)')", " deliver()", "pickup(egg,counter)"])


@given(st.lists(ENTRY, min_size=1, max_size=5), st.sampled_from(["[NOTHING]", "Hello. [END]"]))
def test_a_reply_is_read_back_from_its_text(plan: list[str], say: str) -> None:
    reply = Reply("as it is", tuple(plan), say)
    for found in (read(written(reply), OURS), *(read_exactly(written(reply, role), role) for role in ROLES)):
        assert isinstance(found, Reply)
        assert [entry.strip() for entry in found.plan] == [entry.strip() for entry in plan]
        assert (found.analysis, found.say) == ("as it is", say)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, f"plan: {text}\nsay: {text}", f"Chef plan: {text}\nChef say: {text}"):
        assert isinstance(read(whole, OURS), Reply | Refusal)
        assert isinstance(read_exactly(whole, "chef", keep_rest=True), Reply)


PIECES = st.sampled_from(
    ["wait(1)", " ", ";", "\n", "\t", "say:", "plan: ", "\u00a0", "request('x')", "[END]"]
)


@given(st.lists(PIECES, max_size=20))
def test_what_is_read_freely_is_read_again_from_its_words(pieces: list[str]) -> None:
    """Entries keep no blanks around them, which nothing could tell from those of the text."""
    found = read("plan: " + "".join(pieces), OURS)
    if isinstance(found, Reply):
        assert read(written(found), OURS) == found
        assert all(entry == entry.strip() for entry in found.plan)
