"""Games that are carried out elsewhere as well: by bots on a server of the game itself, for all to see.

In such a game one seat reports what was seen there (``kernel/reported.py``). Whoever carries games out plays
it; without anybody, all is as the rules predict. What is built elsewhere is gone when a game ends, so that no
such game goes on after the site has started again.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

from backburner.agents.scripted import AsPredictedPolicy
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.policy import Policy
from backburner.kernel.reported import Reported, reporter_of, speaker_of
from backburner.kernel.values import Seat
from backburner.serve.game import Game
from backburner.serve.players import PolicyPlayer, Reporter
from backburner.serve.protocol import GamePlan, Wanted
from backburner.serve.store import Kept

LIVE, PREDICTED = "live", AsPredictedPolicy.name
"""Who has the seat that reports, as the store and pages call it."""

CHAT = "chat"
"""The agent that says what persons have said in the chat there."""


class RemoteServer(Protocol):
    """A server on which games are carried out, one at a time."""

    @property
    def place(self) -> str:
        """What people call it, such as ``localhost:25565``."""

    async def changes(self, world: World[Any, Any, Any]) -> Sequence[str]:
        """What a game would change there, a line each, for whoever opens it to agree to; nothing is changed.
        There is none where everybody has agreed beforehand. Raises ``BackburnerError``."""

    async def begin(self, game: str, world: World[Any, Any, Any]) -> Policy:
        """Make these changes, and give who plays the seat that reports.

        Raises ``BackburnerError``; ``Refused`` while another game is played there.
        """

    def chat(self, game: str, world: World[Any, Any, Any]) -> Policy:
        """Who says, at the seat for that, what persons will have said there in a game's time; of a game that
        is played already, from now on."""

    async def end(self, game: str) -> None:
        """Put back what was changed for a game, if anything was; never raises ``BackburnerError``."""

    async def close(self) -> None:
        """No further games."""


class Unconfirmed(Refused):
    """A game is not opened before somebody agrees to ``changes`` on the server at ``place``."""

    def __init__(self, place: str, changes: Sequence[str]) -> None:
        self.place, self.changes = place, tuple(changes)
        super().__init__(f"nobody has agreed to the {len(changes)} changes that this game makes on {place}")


IDLE_SECONDS, LOOK_SECONDS = 600.0, 5.0
"""A game with people ends, so that others may play there, when none of its pages was open for so long."""


class RemoteGames:
    """Those games, and where; nowhere, if there is no server: then all is as the rules predict."""

    def __init__(self, remote_server: RemoteServer | None) -> None:
        self._server, self.idle_seconds = remote_server, IDLE_SECONDS
        self._games: dict[str, Game] = {}
        self._beside: set[asyncio.Task[None]] = set()

    @property
    def reporter(self) -> Wanted:
        """Who has the seat that reports in a new game."""
        return Wanted("agent", LIVE if self._server is not None else PREDICTED)

    async def check_agreed(self, plan: GamePlan, world: World[Any, Any, Any]) -> None:
        """Raises ``Unconfirmed`` for a game that changes things to which nobody has agreed, and what
        ``RemoteServer.changes`` raises."""
        if self._server is None or not reporter_of(world) or plan.agreed:
            return
        if changes := await self._server.changes(world):
            raise Unconfirmed(self._server.place, changes)

    async def reporting(self, game: Game, wanted: Wanted) -> Reporter:
        """Who plays the seat that reports; what the game needs elsewhere is there then. Raises
        ``BackburnerError``."""
        if wanted.name != LIVE or self._server is None or game.ending:
            return Reporter(AsPredictedPolicy())
        policy = await self._server.begin(game.id, game.world)
        self._games[game.id] = game
        return Reporter(policy)

    def check_chat(self, world: World[Any, Any, Any], seat: Seat) -> None:
        """Raises ``Refused`` for a seat whose words nobody says in the chat of a server."""
        if self._server is None:
            raise Refused(f"{CHAT} cannot play {seat}: no game is carried out on a server here")
        if not reporter_of(world):
            so = f"; {'='.join(world.live_option)} has it so" if isinstance(world, Reported) else ""
            raise Refused(f"{CHAT} cannot play {seat}: {world.id} is not played on a server{so}")
        if not speaker_of(world):
            raise Refused(f"{CHAT} cannot play {seat}: in {world.id} nobody instructs")
        if seat != speaker_of(world):
            raise Refused(f"{CHAT} cannot play {seat}: what is said there are words of {speaker_of(world)}")

    def chat(self, game: Game, seat: Seat) -> PolicyPlayer:
        """Who says what persons have said in the chat; raises ``Refused``."""
        if game.ending:  # nobody is asked any more
            return PolicyPlayer(AsPredictedPolicy())
        self.check_chat(game.world, seat)
        assert self._server is not None  # noqa: S101  # as was checked
        return PolicyPlayer(self._server.chat(game.id, game.world))

    def begun(self, game: Game) -> None:
        """A game starts: it ends when nobody looks at it any more."""
        if game.id in self._games and any(seat.is_person for seat in game.seats.values()):
            self._spawn(self._watch(game))

    async def _watch(self, game: Game) -> None:
        seen = time.monotonic()
        while not game.finished.is_set():
            if game.pages:
                seen = time.monotonic()
            elif time.monotonic() - seen >= self.idle_seconds:
                game.end()
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(LOOK_SECONDS, self.idle_seconds)):
                    await game.finished.wait()

    def ended(self, id: str) -> None:
        """A game is over, or was not opened after all: what it changed is put back."""
        if self._games.pop(id, None) is not None and self._server is not None:
            self._spawn(self._server.end(id))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    async def close(self) -> None:
        """End all of them, and wait until everything is put back."""
        for game in tuple(self._games.values()):
            game.end()
            await game.finished.wait()
        while self._beside:
            await asyncio.gather(*self._beside, return_exceptions=True)
        if self._server is not None:
            await self._server.close()


def goes_on(kept: Kept, world: World[Any, Any, Any]) -> bool:
    """Whether a game can go on after the site has started again: what was built elsewhere is gone."""
    reporter = reporter_of(world)
    return not reporter or kept.players[reporter][-1][1].name != LIVE
