"""What is to be written, in its order: at once, or in a thread beside a server's loop.

A file that is brought to the disk takes some milliseconds, and now and then many; a live game has its next
tick within a tenth of a second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from backburner.kernel.errors import Refused


class Disk:
    """Does one piece of work after the other. After the first that fails none is done any more, and
    everything here raises ``Refused``: what came later would not fit what is there."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._last: Future[None] | None = None
        self._failure: Exception | None = None

    def work_beside(self) -> None:
        """From now on in a thread."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "disk")

    def do(self, work: Callable[[], None]) -> None:
        """Do it now, or, if work is done beside, after all that is to be done before it."""
        self._check()
        if self._thread is None:
            self._done(work)
            self._check()
        else:
            self._last = self._thread.submit(self._done, work)

    def wait(self) -> None:
        """Until all of it is done."""
        if self._last is not None:
            self._last.result()
        self._check()

    async def settled(self) -> None:
        """Until all of it is done; nothing is waiting at the moment when this returns."""
        while self._last is not None and not self._last.done():
            await asyncio.shield(asyncio.wrap_future(self._last))  # who waits may go; the work is done
        self._check()

    def close(self) -> None:
        """Do what there is to do, and end the thread."""
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    def _done(self, work: Callable[[], None]) -> None:
        if self._failure is None:
            try:
                work()
            except Exception as error:  # told by whatever comes next, in its own thread
                self._failure = error

    def _check(self) -> None:
        if self._failure is not None:
            why = f"nothing more can be kept ({self._failure}); mend that and start again"
            raise Refused(why) from self._failure
