"""``serve`` and ``env-server``: games in the browser, environments for models that are trained."""

from __future__ import annotations

import secrets
import socket
from pathlib import Path
from typing import Annotated, ClassVar

import typer
from msgspec import Struct
from msgspec.structs import asdict, replace

from backburner.cli import completion
from backburner.cli.agents import UNLIMITED, Spending
from backburner.cli.console import out, remark
from backburner.cli.listening import NETWORK, USUAL_PLACE, AddressOption, Listening, clients_of, token_in
from backburner.cli.on_server import LIVE, NOT_SAID, LiveOption, OnServer
from backburner.cli.options import LimitsOption, RulesOption
from backburner.kernel.doors import Doors, is_loopback
from backburner.kernel.errors import MissingExtra, Refused, amount
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
        remote_server=elsewhere,
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


# --- environments for language models ----------------------------------------------------------------------


class OfPlay(Struct, frozen=True):
    """How every episode is played, as ``Setting`` has it; each field is an option."""

    PANEL: ClassVar[str] = "How episodes are played"

    reward: Annotated[
        str,
        typer.Option(
            "--reward",
            help="metric: the main metric at the end, from 0 to 1. Where a world has numbers for its states"
            " also sparse, score, potential, and its article's own.",
        ),
    ] = "metric"
    discount: Annotated[float, typer.Option("--discount", min=0, max=1, help="Of the reward potential.")] = (
        1.0
    )
    pay: Annotated[
        str,
        typer.Option("--pay", help="whole, or relative: what the seat adds to what its partners get alone."),
    ] = "whole"
    method: Annotated[str, typer.Option("--method", help="The prompting method that words what is told.")] = (
        "act"
    )
    seat: Annotated[str, typer.Option("--seat", help="The learner's seat; the first one if not said.")] = ""
    partners: Annotated[
        str,
        typer.Option(
            "--partners",
            help="Agents for the other seats: one for all, or a+b.",
            autocompletion=completion.agents,
        ),
    ] = ""
    rules: RulesOption = "standard"
    limits: LimitsOption = "article"


PLAYED_AS_USUAL = OfPlay()
"""Where nothing is said."""


def env_server(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SCENARIO_OR_SUITE]...",
            help="What clients may ask for. Without any: each world's quick suite, if it can be played so.",
            autocompletion=completion.scenarios,
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            help="The address to listen at; any but this machine's needs a token.",
            rich_help_panel=NETWORK,
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="0: any that is free.", rich_help_panel=NETWORK)
    ] = 8000,
    of_play: OfPlay = PLAYED_AS_USUAL,
    most_sessions: Annotated[
        int, typer.Option("--most-sessions", min=1, max=4096, help="So many sessions may be open at once.")
    ] = 64,
    idle_minutes: Annotated[
        float, typer.Option("--idle-minutes", min=0.1, help="A session that says nothing so long is closed.")
    ] = 60.0,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            help="A file with the token that clients have to send.",
            rich_help_panel=NETWORK,
        ),
    ] = None,
    records: Annotated[
        Path | None, typer.Option("--records", help="A folder for the records of episodes that are over.")
    ] = None,
    addresses: AddressOption = None,
) -> None:
    """The worlds as environments for training language models, over OpenEnv.

    Prints the address; Ctrl-C ends it. A client resets with a seed and a scenario, and steps with texts.
    Whoever reaches the address may play; where that is more than this machine, it takes a token.
    """
    try:
        from backburner.training.conversation import Setting
        from backburner.training.offer import offer_of
        from backburner.training.openenv.server import application
        from backburner.training.openenv.server import serve as serve_environments
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "backburner":
            raise
        raise MissingExtra("openenv", "env-server") from error
    doors = Doors.of_host(host, addresses or ())
    offer = offer_of(names or (), Setting(**asdict(of_play)), records)
    listening = _listening(host, port)
    name, number = listening.getsockname()[:2]
    token = "" if token_file is None else token_in(token_file)
    if not token and (addresses or not is_loopback(name.partition("%")[0])):
        token = secrets.token_urlsafe(16)
    app = application(offer, doors, most_sessions=most_sessions, idle_seconds=60 * idle_minutes, token=token)
    address = f"http://{f'[{name}]' if ':' in name else name}:{number}"

    def tell() -> None:
        out.print(address, highlight=False, markup=False, soft_wrap=True)
        out.file.flush()
        if token and token_file is None:
            remark(f"clients send the header Authorization: Bearer {token}")
        remark(f"{amount(len(offer.scenarios), 'scenarios')}; Ctrl-C stops the server")

    serve_environments(app, listening, tell)


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=1024)
    except (OSError, OverflowError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise Refused(f"{host}, port {port}: {why}; name another with --port") from error
