"""A server by its address, and the games of a site that are carried out there, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.policy import Policy
from backburner.live.bots import FOLDER, Bots, file_for, joined, told_changes
from backburner.live.install import Setup
from backburner.live.messages import VERSION, Cell, Event, Join, LiveError
from backburner.live.players import ChatInstructor
from backburner.live.stage import Stage, stage_of


class Place(NamedTuple):
    """A server by host and port, how bots log in, and what leads them: Node's ``setup``, by a ``clock`` that
    goes so much faster than ours. ``corner``: the lowest one of the farm; around the first bot, if ``None``.
    ``folder``: there stands what was changed until it is put back. ``version``: of the game there.
    ``pad``: farms bring flat, open ground with them.
    """

    setup: Setup
    host: str
    port: int
    auth: Literal["offline", "microsoft"] = "offline"
    clock: float = 1.0
    corner: Cell | None = None
    folder: Path = FOLDER
    version: str = VERSION
    pad: bool = False

    @property
    def address(self) -> str:
        """Host and port, as people write them."""
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    def join(
        self, names: tuple[str, ...], tell: Callable[[str], object]
    ) -> AbstractAsyncContextManager[Bots]:
        """Bots of these names on the server; see ``bots.joined``. Raises ``Refused`` where what was
        changed there before is not put back."""
        wanted = Join(host=self.host, port=self.port, bots=names, auth=self.auth, version=self.version)
        file_for(self.folder, wanted)
        return joined(self.setup, wanted, self.clock, tell, self.folder, pad=self.pad)


def address_in(written: str, option: str) -> tuple[str, int]:
    """Host and port; raises ``Refused`` for anything else."""
    if not written:
        raise Refused(f"name the server: {option} HOST:PORT, such as localhost:25565")
    host, colon, port = written.rpartition(":")
    if not (colon and host and port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536):
        raise Refused(f"{option} {shorten(written)!r} is no HOST:PORT, such as localhost:25565")
    return host.strip("[]"), int(port)


def cell_in(written: str, option: str) -> Cell:
    """A block's place; raises ``Refused`` for anything else."""
    try:
        x, y, z = (int(part) for part in written.split(","))
    except ValueError:
        raise Refused(f"{option} {shorten(written)!r} is no X,Y,Z, such as 100,64,-20") from None
    return x, y, z


# --- games, one at a time ---------------------------------------------------------------------------------


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
        self._bots: Bots | None = None
        self._names: tuple[str, ...] = ()
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
            bots, corner = await self._joined(stage)
            found = await bots.changes(stage, corner)
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_later(SECONDS_TO_AGREE, self._give_up)
        return [*told_changes(found.changes), *found.notes]

    async def begin(self, game: str, world: World[Any, Any, Any]) -> Policy:
        """See ``RemoteServer``."""
        stage = stage_of(world)
        async with self._lock:
            self._check_free()
            bots, corner = await self._joined(stage)
            try:
                player = await self._there.enter_async_context(bots.on(stage, corner))
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
        return self._bots.worker.heard() if self._bots is not None and self._game == game else ()

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

    async def _joined(self, stage: Stage) -> tuple[Bots, Cell]:
        """The bots of a stage on the server, and the corner of its farm; those of another stage leave."""
        self._stop_waiting()
        if self._bots is None or self._names != stage.bots or not self._bots.worker.alive:
            await self._leave()
            try:
                self._bots = await self._there.enter_async_context(self._place.join(stage.bots, self._tell))
                self._names = stage.bots
            except BaseException:
                await self._leave()
                raise
        try:
            return self._bots, self._place.corner or await self._bots.around(stage)
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
        self._bots, self._game = None, ""
        await there.aclose()
