"""Tool calls as answers: a model's native call of a tool is a decision in every world.

A call becomes the world's text, and the world's ``parse`` reads it: rules, refusals, charges and records are
those of an answer in words. Nothing is decided by looking at a menu, so that no tool tells what is legal.

Every world with words has the tool ``act``, whose only argument is an answer in words. A world that
subclasses ``Tools`` has its own instead: one for each verb, the same at every turn.
"""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, Protocol, TypeGuard, TypeVar, runtime_checkable

from msgspec import Struct

from backburner.kernel.contract import World, subclasses
from backburner.kernel.errors import nearest, shorten
from backburner.kernel.menu import Option
from backburner.kernel.text import only, speaking
from backburner.kernel.values import Fault, Refusal, Seat, canonical_json, writable

O_contra = TypeVar("O_contra", contravariant=True)

# --- tools, and calls of them -----------------------------------------------------------------------------

ACT, ANSWER, BODY, WAIT = "act", "answer", "body", "wait"
"""The tool of all worlds, and its argument; the argument that says who acts; what lets time pass, where no
verb does."""

LONGEST_ARGUMENTS = 100_000
"""Characters of a call's arguments that are read."""

LONGEST_WORDS = 2_000
"""Characters of one argument of a world's own tool."""

Schema = Mapping[str, Any]


class Tool(Struct, frozen=True):
    """A function that a model may call. ``parameters``: a JSON schema of an object that allows no others."""

    name: str
    description: str
    parameters: Schema


class ToolCall(Struct, frozen=True, omit_defaults=True):
    """A call as a model wrote it: ``arguments`` is JSON, unless the model made a mess of it. ``id``: what
    the model's provider calls it, which goes into no record."""

    name: str
    arguments: str
    id: str = ""


class Answered(Struct, frozen=True):
    """One answer of a seat: a text for ``parse``, or why there is none; and the places of the calls that it
    carries out, among those that were made together."""

    answer: str | Refusal
    calls: tuple[int, ...]


def tool(name: str, description: str, parameters: Mapping[str, Schema] = {}) -> Tool:
    """A tool of this name, all parameters required, as strict servers want it.

    A name of a verb may have blanks; see ``tool_name``.
    """
    schema = {
        "type": "object",
        "properties": dict(parameters),
        "required": list(parameters),
        "additionalProperties": False,
    }
    return Tool(tool_name(name), description, schema)


def words_for(description: str) -> Schema:
    """A parameter that takes words."""
    return {"type": "string", "description": description}


def one_of(names: Iterable[str], description: str) -> Schema:
    """A parameter that takes one of these names."""
    return {"type": "string", "enum": list(names), "description": description}


def body_of(names: Sequence[str]) -> Mapping[str, Schema]:
    """The parameter that says who acts, where a seat has several bodies; none where it has one."""
    return {BODY: one_of(names, "who acts")} if len(names) > 1 else {}


def tool_name(verb: str) -> str:
    """A verb as the name of a tool: ``cook in`` is ``cook_in``."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", verb)[:64]


UNREADABLE_CALL = "unreadable_call"


def unreadable_call(name: str, why: str) -> Refusal:
    """The refusal of a call that cannot be read."""
    detail = (("tool", shorten(writable(name))), ("why", shorten(writable(why), 200)))
    return Refusal(UNREADABLE_CALL, Fault.UNREADABLE, detail)


# --- the capability ---------------------------------------------------------------------------------------


@runtime_checkable
class Tools(Protocol[O_contra]):
    """The world has tools of its own: they, and the text of a call, are its own; the rest has defaults."""

    @abstractmethod
    def tools(self, seat: Seat) -> Sequence[Tool]:
        """The tools of a seat, the same at every turn; none for a seat that has words alone.

        They list no things but those of which the briefing lists all.
        """

    @abstractmethod
    def call_text(self, seat: Seat, name: str, arguments: Mapping[str, Any]) -> str:
        """The text for ``parse`` that a call stands for. ``arguments`` are those of the tool's schema, in its
        order; texts among them stand on one line."""

    def acting(self, arguments: Mapping[str, Any]) -> str:
        """Who acts in a call, where a seat has several bodies; empty if that does not matter."""
        return str(arguments.get(BODY, ""))

    def in_one(self, texts: Sequence[str]) -> str:
        """One answer made of the texts for several bodies."""
        return "\n".join(texts)

    def call_of(self, seat: Seat, option: Option[Any]) -> ToolCall | None:
        """The call that stands for an option of the menu; ``None`` for one that no tool decides."""
        name = tool_name(option.verb) if option.verb or not option.passes else WAIT
        called = next((each for each in self.tools(seat) if each.name == name), None)
        if called is None:
            return None
        names = list(called.parameters["properties"])
        things = [thing if isinstance(thing, str) else thing[0] for thing in option.things]
        given = dict(zip((name for name in names if name != BODY), things, strict=False))
        if BODY in names:
            given[BODY] = option.body
        return ToolCall(name, canonical_json(given).decode())

    def answers(self, seat: Seat, calls: Sequence[ToolCall]) -> Sequence[Answered]:
        """The seat's answers, in order: calls for different bodies are one until a body comes again."""
        return grouped(self, seat, calls)

    def interrupts(self, observation: O_contra) -> bool:
        """Whether what is seen is so urgent that calls which wait for their turn are dropped."""
        return False

    def result(self, observation: O_contra) -> Mapping[str, Any]:
        """What is told of a call that was carried out, beside that it was; JSON values by name."""
        return {}


