"""A pool of workers: pieces of work are handed to them, and done again when one of them is lost.

The head calls a worker, never the other way round, as nobody may be reachable but through the cluster. So
what a worker asks waits in its outbox: the head keeps one call of ``exchange`` under way, which brings the
answers to the last questions and returns with the next ones, however many have come together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from backburner.kernel.errors import BackburnerError, Refused, RunStops

MOST_STARTS = 3
"""So often in a row a worker is started that does not come to work."""

MOST_LOST = 3
"""So many workers a piece of work may cost before it is given up."""

LEAVE_SECONDS = 3.0
"""So long a worker may take to clear its scratch folder."""

LONG_SECONDS = 20.0
"""After so long a wait for the first worker it is said what is waited for."""


class Lost(Exception):
    """A worker is gone, with what it had in hand; the text says what is known about it."""


class Remote(Protocol):
    """A worker as the head sees it."""

    async def call(self, method: str, *arguments: Any) -> Any:
        """What a method of ``Worker`` returns; raises ``Lost``."""

    def end(self) -> None:
        """End the worker, whatever it is doing; calls that are under way raise ``Lost``."""


class Machines(Protocol):
    """A cluster that is connected to."""

    @property
    def cpus(self) -> int:
        """Workers that it can hold, at least one."""

    async def start(self) -> Remote:
        """Another worker, which may not have started yet; raises ``Lost``."""


# --- what goes between head and worker ---------------------------------------------------------------------


class Failure(Struct, frozen=True):
    """An error, on its way to the other side. ``stops``: it ends the run."""

    message: str
    stops: bool = False

    @property
    def error(self) -> BackburnerError:
        """The error to be raised on this side, with the same words."""
        return RunStops(self.message) if self.stops else Refused(self.message)


def failure_of(error: Exception) -> Failure:
    """What is told of an error; one that is nobody's intention is told with its type."""
    ours = isinstance(error, BackburnerError)
    return Failure(str(error) if ours else f"{type(error).__name__}: {error}", isinstance(error, RunStops))


class Question(Struct, frozen=True):
    """What a worker asks of an episode in hand: a method of its ``Keeper`` on the head, and its arguments."""

    number: int
    episode: int
    method: str
    arguments: tuple[Any, ...]


Answer = Callable[[Question], Awaitable[Any]]
"""Answers the questions of workers."""


class Outbox:
    """A worker's questions until the head has answered them; used in one event loop."""

    def __init__(self) -> None:
        self._new: list[Question] = []
        self._open: dict[int, asyncio.Future[Any]] = {}
        self._there = asyncio.Event()
        self._number = 0

    async def ask(self, episode: int, method: str, *arguments: Any) -> Any:
        """The head's answer; raises what the head says went wrong."""
        self._number += 1
        future = self._open[self._number] = asyncio.get_running_loop().create_future()
        self._new.append(Question(self._number, episode, method, arguments))
        self._there.set()
        answer = await future
        if isinstance(answer, Failure):
            raise answer.error
        return answer

    async def exchange(self, answers: Sequence[tuple[int, Any]]) -> list[Question]:
        """Take answers, by the numbers of their questions, and return with the next questions as soon as
        there are any."""
        for number, answer in answers:
            future = self._open.pop(number)
            if not future.done():
                future.set_result(answer)
        await self._there.wait()
        self._there.clear()
        questions, self._new = self._new, []
        return questions


# --- workers that come and go ------------------------------------------------------------------------------


class _Seat:
    """A worker that is ready, and how many calls it has in hand."""

    def __init__(self, remote: Remote) -> None:
        self.remote = remote
        self.load = 0
        self.gone = asyncio.Event()


