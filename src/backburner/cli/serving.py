"""``serve``: games for people, agents and models in the browser."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace

from backburner.cli.agents import (
    CALLS,
    MaxCallsOption,
    MaxSpentMoneyOption,
    MaxSpentTokensOption,
    PricesOption,
    client_of,
    headers_in,
)
from backburner.cli.common import out, remark
from backburner.cli.on_server import LIVE, NOT_SAID, LiveOption, OnServer, PersonOption, on_server
from backburner.cli.playing import budget_of
from backburner.kernel.errors import BadFile, MissingExtra, amount
from backburner.kernel.files import read_regular
from backburner.live.host import LiveHost

if TYPE_CHECKING:
    from backburner.agents.models.client import ModelClient
    from backburner.agents.spec import Endpoint
    from backburner.serve.catalogue import ModelEntry

LEAST_TOKEN = 20
"""Characters of a token that somebody else has made."""

NETWORK = "Addresses and access"
"""The panel of who reaches a server."""

PortOption = Annotated[
    int,
    typer.Option("--port", min=0, max=65535, help="0: any that is free.", rich_help_panel=NETWORK),
]
AddressOption = Annotated[
    list[str] | None,
    typer.Option(
        "--address",
        help="The address that people use, if it is another, as behind a proxy; may be repeated.",
        rich_help_panel=NETWORK,
    ),
]
ProxyOption = Annotated[
    str,
    typer.Option(
        "--proxy",
        help="The proxy's own address, believed when it says who asks.",
        rich_help_panel=NETWORK,
    ),
]
ModelsOption = Annotated[
    Path | None,
    typer.Option(
        "--models",
        help="A JSON file: models by name, with headers and addresses.",
        rich_help_panel=CALLS,
    ),
]

_TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{LEAST_TOKEN},200}}")


@on_server
def serve(
    host: Annotated[
        str,
        typer.Option(
            "--host",
            help="The address to listen at; any but this machine's needs a token.",
            rich_help_panel=NETWORK,
        ),
    ] = "127.0.0.1",
    port: PortOption = 8765,
    folder: Annotated[
        Path, typer.Option("--folder", help="Where games are kept; the next start goes on with them.")
    ] = Path("served"),
    address: AddressOption = None,
    proxy: ProxyOption = "127.0.0.1",
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", help="A file with the token that opens games.", rich_help_panel=NETWORK),
    ] = None,
    models: ModelsOption = None,
    max_calls: MaxCallsOption = None,
    max_spent_tokens: MaxSpentTokensOption = None,
    max_spent_money: MaxSpentMoneyOption = None,
    prices: PricesOption = None,
    most_games: Annotated[
        int, typer.Option("--most-games", min=1, help="So many games may be open at once.")
    ] = 200,
    server: LiveOption = "",
    on: OnServer = NOT_SAID,
    person: PersonOption = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Agents play at once, again and again, for you to watch.")
    ] = False,
) -> None:
    """Play in the browser: with friends, agents and models. Prints the address; Ctrl-C ends it.

    Games are kept in the folder, and the next start goes on with those that are not over. Who reaches the
    address may open games; where that is more than this machine, it takes the token that is printed with it.
    With --live bots carry games out on a Minecraft server, one at a time, where the scenario can be; whoever
    opens one agrees to its changes there, unless --yes does for all.
    """
    try:
        from backburner.serve.catalogue import read_models
        from backburner.serve.server import Server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "backburner":
            raise
        raise MissingExtra("serve", "serve") from error
    elsewhere = _elsewhere(server, on, folder, person or ())
    entries = () if models is None else read_models(models)
    site = Server(
        folder=folder,
        host=host,
        port=port,
        addresses=tuple(address or ()),
        proxies=proxy if address else "",
        models=entries,
        client_of=clients_of(entries),
        budget=budget_of(max_calls, max_spent_tokens, max_spent_money, None, prices),
        most_games=most_games,
        demo=demo,
        elsewhere=elsewhere,
    )
    if token_file is not None:
        site = replace(site, token=token_in(token_file))
    elif site.guarded:
        site = replace(site, token=secrets.token_urlsafe(16))
    left = site.run(_tell)
    go = "goes" if left == 1 else "go"
    kept = f"; {amount(left, 'games')} {go} on at the next start" if left else ""
    remark(f"stopped; games are kept in {folder}{kept}")


def _elsewhere(server: str, on: OnServer, folder: Path, persons: Sequence[str]) -> LiveHost | None:
    """The server that is named; raises ``Refused``, also where something is said of one, and none is."""
    if server:
        return LiveHost(on.place(server, LIVE, folder), on.yes, remark, persons)
    on.check_unsaid(persons)
    return None


def _tell(page: str) -> None:
    out.print(page, highlight=False, markup=False, soft_wrap=True)
    out.file.flush()
    remark("open it in a browser; Ctrl-C stops the server")


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
