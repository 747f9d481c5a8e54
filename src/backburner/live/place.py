"""Where is played live: a server, and the farm's place on it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Literal, NamedTuple

from backburner.kernel.errors import Refused, shorten
from backburner.live.changed import FOLDER, file_for
from backburner.live.crew import Crew, joined
from backburner.live.install import Setup
from backburner.live.messages import Cell, Join


class Place(NamedTuple):
    """A server by host and port, how bots log in, and what leads them: Node's ``setup``, by a ``clock`` that
    goes so much faster than ours. ``corner``: the lowest one of the farm; around the first bot, if ``None``.
    ``folder``: there stands what was changed until it is put back.
    """

    setup: Setup
    host: str
    port: int
    auth: Literal["offline", "microsoft"] = "offline"
    clock: float = 1.0
    corner: Cell | None = None
    folder: Path = FOLDER

    @property
    def address(self) -> str:
        """Host and port, as people write them."""
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    def crew(self, bots: tuple[str, ...], tell: Callable[[str], object]) -> AbstractAsyncContextManager[Crew]:
        """Bots of these names on the server; see ``crew.joined``. Raises ``Refused`` where what was
        changed there before is not put back."""
        join = Join(host=self.host, port=self.port, bots=bots, auth=self.auth)
        file_for(self.folder, join)
        return joined(self.setup, join, self.clock, tell, self.folder)


def address_in(written: str, option: str) -> tuple[str, int]:
    """Host and port; raises ``Refused`` for anything else."""
    if not written:
        raise Refused(f"name the server: {option} HOST:PORT, such as localhost:25565")
    host, colon, port = written.rpartition(":")
    if not (colon and host and port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536):
        raise Refused(f"{option} {shorten(written)!r} is no HOST:PORT, such as localhost:25565")
    return host.strip("[]"), int(port)


def cell_in(written: str, option: str) -> Cell:
    """A block's place; raises ``Refused`` for anything else."""
    try:
        x, y, z = (int(part) for part in written.split(","))
    except ValueError:
        raise Refused(f"{option} {shorten(written)!r} is no X,Y,Z, such as 100,64,-20") from None
    return x, y, z
