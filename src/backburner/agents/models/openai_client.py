"""Models behind any endpoint that speaks OpenAI's chat completions, through the ``openai`` package.

The key comes from the environment, goes into the request's header, and nowhere else.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from time import perf_counter
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from backburner.agents.models.boundary import Completion, Message, Settings
from backburner.agents.models.openai_answers import explain, read_answer
from backburner.agents.models.secret import Secret
from backburner.kernel.errors import MissingExtra, PolicyFailure, Refused

if TYPE_CHECKING:
    from openai import AsyncOpenAI

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
