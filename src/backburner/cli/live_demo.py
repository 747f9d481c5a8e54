"""``live --demo``: play on a Minecraft server of our own, watched in a page, without traces."""

from __future__ import annotations

import secrets
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from backburner.cli.console import out, remark, say
from backburner.cli.grammar import Key, named, read
from backburner.cli.listening import listening_at
from backburner.cli.on_server import OnServer, check_room, node_folder, told_step
from backburner.kernel import registry
from backburner.kernel.doors import is_loopback
from backburner.kernel.errors import BackburnerError, Refused, needs_extra, number
from backburner.kernel.files import check_destination, write_whole
from backburner.kernel.play import SAFETY_CAP
from backburner.live.bots import CHANGED, LISTED
from backburner.live.host import LiveHost, Place, address_in, cell_in
from backburner.live.install import install
from backburner.live.own_server import OwnServer
from backburner.live.stage import Stage, stage_of

if TYPE_CHECKING:
    from backburner.serve.game import Game

SCENARIO = "minecraft/level_1@steps=20"
"""What is played unless something else is said, for 100 seconds."""

SERVER, GAMES = "--server", "games"


class Shown(Struct, frozen=True):
    """How a demo is shown; the field is a key behind where its page is."""

    open: Annotated[bool, Key("yes: open it in a browser.")] = False


class Demo(Struct, frozen=True):
    """What a demo plays, and where. ``server``: of this machine, with keys behind it; ``listen``: where its
    page is; ``record``: where the episode is kept, if anywhere."""

    scenario: str = SCENARIO
    agent: str = "greedy"
    rules: str = "standard"
    limits: str = "article"
    seed: int = 0
    steps: int | None = None
    server: str = ""
    listen: str = ""
    record: Path | None = None

    def play(self) -> None:
        """Get what is missing, play, and leave nothing but npm's packages and the record.

        Raises ``BackburnerError`` for what is missing or fails.
        """
        with needs_extra("serve", "live --demo"):
            from backburner.serve import server as serving
            from backburner.serve.protocol import GamePlan
        on, port = self._server()
        address, tail = named(self.listen)
        host, page_port = listening_at(address, 0)
        shown = read(Shown, tail, "--listen")
        if self.record is not None:
            check_room(self.record)
            check_destination(self.record)
        stage = stage_of(registry.world(self.scenario, rules=self.rules, limits=self.limits))
        setup = install(on.node_folder or node_folder(), remark, server=True)
        with (
            tempfile.TemporaryDirectory(prefix="backburner-live-") as name,
            OwnServer(setup, on.clock, port, version=on.version, folder=Path(name)) as own,
        ):
            own.begin(stage.bots, stage.drops(self.seed))
            remark(f"our server runs at localhost:{own.port}, Minecraft {on.version}; bots join")
            corner = cell_in(on.corner, f"{SERVER}: corner") if on.corner else None
            place = Place(setup, "127.0.0.1", own.port, "offline", on.clock, corner, Path(name))
            place = place._replace(version=on.version, pad=on.pad)
            plan = GamePlan(
                stage.world.id, {}, self.rules, self.limits, self.seed, stand_in=self.agent, after="lesson"
            )
            watching = _Watching(stage, self.steps, shown.open)
            show = serving.Show(plan, watching.see, patient=sys.stdin.isatty())
            site = serving.Server(
                folder=Path(name) / GAMES,
                host=host,
                port=page_port,
                token="" if is_loopback(host) else secrets.token_urlsafe(16),
                remote_server=LiveHost(place, True, _tell, on.person),
                show=show,
            )
            site.run(watching.at)
            if show.failed is not None:
                raise show.failed
            self._end(watching, Path(name) / GAMES)

    def _server(self) -> tuple[OnServer, int]:
        """How play goes on our server, and its port, 0 for any; raises ``Refused`` for another's."""
        address, tail = named(self.server)
        host, port = address_in(address, SERVER) if address else ("localhost", 0)
        if host not in ("localhost", "127.0.0.1"):
            raise Refused(
                f"--demo starts a server of its own, at localhost:PORT; leave it out for that at {host}"
            )
        return read(OnServer, tail, SERVER), port

    def _end(self, watching: _Watching, folder: Path) -> None:
        """How it ended is told, and kept if it is to be; raises ``BackburnerError`` where play failed."""
        from backburner.serve.store import record_file

        game = watching.game
        if game is None:
            return
        if game.failure:
            raise BackburnerError(game.failure)
        if self.record is not None:
            write_whole(self.record, record_file(folder, game.id).read_bytes())
            remark(f"record: {self.record}")
        if game.over is not None and game.over.status == "failed":
            raise BackburnerError(game.over.error)
        figures = ", ".join(f"{name} {number(value)}" for name, value in game.outcome.numbers.items())
        remark(f"over: {figures}; the server and its world are gone")


class _Watching:
    """Tells each step in the terminal, and ends the game after so many. ``game``: once there is one."""

    def __init__(self, stage: Stage, steps: int | None, open_page: bool) -> None:
        self._stage, self._most, self._open_page = stage, steps or SAFETY_CAP, open_page
        self._page = ""
        self._seen, self._steps = 0, 0
        self.game: Game | None = None

    def at(self, page: str) -> None:
        """Where it can be watched, with the token behind it."""
        self._page = page

    def see(self, game: Game, token: str) -> None:
        """See ``serve.server.Show``."""
        if self.game is None:
            self.game = game
            page = f"{self._page}{token}"
            say(page)
            out.file.flush()
            remark("watch it there; all of this ends when it is over and the page is closed, or with Ctrl-C")
            if self._open_page and not webbrowser.open(page):
                remark("no browser can be opened here")
        for entry in game.entries[self._seen :]:
            self._seen += 1
            if self._stage.seat in entry.answers and self._steps < self._most:
                self._steps += 1
                say(*told_step(self._steps, entry, self._stage, game.state))
        if self._steps >= self._most:
            game.end()


def _tell(line: str) -> None:
    """What the bots' side says; but what was changed goes with the server on which it was."""
    if not line.startswith((LISTED, CHANGED)):
        remark(line)
