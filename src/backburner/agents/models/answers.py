"""What a server of chat completions sends back: an answer, or a fault that says whether to ask again.

Servers differ, so what is read is read forgivingly: fields that nobody here needs are passed over, and
characters that were cut apart are replaced. What went wrong is said in words, with what to do about it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from email.utils import parsedate_to_datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from backburner.agents.models.toolbox import Received
from backburner.kernel.values import LONGEST_RESPONSE_ID

LONGEST_BODY = 32 << 20
"""Bytes of a response that are read; a longer one is a fault."""

# --- an answer --------------------------------------------------------------------------------------------


class _Part(Struct):
    text: str | None = None
    thinking: Any = None


class _Function(Struct):
    name: msgspec.Raw = msgspec.Raw()
    arguments: msgspec.Raw = msgspec.Raw()


class _Called(Struct):
    id: msgspec.Raw = msgspec.Raw()
    type: str | None = None
    function: _Function | None = None


class _Said(Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    tool_calls: list[msgspec.Raw] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Choice(Struct):
    message: _Said
    finish_reason: str | None = None


class _ReadTokens(Struct):
    cached_tokens: int | None = None


class _WrittenTokens(Struct):
    reasoning_tokens: int | None = None


class _Usage(Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _ReadTokens | None = None
    completion_tokens_details: _WrittenTokens | None = None


class Answer(Struct):
    """The parts of a chat completion that matter here; everything else is passed over."""

    choices: Annotated[list[_Choice], Meta(min_length=1)]
    usage: _Usage | None = None
    model: str | None = None
    system_fingerprint: str | None = None
    id: msgspec.Raw = msgspec.Raw()

    @property
    def text(self) -> str:
        """The first choice's text; empty if it has none, as when the model calls a tool or only reasons."""
        content = self.choices[0].message.content or ""
        return content if isinstance(content, str) else "".join(part.text or "" for part in content)

    @property
    def reasoning(self) -> str:
        """What the server says the model thought before it answered, where it tells that apart."""
        said = self.choices[0].message
        parts = said.content if isinstance(said.content, list) else ()
        in_parts = "".join(_words_in(part.thinking) for part in parts)
        return said.reasoning_content or said.reasoning or in_parts

    @property
    def calls(self) -> list[Received]:
        """The functions that the model calls; whatever else it calls is passed over."""
        found = (_called(raw) for raw in self.choices[0].message.tool_calls or ())
        return [call for call in found if call is not None]

    def ending_of(self, offered: bool) -> str:
        """How it ended if not of itself; see ``Completion.ending``. ``offered``: whether tools were."""
        first = self.choices[0]
        if first.message.refusal:
            return "refusal"
        if first.message.tool_calls and not offered:
            return "tool_calls"
        usual = ("stop", "tool_calls", "function_call") if offered else ("stop",)
        return first.finish_reason or "" if first.finish_reason not in usual else ""

    @property
    def input_tokens(self) -> int:
        """Tokens of the conversation, 0 if the server does not say."""
        return (self.usage and self.usage.prompt_tokens) or 0

    @property
    def output_tokens(self) -> int:
        """Tokens of the answer, thoughts included, 0 if the server does not say."""
        return (self.usage and self.usage.completion_tokens) or 0

    @property
    def cached_tokens(self) -> int:
        """Those of the input tokens that the server had kept from former calls."""
        details = self.usage and self.usage.prompt_tokens_details
        return (details and details.cached_tokens) or 0

    @property
    def reasoning_tokens(self) -> int:
        """Those of the output tokens that the model thought with."""
        details = self.usage and self.usage.completion_tokens_details
        return (details and details.reasoning_tokens) or 0

    @property
    def own_id(self) -> str:
        """What the server calls this answer; empty if it is no text, whatever else stands there."""
        return _text(self.id) or ""

    @property
    def server(self) -> str:
        """What the server calls the model that answered, and its version: ``m-2026-11 (fp_44)``."""
        name = self.model or ""
        return f"{name} ({self.system_fingerprint})".strip() if self.system_fingerprint else name


