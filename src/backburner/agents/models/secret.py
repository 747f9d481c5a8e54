"""A key that is used and never shown."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

from backburner.kernel.errors import shorten

SHORTEST = 8
"""Anything shorter is a placeholder, such as the ``EMPTY`` that local servers are given."""

MOST = 300
"""So many characters of a server's own words are passed on."""

_MASKED_KEY = re.compile(r"\bsk-[\w*.…-]+")
"""Some servers repeat a refused key with stars in its middle."""


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

    def quoted(self, text: object) -> str:
        """A server's own words on one line, without the key; cut last, as half a key is not recognised."""
        printable = "".join(sign if sign.isprintable() else " " for sign in str(text))
        return shorten(_MASKED_KEY.sub("…", self.scrub(" ".join(printable.split()))), MOST)

    def __repr__(self) -> str:
        return "Secret(...)"
