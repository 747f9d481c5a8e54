"""Episodes of scripted agents, in processes of this machine; those that ask models, in this one.

Episodes are played here unless somebody says otherwise.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from functools import lru_cache, partial
from pathlib import Path
from types import FrameType

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.client import ModelClient
from backburner.agents.roster import make_policies
from backburner.agents.spec import Endpoint
from backburner.evaluation.records import journal_of
from backburner.evaluation.running.calls import BETWEEN_LOOKS_SECONDS, Budget, Busy, Journal
from backburner.evaluation.running.chains_of_jobs import (
    ChainInPlay,
    Done,
    Elsewhere,
    JobChain,
    Progress,
    broken_by,
    world_of,
)
from backburner.evaluation.running.jobs import Job, clear_dead_parts
from backburner.evaluation.running.model_play import OwnStage, Stage
from backburner.evaluation.running.pool import in_processes, is_to_stop
from backburner.evaluation.signing import read_signer
from backburner.kernel.chain import Signer
from backburner.kernel.episode import EpisodeFile
from backburner.kernel.errors import RunStops
from backburner.kernel.play import play_now

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
            episode = play_now(world, policies, job.seed, sink=file.write)
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
