"""The head: episodes of a run, searches and pieces of a build go to workers; files are written here."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from backburner.agents.models.client import ModelClient
from backburner.agents.roster import AnyWorld
from backburner.agents.spec import AgentSpec, Clients, Endpoint
from backburner.cluster.pool import (
    MOST_LOST,
    Answer,
    Failure,
    Lost,
    Machines,
    Pool,
    Question,
    Remote,
    do_all,
    failure_of,
)
from backburner.cluster.worker import VARIABLES, Numbered, Payload, check_alike, files_for, solved
from backburner.evaluation.records import journal_of, read_signer
from backburner.evaluation.running.calls import BETWEEN_LOOKS_SECONDS, Budget, Busy, Journal, JournalKeeper
from backburner.evaluation.running.chains_of_jobs import Done, JobChain, Progress, begun, broken, world_of
from backburner.evaluation.running.jobs import AttemptFiles, Job
from backburner.evaluation.running.playing import Stage
from backburner.evaluation.running.pool import Run
from backburner.evaluation.running.searches import Search
from backburner.kernel.chain import Signer
from backburner.kernel.episode import Episode, episode_in
from backburner.kernel.errors import BackburnerError, Refused, RunStops, shorten
from backburner.kernel.oracle import Solution

MOST_CHAINS = 8
"""Chains of scripted episodes that one worker is handed at a time; all are played again if it is lost."""

MANY = 1 << 20
"""Calls that a worker may have at a time where the run says how many there are together."""

ASKED = ("open", "failed", "answered")
"""What workers may ask of the journal of an episode."""


class Cluster:
    """A ``Place``, a ``Solver``, and by ``running`` ``Workers``: the machines of a cluster.

    ``workers``: how many at once, by default one for each CPU. ``client_of`` makes clients of models, on the
    workers. ``tell`` is told what a person should know.
    """

    def __init__(
        self,
        machines: Machines,
        *,
        workers: int | None = None,
        client_of: Clients | None = None,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._machines, self._workers, self._client_of, self._tell = machines, workers, client_of, tell

    def _size(self, pieces: int) -> int:
        return max(1, min(self._workers or self._machines.cpus, pieces))

    def _pool(self, size: int, payload: Payload, answer: Answer, room: int = 1) -> Pool:
        async def begin(worker: Remote) -> None:
            check_alike(await worker.call("about"))
            ready = await worker.call("begin", payload)
            if isinstance(ready, Failure):
                raise ready.error

        return Pool(self._machines, size, begin, answer, room=room, tell=self._tell)

    def play_scripted(self, chains: Sequence[JobChain], out: Path, sign: Path | None, note: Progress) -> None:
        """See ``Place``."""
        records = _Records(out, None if sign is None else read_signer(sign), note)
        payload = Payload(files_for(*_scenarios_and_agents(chains)))

        async def play() -> None:
            size = self._size(len(chains))
            async with self._pool(size, payload, _nothing_asked) as pool:
                in_hand = asyncio.Semaphore(size)  # what waits for a worker is left to others

                async def do(some: tuple[JobChain, ...]) -> None:
                    async with in_hand, AsyncExitStack() as held:
                        mine = [left for chain in some if (left := records.take(chain, held)) is not None]
                        ended = await pool.do("scripted", mine, _records_before(mine, out)) if mine else ()
                        for done, contents in ended:
                            records.keep(done, contents)

                def give_up(chain: JobChain, why: str) -> None:
                    for job in chain.jobs[chain.done :]:
                        note(broken(job, why))

                waiting = list(chains)
                while waiting:
                    batch = max(1, min(MOST_CHAINS, len(waiting) // (size * 4)))
                    await do_all(waiting, batch, do, give_up)
                    waiting, records.elsewhere = records.elsewhere, []
                    await asyncio.sleep(BETWEEN_LOOKS_SECONDS if waiting else 0)

        asyncio.run(play())

    @asynccontextmanager
    async def stage(
        self,
        clients: Mapping[Endpoint, ModelClient],
        chains: Sequence[JobChain],
        out: Path,
        at_once: int,
        budget: Budget,
    ) -> AsyncIterator[Stage]:
        """See ``Place``; clients are made anew on the workers."""
        if self._client_of is None:
            raise Refused("a cluster needs client_of, which makes the clients of models on its workers")
        files = files_for(*_scenarios_and_agents(chains))
        variables = {name: os.environ[name] for name in VARIABLES if name in os.environ}
        payload = Payload(files, variables, tuple(clients), self._client_of, budget.episode_seconds)
        stage = _ClusterStage(out)
        size = self._size(min(at_once, len(chains)))
        async with self._pool(size, payload, stage.answer, room=MANY) as stage.pool:
            yield stage

    def solve(self, searches: Sequence[Search], found: Callable[[int, Solution], None]) -> None:
        """Search for the best plans; ``found`` hears of each solution, with its place among ``searches``.

        Raises the first error of any search; those that are under way then end.
        """
        files = (search.scenario for search in searches if search.scenario.endswith(".json"))
        with self.running(len(searches), files) as run:
            for place, solution in run(solved, [*map(Numbered, range(len(searches)), searches)]):
                found(place, solution)

    @contextmanager
    def running(self, most: int, files: Iterable[str]) -> Iterator[Run]:
        """See ``Workers``. A piece that costs too many workers ends it all: that raises ``Refused``."""
        payload = Payload(files_for((), others=files))
        with asyncio.Runner() as runner:
            pool = self._pool(self._size(most), payload, _nothing_asked)

            def run(work: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Any]:
                done: asyncio.Queue[Any] = asyncio.Queue()

                async def do(some: tuple[Any, ...]) -> None:
                    done.put_nowait(await pool.do("worked", work, *some))

                def give_up(piece: Any, why: str) -> None:
                    raise Refused(f"{shorten(str(piece))}: {why}")

                async def do_them() -> None:
                    try:
                        await do_all(pieces, 1, do, give_up)
                    finally:
                        done.put_nowait(doing)  # nothing more comes

                doing = runner.get_loop().create_task(do_them())
                try:
                    while (result := runner.run(done.get())) is not doing:
                        yield result
                    doing.result()
                finally:
                    doing.cancel()

            runner.run(pool.__aenter__())
            try:
                yield run
            finally:
                runner.run(pool.__aexit__(None, None, None))


def _scenarios_and_agents(chains: Iterable[JobChain]) -> tuple[list[str], list[AgentSpec]]:
    """The scenarios and the agents of all jobs, each once."""
    jobs = [job for chain in chains for job in chain.jobs]
    return list(dict.fromkeys(job.scenario for job in jobs)), list(dict.fromkeys(job.agent for job in jobs))


async def _nothing_asked(question: Question) -> None:
    raise Refused(f"nobody here answers {question.method}")


def _records_before(chains: Iterable[JobChain], out: Path) -> dict[str, bytes]:
    """The records of those jobs of the chains that are done, by their paths in the folder."""
    paths = (job.path(Path(), world_of(job).id) for chain in chains for job in chain.jobs[: chain.done])
    return {path.as_posix(): (out / path).read_bytes() for path in paths}


class _Records:
    """The records of scripted jobs. ``elsewhere``: chains that another process plays."""

    def __init__(self, out: Path, signer: Signer | None, note: Progress) -> None:
        self._out, self._signer, self._note = out, signer, note
        self.elsewhere: list[JobChain] = []

    def take(self, chain: JobChain, held: AsyncExitStack) -> JobChain | None:
        """What is left of a chain, if anything is; as long as the stack is open nobody else plays it."""
        try:
            for job in chain.jobs[chain.done :]:
                held.enter_context(Journal(journal_of(job.path(self._out, world_of(job).id))))
        except Busy:
            self.elsewhere.append(chain)
            return None
        left = begun(chain, self._out, None, self._note)
        return left if left.done < len(left.jobs) else None

    def keep(self, done: Done, contents: Sequence[bytes]) -> None:
        """A job is over, with these contents of its record's files, former attempts first."""
        if contents:
            path = done.job.path(self._out, world_of(done.job).id)
            try:
                with AttemptFiles(path, self._signer) as files:
                    for number, content in enumerate(contents, 1):
                        files.write_whole(number, content)
                    files.finish()
            except (BackburnerError, OSError) as error:
                raise RunStops(failure_of(error).message) from error
            done = replace(done, path=path)
        self._note(done)