class Pool:
    """So many workers at once; whichever is lost is replaced. An asynchronous context.

    ``begin`` makes a new worker ready; it raises ``Lost``, and ``BackburnerError`` if no worker will do.
    ``room``: calls of ``do`` that one worker may have at a time. ``tell`` is told what a person should know.
    """

    def __init__(
        self,
        machines: Machines,
        size: int,
        begin: Callable[[Remote], Awaitable[None]],
        answer: Answer,
        *,
        room: int = 1,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._machines, self._begin, self._answer, self._tell = machines, begin, answer, tell
        self._size, self._room, self._filled = size, room, size
        self._seats: list[_Seat] = []
        self._change = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Pool:
        self._failed: asyncio.Future[BackburnerError] = asyncio.get_running_loop().create_future()
        self._tasks = [asyncio.create_task(self._keep_filled()) for _ in range(self._size)]
        self._tasks.append(asyncio.create_task(self._tell_of_long_wait()))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def do(self, method: str, *arguments: Any) -> Any:
        """What a worker makes of it. Raises ``Lost`` when the worker is lost, after all that it has asked was
        answered; what the worker says went wrong; and ``RunStops`` when there are no workers."""
        work = asyncio.ensure_future(self._done(method, arguments))
        try:
            await asyncio.wait({work, self._failed}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise self._failed.result()
            return work.result()
        finally:
            work.cancel()

    async def _done(self, method: str, arguments: Sequence[Any]) -> Any:
        seat = await self._free_seat()
        try:
            result = await seat.remote.call(method, *arguments)
        except Lost:
            seat.remote.end()
            await seat.gone.wait()
            raise
        finally:
            seat.load -= 1
            self._change.set()
        if isinstance(result, Failure):
            raise result.error
        return result

    async def _free_seat(self) -> _Seat:
        while True:
            free = [seat for seat in self._seats if seat.load < self._room and not seat.gone.is_set()]
            if free:
                seat = min(free, key=lambda each: each.load)
                seat.load += 1
                return seat
            self._change.clear()
            await self._change.wait()

    async def _keep_filled(self) -> None:
        """Keep one seat filled, unless too many workers in a row did not come to work."""
        why = ""
        for _ in range(MOST_STARTS):
            try:
                while True:
                    await self._one_worker()
            except Lost as lost:
                why = str(lost)
            except Exception as error:  # no worker will do, or a fault of ours, of which nobody would hear
                self._fail(
                    error if isinstance(error, BackburnerError) else RunStops(failure_of(error).message)
                )
                return
        self._filled -= 1
        if not self._filled:
            self._fail(RunStops(f"no worker of the cluster comes to work: {why}"))

    def _fail(self, error: BackburnerError) -> None:
        """Nothing more can be done: every ``do`` raises this."""
        if not self._failed.done():
            self._failed.set_result(error)

    async def _one_worker(self) -> None:
        """One worker, from its first day to its last; raises ``Lost`` if it never came to work."""
        remote = await self._machines.start()
        try:
            await self._begin(remote)
            seat = _Seat(remote)
            self._seats.append(seat)
            self._change.set()
            try:
                await self._listen(remote)
            except Lost as lost:
                self._tell(f"a worker was lost, and what it had in hand is done again ({lost})")
            finally:
                self._seats.remove(seat)
                seat.gone.set()
        except asyncio.CancelledError:
            with suppress(Lost, TimeoutError):
                await asyncio.wait_for(remote.call("leave"), LEAVE_SECONDS)
            raise
        finally:
            remote.end()

    async def _listen(self, remote: Remote) -> None:
        """Answer a worker's questions until it is lost."""
        answers: list[tuple[int, Any]] = []
        while True:
            questions = await remote.call("exchange", answers)
            answers = [(each.number, await self._answered(each)) for each in questions]

    async def _answered(self, question: Question) -> Any:
        try:
            return await self._answer(question)
        except Exception as error:  # the worker's work ends with it, and its caller hears of it
            return failure_of(error)

    async def _tell_of_long_wait(self) -> None:
        await asyncio.sleep(LONG_SECONDS)
        if not self._seats:
            self._tell("waiting for the first worker: the cluster has no free CPU, or starts slowly")


# --- many pieces of work -----------------------------------------------------------------------------------

Item = TypeVar("Item")


async def do_all(
    items: Sequence[Item],
    batch: int,
    do: Callable[[tuple[Item, ...]], Awaitable[None]],
    give_up: Callable[[Item, str], None],
) -> None:
    """Do all items, so many at a time as one piece of work; what was in hand when ``Lost`` is raised is done
    again item by item, as one of them may be what workers are lost by.

    An item that has cost ``MOST_LOST`` workers by itself is given up. Raises the first other error, and
    cancels the rest.
    """

    async def one(piece: tuple[Item, ...], lost: int = 0) -> None:
        try:
            await do(piece)
        except Lost as error:
            if len(piece) > 1:
                for item in piece:
                    group.create_task(one((item,)))
            elif lost + 1 < MOST_LOST:
                group.create_task(one(piece, lost + 1))
            else:
                give_up(piece[0], f"{MOST_LOST} workers were lost by it ({error})")

    try:
        async with asyncio.TaskGroup() as group:
            for start in range(0, len(items), batch):
                group.create_task(one(tuple(items[start : start + batch])))
    except* BackburnerError as errors:
        raise errors.exceptions[0] from None
