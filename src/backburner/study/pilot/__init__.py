"""A rehearsal: the whole study with simulated participants, through the real server."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
from msgspec.structs import replace

from backburner.agents.models.stand_in import StandIn, is_stand_in
from backburner.kernel.doors import Doors
from backburner.kernel.errors import BackburnerError, MissingExtra, Refused
from backburner.kernel.files import write_whole
from backburner.serve.app import Settings, Site
from backburner.serve.connections import Bounds
from backburner.serve.games import Games
from backburner.serve.limits import Secret, new_token
from backburner.serve.server import Listener, configured
from backburner.study.conduct import Conduct
from backburner.study.design import Condition, Player, Study
from backburner.study.hall import Hall
from backburner.study.pages import MOST_BYTES
from backburner.study.pilot import wired
from backburner.study.pilot.persona import Persona, truth_of
from backburner.study.reading import Found, digest_of

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
) -> Counter[str]:
    """Run the whole study with so many simulated participants; how many came to which end.

    ``together``: so many take part at one time. What they go by is written to ``truth.json`` in the folder.

    Raises ``Refused`` where the folder holds data already, or somebody cannot go on; ``MissingExtra`` without
    the library that drives a browser.
    """
    if browser:
        try:
            from backburner.study.pilot import browsed
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] == "backburner":
                raise
            raise MissingExtra("pilot", "study pilot in a browser (or say --without-browser)") from error
        browsed.program()
    if (folder / "journal.jsonl").exists():
        raise Refused(f"{folder} holds data already; name another --folder")
    study = without_models(study)
    truth = truth_of(study)
    conduct = Conduct(Found(study, digest_of(study)), folder, rehearsal=True)
    write_whole(folder / TRUTH, msgspec.json.format(msgspec.json.encode(truth), indent=1) + b"\n")
    personas = [Persona(study, truth, number) for number in range(1, participants + 1)]
    try:
        return asyncio.run(_rehearsed(conduct, personas, browser, together, pictures, told))
    finally:
        conduct.close()


async def _rehearsed(
    conduct: Conduct,
    personas: Sequence[Persona],
    browser: bool,
    together: int,
    pictures: Path | None,
    told: Callable[[str], None],
) -> Counter[str]:
    games = Games(conduct.journal.folder)
    settings = Settings(doors=Doors.of([], []), secret=Secret(new_token()), annex=Hall(conduct, games))
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
        shared = None
        if browser:
            from backburner.study.pilot import browsed

            shared = await stack.enter_async_context(browsed.browser())

        async def one(persona: Persona) -> None:
            async with places:
                if shared is None:
                    end = await wired.take_part(port, conduct, persona)
                else:
                    from backburner.study.pilot import browsed

                    end = await browsed.take_part(port, conduct, persona, shared, pictures)
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
