"""A rehearsal: the whole study with simulated participants, through the real server, in browsers or over the
WebSockets that a page uses.

The server is a process of its own, which may be killed as that of a study may: it is started again, and
everybody goes on where they were.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from backburner.agents.models.stand_in import StandIn, is_stand_in
from backburner.kernel.errors import BackburnerError, Refused, needs_extra
from backburner.kernel.files import write_whole
from backburner.kernel.values import indented_json
from backburner.serve import protocol
from backburner.serve.server import Server, listening
from backburner.serve.store import new_token
from backburner.study import pages
from backburner.study.conduct import Conduct
from backburner.study.design import Condition, Player, Study
from backburner.study.entries import Answer
from backburner.study.files import StudyFile, digest_of
from backburner.study.journal import Journal
from backburner.study.media import Media
from backburner.study.pages import MOST_BYTES
from backburner.study.participants import Links, address_of, cohort_of, researcher_address
from backburner.study.personas import Persona, truth_of
from backburner.study.site import StudySite

TRUTH = "truth.json"

STUCK_SECONDS = 120.0
"""So long a participant waits for a server that does not answer."""

AGAIN_SECONDS = 0.2

Asked = Callable[[Persona, int], dict[str, Answer] | None]
"""What somebody answers to the form at a position; ``None`` where they are not there (any more)."""


def without_models(study: Study) -> Study:
    """The study with stand-ins in the place of models, so that a rehearsal costs nothing."""
    return replace(study, conditions=tuple(map(_without_models, study.conditions)))


def _without_models(condition: Condition) -> Condition:
    seats = {
        seat: replace(player, model=StandIn().name, base_url="")
        if isinstance(player, Player) and player.model and not is_stand_in(player.model)
        else player
        for seat, player in condition.seats.items()
    }
    return replace(condition, seats=seats)


def rehearse(
    study: Study,
    folder: Path,
    participants: int,
    *,
    browser: bool,
    together: int,
    pictures: Path | None = None,
    told: Callable[[str], None] = lambda line: None,
    media: Mapping[str, Media] | None = None,
) -> Counter[str]:
    """Run the whole study with so many simulated participants; how many came to which end.

    ``together``: so many take part at one time; ``media``: what its texts show. What they go by is written to
    ``truth.json`` in the folder. A rehearsal that was broken off goes on there.

    Raises ``Refused`` where the folder holds other data, or somebody cannot go on; ``MissingExtra`` without
    the library that drives a browser.
    """
    driver: ModuleType | None = None
    if browser:
        with needs_extra("pilot", "study pilot in a browser (or say --without-browser)"):
            from backburner.study import pilot_in_browser
        pilot_in_browser.program()
        driver = pilot_in_browser
    study = without_models(study)
    truth = truth_of(study)
    found = StudyFile(study, digest_of(study, media), media=media or {})
    Conduct(found, folder, rehearsal=True).close()
    write_whole(folder / TRUTH, indented_json(truth))
    personas = [Persona(study, truth, number) for number in range(1, participants + 1)]
    return asyncio.run(_rehearsed(RehearsalServer(found, folder, told), personas, driver, together, pictures))


async def _rehearsed(
    server: RehearsalServer,
    personas: Sequence[Persona],
    driver: ModuleType | None,
    together: int,
    pictures: Path | None,
) -> Counter[str]:
    places = asyncio.Semaphore(together)
    ends: Counter[str] = Counter()

    async with AsyncExitStack() as stack:
        stack.push_async_callback(server.stop)
        await server.start()
        shared = None if driver is None else await stack.enter_async_context(driver.browser())

        async def one(persona: Persona) -> None:
            async with places:
                if driver is None:
                    end = await take_part(server.port, persona, server.answers)
                else:
                    end = await driver.take_part(server.port, persona, server.answers, shared, pictures)
            ends[end] += 1
            server.told(f"{persona.id}: {end}")

        async def everybody() -> None:
            async with asyncio.TaskGroup() as group:
                for persona in personas:
                    group.create_task(one(persona))

        try:
            async with asyncio.TaskGroup() as group:
                kept_up = group.create_task(server.keep_up())
                await everybody()
                kept_up.cancel()
        except* BackburnerError as errors:
            raise Refused(str(_first(errors))) from errors
    return ends


def _first(error: BaseException) -> BaseException:
    return _first(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


# --- the server -------------------------------------------------------------------------------------------


class RehearsalServer:
    """The server of a rehearsal, a process of its own; when it is killed, it is started again at the same
    address."""

    def __init__(self, found: StudyFile, folder: Path, told: Callable[[str], None]) -> None:
        self.told = told
        with listening("127.0.0.1", 0) as free:
            self.port = int(free.getsockname()[1])
        self._found, self._folder = found, folder
        self._process: SpawnProcess | None = None

    async def start(self) -> None:
        """Start it, and wait until it listens; raises ``Refused`` where it ends instead."""
        self._process = multiprocessing.get_context("spawn").Process(
            target=_serve, args=(self._found, self._folder, self.port), daemon=True
        )
        self._process.start()
        while self._process.is_alive():
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                study, base = self._found.study, f"http://127.0.0.1:{self.port}"
                self.told(f"the server is process {self._process.pid}, at {address_of(base, study, {})}")
                links = Links(Journal(self._folder).secret())
                self.told(f"who is where: {researcher_address(base, study, links)}")
                return
            await asyncio.sleep(AGAIN_SECONDS)
        raise Refused("the server of the rehearsal has ended")

    async def keep_up(self) -> None:
        """Start it again whenever it was killed; raises ``Refused`` where it has ended by itself."""
        while self._process is not None:
            await asyncio.sleep(AGAIN_SECONDS)
            if (code := self._process.exitcode) is None:
                continue
            if code >= 0:
                raise Refused("the server of the rehearsal has ended")
            self.told(f"the server was killed ({signal.Signals(-code).name}); it is started again")
            await self.start()

    async def stop(self) -> None:
        """End it in good order."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            await asyncio.to_thread(process.join)

    def answers(self, persona: Persona, position: int) -> dict[str, Answer] | None:
        """An ``Asked``: the server's journal tells where somebody is."""
        journal = Journal(self._folder)
        try:
            one = cohort_of(journal).by_recruited(persona.id)
        finally:
            journal.close()
        return persona.answers(one) if one is not None and one.position == position else None


