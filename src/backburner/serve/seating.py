"""Who may have a seat in the games of a site, and who decides there: agents, models, stand-ins.

Only what the site offers is seated: a name that would run code or read a file is no player here.

Some games are carried out elsewhere as well, by bots on a server of the game itself, for all to see. In such
a game one seat reports what was seen there (``kernel/reported.py``). Whoever carries games out plays
it; without anybody, all is as the rules predict. What is built elsewhere is gone when a game ends, so that no
such game goes on after the site has started again.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Coroutine, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from backburner.agents.models.client import ModelClient
from backburner.agents.models.policy import runs_programs
from backburner.agents.models.stand_in import is_stand_in, stand_in_named
from backburner.agents.planned import world_agents
from backburner.agents.roster import check_spec, make_policy
from backburner.agents.scripted import AsPredictedPolicy
from backburner.agents.spec import GENERAL, AgentSpec, Clients, Endpoint, is_method
from backburner.evaluation.running.calls import Books, Budget, Busy, Journal, JournalKeeper, KeptClient
from backburner.kernel.contract import World
from backburner.kernel.errors import PolicyFailure, Refused, UnknownName, shorten
from backburner.kernel.policy import Policy
from backburner.kernel.reported import Reported, reporter_of, speaker_of
from backburner.kernel.values import Seat
from backburner.serve.catalogue import USUAL_METHOD
from backburner.serve.game import Game
from backburner.serve.players import ComputerPlayer, ModelPlayer, PolicyPlayer, Reporter
from backburner.serve.protocol import GamePlan, Wanted
from backburner.serve.store import Kept, journal_file
from backburner.serve.workers import AgentPlayer, WorkerPool, meeting_of, met

# --- games that are carried out elsewhere ------------------------------------------------------------------


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


# --- seats -------------------------------------------------------------------------------------------------


FAILED = "failed"
"""The ending of an episode whose journal is kept: whoever plays it again has the answers."""

STAND_INS = ("greedy", "random")
"""Who plays for people who are away where nobody is named: the first that the world has."""

CHATTING = Wanted("agent", CHAT)


class Players:
    """Seats agents and models; ``Games`` says what the arguments are."""

    def __init__(
        self,
        folder: Path,
        remote: RemoteGames,
        *,
        models: Mapping[str, Endpoint],
        client_of: Clients | None,
        budget: Budget,
        agents: Sequence[str],
        workers: WorkerPool,
        model_seconds: float,
    ) -> None:
        self._folder, self._remote = folder, remote
        self._models, self._client_of = models, client_of
        self._books, self._agents = Books(budget), tuple(agents)
        self._workers, self._model_seconds = workers, model_seconds
        self._clients: dict[Endpoint, ModelClient] = {}
        self._journals: dict[str, Journal] = {}

    # --- who may be seated ------------------------------------------------------------------------------

    def of_plan(self, plan: GamePlan, world: World[Any, Any, Any]) -> dict[Seat, Wanted]:
        """Who has each seat of a game. Raises ``BackburnerError`` for somebody who is not to be had here, and
        for a seat that the world does not have."""
        players = {seat: self._of_seat(plan, world, seat) for seat in world.seats}
        for seat in plan.players:
            if seat not in world.seats:
                raise UnknownName("seat", seat, world.seats, world.id)
        return players

    def _of_seat(self, plan: GamePlan, world: World[Any, Any, Any], seat: Seat) -> Wanted:
        if seat == reporter_of(world):
            if seat in plan.players:
                raise Refused(f"nobody is seated at {seat}: it reports what is seen elsewhere")
            return self._remote.reporter
        wanted = plan.players.get(seat) or Wanted("agent", plan.stand_in or STAND_INS[0])
        if wanted.kind == "model" and not wanted.name:
            wanted = Wanted("model", USUAL_METHOD, wanted.model)
        if wanted == CHATTING:
            self._remote.check_chat(world, seat)
        else:
            self._check_offered(wanted)
        return wanted

    def _check_offered(self, wanted: Wanted) -> None:
        if wanted.kind == "person":
            return
        if wanted.kind == "model":
            if not is_method(wanted.name):
                raise Refused(f"{shorten(wanted.name)!r} is no method of asking a model")
            if runs_programs(wanted.name):
                raise Refused("no server runs what a model writes as a program")
            if is_stand_in(wanted.model):
                stand_in_named(wanted.model)
            elif wanted.model not in self._models:
                raise UnknownName("model", wanted.model, self._models)
        elif wanted.name not in (offered := {*GENERAL, *world_agents(), *self._agents}):
            raise UnknownName("agent", wanted.name, offered)

    # --- who decides (``game.Seating``) -----------------------------------------------------------------

    async def computer(self, game: Game, seat: Seat, wanted: Wanted) -> ComputerPlayer:
        """An agent or a model for a seat; raises ``BackburnerError``."""
        if seat == reporter_of(game.world):
            return await self._remote.reporting(game, wanted)
        if wanted == CHATTING:
            return self._remote.chat(game, seat)
        self._check_offered(wanted)
        if wanted.kind == "model" and not is_stand_in(wanted.model):
            return self._model(game, wanted)
        return await self._agent(game, seat, wanted.name, wanted.model, standing_in=False)

    async def stand_in(self, game: Game, seat: Seat) -> ComputerPlayer | None:
        """Who plays a seat for somebody who is away; nobody where the world has no such agent, and at the
        seat that reports."""
        if seat == reporter_of(game.world):
            return None
        for name in (game.plan.stand_in,) if game.plan.stand_in else STAND_INS:
            self._check_offered(Wanted("agent", name))
            try:
                return await self._agent(game, seat, name, "", standing_in=True)
            except PolicyFailure:
                if game.plan.stand_in:
                    raise
        return None

    async def _agent(
        self, game: Game, seat: Seat, name: str, model: str, *, standing_in: bool
    ) -> ComputerPlayer:
        key = f"{game.id}/{seat}/{'stand-in' if standing_in else secrets.token_hex(4)}"
        meeting = meeting_of(game.world, key, name, model, seat, game.plan.seed)
        live = game.tick_seconds is not None
        past = None if live else partial(game.past_of, seat, standing_in=standing_in)
        return AgentPlayer(
            self._workers, meeting, await met(self._workers, meeting), game.world, game.state_json, past
        )

    def _model(self, game: Game, wanted: Wanted) -> ComputerPlayer:
        endpoint = self._models[wanted.model]
        spec = AgentSpec(wanted.name, endpoint.model, endpoint.base_url)
        check_spec(spec)
        if game.id not in self._journals:
            try:
                self._journals[game.id] = Journal(journal_file(self._folder, game.id))
            except Busy as error:
                raise Refused(f"another process has the calls of game {game.id}") from error
        keeper = JournalKeeper(self._journals[game.id], self._books)
        return ModelPlayer(make_policy(spec, game.world, self._client), keeper, self._model_seconds)

    def _client(self, endpoint: Endpoint) -> ModelClient:
        if endpoint not in self._clients:
            if self._client_of is None:
                raise Refused("this server asks no models")
            self._clients[endpoint] = KeptClient(self._client_of(endpoint))
        return self._clients[endpoint]

    # --- the end ----------------------------------------------------------------------------------------

    def leave(self, game: Game) -> None:
        """A game is over, or can go no further: nobody decides in it any more."""
        self._workers.forget(f"{game.id}/")
        if (journal := self._journals.pop(game.id, None)) is None:
            return
        if game.over is not None and game.over.status != FAILED:
            journal.remove()
        journal.__exit__(None, None, None)

    async def close(self) -> None:
        """Nobody decides in any game."""
        await self._workers.close()
        for client in self._clients.values():
            await client.aclose()
        for journal in self._journals.values():
            journal.__exit__(None, None, None)
