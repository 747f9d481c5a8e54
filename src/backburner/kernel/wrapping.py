"""What a model puts around its answer: thoughts, lead-ins, labels, quotes, code fences, boxes, kind words.

Thoughts stand between marks such as ``<think>`` and ``</think>``. They are no part of the answer: whatever is
considered in them is not done. This is the one place that knows the marks.

Nothing here knows what an answer looks like. A world whose reader finds none in a text as it stands asks
``found_within`` with that reader, and gets what can be read in one of the places where answers stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from backburner.kernel.text import bare
from backburner.kernel.values import Refusal

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


D = TypeVar("D")

LONGEST = 20_000
"""Characters, from its end, of a text that are looked through; models end with their answer."""

MOST_LINES, LONGEST_LINE = 200, 1000
"""Lines, from the end, that are looked at, and characters of one; a longer line is passed over."""


def found_within(text: str, read: Callable[[str], D | Refusal]) -> tuple[D, ...]:
    """The different answers in the surest place that holds any, in their order; none if there are none.

    ``read`` gives the answer that a line is, or a refusal of one that is none. Of several nobody can know
    which is meant.
    """
    for lines in places(text):
        found: list[D] = []
        for line in dict.fromkeys(lines):
            answer = read(line)
            if not isinstance(answer, Refusal) and answer not in found:
                found.append(answer)
        if found:
            return tuple(found)
    return ()


def places(text: str) -> Iterator[tuple[str, ...]]:
    """The lines in each place where an answer may stand, the surest first, without what is put around them.

    What stands in a box, between tags, or in a field of JSON; in a code fence; anywhere, behind a label or
    not. A line is told again without its label, unless that says what not to do.
    """
    text = text[-LONGEST:]
    marked = [match[1] for pattern in _MARKED for match in pattern.finditer(text)]
    lines = [line for line in text.splitlines() if line.strip() and len(line) <= LONGEST_LINE][-MOST_LINES:]
    yield _laid_bare("\n".join(marked).splitlines()[:MOST_LINES])
    yield _laid_bare(_fenced(lines))
    yield _laid_bare(lines)


def _fenced(lines: Sequence[str]) -> list[str]:
    """The lines between those that open and close a fence."""
    within, inside = [], False
    for line in lines:
        if line.lstrip().startswith(("```", "~~~")):
            inside = not inside
        elif inside:
            within.append(line)
    return within


def _laid_bare(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(None, (_plain(kept) for line in lines for kept in _unlabelled(line))))


def _unlabelled(line: str) -> tuple[str, ...]:
    """The line, or what stands behind its label, if it has one."""
    label, colon, rest = line.partition(":")
    if not colon:
        return (line,)
    return () if _NOT.search(label) else (line, rest)


def _plain(line: str) -> str:
    return bare(line).strip(_AROUND)


_MARKED = (
    re.compile(r"\\boxed\{(?:\\text\{)?([^{}]{1,1000}+)\}"),
    re.compile(r"<(?:final_)?(?:answer|action|plan)>([^<>]{1,1000}+)</", re.IGNORECASE),
    re.compile(r'"(?:final_)?(?:answer|action|plan)"\s{0,9}:\s{0,9}"([^"\n]{1,1000}+)"', re.IGNORECASE),
)
_NOT = re.compile(r"\b(?:not|never|cannot|avoid|instead of|rather than)\b|n['’]t\b", re.IGNORECASE)
_AROUND = " \t\"'“”‘’`*_>$.!,;"
