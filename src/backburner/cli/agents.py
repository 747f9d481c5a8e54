"""Agents on the command line: how they and their language models are asked for."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import typer
from msgspec import Struct

from backburner.agents.models.client import Choices, Completion, ModelClient, ScriptedModel
from backburner.agents.models.method import cost_of
from backburner.agents.models.openai_client import USUAL, OpenAIClient, Patience, Traffic
from backburner.agents.models.stand_in import SCRIPT, is_stand_in, stand_in_named
from backburner.agents.roster import check_spec
from backburner.agents.spec import AgentSpec, Clients, Endpoint, descriptions
from backburner.cli.grammar import Key, Keyed, about, keys_of, named, values
from backburner.evaluation.running.calls import Budget
from backburner.evaluation.running.chains_of_jobs import LAST
from backburner.evaluation.running.runner import Engine
from backburner.evaluation.scoring.usage import Prices, read_prices
from backburner.kernel.errors import Refused, needs_extra, shorten

if TYPE_CHECKING:
    from backburner.cluster.head import Cluster

AGENTS = (
    f"One or more of: {', '.join(descriptions())}. Choices of a method follow it: react@history=none; what"
    " another takes for a decision, in seconds, does too: greedy@latency=2. A team has one agent for each"
    " seat, in their order: greedy+random."
)

MODELS = "Language models"
"""The panel of what is said of them."""

CALLS = "Calls and what they cost"
"""The panel of how many there are, and when a run stops."""

ClusterOption = Annotated[
    str,
    typer.Option("--cluster", help="Use the machines of a Ray cluster: HOST:PORT, ray://HOST:PORT or auto."),
]


class Manner(Struct, frozen=True):
    """How a language model is asked: where it is, how it writes, how long a call may take. Each field is a
    key behind the name of the model."""

    base_url: Annotated[str, Key("An OpenAI-compatible endpoint; each seat's model may have its own.")] = ""
    temperature: Annotated[float | None, Key("Decoding temperature; else the article's.", least=0.0)] = None
    own_temperature: Annotated[bool, Key("yes: send no temperature, for models that refuse one.")] = False
    max_tokens: Annotated[int | None, Key("Longest answer, in tokens; else the article's.", least=1)] = None
    top_p: Annotated[float | None, Key("Nucleus sampling: the mass that stays.", least=0.0, most=1.0)] = None
    seed: Annotated[int | None, Key("Seed of the model's sampling, if its server takes one.")] = None
    stop: Annotated[tuple[str, ...], Key("Words at which an answer ends; may be said again.", free=True)] = ()
    reasoning_effort: Annotated[str, Key("The provider's word for it, such as low.")] = ""
    extra_body: Annotated[
        str, Key('A JSON object with more fields of requests: {"top_k": 20}.', free=True)
    ] = ""
    header: Annotated[
        tuple[str, ...], Key("NAME=VALUE or NAME=$VARIABLE, sent with all calls, recorded nowhere.")
    ] = ()
    prompts: Annotated[Path | None, Key("A folder with your own wording of prompts.")] = None
    timeout: Annotated[float, Key("Seconds for one try of a call, to the last byte.", least=0.1)] = (
        USUAL.try_seconds
    )
    tries: Annotated[int, Key("How often a call is sent.", least=1)] = USUAL.tries
    call_time: Annotated[float, Key("Seconds for a call with all its tries and pauses.", least=0.1)] = (
        USUAL.call_seconds
    )
    longest_pause: Annotated[float, Key("Seconds that pauses between tries grow up to.", least=0.0)] = (
        USUAL.longest_pause_seconds
    )

    @property
    def patience(self) -> Patience:
        """How long calls may take and how often they are sent."""
        return Patience(self.tries, self.timeout, self.call_time, self.longest_pause)

    @property
    def decoding(self) -> Choices:
        """What is chosen of decoding."""
        return Choices.given(
            own_temperature=self.own_temperature,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            seed=self.seed,
            top_p=self.top_p,
            stop=self.stop,
            reasoning_effort=self.reasoning_effort,
            extra_body=self.extra_body,
        )


ENGINES = ("own", "inspect")


class MannerOfMany(Manner, frozen=True):
    """How a language model is asked many things at once."""

    at_once: Annotated[int, Key("Episodes, or cases, in flight together; else 16.", least=1)] = 16


class MannerOfRun(MannerOfMany, frozen=True):
    """How a language model is asked in a run."""

    engine: Annotated[
        str, Key("Who asks: own, or inspect (Inspect AI, with its providers).", values=ENGINES)
    ] = "own"


_OF_A_SEAT = re.compile(r"(\w[\w -]*)=(.+)", re.DOTALL)
"""The model of a single seat; names of stand-ins and scripts have a colon before their first ``=``."""


class Asked(Keyed, frozen=True):
    """What the command line says of the models that play: the usual one, those of single seats, and how they
    are asked. All of an agent's models are asked alike, but each may have a server of its own."""

    OPTION: ClassVar[Any] = typer.Option(
        "--model",
        metavar="[SEAT=]NAME[@KEY=VALUE,...]",
        help="Model name; stand-in:skill=0.7 to rehearse; script:FILE. With SEAT= one seat's, with slow= the"
        " one that advises another meanwhile (--agent agile and a clock); repeatable.",
        rich_help_panel=MODELS,
    )
    TYPE: ClassVar[Any] = list[str] | None
    MANNER: ClassVar[type[Manner]] = Manner

    model: str = ""
    seats: tuple[tuple[str, Endpoint], ...] = ()
    manner: Manner = Manner()

    @classmethod
    def said(cls, written: Sequence[str] | None) -> Self:
        """The models that are written; raises ``UnknownName`` and ``Refused``."""
        usual, seats, manner = "", {}, dict[str, Any]()
        for each in written or ():
            name, tail = named(each)
            flag = f"{cls.flag()} {shorten(name)}"
            said = values(keys_of(cls.MANNER), tail, flag)
            if (of_seat := _OF_A_SEAT.fullmatch(name)) is not None:
                seats[of_seat[1]] = Endpoint(_called(of_seat[2]), said.pop("base_url", ""))
            elif usual or not name:
                raise Refused(f"{flag}: name one model, and those of single seats as SEAT=NAME")
            else:
                usual = _called(name)
            for key, value in said.items():
                if manner.setdefault(key, value) != value:
                    raise Refused(f"{flag}: {key} is said of another model too; all are asked alike")
        url = manner.get("base_url", "")
        of_seats = ((seat, Endpoint(own.model, own.base_url or url)) for seat, own in seats.items())
        return cls(usual, tuple(of_seats), cls.MANNER(**manner))

    @classmethod
    def about(cls) -> str:
        """See ``Keyed``."""
        return about(keys_of(cls.MANNER), cls.OPTION.help)

    @classmethod
    def flag(cls) -> str:
        """How the option is written."""
        return str(cls.OPTION.default)

    def spec(self, name: str) -> AgentSpec:
        """An agent of this name; raises what ``check_spec`` raises, and ``Refused``."""
        spec = AgentSpec(name)
        if spec.needs_model:
            manner = self.manner
            if manner.prompts is not None and not manner.prompts.is_dir():
                raise Refused(f"{self.flag()}: prompts={manner.prompts}: no such folder")
            prompts = str(manner.prompts or "")
            spec = AgentSpec(name, self.model, manner.base_url, self.seats, manner.decoding, prompts)
        check_spec(spec)
        return spec

    def specs(self, names: Sequence[str]) -> list[AgentSpec]:
        """The agents of these names; raises as ``spec`` does, and ``Refused`` where nobody asks a model
        of which something is said."""
        specs = [self.spec(name) for name in names]
        if self != type(self)() and not any(spec.needs_model for spec in specs):
            agents = ", ".join(names)
            raise Refused(
                f"{self.flag()}: no agent here asks a model ({agents}); name one that does,"
                " such as --agent act or --agent react"
            )
        return specs

    @property
    def sent_headers(self) -> Mapping[str, str]:
        """The headers to send; raises ``Refused``."""
        return headers_in(self.manner.header)

    def client(self, endpoint: Endpoint) -> ModelClient:
        """Where the calls to a model go, without any budget or journal."""
        return client_of(endpoint, self.manner.patience, self.sent_headers)


