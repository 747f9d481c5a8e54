"""What models are offered to call, what they called, how calls are written (for servers, and in records), and
what is told of each.

Both engines come to the same calls: arguments are one spelling of JSON from the moment they are received, and
empty where they were none. What a provider calls a call stays in conversations alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.errors import shorten
from backburner.kernel.policy import Turn
from backburner.kernel.text import speaking
from backburner.kernel.tools import (
    DEEPEST,
    LONGEST_ARGUMENTS,
    UNREADABLE_CALL,
    Tool,
    ToolCall,
    has_tools,
    object_in,
)
from backburner.kernel.values import LONGEST_RESPONSE_ID, Refusal, canonical_json, writable

MOST_CALLS = 64
"""Calls of one answer that are looked at."""


class Toolbox(Struct, frozen=True):
    """What a model is offered to call. ``must``: whether it must call something; ``parallel``: whether it may
    call several at once. Servers hear of either only where it is not what they do anyway."""

    tools: tuple[Tool, ...] = ()
    must: bool = False
    parallel: bool = True

    @property
    def digest(self) -> bytes:
        """The box in a request's name."""
        return blake2b(canonical_json(self), digest_size=16).digest()


NO_TOOLS = Toolbox()

CALL = "call"
"""The purpose of a thought that holds a call."""


# --- what was called ---------------------------------------------------------------------------------------


class Received(Struct, frozen=True):
    """A call as a server tells it. ``broken``: its arguments are no JSON."""

    name: str
    arguments: str
    id: str = ""
    broken: bool = False


def called(received: Iterable[Received], tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
    """The calls of an answer in one spelling, each with an id of its own or none."""
    calls: list[ToolCall] = []
    known = {""}
    for each in list(received)[:MOST_CALLS]:
        name = shorten(writable(each.name), LONGEST_RESPONSE_ID)
        own = "".join(sign for sign in writable(each.id)[:LONGEST_RESPONSE_ID] if sign.isprintable())
        arguments = "" if each.broken else _one_spelling(name, each.arguments, tools)
        calls.append(ToolCall(name, arguments, "" if own in known else own))
        known.add(own)
    return tuple(calls)


def _one_spelling(name: str, arguments: str, tools: Sequence[Tool]) -> str:
    """The arguments as canonical JSON; empty if they are none. What is no object is the first argument of the
    tool, as Inspect has it."""
    text = arguments.strip()
    given = object_in(text) if text.startswith("{") else _first_argument(name, text, tools)
    spelt = "" if given is None else writable(canonical_json(_whole(given)).decode())
    return spelt if len(spelt) <= LONGEST_ARGUMENTS else ""


def _first_argument(name: str, text: str, tools: Sequence[Tool]) -> dict[str, Any] | None:
    offered = next((each for each in tools if each.name == name), None)
    if offered is None or not offered.parameters["properties"] or len(text) > LONGEST_ARGUMENTS:
        return {}
    value = object_in(f'{{"value":{text or "null"}}}') or {"value": text}
    return {next(iter(offered.parameters["properties"])): value["value"]}


def _whole(value: Any) -> Any:
    """A JSON value whose texts can be written down."""
    if isinstance(value, str):
        return writable(value)
    if isinstance(value, dict):
        return {writable(name): _whole(each) for name, each in value.items()}
    return [_whole(each) for each in value] if isinstance(value, list) else value


# --- calls told again, in records and in scripts -----------------------------------------------------------


def given_in(call: ToolCall) -> dict[str, Any]:
    """The arguments of a call as it is told again; none where they were no JSON."""
    return object_in(call.arguments) or {}


def written(call: ToolCall) -> str:
    """A call as records have it, without its id."""
    return canonical_json({"name": call.name, "arguments": object_in(call.arguments)}).decode()


def all_written(calls: Sequence[ToolCall]) -> str:
    """All calls of an answer: one as ``written``, of several an array."""
    return written(calls[0]) if len(calls) == 1 else f"[{','.join(map(written, calls))}]"


def calls_in(text: str) -> tuple[ToolCall, ...]:
    """The calls that a text stands for, one as ``written`` or an array of such; none in any other text."""
    # Calls, their list and the object around it lie around the arguments.
    whole = object_in(f'{{"calls":{text}}}', DEEPEST + 3) if text.lstrip()[:1] in ("[", "{") else None
    listed = None if whole is None else whole["calls"]
    each = listed if isinstance(listed, list) else [listed]
    return tuple(_read(each)) if all(map(_is_call, each)) else ()


def _is_call(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str) and "arguments" in value


def _read(values: Sequence[Any]) -> Iterator[ToolCall]:
    for value in values:
        given = value["arguments"]
        yield ToolCall(value["name"], canonical_json(given).decode() if isinstance(given, dict) else "")


# --- what came of calls ------------------------------------------------------------------------------------

LONGEST_TOLD = 1000
"""Characters of what is told of one call."""


def result_of(
    world: World[Any, Any, Any], turn: Turn, refusal: Refusal | None, *, goes_on: bool = False
) -> Mapping[str, Any]:
    """What is told of a call that was decided before this turn. ``goes_on``: others follow without a
    question, so that nobody would tell later what came of it."""
    if refusal is None:
        told = shorten(turn.glance.told, LONGEST_TOLD) if goes_on else ""
        own = world.result(turn.observation) if has_tools(world) else {}
        return {"ok": True, **own, **({"told": told} if told else {})}
    if refusal.code == UNREADABLE_CALL:
        told = f"This call cannot be read: {refusal.get('why')}."
    else:
        told = shorten(speaking(world).news(turn.observation), LONGEST_TOLD)
    return {"ok": False, "refused": refusal.code, **({"told": told} if told else {})}
