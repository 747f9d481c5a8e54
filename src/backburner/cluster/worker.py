"""A worker: it plays and solves what the head hands it, keeps no file, and asks before every call to a model.

Its methods are called by the head, through whatever lies between. Each returns its result, or a ``Failure``.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from msgspec.structs import replace

from backburner.agents.models.client import Completion
from backburner.agents.models.openai_client import Patience
from backburner.cluster.luggage import Luggage, about_here
from backburner.cluster.wire import (
    Answered,
    Answers,
    Failed,
    Failure,
    Finished,
    Open,
    Outbox,
    Question,
    failure_of,
)
from backburner.evaluation.records import former
from backburner.evaluation.running.calls import Budget, Keeper
from backburner.evaluation.running.chains_of_jobs import ChainInPlay, Done, JobChain, world_of
from backburner.evaluation.running.jobs import Job
from backburner.evaluation.running.playing import OwnStage, play_chain
from backburner.kernel import registry
from backburner.kernel.episode import Lines, Record
from backburner.kernel.errors import MissingExtra
from backburner.kernel.oracle import Request, Solution, oracle_of
from backburner.kernel.play import Sink

RECORDS = "records"
"""The folder of records in the scratch folder."""

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
        self._stage: OwnStage | None = None

    async def about(self) -> dict[str, Any]:
        """See ``about_here``."""
        return about_here()

    @told
    async def begin(self, luggage: Luggage) -> None:
        """Unpack: files into the scratch folder, keys into the environment, clients of models."""
        for name, content in luggage.files.items():
            file = self._folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        self._records.mkdir()
        os.chdir(self._folder)
        sys.path.append(str(self._folder))
        os.environ.update(luggage.variables.variables)
        if (asking := luggage.asking) is not None:
            clients = {endpoint: asking.client_of(endpoint) for endpoint in asking.endpoints}
            self._stage = OwnStage(clients, asking.episode_seconds)

    async def exchange(self, answers: Answers) -> list[Question]:
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
        assert self._stage is not None, "the head says which models there are"  # noqa: S101
        self._write(before)
        job = chain.jobs[chain.done]
        world = ChainInPlay(chain, self._records, world_of).world(job)
        attempts = _Contents()
        await self._stage.play(chain, job, world, _HeadKeeper(self._outbox, number), attempts)
        return attempts.contents

    @told
    async def scripted(self, chains: Sequence[JobChain], before: Mapping[str, bytes]) -> None:
        """Play chains of jobs that ask no model; the head is told of each that is finished."""
        self._write(before)

        def play(tell: Callable[[Done], None]) -> None:
            for chain in chains:
                for done in play_chain(chain, self._records):
                    tell(done)

        await self._in_thread(play)

    @told
    async def inspected(
        self, jobs: Mapping[str, Job], at_once: int, patience: Patience, episode_seconds: float | None
    ) -> dict[str, bytes]:
        """Play jobs through Inspect, by the paths of their records, as its engine does; the head is told of
        each that is finished, and asked about calls. Returns Inspect's logs, by their paths."""
        try:
            from backburner.inspect.client import RunCalls
            from backburner.inspect.engine import LOGS, InspectEngine
        except ImportError as error:
            raise MissingExtra("inspect", "--engine inspect, on every worker,") from error

        mine = {self._records / name: job for name, job in jobs.items()}
        engine = InspectEngine(at_once, patience)
        loop = asyncio.get_running_loop()

        def keeper(path: Path) -> Keeper:
            return _HeadKeeper(self._outbox, path.relative_to(self._records).as_posix(), loop)

        calls = RunCalls(Budget(episode_seconds=episode_seconds), keeper_of=keeper)
        await self._in_thread(lambda tell: engine(mine, self._records, tell, calls=calls))
        logs = sorted((self._records / LOGS).glob("*"))
        found = {log.relative_to(self._records).as_posix(): log.read_bytes() for log in logs}
        for log in logs:
            log.unlink()
        return found

    @told
    async def solved(self, id: str, rules: str, limits: str, request: Request) -> Solution:
        """What the oracle of a scenario's world finds."""
        world = registry.world(id, rules=rules, limits=limits)
        return await asyncio.to_thread(oracle_of(world).solve, world, request)

    # --- helpers -----------------------------------------------------------------------------------------

    def _write(self, records: Mapping[str, bytes]) -> None:
        for name, content in records.items():
            file = self._records / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)

    async def _in_thread(self, work: Callable[[Callable[[Done], None]], None]) -> None:
        """Do work that blocks; it tells what became of jobs. Returns when the head knows of all."""
        loop = asyncio.get_running_loop()
        told: list[Future[Any]] = []

        def tell(done: Done) -> None:
            finished = Finished(replace(done, path=None), _taken(done.path))
            told.append(asyncio.run_coroutine_threadsafe(self._outbox.ask(finished), loop))

        try:
            await asyncio.to_thread(work, tell)
        finally:
            heard = await asyncio.gather(*map(asyncio.wrap_future, told), return_exceptions=True)
        for error in heard:
            if isinstance(error, BaseException):
                raise error


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
    """A ``Keeper``: the head, which has the journal. ``loop``: that of the outbox, if it is not here."""

    def __init__(
        self, outbox: Outbox, episode: int | str, loop: asyncio.AbstractEventLoop | None = None
    ) -> None:
        self._outbox, self._episode, self._loop = outbox, episode, loop

    async def _ask(self, asked: Any) -> Any:
        if self._loop is None:
            return await self._outbox.ask(asked)
        return await asyncio.wrap_future(
            asyncio.run_coroutine_threadsafe(self._outbox.ask(asked), self._loop)
        )

    async def open(self, request: str) -> Completion | None:
        known: Completion | None = await self._ask(Open(self._episode, request))
        return known

    async def failed(self, request: str) -> None:
        await self._ask(Failed(self._episode, request))

    async def answered(self, request: str, model: str, completion: Completion) -> Completion:
        kept: Completion = await self._ask(Answered(self._episode, request, model, completion))
        return kept
