"""Servers of games, environments and studies: where they listen, who is let in, which models play."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer
from msgspec import Struct

from backburner.cli.agents import client_of, headers_in
from backburner.kernel.errors import BadFile
from backburner.kernel.files import read_regular

if TYPE_CHECKING:
    from backburner.agents.models.client import ModelClient
    from backburner.agents.spec import Endpoint
    from backburner.serve.catalogue import ModelEntry

NETWORK = "Addresses and access"
"""The panel of who reaches a server."""

AddressOption = Annotated[
    list[str] | None,
    typer.Option(
        "--address",
        help="The address that people use, if it is another, as behind a proxy; may be repeated.",
        rich_help_panel=NETWORK,
    ),
]


class Listening(Struct, frozen=True):
    """Where a server of games listens, and who is before it."""

    PANEL: ClassVar[str] = NETWORK

    host: Annotated[str, typer.Option("--host", help="The address to listen at.")] = "127.0.0.1"
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")] = 8765
    address: AddressOption = None
    proxy: Annotated[
        str, typer.Option("--proxy", help="The proxy's own address, believed when it says who asks.")
    ] = "127.0.0.1"
    models: Annotated[
        Path | None,
        typer.Option("--models", help="A JSON file: models by name, with headers and addresses."),
    ] = None

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses that people use."""
        return tuple(self.address or ())

    @property
    def proxies(self) -> str:
        """Who is believed when it says who asks: nobody where people use the server's own address."""
        return self.proxy if self.address else ""


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
