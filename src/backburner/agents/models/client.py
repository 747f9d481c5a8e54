"""The boundary to a language model: messages in, one completion out.

Whatever reaches a model goes through ``ModelClient``: an endpoint, or a script that stands in for one.
Prompting methods know nothing else about models.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, Protocol, Self
from urllib.parse import quote

from msgspec import UNSET, Struct, UnsetType, field, structs

from backburner.agents.models.toolbox import NO_TOOLS, Toolbox, calls_in, written
from backburner.drawing.png import Picture
from backburner.kernel import packs
from backburner.kernel.errors import BadFile, PolicyFailure, Refused, shorten
from backburner.kernel.files import read_text
from backburner.kernel.tools import ToolCall
from backburner.kernel.values import canonical_json, digest


class Message(Struct, frozen=True, omit_defaults=True):
    """One message of a conversation; ``picture`` is shown after its words.

    ``calls``: the tools that the model calls in it. ``call``: of a message of role ``tool``, the id of the
    call whose result it tells.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    picture: Picture | None = None
    calls: tuple[ToolCall, ...] = ()
    call: str = ""

    @property
    def told(self) -> str:
        """All of it in words, for people who are shown what a model is sent."""
        shown = () if self.picture is None else (self.picture.told,)
        return "\n\n".join(filter(None, (self.content, *map(written, self.calls), *shown)))


SILENCE = "(no answer)"
"""Stands for an empty answer where a model is told again what it said: some providers take no empty ones."""


def answered(answer: str) -> Message:
    """A model's own answer, as it is told again."""
    return Message("assistant", answer if answer.strip() else SILENCE)


class Completion(Struct, frozen=True, omit_defaults=True):
    """What a model answered, and what that cost.

    ``text`` may be empty: a model that says nothing has answered. Tokens are as the provider counts
    them, 0 where it does not say; ``seconds`` run from the request to the answer, retries included.
    ``ending`` says how an answer ended that did not end of itself: ``length`` (cut at the cap),
    ``tool_calls`` (it called a tool in place of words and was offered none), ``refusal``, ``content_filter``.
    ``reasoning`` is what the provider tells apart as the model's thoughts before its answer,
    ``reasoning_tokens`` those of the output tokens that went into them, ``cached_tokens`` those of the
    input tokens that the provider had kept from former calls. ``server``: what the provider calls the
    model that answered, with its version, ``id`` what it calls this answer. ``lost``: how often the same was
    asked before by a process that did not live to hear the answer. ``latency``: seconds of the try that was
    answered, where others came before it; else 0. ``calls``: what it called of what it was offered.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    ending: str = ""
    reasoning: str = ""
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    server: str = ""
    lost: int = 0
    id: str = ""
    latency: float = 0.0
    calls: tuple[ToolCall, ...] = ()

    @property
    def answered_seconds(self) -> float:
        """How long the answer itself took, without what was sent again."""
        return self.latency or self.seconds


class Settings(Struct, frozen=True):
    """How a model is to write. ``None`` leaves a choice to the provider, and sends nothing.

    Some models refuse any temperature but their own; for those it is ``None``. ``reasoning_effort`` is a
    word of the provider (such as ``low``). ``extra_body`` is a JSON object, as text: fields of the request
    that only some providers know. They stand beside the others, and in place of those of the same name.
    """

    temperature: float | None = 0.0
    max_tokens: int | None = 512
    stop: tuple[str, ...] = ()
    seed: int | None = None
    top_p: float | None = None
    reasoning_effort: str | None = None
    extra_body: str = ""

    @property
    def record(self) -> dict[str, Any]:
        """What an episode's record keeps: the first four always, the others where they are chosen."""
        kept = structs.asdict(self)
        always = ("temperature", "max_tokens", "stop", "seed")
        return {name: value for name, value in kept.items() if name in always or value not in (None, (), "")}


class ModelClient(Protocol):
    """A model that can be asked. One client serves any number of conversations at once."""

    @property
    def name(self) -> str:
        """The model's name, as records and reports show it."""

    @property
    def origin(self) -> Mapping[str, Any]:
        """Where its answers come from (model, base_url ...), for the record; never a key."""

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        """The answer to a conversation whose last message is not the model's, in words or by calls of these
        tools.

        Raises ``PolicyFailure`` with boundary ``model``, ``ContextOverflow`` for a conversation that is too
        long for the model, or ``RunStops`` where no further call can succeed, and nothing else. The text says
        what to do about it and holds no key.
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


# --- how models are to write, as the articles had it and as the user chooses -------------------------------


class Decoding(Struct, frozen=True):
    """Settings by name. ``caps``: the longest answer in tokens to single messages of methods, or to each
    part of the answer to a question for something else than a move, by its purpose."""

    name: str
    settings: Settings
    caps: dict[str, int] = field(default_factory=dict)

    def of(self, message: str, parts: int = 1) -> Settings:
        """The settings of the call that sends this message, or puts a question for this purpose."""
        cap = self.caps.get(message)
        return self.settings if cap is None else structs.replace(self.settings, max_tokens=cap * parts)

    @property
    def record(self) -> dict[str, Any]:
        """What an episode's record keeps of it."""
        kept = {**self.settings.record, "decoding": self.name}
        return {**kept, "caps": self.caps} if self.caps else kept


