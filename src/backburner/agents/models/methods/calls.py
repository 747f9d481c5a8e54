"""Native tool calls: a model answers by calling tools, and is told what came of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from msgspec import Struct, structs

from backburner.agents.models.client import Message, answered
from backburner.agents.models.method import SEE, Exchange, Method, Option
from backburner.agents.models.toolbox import CALL, Toolbox, given_in, result_of, written
from backburner.kernel.contract import World
from backburner.kernel.errors import shorten
from backburner.kernel.policy import REASON
from backburner.kernel.text import speaking, speaks, without
from backburner.kernel.tools import (
    BODY,
    Answered,
    Tool,
    ToolCall,
    answers_of,
    has_tools,
    tools_of,
    unreadable_call,
    words_for,
)
from backburner.kernel.values import Refusal, Seat, canonical_json, digest

SAID = "said"
"""The purpose of thoughts that are words beside calls."""

WHY = "why"
"""The argument of every tool that asks for a reason, where reasons are wanted."""

ALL, NONE = "all", "none"

LEFT_OUT = "(Earlier turns are left out.)"

OPTIONS: Mapping[str, Option] = {
    "tools": Option(
        "own", "the world's own tools (own), or one that takes an answer in words (act)", ("own", "act")
    ),
    "parallel": Option("on", "off: servers are asked for one call in each answer", ("on", "off")),
    "queue": Option(
        "on",
        "several calls in one answer: the next waits for its turn (on), even when something urgent is told "
        "(blind), or is dropped (off)",
        ("on", "blind", "off"),
    ),
    "notices": Option(
        "message",
        "what has happened is told in a message of its own, or in the last result, for servers that refuse a "
        "user's message after a tool's",
        ("message", "result"),
    ),
    "history": Option(ALL, "how many answers are told again with what came of them: all, none, or a number"),
    "why": Option("off", "on: every tool asks for a reason first", ("off", "on")),
    "must": Option("off", "on: servers are told that a tool has to be called", ("off", "on")),
    "words": Option(
        "read", "an answer without calls: the world reads it, or it is refused", ("read", "refused")
    ),
}


class Made(Struct, frozen=True):
    """The calls of the model's last answer: what has become of each so far, by its place, and the answers
    that they stand for; the first of these is decided, the others wait. ``known``: the ids of all calls so
    far, also of those that are left out of the conversation."""

    calls: tuple[ToolCall, ...] = ()
    results: Mapping[int, Mapping[str, Any]] = {}
    answers: tuple[Answered, ...] = ()
    known: frozenset[str] = frozenset()


async def calls(exchange: Exchange) -> str | Refusal:
    """One call of the model for each decision, or for several that it makes at once.

    Those wait in the notes, and are taken at the seat's next turns. Thoughts: ``call``, in their order, for
    each call that the decision carries out; ``said``; ``reason``.
    """
    made: Made = _gone_on(exchange, exchange.notes or Made())
    why = _dropped(exchange, made)
    if made.answers and not why:
        return _decided(exchange, made)
    _tell(exchange, made, why)
    words, called = await exchange.call(
        "moment", toolbox(exchange.world, exchange.turn.seat, exchange.choices)
    )
    return _answer(exchange, words, called, made.known)


def _answer(
    exchange: Exchange, words: str, called: Sequence[ToolCall], known: frozenset[str]
) -> str | Refusal:
    """What the model's answer decides first."""
    if not called:
        exchange.conversation += (answered(words),)
        exchange.notes = Made(known=known)
        return words if exchange.choices["words"] == "read" else unreadable_call("", "no call")
    named = numbered(called, known)
    exchange.conversation += (Message("assistant", words.strip(), calls=named),)
    if words.strip():
        exchange.note(SAID, words.strip())
    own = exchange.choices["tools"] == "own"
    answers = answers_of(exchange.world, exchange.turn.seat, list(map(_without_why, named)), own=own)
    return _decided(exchange, Made(named, {}, answers, known | {call.id for call in named}))


def _decided(exchange: Exchange, made: Made) -> str | Refusal:
    """The first answer that waits."""
    exchange.notes = made
    now = made.answers[0]
    for place in now.calls:
        exchange.note(CALL, written(made.calls[place]))
        if exchange.choices["why"] == "on" and (reason := given_in(made.calls[place]).get(WHY)):
            exchange.note(REASON, str(reason))
    return now.answer


def numbered(called: Sequence[ToolCall], known: Set[str]) -> tuple[ToolCall, ...]:
    """The calls with ids that are not ``known``: ``call_1``, ``call_2`` .. in their order for those that have
    none, or one that came before."""
    known, number = set(known), len(known)
    named: list[ToolCall] = []
    for call in called:
        number += 1
        own, other = call.id, number
        while not own or own in known:
            own, other = f"call_{other}", other + 1
        known.add(own)
        named.append(structs.replace(call, id=own))
    return tuple(named)


# --- what came of calls ------------------------------------------------------------------------------------


