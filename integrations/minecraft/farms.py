"""A small farm for tests, and calls as the article writes them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from backburner.live.messages import (
    Act,
    Acted,
    Area,
    Call,
    Called,
    Observation,
    Observe,
    PlacedBlock,
    PlacedMob,
    Prepare,
    Prepared,
)
from backburner.live.own_server import SECONDS
from backburner.live.worker import Worker

DROPS = {"chicken": [{"chicken": 1, "feather": 2}, {"chicken": 1}], "sheep": [{"mutton": 2, "white_wool": 1}]}
KINDS = ("oak_log", "chest", "furnace", "chicken", "sheep")


async def farm(worker: Worker, **more: Any) -> Prepare:
    """A small farm around the place where alex joined: alex is put into its corner, steve 3 blocks beside."""
    seen = await worker.ask(Observe(), Observation, 30)
    x, y, z = (int(n // 1) for n in seen.bots["alex"].at)
    settings: dict[str, Any] = {
        "area": Area((x - 10, y - 1, z - 10), (x + 20, y + 5, z + 20)),
        "blocks": (
            PlacedBlock("furnace", (x + 2, y, z + 4)),
            PlacedBlock("chest", (x + 6, y, z + 4)),
            PlacedBlock("oak_log", (x, y, z + 3)),
        ),
        "mobs": (PlacedMob("chicken", (x + 3, y, z)), PlacedMob("sheep", (x + 7, y, z + 1))),
        "starts": {"alex": (x, y, z), "steve": (x + 5, y, z + 1)},
        "rules": {"doMobSpawning": "false"},
    }
    return Prepare(**{**settings, **more})


async def build(worker: Worker, **more: Any) -> Prepare:
    wanted = await farm(worker, dry_run=False, **more)
    await worker.ask(wanted, Prepared, 60)
    return wanted


def calls(*spelt: str) -> tuple[Call, ...]:
    """Calls as the article writes them: ``goto(alex, chicken)``."""
    found = []
    for text in spelt:
        verb, _, rest = text.rstrip(")").partition("(")
        bot, *things = [part.strip() for part in rest.split(",")]
        found.append(Call(bot, verb, tuple(things)))
    return tuple(found)


async def act(worker: Worker, *spelt: str, **more: Any) -> Acted:
    return await worker.ask(Act(calls(*spelt), **{"renew": "after", **more}), Acted, 120)


async def until(holds: Callable[[], bool]) -> None:
    """Wait for something that is to be, as long as a busy machine may take."""
    async with asyncio.timeout(SECONDS):
        while not holds():
            await asyncio.sleep(0.01)


def good(acted: Acted) -> list[Called]:
    assert all(call.ok for call in acted.calls), acted.calls
    return list(acted.calls)
