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
from backburner.evaluation.budgets import Books, Budget
from backburner.evaluation.calls import JournalKeeper, Keeper, KeptClient, calls_kept_by
from backburner.evaluation.jobs import AttemptFiles, Job
from backburner.evaluation.journals import BETWEEN_LOOKS_SECONDS, Busy, Journal, journal_of
from backburner.evaluation.lines import Course, Elsewhere, Line
from backburner.evaluation.outcomes import Done, Progress, broken_by, world_of
from backburner.kernel.chain import Signer
from backburner.kernel.episode import Episode
from backburner.kernel.errors import RunStops
from backburner.kernel.play import Sink
from backburner.kernel.policy import Policy
from backburner.kernel.values import Seat


class Stage(Protocol):
    """Where episodes of language models are played."""

    async def play(
        self, line: Line, job: Job, world: AnyWorld, keeper: JournalKeeper, files: AttemptFiles
    ) -> Episode:
        """Play one job of a line, whose world it is when its turn has come; the attempt that counts.

        The keeper knows answers of before, and keeps new ones. Raises ``RunStops`` when no further call can
        succeed.
        """


async def play_with_models(
    lines: Sequence[Line],
    out: Path,
    at_once: int,
    clients: Mapping[Endpoint, ModelClient],
    budget: Budget,
    signer: Signer | None,
    note: Progress,
    stage: AbstractAsyncContextManager[Stage],
) -> None:
    """Play the lines of jobs and tell what became of each job. ``signer`` signs the records, if there is one.

    ``clients`` tell where answers come from; whoever plays on the stage asks them. Episodes that another
    process plays are left to it, and looked after at the end. Raises ``RunStops`` when no further call can
    succeed; what is open then goes on from its journals in another run.
    """
    waiting, elsewhere = iter(lines), list[Line]()

    async def one_after_another(room: _Room) -> None:
        for line in waiting:
            await asyncio.sleep(0)  # a model that answers at once would let nobody else, not even Ctrl-C, in
            try:
                await room.play(line)
            except Elsewhere as busy:
                elsewhere.append(busy.rest)

    try:
        async with stage as open_stage:
            room = _Room(out, open_stage, Books(budget), clients, signer, note)
            async with asyncio.TaskGroup() as group:
                for _ in range(min(at_once, len(lines))):
                    group.create_task(one_after_another(room))
            for line in elsewhere:
                await _when_free(room, line)
    except* RunStops as stops:
        raise RunStops(str(stops.exceptions[0])) from None


async def _when_free(room: _Room, line: Line) -> None:
    """Play what another process had begun once that is done with it, or has been killed."""
    while True:
        try:
            return await room.play(line)
        except Elsewhere as busy:
            line = busy.rest
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

    def _policies(self, line: Line, job: Job, world: AnyWorld) -> dict[Seat, Policy]:
        if job is line.jobs[0]:
            return self._alone(replace(job, seed=0))
        return make_policies(job.agent, world, self._clients.__getitem__)

    async def play(
        self, line: Line, job: Job, world: AnyWorld, keeper: Keeper, attempts: Attempts
    ) -> Episode:
        """See ``Stage``; any keeper will do, and any place where attempts go."""
        policies = self._policies(line, job, world)
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

    async def play(self, line: Line) -> None:
        """Play what is left of a line. An error of a scenario or agent breaks its job, and those that
        follow it; raises ``Elsewhere``, and ``RunStops`` if nothing more can be played or written."""
        course = Course(line, self._out, world_of)
        for job in course:
            try:
                world = course.world(job)
                self._note(await self._play(line, course, job, world))
            except Busy as busy:
                raise Elsewhere(replace(line, done=line.jobs.index(job))) from busy
            except Exception as error:  # a fault of one scenario, agent or file is its own
                self._note(broken_by(job, error))
                course.stopped = True
            for done in course.left_out(job):
                self._note(done)

    async def _play(self, line: Line, course: Course, job: Job, world: AnyWorld) -> Done:
        """Play one job, or take what another process has made of it."""
        path = job.path(self._out, world.id)
        with Journal(journal_of(path)) as journal:
            done = course.found(job, world, path, self._clients.__getitem__)
            if done is None:
                keeper = JournalKeeper(journal, self._books)
                with AttemptFiles(path, self._signer) as files:
                    episode = await self._stage.play(line, job, world, keeper, files)
                    files.finish()
                done = course.done(job, world, path, episode)
            if "failed" not in (done.status, done.kept):  # what failed can be played on from its journal
                journal.remove()
        return done
