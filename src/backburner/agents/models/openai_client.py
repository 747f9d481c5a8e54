"""Models behind any endpoint that speaks OpenAI's chat completions, over ``aiohttp``.

The key comes from the environment, goes into the request's header, and nowhere else. The cost of a call in
CPU time hardly grows with the conversation: messages are written as JSON in one go, and nothing walks them.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from functools import lru_cache
from time import perf_counter
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import msgspec
from msgspec import Struct, structs

from backburner.agents.models.answers import LONGEST_BODY, Answer, Fault, judged, response_id
from backburner.agents.models.client import Completion, Message, Secret, Settings
from backburner.agents.models.toolbox import NO_TOOLS, Toolbox, called, given_in
from backburner.drawing.png import data_url
from backburner.kernel.errors import (
    ContextOverflow,
    PolicyFailure,
    Refused,
    RunStops,
    needs_extra,
)

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession


# --- how long a call is tried ------------------------------------------------------------------------------


class Patience(Struct, frozen=True):
    """What a call may take before it has failed.

    ``tries``: how often the same call is sent at most. ``try_seconds``: the time of one try, from sending
    to the last byte, so that an answer that drips in ends too. ``call_seconds``: the time of a call with
    all its tries and pauses. ``longest_pause_seconds``: pauses begin at half a second and double up to it;
    what a server asks for in ``Retry-After`` is waited for as long as it fits into ``call_seconds``.
    """

    tries: int = 10
    try_seconds: float = 300.0
    call_seconds: float = 1800.0
    longest_pause_seconds: float = 60.0

    def pause_seconds(self, tried: int, asked_seconds: float | None, chance: float) -> float:
        """The pause after so many tries: what the server asks for and a little more, or our own.

        ``chance`` (0 to 1) spreads callers that failed together: a pause is cut, or what was asked for
        lengthened, by up to a quarter of our own.
        """
        own = min(self.longest_pause_seconds, 0.5 * 2.0 ** min(tried - 1, 30))
        return own * (1 - chance / 4) if asked_seconds is None else asked_seconds + own * chance / 4


USUAL = Patience()


# --- what the calls of a run have come to ------------------------------------------------------------------


class Traffic:
    """Calls that were sent, tries that failed and were followed by others, and the words of the last failure.

    ``tell`` hears once of a server that nobody can connect to.
    """

    def __init__(self, tell: Callable[[str], None] = lambda line: None) -> None:
        self.calls = 0
        self.retries = 0
        self.failure = ""
        self._tell = tell
        self._told = False

    def opened(self) -> None:
        """A call is about to be sent."""
        self.calls += 1

    def again(self, failure: str) -> None:
        """A try has failed, and there will be another."""
        self.retries += 1
        self.failure = failure

    def unreachable(self, line: str) -> None:
        """There is no connection to a server that has never answered."""
        if not self._told:
            self._told = True
            self._tell(line)


# --- the client --------------------------------------------------------------------------------------------


OPENAI_URL = "https://api.openai.com/v1"
KEY_VARIABLES = ("BACKBURNER_API_KEY", "OPENAI_API_KEY")
"""Where the key is looked for; the first that is set wins."""

FIRST_SECONDS = 4.0
"""So long a try may take to connect to a server that has never answered."""

_encode = msgspec.json.Encoder().encode


class OpenAIClient:
    """A model of an OpenAI-compatible server; a ``ModelClient``.

    ``base_url`` defaults to ``OPENAI_BASE_URL`` of the environment, then to OpenAI itself. The key
    is ``BACKBURNER_API_KEY`` or ``OPENAI_API_KEY``; a server of one's own needs none. ``headers`` are sent
    with every call and recorded nowhere. ``patience`` says how long a call is tried; ``traffic`` hears of
    tries that failed.

    Any number of episodes share one client, in one event loop at a time. Connections are opened at
    the first call inside the running loop; they are closed with ``aclose``, by ``async with``, or when
    the loop ends.

    Raises ``MissingExtra`` without the ``models`` extra, and ``Refused`` if OpenAI is meant and there
    is no key, or if the base URL is not an HTTP address or holds something secret.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        *,
        patience: Patience = USUAL,
        headers: Mapping[str, str] | None = None,
        traffic: Traffic | None = None,
    ) -> None:
        self._aiohttp = _package()
        self.name = model
        self.base_url = _checked(base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_URL)
        self.patience = patience
        self._traffic = Traffic() if traffic is None else traffic
        self._url = f"{self.base_url}/chat/completions"
        self._key = _key_for(self.base_url)
        if self._key.scrub(self.base_url + model) != self.base_url + model:
            raise Refused("model and base URL stand in records, and one of them holds the key")
        self._headers = {name: Secret(value) for name, value in (headers or {}).items()}
        self._answered = False
        # Connections are of use only in the event loop they were opened in.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._session: ClientSession | None = None
        self._closing: AsyncGenerator[None] | None = None

    @property
    def origin(self) -> Mapping[str, Any]:
        """Model and base URL."""
        return {"model": self.name, "base_url": self.base_url}

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        """The answer; see ``ModelClient``. An answer without text, such as a call of a tool that nobody
        offered, is empty.

        Raises ``RunStops`` in place of ``PolicyFailure`` where no call can succeed: the key is refused,
        the model unknown, the account empty, or nobody has ever answered.
        """
        body = _encode(self._request(messages, settings, tools))
        started = perf_counter()
        answer, latency = await self._answer(body)
        if isinstance(answer, Answer):
            self._answered = True
            return self._completion(answer, perf_counter() - started, latency, tools)
        failure = self._told(answer)
        if answer.overflow:
            raise ContextOverflow(failure)
        if answer.hopeless:
            raise RunStops(failure)
        raise PolicyFailure("model", failure)

    async def aclose(self) -> None:
        """Close the connections of the running event loop; a later call opens new ones."""
        closing, self._closing, self._session = self._closing, None, None
        if closing is not None and self._loop is asyncio.get_running_loop():
            await closing.aclose()

    async def __aenter__(self) -> OpenAIClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"OpenAIClient({self.name!r}, base_url={self.base_url!r})"

    def _completion(self, answer: Answer, seconds: float, latency: float, tools: Toolbox) -> Completion:
        scrub = self._scrub
        calls = [
            structs.replace(call, name=scrub(call.name), arguments=scrub(call.arguments))
            for call in (answer.calls if tools.tools else ())
        ]
        return Completion(
            scrub(answer.text),
            answer.input_tokens,
            answer.output_tokens,
            seconds,
            answer.ending_of(bool(tools.tools)),
            reasoning=scrub(answer.reasoning),
            reasoning_tokens=answer.reasoning_tokens,
            cached_tokens=answer.cached_tokens,
            server=scrub(answer.server),
            id=response_id(scrub(answer.own_id)),
            latency=latency,
            calls=called(calls, tools.tools),
        )

    def _told(self, fault: Fault) -> str:
        return f"{self.name} at {self.base_url}: {self._key.quoted(self._scrub(fault.words))}"

    # --- tries -------------------------------------------------------------------------------------------

    async def _answer(self, body: bytes) -> tuple[Answer | Fault, float]:
        """The answer, after as many tries as it takes, or the last fault if there is none; and the seconds of
        that try, if there were others.

        Where the time of the call would be over before the next try, there is none.
        """
        patience, ends_at = self.patience, perf_counter() + self.patience.call_seconds
        for tried in range(1, patience.tries + 1):
            began = perf_counter()
            answer = await self._try(body, min(patience.try_seconds, ends_at - began))
            if isinstance(answer, Answer) or not answer.again or tried == patience.tries:
                return answer, perf_counter() - began if tried > 1 else 0.0
            pause = patience.pause_seconds(tried, answer.after_seconds, random.random())
            if perf_counter() + pause >= ends_at:
                words = f"{answer.words}; the next try would be in {pause:.0f} s, after the time of this call"
                return msgspec.structs.replace(answer, words=words), 0.0
            self._traffic.again(self._told(answer))
            if answer.hopeless:  # unless it answers yet
                goes_on = f"trying {patience.tries} times within {patience.call_seconds:g} s; Ctrl-C stops"
                self._traffic.unreachable(f"{self._told(answer)} {goes_on}")
            await asyncio.sleep(pause)
        raise AssertionError("a call has at least one try")

    async def _try(self, body: bytes, seconds: float) -> Answer | Fault:
        session = await self._connected()
        timeout = session.timeout
        if seconds != self.patience.try_seconds or not self._answered:
            timeout = _timeout(self._aiohttp, seconds, None if self._answered else FIRST_SECONDS)
        try:
            async with session.post(self._url, data=body, timeout=timeout, allow_redirects=False) as response:
                received = await _bounded(response)
            return judged(response.status, response.headers, received, time.time())
        except self._aiohttp.ConnectionTimeoutError:
            words = (
                f"no connection within {FIRST_SECONDS:g} s; is the server running, and the base URL right?"
            )
            return Fault(words, again=True, hopeless=not self._answered)
        except TimeoutError:
            return Fault(
                f"no answer within {seconds:g} s; is it overloaded, or the timeout too short?", again=True
            )
        except self._aiohttp.ClientConnectorCertificateError as error:
            why = f"the server's certificate is not trusted ({error})"
            return Fault(f"{why}; SSL_CERT_FILE names a file with those that are", hopeless=True)
        except (self._aiohttp.ClientError, OSError, ValueError) as error:
            why = f"no connection ({error or type(error).__name__})"
            words = f"{why}; is the server running, and the base URL right?"
            return Fault(words, again=True, hopeless=not self._answered)

    def _revealed(self) -> dict[str, str]:
        """The headers of every request; the connection alone holds them, and shows them to nobody."""
        own = {name: value.reveal() for name, value in self._headers.items()}
        return {
            "Authorization": f"Bearer {self._key.reveal()}",
            "Content-Type": "application/json",
            **own,
        }

    def _scrub(self, text: str) -> str:
        """``text`` without the key and the values of headers."""
        for secret in (self._key, *self._headers.values()):
            text = secret.scrub(text)
        return text

    async def _connected(self) -> ClientSession:
        loop = asyncio.get_running_loop()
        if self._session is None or self._loop is not loop:
            self._loop = loop
            self._session = self._aiohttp.ClientSession(
                connector=self._aiohttp.TCPConnector(limit=0),
                headers=self._revealed(),
                timeout=_timeout(self._aiohttp, self.patience.try_seconds),
                proxy=_proxy_for(self.base_url),
            )
            self._closing = _closed_at_the_end(self._session)
            await anext(self._closing)
        return self._session

    def _request(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> dict[str, Any]:
        # OpenAI has renamed its limit and newer models refuse the old name; others know only that.
        limit = "max_completion_tokens" if self.base_url == OPENAI_URL else "max_tokens"
        choices = {
            "temperature": settings.temperature,
            "top_p": settings.top_p,
            limit: settings.max_tokens,
            "stop": settings.stop or None,
            "seed": settings.seed,
            "reasoning_effort": settings.reasoning_effort,
        }
        return {
            "model": self.name,
            "messages": list(map(_sent, messages)),
            **offered(tools),
            **{name: choice for name, choice in choices.items() if choice is not None},
            **(msgspec.json.decode(settings.extra_body) if settings.extra_body else {}),
        }


def _with_picture(message: Message) -> dict[str, Any]:
    """The words, then the picture, as the parts of one message."""
    assert message.picture is not None  # noqa: S101  # others are sent as they are
    words = {"type": "text", "text": message.content}
    seen = {"type": "image_url", "image_url": {"url": data_url(message.picture)}}
    return {"role": message.role, "content": [words, seen]}


def offered(tools: Toolbox) -> dict[str, Any]:
    """The fields of a request that offer tools; servers refuse fields that they do not know."""
    if not tools.tools:
        return {}
    fields: dict[str, Any] = {"tools": [{"type": "function", "function": each} for each in tools.tools]}
    if tools.must:
        fields["tool_choice"] = "required"
    if not tools.parallel:
        fields["parallel_tool_calls"] = False
    return fields


def _sent(message: Message) -> Message | Mapping[str, Any]:
    """A message as servers take it: as it is, or with its picture, its calls, or what came of one."""
    if message.calls or message.call:
        return with_calls(message)
    return _with_picture(message) if message.picture else message


@lru_cache(maxsize=1 << 12)
def with_calls(message: Message) -> Mapping[str, Any]:
    """A message with calls, or with what came of one, in the form of OpenAI."""
    if message.call:
        return {"role": message.role, "content": message.content, "tool_call_id": message.call}
    calls = [
        {
            "type": "function",
            "id": call.id,
            "function": {"name": call.name, "arguments": json.dumps(given_in(call))},
        }
        for call in message.calls
    ]
    return {"role": message.role, "content": message.content or None, "tool_calls": calls}


def _timeout(aiohttp: ModuleType, seconds: float, connect_seconds: float | None = None) -> Any:
    """A limit for everything from the connection to the last byte, and perhaps one for the connection."""
    return aiohttp.ClientTimeout(total=seconds, connect=connect_seconds)


async def _bounded(response: ClientResponse) -> bytes:
    """All that is received, if it is no more than ``LONGEST_BODY``; raises ``ValueError``."""
    if (response.content_length or LONGEST_BODY + 1) <= LONGEST_BODY and not response.headers.get(
        "Content-Encoding"
    ):
        return await response.read()
    received = bytearray()
    async for piece in response.content.iter_any():
        received += piece
        if len(received) > LONGEST_BODY:
            raise ValueError(f"the answer is longer than {LONGEST_BODY >> 20} MiB")
    return bytes(received)


async def _closed_at_the_end(session: ClientSession) -> AsyncGenerator[None]:
    """Started once, it closes the session when it is closed itself: by ``aclose``, or by the event loop
    when that ends, which closes every generator that has been started in it."""
    try:
        yield
    finally:
        await session.close()


def _proxy_for(base_url: str) -> str | None:
    """The proxy that the environment names for this server."""
    parts = urlsplit(base_url)
    return None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)


def _package() -> ModuleType:
    with needs_extra("models", "asking a language model"):
        import aiohttp
    return aiohttp


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