def _gone_on(exchange: Exchange, made: Made) -> Made:
    """With what came of the answer that was decided last: nothing, where its thought was cut."""
    if not made.answers:
        return made
    clock = exchange.turn.clock
    if clock is not None and clock.cut:
        return structs.replace(made, answers=())
    now, waiting = made.answers[0], made.answers[1:]
    results = dict(made.results)
    refused = {refusal.index: refusal for refusal in exchange.turn.refused}
    for number, place in enumerate(now.calls):
        refusal = refused.get(number if len(now.calls) > 1 else min(refused, default=0))
        results[place] = result_of(exchange.world, exchange.turn, refusal, goes_on=bool(waiting))
    return structs.replace(made, results=results, answers=waiting)


def _dropped(exchange: Exchange, made: Made) -> str:
    """Why the calls that wait are not carried out; empty if they are."""
    clock = exchange.turn.clock
    if clock is not None and clock.cut:
        return "the thought took too long"
    if exchange.choices["queue"] == "off":
        return "one answer is one decision"
    if exchange.turn.refused:
        return "a call before it was refused"
    world = exchange.world
    if exchange.choices["queue"] == "on" and made.answers and has_tools(world):
        return "something urgent came up" if world.interrupts(exchange.turn.observation) else ""
    return ""


# --- the conversation --------------------------------------------------------------------------------------


def _tell(exchange: Exchange, made: Made, why: str) -> None:
    """What came of every call, and how things stand; what is too long ago is left out."""
    moment = exchange.render("moment")
    results = [
        made.results.get(place, {"ok": None, "told": f"not carried out: {why}"})
        for place in range(len(made.calls))
    ]
    if results and exchange.choices["notices"] == "result":
        results[-1] = {**results[-1], "now": moment}
    told = tuple(
        Message("tool", canonical_json(result).decode(), call=call.id)
        for call, result in zip(made.calls, results, strict=True)
    )
    in_result = bool(results) and exchange.choices["notices"] == "result"
    if not exchange.conversation:
        exchange.conversation = (Message("system", _system(exchange)),)
    exchange.conversation += told if in_result else (*told, exchange.message(moment))
    exchange.conversation = _recent(exchange.conversation, exchange.choices["history"])


def _system(exchange: Exchange) -> str:
    """The briefing, without how to write answers."""
    turn = exchange.turn
    clock = "" if turn.clock is None else turn.clock.briefing
    told = without(speaking(exchange.world).briefing_parts(turn.seat), "answering")
    offered = toolbox(exchange.world, turn.seat, exchange.choices).tools
    bodies = any(BODY in each.parameters["properties"] for each in offered)
    return exchange.render("system", told="\n\n".join(filter(None, (clock, told))), bodies=bodies).strip()


def _recent(conversation: tuple[Message, ...], history: str) -> tuple[Message, ...]:
    """The conversation with so many answers, each with what came of its calls."""
    if history == ALL:
        return conversation
    places = [place for place, message in enumerate(conversation) if message.role == "assistant"]
    kept = 0 if history == NONE else int(history)
    if len(places) <= kept:
        return conversation
    system, last = conversation[:1], conversation[-1]
    if not kept:
        return (*system, last if last.role == "user" else Message("user", last.content))
    begin = places[-kept]
    before = conversation[begin - 1]
    opening = before if before.role == "user" else Message("user", LEFT_OUT)
    return (*system, opening, *conversation[begin:])


# --- what is offered ---------------------------------------------------------------------------------------


def toolbox(world: World[Any, Any, Any], seat: Seat, choices: Mapping[str, str]) -> Toolbox:
    """What the model is offered in a seat."""
    tools = tools_of(world, seat, own=choices["tools"] == "own")
    if choices["why"] == "on":
        tools = tuple(map(_with_why, tools))
    return Toolbox(tools, choices["must"] == "on", choices["parallel"] == "on")


def _with_why(tool: Tool) -> Tool:
    """The tool with a reason before everything else."""
    schema = {**tool.parameters}
    schema["properties"] = {WHY: words_for("why this is called now, in a sentence"), **schema["properties"]}
    schema["required"] = [WHY, *schema["required"]]
    return structs.replace(tool, parameters=schema)


def _without_why(call: ToolCall) -> ToolCall:
    given = given_in(call)
    if WHY not in given:
        return call
    rest = {name: value for name, value in given.items() if name != WHY}
    return structs.replace(call, arguments=canonical_json(rest).decode())


def _told(world: World[Any, Any, Any], choices: Mapping[str, str]) -> Mapping[str, Any]:
    """The digest of what every seat is offered, for the record."""
    return {"tools": digest([toolbox(world, seat, choices) for seat in world.seats])}


def _no_calls(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    """Why calls make no sense in a world; empty if they do."""
    history = choices["history"]
    if history not in (ALL, NONE) and not (history.isascii() and history.isdecimal() and len(history) < 6):
        return f"history is all, none, or a number of answers, not {shorten(history)!r}"
    if SEE in choices and choices["notices"] == "result":
        return "what a tool gives holds no picture: notices=message shows it"
    return "" if speaks(world) else "the world has no words that a call could stand for"


CALLS = Method(
    name="calls",
    summary="native tool calls: each call of a tool is a decision",
    source="",
    decide=calls,
    messages={"system": {"told": "briefing", "bodies": True}, "moment": {}},
    options=OPTIONS,
    answers={"moment": "calls"},
    check=_no_calls,
    told=_told,
)
