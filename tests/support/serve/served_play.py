"""A process that serves games and plays in them as people would, to be killed at any moment and started
again.

``python -m support.serve.served_play FOLDER``: the folder has ``plans.json``, a list of plans. Each line that
it prints is a move that was accepted. With a second argument thinking takes time, at this pace.
People choose options by number, so that every game goes the same way
whenever the process was killed.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import msgspec

from backburner.agents.models.stand_in import stand_in_named
from backburner.agents.spec import Endpoint
from backburner.kernel.clock import Timing
from backburner.serve.protocol import GamePlan, Opened, Over, Turn
from support.serve.serving import Page, serving

MODELS = {"some-model": Endpoint("stand-in:skill=0.9")}


async def serve(folder: Path, pace: str = "") -> None:
    plans = msgspec.json.decode((folder / "plans.json").read_bytes(), type=list[GamePlan])
    async with serving(
        folder / "served",
        models=MODELS,
        client_of=lambda endpoint: stand_in_named(endpoint.model),
        timing=Timing("seconds", pace=pace) if pace else None,
    ) as games:
        await asyncio.gather(
            *(play(games, folder / f"opened-{n}.json", plan) for n, plan in enumerate(plans))
        )


async def play(games, file: Path, plan: GamePlan) -> None:
    if file.exists():
        opened = msgspec.json.decode(file.read_bytes(), type=Opened)
    else:
        opened = await games.create(plan)
        part = file.with_suffix(".part")
        part.write_bytes(msgspec.json.encode(opened))
        part.replace(file)
    # A seat whose name is "away" in the plan has somebody who never comes.
    coming = [seat for seat in opened.seats if plan.players[seat].name != "away"]
    pages = [await Page(games, opened.seats[seat]).open() for seat in coming]
    if not pages:
        pages = [await Page(games, opened.host).open()]
    await asyncio.gather(*(act(page) for page in pages))


async def act(page: Page) -> None:
    number = -1
    while not page.all(Over):
        turns = [turn for turn in page.all(Turn) if turn.number > number]
        if not turns:
            await asyncio.sleep(0.001)
            continue
        turn = turns[-1]
        told = await page.move(turn.number, id=page.last_id + 1, option=turn.number * 7 % len(turn.options))
        assert told.status in ("accepted", "late"), told
        number = turn.number
        sys.stdout.write(f"{page.hello.token[:4]} {number} {told.status}\n")
        sys.stdout.flush()
        await asyncio.sleep(0.004)


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), *sys.argv[2:]))