NOTHING_SAID = Asked()


class AskedOfRun(Asked, frozen=True):
    """What the command line says of models that are asked in many episodes."""

    MANNER: ClassVar[type[Manner]] = MannerOfRun

    manner: MannerOfRun = MannerOfRun()

    def engine_of(self, budget: Budget, traffic: Traffic | None = None) -> tuple[Clients, Engine | None]:
        """Who makes the clients of models, and who plays the jobs of a run if the runner does not itself.

        Raises ``MissingExtra``, and ``Refused`` for headers, which Inspect would not keep to itself.
        """
        patience, headers = self.manner.patience, self.sent_headers
        if self.manner.engine == "own":
            return partial(client_of, patience=patience, headers=headers, traffic=traffic), None
        if headers:
            raise Refused("header: only engine=own sends headers of your own, as Inspect logs them")
        with needs_extra("inspect", "engine=inspect"):
            import inspect_ai  # noqa: F401
        from backburner.inspect import engine

        return engine.client_of, engine.InspectEngine(self.manner.at_once, patience, budget)


NO_MODEL = AskedOfRun()


class Spending(Keyed, frozen=True):
    """What calls to models may come to."""

    OPTION: ClassVar[Any] = typer.Option(
        "--budget",
        metavar="KEY=VALUE,...",
        help="When to stop asking models; with more, the same command goes on.",
        rich_help_panel=CALLS,
    )

    calls: Annotated[int | None, Key("So many calls at most.", least=0)] = None
    tokens: Annotated[int | None, Key("So many tokens at most, in and out.", least=0)] = None
    cost: Annotated[float | None, Key("So much money at most, by prices.", least=0)] = None
    prices: Annotated[Path | None, Key("A JSON file: prices of models per million tokens.")] = None

    @property
    def paid(self) -> Prices | None:
        """The prices of models, if they are told."""
        return None if self.prices is None else read_prices(self.prices)

    def budget(self, traffic: Traffic | None = None) -> Budget:
        """The budget of a run; raises ``Refused`` for money without prices."""
        prices = self.paid
        opened, seconds = (traffic or Traffic()).opened, self._episode_seconds
        if self.cost is None:
            return Budget(self.calls, self.tokens, None, seconds, opened=opened)
        if prices is None:
            raise Refused("--budget: cost needs the prices of the models: prices=FILE")

        def price(model: str, completion: Completion) -> float | None:
            known = prices.models.get(model)
            return None if known is None else known.of(cost_of(completion))

        return Budget(self.calls, self.tokens, self.cost, seconds, price, opened)

    @property
    def _episode_seconds(self) -> float | None:
        """The time of an episode, if it ends."""
        return None


