"""A worker: it plays and solves what the head hands it, keeps no file, and asks before every call to a model.

Its methods are called by the head, through whatever lies between. Each returns its result, or a ``Failure``.
Before its first work it is handed a ``Payload``: files that the work names, code from the head's folder, keys
of models.
"""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, wraps
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.client import Completion
from backburner.agents.models.openai_client import KEY_VARIABLES
from backburner.agents.models.stand_in import SCRIPT
from backburner.agents.spec import AgentSpec, Clients, Endpoint, recording_of
from backburner.cluster.pool import Failure, Outbox, Question, failure_of
from backburner.evaluation.records import former
from backburner.evaluation.running.chains_of_jobs import ChainInPlay, Done, JobChain, world_of
from backburner.evaluation.running.playing import OwnStage, play_chain
from backburner.evaluation.running.searches import Search
from backburner.kernel import __version__, registry
from backburner.kernel.episode import Lines, Record
from backburner.kernel.errors import Refused
from backburner.kernel.files import read_regular
from backburner.kernel.oracle import Solution, oracle_of
from backburner.kernel.play import Sink

RECORDS = "records"
"""The folder of records in the scratch folder."""

VARIABLES = (*KEY_VARIABLES, "OPENAI_BASE_URL")
"""The environment that clients of models look for."""

MOST_BYTES = 1 << 28
"""Of all files together."""

# --- what a worker needs of the head's machine -------------------------------------------------------------


class Payload(Struct, frozen=True):
    """What a new worker is handed. ``files``: their contents by their paths below the current folder;
    ``variables`` of its environment; the ``endpoints`` that it asks, whose clients ``client_of`` makes, and
    the time of an episode."""

    files: dict[str, bytes]
    variables: dict[str, str] = {}
    endpoints: tuple[Endpoint, ...] = ()
    client_of: Clients | None = None
    episode_seconds: float | None = None

    def __repr__(self) -> str:  # variables and clients have keys
        return f"Payload({len(self.files)} files)"


def files_for(
    scenarios: Iterable[str], agents: Iterable[AgentSpec] = (), others: Iterable[str] = ()
) -> dict[str, bytes]:
    """The files that these scenarios and agents name, the modules of agents of the user's own, and other
    files or folders.

    Raises ``Refused`` for a file that does not lie below the current folder: records name files by their
    paths, which must be the same for workers; and where there is too much of them.
    """
    agents = list(agents)
    named = (path for other in others for path in _files(Path(other)))
    paths = dict.fromkeys((*_named(scenarios, agents), *_modules(agents), *named))
    files = {_inside(path): read_regular(path) for path in paths}
    if sum(map(len, files.values())) > MOST_BYTES:
        raise Refused(f"the files that workers need are more than {MOST_BYTES >> 20} MiB")
    return files


def _named(scenarios: Iterable[str], agents: Iterable[AgentSpec]) -> Iterator[Path]:
    """Every file that a scenario or an agent names."""
    yield from (Path(name) for name in scenarios if name.endswith(".json"))
    for agent in agents:
        yield from filter(None, map(recording_of, agent.members))
        models = (endpoint.model for endpoint in agent.endpoints)
        yield from (Path(name.removeprefix(SCRIPT)) for name in models if name.startswith(SCRIPT))
        if agent.prompts_folder is not None:
            yield from _files(agent.prompts_folder)


def _files(path: Path) -> list[Path]:
    """The files of a folder, or the file that it is."""
    return sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]


def _modules(agents: Iterable[AgentSpec]) -> Iterator[Path]:
    """Where an agent is a class of the user's own: every module that was imported from the current folder.

    What is installed in an environment there is not sent.
    """
    if not any(":" in name and recording_of(name) is None for agent in agents for name in agent.members):
        return
    here = Path.cwd()
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if not file or not file.endswith(".py"):
            continue
        path = Path(file)
        if path.is_relative_to(here) and not {"site-packages", "backburner"} & set(path.parts):
            yield path.relative_to(here)


def _inside(path: Path) -> str:
    here = Path.cwd()
    if path.is_absolute() or not (here / path).resolve().is_relative_to(here.resolve()):
        raise Refused(f"{path}: with --cluster, name files by paths below the current folder")
    return path.as_posix()


def about_here() -> dict[str, str]:
    """Where this is, and what has to be the same on both sides."""
    return {
        "host": platform.node(),
        "Python": ".".join(map(str, sys.version_info[:2])),
        "backburner": __version__,
        "sources": _sources(),
    }


def check_alike(there: Mapping[str, str]) -> None:
    """Raises ``Refused`` if a worker has another Python or backburner than the head."""
    if "missing" in there:
        raise Refused(f"{there['missing']}; install backburner there, in the version that is here")
    here = about_here()
    different = next((what for what in ("Python", "backburner", "sources") if there[what] != here[what]), "")
    if different:
        other = f"{different} {there[different]}, and here is {here[different]}"
        if different == "sources":
            other = f"other sources of backburner {there['backburner']} than are here"
        raise Refused(f"the worker on {there['host']} has {other}; both must be the same")


@cache
def _sources() -> str:
    """A digest of the package's code and data: two copies with the same version may still differ."""
    return digest_of(Path(__file__).resolve().parents[1])