def _serve(found: StudyFile, folder: Path, port: int) -> None:
    """What the server's process does, for as long as the rehearsal's own is there."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        conduct = Conduct(found, folder, rehearsal=True)
        Server(
            folder=folder,
            port=port,
            token=new_token(),
            extension=lambda games: StudySite(conduct, games),
            most_message_bytes=MOST_BYTES,
        ).run(lambda page: None)
        conduct.close()
    except BackburnerError as error:
        sys.exit(f"the server: {error}")


def _end_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


# --- a participant without a browser ----------------------------------------------------------------------


async def take_part(port: int, persona: Persona, asked: Asked) -> str:
    """Go through the whole study; how it ended. Raises ``Refused`` where the server will not go on."""
    heard = time.monotonic()
    while time.monotonic() - heard < STUCK_SECONDS:
        try:
            async for end in _stages(port, persona, asked):
                heard = time.monotonic()
                if end:
                    return end
        except (OSError, WebSocketException):  # nobody serves for a moment
            pass
        await asyncio.sleep(AGAIN_SECONDS)
    raise Refused(f"{persona.id}: the server does not answer any more")


async def _stages(port: int, persona: Persona, asked: Asked) -> AsyncIterator[str]:
    """Do what each stage asks for, as long as the line holds; nothing after each, at the end how it ended."""
    name, parameter = persona.study.name, persona.study.recruitment.participant
    async with connect(f"ws://127.0.0.1:{port}/study/{name}/ws", max_size=None) as socket:
        await _say(socket, pages.Arrive({parameter: persona.id}, "", persona.study.language))
        done: tuple[int, str] = (-1, "")
        async for text in socket:
            message = pages.told(text)
            if isinstance(message, pages.TurnedAway | protocol.Closed):
                raise Refused(message.why)
            if isinstance(message, pages.StageTold):
                if message.problems:
                    raise Refused(f"stage {message.name}: {message.problems}")
                if message.stage == "end":
                    yield message.name
                    return
                if (message.position, message.stage) != done:  # told again, as others come and go
                    done = (message.position, message.stage)
                    await _do(socket, port, persona, asked, message)
                yield ""


async def _do(
    socket: ClientConnection, port: int, persona: Persona, asked: Asked, stage: pages.StageTold
) -> None:
    match stage.stage:
        case "text":
            await asyncio.sleep(stage.least_seconds)
            await _say(socket, pages.Send(stage.position))
        case "consent":
            ticked = {str(box): "yes" for box in range(len(stage.boxes))}
            await _say(socket, pages.Send(stage.position, {**ticked}, agreed=True))
        case "form":
            await _say(socket, pages.Send(stage.position, asked(persona, stage.position) or {}))
        case "play" if stage.game is not None:
            await _play(port, stage.game.token, persona)
        case _:
            pass


async def _play(port: int, token: str, persona: Persona) -> None:
    """Play a game to its end, an option for each turn."""
    async with connect(f"ws://127.0.0.1:{port}/ws", max_size=None) as socket:
        await _say(socket, protocol.Hello(token))
        id = 0
        async for text in socket:
            match protocol.told(text):
                case protocol.Welcome(last_id=last, live=live):
                    id = last
                    if live:
                        await _say(socket, protocol.Ready())
                case protocol.Turn() as turn:
                    id += 1
                    await _say(socket, _move(id, turn, persona))
                case protocol.Told(status="confirm", id=asked):
                    await _say(socket, protocol.Confirm(asked))
                case protocol.Over() | protocol.Closed():
                    return


def _move(id: int, turn: protocol.Turn, persona: Persona) -> protocol.Move:
    if turn.options:
        return protocol.Move(id, turn.number, option=persona.choose([one.passes for one in turn.options]))
    lines = [one.line for one in turn.suggestions] or ["wait"]
    return protocol.Move(id, turn.number, line=persona.draw.choice(lines))


async def _say(socket: ClientConnection, message: Any) -> None:
    await socket.send(protocol.written(message))
