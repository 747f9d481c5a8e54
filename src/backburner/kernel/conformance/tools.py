"""Demands on tools: what servers take, what calls stand for, what is made of calls that cannot be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from backburner.kernel.conformance.walk import Expect, Point, Walk
from backburner.kernel.errors import shorten
from backburner.kernel.tools import ToolCall, answers_of, faults_of, tools_of, unreadable_call
from backburner.kernel.values import Fault, Refusal, Seat

HOSTILE = 200
"""Calls of strangers that are made up for a seat."""

_ARGUMENTS = (
    "", "null", "[]", '"wait"', "7", "{", "{}", '{"": 1}', '{"a": NaN}', '{"a": 1e999}', '{"a": [{"b": 2}]}',
    '{"a": "\\ud800"}', '{"a": 1, "a": 2}', "[" * 100_000, '{"a":' * 10_000,
    '{"a": "' + "x" * 1_000_000 + '"}',
)  # fmt: skip
_VALUES: tuple[Any, ...] = (
    "",
    "nothing",
    "\n\n",
    "\ud800",
    7,
    0.5,
    True,
    None,
    [],
    {"of": 1},
    "x" * 3000,
    "\x1b[2J",
)


def tools_are_what_strict_servers_take(walk: Walk, expect: Expect) -> None:
    """Every schema is strict, names differ without their capitals, and the tools are the same when asked
    again."""
    for seat in walk.world.seats:
        for own in (True, False):
            tools = tools_of(walk.world, seat, own=own)
            faults = faults_of(tools)
            expect(not faults, f"tools of {seat}: {'; '.join(faults)}")
            expect.same(tools_of(walk.world, seat, own=own), tools, f"the tools of {seat}, asked twice")


def calls_never_raise(walk: Walk, expect: Expect) -> None:
    """Whatever is called, each call belongs to one answer, which is a text, or a refusal."""
    for seat in walk.world.seats:
        for own in (True, False):
            calls = list(_hostile(walk, seat, own))
            answers = answers_of(walk.world, seat, calls, own=own)
            told = sorted(place for answered in answers for place in answered.calls)
            expect(told == list(range(len(calls))), f"not every call of {seat} is in one answer")


def _hostile(walk: Walk, seat: Seat, own: bool) -> Iterator[ToolCall]:
    tools, draw = tools_of(walk.world, seat, own=own), Random(f"calls/{walk.seed}/{seat}")
    for number in range(HOSTILE):
        tool = draw.choice(tools)
        name = draw.choice(
            (tool.name, tool.name, tool.name.upper(), "", "\ud800", f"{tool.name}x", "x" * 9999)
        )
        given = {name: draw.choice(_VALUES) for name in tool.parameters["properties"]}
        written = _ARGUMENTS[number] if number < len(_ARGUMENTS) else json.dumps(given)
        yield ToolCall(name if number >= len(_ARGUMENTS) else tool.name, written)


def calls_are_read_as_their_options(at: Point, expect: Expect) -> None:
    """The call of an option on the menu that has a verb is read as the option's decision."""
    for seat, menu in at.menus.items():
        options = [option for option in menu.options if option.verb]
        draw = Random(f"calls/{at.walk.seed}/{at.index}/{seat}")
        for option in draw.sample(options, min(len(options), 30)):
            call = at.world.call_of(seat, option)
            expect(call is not None, f"no tool of {seat} does {option.verb!r}")
            answers = answers_of(at.world, seat, [call])
            said = answers[0].answer if len(answers) == 1 else answers
            read = said if isinstance(said, Refusal) else at.world.parse(at.state, seat, said)
            same = read == option.decision
            expect(same, f"{shorten(str(call), 300)} is read as {read!r}, not as {option.decision!r}")


def unreadable_calls_are_refused(at: Point, expect: Expect) -> None:
    """A call that nobody can read is refused, costs what an unreadable answer costs, and can be told."""
    for seat in at.seats:
        step = at.alone(seat, unreadable_call("tool", "no JSON"))
        codes = [refusal.code for refusal in step.refusals if refusal.seat == seat]
        expect(bool(codes), f"an unreadable call of {seat} is not refused")
        at.world.describe(at.world.observe(step.state, seat))
        unread = at.unread(seat)
        if isinstance(unread, Refusal) and unread.fault == Fault.UNREADABLE:
            cost, usual = (at.world.outcome(one.state).numbers for one in (step, at.alone(seat, unread)))
            expect.same(cost, usual, f"what an unreadable call of {seat} costs, and an unreadable answer")
