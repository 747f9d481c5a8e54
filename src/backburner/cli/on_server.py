"""Play on a Minecraft server, for all commands that do it: its options, what is asked first, who speaks."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import typer
from msgspec import Struct

from backburner.agents.latency import latencies
from backburner.cli import stopping
from backburner.cli.console import remark
from backburner.cli.grammar import Key, about, keys_of, named, read
from backburner.kernel.contract import World
from backburner.kernel.episode import Ending, Entry, Episode, EpisodeFile, Record
from backburner.kernel.errors import PolicyFailure, Refused
from backburner.kernel.play import SAFETY_CAP, Sink, Watch, play
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.values import Seat
from backburner.live.bots import Bots, told_changes
from backburner.live.host import Place, address_in, cell_in
from backburner.live.install import find
from backburner.live.messages import VERSION, Prepared
from backburner.live.players import ChatInstructor
from backburner.live.stage import Stage, stage_of

Result = TypeVar("Result")

MOST_TOLD = 40
"""Changes that are told one by one; the others are counted."""

LEAST_ROOM = 1 << 20
"""Bytes that must be free for a record; one of 60 steps has about 100,000."""

IN_VAIN = " (in vain)"

LIVE = "--live"
NODE_FOLDER = "BACKBURNER_NODE_FOLDER"
"""The variable that names the folder with Node's packages."""


class OnServer(Struct, frozen=True):
    """How play on a server goes; each field is a key behind its address."""

    corner: Annotated[
        str, Key("X,Y,Z of the farm's lowest corner; else around the first bot.", free=True)
    ] = ""
    pad: Annotated[bool, Key("yes: make flat, open ground for the farm; put back with all else.")] = False
    auth: Annotated[str, Key("offline, or microsoft for accounts.", values=("offline", "microsoft"))] = (
        "offline"
    )
    agreed: Annotated[bool, Key("yes: make the changes without asking.")] = False
    clock: Annotated[float, Key("For servers whose time goes faster: how much.", least=0.1, most=50)] = 1.0
    version: Annotated[str, Key(f"Of the game there; else {VERSION}.")] = VERSION
    node_folder: Annotated[
        Path | None, Key(f"Where Node's packages are; else ${NODE_FOLDER}, or your cache.")
    ] = None
    person: Annotated[
        tuple[str, ...], Key("Only this player's words in the chat instruct; may be said again.")
    ] = ()


def server_option(flag: str, help: str) -> Any:
    """The option that names a server: ``HOST:PORT@key=value,...``."""
    return typer.Option(
        flag,
        metavar="HOST:PORT[@KEY=VALUE,...]",
        help=about(keys_of(OnServer), help),
        rich_help_panel="On a Minecraft server",
    )


LiveOption = Annotated[str, server_option(LIVE, "A Minecraft server on which bots carry the game out.")]


def place_of(written: str, flag: str, folder: Path) -> tuple[Place, OnServer]:
    """The server that is written behind an option, with ``folder`` for its records, and how play goes there;
    raises ``Refused``, ``UnknownName``, and ``NotInstalled`` where live play lacks something."""
    address, tail = named(written)
    host, port = address_in(address, flag)
    on = read(OnServer, tail, flag)
    corner = cell_in(on.corner, f"{flag}: corner") if on.corner else None
    auth: Literal["offline", "microsoft"] = "microsoft" if on.auth == "microsoft" else "offline"
    found = find(on.node_folder or node_folder())
    return Place(found, host, port, auth, on.clock, corner, folder, on.version, on.pad), on


def node_folder() -> Path | None:
    """Where the environment says that Node's packages are; else they are in the user's cache."""
    folder = os.environ.get(NODE_FOLDER)
    return Path(folder) if folder else None


def spoken(
    policies: Mapping[Seat, Policy], stage: Stage, bots: Bots, persons: Sequence[str]
) -> dict[Seat, Policy]:
    """These policies, and for the seat that instructs, if there is one, the chat of the server."""
    if not stage.speaker:
        return dict(policies)
    chat = ChatInstructor(bots.worker.heard, stage.instruction, persons)
    return {**policies, stage.speaker: chat}


@asynccontextmanager
async def bots_on(place: Place, stage: Stage, agreed: bool) -> AsyncIterator[tuple[Bots, Policy]]:
    """Bots whose farm stands, with who reports what is seen there; all is put back at the end.

    What would be changed is told first, and asked for unless it is ``agreed``. Raises ``LiveError``, and
    ``Refused`` where nobody agrees.
    """
    async with place.join(stage.bots, remark) as bots:
        corner = place.corner or await bots.around(stage)
        _tell_changes(await bots.changes(stage, corner))
        if not agreed:
            _confirm()
        async with bots.on(stage, corner) as player:
            yield bots, player


class LiveGame(NamedTuple):
    """A game on a server: where, which, whether its changes are agreed to, whose words there count."""

    place: Place
    stage: Stage
    agreed: bool
    persons: Sequence[str]


def live_game(world: World[Any, Any, Any], server: str, folder: Path) -> LiveGame | None:
    """The game of a world on the server that ``--live`` names, whose record is kept in ``folder``; ``None``
    if none is named. Raises ``Refused``."""
    if not server:
        return None
    stage = stage_of(world)
    place, on = place_of(server, LIVE, folder)
    check_persons(stage, on.person)
    return LiveGame(place, stage, on.agreed, on.person)


