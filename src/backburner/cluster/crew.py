"""A crew of workers, the work that is handed to them, and what is done again when one of them is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from backburner.cluster.wire import Answers, Failure, failure_of
from backburner.kernel.errors import BackburnerError, RunStops

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


class Member(Protocol):
    """A worker as the head sees it."""

    async def call(self, method: str, *arguments: Any) -> Any:
        """What a method of ``Worker`` returns; raises ``Lost``."""

    def end(self) -> None:
        """End the worker, whatever it is doing; calls that are under way raise ``Lost``."""


class Hands(Protocol):
    """Where workers come from."""

    async def hire(self) -> Member:
        """Another worker, which may not have started yet; raises ``Lost``."""


Answer = Callable[[Any], Awaitable[Any]]
"""Answers the questions of workers."""

Begin = Callable[[Member], Awaitable[None]]
"""Makes a new worker ready; raises ``Lost``, and ``BackburnerError`` if no worker will do."""


class _Hand:
    """A worker that is ready, and how many calls it has in hand."""

    def __init__(self, member: Member) -> None:
        self.member = member
        self.load = 0
        self.gone = asyncio.Event()


class Crew:
    """So many workers at once; whoever is lost is replaced. An asynchronous context.

    ``room``: calls of ``do`` that one worker may have at a time. ``tell`` is told what a person should know.
    """

    def __init__(
        self,
        hands: Hands,
        size: int,
        begin: Begin,
        answer: Answer,
        *,
        room: int,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._source, self._begin, self._answer, self._tell = hands, begin, answer, tell
        self._size, self._room = size, room
        self._hands: list[_Hand] = []
        self._change = asyncio.Event()
        self._seats: list[asyncio.Task[None]] = []
        self._filled = size

    async def __aenter__(self) -> Crew:
        self._failed: asyncio.Future[BackburnerError] = asyncio.get_running_loop().create_future()
        self._seats = [asyncio.create_task(self._seat()) for _ in range(self._size)]
        self._seats.append(asyncio.create_task(self._tell_of_long_wait()))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for seat in self._seats:
            seat.cancel()
        await asyncio.gather(*self._seats, return_exceptions=True)

    def fail(self, error: BackburnerError) -> None:
        """Nothing more can be done: every ``do`` raises this."""
        if not self._failed.done():
            self._failed.set_result(error)

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
        hand = await self._free_hand()
        try:
            result = await hand.member.call(method, *arguments)
        except Lost:
            hand.member.end()
            await hand.gone.wait()
            raise
        finally:
            hand.load -= 1
            self._change.set()
        if isinstance(result, Failure):
            raise result.error
        return result

    async def _free_hand(self) -> _Hand:
        while True:
            free = [hand for hand in self._hands if hand.load < self._room and not hand.gone.is_set()]
            if free:
                hand = min(free, key=lambda each: each.load)
                hand.load += 1
                return hand
            self._change.clear()
            await self._change.wait()

    # --- workers come and go -----------------------------------------------------------------------------

    async def _seat(self) -> None:
        """Keep one seat filled, unless too many workers in a row did not come to work."""
        why = ""
        for _ in range(MOST_STARTS):
            try:
                while True:
                    await self._one_worker()
            except Lost as lost:
                why = str(lost)
            except BackburnerError as error:
                self.fail(error)
                return
            except Exception as error:  # a fault of ours, which nobody would hear of here
                self.fail(RunStops(failure_of(error).message))
                return
        self._filled -= 1
        if not self._filled:
            self.fail(RunStops(f"no worker of the cluster comes to work: {why}"))

    async def _one_worker(self) -> None:
        """One worker, from its first day to its last; raises ``Lost`` if it never came to work."""
        member = await self._source.hire()
        try:
            await self._begin(member)
            hand = _Hand(member)
            self._hands.append(hand)
            self._change.set()
            try:
                await self._listen(member)
            except Lost as lost:
                self._tell(f"a worker was lost, and what it had in hand is done again ({lost})")
            finally:
                self._hands.remove(hand)
                hand.gone.set()
        except asyncio.CancelledError:
            with suppress(Lost, TimeoutError):
                await asyncio.wait_for(member.call("leave"), LEAVE_SECONDS)
            raise
        finally:
            member.end()

    async def _listen(self, member: Member) -> None:
        """Answer a worker's questions until it is lost."""
        answers: Answers = []
        while True:
            questions = await member.call("exchange", answers)
            answers = [(each.number, await self._answered(each.asked)) for each in questions]

    async def _answered(self, asked: Any) -> Any:
        try:
            return await self._answer(asked)
        except Exception as error:  # the worker's work ends with it, and its caller hears of it
            return failure_of(error)

    async def _tell_of_long_wait(self) -> None:
        await asyncio.sleep(LONG_SECONDS)
        if not self._hands:
            self._tell("waiting for the first worker: the cluster has no free CPU, or starts slowly")


# --- work in batches ---------------------------------------------------------------------------------------

Item = TypeVar("Item")


class Batch(Struct, Generic[Item], frozen=True):
    """Pieces of work that one worker does, one after the other. ``lost``: workers that it has cost so far,
    if it is a single one."""

    items: tuple[Item, ...]
    lost: int = 0

    def again(self, left: Sequence[Item]) -> tuple[list[Batch[Item]], list[Item]]:
        """(what is to be done again of what is left after a worker was lost, what is given up).

        Pieces are then done one by one, as one of them may be what workers are lost by.
        """
        if len(self.items) > 1:
            return [Batch((item,)) for item in left], []
        if self.lost + 1 < MOST_LOST:
            return [Batch((item,), self.lost + 1) for item in left], []
        return [], list(left)


def batches(items: Sequence[Item], workers: int, most: int) -> list[Batch[Item]]:
    """The items in batches of at most so many, small enough that all workers end at about the same time."""
    size = max(1, min(most, len(items) // (workers * 4)))
    return [Batch(tuple(items[start : start + size])) for start in range(0, len(items), size)]


async def do_all(
    whole: Sequence[Batch[Item]],
    do: Callable[[tuple[Item, ...]], Awaitable[None]],
    left: Callable[[tuple[Item, ...]], Sequence[Item]],
    give_up: Callable[[Item, str], None],
) -> None:
    """Do every batch, and again what is ``left`` of one when ``Lost`` is raised.

    What has cost ``MOST_LOST`` workers is given up. Raises the first other error, and cancels the rest.
    """

    async def one(batch: Batch[Item]) -> None:
        try:
            await do(batch.items)
        except Lost as lost:
            again, given_up = batch.again(left(batch.items))
            for each in again:
                group.create_task(one(each))
            for item in given_up:
                give_up(item, f"{MOST_LOST} workers were lost by it ({lost})")

    try:
        async with asyncio.TaskGroup() as group:
            for batch in whole:
                group.create_task(one(batch))
    except* BackburnerError as errors:
        raise errors.exceptions[0] from None
