"""Agents on the command line: how they and their language models are asked for."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer
from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.client import Choices, Completion, ModelClient, ScriptedModel
from backburner.agents.models.method import cost_of
from backburner.agents.models.openai_client import USUAL, OpenAIClient, Patience, Traffic
from backburner.agents.models.stand_in import is_stand_in, stand_in_named
from backburner.agents.roster import check_spec
from backburner.agents.spec import AgentSpec, Clients, Endpoint, descriptions
from backburner.cli.options import PromptsOption, differing, flag_of
from backburner.evaluation.running.calls import Budget
from backburner.evaluation.running.chains_of_jobs import LAST, Progress
from backburner.evaluation.running.jobs import Job
from backburner.evaluation.running.runner import Engine
from backburner.evaluation.scoring.usage import read_prices
from backburner.kernel.errors import MissingExtra, Refused, UnknownName, shorten

if TYPE_CHECKING:
    from backburner.cluster.place import Cluster

SCRIPT = "script:"

AGENTS = (
    f"One or more of: {', '.join(descriptions())}. Choices of a method follow it: react@history=none. A team"
    " has one agent for each seat, in their order: greedy+random."
)

MODELS = "Language models"
"""The panel of what is said of them."""

CALLS = "Calls and what they cost"
"""The panel of how many there are, and when a run stops."""

ClusterOption = Annotated[
    str,
    typer.Option("--cluster", help="Use the machines of a Ray cluster: HOST:PORT, ray://HOST:PORT or auto."),
]
AtOnceOption = Annotated[
    int,
    typer.Option("--at-once", min=1, help="Model episodes in flight together.", rich_help_panel=CALLS),
]


class OneModel(Struct, frozen=True):
    """What the command line says of a language model: which, how it writes, how long a call may take.

    Each field is an option of the commands that take them, as in all groups; see ``spread``.
    """

    PANEL: ClassVar[str] = MODELS

    model: Annotated[
        str, typer.Option("--model", help="Model name; stand-in:skill=0.7 to rehearse; script:FILE.")
    ] = ""
    base_url: Annotated[
        str, typer.Option("--base-url", help="An OpenAI-compatible endpoint; seats may name others.")
    ] = ""
    temperature: Annotated[
        float | None, typer.Option("--temperature", min=0.0, help="Decoding temperature; else the article's.")
    ] = None
    own_temperature: Annotated[
        bool, typer.Option("--own-temperature", help="Send no temperature; for models that refuse one.")
    ] = False
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", min=1, help="Longest answer, in tokens; else the article's.")
    ] = None
    prompts: PromptsOption = None
    reasoning_effort: Annotated[
        str | None, typer.Option("--reasoning-effort", help="The provider's word for it, such as low.")
    ] = None
    extra_body: Annotated[
        str, typer.Option("--extra-body", help='A JSON object with more fields of requests: {"top_k": 20}.')
    ] = ""
    headers: Annotated[
        list[str] | None,
        typer.Option("--header", help="NAME=VALUE or NAME=$VARIABLE, sent with all calls, recorded nowhere."),
    ] = None
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, help="Seconds for one try of a call, to the last byte.")
    ] = USUAL.try_seconds
    tries: Annotated[int, typer.Option("--tries", min=1, help="How often a call is sent.")] = USUAL.tries
    call_time: Annotated[
        float, typer.Option("--call-time", min=0.1, help="Seconds for a call with all its tries and pauses.")
    ] = USUAL.call_seconds

    def spec(self, name: str) -> AgentSpec:
        """An agent of this name; raises what ``check_spec`` raises, and ``Refused``."""
        spec = AgentSpec(name)
        if spec.needs_model:
            if self.prompts is not None and not self.prompts.is_dir():
                raise Refused(f"--prompts {self.prompts}: no such folder")
            spec = AgentSpec(
                name,
                _named(self.model),
                self.base_url,
                self._seat_models(),
                self._decoding(),
                str(self.prompts or ""),
            )
        check_spec(spec)
        return spec

    def specs(self, names: Sequence[str]) -> list[AgentSpec]:
        """The agents of these names; raises as ``spec`` does, and ``Refused`` where nobody asks a model
        of which something is said."""
        specs = [self.spec(name) for name in names]
        said = differing(self, type(self)())
        if said and not any(spec.needs_model for spec in specs):
            agents = ", ".join(names)
            raise Refused(
                f"{flag_of(type(self), said[0])}: no agent here asks a model ({agents}); name one that does,"
                " such as --agent act or --agent react"
            )
        return specs

    @property
    def patience(self) -> Patience:
        """How long calls may take and how often they are sent."""
        return Patience(self.tries, self.timeout, self.call_time)

    @property
    def sent_headers(self) -> Mapping[str, str]:
        """The headers to send; raises ``Refused``."""
        return headers_in(self.headers or ())

    def client(self, endpoint: Endpoint) -> ModelClient:
        """Where the calls to a model go, without any budget or journal."""
        return client_of(endpoint, self.patience, self.sent_headers)

    def _seat_models(self) -> tuple[tuple[str, Endpoint], ...]:
        """The models of single seats."""
        return ()

    def _decoding(self) -> Choices:
        return Choices.given(own_temperature=self.own_temperature, **self._chosen())

    def _chosen(self) -> dict[str, Any]:
        """What is chosen of decoding, temperature aside where none is sent."""
        return {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "reasoning_effort": self.reasoning_effort,
            "extra_body": self.extra_body,
        }


A_MODEL = OneModel()
"""Where nothing is said of one."""


class Asked(OneModel, frozen=True):
    """What the command line says of the models that play."""

    seat_models: Annotated[
        list[str] | None,
        typer.Option("--seat-model", help="The model of one seat: SEAT=MODEL, SEAT=MODEL@BASE_URL."),
    ] = None
    sampling_seed: Annotated[
        int | None, typer.Option("--sampling-seed", help="Seed of the model's sampling, if servers take one.")
    ] = None
    top_p: Annotated[
        float | None, typer.Option("--top-p", min=0.0, max=1.0, help="Nucleus sampling: the mass that stays.")
    ] = None
    stop: Annotated[
        list[str] | None, typer.Option("--stop", help="Words at which an answer ends; may be given again.")
    ] = None
    longest_pause: Annotated[
        float, typer.Option("--longest-pause", min=0.0, help="Seconds that pauses between tries grow up to.")
    ] = USUAL.longest_pause_seconds

    @property
    def patience(self) -> Patience:
        """How long calls may take and how often they are sent."""
        return replace(super().patience, longest_pause_seconds=self.longest_pause)

    def _seat_models(self) -> tuple[tuple[str, Endpoint], ...]:
        return tuple(_seat_model(written, self.base_url) for written in self.seat_models or ())

    def _chosen(self) -> dict[str, Any]:
        own = {"seed": self.sampling_seed, "top_p": self.top_p, "stop": tuple(self.stop or ())}
        return {**super()._chosen(), **own}


NOTHING_SAID = Asked()


class Spending(Struct, frozen=True):
    """What calls to models may come to."""

    PANEL: ClassVar[str] = CALLS

    max_calls: Annotated[
        int | None, typer.Option("--max-calls", min=0, help="Stop after so many calls to models.")
    ] = None
    max_spent_tokens: Annotated[
        int | None, typer.Option("--max-spent-tokens", min=0, help="Stop after so many tokens, in and out.")
    ] = None
    max_spent_money: Annotated[
        float | None, typer.Option("--max-spent-money", min=0, help="Stop after so much money, by --prices.")
    ] = None
    prices: Annotated[
        Path | None, typer.Option("--prices", help="A JSON file: prices of models per million tokens.")
    ] = None

    def budget(self, seconds: float | None = None, traffic: Traffic | None = None) -> Budget:
        """The budget of a run, with ``seconds`` for an episode; raises ``Refused`` for money without
        prices."""
        prices = None if self.prices is None else read_prices(self.prices)
        opened = (traffic or Traffic()).opened
        calls, tokens, money = self.max_calls, self.max_spent_tokens, self.max_spent_money
        if money is None:
            return Budget(calls, tokens, None, seconds, opened=opened)
        if prices is None:
            raise Refused("--max-spent-money needs the prices of the models: --prices FILE")

        def price(model: str, completion: Completion) -> float | None:
            known = prices.models.get(model)
            return None if known is None else known.of(cost_of(completion))

        return Budget(calls, tokens, money, seconds, price, opened)


UNLIMITED = Spending()


class Asking(Struct, frozen=True):
    """How models are asked."""

    at_once: AtOnceOption = 16
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            help="Who asks models: own, or inspect (Inspect AI, with its providers).",
            rich_help_panel=MODELS,
        ),
    ] = "own"

    def engine_of(
        self, asked: OneModel, budget: Budget, traffic: Traffic | None = None
    ) -> tuple[Clients, Engine | None]:
        """As the function ``engine_of``."""
        return engine_of(self.engine, self.at_once, asked.patience, asked.sent_headers, budget, traffic)


AS_USUAL = Asking()


class Running(Asking, frozen=True):
    """How models are asked in many episodes, and what becomes of those that fail."""

    PANEL: ClassVar[str] = CALLS

    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Play failed episodes again.")] = False
    most_failed: Annotated[
        float,
        typer.Option(
            "--most-failed", min=0.0, max=1.0,
            help=f"Stop when more than this share of the last {LAST} episodes of models failed; 1: never.",
        ),
    ] = 0.5  # fmt: skip


RUN_AS_USUAL = Running()


def _seat_model(written: str, usual_url: str) -> tuple[str, Endpoint]:
    """A seat and its model, which the usual server has unless another is named."""
    seat, equals, rest = written.partition("=")
    model, _, base_url = rest.partition("@http")
    if not (equals and seat and model):
        raise Refused(f"--seat-model {written}: write SEAT=MODEL or SEAT=MODEL@BASE_URL")
    return seat, Endpoint(_named(model), f"http{base_url}" if base_url else usual_url)


def _named(model: str) -> str:
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
            raise Refused(f"--header {shorten(name)}: write NAME=VALUE, or NAME=$VARIABLE of the environment")
        if name.lower() in SET_BY_ITSELF:
            raise Refused(f"--header {name}: this one is set by itself; a key belongs in the environment")
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


ENGINES = ("own", "inspect")


def engine_of(
    name: str,
    at_once: int,
    patience: Patience,
    headers: Mapping[str, str],
    budget: Budget,
    traffic: Traffic | None = None,
) -> tuple[Clients, Engine | None]:
    """Who makes the clients of models, and who plays the jobs of a run if the runner does not itself.

    Raises ``UnknownName``, ``MissingExtra``, and ``Refused`` for headers, which Inspect would not keep to
    itself.
    """
    if name not in ENGINES:
        raise UnknownName("engine", name, ENGINES)
    if name == "own":
        return partial(client_of, patience=patience, headers=headers, traffic=traffic), None
    if headers:
        raise Refused("--header: only --engine own sends headers of your own, as Inspect logs them")
    try:
        import inspect_ai  # noqa: F401
    except ImportError as error:
        raise MissingExtra("inspect", "--engine inspect") from error
    from backburner.inspect import engine

    return engine.client_of, engine.InspectEngine(at_once, patience, budget)


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
    from backburner.cluster.on_ray import ray_cluster
    from backburner.cluster.place import Cluster

    with ray_cluster(address) as machines:
        yield Cluster(machines, workers=workers, client_of=client_of, tell=tell)


def check_no_secret_written(address: str, headers: Sequence[str]) -> None:
    """Raises ``Refused`` for a header whose value stands in a command that a cluster keeps."""
    for each in headers:
        name, _, value = each.partition("=")
        if address and not value.startswith("$"):
            raise Refused(
                f"--header {shorten(name)}: a cluster keeps the command; write '{shorten(name)}=$VARIABLE'"
                " and set the variable"
            )


def engine_on(cluster: Cluster | None, engine: Engine | None) -> Engine | None:
    """The engine, which plays on a cluster if there is one."""
    if cluster is None or engine is None:
        return engine
    settings: Any = engine

    def play(jobs: Mapping[Path, Job], out: Path, note: Progress, retry_failed: bool) -> None:
        cluster.play_inspected(
            jobs, out, note, settings.at_once, settings.patience, settings.budget, retry_failed
        )

    return play
