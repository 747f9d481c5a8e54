"""A rehearsal: the whole study with simulated participants, through the real server, in browsers or over the
WebSockets that a page uses.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect

from backburner.agents.models.stand_in import StandIn, is_stand_in
from backburner.kernel.doors import Doors
from backburner.kernel.errors import BackburnerError, Refused, needs_extra
from backburner.kernel.files import write_whole
from backburner.kernel.values import indented_json
from backburner.serve import protocol
from backburner.serve.app import Settings, Site
from backburner.serve.connections import Bounds
from backburner.serve.games import Games
from backburner.serve.limits import Secret
from backburner.serve.server import Listener, configured
from backburner.serve.store import new_token
from backburner.study import pages
from backburner.study.conduct import Conduct
from backburner.study.design import Condition, Player, Study
from backburner.study.files import StudyFile, digest_of
from backburner.study.media import Media
from backburner.study.pages import MOST_BYTES
from backburner.study.personas import Persona, truth_of
from backburner.study.site import StudySite

TRUTH = "truth.json"


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
    ``truth.json`` in the folder.

    Raises ``Refused`` where the folder holds data already, or somebody cannot go on; ``MissingExtra`` without
    the library that drives a browser.
    """
    driver: ModuleType | None = None
    if browser:
        with needs_extra("pilot", "study pilot in a browser (or say --without-browser)"):
            from backburner.study import pilot_in_browser
        pilot_in_browser.program()
        driver = pilot_in_browser
    if (folder / "journal.jsonl").exists():
        raise Refused(f"{folder} holds data already; name another --folder")
    study = without_models(study)
    truth = truth_of(study)
    conduct = Conduct(StudyFile(study, digest_of(study, media), media=media or {}), folder, rehearsal=True)
    write_whole(folder / TRUTH, indented_json(truth))
    personas = [Persona(study, truth, number) for number in range(1, participants + 1)]
    try:
        return asyncio.run(_rehearsed(conduct, personas, driver, together, pictures, told))
    finally:
        conduct.close()


async def _rehearsed(
    conduct: Conduct,
    personas: Sequence[Persona],
    driver: ModuleType | None,
    together: int,
    pictures: Path | None,
    told: Callable[[str], None],
) -> Counter[str]:
    games = Games(conduct.journal.folder)
    settings = Settings(
        doors=Doors.of([], []), secret=Secret(new_token()), extension=StudySite(conduct, games)
    )
    listening = socket.create_server(("127.0.0.1", 0))
    port = int(listening.getsockname()[1])
    opened = asyncio.Event()
    server = Listener(configured(Site(games, settings).app(), Bounds(), "", MOST_BYTES), opened.set)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    places = asyncio.Semaphore(together)
    ends: Counter[str] = Counter()

    async with AsyncExitStack() as stack:
        stack.push_async_callback(_stopped, server, serving)
        await asyncio.wait({asyncio.create_task(opened.wait()), serving}, return_when=asyncio.FIRST_COMPLETED)
        shared = None if driver is None else await stack.enter_async_context(driver.browser())

        async def one(persona: Persona) -> None:
            async with places:
                if driver is None:
                    end = await take_part(port, conduct, persona)
                else:
                    end = await driver.take_part(port, conduct, persona, shared, pictures)
            ends[end] += 1
            told(f"{persona.id}: {end}")

        try:
            async with asyncio.TaskGroup() as group:
                for persona in personas:
                    group.create_task(one(persona))
        except* BackburnerError as errors:
            raise Refused(str(errors.exceptions[0])) from errors
    return ends


async def _stopped(server: Listener, serving: asyncio.Task[None]) -> None:
    server.should_exit = True
    await serving


# --- a participant without a browser ----------------------------------------------------------------------


async def take_part(port: int, conduct: Conduct, persona: Persona) -> str:
    """Go through the whole study; how it ended. Raises ``Refused`` where the server will not go on."""
    name, parameter = conduct.study.name, conduct.study.recruitment.participant
    async with connect(f"ws://127.0.0.1:{port}/study/{name}/ws", max_size=None) as socket:
        await _say(socket, pages.Arrive({parameter: persona.id}, "", conduct.study.language))
        done: tuple[int, str] = (-1, "")
        async for text in socket:
            message = pages.told(text)
            if isinstance(message, pages.TurnedAway | protocol.Closed):
                raise Refused(message.why)
            if isinstance(message, pages.StageTold):
                if message.problems:
                    raise Refused(f"stage {message.name}: {message.problems}")
                if message.stage == "end":
                    return message.name
                if (message.position, message.stage) != done:  # told again, as others come and go
                    done = (message.position, message.stage)
                    await _do(socket, port, conduct, persona, message)
    raise Refused("the server has closed the connection")


async def _do(
    socket: ClientConnection, port: int, conduct: Conduct, persona: Persona, stage: pages.StageTold
) -> None:
    match stage.stage:
        case "text":
            await asyncio.sleep(stage.least_seconds)
            await _say(socket, pages.Send(stage.position))
        case "consent":
            ticked = {str(box): "yes" for box in range(len(stage.boxes))}
            await _say(socket, pages.Send(stage.position, {**ticked}, agreed=True))
        case "form":
            one = conduct.cohort.by_recruited(persona.id)
            await _say(socket, pages.Send(stage.position, {} if one is None else persona.answers(one)))
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
