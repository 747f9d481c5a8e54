"""Models behind any endpoint that speaks OpenAI's chat completions, through the ``openai`` package.

The key comes from the environment, goes into the request's header, and nowhere else. What a server sends
back is read forgivingly, and what went wrong is said in words.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from time import perf_counter
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from backburner.agents.models.client import Completion, Message, Secret, Settings
from backburner.kernel.errors import MissingExtra, PolicyFailure, Refused

if TYPE_CHECKING:
    from openai import AsyncOpenAI


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


OPENAI_URL = "https://api.openai.com/v1"
KEY_VARIABLES = ("BACKBURNER_API_KEY", "OPENAI_API_KEY")
"""Where the key is looked for; the first that is set wins."""


class OpenAIClient:
    """A model of an OpenAI-compatible server; a ``ModelClient``.

    ``base_url`` defaults to ``OPENAI_BASE_URL`` of the environment, then to OpenAI itself. The key
    is ``BACKBURNER_API_KEY`` or ``OPENAI_API_KEY``; a server of one's own needs none.
    ``timeout_seconds`` is the longest silence in each try; the package retries lost connections,
    rate limits and server errors up to ``max_retries`` times, with growing pauses.

    Any number of episodes share one client, in one event loop at a time. Connections are opened at
    the first call inside the running loop; close them with ``aclose`` or by ``async with``.

    Raises ``MissingExtra`` without the ``models`` extra, and ``Refused`` if OpenAI is meant and there
    is no key, or if the base URL is not an HTTP address or holds something secret.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        *,
        timeout_seconds: float = 120.0,
        max_retries: int = 4,
    ) -> None:
        self._openai = _package()
        self.name = model
        self.base_url = _checked(base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_URL)
        self.timeout_seconds = timeout_seconds
        self.max_retries = max_retries
        self._key = _key_for(self.base_url)
        if self._key.scrub(self.base_url + model) != self.base_url + model:
            raise Refused("model and base URL stand in records, and one of them holds the key")
        # Connections are of use only in the event loop they were opened in.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connection: AsyncOpenAI | None = None

    @property
    def origin(self) -> Mapping[str, Any]:
        """Model and base URL."""
        return {"model": self.name, "base_url": self.base_url}

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        """The answer; see ``ModelClient``. An answer without text, such as a tool call, is empty."""
        request = self._request(messages, settings)
        started = perf_counter()
        try:
            raw = await self._connected().chat.completions.with_raw_response.create(**request)
            answer = read_answer(raw.content)
        except Exception as error:
            failure = explain(error, self.timeout_seconds, self._key)
        else:
            return Completion(
                self._key.scrub(answer.text),
                answer.input_tokens,
                answer.output_tokens,
                perf_counter() - started,
                answer.ending,
            )
        # Raised out here so that no traceback drags along the package's error and what that quotes.
        raise PolicyFailure("model", f"{self.name} at {self.base_url}: {failure}")

    async def aclose(self) -> None:
        """Close the connections of the running event loop; a later call opens new ones."""
        connection, self._connection = self._connection, None
        if connection is not None and self._loop is asyncio.get_running_loop():
            await connection.close()

    async def __aenter__(self) -> OpenAIClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"OpenAIClient({self.name!r}, base_url={self.base_url!r})"

    def _connected(self) -> AsyncOpenAI:
        loop = asyncio.get_running_loop()
        if self._connection is None or self._loop is not loop:
            self._loop = loop
            self._connection = self._openai.AsyncOpenAI(
                api_key=self._key.reveal(),
                base_url=self.base_url,
                timeout=self.timeout_seconds,
                max_retries=self.max_retries,
                # The package's own default complains when it is dropped after its loop has closed.
                http_client=self._openai.DefaultAsyncHttpxClient(),
            )
        return self._connection

    def _request(self, messages: Sequence[Message], settings: Settings) -> dict[str, Any]:
        # OpenAI has renamed its limit and newer models refuse the old name; others know only that.
        limit = "max_completion_tokens" if self.base_url == OPENAI_URL else "max_tokens"
        choices = {
            "temperature": settings.temperature,
            limit: settings.max_tokens,
            "stop": list(settings.stop) or None,
            "seed": settings.seed,
        }
        return {
            "model": self.name,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            **{name: choice for name, choice in choices.items() if choice is not None},
        }


def _package() -> ModuleType:
    try:
        import openai
    except ImportError as error:
        raise MissingExtra("models", "asking a language model") from error
    return openai


def _checked(base_url: str) -> str:
    """The URL, which stands in records and messages and so may hold nothing secret."""
    try:
        parts = urlsplit(base_url)
        secret, address = parts.username or parts.password or parts.query, parts.hostname
    except ValueError:
        secret, address = None, None
    if secret:
        raise Refused("a base URL holds no user, password or query; the key belongs in the environment")
    if not address or parts.scheme not in ("http", "https"):
        raise Refused(f"a base URL is written like http://localhost:8000/v1, not {base_url!r}")
    return base_url.rstrip("/")


def _key_for(base_url: str) -> Secret:
    variable = next((name for name in KEY_VARIABLES if os.environ.get(name, "").strip()), None)
    if variable is None:
        if base_url == OPENAI_URL:
            raise Refused(f"no key: set {' or '.join(KEY_VARIABLES)}, or name a server with a base URL")
        return Secret("no-key")
    key = os.environ[variable].strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise Refused(f"{variable} holds characters that a key cannot have")
    return Secret(key)