def has_tools(world: World[Any, Any, Any]) -> TypeGuard[Tools[Any]]:
    """Whether this world has tools of its own; cheap enough to be asked at every turn."""
    return subclasses(type(world), Tools) or isinstance(world, Tools)


def tools_of(world: World[Any, Any, Any], seat: Seat, *, own: bool = True) -> tuple[Tool, ...]:
    """The world's own tools for a seat, or ``act``: where it has none, and where ``own`` are not wanted.

    Raises ``Refused`` for a world without words.
    """
    tools = tuple(world.tools(seat)) if own and has_tools(world) else ()
    return tools or (_act(world, seat),)


def _act(world: World[Any, Any, Any], seat: Seat) -> Tool:
    how = only(speaking(world).briefing_parts(seat), "answering") or "Answer in words."
    return tool(ACT, how, {ANSWER: words_for("the answer, as it would be written without tools")})


def answers_of(
    world: World[Any, Any, Any], seat: Seat, calls: Sequence[ToolCall], *, own: bool = True
) -> tuple[Answered, ...]:
    """The answers that calls made together stand for, in their order. Never raises for a bad call."""
    if own and has_tools(world) and world.tools(seat):
        return tuple(world.answers(seat, calls))
    act = {ACT: _act(world, seat)}
    read = (arguments_of(act, call, whole=True) for call in calls)
    return tuple(
        Answered(given if isinstance(given, Refusal) else given[ANSWER], (place,))
        for place, given in enumerate(read)
    )


def grouped(world: Tools[Any], seat: Seat, calls: Sequence[ToolCall]) -> tuple[Answered, ...]:
    """See ``Tools.answers``."""
    tools = {each.name: each for each in world.tools(seat)}
    answers: list[Answered] = []
    texts: list[str] = []
    acting: set[str] = set()
    for place, call in enumerate(calls):
        given = arguments_of(tools, call)
        if isinstance(given, Refusal):
            answers.append(Answered(given, (place,)))
            acting = set()
            continue
        text, body = world.call_text(seat, call.name, given), world.acting(given)
        if acting and body and body not in acting:
            texts.append(text)
            answers[-1] = Answered(world.in_one(texts), (*answers[-1].calls, place))
        else:
            texts, acting = [text], set()
            answers.append(Answered(world.in_one(texts), (place,)))
        acting |= {body} if body else set()
    return tuple(answers)


# --- reading a call ---------------------------------------------------------------------------------------


def arguments_of(
    tools: Mapping[str, Tool], call: ToolCall, *, whole: bool = False
) -> dict[str, Any] | Refusal:
    """The arguments of a call by the schema of its tool, or why they cannot be read. Never raises.

    Numbers that are written as texts, and texts that are written as numbers, are what the schema asks for.
    ``whole``: texts are kept as they are; else each is brought onto one line.
    """
    called = tools.get(call.name)
    if called is None:
        close = nearest(call.name[:200], tools)
        return unreadable_call(call.name, f"no such tool; did you mean {close[0]}?" if close else NO_TOOL)
    given = object_in(call.arguments)
    if given is None:
        return unreadable_call(call.name, NO_JSON)
    properties: Mapping[str, Schema] = called.parameters["properties"]
    if unknown := [name for name in given if name not in properties]:
        return unreadable_call(call.name, f"it takes no {shorten(unknown[0])!r}")
    found: dict[str, Any] = {}
    for name, schema in properties.items():
        value = _fitted(given.get(name), schema, whole)
        if value is None and "null" not in schema["type"]:
            return unreadable_call(call.name, f"{name}: {_wanted(schema)}" if name in given else f"no {name}")
        found[name] = value
    return found


