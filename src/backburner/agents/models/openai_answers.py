"""Reading what a chat-completions server sends back, and saying in words what went wrong."""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from backburner.agents.models.secret import Secret


class _Part(Struct):
    text: str | None = None


class _Said(Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    tool_calls: list[Any] | None = None


class _Choice(Struct):
    message: _Said
    finish_reason: str | None = None


class _Usage(Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Answer(Struct):
    """The parts of a chat completion that matter here; everything else is passed over."""

    choices: Annotated[list[_Choice], Meta(min_length=1)]
    usage: _Usage | None = None

    @property
    def text(self) -> str:
        """The first choice's text; empty if it has none, as when the model calls a tool or only reasons."""
        content = self.choices[0].message.content or ""
        return content if isinstance(content, str) else "".join(part.text or "" for part in content)

    @property
    def ending(self) -> str:
        """How it ended if not of itself; see ``Completion.ending``."""
        first = self.choices[0]
        if first.message.refusal:
            return "refusal"
        if first.message.tool_calls:
            return "tool_calls"
        return first.finish_reason or "" if first.finish_reason != "stop" else ""

    @property
    def input_tokens(self) -> int:
        """Tokens of the conversation, 0 if the server does not say."""
        return (self.usage and self.usage.prompt_tokens) or 0

    @property
    def output_tokens(self) -> int:
        """Tokens of the answer, 0 if the server does not say."""
        return (self.usage and self.usage.completion_tokens) or 0


_decoder = msgspec.json.Decoder(Answer)


def read_answer(body: bytes) -> Answer:
    """The completion in a response's body; raises ``ValueError`` saying why there is none.

    Characters that were cut apart, as small models like to do, are replaced: by a question mark for half a
    surrogate pair, by U+FFFD for bytes that are no UTF-8.
    """
    try:
        return _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        try:
            return _decoder.decode(_mended(body))
        except (ValueError, RecursionError):
            received = body.decode(errors="replace") or "nothing"
            raise ValueError(f"the answer is not a chat completion ({error}); received: {received}") from None


def _mended(body: bytes) -> bytes:
    """The same JSON in whole characters; raises ``ValueError`` or ``RecursionError`` if it is none."""
    whole = json.loads(body.decode("utf-8-sig", "replace"))
    return json.dumps(whole, ensure_ascii=False).encode(errors="replace")


def explain(error: Exception, timeout_seconds: float, key: Secret) -> str:
    """What went wrong and what to do about it, without the key."""
    import openai

    quoted = key.quoted
    match error:
        case openai.APITimeoutError():
            return f"no answer within {timeout_seconds:g} s; is it overloaded, or the timeout too short?"
        case openai.APIConnectionError():
            cause = quoted(error.__cause__ or error)
            return f"no connection ({cause}); is the server running, and the base URL right?"
        case openai.APIStatusError():
            return _explain_status(error.status_code, quoted(_words(error.body)))
        case ValueError():
            return quoted(error)
    return quoted(f"{type(error).__name__}: {error}")


def _explain_status(status: int, words: str) -> str:
    match status:
        case 401:
            # Its words are left out: servers like to repeat parts of the key.
            return "the key was refused (401); set BACKBURNER_API_KEY or OPENAI_API_KEY to a valid one"
        case 403:
            return f"not allowed with this key (403): {words}"
        case 404:
            return f"no such model, or a wrong base URL, which often ends in /v1 (404): {words}"
        case 429:
            return f"rate limit or quota reached (429): {words}; play fewer episodes at once"
        case _ if status >= 500:
            return f"the server failed ({status}): {words}"
    return f"the request was refused ({status}): {words}"


def _words(body: Any) -> str:
    """A server's own message: ``{"message": ...}``, or whatever else the body of its error holds."""
    words = body.get("message", body) if isinstance(body, dict) else body
    return words if isinstance(words, str) else msgspec.json.encode(words).decode()
