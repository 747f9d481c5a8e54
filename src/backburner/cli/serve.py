"""``serve`` and ``env-server``: games in the browser, environments for models that are trained."""

from __future__ import annotations

import secrets
import socket
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

import typer
from msgspec import Struct
from msgspec.structs import asdict, replace

from backburner.cli import completion
from backburner.cli.agents import UNLIMITED, Spending
from backburner.cli.clocks import Clocking, Manner
from backburner.cli.console import out, remark, say
from backburner.cli.grammar import Key, Keyed, about, keys_of, named, read
from backburner.cli.listening import (
    NETWORK,
    USUAL_PLACE,
    AddressOption,
    Listening,
    clients_of,
    listen_option,
    listening_at,
    token_in,
)
from backburner.cli.on_server import LIVE, LiveOption, place_of
from backburner.cli.options import PlayOfOne
from backburner.kernel.clock import Timing
from backburner.kernel.doors import Doors, is_loopback
from backburner.kernel.errors import Refused, amount, needs_extra
from backburner.live.host import LiveHost


class AllGames(Keyed, frozen=True):
    """What holds for all games of a server."""

    OPTION: ClassVar[Any] = typer.Option(
        "--games",
        "--most-games",
        metavar="KEY=VALUE,...",
        help="How many, and how they are played. A number by itself: most.",
    )

    most: Annotated[int, Key("So many may be open at once; else 200.", least=1)] = 200
    clock: Annotated[
        str,
        Key(
            "seconds: what people and models take passes in the world; live games aside.", values=("seconds",)
        ),
    ] = ""
    pace: Annotated[str, Key("Seconds of the world for one of thinking; else 1.")] = ""
    demo: Annotated[bool, Key("yes: agents play at once, again and again, for you to watch.")] = False

    @classmethod
    def said(cls, written: Any) -> Self:
        """See ``Keyed``."""
        return super().said(f"most={written}" if written and "=" not in written else written)

    @property
    def timing(self) -> Timing | None:
        """What thinking costs; raises ``Refused``."""
        if self.pace and not self.clock:
            raise Refused("--games: pace is said with clock=seconds")
        return Clocking(self.clock, manner=Manner(pace=self.pace or "1")).timings()[0]


GAMES_AS_USUAL = AllGames()


def serve(
    listening: Listening = USUAL_PLACE,
    folder: Annotated[
        Path, typer.Option("--folder", help="Where games are kept; the next start goes on with them.")
    ] = Path("served"),
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", help="A file with the token that opens games.", rich_help_panel=NETWORK),
    ] = None,
    budget: Spending = UNLIMITED,
    games: AllGames = GAMES_AS_USUAL,
    live: LiveOption = "",
) -> None:
    """Play in the browser: with friends, agents and models. Prints the address; Ctrl-C ends it.

    Games are kept in the folder, and the next start goes on with those that are not over. Who reaches the
    address may open games; where that is more than this machine, it takes the token that is printed with it.
    With --live bots carry games out on a Minecraft server, one at a time, where the scenario can be; whoever
    opens one agrees to its changes there, unless agreed=yes does for all.
    """
    with needs_extra("serve", "serve"):
        from backburner.serve.catalogue import read_models
        from backburner.serve.connections import Bounds
        from backburner.serve.server import Server
    elsewhere = _elsewhere(live, folder)
    entries = () if listening.models is None else read_models(listening.models)
    site = Server(
        folder=folder,
        host=listening.host,
        port=listening.port,
        addresses=listening.addresses,
        proxies=listening.proxies,
        bounds=Bounds(of_one_address=listening.room.connections, wrong_tokens=listening.room.wrong),
        models=entries,
        client_of=clients_of(entries),
        budget=budget.budget(),
        most_games=games.most,
        demo=games.demo,
        remote_server=elsewhere,
        timing=games.timing,
    )
    if token_file is not None:
        site = replace(site, token=token_in(token_file))
    elif site.guarded:
        site = replace(site, token=secrets.token_urlsafe(16))
    left = site.run(_tell)
    go = "goes" if left == 1 else "go"
    kept = f"; {amount(left, 'games')} {go} on at the next start" if left else ""
    remark(f"stopped; games are kept in {folder}{kept}")


