"""Lessons are worked out in a process of their own: no game waits for one, and each is made once."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict

from backburner.evaluation.transcripts.lesson import Lesson
from backburner.kernel.errors import Refused
from backburner.serve.workers import Learned, Learning, WorkerPool

SECONDS = 60.0
"""So long a lesson may take; then there is none."""

MOST_KEPT, MOST_WAITING = 50, 20
"""Lessons that are kept, and those that wait for others."""

DAY_SECONDS = 86_400.0


def day_of(now: float) -> str:
    """The day of a time, such as ``2026-11-29``, by UTC."""
    return time.strftime("%Y-%m-%d", time.gmtime(now))


class Lessons:
    """The lessons of games, by name; the one that was asked for longest ago is forgotten."""

    def __init__(self) -> None:
        self._pool = WorkerPool(1, SECONDS)
        self._made: OrderedDict[str, asyncio.Task[Lesson]] = OrderedDict()

    async def of(self, name: str, record: bytes) -> Lesson:
        """The lesson of a record. Raises ``PolicyFailure`` where there is none, ``Refused`` where too many
        wait or it is given up."""
        if name not in self._made:
            if sum(not task.done() for task in self._made.values()) >= MOST_WAITING:
                raise Refused("too many lessons are being worked out; ask again in a minute")
            self._made[name] = asyncio.create_task(self._make(name, record))
            while len(self._made) > MOST_KEPT:
                self._made.popitem(last=False)[1].cancel()
        self._made.move_to_end(name)
        made = self._made[name]
        await asyncio.wait([made])
        if made.cancelled():
            raise Refused("this lesson is not worked out any more")
        return made.result()

    async def _make(self, name: str, record: bytes) -> Lesson:
        response = await self._pool.request(name, Learning(name, record))
        assert isinstance(response, Learned)  # noqa: S101  # nothing else is answered to this
        return response.lesson

    def forget(self, name: str) -> None:
        """Nothing of a game is kept any more."""
        if (task := self._made.pop(name, None)) is not None:
            task.cancel()

    def give_up(self) -> None:
        """No lesson is worked out any more; who waits for one is told so."""
        for task in self._made.values():
            task.cancel()

    async def close(self) -> None:
        """End the process."""
        self.give_up()
        await asyncio.gather(*self._made.values(), return_exceptions=True)
        await self._pool.close()