def digest_of(root: Path) -> str:
    """A digest of all files below a folder, but for what Python and numba keep of them as they go."""
    whole = blake2b(digest_size=16)
    for file in sorted(root.rglob("*")):
        if file.is_file() and "__pycache__" not in file.relative_to(root).parts:
            whole.update(file.relative_to(root).as_posix().encode() + b"\0")
            whole.update(blake2b(file.read_bytes(), digest_size=16).digest())
    return whole.hexdigest()


# --- its work ----------------------------------------------------------------------------------------------

P = ParamSpec("P")
T = TypeVar("T")


def told(method: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T | Failure]]:
    """The method, with what goes wrong as a value: not every error survives the way between processes."""

    @wraps(method)
    async def tells(*arguments: P.args, **named: P.kwargs) -> T | Failure:
        try:
            return await method(*arguments, **named)
        except Exception as error:
            return failure_of(error)

    return tells


class Worker:
    """One worker, in a process of its own, whose current folder it moves."""

    def __init__(self) -> None:
        self._outbox = Outbox()
        self._folder = Path(tempfile.mkdtemp(prefix="backburner-"))
        self._records = self._folder / RECORDS
        self._stage = OwnStage({}, None)

    async def about(self) -> dict[str, str]:
        """See ``about_here``."""
        return about_here()

    @told
    async def begin(self, payload: Payload) -> None:
        """Unpack: files into the scratch folder, keys into the environment, clients of models."""
        _write(self._folder, payload.files)
        self._records.mkdir()
        os.chdir(self._folder)
        sys.path.append(str(self._folder))
        os.environ.update(payload.variables)
        if payload.client_of is not None:
            clients = {endpoint: payload.client_of(endpoint) for endpoint in payload.endpoints}
            self._stage = OwnStage(clients, payload.episode_seconds)

    async def exchange(self, answers: Sequence[tuple[int, Any]]) -> list[Question]:
        """See ``Outbox.exchange``."""
        return await self._outbox.exchange(answers)

    async def leave(self) -> None:
        """Remove what was unpacked."""
        os.chdir(tempfile.gettempdir())
        shutil.rmtree(self._folder, ignore_errors=True)

    @told
    async def episode(self, chain: JobChain, number: int, before: Mapping[str, bytes]) -> list[bytes]:
        """Play the next job of a chain with language models: the contents of the record's files, former
        attempts first.

        ``number``: what the head calls this episode when it is asked about calls. ``before``: the records of
        those jobs of the chain that are done, by their paths.
        """
        _write(self._records, before)
        job = chain.jobs[chain.done]
        world = ChainInPlay(chain, self._records, world_of).world(job)
        attempts = _Contents()
        await self._stage.play(chain, job, world, _HeadKeeper(self._outbox, number), attempts)
        return attempts.contents

    @told
    async def scripted(
        self, chains: Sequence[JobChain], before: Mapping[str, bytes]
    ) -> list[tuple[Done, tuple[bytes, ...]]]:
        """Play chains of jobs that ask no model: what became of each job, with the contents of its record."""
        _write(self._records, before)

        def play() -> list[tuple[Done, tuple[bytes, ...]]]:
            ended = (done for chain in chains for done in play_chain(chain, self._records))
            return [(replace(done, path=None), _taken(done.path)) for done in ended]

        return await asyncio.to_thread(play)

    @told
    async def worked(self, work: Callable[[Any], Any], piece: Any) -> Any:
        """What a piece of work comes to; see ``evaluation.running.pool.Run``."""
        return await asyncio.to_thread(work, piece)


class Numbered(NamedTuple):
    """A search, and its place among others."""

    place: int
    search: Search

    def __str__(self) -> str:
        return self.search.scenario


def solved(piece: Numbered) -> tuple[int, Solution]:
    """What the oracle of a scenario's world finds, behind the place of the search."""
    place, search = piece
    world = registry.world(search.scenario, rules=search.rules, limits=search.limits)
    return place, oracle_of(world).solve(world, search.request)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def _taken(path: Path | None) -> tuple[bytes, ...]:
    """The contents of the files of a job, former attempts first. The record itself stays: another episode may
    follow it."""
    if path is None:
        return ()
    contents: list[bytes] = []
    while (file := former(path, len(contents) + 1)).exists():
        contents.append(file.read_bytes())
        file.unlink()
    return (*contents, path.read_bytes())


class _Contents:
    """``Attempts`` in memory."""

    def __init__(self) -> None:
        self._attempts: list[list[bytes]] = []

    def sink(self, number: int) -> Sink:
        """Where the records of the next attempt go."""
        lines: list[bytes] = []
        chained = Lines()
        self._attempts.append(lines)

        def sink(record: Record) -> None:
            lines.append(chained.line(record))

        return sink

    @property
    def contents(self) -> list[bytes]:
        """What the files of the attempts are to hold."""
        return [b"".join(lines) for lines in self._attempts]


class _HeadKeeper:
    """A ``Keeper``: the head, which has the journal."""

    def __init__(self, outbox: Outbox, episode: int) -> None:
        self._outbox, self._episode = outbox, episode

    async def open(self, request: str) -> Completion | None:
        known: Completion | None = await self._outbox.ask(self._episode, "open", request)
        return known

    async def failed(self, request: str) -> None:
        await self._outbox.ask(self._episode, "failed", request)

    async def answered(self, request: str, model: str, completion: Completion) -> Completion:
        kept: Completion = await self._outbox.ask(self._episode, "answered", request, model, completion)
        return kept