def _elsewhere(live: str, folder: Path) -> LiveHost | None:
    """The server on which bots carry games out, if one is named; raises ``Refused``."""
    if not live:
        return None
    place, on = place_of(live, LIVE, folder)
    return LiveHost(place, on.agreed, remark, on.person)


def _tell(page: str) -> None:
    say(page)
    out.file.flush()
    remark("open it in a browser; Ctrl-C stops the server")


# --- environments for language models ----------------------------------------------------------------------


class Paid(Struct, frozen=True):
    """How a reward is paid; each field is a key behind its name."""

    discount: Annotated[float, Key("Of the reward potential; else 1.", least=0, most=1)] = 1.0
    pay: Annotated[str, Key("whole, or relative: what the seat adds to what its partners get alone.")] = (
        "whole"
    )


class PlayOfLearners(PlayOfOne, frozen=True):
    """How every episode is played."""

    OPTION: ClassVar[Any] = typer.Option("--play", metavar="KEY=VALUE,...", help="Who plays, and how.")

    method: Annotated[str, Key("The prompting method that words what is told; else act.", free=True)] = "act"


PLAYED_AS_USUAL = PlayOfLearners()
"""Where nothing is said."""


class Sessions(Keyed, frozen=True):
    """Who plays at one time, and what is kept of it."""

    OPTION: ClassVar[Any] = typer.Option(
        "--sessions", metavar="KEY=VALUE,...", help="How many, how long, and what is kept."
    )

    most: Annotated[int, Key("So many may be open at once; else 64.", least=1, most=4096)] = 64
    idle_minutes: Annotated[float, Key("One that says nothing so long is closed; else 60.", least=0.1)] = 60.0
    records: Annotated[Path | None, Key("A folder for the records of episodes that are over.", free=True)] = (
        None
    )


AS_MANY_AS_USUAL = Sessions()

ENVIRONMENTS_PORT = 8000
"""The port of environments, if no other is named."""


def env_server(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SCENARIO_OR_SUITE]...",
            help="What clients may ask for. Without any: each world's quick suite, if it can be played so.",
            autocompletion=completion.scenarios,
        ),
    ] = None,
    listen: Annotated[str, listen_option(ENVIRONMENTS_PORT)] = "",
    reward: Annotated[
        str,
        typer.Option(
            "--reward",
            metavar="NAME[@KEY=VALUE,...]",
            help=about(
                keys_of(Paid),
                "metric: the main metric at the end, from 0 to 1. Where a world has numbers for its states"
                " also sparse, score, potential, and its article's own.",
            ),
        ),
    ] = "metric",
    playing: PlayOfLearners = PLAYED_AS_USUAL,
    sessions: Sessions = AS_MANY_AS_USUAL,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            help="A file with the token that clients have to send.",
            rich_help_panel=NETWORK,
        ),
    ] = None,
    addresses: AddressOption = None,
) -> None:
    """The worlds as environments for training language models, over OpenEnv.

    Prints the address; Ctrl-C ends it. A client resets with a seed and a scenario, and steps with texts.
    Whoever reaches the address may play; where that is more than this machine, it takes a token.
    """
    with needs_extra("openenv", "env-server"):
        from backburner.training.conversation import Setting
        from backburner.training.offer import offer_of
        from backburner.training.openenv.server import application
        from backburner.training.openenv.server import serve as serve_environments
    host, port = listening_at(listen, ENVIRONMENTS_PORT)
    doors = Doors.of_host(host, addresses or ())
    paid_by, tail = named(reward)
    paid = read(Paid, tail, "--reward")
    played = {("partners" if key == "partner" else key): said for key, said in asdict(playing).items()}
    setting = Setting(reward=paid_by, **asdict(paid), **played)
    offer = offer_of(names or (), setting, sessions.records)
    listening = _listening(host, port)
    name, number = listening.getsockname()[:2]
    token = "" if token_file is None else token_in(token_file)
    if not token and (addresses or not is_loopback(name.partition("%")[0])):
        token = secrets.token_urlsafe(16)
    app = application(
        offer, doors, most_sessions=sessions.most, idle_seconds=60 * sessions.idle_minutes, token=token
    )
    address = f"http://{f'[{name}]' if ':' in name else name}:{number}"

    def tell() -> None:
        say(address)
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
        raise Refused(f"{host}, port {port}: {why}; name another with --listen") from error