UNLIMITED = Spending()


class RunBudget(Spending, frozen=True):
    """What the calls of a run may come to, and how many of its episodes may fail."""

    episode_time: Annotated[float | None, Key("Seconds for a model's episode.", least=0.1)] = None
    most_failed: Annotated[
        float,
        Key(f"Stop when more than this share of the last {LAST} episodes failed; else 0.5, 1: never.",
            least=0.0, most=1.0),
    ] = 0.5  # fmt: skip

    retry_failed: Annotated[bool, Key("yes: play failed episodes again.")] = False

    @property
    def _episode_seconds(self) -> float | None:
        return self.episode_time


UNBOUNDED = RunBudget()


def _called(model: str) -> str:
    """The model's name; that of a stand-in in full, as the same one can be written in several ways."""
    return stand_in_named(model).name if is_stand_in(model) else model


def let_own_agents_be_found() -> None:
    """Modules in the current folder can be imported, here and in the processes of a run."""
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)


_HEADER = re.compile(r"[A-Za-z0-9_-]{1,100}")

SET_BY_ITSELF = ("authorization", "content-type", "content-length", "host")
"""Headers that nobody names; keys belong in the environment."""


def headers_in(written: Sequence[str]) -> dict[str, str]:
    """The headers of ``NAME=VALUE`` texts; a value of ``$NAME`` stands in the environment, and not in the
    history of a shell. Raises ``Refused``, never with a value."""
    headers = {}
    for each in written:
        name, equals, value = each.partition("=")
        if value.startswith("$"):
            value = os.environ.get(value[1:], "")
        if not (equals and _HEADER.fullmatch(name) and value.isprintable() and value.isascii() and value):
            raise Refused(f"header={shorten(name)}: write NAME=VALUE, or NAME=$VARIABLE of the environment")
        if name.lower() in SET_BY_ITSELF:
            raise Refused(f"header={name}: this one is set by itself; a key belongs in the environment")
        headers[name] = value
    return headers


def client_of(
    endpoint: Endpoint,
    patience: Patience = USUAL,
    headers: Mapping[str, str] | None = None,
    traffic: Traffic | None = None,
) -> ModelClient:
    """Where the calls to a model go."""
    if is_stand_in(endpoint.model):
        return stand_in_named(endpoint.model)
    if endpoint.model.startswith(SCRIPT):
        return ScriptedModel.from_file(Path(endpoint.model.removeprefix(SCRIPT)))
    url = endpoint.base_url or None
    return OpenAIClient(endpoint.model, url, patience=patience, headers=headers, traffic=traffic)


# --- the machines of a cluster -----------------------------------------------------------------------------


@contextmanager
def cluster_at(
    address: str, workers: int | None, tell: Callable[[str], None], client_of: Clients | None = None
) -> Iterator[Cluster | None]:
    """The cluster at an address, while the block runs; none without an address.

    Raises ``MissingExtra``, and ``Refused`` if no cluster answers there.
    """
    if not address:
        yield None
        return
    from backburner.cluster.head import Cluster
    from backburner.cluster.ray_cluster import ray_cluster

    with ray_cluster(address) as machines:
        yield Cluster(machines, workers=workers, client_of=client_of, tell=tell)


def check_for_cluster(address: str, asked: AskedOfRun) -> None:
    """Raises ``Refused`` for what a cluster does not play, and for a header whose value stands in a command
    that it keeps."""
    if address and asked.manner.engine != "own":
        raise Refused(
            "--cluster: episodes of engine=inspect are played on this machine; leave one of them out"
        )
    for each in asked.manner.header:
        name, _, value = each.partition("=")
        if address and not value.startswith("$"):
            raise Refused(
                f"header={shorten(name)}: a cluster keeps the command; write"
                f" 'header={shorten(name)}=$VARIABLE' and set the variable"
            )
