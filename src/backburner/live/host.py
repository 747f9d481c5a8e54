"""A server on which games of a site are carried out, one at a time: see ``backburner.serve.remote_play``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.policy import Policy
from backburner.live.chat import ChatInstructor
from backburner.live.crew import Crew, told_change
from backburner.live.messages import Cell, Event, LiveError
from backburner.live.place import Place
from backburner.live.stage import Stage, stage_of

SECONDS_TO_AGREE = 300.0
"""So long bots stay that have joined to say what a game would change."""


class LiveHost:
    """Games at a place. ``agreed``: to all changes, beforehand. ``tell`` hears what could not be put back.
    ``persons``: whose words in the chat count; everybody's, if there is none."""

    def __init__(
        self, place: Place, agreed: bool, tell: Callable[[str], object], persons: Sequence[str] = ()
    ) -> None:
        self._place, self._agreed, self._tell, self._persons = place, agreed, tell, tuple(persons)
        self._lock = asyncio.Lock()
        self._game = ""
        self._there = AsyncExitStack()
        self._crew: Crew | None = None
        self._bots: tuple[str, ...] = ()
        self._waiting: asyncio.TimerHandle | None = None
        self._leaving: asyncio.Task[None] | None = None

    @property
    def place(self) -> str:
        """The server's address."""
        return self._place.address

    async def changes(self, world: World[Any, Any, Any]) -> Sequence[str]:
        """See ``RemoteServer``; bots join and wait for some time for the game."""
        stage = stage_of(world)
        async with self._lock:
            self._check_free()
            if self._agreed:
                return ()
            crew, corner = await self._joined(stage)
            found = await crew.changes(stage, corner)
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_later(SECONDS_TO_AGREE, self._give_up)
        return [*map(told_change, found.changes), *found.notes]

    async def begin(self, game: str, world: World[Any, Any, Any]) -> Policy:
        """See ``RemoteServer``."""
        stage = stage_of(world)
        async with self._lock:
            self._check_free()
            crew, corner = await self._joined(stage)
            try:
                player = await self._there.enter_async_context(crew.on(stage, corner))
            except BaseException:
                await self._leave()
                raise
            self._game = game
            return player

    def chat(self, game: str, world: World[Any, Any, Any]) -> Policy:
        """See ``RemoteServer``."""
        self._heard(game)
        return ChatInstructor(partial(self._heard, game), stage_of(world).instruction, self._persons)

    def _heard(self, game: str) -> Sequence[Event]:
        return self._crew.worker.heard() if self._crew is not None and self._game == game else ()

    async def end(self, game: str) -> None:
        """See ``RemoteServer``."""
        async with self._lock:
            if self._game == game:
                await self._leave()

    async def close(self) -> None:
        """See ``RemoteServer``."""
        async with self._lock:
            await self._leave()

    def _check_free(self) -> None:
        if self._game:
            raise Refused(f"a game is being played on {self.place}, and only one can be at a time")

    async def _joined(self, stage: Stage) -> tuple[Crew, Cell]:
        """The bots of a stage on the server, and the corner of its farm; those of another stage leave."""
        self._stop_waiting()
        if self._crew is None or self._bots != stage.bots or not self._crew.worker.alive:
            await self._leave()
            try:
                self._crew = await self._there.enter_async_context(self._place.crew(stage.bots, self._tell))
                self._bots = stage.bots
            except BaseException:
                await self._leave()
                raise
        try:
            return self._crew, self._place.corner or await self._crew.around(stage)
        except LiveError:
            await self._leave()
            raise

    def _give_up(self) -> None:
        """Nobody has agreed."""
        self._leaving = asyncio.create_task(self._leave_if_free())

    async def _leave_if_free(self) -> None:
        async with self._lock:
            if not self._game:
                await self._leave()

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    async def _leave(self) -> None:
        """Everything is put back, and bots leave."""
        self._stop_waiting()
        there, self._there = self._there, AsyncExitStack()
        self._crew, self._game = None, ""
        await there.aclose()
