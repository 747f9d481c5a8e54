"""An answer as calls of tools: for stand-ins that play by calls, and for lessons out of demonstrations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from backburner.agents.models.toolbox import Toolbox, given_in
from backburner.kernel.contract import World
from backburner.kernel.menu import Option, lists
from backburner.kernel.policy import Turn
from backburner.kernel.tools import ACT, ANSWER, BODY, ToolCall, has_tools
from backburner.kernel.turns import read
from backburner.kernel.values import canonical_json

_BETWEEN = re.compile(r"\n|, (?=')")


def calls_for(world: World[Any, Any, Any], turn: Turn, words: str, tools: Toolbox) -> tuple[ToolCall, ...]:
    """The calls that mean the same as an answer in words; none where no tool can say it. ``turn`` is one of
    an informed policy."""
    if [each.name for each in tools.tools] == [ACT]:
        return (ToolCall(ACT, canonical_json({ANSWER: words}).decode()),)
    if not has_tools(world):
        return ()
    calls: list[ToolCall] = []
    for option in _options(world, turn, words):
        call = None if option is None else world.call_of(turn.seat, option)
        if call is None:
            return ()
        calls.append(call)
    return tuple(calls)


def _options(world: Any, turn: Turn, words: str) -> Iterator[Option[Any] | None]:
    """The options that an answer takes: the one that it is, or one for each of several bodies; ``None`` for
    what is on no menu, as it is possible only once another body has acted."""
    decision = read(world, turn.state, turn.seat, words)
    options = turn.menu.options if lists(world) else ()
    if (whole := next((option for option in options if option.decision == decision), None)) is not None:
        yield whole
        return
    pieces = _BETWEEN.split(words.strip("[]"))
    said = {world.words(option.decision, turn.seat).strip("[]"): option for option in options if option.body}
    yield from map(said.get, pieces)


def slip(calls: tuple[ToolCall, ...], turn: Turn, draw: Random) -> tuple[str, tuple[ToolCall, ...]]:
    """(words, calls) of somebody who slips: a wrong thing, a tool that there is not, broken JSON, no call."""
    if not calls:
        return "", ()
    first, rest = calls[0], calls[1:]
    match draw.choice(("wrong", "wrong", "unknown", "broken", "forgotten")):
        case "wrong":
            return "", (_with_another_thing(first, turn, draw), *rest)
        case "unknown":
            return "", (replace(first, name=f"{first.name}_now"), *rest)
        case "broken":
            return "", (replace(first, arguments=""), *rest)
    return "I will do that next.", ()


def _with_another_thing(call: ToolCall, turn: Turn, draw: Random) -> ToolCall:
    given = given_in(call)
    names = [name for name, value in given.items() if name != BODY and isinstance(value, str)]
    if not names:
        return replace(call, arguments=canonical_json({**given, "thing": "sink"}).decode())
    things = sorted(
        {thing for option in turn.menu.options for thing in option.things if isinstance(thing, str)}
    )
    others = [thing for thing in things if thing not in given.values()]
    other = draw.choice(others) if others else "sink"
    return replace(call, arguments=canonical_json({**given, names[-1]: other}).decode())
