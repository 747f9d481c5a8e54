"""Bots on a server, for one episode or several: they join, a farm is built for each, and put back after it.

async with joined(setup, Join(host="localhost", port=25565, bots=stage.bots)) as crew:
    corner = await crew.around(stage)
    ... show crew.changes(stage, corner), and ask ...
    async with crew.on(stage, corner) as player:
        await play(stage.world, {**policies, stage.seat: player})
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

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


class Crew:
    """Bots that have joined a server. ``tell`` hears what could not be put back."""

    def __init__(self, worker: Worker, version: str, tell: Callable[[str], object]) -> None:
        self.worker = worker
        self.version = version
        self._tell = tell

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
        try:
            wanted = replace(stage.farm(corner), dry_run=False)
            await self.worker.ask(wanted, Prepared, SECONDS_TO_BUILD)
            yield LivePlayer(self.worker, stage, corner, {"minecraft": self.version})
        finally:
            await self._put_back()

    async def _put_back(self) -> None:
        if not self.worker.alive:
            return
        try:
            left = (await self.worker.ask(Restore(), Restored, SECONDS_TO_BUILD)).left
        except LiveError as error:
            self._tell(f"what was changed on the server may still be there: {error}")
            return
        for change in left:
            self._tell(f"could not be put back: {told_change(change)}")


@asynccontextmanager
async def joined(
    setup: Setup, join: Join, clock: float = 1.0, tell: Callable[[str], object] = print
) -> AsyncIterator[Crew]:
    """A crew on a server, which leaves at the end. Raises ``LiveError`` if it cannot join."""
    async with await Worker.start(setup.command(clock), setup.folder, setup.environment(clock)) as worker:
        there = await worker.ask(join, Joined, SECONDS_TO_JOIN)
        yield Crew(worker, there.version, tell)


def told_change(change: Change) -> str:
    """A change in a line."""
    where = change.bot or change.rule or " ".join(map(str, change.at or ()))
    return f"{change.kind} {where}: {_told(change.was)} -> {_told(change.becomes)}"


def _told(value: str | tuple[float, float, float] | None) -> str:
    if value is None:
        return "nothing"
    return value if isinstance(value, str) else " ".join(f"{number:g}" for number in value)
