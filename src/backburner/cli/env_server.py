"""``env-server``: the worlds as environments for language models that are trained, over OpenEnv."""

from __future__ import annotations

import secrets
import socket
from pathlib import Path
from typing import Annotated, ClassVar

import typer
from msgspec import Struct
from msgspec.structs import asdict

from backburner.cli import completion
from backburner.cli.console import out, remark
from backburner.cli.listening import NETWORK, AddressOption, token_in
from backburner.cli.options import LimitsOption, RulesOption
from backburner.kernel.doors import Doors, is_loopback
from backburner.kernel.errors import MissingExtra, Refused, amount
from backburner.training.conversation import Setting
from backburner.training.offer import offer_of


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


USUAL = OfPlay()
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
    of_play: OfPlay = USUAL,
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
        from backburner.training.openenv.server import application, serve
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

    serve(app, listening, tell)


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=1024)
    except (OSError, OverflowError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise Refused(f"{host}, port {port}: {why}; name another with --port") from error
