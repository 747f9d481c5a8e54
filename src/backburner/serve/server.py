"""A server as a whole: games in a folder, the site in front of them, and how both begin and end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from msgspec import Struct

from backburner.agents.spec import Clients
from backburner.evaluation.running.calls import NO_END, Budget
from backburner.kernel import packs, registry
from backburner.kernel.clock import Timing
from backburner.kernel.doors import Doors, is_loopback
from backburner.kernel.errors import BackburnerError, Refused
from backburner.kernel.view import View
from backburner.serve.app import Extension, Settings, Site
from backburner.serve.catalogue import ModelEntry, agents_of
from backburner.serve.connections import DEMO, Bounds, Open, protocols
from backburner.serve.game import Game
from backburner.serve.games import MOST_GAMES, Games
from backburner.serve.limits import Secret
from backburner.serve.protocol import MOST_MESSAGE_BYTES, GamePlan
from backburner.serve.seating import RemoteServer

ANYWHERE = ("0.0.0.0", "::", "")  # noqa: S104  # how it is told from others, not where we listen


class Server(Struct, frozen=True, kw_only=True):
    """How a server is run.

    ``addresses``: those by which people reach it, where they are not its own, as behind a proxy; ``proxies``:
    of such, believed when they say from where a request comes. ``token``: opens games; empty where none is
    needed. ``models``: those that people may choose, ``client_of`` where their calls go, ``budget`` what they
    may come to. ``extension``: makes what stands on the site beside the games; its pages may send messages of
    ``most_message_bytes``. ``remote_server``: a server on which games are carried out. ``timing``: what
    thinking costs in games. ``show``: the one game for which the server runs.
    """

    folder: Path
    host: str = "127.0.0.1"
    port: int = 0
    addresses: tuple[str, ...] = ()
    proxies: str = ""
    token: str = ""
    models: tuple[ModelEntry, ...] = ()
    client_of: Clients | None = None
    budget: Budget = NO_END
    most_games: int = MOST_GAMES
    bounds: Bounds = Bounds()
    demo: bool = False
    show: Show | None = None
    extension: Callable[[Games], Extension] | None = None
    remote_server: RemoteServer | None = None
    timing: Timing | None = None
    most_message_bytes: int = MOST_MESSAGE_BYTES

    @property
    def guarded(self) -> bool:
        """Whether more than this machine reaches it."""
        return not is_loopback(self.host) or bool(self.addresses)

    def run(self, opened: Callable[[str], None]) -> int:
        """Serve until Ctrl-C, SIGTERM or SIGHUP; returns how many games go on at the next start.

        ``opened`` is told the page to look at as soon as somebody may come.

        Raises ``Refused`` where it cannot listen, ``BadFile`` for a folder that cannot be used.
        """
        doors = Doors.of_host(self.host, self.addresses)
        with listening(self.host, self.port) as wire:
            site = self._site(doors)
            config = configured(site.app(), self.bounds, self.proxies, self.most_message_bytes)
            listener = Listener(config, lambda: opened(self._page(wire)), site.games.stopping)
            if self.show is not None:
                self.show.stop = listener.stop
            with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
                runner.run(listener.serve(sockets=[wire]))
        return site.left

    def _site(self, doors: Doors) -> Site:
        games = Games(
            self.folder,
            models={entry.name: entry.endpoint for entry in self.models},
            client_of=self.client_of,
            budget=self.budget,
            most_games=self.most_games,
            remote_server=self.remote_server,
            timing=self.timing,
        )
        demo = Demo() if self.demo else None
        shown = self.show or demo
        settings = Settings(
            doors=doors,
            secret=Secret(self.token) if self.token else None,
            models=self.models,
            alias=None if demo is None else demo.look,
            background=None if shown is None else partial(shown.play, games),
            extension=None if self.extension is None else self.extension(games),
            bounds=self.bounds,
            remote_place="" if self.remote_server is None else self.remote_server.place,
        )
        return Site(games, settings)

    def _page(self, wire: socket.socket) -> str:
        """The address to open, with the secret that it takes; that of a ``show`` tells it itself."""
        secret = f"/#{self.token}" if self.token else "/"
        page = f"/watch#{DEMO}" if self.demo else "/watch#" if self.show else secret
        if self.addresses:
            return self.addresses[0].rstrip("/") + page
        host = socket.gethostname() if self.host in ANYWHERE else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{wire.getsockname()[1]}{page}"


# --- how uvicorn runs it --------------------------------------------------------------------------------


SHUTDOWN_SECONDS = 5
PING_SECONDS = 20.0


def configured(
    app: Any, bounds: Bounds, proxies: str = "", most_message_bytes: int = MOST_MESSAGE_BYTES
) -> uvicorn.Config:
    """How uvicorn serves it. ``proxies``: addresses, with commas between them, that say from where a request
    comes; nobody else is believed. ``most_message_bytes``: of a WebSocket, where pages beside the games'
    send longer ones."""
    http, sockets = protocols(Open(bounds))
    return uvicorn.Config(
        app,
        http=http,
        ws=sockets,
        ws_max_size=most_message_bytes,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,  # frames are small, and it takes more time than it saves
        lifespan="on",
        log_config=None,
        log_level="error",  # no addresses, and no paths
        access_log=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or "",
        server_header=False,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        backlog=1024,
    )


class Listener(uvicorn.Server):
    """Ends cleanly when it is asked to, and at once when it is asked twice. ``opened`` is called when it
    listens, ``stopping`` when it is asked to end, before it waits for open requests."""

    def __init__(
        self, config: uvicorn.Config, opened: Callable[[], None], stopping: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(config)
        self._opened, self._stopping = opened, stopping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See ``uvicorn.Server``."""
        await super().startup(sockets)
        if self.started:
            self._opened()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ctrl-C, SIGTERM and SIGHUP end the server, and nothing else; one that is ignored stays so."""
        loop = asyncio.get_running_loop()
        there = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
        former = {name: handler for name in there if (handler := signal.getsignal(name)) != signal.SIG_IGN}
        try:
            for name in former:
                signal.signal(name, lambda number, frame: loop.call_soon_threadsafe(self.stop))
            yield
        finally:
            for name, handler in former.items():
                signal.signal(name, handler)

    def stop(self) -> None:
        """End it; at once, if it is asked for again."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._stopping()


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises ``Refused`` where that cannot be."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=1024)
    except (OSError, OverflowError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        hint = "; name another with --listen PORT, 0 for any that is free" if is_loopback(host) else ""
        raise Refused(f"{host}, port {port}: {why}{hint}") from error


# --- games for onlookers --------------------------------------------------------------------------------


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

    def __init__(self, beat_seconds: float = BEAT_SECONDS, between: float = BETWEEN_SECONDS) -> None:
        self._beat_seconds, self._between = beat_seconds, between
        self._looked = asyncio.Event()
        self._former: Game | None = None
        self.token = ""

    def look(self) -> str:
        """Somebody looks in; the token of the game that they see."""
        self._looked.set()
        return self.token

    async def play(self, games: Games) -> None:
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
                await self._show(games, plan)
            except BackburnerError as error:
                log.warning("%s cannot be shown: %s", scenario, error)
                await asyncio.sleep(self._between)

    async def _show(self, games: Games, plan: GamePlan) -> None:
        opened = await games.create(plan)
        self.token = opened.watch
        if self._former is not None:
            self._former.send_away("the next game begins")
        game = self._former = (await games.admit(opened.watch)).game
        await game.finished.wait()
        await asyncio.sleep(self._between)
        if not game.pages:
            self._looked.clear()
            await self._looked.wait()


LOOK_SECONDS = 0.2


class Show:
    """One game that agents play for onlookers; when it is over and nobody has its page open any more, the
    server ends.

    ``see`` is told of the game, and of the token of its page, as soon as there is one, and again and again
    until it is over. ``patient``: it stays until somebody has looked at it. ``failed``: why it could not be
    opened, or told of. ``stop``: ends the server, which sets it.
    """

    def __init__(self, plan: GamePlan, see: Callable[[Game, str], None], *, patient: bool = False) -> None:
        self._plan, self._see, self._patient = plan, see, patient
        self.failed: BaseException | None = None
        self.stop: Callable[[], None] = lambda: None

    async def play(self, games: Games) -> None:
        """Play it, and end the server."""
        try:
            token = (await games.create(self._plan)).watch
            game = (await games.admit(token)).game
            self._see(game, token)
            looked = False
            while not game.finished.is_set() or game.pages or (self._patient and not looked):
                await asyncio.sleep(LOOK_SECONDS)
                looked = looked or game.pages > 0
                self._see(game, token)
        except (Exception, SystemExit) as error:  # Rich exits where a pipe is broken
            self.failed = error
        self.stop()
