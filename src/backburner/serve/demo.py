"""Agents that play for whoever looks in: one game after the other, as long as somebody watches."""

from __future__ import annotations

import asyncio
import logging

from backburner.kernel import packs, registry
from backburner.kernel.errors import BackburnerError, Refused
from backburner.kernel.view import View
from backburner.serve.game import Game
from backburner.serve.games import Games
from backburner.serve.offers import agents_of
from backburner.serve.protocol import GamePlan

log = logging.getLogger("backburner.serve")

BEAT_SECONDS, BETWEEN_SECONDS = 0.8, 12.0
"""How long a step takes at least, and how long the end of a game is shown."""


def scenarios() -> list[tuple[str, str]]:
    """(scenario, agent) of what worlds say that people begin with, where several players are drawn."""
    found = []
    for name in packs.names():
        for path in packs.pack(name).picks:
            try:
                world = registry.world(f"{name}/{path}")
                agents = agents_of(world)
            except BackburnerError as error:
                log.warning("not shown: %s", error)
                continue
            if len(world.seats) > 1 and isinstance(world, View) and agents:
                found.append((world.id, agents[0].name))
    return found


class Demo:
    """Keeps a game going for onlookers. ``token``: that of the game that is played now."""

    def __init__(
        self, games: Games, beat_seconds: float = BEAT_SECONDS, between: float = BETWEEN_SECONDS
    ) -> None:
        self._games, self._beat_seconds, self._between = games, beat_seconds, between
        self._looked = asyncio.Event()
        self._former: Game | None = None
        self.token = ""

    def look(self) -> str:
        """Somebody looks in; the token of the game that they see."""
        self._looked.set()
        return self.token

    async def play(self) -> None:
        """Play until this is cancelled."""
        kitchens = await asyncio.to_thread(scenarios)
        if not kitchens:
            raise Refused("no world that is installed can show several players")
        number = 0
        while True:
            scenario, agent = kitchens[number % len(kitchens)]
            number += 1
            plan = GamePlan(
                scenario,
                stand_in=agent,
                title="Agents play",
                seed=number,
                beat_seconds=self._beat_seconds,
            )
            try:
                await self._show(plan)
            except BackburnerError as error:
                log.warning("%s cannot be shown: %s", scenario, error)
                await asyncio.sleep(self._between)

    async def _show(self, plan: GamePlan) -> None:
        opened = await self._games.create(plan)
        self.token = opened.watch
        if self._former is not None:
            self._former.send_away("the next game begins")
        game = self._former = (await self._games.admit(opened.watch)).game
        await game.finished.wait()
        await asyncio.sleep(self._between)
        if not game.pages:
            self._looked.clear()
            await self._looked.wait()
