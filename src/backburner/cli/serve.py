"""``serve``: games for people, agents and models in the browser."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from backburner.cli.agents import UNLIMITED, Spending
from backburner.cli.console import out, remark
from backburner.cli.listening import NETWORK, USUAL_PLACE, Listening, clients_of, token_in
from backburner.cli.on_server import LIVE, NOT_SAID, LiveOption, OnServer
from backburner.kernel.errors import MissingExtra, amount
from backburner.live.host import LiveHost


def serve(
    listening: Listening = USUAL_PLACE,
    folder: Annotated[
        Path, typer.Option("--folder", help="Where games are kept; the next start goes on with them.")
    ] = Path("served"),
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", help="A file with the token that opens games.", rich_help_panel=NETWORK),
    ] = None,
    spending: Spending = UNLIMITED,
    most_games: Annotated[
        int, typer.Option("--most-games", min=1, help="So many games may be open at once.")
    ] = 200,
    server: LiveOption = "",
    on: OnServer = NOT_SAID,
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
    elsewhere = _elsewhere(server, on, folder)
    entries = () if listening.models is None else read_models(listening.models)
    site = Server(
        folder=folder,
        host=listening.host,
        port=listening.port,
        addresses=listening.addresses,
        proxies=listening.proxies,
        models=entries,
        client_of=clients_of(entries),
        budget=spending.budget(),
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


def _elsewhere(server: str, on: OnServer, folder: Path) -> LiveHost | None:
    """The server that is named; raises ``Refused``, also where something is said of one, and none is."""
    if server:
        return LiveHost(on.place(server, LIVE, folder), on.yes, remark, on.persons)
    on.check_unsaid()
    return None


def _tell(page: str) -> None:
    out.print(page, highlight=False, markup=False, soft_wrap=True)
    out.file.flush()
    remark("open it in a browser; Ctrl-C stops the server")
