"""Bots on a server, for one episode or several: they join, a farm is built for each, and put back after it.

async with joined(setup, Join(host="localhost", port=25565, bots=stage.bots)) as bots:
    corner = await bots.around(stage)
    ... show bots.changes(stage, corner), and ask ...
    async with bots.on(stage, corner) as player:
        await play(stage.world, {**policies, stage.seat: player})

What play has changed on a server stands in a file from before the first change until all is put back, so that
it can be put back also where every process of it was killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.files import read_json
from backburner.live.install import Setup
from backburner.live.messages import (
    Cell,
    Change,
    Join,
    Joined,
    LiveError,
    Observation,
    Observe,
    Prepare,
    Prepared,
    Restore,
    Restored,
)
from backburner.live.players import LivePlayer
from backburner.live.stage import Stage
from backburner.live.worker import Worker

SECONDS_TO_JOIN = 120.0
SECONDS_TO_BUILD = 120.0
SECONDS_QUIET = 5.0
CHANGED = "what was changed on the server"
PUTTING_BACK = f"{CHANGED} is being put back; stop once more to leave it"
LISTED = "until it is put back, what is changed on the server is listed in"
PUT_BACK = f"{CHANGED} is put back"

FOLDER = Path("plays")
"""Where the file stands unless somebody says otherwise: where records do."""

PUT_BACK_WITH = "backburner live --restore"
MANY = 9
"""So many blocks that change alike are told in one line."""

ODD = re.compile(r"[^A-Za-z0-9.-]")


# --- what was changed ------------------------------------------------------------------------------------


class Changed(Struct, frozen=True, forbid_unknown_fields=True):
    """A server, the bots that were on it, and what was changed there, in order."""

    host: str
    port: int
    version: str
    auth: Literal["offline", "microsoft"]
    bots: tuple[str, ...]
    changes: tuple[Change, ...]

    @property
    def join(self) -> Join:
        """How the same bots come back."""
        return Join(host=self.host, port=self.port, bots=self.bots, version=self.version, auth=self.auth)


def changed_in(file: Path) -> Changed:
    """What a file says; raises ``BadFile``."""
    changed: Changed = read_json(file, Changed, "a list of changes on a server")
    return changed


def file_for(folder: Path, join: Join) -> Path:
    """The file for a server, in a folder; raises ``Refused`` where there is one, of play before."""
    file = folder.absolute() / f"changed-on-{ODD.sub('_', join.host)}-{join.port}.json"
    if file.exists():
        raise Refused(
            f"{file} lists what was changed on {join.host}:{join.port} before and is not put back:"
            f" `{PUT_BACK_WITH} {file}` does; remove it if that server is no more"
        )
    return file


# --- bots ------------------------------------------------------------------------------------------------


class Bots:
    """Bots that have joined a server, which ``enter`` starts. ``tell`` hears what could not be put back.
    ``folder``: there stands the file of what is changed. ``pad``: farms bring their ground with them.

    ``worker``: the process that leads them; ``version``: the server's.
    """

    worker: Worker
    version: str

    def __init__(
        self,
        setup: Setup,
        join: Join,
        clock: float,
        tell: Callable[[str], object],
        folder: Path,
        *,
        pad: bool = False,
    ) -> None:
        self._setup, self._join, self._clock = setup, join, clock
        self._tell, self._folder, self._pad = tell, folder, pad

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

    async def changes(self, stage: Stage, corner: Cell) -> Prepared:
        """Everything that would be changed on the server, and what is to be known of it; nothing is changed.
        Raises ``LiveError`` if the farm cannot stand there."""
        return await self.worker.ask(self._farm(stage, corner), Prepared, SECONDS_TO_BUILD)

    def _farm(self, stage: Stage, corner: Cell) -> Prepare:
        return replace(stage.farm(corner), pad=self._pad)

    @asynccontextmanager
    async def on(self, stage: Stage, corner: Cell) -> AsyncIterator[LivePlayer]:
        """Build the farm for an episode, and put back what was changed, whatever happens.

        Raises ``LiveError`` if it cannot be built, ``Refused`` if there is such a file of play before.
        """
        file = file_for(self._folder, self._join)
        changes: tuple[Change, ...] = ()
        try:
            wanted = replace(self._farm(stage, corner), dry_run=False, file=str(file))
            prepared = await self.worker.ask(wanted, Prepared, SECONDS_TO_BUILD)
            changes = prepared.changes
            if file.exists():
                self._tell(f"{LISTED} {file}")
            yield LivePlayer(self.worker, stage, corner, {stage.game: self.version}, prepared.tick)
        finally:
            await _whole(self._put_back(changes, file))

    async def _put_back(self, changes: tuple[Change, ...], file: Path) -> bool:
        """By bots that come again if they were sent away; by another worker if this one has failed. Whether
        all of it is."""
        slow = asyncio.get_running_loop().call_later(SECONDS_QUIET, self._tell, PUTTING_BACK)
        try:
            if self.worker.alive:
                with contextlib.suppress(LiveError):  # those that are there do what they can
                    await self.worker.ask(self._join, Joined, SECONDS_TO_JOIN)
                request = Restore()
            else:
                await self.worker.close()
                await self.enter()
                request = Restore(changed_in(file).changes if file.exists() else changes, str(file))
            return await self._restored(request, file, told=bool(changes))
        except LiveError as error:
            how = f"; `{PUT_BACK_WITH} {file}` puts it back once it answers" * file.exists()
            self._tell(f"{CHANGED} may still be there: {error}{how}")
            return False
        finally:
            slow.cancel()

    async def put_back(self, changed: Changed, file: Path) -> bool:
        """Whether all is put back that a file of earlier play says; what is not is told."""
        return await self._restored(Restore(changed.changes, str(file.absolute())), file, told=True)

    async def _restored(self, request: Restore, file: Path, *, told: bool) -> bool:
        """Whether all was put back, which is ``told``; what was not always is."""
        answer = await self.worker.ask(request, Restored, SECONDS_TO_BUILD)
        for change in answer.left:
            self._tell(f"could not be put back: {told_change(change)}")
        for bot, items in answer.carried.items():
            held = ", ".join(f"{count} {item}" for item, count in items.items())
            self._tell(f"{bot} still carries {held}, and had nothing at first: /clear {bot}")
        whole = not (answer.left or answer.carried)
        if whole and told:
            self._tell(PUT_BACK)
        elif file.exists():
            self._tell(f"{file} lists it; `{PUT_BACK_WITH} {file}` tries again")
        return whole


@asynccontextmanager
async def joined(
    setup: Setup,
    join: Join,
    clock: float = 1.0,
    tell: Callable[[str], object] = print,
    folder: Path = FOLDER,
    *,
    pad: bool = False,
) -> AsyncIterator[Bots]:
    """Bots on a server, which leave at the end. Raises ``LiveError`` if they cannot join."""
    bots = Bots(setup, join, clock, tell, folder, pad=pad)
    await bots.enter()
    try:
        yield bots
    finally:
        await bots.worker.close()


async def put_back(setup: Setup, file: Path, clock: float, tell: Callable[[str], object]) -> bool:
    """Whether all that a file lists, which earlier play has left, is put back: then the file is gone.

    Raises ``BadFile``, and ``LiveError`` where bots cannot join.
    """
    changed = changed_in(file)
    async with joined(setup, changed.join, clock, tell) as bots:
        return await bots.put_back(changed, file)


async def _whole(work: Coroutine[Any, Any, Any]) -> None:
    """Do it to its end, also where somebody stops it meanwhile; then the stop goes on."""
    working = asyncio.ensure_future(work)
    try:
        await asyncio.shield(working)
    except asyncio.CancelledError:
        await working
        raise


def told_changes(changes: Sequence[Change]) -> Iterator[str]:
    """Changes in lines: one for each, and one for many blocks that change alike."""
    alike: dict[tuple[object, object], list[Cell]] = {}
    for change in changes:
        if change.kind == "block" and change.at:
            alike.setdefault((change.was, change.becomes), []).append(change.at)
    for change in changes:
        cells = alike.get((change.was, change.becomes), []) if change.kind == "block" else []
        if len(cells) < MANY:
            yield told_change(change)
        elif change.at == cells[0]:
            corners = (" ".join(str(pick(each)) for each in zip(*cells, strict=True)) for pick in (min, max))
            where = " to ".join(corners)
            yield f"{len(cells)} blocks, {where}: {_told(change.was)} -> {_told(change.becomes)}"


def told_change(change: Change) -> str:
    """A change in a line."""
    where = change.bot or change.rule or " ".join(map(str, change.at or ()))
    return f"{change.kind} {where}: {_told(change.was)} -> {_told(change.becomes)}"


def _told(value: str | tuple[float, float, float] | None) -> str:
    if value is None:
        return "nothing"
    return value if isinstance(value, str) else " ".join(f"{number:g}" for number in value)
