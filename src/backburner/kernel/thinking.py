"""Thoughts that a language model writes into its answer, between marks such as ``<think>`` and ``</think>``.

They are no part of the answer: whatever is considered in them is not done. This is the one place that knows
the marks.
"""

from __future__ import annotations

import re

from msgspec import Struct

REASONING = "reasoning"
"""The purpose of thoughts that a model had of its own accord before it answered: between marks in its answer,
or as its server tells them apart from it. Nobody asked for them, and nobody is told them again."""


class Spoken(Struct, frozen=True):
    """An answer without the thoughts that were written into it, and these."""

    answer: str
    thoughts: str = ""


_NAMES = r"(?:seed:)?(?:think(?:ing)?|thoughts?|reasoning)"
_MARK = re.compile(rf"<(/?){_NAMES}>|\[(/?)(?-i:THINK)\]|◁(/?)think▷", re.IGNORECASE)
_END = re.compile(rf"</{_NAMES}>|\[/(?-i:THINK)\]|◁/think▷", re.IGNORECASE)


def may_hold_thoughts(text: str) -> bool:
    """Whether there is a sign that marks begin with: most texts have none, and are not searched for marks."""
    return "<" in text or "[" in text or "◁" in text


def spoken(text: str) -> Spoken:
    """What a text says and what is thought in it, each thought without blanks around it.

    A thought ends at the next mark that ends one. One whose beginning is missing, as some servers send it,
    goes back to the thought before it or to the beginning of the text; one that never ends, because it was
    cut off, goes to the end. A text without marks is returned as it is. What is said holds no mark, so that
    reading it again finds no other thoughts.
    """
    mark = _MARK.search(text) if may_hold_thoughts(text) else None
    if mark is None:
        return Spoken(text)
    said: list[str] = []
    thoughts: list[str] = []
    begin = 0
    while mark is not None:
        end: re.Match[str] | None = mark
        if not any(mark.groups()):
            said.append(text[begin : mark.start()])
            begin, end = mark.end(), _END.search(text, mark.end())
        thoughts.append(text[begin : end.start() if end else None].strip())
        begin = end.end() if end else len(text)
        mark = _MARK.search(text, begin)
    said.append(text[begin:])
    return Spoken(_joined(said).strip(), "\n\n".join(filter(None, thoughts)))


def _joined(pieces: list[str]) -> str:
    """The pieces in a row, with a blank where none is: half a mark and another half make no mark."""
    whole: list[str] = []
    for piece in filter(None, pieces):
        if whole and not (whole[-1][-1].isspace() or piece[0].isspace()):
            whole.append(" ")
        whole.append(piece)
    return "".join(whole)
