"""Servers of games, environments and studies: where they listen, who is let in, which models play."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer
from msgspec import Struct

from backburner.cli.agents import client_of, headers_in
from backburner.cli.grammar import Key, about, keys_of, named, read
from backburner.kernel.errors import BadFile, Refused, shorten
from backburner.kernel.files import read_regular

if TYPE_CHECKING:
    from backburner.agents.models.client import ModelClient
    from backburner.agents.spec import Endpoint
    from backburner.serve.catalogue import ModelEntry

NETWORK = "Addresses and access"
"""The panel of who reaches a server."""

GAMES_PORT = 8765
"""The port of games, if no other is named."""

AddressOption = Annotated[
    list[str] | None,
    typer.Option(
        "--address",
        help="The address that people use, if it is another, as behind a proxy; may be repeated.",
        rich_help_panel=NETWORK,
    ),
]


def listens_at(port: int) -> str:
    """What help says of where a server listens."""
    return f"Where to listen; else 127.0.0.1:{port}. Port 0: any that is free."


def listen_option(port: int) -> Any:
    """The option that says where a server listens, by default at this port of this machine."""
    return typer.Option(
        "--listen",
        metavar="[HOST:]PORT",
        help=listens_at(port),
        rich_help_panel=NETWORK,
    )


def listening_at(written: str, usual: int) -> tuple[str, int]:
    """Host and port of ``HOST:PORT`` or ``PORT``, by default the usual one; raises ``Refused``."""
    host, _, port = (written or str(usual)).rpartition(":")
    if not (port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        raise Refused(f"--listen {shorten(written)}: write HOST:PORT, such as 0.0.0.0:{usual}")
    return host.strip("[]") or "127.0.0.1", int(port)


class Behind(Struct, frozen=True):
    """What stands before a server; the field is a key behind the address that people use."""

    proxy: Annotated[str, Key("The proxy's own address, believed when it says who asks; else 127.0.0.1.")] = (
        "127.0.0.1"
    )


class Room(Struct, frozen=True):
    """What one address may do, as a laboratory behind one needs it; each field is a key behind where to
    listen."""

    connections: Annotated[int, Key("From one address at one time; else 64.", least=1, most=100_000)] = 64
    wrong: Annotated[int, Key("Wrong links from one address at once; else 30.", least=1, most=100_000)] = 30


class Listening(Struct, frozen=True):
    """Where a server of games listens, and who is before it."""

    PANEL: ClassVar[str] = NETWORK

    listen: Annotated[
        str,
        typer.Option(
            "--listen",
            metavar="[HOST:]PORT[@KEY=VALUE,...]",
            help=about(keys_of(Room), listens_at(GAMES_PORT)),
        ),
    ] = ""
    address: Annotated[
        list[str] | None,
        typer.Option(
            "--address",
            metavar="URL[@KEY=VALUE]",
            help=about(
                keys_of(Behind),
                "The address that people use, if it is another, as behind a proxy; may be repeated.",
            ),
        ),
    ] = None
    models: Annotated[
        Path | None,
        typer.Option("--models", help="A JSON file: models by name, with headers and addresses."),
    ] = None

    @property
    def host(self) -> str:
        """The address to listen at."""
        return listening_at(named(self.listen)[0], GAMES_PORT)[0]

    @property
    def port(self) -> int:
        """The port to listen at."""
        return listening_at(named(self.listen)[0], GAMES_PORT)[1]

    @property
    def room(self) -> Room:
        """What one address may do."""
        return read(Room, named(self.listen)[1], "--listen")

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses that people use."""
        return tuple(named(each)[0] for each in self.address or ())

    @property
    def proxies(self) -> str:
        """Who is believed when it says who asks: nobody where people use the server's own address."""
        behind = (read(Behind, named(each)[1], "--address").proxy for each in self.address or ())
        return ",".join(dict.fromkeys(behind))


USUAL_PLACE = Listening()
"""Where nothing is said."""

LEAST_TOKEN = 20
"""Characters of a token that somebody else has made."""

_TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{LEAST_TOKEN},200}}")


def clients_of(entries: Sequence[ModelEntry]) -> Callable[[Endpoint], ModelClient]:
    """Makes the client of a model, with the headers of the host's file; raises ``Refused`` at once for one
    that cannot be sent."""
    headers = {
        entry.endpoint: headers_in([f"{name}={value}" for name, value in entry.headers.items()])
        for entry in entries
    }
    return lambda endpoint: client_of(endpoint, headers=headers.get(endpoint))


def token_in(file: Path) -> str:
    """The token in a file; raises ``BadFile``."""
    try:
        token = read_regular(file, 1000).decode("ascii").strip()
    except UnicodeDecodeError:
        token = ""
    if not _TOKEN.fullmatch(token):
        raise BadFile(file, "", f"holds no token: {LEAST_TOKEN} or more letters, digits, - and _ in one line")
    return token
