"""A study on the site of the games: participants' pages, their WebSockets, and the games that they play.

``StudySite`` is what stands between ``conduct``, which knows no server, and ``serve``, which knows no study.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from backburner.agents.models.stand_in import is_stand_in
from backburner.agents.spec import is_method
from backburner.kernel.errors import BackburnerError, Refused
from backburner.serve.app import front
from backburner.serve.audience import SendQueue
from backburner.serve.catalogue import ModelEntry
from backburner.serve.connections import carry, first_message, messages
from backburner.serve.games import Games
from backburner.serve.limits import Bucket, Buckets, Unacceptable, client_of
from backburner.serve.protocol import GamePlan, Wanted
from backburner.study import pages
from backburner.study.conduct import Conduct
from backburner.study.design import Player, Study
from backburner.study.games import GameOpened, GameWanted, Running, result_of
from backburner.study.participants import Participant, TurnedAway
from backburner.study.supervisor import Supervisor
from backburner.study.words import UI, direction_of, language_for, text_of, words_of

log = logging.getLogger("backburner.study")

LOOK_SECONDS = 0.5
"""So often is looked whether somebody has waited for long enough."""

BEGIN_SECONDS = 20.0
"""So long a game waits for the pages of those who have come to open it; then it begins with stand-ins."""

LONGEST_WAIT = 86_400.0
"""Seconds that a game waits for the only person in it; ``most_minutes`` ends it before."""

SPEAK_SECONDS, SOME_SPEECHES = 30.0, 20.0
"""A participant changes the language so often at once, and once more after each so many seconds: each change
is an entry that is kept."""

SOME_NOTICES = 60.0
"""So often at once a page tells what it has noticed, and once a second after that; each time is an entry."""

MOST_TABS = 10
"""Pages of one participant that are open at one time."""


def models_of(study: Study, own: Sequence[ModelEntry]) -> tuple[ModelEntry, ...]:
    """The models that the study's conditions name, stand-ins aside: those of the host's file by their names
    there, others as the study file tells where they are."""
    known = {entry.name for entry in own}
    found: dict[str, ModelEntry] = {}
    for condition in study.conditions:
        for player in condition.seats.values():
            if isinstance(player, Player) and player.model and not is_stand_in(player.model):
                name = model_name(player)
                if name not in known:
                    found[name] = ModelEntry(name=name, model=player.model, base_url=player.base_url)
    return (*own, *found.values())


def model_name(player: Player) -> str:
    """By which name a player's model is seated."""
    return f"{player.model} at {player.base_url}" if player.base_url else player.model


def wanted_of(player: Player) -> Wanted:
    """A player of the study file as the server seats players."""
    if is_method(player.agent):
        return Wanted("model", player.agent, model_name(player))
    return Wanted("agent", player.agent)


