"""What is put around an answer: lead-ins, labels, quotes, code fences, boxes, kind words at the end.

Nothing here knows what an answer looks like. A world whose reader finds none in a text as it stands asks
``found_within`` with that reader, and gets what can be read in one of the places where answers stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from backburner.kernel.text import bare
from backburner.kernel.values import Refusal

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