WHOLE = dict.fromkeys(("estimates", "outline", "plan", "reformat"), 2048)
"""Caps of messages whose answer is about a whole task, where the article does not say otherwise."""

PLAIN = Decoding("plain", Settings(0.0, 512), WHOLE)
"""Of a world without an article."""


class Choices(Struct, frozen=True, omit_defaults=True):
    """What a user chooses in place of an article's settings; what is unset stays as it was.

    A temperature of ``None`` sends none, for models that refuse any but their own. A cap chosen here
    holds for every message.
    """

    temperature: float | UnsetType | None = UNSET
    max_tokens: int | UnsetType | None = UNSET
    seed: int | UnsetType | None = UNSET
    top_p: float | UnsetType | None = UNSET
    stop: tuple[str, ...] | UnsetType = UNSET
    reasoning_effort: str | UnsetType | None = UNSET
    extra_body: str | UnsetType = UNSET

    @classmethod
    def given(cls, *, own_temperature: bool = False, **given: Any) -> Self:
        """The choices that say something, and with ``own_temperature`` that no temperature is sent.

        Raises ``Refused`` if ``extra_body`` is no JSON object, or holds what has an option of its own.
        """
        chosen = {key: value for key, value in given.items() if value not in (None, (), "")}
        if extra := chosen.get("extra_body"):
            chosen["extra_body"] = _object_in(extra)
        return cls(**(chosen | {"temperature": None} if own_temperature else chosen))

    @property
    def made(self) -> dict[str, Any]:
        """What is chosen, by name."""
        return {key: value for key, value in structs.asdict(self).items() if value is not UNSET}


RESERVED = ("messages", "model", "n", "stream", "temperature", "max_tokens", "seed", "top_p", "stop")
"""Fields of a request that are told in another way, or that would change what an answer is."""


def _object_in(text: str) -> str:
    """A JSON object in one spelling, which records hold and digests are taken of."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused(f"extra body: no JSON ({error})") from error
    if not isinstance(body, dict):
        raise Refused('extra body: write a JSON object, such as {"top_k": 20}')
    if taken := sorted(set(body) & set(RESERVED)):
        raise Refused(f"extra body: {taken[0]!r} is not set there")
    return canonical_json(body).decode()


def decoding_of(world: str, choices: Choices | None = None) -> Decoding:
    """How models write in this world unless the user has chosen otherwise."""
    default = _default(world)
    chosen = choices.made if choices is not None else {}
    if not chosen:
        return default
    caps = {} if "max_tokens" in chosen else default.caps
    return Decoding(f"{default.name}, changed", structs.replace(default.settings, **chosen), caps)


def _default(world: str) -> Decoding:
    """What the world's pack says of its article; ``PLAIN`` where it says nothing."""
    pack = packs.installed().packs.get(world)
    if pack is None or pack.decoding is None:
        return PLAIN
    own = pack.decoding
    return Decoding(world, Settings(own.temperature, own.max_tokens), {**WHOLE, **own.caps})


# --- a scripted stand-in: for tests, for trying out a set-up, for known answers ----------------------------


REPLIES = "replies_digest"
"""Of an origin: the replies that a script lists. Who has it counts words, as no provider counts tokens."""

Script = Callable[[Sequence[Message]], str]
"""Writes the answer to a conversation. It may raise ``PolicyFailure`` as a model's client does."""


