"""Scripted agents think in processes of their own: no search and no slow agent holds the server up.

A worker reads one request after the other from its standard input, each with its length before it, and
answers each. What an agent remembers of a game it keeps; what it has forgotten, or never knew, it asks for.
An agent that takes too long is ended with its process; the seat is told so, and its next turn finds a fresh
process that goes through the game again.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import struct
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.stand_in import stand_in_named
from backburner.agents.roster import make_policy
from backburner.agents.spec import AgentSpec
from backburner.evaluation.transcripts.lesson import Lesson, lesson_of
from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.episode import Answer, episode_in
from backburner.kernel.errors import BackburnerError, PolicyFailure, shorten
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.turns import decided, heard, replied, turn_of
from backburner.kernel.values import Refusal, Seat, Usage, writable

# --- what they tell each other --------------------------------------------------------------------------

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


class Learning(Struct, frozen=True, tag="learn"):
    """The lesson of a record is wanted."""

    key: str
    record: bytes


class Learned(Struct, frozen=True, tag="learned"):
    """The lesson."""

    lesson: Lesson


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

Request = Meeting | Asking | Past | Learning
Response = Met | Answered | Needed | Failed | Learned


# --- the server -----------------------------------------------------------------------------------------


USUAL_WORKERS = 2
USUAL_SECONDS = 30.0
"""So long an agent may think about one decision, or about the whole game before it begins."""

_decode = msgspec.msgpack.Decoder(Response).decode

START_SECONDS = 60.0
"""So long a process may take to start."""


class WorkerPool:
    """The processes in which agents think. ``seconds``: how long each may take."""

    def __init__(self, workers: int = USUAL_WORKERS, seconds: float = USUAL_SECONDS) -> None:
        self._workers = [_Worker() for _ in range(workers)]
        self._home: dict[str, _Worker] = {}
        self._running: set[asyncio.Future[Response]] = set()
        self.seconds = seconds

    async def request(self, key: str, *requests: Request) -> Response:
        """What comes of the last of these requests about an agent, in one go with those before it.

        Raises ``PolicyFailure`` if the agent fails, takes too long, or its process ends.
        """
        # Whoever does not want the answer any more leaves the process in peace: it would cost a new one.
        task = asyncio.ensure_future(self._requested(self._worker(key), requests))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def _requested(self, worker: _Worker, requests: Sequence[Request]) -> Response:
        worker.waiting += 1
        try:
            async with worker.lock:
                for request in requests:
                    response = await worker.ask(request, self.seconds)
                    if isinstance(response, Failed):
                        raise PolicyFailure("agent", response.why)
            return response
        finally:
            worker.waiting -= 1

    def forget(self, beginning: str) -> None:
        """The agents whose keys begin so are not asked any more."""
        for key in [key for key in self._home if key.startswith(beginning)]:
            del self._home[key]

    async def close(self) -> None:
        """End all processes."""
        for task in tuple(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        for worker in self._workers:
            await worker.end()

    def _worker(self, key: str) -> _Worker:
        """The process that knows the agent, unless it is at work and another is not."""
        home = self._home.get(key)
        if home is None or home.lock.locked():
            free = [worker for worker in self._workers if not worker.lock.locked()]
            home = free[0] if free else home or min(self._workers, key=lambda worker: worker.waiting)
            self._home[key] = home
        return home


class _Worker:
    """One process, started when it is first needed."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.waiting = 0  # requests, with the one that it is at work on
        self._process: Process | None = None

    async def ask(self, request: Request, seconds: float) -> Response:
        """The answer to a request; only who has the lock asks."""
        try:
            process = await asyncio.wait_for(self._started(), START_SECONDS)
            return await asyncio.wait_for(self._exchange(process, framed(request)), seconds)
        except TimeoutError:
            await self.end()
            raise PolicyFailure("agent", f"no answer within {seconds:g} seconds") from None
        except (OSError, asyncio.IncompleteReadError, msgspec.DecodeError) as error:
            await self.end()
            raise PolicyFailure("agent", "the process in which it thinks has ended") from error
        except asyncio.CancelledError:
            await self.end()  # its answer would be taken for that to another request
            raise

    async def _started(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            command = [sys.executable, "-P", "-m", "backburner.serve.workers"]
            self._process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
            await self._heard(self._process)  # that it is ready: its start is nobody's thinking time
        return self._process

    async def _exchange(self, process: Process, content: bytes) -> Response:
        assert process.stdin is not None  # noqa: S101  # it is a pipe
        process.stdin.write(content)
        await process.stdin.drain()
        return await self._heard(process)

    @staticmethod
    async def _heard(process: Process) -> Response:
        assert process.stdout is not None  # noqa: S101  # it is a pipe
        (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
        if length > MOST_BYTES:
            raise OSError(f"an answer of {length} bytes")
        response: Response = _decode(await process.stdout.readexactly(length))
        return response

    async def end(self) -> None:
        """End the process, whatever it does."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


# --- an agent at a seat ----------------------------------------------------------------------------------


class AgentPlayer:
    """A scripted agent at a seat of a game.

    ``state``: the game's present state as JSON. ``past``: what was answered so far, and the steps at which
    this agent decided. Made by ``met``.
    """

    def __init__(
        self,
        workers: WorkerPool,
        meeting: Meeting,
        met: Met,
        world: World[Any, Any, Any],
        state: Callable[[], bytes],
        past: Callable[[], tuple[Sequence[Mapping[Seat, Answer]], Sequence[int]]] | None,
    ) -> None:
        self.name, self.informed = met.name, met.informed
        self.settings: Mapping[str, Any] = met.settings
        self._workers, self._meeting, self._world = workers, meeting, world
        self._state, self._past = state, past
        self._before = 0  # how often it has decided since it was met

    async def think(self, turn: Turn) -> Reply:
        """See ``ComputerPlayer``; raises ``PolicyFailure``."""
        key, (answers, own) = self._meeting.key, self._past() if self._past else ((), ())
        before = len(own) if self._past else self._before
        asking = Asking(key, turn.index, self._state(), turn.refused, before)
        response = await self._workers.request(key, asking)
        if isinstance(response, Needed):
            # All of it, whatever was asked for: it may be another process that is told.
            past = [Past(key, tuple(map(dict, answers)), tuple(own))] if own else []
            if not self._past:
                self._before, asking = 0, replace(asking, before=0)
            response = await self._workers.request(key, self._meeting, *past, asking)
        if not isinstance(response, Answered):
            raise PolicyFailure("agent", f"{self.name} cannot be told what has happened")
        self._before += 1
        return replied(self._world, response.answer, response.usage)


def meeting_of(
    world: World[Any, Any, Any], key: str, agent: str, model: str, seat: Seat, seed: int
) -> Meeting:
    """What a process is told of an agent and its game."""
    return Meeting(
        key,
        agent,
        model,
        seat,
        seed,
        world.id.partition("/")[0],
        world.id,
        msgspec.to_builtins(world.scenario),
        msgspec.to_builtins(world.rules),
        msgspec.to_builtins(world.limits),
    )


async def met(workers: WorkerPool, meeting: Meeting) -> Met:
    """What an agent says of itself; raises ``PolicyFailure`` if there is no such agent in the world."""
    response = await workers.request(meeting.key, meeting)
    if not isinstance(response, Met):
        raise PolicyFailure("agent", f"{meeting.agent} cannot be met")
    return response


# --- the worker -----------------------------------------------------------------------------------------


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
            if isinstance(request, Learning):
                return Learned(lesson_of(episode_in(request.record, f"game {request.key}")))
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
            step = world.step(state, {seat: decided(world, answer) for seat, answer in answers.items()})
            state = step.state
            if (answer := answers.get(agent.seat)) is not None and not answer.silent:
                refused = tuple(refusal for refusal in step.refusals if refusal.seat == agent.seat)
        return (
            Needed("past") if agent.before != len(own) else Met(agent.policy.name, agent.policy.informed, {})
        )


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(dict(settings))
    return plain


# --- the worker's streams -------------------------------------------------------------------------------

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
