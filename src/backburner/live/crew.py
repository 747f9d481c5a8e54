"""Bots on a server, for one episode or several: they join, a farm is built for each, and put back after it.

async with joined(setup, Join(host="localhost", port=25565, bots=stage.bots)) as crew:
    corner = await crew.around(stage)
    ... show crew.changes(stage, corner), and ask ...
    async with crew.on(stage, corner) as player:
        await play(stage.world, {**policies, stage.seat: player})
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from msgspec.structs import replace

from backburner.live.install import Setup
from backburner.live.messages import (
    Cell,
    Change,
    Join,
    Joined,
    LiveError,
    Observation,
    Observe,
    Prepared,
    Restore,
    Restored,
)
from backburner.live.player import LivePlayer
from backburner.live.stage import Stage
from backburner.live.worker import Worker

SECONDS_TO_JOIN = 120.0
SECONDS_TO_BUILD = 60.0
SECONDS_QUIET = 5.0
PUTTING_BACK = "what was changed on the server is being put back; stop once more to leave it"
PUT_BACK = "what was changed on the server is put back"


class Crew:
    """Bots that have joined a server, which ``enter`` starts. ``tell`` hears what could not be put back.

    ``worker``: the process that leads them; ``version``: the server's.
    """

    worker: Worker
    version: str

    def __init__(self, setup: Setup, join: Join, clock: float, tell: Callable[[str], object]) -> None:
        self._setup, self._join, self._clock = setup, join, clock
        self._tell = tell

    async def enter(self) -> None:
        """Start a worker, whose bots join. Raises ``LiveError`` if they cannot; then nothing is left."""
        setup, clock = self._setup, self._clock
        self.worker = await Worker.start(setup.command(clock), setup.folder, setup.environment(clock))
        try:
            self.version = (await self.worker.ask(self._join, Joined, SECONDS_TO_JOIN)).version
        except BaseException:
            await self.worker.close()
            raise

    async def around(self, stage: Stage) -> Cell:
        """The corner of an area in whose middle the first bot stands."""
        seen = await self.worker.ask(Observe(), Observation, SECONDS_TO_BUILD)
        x, y, z = (int(number // 1) for number in seen.bots[stage.bots[0]].at)
        area = stage.farm((0, 0, 0)).area
        return x - area.highest[0] // 2, y, z - area.highest[2] // 2

    async def changes(self, stage: Stage, corner: Cell) -> tuple[Change, ...]:
        """Everything that would be changed on the server; nothing is."""
        return (await self.worker.ask(stage.farm(corner), Prepared, SECONDS_TO_BUILD)).changes

    @asynccontextmanager
    async def on(self, stage: Stage, corner: Cell) -> AsyncIterator[LivePlayer]:
        """Build the farm for an episode, and put back what was changed, whatever happens.

        Raises ``LiveError`` if it cannot be built.
        """
        changes: tuple[Change, ...] = ()
        try:
            wanted = replace(stage.farm(corner), dry_run=False)
            changes = (await self.worker.ask(wanted, Prepared, SECONDS_TO_BUILD)).changes
            yield LivePlayer(self.worker, stage, corner, {"minecraft": self.version})
        finally:
            await _whole(self._put_back(changes))

    async def _put_back(self, changes: tuple[Change, ...]) -> None:
        """By bots that come again if they were sent away; by another worker if this one has failed."""
        slow = asyncio.get_running_loop().call_later(SECONDS_QUIET, self._tell, PUTTING_BACK)
        try:
            if self.worker.alive:
                with contextlib.suppress(LiveError):  # those that are there do what they can
                    await self.worker.ask(self._join, Joined, SECONDS_TO_JOIN)
                known = None
            else:
                await self.worker.close()
                await self.enter()
                known = changes
            left = (await self.worker.ask(Restore(known), Restored, SECONDS_TO_BUILD)).left
        except LiveError as error:
            self._tell(f"what was changed on the server may still be there: {error}")
            return
        finally:
            slow.cancel()
        if changes and not left:
            self._tell(PUT_BACK)
        for change in left:
            self._tell(f"could not be put back: {told_change(change)}")


@asynccontextmanager
async def joined(
    setup: Setup, join: Join, clock: float = 1.0, tell: Callable[[str], object] = print
) -> AsyncIterator[Crew]:
    """A crew on a server, which leaves at the end. Raises ``LiveError`` if it cannot join."""
    crew = Crew(setup, join, clock, tell)
    await crew.enter()
    try:
        yield crew
    finally:
        await crew.worker.close()


async def _whole(work: Coroutine[Any, Any, None]) -> None:
    """Do it to its end, also where somebody stops it meanwhile; then the stop goes on."""
    working = asyncio.ensure_future(work)
    try:
        await asyncio.shield(working)
    except asyncio.CancelledError:
        await working
        raise


def told_change(change: Change) -> str:
    """A change in a line."""
    where = change.bot or change.rule or " ".join(map(str, change.at or ()))
    return f"{change.kind} {where}: {_told(change.was)} -> {_told(change.becomes)}"


def _told(value: str | tuple[float, float, float] | None) -> str:
    if value is None:
        return "nothing"
    return value if isinstance(value, str) else " ".join(f"{number:g}" for number in value)
