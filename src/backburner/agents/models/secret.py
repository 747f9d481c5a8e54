"""A key that is used and never shown."""

from __future__ import annotations

import json
from urllib.parse import quote

SHORTEST = 8
"""Anything shorter is a placeholder, such as the ``EMPTY`` that local servers are given."""


class Secret:
    """Holds a key. No ``repr`` or ``str`` shows it; ``scrub`` takes it out of other people's texts."""

    __slots__ = ("_spellings", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        spellings = (text, quote(text, safe=""), json.dumps(text)[1:-1])
        self._spellings = spellings if len(text) >= SHORTEST else ()

    def reveal(self) -> str:
        """The key itself, for the one call that needs it."""
        return self._text

    def scrub(self, text: str) -> str:
        """``text`` with an ellipsis for the key, plain or escaped as in a URL or in JSON."""
        for spelling in self._spellings:
            text = text.replace(spelling, "…")
        return text

    def __repr__(self) -> str:
        return "Secret(...)"
