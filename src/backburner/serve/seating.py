"""Who may have a seat in the games of a site, and who decides there: agents, models, stand-ins.

Only what the site offers is seated: a name that would run code or read a file is no player here.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from backburner.agents.models.client import ModelClient
from backburner.agents.models.stand_in import is_stand_in, stand_in_named
from backburner.agents.planned import world_agents
from backburner.agents.roster import check_spec, make_policy
from backburner.agents.spec import GENERAL, AgentSpec, Clients, Endpoint, is_method
from backburner.evaluation.running.calls import (
    Books,
    Budget,
    Busy,
    Journal,
    JournalKeeper,
    KeptClient,
)
from backburner.kernel.contract import World
from backburner.kernel.errors import PolicyFailure, Refused, UnknownName, shorten
from backburner.kernel.reported import reporter_of
from backburner.kernel.values import Seat
from backburner.serve.catalogue import USUAL_METHOD
from backburner.serve.game import Game
from backburner.serve.players import AgentPlayer, ComputerPlayer, ModelPlayer, meeting_of, met
from backburner.serve.protocol import GamePlan, Wanted
from backburner.serve.remote_play import CHAT, RemoteGames
from backburner.serve.store import journal_file
from backburner.serve.workers import WorkerPool

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