def _called(raw: msgspec.Raw) -> Received | None:
    """A call of a function, however its parts are written; ``None`` for anything else. What is no text is
    left as it was written, as numbers may stand there that nothing else can hold."""
    try:
        call = msgspec.json.decode(raw, type=_Called)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if call.function is None or call.type not in ("function", None):
        return None
    name, given, id = call.function.name, call.function.arguments, call.id
    text, whole = _text(given), bytes(given).decode(errors="replace")
    written = whole if text is None else text
    return Received(_text(name) or "", written, _text(id) or "", whole in ("", "null"))


def _text(raw: msgspec.Raw) -> str | None:
    """The text that is written there; ``None`` for anything else."""
    try:
        return msgspec.json.decode(bytes(raw).decode(errors="replace"), type=str)
    except msgspec.DecodeError:
        return None


def response_id(told: str) -> str:
    """What a provider calls its answer, as records hold it: printable, and no longer than they have room."""
    return "".join(sign for sign in told[:LONGEST_RESPONSE_ID] if sign.isprintable())


def _words_in(thinking: Any) -> str:
    """A part's thoughts: a text, or parts with texts of their own."""
    if isinstance(thinking, str):
        return thinking
    parts = thinking if isinstance(thinking, list) else ()
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))


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
            received = body[:2000].decode(errors="replace") or "nothing"
            raise ValueError(f"the answer is not a chat completion ({error}); received: {received}") from None


def _mended(body: bytes) -> bytes:
    """JSON in whole characters, those that were cut apart replaced; raises ``ValueError`` or
    ``RecursionError`` for what is none."""
    whole = json.loads(body.decode("utf-8-sig", "replace"))
    return json.dumps(whole, ensure_ascii=False).encode(errors="replace")


# --- a fault ----------------------------------------------------------------------------------------------


class Fault(Struct, frozen=True):
    """Why there is no answer, in words that may quote the server.

    ``again``: another try may help, after ``after_seconds`` if the server asked for that. ``hopeless``: no
    call to this server can succeed as it is asked now. ``overflow``: the conversation is longer than the
    model can read.
    """

    words: str
    again: bool = False
    after_seconds: float | None = None
    hopeless: bool = False
    overflow: bool = False


class _Error(Struct):
    message: Any = None
    code: Any = None
    type: Any = None


class _Failed(Struct):
    error: _Error | str


_errors = msgspec.json.Decoder(_Failed)

PASSING = frozenset((408, 409, 423, 425, 429))
"""Statuses beside the server's own failures (500 and above) that may be gone at the next try."""

NEVER = frozenset((401, 402, 404))
"""Statuses that every call will have: a wrong key, an empty account, a wrong model or address."""

SPENT_CODE = "insufficient_quota"

NEVER_CODES = frozenset((SPENT_CODE, "invalid_api_key", "model_not_found"))
"""What servers call the same where the status alone does not tell it from a passing fault."""


def judged(status: int, headers: Mapping[str, str], body: bytes, now_seconds: float) -> Answer | Fault:
    """What a response is; ``now_seconds`` is the time since the epoch, for dates in ``Retry-After``."""
    if 300 <= status < 400:
        place = headers.get("Location", "another place")
        return Fault(f"the server sends callers on to {place}; name that as the base URL", hopeless=True)
    told = None if status == 200 and b'"error"' not in body else _error_in(body)
    if status == 200:
        try:
            return read_answer(body)
        except ValueError as error:
            if told is None:
                return Fault(str(error), again=True)
            status = _status_in(told)
    raw = _Error(body[:2000].decode(errors="replace") or None)
    return _fault(status, told or raw, _patience_asked(headers, now_seconds))


