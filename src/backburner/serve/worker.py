"""The process in which scripted agents think; ``aside`` starts it and talks to it over its standard streams.

It reads one request after the other, each with its length before it, and answers each. What an agent
remembers of a game it keeps; what it has forgotten, or never knew, it asks for.
"""

from __future__ import annotations

import asyncio
import os
import signal
import struct
import sys
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec
from msgspec import Struct

from backburner.agents.models.stand_in import stand_in_named
from backburner.agents.roster import make_policy
from backburner.agents.spec import AgentSpec
from backburner.kernel import registry
from backburner.kernel.answers import heard, writable
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Answer
from backburner.kernel.errors import BackburnerError, shorten
from backburner.kernel.policy import Policy, Reply
from backburner.kernel.turns import turn_of
from backburner.kernel.values import Refusal, Seat, Usage

LENGTH = struct.Struct(">I")

MOST_BYTES = 64 << 20
"""Of a request or an answer."""

MOST_AGENTS = 512
"""Seats of games that a process remembers; the one that was asked longest ago is forgotten."""


class Meeting(Struct, frozen=True, tag="meet"):
    """An agent is to play a seat of a game. ``key`` names both; the rest is as a record's header has it."""

    key: str
    agent: str
    model: str
    seat: Seat
    seed: int
    world: str
    id: str
    scenario: Any
    rules: Any
    limits: Any


class Asking(Struct, frozen=True, tag="ask"):
    """The agent has to decide. ``state``: as JSON. ``before``: how often it has decided in this game."""

    key: str
    index: int
    state: bytes
    refused: tuple[Refusal, ...]
    before: int


class Past(Struct, frozen=True, tag="past"):
    """What was answered in a game so far, and at which steps the agent did: it goes through them again."""

    key: str
    answers: tuple[dict[Seat, Answer], ...]
    own: tuple[int, ...]


class Met(Struct, frozen=True, tag="met"):
    """What the agent says of itself."""

    name: str
    informed: bool
    settings: dict[str, Any]


class Answered(Struct, frozen=True, tag="answered"):
    """What the agent decides."""

    answer: Answer
    usage: Usage | None


class Needed(Struct, frozen=True, tag="needed"):
    """The process does not know the agent, or what has happened in its game; it is to be told, and asked
    again."""

    what: Literal["meeting", "past"]


class Failed(Struct, frozen=True, tag="failed"):
    """Why there is no answer."""

    why: str


READY = Needed("meeting")
"""What the process says first."""

Request = Meeting | Asking | Past
Response = Met | Answered | Needed | Failed


class _Agent(Struct):
    """An agent at its seat: what it remembers, and how often it has decided."""

    world: World[Any, Any, Any]
    seat: Seat
    seed: int
    policy: Policy
    memory: Any = None
    before: int = 0

    async def decide(self, state: Any, index: int, refused: tuple[Refusal, ...]) -> Reply:
        policy = self.policy
        turn = turn_of(
            self.world, state, self.seat, index, self.seed, informed=policy.informed, refused=refused
        )
        reply = await policy.decide(turn, self.memory)
        self.memory, self.before = reply.memory, self.before + 1
        return reply


class Agents:
    """The agents that this process plays."""

    def __init__(self) -> None:
        self._agents: OrderedDict[str, _Agent] = OrderedDict()

    async def answer(self, request: Request) -> Response:
        """What comes of a request; never raises for what a request, or an agent, does."""
        try:
            if isinstance(request, Meeting):
                return self._meet(request)
            agent = self._agents.get(request.key)
            if agent is None:
                return Needed("meeting")
            self._agents.move_to_end(request.key)
            if isinstance(request, Past):
                return await self._remember(agent, request)
            return await self._ask(agent, request)
        except BackburnerError as error:
            return Failed(str(error))
        except Exception as error:  # whatever an agent does wrong is its own
            return Failed(shorten(f"{type(error).__name__}: {error}", 300))

    def _meet(self, meeting: Meeting) -> Met:
        catalogue = registry.catalogue(meeting.world)
        world = catalogue.restore(meeting.id, meeting.scenario, meeting.rules, meeting.limits)
        spec = AgentSpec(meeting.agent, meeting.model)
        policy = make_policy(spec, world, lambda endpoint: stand_in_named(endpoint.model))
        self._agents[meeting.key] = _Agent(world, meeting.seat, meeting.seed, policy)
        while len(self._agents) > MOST_AGENTS:
            self._agents.popitem(last=False)
        return Met(policy.name, policy.informed, _plain(policy.settings))

    async def _ask(self, agent: _Agent, request: Asking) -> Response:
        if agent.before != request.before:
            return Needed("past")
        state = msgspec.json.decode(request.state, type=agent.world.state_type)
        reply = await agent.decide(state, request.index, request.refused)
        thoughts = tuple(reply.thoughts)
        if isinstance(reply.answer, str):
            text = heard(agent.world, writable(reply.answer)).answer
            return Answered(Answer(text=text, thoughts=thoughts), reply.usage)
        if isinstance(reply.answer, Refusal):
            return Answered(Answer(unread=reply.answer, thoughts=thoughts), reply.usage)
        return Answered(Answer(msgspec.to_builtins(reply.answer), thoughts=thoughts), reply.usage)

    async def _remember(self, agent: _Agent, past: Past) -> Response:
        """Go through the game again; what the agent decides now, and others decided then, leads where it
        led."""
        world, own = agent.world, frozenset(past.own)
        agent.memory, agent.before = None, 0
        state, refused = world.start(agent.seed), tuple[Refusal, ...]()
        for index, answers in enumerate(past.answers):
            if index in own:
                await agent.decide(state, index, refused)
            step = world.step(state, {seat: _decided(world, answer) for seat, answer in answers.items()})
            state = step.state
            if agent.seat in answers:
                refused = tuple(refusal for refusal in step.refusals if refusal.seat == agent.seat)
        return (
            Needed("past") if agent.before != len(own) else Met(agent.policy.name, agent.policy.informed, {})
        )


def _decided(world: World[Any, Any, Any], answer: Answer) -> Any:
    return decision_of(world, answer.decision) if answer.unread is None else answer.unread


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(dict(settings))
    return plain


# --- the streams ----------------------------------------------------------------------------------------

_decoder = msgspec.msgpack.Decoder(Request)
_encode = msgspec.msgpack.encode


def framed(message: Request | Response) -> bytes:
    """A message with its length before it."""
    content = _encode(message)
    return LENGTH.pack(len(content)) + content


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Say that requests may come, and answer them until there are no more."""
    agents = Agents()
    _send(answers, framed(READY))
    with asyncio.Runner() as runner:
        while len(head := requests.read(LENGTH.size)) == LENGTH.size:
            (length,) = LENGTH.unpack(head)
            request = _decoder.decode(requests.read(length))
            _send(answers, framed(runner.run(agents.answer(request))))


def _send(answers: BinaryIO, message: bytes) -> None:
    try:
        answers.write(message)
        answers.flush()
    except BrokenPipeError:  # the server was killed
        os._exit(0)


def main() -> None:
    """The process: what agents print goes to the error stream, as the other one is for answers."""
    for name in ("SIGINT", "SIGHUP"):  # the server ends it
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)  # where agents of the user's own are found
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