class _ClusterStage:
    """A ``Stage``: every episode is played by a worker, which asks here before it asks a model."""

    pool: Pool

    def __init__(self, out: Path) -> None:
        self._out = out
        self._numbers = count(1)
        self._keepers: dict[int, JournalKeeper] = {}

    async def play(
        self, chain: JobChain, job: Job, world: AnyWorld, keeper: JournalKeeper, files: AttemptFiles
    ) -> Episode:
        """See ``Stage``. When the worker is lost, another plays the episode again from its journal."""
        place = chain.jobs.index(job)
        mine = replace(chain, jobs=chain.jobs[: place + 1], done=place)
        lost = 0
        while True:
            known = keeper.journal.answers
            number = next(self._numbers)
            self._keepers[number] = keeper
            try:
                contents = await self.pool.do("episode", mine, number, _records_before([mine], self._out))
            except Lost as error:
                lost = lost + 1 if keeper.journal.answers == known else 1
                if lost == MOST_LOST:
                    raise Refused(f"{MOST_LOST} workers were lost by it ({error})") from error
                keeper.journal.begin_again()
            else:
                for attempt, content in enumerate(contents, 1):
                    files.write_whole(attempt, content)
                return episode_in(contents[-1], files.path)
            finally:
                del self._keepers[number]

    async def answer(self, question: Question) -> Any:
        """What a worker wants to know of an episode that is still its own."""
        keeper = self._keepers.get(question.episode)
        if keeper is None or question.method not in ASKED:
            raise Refused(f"nobody here answers {question.method}")
        return await getattr(keeper, question.method)(*question.arguments)
