"""The one boundary to a language model: messages in, one completion out.

Whatever reaches a model goes through ``ModelClient``: an endpoint, or a script that stands in for
one. Prompting methods know nothing else about models.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol
from urllib.parse import quote

from msgspec import Struct

from backburner.kernel.errors import shorten


class Message(Struct, frozen=True):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


SILENCE = "(no answer)"
"""Stands for an empty answer where a model is told again what it said: some providers take no empty ones."""


def answered(answer: str) -> Message:
    """A model's own answer, as it is told again."""
    return Message("assistant", answer if answer.strip() else SILENCE)


class Completion(Struct, frozen=True):
    """What a model answered, and what that cost.

    ``text`` may be empty: a model that says nothing has answered. Tokens are as the provider counts
    them, 0 where it does not say; ``seconds`` run from the request to the answer, retries included.
    ``ending`` says how an answer ended that did not end of itself: ``length`` (cut at the cap),
    ``tool_calls`` (it called a tool in place of words), ``refusal``, ``content_filter``.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    ending: str = ""


class Settings(Struct, frozen=True):
    """How a model is to write. ``None`` leaves a choice to the provider, and sends nothing.

    Some models refuse any temperature but their own; for those it is ``None``.
    """

    temperature: float | None = 0.0
    max_tokens: int | None = 512
    stop: tuple[str, ...] = ()
    seed: int | None = None


class ModelClient(Protocol):
    """A model that can be asked. One client serves any number of conversations at once."""

    @property
    def name(self) -> str:
        """The model's name, as records and reports show it."""

    @property
    def origin(self) -> Mapping[str, Any]:
        """Where its answers come from (model, base_url ...), for the record; never a key."""

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        """The answer to a conversation whose last message is not the model's.

        Raises ``PolicyFailure`` with boundary ``model``, and nothing else. Its text says what to do
        about it and holds no key.
        """

    async def aclose(self) -> None:
        """Let go of connections, in the event loop that used them; a later call opens new ones."""


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