class ScriptedModel:
    """Answers by a script; a ``ModelClient`` that asks nobody.

    ``replies`` is a function of the conversation, or a list that every conversation goes through
    from its beginning: the n-th answer of a conversation is the n-th reply. After the last one the
    list starts again, or, with ``then="fail"``, the call fails. Nothing is remembered between calls,
    so conversations that share one script do not disturb each other.

    Call ``fail_at_call`` of each conversation (from 1) and all after it fail; ``latency_seconds``
    pass before each answer. A token is counted for every run of characters without a blank, the
    input being all messages, and for pictures what they are estimated to be. The settings of a call have no
    effect. Where tools are offered, a reply that is a JSON array of ``{"name", "arguments"}`` is answered as
    calls.
    """

    def __init__(
        self,
        replies: Sequence[str] | Script,
        *,
        name: str = "scripted",
        then: Literal["cycle", "fail"] = "cycle",
        latency_seconds: float = 0.0,
        fail_at_call: int | None = None,
    ) -> None:
        self.name = name
        self._script = replies if callable(replies) else _from_list(tuple(replies), then)
        self._replies_digest = None if callable(replies) else digest(tuple(replies))
        self._latency_seconds = latency_seconds
        self._fail_at_call = fail_at_call

    @classmethod
    def from_file(cls, path: Path | str, **options: Any) -> ScriptedModel:
        """One reply in each line of a text file; an empty line is an empty reply.

        ``options`` are those of the class. Raises ``BadFile``.
        """
        replies = read_text(Path(path)).splitlines()
        if not replies:
            raise BadFile(path, "", "a script holds one reply in each line, and this file is empty")
        return cls(replies, **options)

    @property
    def origin(self) -> Mapping[str, Any]:
        """The name, and which replies it gives if they are listed."""
        listed = {} if self._replies_digest is None else {REPLIES: self._replies_digest}
        return {"model": self.name, **listed}

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        """The script's answer; see ``ModelClient``."""
        await asyncio.sleep(self._latency_seconds)
        if self._fail_at_call is not None and (call := _answers_in(messages) + 1) >= self._fail_at_call:
            raise PolicyFailure("model", f"{self.name}: call {call} fails, as scripted")
        text = self._script(messages)
        read = sum(map(_tokens, [message.content for message in messages]))
        read += sum(message.picture.tokens for message in messages if message.picture)
        calls = calls_in(text) if tools.tools else ()
        words = "" if calls else text
        return Completion(words, read, _tokens(text), self._latency_seconds, calls=calls)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def _from_list(replies: tuple[str, ...], then: Literal["cycle", "fail"]) -> Script:
    if not replies:
        raise ValueError("a scripted model needs at least one reply")

    def script(messages: Sequence[Message]) -> str:
        index = _answers_in(messages)
        if then == "fail" and index >= len(replies):
            raise PolicyFailure("model", f"the script ends after {len(replies)} replies")
        return replies[index % len(replies)]

    return script


def _answers_in(messages: Sequence[Message]) -> int:
    return [message.role for message in messages].count("assistant")


@lru_cache(maxsize=1 << 14)  # a growing conversation is counted again at each call
def _tokens(text: str) -> int:
    return len(text.split())


# --- names of requests -------------------------------------------------------------------------------------


MOST_CONVERSATIONS = 16
"""So many conversations of an episode are remembered in the making of digests."""


class RequestDigests:
    """Names requests by the digests of their messages and settings; the same request has the same name in
    every process. A conversation that has grown since it was last asked about costs its new messages alone.
    """

    def __init__(self) -> None:
        self._begun: dict[int, tuple[tuple[Message, ...], blake2b]] = {}

    def of(self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS) -> str:
        """The request's name, 32 hexadecimal digits; what calls are called is no part of it."""
        conversation = tuple(messages)
        key = id(conversation[0])  # which the entry below keeps alive
        before, begun = self._begun.get(key, ((), None))
        if begun is None or conversation[: len(before)] != before:
            before, begun = (), blake2b(digest_size=16)
        for message in conversation[len(before) :]:
            # Pictures are large, and kept by nobody but their conversation.
            named = _unnamed(message)
            begun.update(_digest_of(named) if named.picture is None else _digest_of.__wrapped__(named))
        if len(self._begun) >= MOST_CONVERSATIONS and key not in self._begun:
            self._begun.pop(next(iter(self._begun)))
        self._begun[key] = conversation, begun
        whole = begun.copy()
        whole.update(_digest_of(settings))
        if tools.tools:
            whole.update(tools.digest)
        return whole.hexdigest()


def _unnamed(message: Message) -> Message:
    """The message without the ids of calls, which nothing follows from."""
    if not (message.calls or message.call):
        return message
    calls = tuple(structs.replace(call, id="") for call in message.calls)
    return structs.replace(message, calls=calls, call="")


@lru_cache(maxsize=1 << 16)
def _digest_of(part: Message | Settings) -> bytes:
    return blake2b(canonical_json(part), digest_size=16).digest()


def sent_to(model: str, request: str) -> str:
    """The name of a request as records have it: with the name of the model that it was sent to.

    Messages, decoding settings and the model's name are all that it is made of: no address, header or key.
    """
    return blake2b(canonical_json((model, request)), digest_size=16).hexdigest()
