"""Runs of words, to see whether one text takes its words from another."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONG = 8
"""Words in a row that are too many to be equal by chance."""


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Every eight words in a row, in small letters and without punctuation."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return (tuple(words[start : start + LONG]) for start in range(len(words) - LONG + 1))