class StudySite:
    """A study on a site (an ``Extension``)."""

    def __init__(self, conduct: Conduct, games: Games) -> None:
        self.conduct, self.games, self.study = conduct, games, conduct.study
        self._queues: dict[str, dict[SendQueue, pages.Ping]] = defaultdict(dict)
        self._arriving = Buckets(rate=2.0, burst=200.0)
        self._speaking: dict[str, Bucket] = defaultdict(lambda: Bucket(1.0 / SPEAK_SECONDS, SOME_SPEECHES))
        self._noticing: dict[str, Bucket] = defaultdict(lambda: Bucket(1.0, SOME_NOTICES))
        self._watched: set[str] = set()
        self._trouble = ""
        self._beside: set[asyncio.Task[None]] = set()
        self._woken = asyncio.Event()
        self._supervisor = Supervisor(conduct, games, self._queues, self._woken.set)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """The participants' page, what its texts show, its WebSocket; and the researcher's page."""
        return (
            *self._supervisor.routes,
            Route("/study/{name}/media/{file}", self._media, methods=["GET"]),
            Route("/study/{name}", self._page, methods=["GET"]),
            WebSocketRoute("/study/{name}/ws", self._open),
        )

    async def _page(self, request: Request) -> Response:
        if request.path_params["name"] != self.study.name:
            raise Unacceptable(404, "there is no such study")
        return await front(request)

    async def _media(self, request: Request) -> Response:
        media = self.conduct.media.get(request.path_params["file"])
        if request.path_params["name"] != self.study.name or media is None:
            raise Unacceptable(404, "there is no such picture or video")
        return FileResponse(media.path, media_type=media.type)

    async def run(self) -> None:
        """Find partners, open games, end those that take too long; tell pages what has changed."""
        self.conduct.journal.write_beside()
        try:
            for running in self.conduct.running():
                self._watch(running)
            while True:
                await self._look()
                self._woken.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._woken.wait(), LOOK_SECONDS)
        finally:
            for task in self._beside:
                task.cancel()
            self.conduct.close()

    async def _look(self) -> None:
        try:
            await self.conduct.journal.settled()
            self.conduct.tick()
            for wanted in self.conduct.wanted():
                await self._open_game(wanted)
            for running in self.conduct.overdue():
                await self._end(running)
            for running in self.conduct.given_up():
                await self._give_up(running)
            for game in self.conduct.gone():
                await self.games.forget(game)
            self._trouble = ""
        except BackburnerError as error:
            if str(error) != self._trouble:  # it is tried again, and told once
                log.warning("study %s: %s", self.study.name, error)
            self._trouble = str(error)
        with contextlib.suppress(Refused):  # pages are told when they say something
            await self._tell()

    # --- games ---

    async def _open_game(self, wanted: GameWanted) -> None:
        groups, play = self.study.groups, self.study.play
        players = {seat: wanted_of(player) for seat, player in wanted.players.items()}
        plan = GamePlan(
            scenario=wanted.scenario,
            players=players | {seat: Wanted("person") for seat in wanted.people.values()},
            rules=wanted.rules,
            limits=wanted.limits,
            seed=wanted.seed,
            title=text_of(self.study, self.study.title, self.study.language),
            strict=play.strict,
            watch=False,
            stand_in=groups.stand_in,
            quorum=wanted.here,
            lobby_seconds=BEGIN_SECONDS,
            away_seconds=groups.absent_seconds if len(wanted.people) > 1 else LONGEST_WAIT,
            pace_seconds=play.pace_seconds,
            after="lesson" if play.lessons else "nothing",
        )
        opened = await self.games.create(plan)
        self.conduct.opened(wanted, GameOpened(opened.game, opened.host, opened.seats))
        for running in self.conduct.running():
            if running.game == opened.game:
                self._watch(running)

    def _watch(self, running: Running) -> None:
        if running.game not in self._watched:
            self._watched.add(running.game)
            task = asyncio.create_task(self._until_over(running))
            self._beside.add(task)
            task.add_done_callback(self._beside.discard)

    async def _until_over(self, running: Running) -> None:
        """Wait for the end of a game, and keep what its record says."""
        record = b""
        try:
            game = (await self.games.admit(running.host)).game
            if game.over is None:
                await game.finished.wait()
            if game.over is None and not game.failure:
                return  # the server is stopping; the game goes on when it starts again
            record = game.record()
        except Refused as error:
            log.warning("game %s: %s", running.game, error)
        result = await asyncio.to_thread(result_of, record, running.game)
        self.conduct.over(running.game, record, result)
        self._woken.set()

    async def _end(self, running: Running) -> None:
        with contextlib.suppress(Refused):
            (await self.games.admit(running.host)).game.end()

    async def _give_up(self, running: Running) -> None:
        """Somebody has stopped: a stand-in plays their seat, or nobody plays on."""
        still = [id for id in running.people if self._plays(id)]
        if not still:
            await self._end(running)
            return
        with contextlib.suppress(Refused):
            game = (await self.games.admit(running.host)).game
            for id, seat in running.people.items():
                if id not in still:
                    game.seats[seat].leave(True)

    def _plays(self, id: str) -> bool:
        one = self.conduct.cohort.people.get(id)
        return one is not None and one.ended is None

    # --- pages ---

    async def _open(self, socket: WebSocket) -> None:
        if socket.path_params["name"] != self.study.name:
            await socket.close(4404)
            return
        await carry(socket, self._hear)

    async def _hear(self, socket: WebSocket, queue: SendQueue) -> None:
        one = await self._admitted(socket, queue)
        if one is None:
            return
        self._queues[one.id][queue] = pages.Ping()
        self.conduct.come(one.id)
        try:
            self._welcome(queue, one)
            await self._tell()
            self._woken.set()
            async for text in messages(socket, queue):
                await self._take(one.id, queue, pages.said(text))
                await self._tell()
                self._woken.set()
        finally:
            del self._queues[one.id][queue]
            self.conduct.go(one.id)
            self._woken.set()

    async def _admitted(self, socket: WebSocket, queue: SendQueue) -> Participant | None:
        """Who has come; ``None`` for whoever is turned away. Raises ``Refused``."""
        arrive = await first_message(socket, pages.said, pages.Arrive)
        if not self._arriving.of(client_of(socket.scope)).take():
            raise Refused("too many come from this address at once; wait a little and load the page again")
        try:
            one = self.conduct.arrive(arrive.parameters, arrive.token, arrive.language)
        except TurnedAway as away:
            language = language_for(self.study, arrive.language)
            why = text_of(self.study, UI + away.key, language)
            queue.send(pages.written(pages.TurnedAway(why, language, direction_of(language))))
            queue.close(why)
            return None
        await self.conduct.journal.settled()
        if len(self._queues[one.id]) >= MOST_TABS:
            raise Refused("too many pages are open; close the others")
        return one

    def _welcome(self, queue: SendQueue, one: Participant) -> None:
        """Say who has come and in which words they read; ``_tell`` shows them their stage."""
        queue.send(pages.written(pages.Admitted(self.conduct.links.token(one.id))))
        queue.send(pages.written(words_of(self.study, one.language)))
        self.conduct.again(one.id)

    async def _take(self, id: str, queue: SendQueue, message: pages.FromPage) -> None:
        """Do what a participant's page asks for. Raises ``Refused``."""
        match message:
            case pages.Send():
                self.conduct.send(id, message)
                self.conduct.again(id)
            case pages.Speak():
                if not self._speaking[id].take():
                    raise Refused("the language was changed too often; wait a little")
                self.conduct.speak(id, message.language)
                await self.conduct.journal.settled()
                for other in self._queues[id]:
                    self._welcome(other, self.conduct.cohort.one(id))
            case pages.Notice():
                if self._noticing[id].take():
                    self.conduct.notice(id, message)
            case pages.Stop():
                self.conduct.stop(id, delete=message.delete)
            case pages.Read():
                self.conduct.have_read(id, message.number)
            case pages.Ping():
                self._queues[id][queue] = message
                queue.send(pages.written(pages.Pong()))
            case _:
                raise Refused("somebody is here already")

    async def _tell(self) -> None:
        """Show everybody what has changed for them, once it is on disk."""
        await self.conduct.journal.settled()
        for id in self.conduct.changed():
            queues = self._queues.get(id)
            if queues:
                page = pages.written(self.conduct.page(id))
                for queue in queues:
                    queue.send(page)