def check_persons(stage: Stage, persons: Sequence[str]) -> None:
    """Raises ``Refused`` where somebody is to be heard by a game in which nobody instructs."""
    if persons and not stage.speaker:
        raise Refused(f"person={persons[0]}: nobody instructs in {stage.text.id}; @instructor=yes has it")


async def play_on(
    game: LiveGame,
    policies: Mapping[Seat, Policy],
    seed: int,
    file: EpisodeFile,
    *,
    by_chat: bool,
    sink: Sink | None = None,
    watch: Watch | None = None,
    max_steps: int = SAFETY_CAP,
) -> Episode:
    """The episode, which bots carry out. Its record is finished, however play ends, before anything is put
    back; there is none where play does not begin.

    ``by_chat``: whether persons in the chat instruct. ``sink``: what else takes records, and writes them to
    the file. Raises what ``bots_on`` raises, and ``Refused``, before anything is changed, where no record can
    be written, and for agents with a latency.
    """
    if slow := next(iter(latencies(policies)), ""):
        raise Refused(f"a decision takes the time that passes on the server: no latency for {slow}")
    check_room(file.path)
    take, ended = sink or file.write, False

    def keep(record: Record) -> None:
        nonlocal ended
        take(record)
        ended = isinstance(record, Ending)

    async with bots_on(game.place, game.stage, game.agreed) as (bots, player):
        players = spoken(policies, game.stage, bots, game.persons) if by_chat else dict(policies)
        sturdy: dict[Seat, Policy] = {seat: _Sturdy(each) for seat, each in players.items()}
        sturdy[game.stage.seat] = player
        with file:
            try:
                return await play(game.stage.world, sturdy, seed, sink=keep, watch=watch, max_steps=max_steps)
            finally:
                if ended:
                    file.finish()


class _Sturdy:
    """A policy whose mistakes end play on a server as failed: what was played there is not played again."""

    def __init__(self, policy: Policy) -> None:
        self.name, self.informed, self.settings = policy.name, policy.informed, policy.settings
        self._policy = policy

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """What the policy answers; raises ``PolicyFailure`` where that is refused."""
        try:
            return await self._policy.decide(turn, memory)
        except Refused as error:
            raise PolicyFailure("agent", str(error)) from error


def run_on_server(playing: Coroutine[Any, Any, Result]) -> Result:
    """``asyncio.run``, which signals that ask to end stop as Ctrl-C does: where it waits, so that all is put
    back.

    Raises ``KeyboardInterrupt`` then. Who asks twice is obeyed at once.
    """
    before = {number: signal.getsignal(number) for number in stopping.heeded()}

    async def stoppable() -> Result:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def stop(number: int) -> None:
            loop.remove_signal_handler(number)
            stopping.note(number)
            del before[number]
            if task:
                task.cancel()

        with contextlib.suppress(NotImplementedError):  # where there are no such signals
            for number in before:
                loop.add_signal_handler(number, stop, number)
        return await playing

    try:
        return asyncio.run(stoppable())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def told_step(number: int, entry: Entry, stage: Stage, state: Any) -> list[str]:
    """A step that was seen, in lines: calls, the chest, why some came to nothing, what differs."""
    began = [event for event in entry.events if event.what == "start" and event.lane in stage.bots]
    calls = (f"{event.lane} {event.label}{IN_VAIN * (event.kind == 'refused')}" for event in began)
    held = ", ".join(f"{count} {item}" for item, count in stage.chest(state).items())
    line = f"{number}: {'; '.join(calls) or 'nobody does anything'}; chest: {held or 'nothing'}"
    why = [f"   {said}" for refusal in entry.refusals if (said := refusal.get("why"))]
    return [line, *why, *(f"   {event.label}" for event in entry.events if event.kind == "differs")]


def check_room(path: Path) -> None:
    """A record can be written there, in a folder that may have to be made; raises ``Refused``."""
    there = next(folder for folder in path.absolute().parents if folder.exists())
    try:
        with tempfile.NamedTemporaryFile(dir=there, prefix=".record-") as file:
            file.write(b" " * LEAST_ROOM)
    except OSError as error:
        why = error.strerror or str(error)
        raise Refused(
            f"no record can be written into {path.parent} ({why}); name another file with --out"
        ) from error


def _tell_changes(found: Prepared) -> None:
    """What would be changed, a line each, and what is to be known of it."""
    remark("on the server this would be changed, and put back at the end:")
    lines = list(told_changes(found.changes))
    remark(*(f"  {line}" for line in lines[:MOST_TOLD]))
    if len(lines) > MOST_TOLD:
        remark(f"  and {len(lines) - MOST_TOLD} more")
    remark(*found.notes)


def _confirm() -> None:
    """Somebody at a terminal agrees; raises ``Refused`` where nobody can, or does not."""
    if not sys.stdin.isatty():
        raise Refused(
            "nothing was changed: nobody can be asked here; agree with agreed=yes behind the server"
        )
    if not typer.confirm("Make these changes?", err=True):
        raise Refused("nothing was changed")
