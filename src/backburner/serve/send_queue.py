"""Where the messages to one page wait until its connection takes them.

A slow reader never holds a game up. Of frames it gets the newest, with the events of those that it missed; if
too many other messages wait for it, its connection is closed, and it may come back for the rest.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from functools import cached_property
from itertools import chain

from msgspec import structs

from backburner.serve.protocol import MOST_WAITING, Closed, Frame, FromServer, written

TOO_SLOW = "the page reads too slowly"

MOST_EVENTS_WAITING = 2000
"""Events of frames that were missed that one frame tells; a page that missed more connects again."""


class Shown:
    """A frame that several pages are shown; it is written once for all of them."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    @cached_property
    def text(self) -> str:
        """The frame as it is sent."""
        return written(self.frame)


class Outlet:
    """The messages that wait for one connection, in their order."""

    def __init__(self) -> None:
        self._waiting: deque[str | list[Shown]] = deque()
        self._missed: list[Shown] | None = None
        self._woken = asyncio.Event()
        self.closed = False

    def send(self, message: FromServer | str) -> None:
        """Let a message wait; with too many of them the connection is closed."""
        if self.closed:
            return
        if len(self._waiting) >= MOST_WAITING:
            self.close(TOO_SLOW, again=True)
            return
        self._put(message if isinstance(message, str) else written(message))

    def show(self, shown: Shown) -> None:
        """Let a frame wait in place of any that is waiting."""
        if self.closed:
            return
        frames = [shown]
        if self._missed is not None:
            frames = [*self._missed, shown]
            self._waiting.remove(self._missed)
            if sum(len(each.frame.events) for each in frames) > MOST_EVENTS_WAITING:
                self.close(TOO_SLOW, again=True)
                return
        self._missed = frames
        self._put(frames)

    def close(self, why: str, *, again: bool = False) -> None:
        """Say why the connection ends, as the last message, in place of whatever waits."""
        if self.closed:
            return
        self.closed = True
        if why == TOO_SLOW:
            self._waiting.clear()
        self._put(written(Closed(why, again)))

    async def next(self) -> str | None:
        """The next message, as soon as there is one; ``None``: the connection is to be closed."""
        while not self._waiting:
            if self.closed:
                return None
            self._woken.clear()
            await self._woken.wait()
        message = self._waiting.popleft()
        if isinstance(message, str):
            return message
        self._missed = None
        return message[0].text if len(message) == 1 else written(_merged([each.frame for each in message]))

    def _put(self, message: str | list[Shown]) -> None:
        self._waiting.append(message)
        self._woken.set()


def _merged(frames: Sequence[Frame]) -> Frame:
    """The newest frame, with the events of all. What lay between is not animated."""
    events = tuple(chain.from_iterable(frame.events for frame in frames))
    return structs.replace(frames[-1], shots=(), events=events)