OVERFLOW_CODES = frozenset(("context_length_exceeded", "exceed_context_size_error"))
"""What servers call a conversation that is too long for the model."""

OVERFLOW_STATUSES = frozenset((400, 413, 422, 500))
"""The statuses with which they say so."""

_OVERFLOW = re.compile(
    r"(?:maximum|model's|available|the) context (?:length|size|window)|context limit"
    r"|when context the overflows|contextwindowexceeded"
    r"|prompt is too long|input is too long for|maximum prompt length|maximum model length"
    r"|token count (?:of \d{1,12} |\(\d{1,12}\) )?exceeds the maximum number of tokens"
    r"|input tokens exceed|`inputs` (?:tokens|must have)|total number of tokens in the prompt cannot exceed",
    re.IGNORECASE,
)
"""How they say so where they have no code for it: OpenAI and those that follow it, vLLM, SGLang, llama.cpp,
TGI, LM Studio, LiteLLM, and gateways to models of Anthropic, Google, Amazon, Mistral, xAI and Cohere."""


def overflows(status: int | None, words: str, codes: Iterable[object] = ()) -> bool:
    """Whether a refusal says that the conversation is longer than the model can read."""
    if not OVERFLOW_CODES.isdisjoint(map(str, codes)):
        return True
    return status in OVERFLOW_STATUSES and _OVERFLOW.search(words[:2000]) is not None


def _fault(status: int, error: _Error, after_seconds: float | None) -> Fault:
    words = _words(error.message)
    if overflows(status, words, (error.code, error.type)):
        return Fault(_explained(status, words), overflow=True)
    codes = (str(error.code), str(error.type))
    never = status in NEVER or not NEVER_CODES.isdisjoint(codes)
    again = not never and (status in PASSING or status >= 500)
    if SPENT_CODE in codes:
        words = f"the account's quota is used up ({status}): {words}; it needs credit"
        return Fault(words, hopeless=True)
    return Fault(_explained(status, words), again, after_seconds, never)


def _error_in(body: bytes) -> _Error | None:
    """The error that a body tells of, in the form that such servers share; ``None`` if it has another."""
    try:
        error = _errors.decode(body).error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return _Error(error) if isinstance(error, str) else error


def _status_in(error: _Error) -> int:
    """The status that an error inside a response of status 200 means; a failure of the server by default."""
    try:
        code = int(error.code)
    except (TypeError, ValueError):
        return 500
    return code if 400 <= code < 600 else 500


def _words(message: Any) -> str:
    if message is None:
        return "without a word"
    return message if isinstance(message, str) else msgspec.json.encode(message).decode()


def _explained(status: int, words: str) -> str:
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
    return refused(status, words)


_AFTER_TOOL = re.compile(
    r"\brole\W{1,3}user\W{1,3}after role\W{1,3}tool\b|roles must alternate", re.IGNORECASE
)
"""How servers say that they take no user's message after a tool's."""


def refused(status: int | None, words: str) -> str:
    """Why a request was refused, in the server's words, with what to do about it where that is known."""
    hint = "; calls@notices=result tells it in another way" if _AFTER_TOOL.search(words[:2000]) else ""
    return f"the request was refused ({status}): {words}{hint}"


def _patience_asked(headers: Mapping[str, str], now_seconds: float) -> float | None:
    """The seconds that a server asks its callers to wait: a number, or the time until a date."""
    if (milliseconds := _number(headers.get("Retry-After-Ms"))) is not None:
        return milliseconds / 1000
    told = headers.get("Retry-After")
    if (seconds := _number(told)) is not None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(told).timestamp() - now_seconds) if told else None
    except (ValueError, OverflowError):
        return None


def _number(written: str | None) -> float | None:
    """A time in seconds or milliseconds that is finite and not negative."""
    try:
        value = float(written) if written else None
    except ValueError:
        return None
    return value if value is not None and 0 <= value < float("inf") else None
