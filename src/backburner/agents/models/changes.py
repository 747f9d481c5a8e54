"""What changes from one description to the next: the lines that are new, and those that are gone.

A change is written as the line with ``+ `` (new) or ``- `` (gone) before it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable

NEW, GONE = "+ ", "- "


def changes(before: str, after: str, beside: Collection[str] = ()) -> tuple[str, ...]:
    """The lines of ``after`` that ``before`` has not, then those that are gone, each in its order.

    ``beside``: lines that do not count, such as a list of what can be done. A line that is there twice
    and was there once is new once.
    """
    told = {plain(line) for line in beside}
    was, now = _lines(before, told), _lines(after, told)
    return (*_marked(NEW, now, was), *_marked(GONE, was, now))


def plain(line: str) -> str:
    """A line in the spelling in which lines are compared: no capitals, single spaces, no full stop."""
    return re.sub(r"\s+", " ", line).strip().rstrip(".").casefold()


def _lines(text: str, beside: Collection[str]) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip() and plain(line) not in beside]


def _marked(mark: str, lines: Iterable[str], others: Iterable[str]) -> Iterable[str]:
    left = Counter(map(plain, others))
    for line in lines:
        if left[plain(line)]:
            left[plain(line)] -= 1
        else:
            yield mark + line
