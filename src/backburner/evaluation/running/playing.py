"""Where the episodes of a run are played, unless somebody says otherwise.

Those of language models many at once in one event loop, each with a journal of its calls; those of scripted
agents in processes of this machine.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager
from functools import lru_cache, partial
from pathlib import Path
from types import FrameType
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.attempts import play_attempts
from backburner.agents.latency import clock_for
from backburner.agents.models.client import ModelClient
from backburner.agents.roster import AnyWorld, make_policies
from backburner.agents.spec import Endpoint
from backburner.evaluation.records import journal_of, read_signer
from backburner.evaluation.running.calls import (
    BETWEEN_LOOKS_SECONDS,
    Books,
    Budget,
    Busy,
    Journal,
    JournalKeeper,
    Keeper,
    KeptClient,
    calls_kept_by,
)
from backburner.evaluation.running.chains_of_jobs import (
    ChainInPlay,
    Done,
    Elsewhere,
    JobChain,
    Progress,
    broken_by,
    world_of,
)
from backburner.evaluation.running.jobs import AttemptFiles, Job, clear_dead_parts
from backburner.evaluation.running.pool import in_processes, is_to_stop
from backburner.kernel.chain import Signer
from backburner.kernel.episode import Episode, EpisodeFile
from backburner.kernel.errors import RunStops
from backburner.kernel.play import Sink, play_now
from backburner.kernel.policy import Policy
from backburner.kernel.values import Seat

# --- language models, in one event loop --------------------------------------------------------------------


class Stage(Protocol):
    """Where episodes of language models are played."""

    async def play(
        self, chain: JobChain, job: Job, world: AnyWorld, keeper: JournalKeeper, files: AttemptFiles
    ) -> Episode:
        """Play one job of a chain, whose world it is when its turn has come; the attempt that counts.

        The keeper knows answers of before, and keeps new ones. Raises ``RunStops`` when no further call can
        succeed.
        """


async def play_with_models(
    chains: Sequence[JobChain],
    out: Path,
    at_once: int,
    clients: Mapping[Endpoint, ModelClient],
    budget: Budget,
    signer: Signer | None,
    note: Progress,
    stage: AbstractAsyncContextManager[Stage],
) -> None:
    """Play chains of jobs and tell what became of each job. ``signer`` signs the records, if there is one.

    ``clients`` tell where answers come from; whoever plays on the stage asks them. Episodes that another
    process plays are left to it, and looked after at the end. Raises ``RunStops`` when no further call can
    succeed; what is open then goes on from its journals in another run.
    """
    waiting, elsewhere = iter(chains), list[JobChain]()

    async def one_after_another(room: _Room) -> None:
        for chain in waiting:
            await asyncio.sleep(0)  # a model that answers at once would let nobody else, not even Ctrl-C, in
            try:
                await room.play(chain)
            except Elsewhere as busy:
                elsewhere.append(busy.rest)

    try:
        async with stage as open_stage:
            room = _Room(out, open_stage, Books(budget), clients, signer, note)
            async with asyncio.TaskGroup() as group:
                for _ in range(min(at_once, len(chains))):
                    group.create_task(one_after_another(room))
            for chain in elsewhere:
                await _when_free(room, chain)
    except* RunStops as stops:
        raise RunStops(str(stops.exceptions[0])) from None


async def _when_free(room: _Room, chain: JobChain) -> None:
    """Play what another process had begun once that is done with it, or has been killed."""
    while True:
        try:
            return await room.play(chain)
        except Elsewhere as busy:
            chain = busy.rest
            await asyncio.sleep(BETWEEN_LOOKS_SECONDS)


class Attempts(Protocol):
    """Where the records of one attempt after the other go, such as ``AttemptFiles``."""

    def sink(self, number: int) -> Sink:
        """Begin the attempt of this number, from 1; returns where its records go."""


class OwnStage:
    """A ``Stage`` in this process. ``episode_seconds``: the time that an episode may take."""

    def __init__(self, clients: Mapping[Endpoint, ModelClient], episode_seconds: float | None) -> None:
        self._clients = {endpoint: KeptClient(client) for endpoint, client in clients.items()}
        self._episode_seconds = episode_seconds
        # A policy plays any number of episodes, such as those of all seeds.
        self._alone = lru_cache(maxsize=256)(self._made)

    def _made(self, job: Job) -> dict[Seat, Policy]:
        return make_policies(job.agent, world_of(job), self._clients.__getitem__)

    def _policies(self, chain: JobChain, job: Job, world: AnyWorld) -> dict[Seat, Policy]:
        if job is chain.jobs[0]:
            return self._alone(replace(job, seed=0, clock=None))
        return make_policies(job.agent, world, self._clients.__getitem__)

    async def play(
        self, chain: JobChain, job: Job, world: AnyWorld, keeper: Keeper, attempts: Attempts
    ) -> Episode:
        """See ``Stage``; any keeper will do, and any place where attempts go."""
        policies = self._policies(chain, job, world)
        with calls_kept_by(keeper, self._episode_seconds):
            *_, episode = await play_attempts(
                world, policies, job.seed, sink=attempts.sink, clock=clock_for(job.clock, world, policies)
            )
        return episode

    async def aclose(self) -> None:
        """Close the connections of all clients."""
        for client in self._clients.values():
            await client.aclose()


class _Room:
    """The episodes of a run: their journals and files, and the stage on which they are played."""

    def __init__(
        self,
        out: Path,
        stage: Stage,
        books: Books,
        clients: Mapping[Endpoint, ModelClient],
        signer: Signer | None,
        note: Progress,
    ) -> None:
        self._out = out
        self._stage = stage
        self._books = books
        self._clients = clients
        self._signer = signer
        self._note = note

    async def play(self, chain: JobChain) -> None:
        """Play what is left of a chain. An error of a scenario or agent breaks its job, and those that
        follow it; raises ``Elsewhere``, and ``RunStops`` if nothing more can be played or written."""
        in_play = ChainInPlay(chain, self._out, world_of)
        for job in in_play:
            try:
                world = in_play.world(job)
                self._note(await self._play(chain, in_play, job, world))
            except Busy as busy:
                raise Elsewhere(replace(chain, done=chain.jobs.index(job))) from busy
            except Exception as error:  # a fault of one scenario, agent or file is its own
                self._note(broken_by(job, error))
                in_play.stopped = True
            for done in in_play.left_out(job):
                self._note(done)

    async def _play(self, chain: JobChain, in_play: ChainInPlay, job: Job, world: AnyWorld) -> Done:
        """Play one job, or take what another process has made of it."""
        path = job.path(self._out, world.id)
        with Journal(journal_of(path)) as journal:
            done = in_play.found(job, world, path, self._clients.__getitem__)
            if done is None:
                keeper = JournalKeeper(journal, self._books)
                with AttemptFiles(path, self._signer) as files:
                    episode = await self._stage.play(chain, job, world, keeper, files)
                    files.finish()
                done = in_play.done(job, world, path, episode)
            if "failed" not in (done.status, done.kept):  # what failed can be played on from its journal
                journal.remove()
        return done


# --- scripted agents, in processes -------------------------------------------------------------------------


CHUNK = 25
"""Chains handed to a process at a time: enough to hide the hand-over, few enough to show progress."""


class OwnProcesses(Struct, frozen=True):
    """A ``Place``: processes for scripted agents, this process for all that ask models.

    ``workers``: how many processes, by default as many as help.
    """

    workers: int | None = None

    def play_scripted(self, chains: Sequence[JobChain], out: Path, sign: Path | None, note: Progress) -> None:
        """See ``Place``. What processes that were ended leave behind is removed."""
        try:
            with _interrupted_at_once():
                for done in self._all_played(chains, out, sign):
                    note(done)
        except BaseException:
            clear_dead_parts(job.path(out, world_of(job).id) for chain in chains for job in chain.jobs)
            raise

    def _all_played(self, chains: Sequence[JobChain], out: Path, sign: Path | None) -> Iterator[Done]:
        """What another process plays is looked after at the end."""
        elsewhere: list[JobChain] = []
        yield from self._played_here(chains, out, sign, elsewhere)
        while elsewhere:
            left, elsewhere = elsewhere, []
            yield from _play_chains(left, out, sign, elsewhere)
            if elsewhere:
                time.sleep(BETWEEN_LOOKS_SECONDS)

    def _played_here(
        self, chains: Sequence[JobChain], out: Path, sign: Path | None, elsewhere: list[JobChain]
    ) -> Iterator[Done]:
        chunks = [chains[start : start + CHUNK] for start in range(0, len(chains), CHUNK)]
        workers = self.workers
        if workers is None:
            workers = min(os.cpu_count() or 1, len(chunks) // 4)  # a process costs what ~100 episodes do
        if workers <= 1:
            yield from _play_chains(chains, out, sign, elsewhere)
            return
        with closing(in_processes(partial(_play_chunk, out=out, sign=sign), chunks, workers)) as results:
            for done, busy, stopped in results:
                yield from done
                elsewhere += busy
                if stopped:
                    raise RunStops(stopped)

    @asynccontextmanager
    async def stage(
        self,
        clients: Mapping[Endpoint, ModelClient],
        chains: Sequence[JobChain],
        out: Path,
        at_once: int,
        budget: Budget,
    ) -> AsyncIterator[Stage]:
        """See ``Place``."""
        stage = OwnStage(clients, budget.episode_seconds)
        try:
            yield stage
        finally:
            await stage.aclose()


@lru_cache(maxsize=1)
def _signer(key: Path | None) -> Signer | None:
    return None if key is None else read_signer(key)


def _play_chunk(
    chains: Sequence[JobChain], *, out: Path, sign: Path | None
) -> tuple[list[Done], list[JobChain], str]:
    """(what became of jobs, what other processes play, why the run is to stop)."""
    played: list[Done] = []
    elsewhere: list[JobChain] = []
    try:
        for done in _play_chains(chains, out, sign, elsewhere):
            played.append(done)
            if is_to_stop():
                break
    except RunStops as stop:
        return played, elsewhere, str(stop)
    return played, elsewhere, ""


def _play_chains(
    chains: Sequence[JobChain], out: Path, sign: Path | None, elsewhere: list[JobChain]
) -> Iterator[Done]:
    """Play chains one after the other; what another process plays is put down ``elsewhere``."""
    for chain in chains:
        try:
            yield from play_chain(chain, out, _signer(sign))
        except Elsewhere as busy:
            elsewhere.append(busy.rest)


def play_chain(chain: JobChain, out: Path, signer: Signer | None = None) -> Iterator[Done]:
    """Play scripted jobs, or take what another process has made of them. An error of a scenario or agent
    breaks its job, and those that follow it; raises ``Elsewhere``, and ``RunStops`` if nothing more can be
    written."""
    in_play = ChainInPlay(chain, out, world_of)
    for job in in_play:
        try:
            yield _played(in_play, job, out, signer)
        except Busy as busy:
            raise Elsewhere(replace(chain, done=chain.jobs.index(job))) from busy
        except Exception as error:  # a fault of one scenario, agent or file is its own
            yield broken_by(job, error)
            in_play.stopped = True
        yield from in_play.left_out(job)


def _played(in_play: ChainInPlay, job: Job, out: Path, signer: Signer | None) -> Done:
    world = in_play.world(job)
    path = job.path(out, world.id)
    with Journal(journal_of(path)):  # for its lock
        if (found := in_play.found(job, world, path)) is not None:
            return found
        policies = make_policies(job.agent, world)
        with EpisodeFile(path, signer) as file:
            clock = clock_for(job.clock, world, policies)
            episode = play_now(world, policies, job.seed, sink=file.write, clock=clock)
            file.finish()
    return in_play.done(job, world, path, episode)


@contextmanager
def _interrupted_at_once() -> Iterator[None]:
    """Ctrl-C is an exception wherever the program is: an event loop would only tell a policy that waits."""
    if not _hears_interrupts():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _hears_interrupts() -> bool:
    """Whether Ctrl-C means here what it usually means."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    return usual and threading.current_thread() is threading.main_thread()
