"""Scripted agents think aside, in processes of their own: no search and no slow agent holds the server up.

An agent that takes too long is ended with its process; the seat is told so, and its next turn finds a fresh
process that goes through the game again.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Answer
from backburner.kernel.errors import PolicyFailure
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import Seat
from backburner.serve.worker import (
    LENGTH,
    MOST_BYTES,
    Answered,
    Asking,
    Failed,
    Meeting,
    Met,
    Needed,
    Past,
    Request,
    Response,
    framed,
)

USUAL_WORKERS = 2
USUAL_SECONDS = 30.0
"""So long an agent may think about one decision, or about the whole game before it begins."""

_decode = msgspec.msgpack.Decoder(Response).decode

START_SECONDS = 60.0
"""So long a process may take to start."""


class Aside:
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
            command = [sys.executable, "-P", "-m", "backburner.serve.worker"]
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


class AsideBrain:
    """A scripted agent at a seat of a game, as a ``Brain``.

    ``state``: the game's present state as JSON. ``past``: what was answered so far, and the steps at which
    this agent decided. Made by ``met``.
    """

    def __init__(
        self,
        aside: Aside,
        meeting: Meeting,
        met: Met,
        world: World[Any, Any, Any],
        state: Callable[[], bytes],
        past: Callable[[], tuple[Sequence[Mapping[Seat, Answer]], Sequence[int]]] | None,
    ) -> None:
        self.name, self.informed = met.name, met.informed
        self.settings: Mapping[str, Any] = met.settings
        self._aside, self._meeting, self._world, self._state, self._past = aside, meeting, world, state, past
        self._before = 0  # how often it has decided since it was met

    async def think(self, turn: Turn) -> Reply:
        """See ``Brain``; raises ``PolicyFailure``."""
        key, (answers, own) = self._meeting.key, self._past() if self._past else ((), ())
        before = len(own) if self._past else self._before
        asking = Asking(key, turn.index, self._state(), turn.refused, before)
        response = await self._aside.request(key, asking)
        if isinstance(response, Needed):
            # All of it, whatever was asked for: it may be another process that is told.
            past = [Past(key, tuple(map(dict, answers)), tuple(own))] if own else []
            if not self._past:
                self._before, asking = 0, msgspec.structs.replace(asking, before=0)
            response = await self._aside.request(key, self._meeting, *past, asking)
        if not isinstance(response, Answered):
            raise PolicyFailure("agent", f"{self.name} cannot be told what has happened")
        self._before += 1
        answer = response.answer
        said: Any = answer.text
        if said is None:
            said = decision_of(self._world, answer.decision) if answer.unread is None else answer.unread
        return Reply(said, thoughts=answer.thoughts, usage=response.usage)


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


async def met(aside: Aside, meeting: Meeting) -> Met:
    """What an agent says of itself; raises ``PolicyFailure`` if there is no such agent in the world."""
    response = await aside.request(meeting.key, meeting)
    if not isinstance(response, Met):
        raise PolicyFailure("agent", f"{meeting.agent} cannot be met")
    return response