NO_TOOL, NO_JSON = "no such tool", "no JSON"

DEEPEST = 32
"""So often lists and objects of arguments may lie within one another; no tool of a world takes any."""


def object_in(arguments: str, deepest: int = DEEPEST) -> dict[str, Any] | None:
    """The JSON object in a text; of two fields of a name the later counts. ``None`` if there is none, or one
    whose lists and objects lie within one another more than ``deepest`` times."""
    if len(arguments) > LONGEST_ARGUMENTS:
        return None
    try:
        given = json.loads(arguments, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):
        return None
    return given if isinstance(given, dict) and not _is_deeper(given, deepest) else None


def _is_deeper(value: Any, deepest: int) -> bool:
    level = [value]
    for _ in range(deepest):
        inner = [each.values() if isinstance(each, dict) else each for each in level]
        level = [value for values in inner for value in values if isinstance(value, dict | list)]
    return bool(level)


def _finite(written: str) -> float:
    number = float(written)
    return number if isfinite(number) else _no_number(written)


def _no_number(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of JSON")


def _fitted(value: Any, schema: Schema, whole: bool) -> Any:
    """The value as the schema wants it; ``None`` if it is none of that kind."""
    kinds = schema["type"]
    if "integer" in kinds:
        return _integer(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = writable(value) if isinstance(value, str) else canonical_json(value).decode()
    if not whole:
        text = " ".join(text.split())
    if "enum" in schema:
        return next((name for name in schema["enum"] if name and name.casefold() == text.casefold()), None)
    return text if whole or len(text) <= LONGEST_WORDS else None


def _integer(value: Any) -> int | None:
    if isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]{1,15}", value.strip()):
        return int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**15:
        return int(value)
    return value if type(value) is int and abs(value) < 10**15 else None


def _wanted(schema: Schema) -> str:
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    return "a whole number" if "integer" in schema["type"] else f"words, {LONGEST_WORDS} characters at most"


# --- what strict servers take -----------------------------------------------------------------------------

_STRICT = {"type", "description", "enum", "pattern", "minimum", "maximum"}
_TYPES = {"string", "integer", "null"}
LONGEST_DESCRIPTION = 1024


def faults_of(tools: Sequence[Tool]) -> list[str]:
    """Why strict servers would refuse these tools; empty if they would not."""
    names = [each.name.casefold() for each in tools]
    faults = [f"two tools are called {name!r}" for name in sorted({n for n in names if names.count(n) > 1})]
    for each in tools:
        schema = each.parameters
        faults += [f"{each.name!r} is no name"] * (re.fullmatch(r"[A-Za-z0-9_-]{1,64}", each.name) is None)
        faults += [f"{each.name}: {len(each.description)} characters say what it does"] * (
            not 0 < len(each.description) <= LONGEST_DESCRIPTION
        )
        if schema.get("type") != "object" or schema.get("additionalProperties") is not False:
            faults.append(f"{each.name}: an object that allows no other properties is needed")
        if list(schema.get("properties", {})) != schema.get("required"):
            faults.append(f"{each.name}: every property is required, in their order")
        for name, kind in schema.get("properties", {}).items():
            types = kind.get("type", ())
            known = {types} if isinstance(types, str) else set(types)
            if set(kind) - _STRICT or not known or known - _TYPES or kind.get("enum", [""]) == []:
                faults.append(f"{each.name}: {name} is {shorten(repr(kind))}")
    return faults


def verb_tools(
    verbs: Mapping[str, Sequence[str]],
    says: Mapping[str, str],
    bodies: Sequence[str] = (),
    things: Mapping[str, str] = {},
) -> tuple[Tool, ...]:
    """A tool for each verb that ``says`` tells of: one text for each of its parameters, and who acts if there
    are several ``bodies``. ``things`` says what parameters are; else the description of the verb does."""
    return tuple(
        tool(
            verb,
            told,
            {**body_of(bodies), **{name: words_for(things.get(name, name)) for name in verbs.get(verb, ())}},
        )
        for verb, told in says.items()
    )
