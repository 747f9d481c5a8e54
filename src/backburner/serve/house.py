"""A server as a whole: games in a folder, the site in front of them, and how both begin and end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from backburner.agents.spec import Clients
from backburner.evaluation.running.calls import NO_END, Budget
from backburner.kernel.doors import Doors, is_loopback
from backburner.serve.app import Annex, Settings, Site
from backburner.serve.demo import Demo
from backburner.serve.elsewhere import Elsewhere
from backburner.serve.games import MOST_GAMES, Games
from backburner.serve.offers import ModelEntry
from backburner.serve.protection import Secret
from backburner.serve.protocol import MOST_MESSAGE_BYTES
from backburner.serve.serving import Server, configured, listening
from backburner.serve.socket import DEMO
from backburner.serve.wires import Bounds

ANYWHERE = ("0.0.0.0", "::", "")  # noqa: S104  # how it is told from others, not where we listen


class House(Struct, frozen=True, kw_only=True):
    """How a server is run.

    ``addresses``: those by which people reach it, where they are not its own, as behind a proxy; ``proxies``:
    of such, believed when they say from where a request comes. ``token``: opens games; empty where none is
    needed. ``models``: those that people may choose, ``client_of`` where their calls go, ``budget`` what they
    may come to. ``annex``: makes what stands on the site beside the games; its pages may send messages of
    ``most_message_bytes``. ``elsewhere``: a server on which games are carried out.
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
    annex: Callable[[Games], Annex] | None = None
    elsewhere: Elsewhere | None = None
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
            server = Server(config, lambda: opened(self._page(wire)))
            with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
                runner.run(server.serve(sockets=[wire]))
        return site.left

    def _site(self, doors: Doors) -> Site:
        games = Games(
            self.folder,
            models={entry.name: entry.endpoint for entry in self.models},
            client_of=self.client_of,
            budget=self.budget,
            most_games=self.most_games,
            elsewhere=self.elsewhere,
        )
        demo = Demo(games) if self.demo else None
        settings = Settings(
            doors=doors,
            secret=Secret(self.token) if self.token else None,
            models=self.models,
            alias=None if demo is None else demo.look,
            beside=None if demo is None else demo.play,
            annex=None if self.annex is None else self.annex(games),
            elsewhere="" if self.elsewhere is None else self.elsewhere.place,
        )
        return Site(games, settings)

    def _page(self, wire: socket.socket) -> str:
        """The address to open, with the secret that it takes."""
        page = f"/watch#{DEMO}" if self.demo else f"/#{self.token}" if self.token else "/"
        if self.addresses:
            return self.addresses[0].rstrip("/") + page
        host = socket.gethostname() if self.host in ANYWHERE else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{wire.getsockname()[1]}{page}"
