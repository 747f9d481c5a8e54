"""``mcp``: a scenario that any agent plays that speaks the Model Context Protocol."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
from collections.abc import Coroutine
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

import typer

from backburner.agents.roster import make_policies
from backburner.agents.scripted import AsPredictedPolicy
from backburner.agents.spec import AgentSpec
from backburner.cli import completion
from backburner.cli.agents import let_own_agents_be_found
from backburner.cli.console import remark
from backburner.cli.grammar import Key, read
from backburner.cli.options import PlayOfOne, unused_record
from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.episode import Ending, EpisodeFile, Header, Record
from backburner.kernel.errors import Refused, UnknownName, needs_extra
from backburner.kernel.policy import Policy
from backburner.kernel.reported import reporter_of
from backburner.kernel.values import Seat
from backburner.mcp.session import LEFT, Session, Table

WAYS = ("wait", "free", "cost")


class Playing(PlayOfOne, frozen=True):
    """How a client plays."""

    OPTION: ClassVar[Any] = typer.Option(
        "--play",
        "--polls",
        "--http",
        metavar="KEY=VALUE,...",
        help="Who plays, and how. A word by itself: polls; a number: http. May be said again.",
    )
    TYPE: ClassVar[Any] = list[str] | None

    polls: Annotated[
        str,
        Key(
            "What it is to ask for a job under way: a wait for it, free, or a check, which costs time.",
            values=WAYS,
        ),
    ] = "wait"
    http: Annotated[
        int | None, Key("The port of this machine for HTTP; else stdio.", least=0, most=65535)
    ] = None
    seed: Annotated[int, Key("Chance in play.")] = 0
    out: Annotated[Path | None, Key("Where to write the record.", free=True)] = None

    @classmethod
    def said(cls, written: Any) -> Self:
        """See ``Keyed``."""
        pieces = (
            each if "=" in each else f"{'http' if each.isdecimal() else 'polls'}={each}"
            for each in written or ()
        )
        return read(cls, ",".join(pieces), "--play")


AS_USUAL = Playing()


def mcp(
    scenario: Annotated[
        str, typer.Argument(help="A scenario id or a scenario file.", autocompletion=completion.scenarios)
    ],
    playing: Playing = AS_USUAL,
) -> None:
    """Serve a scenario over the Model Context Protocol: any agent that speaks it plays one episode.

    Its tools are those of the world. Time in the world moves by calls alone. Over stdio, play ends when the
    client leaves; over HTTP, which this machine alone can reach, with Ctrl-C.
    """
    with needs_extra("mcp", "mcp"):
        from backburner.mcp.server import LOCALHOST, Face, serve_http, serve_stdio
    world = registry.world(scenario, rules=playing.rules, limits=playing.limits)
    seat, others = _seats(world, playing)
    record = playing.out or unused_record(world.id)
    if record.exists():
        raise Refused(f"{record} exists; name another file with --play out=")
    file = EpisodeFile(record)
    with ExitStack() as stack:

        def write(line: Record) -> None:
            if isinstance(line, Header):
                stack.enter_context(file)
            file.write(line)
            if isinstance(line, Ending):
                file.finish()
                remark(f"record: {record}")

        table = Table(world, seat, playing.seed, others, write, {"polls": playing.polls})
        face = Face(Session(table), playing.polls, secrets.token_bytes(32))  # type: ignore[arg-type]
        if playing.http is None:
            asyncio.run(_until_stopped(face.session, serve_stdio(face)))
            return
        try:
            listening = socket.create_server((LOCALHOST, playing.http), backlog=1024)
        except OSError as error:
            raise Refused(f"{LOCALHOST}, port {playing.http}: {error.strerror or error}") from error
        port = listening.getsockname()[1]
        asyncio.run(serve_http(face, listening, lambda: remark(f"http://{LOCALHOST}:{port}/mcp")))


async def _until_stopped(session: Session, serving: Coroutine[Any, Any, None]) -> None:
    """Serve over stdio. A signal ends play and the process with it, as a read of stdin cannot be ended."""
    loop = asyncio.get_running_loop()

    def leave(number: int) -> None:
        if stopping:
            os._exit(128 + number)
        stopping.append(loop.create_task(session.stop(LEFT)))
        stopping[0].add_done_callback(lambda _: os._exit(128 + number))

    stopping: list[asyncio.Task[None]] = []
    with suppress(NotImplementedError):  # on Windows, where both end the process
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, leave, number)
    await serving


def _seats(world: World[Any, Any, Any], playing: Playing) -> tuple[Seat, dict[Seat, Policy]]:
    """(the client's seat, who plays the others). At a seat that reports nobody sits."""
    reporter = reporter_of(world)
    seats = [each for each in world.seats if each != reporter]
    seat = playing.seat or seats[0]
    if seat not in seats:
        raise UnknownName("seat", seat, seats, world.id)
    others: dict[Seat, Policy] = {}
    if len(seats) > 1:
        if not playing.partner:
            rest = ", ".join(each for each in seats if each != seat)
            raise Refused(f"who plays {rest}? Name an agent with --play partner=")
        let_own_agents_be_found()
        others = make_policies(AgentSpec(playing.partner), world)
    elif playing.partner:
        raise Refused(f"partner {playing.partner}: {world.id} has one seat only, {seats[0]}")
    others |= {reporter: AsPredictedPolicy()} if reporter else {}
    return seat, {each: policy for each, policy in others.items() if each != seat}
