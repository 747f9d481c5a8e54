"""Episodes of language models, many at once in one event loop, each with a journal of its calls."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace

from backburner.agents.attempts import play_attempts
from backburner.agents.models.client import ModelClient
from backburner.agents.roster import AnyWorld, make_policies
from backburner.agents.spec import Endpoint
from backburner.evaluation.records import journal_of
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
from backburner.evaluation.running.jobs import AttemptFiles, Job
from backburner.kernel.chain import Signer
from backburner.kernel.episode import Episode
from backburner.kernel.errors import RunStops
from backburner.kernel.play import Sink
from backburner.kernel.policy import Policy
from backburner.kernel.values import Seat


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
            return self._alone(replace(job, seed=0))
        return make_policies(job.agent, world, self._clients.__getitem__)

    async def play(
        self, chain: JobChain, job: Job, world: AnyWorld, keeper: Keeper, attempts: Attempts
    ) -> Episode:
        """See ``Stage``; any keeper will do, and any place where attempts go."""
        policies = self._policies(chain, job, world)
        with calls_kept_by(keeper, self._episode_seconds):
            *_, episode = await play_attempts(world, policies, job.seed, sink=attempts.sink)
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
