"""What waits to be sent to one page: bounded, so that a slow reader costs little and slows nobody.

Of frames only the newest counts. One that was not sent when the next one comes is dropped, but for what
happened in it, which the page is told as ``past``. Everything else is kept in its order, up to a number;
with one more the connection is closed, and the page, which connects again, is told how things stand then.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from itertools import count

from backburner.serve.protocol import MOST_WAITING, Closed, written

SLOW = written(Closed("this page reads too slowly", again=True))


class Outlet:
    """Messages for one page, as they are sent. All but ``next`` come back at once and never raise."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._waiting: OrderedDict[int, str] = OrderedDict()
        self._numbers = count()
        self._frame: tuple[int, Callable[[], str] | None] = (-1, None)  # the one that waits
        self._wake = asyncio.Event()
        self.closed = False

    def show(self, frame: str, past: Callable[[], str] | None = None) -> None:
        """A frame in place of the one that waits. ``past`` makes the message that takes the frame's place if
        it is dropped; without it there is nothing to tell."""
        number, instead = self._frame
        if number in self._waiting:
            if instead is None:
                del self._waiting[number]
            else:
                self._waiting[number] = instead()
        self._frame = (self._add(frame), past)

    def tell(self, message: str) -> None:
        """Any other message."""
        self._add(message)

    def close(self, farewell: str = "") -> None:
        """Nothing more is taken; ``farewell`` is the last that is sent, after what waits."""
        if not self.closed:
            if farewell:
                self._waiting[next(self._numbers)] = farewell
            self.closed = True
            self._wake.set()

    async def next(self) -> str | None:
        """The next message to send, when there is one; ``None`` after the last."""
        while not self._waiting:
            if self.closed:
                return None
            self._wake.clear()
            await self._wake.wait()
        return self._waiting.popitem(last=False)[1]

    def _add(self, message: str) -> int:
        number = next(self._numbers)
        if self.closed:
            return number
        if len(self._waiting) >= self._most:
            self._waiting.clear()
            self.close(SLOW)
            return number
        self._waiting[number] = message
        self._wake.set()
        return number
