"""The Node worker as a process: started, asked, and gone again, whatever it does.

A worker that dies, hangs, or says what is no message ends in a ``LiveError`` of the kind ``worker``, and
leaves no process behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import msgspec

from backburner.kernel.errors import one_line, shorten
from backburner.live.messages import LONGEST_LINE, Done, Envelope, Event, Leave, LiveError, Request

Answer = TypeVar("Answer")

SECONDS_TO_END = 3.0
MOST_EVENTS = 1000
LAST_LINES = 5
"""Lines of what the process prints beside its messages that are kept, for when it dies."""


class Worker:
    """A running worker. ``events``: what it told unasked, the oldest first; at most ``MOST_EVENTS``."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.events: deque[Event] = deque(maxlen=MOST_EVENTS)
        self._process = process
        self._asked = 0
        self._waiting: dict[int, asyncio.Future[bytes]] = {}
        self._printed: deque[str] = deque(maxlen=LAST_LINES)
        self._broken = ""
        self._killed = False
        self._reading = asyncio.create_task(self._read())
        self._draining = asyncio.create_task(self._drain())

    @classmethod
    async def start(
        cls, command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None
    ) -> Self:
        """Start it in ``folder``, where its npm packages are; raises ``LiveError`` if it does not start."""
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                cwd=folder,
                env={**os.environ, **(environment or {})},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE + 2,
                start_new_session=True,
            )
        except OSError as error:
            raise LiveError("worker", f"the worker cannot be started: {error}") from error
        return cls(process)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def alive(self) -> bool:
        """Whether the process runs, and answers as far as is known."""
        return self._process.returncode is None and not self._broken

    async def ask(self, request: Request, answer: type[Answer], timeout: float) -> Answer:
        """Ask, and wait for the answer for so many seconds.

        Raises ``LiveError`` with the answer's kind where the worker says that it failed; with the kind
        ``worker`` where there is no answer in time, or none that can be read: then the process is killed.
        """
        if self._broken:
            raise LiveError("worker", self._broken)
        number = self._asked = self._asked + 1
        line = self._spelt(request, number)
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            async with asyncio.timeout(timeout):
                await self._write(line)
                told = await future
        except TimeoutError:
            raise self._break(f"it does not answer {_name(request)} within {timeout:g} s") from None
        finally:
            self._waiting.pop(number, None)
        envelope = msgspec.json.decode(told, type=Envelope)
        if not envelope.ok:
            raise LiveError(envelope.kind, envelope.error)
        try:
            return msgspec.json.decode(told, type=answer)
        except msgspec.MsgspecError as error:
            raise self._break(f"its answer to {_name(request)} cannot be read: {error}") from error

    async def close(self) -> None:
        """Let bots leave, and end the process; kill it if it does not end by itself."""
        if self.alive:
            with contextlib.suppress(LiveError):
                await self.ask(Leave(), Done, SECONDS_TO_END)
        if self._process.stdin:
            self._process.stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_TO_END):
                await self._process.wait()
        self._kill()
        await self._process.wait()
        for task in (self._reading, self._draining):
            task.cancel()
        await asyncio.gather(self._reading, self._draining, return_exceptions=True)

    def heard(self) -> tuple[Event, ...]:
        """What persons have said in the chat since this was last asked, the oldest first; it leaves
        ``events``."""
        chat = tuple(event for event in self.events if event.event == "chat")
        others = [event for event in self.events if event.event != "chat"]
        self.events.clear()
        self.events.extend(others)
        return chat

    # --- lines --------------------------------------------------------------------------------------------

    def _spelt(self, request: Request, number: int) -> bytes:
        fields = msgspec.to_builtins(request)
        line = msgspec.json.encode(
            {"id": number, **{key: fields[key] for key in fields if fields[key] is not None}}
        )
        if len(line) > LONGEST_LINE:
            raise LiveError(
                "bad-request", f"{_name(request)} has {len(line):,} bytes, more than {LONGEST_LINE:,}"
            )
        return line + b"\n"

    async def _write(self, line: bytes) -> None:
        stdin = self._process.stdin
        assert stdin  # noqa: S101 -- it was asked for
        try:
            stdin.write(line)
            await stdin.drain()
        except (OSError, RuntimeError) as error:
            raise self._break(f"it no longer listens: {error}") from error

    async def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout  # noqa: S101
        try:
            while line := await stdout.readline():
                self._take(line)
        except msgspec.MsgspecError as error:
            self._break(f"it said what is no message: {error}")
        except ValueError:  # from the reader; an error of msgspec is one as well
            self._break(f"it said a line of more than {LONGEST_LINE:,} characters")
        except asyncio.CancelledError:  # as when the event loop ends: nobody hears it any more
            self._break("it is no longer listened to")
            raise
        else:
            await self._process.wait()
            await asyncio.wait({self._draining}, timeout=1)
            self._break(f"it ended with exit code {self._process.returncode}")

    def _take(self, line: bytes) -> None:
        envelope = msgspec.json.decode(line, type=Envelope)
        if envelope.event:
            self.events.append(msgspec.json.decode(line, type=Event))
            return
        if envelope.id is None or not 0 < envelope.id <= self._asked:
            raise msgspec.ValidationError(f"an answer to request {envelope.id}, which was never made")
        future = self._waiting.get(envelope.id)  # none where whoever asked was cancelled
        if future and not future.done():
            future.set_result(line)

    async def _drain(self) -> None:
        stderr = self._process.stderr
        assert stderr  # noqa: S101
        while part := await stderr.read(1 << 14):
            lines = part.decode("utf-8", "replace").splitlines()
            self._printed.extend(shorten(line.strip(), 200) for line in lines[-LAST_LINES:] if line.strip())

    # --- ends ---------------------------------------------------------------------------------------------

    def _break(self, why: str) -> LiveError:
        """Kill the process; everybody who waits for it is told why, as is whoever asks later."""
        if not self._broken:
            printed = f" (it printed: {' / '.join(self._printed)})" if self._printed else ""
            self._broken = one_line(f"the worker failed: {why}{printed}")
        self._kill()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(LiveError("worker", self._broken))
        return LiveError("worker", self._broken)

    def _kill(self) -> None:
        """The process and all that it started, once."""
        if not self._killed:
            self._killed = True
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)


def _name(request: Request) -> str:
    return str(request.__struct_config__.tag)
