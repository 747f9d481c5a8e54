"""Games played in a test without any connection: a page is a send queue, read to its end when it is looked
at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

from backburner.serve import connections, lobby, protocol
from backburner.serve.audience import SendQueue
from backburner.serve.games import Games
from backburner.serve.protocol import Confirm, FromPage, FromServer, Hello, Move, PressDone, Ready, Told, Turn

PATIENCE_SECONDS = 60.0
"""Until what should come at once is taken to have failed, on a machine however busy."""

T = TypeVar("T")


class Page:
    """Somebody's page. ``read``: every message it was sent, as text; ``messages``: the same, taken apart."""

    def __init__(self, games: Games, token: str, name: str = "", host: str = "", seen: int = -1) -> None:
        self.games, self.hello = games, Hello(token, seen, name=name, host=host)
        self.queue = SendQueue()
        self.read: list[str] = []
        self.messages: list[FromServer] = []
        self.last_id = 0

    async def open(self, *, ready: bool = True) -> Page:
        admission = await self.games.admit(self.hello.token, self.hello.host)
        self.game = admission.game
        self.game.attach(self.queue, admission.link, self.hello, hosts=admission.hosts)
        self._reading = asyncio.create_task(self._read())
        if admission.link.seat and ready:
            await self.say(Ready())
        return self

    async def _read(self) -> None:
        while (text := await self.queue.next()) is not None:
            self.read.append(text)
            self.messages.append(protocol.told(text))

    def close(self) -> None:
        self.game.detach(self.queue)
        self._reading.cancel()

    async def say(self, message: FromPage) -> None:
        await connections.take(self.game, self.queue, protocol.said(protocol.written(message)))

    async def move(self, number: int | None = None, id: int | None = None, **what: Any) -> Told:
        """Answer the newest turn, as soon as it is there, or that of a number; what became of it."""
        self.last_id = self.last_id + 1 if id is None else id
        if number in (None, self.game.number) and not self.game.over and self.game.tick_seconds is None:
            number = (await self.turn()).number
        if isinstance(what.get("press"), dict):
            what["press"] = PressDone(**what["press"])
        before = len(self.messages)
        await self.say(Move(self.last_id, 0 if number is None else number, **what))
        return await self._told(before)

    async def confirm(self) -> Told:
        before = len(self.messages)
        await self.say(Confirm(self.last_id))
        return await self._told(before)

    async def _told(self, before: int) -> Told:
        return await self.until(
            lambda: next(
                (m for m in self.messages[before:] if isinstance(m, Told) and m.id == self.last_id), None
            )
        )

    def all(self, kind: type[T]) -> list[T]:
        return [message for message in self.messages if isinstance(message, kind)]

    def last(self, kind: type[T]) -> T:
        return self.all(kind)[-1]

    async def until(self, found: Callable[[], T | None]) -> T:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (value := found()) is None:
                await asyncio.sleep(0.002)
        return value

    async def get(self, kind: type[T], number: int = 0) -> T:
        """The message of this kind and number, from 0, as soon as it is there."""
        return await self.until(lambda: self.all(kind)[number] if len(self.all(kind)) > number else None)

    async def turn(self, number: int = -1) -> Turn:
        """The newest turn that is not older than a number, as soon as there is one that waits for an
        answer."""

        def found() -> Turn | None:
            turns = [turn for turn in self.all(Turn) if turn.number >= number]
            return turns[-1] if turns and turns[-1].number >= self.game.number else None

        return await self.until(found)


@asynccontextmanager
async def serving(folder: Path, count_seconds: float = 0.0, **options: Any) -> AsyncIterator[Games]:
    """The games of a folder, all open ones taken up; live games count down so long."""
    games = Games(folder, **options)
    await games.resume()
    try:
        with patch.object(lobby, "COUNT_SECONDS", count_seconds):
            yield games
    finally:
        await games.close()


async def over(page: Page) -> protocol.Over:
    """How the game ended, as soon as it has."""
    return await page.get(protocol.Over)
