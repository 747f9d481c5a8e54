"""The head: a run's episodes, and searches, are done by a crew; journals and files are written here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from msgspec.structs import replace

from backburner.agents.models.client import Completion, ModelClient
from backburner.agents.models.openai_client import Patience
from backburner.agents.roster import AnyWorld
from backburner.agents.spec import Clients, Endpoint
from backburner.cluster.crew import MOST_LOST, Crew, Hands, Lost, Member, batches, do_all
from backburner.cluster.desks import InspectRecords, Records, kept, unknown
from backburner.cluster.luggage import (
    Asking,
    Luggage,
    check_alike,
    luggage_for,
    scenarios_and_agents,
    variables_for,
)
from backburner.cluster.wire import Answered, Failed, Failure, Open
from backburner.evaluation.records import read_signer
from backburner.evaluation.running.calls import BETWEEN_LOOKS_SECONDS, Books, Budget, JournalKeeper
from backburner.evaluation.running.chains_of_jobs import JobChain, Progress, broken, world_of
from backburner.evaluation.running.jobs import AttemptFiles, Job
from backburner.evaluation.running.playing import CHUNK, Stage
from backburner.evaluation.running.searches import Search
from backburner.kernel.episode import Episode, episode_in
from backburner.kernel.errors import Refused
from backburner.kernel.files import write_whole
from backburner.kernel.oracle import Solution

MANY = 1 << 20
"""Calls that a worker may have at a time where the run says how many there are together."""


class Machines(Hands, Protocol):
    """A cluster that is connected to."""

    @property
    def cpus(self) -> int:
        """Workers that it can hold, at least one."""


class Cluster:
    """A ``Place``, and more: the machines of a cluster.

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

    def _crew(self, size: int, room: int, luggage: Luggage, answer: Callable[[Any], Any]) -> Crew:
        async def begin(member: Member) -> None:
            check_alike(await member.call("about"))
            begun = await member.call("begin", luggage)
            if isinstance(begun, Failure):
                raise begun.error

        return Crew(self._machines, size, begin, answer, room=room, tell=self._tell)

    # --- episodes of scripted agents, and of Inspect --------------------------------------------------

    def play_scripted(self, chains: Sequence[JobChain], out: Path, sign: Path | None, note: Progress) -> None:
        """See ``Place``."""
        signer = None if sign is None else read_signer(sign)
        luggage = luggage_for(*scenarios_and_agents([job for chain in chains for job in chain.jobs]))
        desk = Records(out, signer, note)

        async def play() -> None:
            size = self._size(len(chains))
            async with self._crew(size, 1, luggage, desk.answer) as crew:
                desk.fail = crew.fail
                in_hand = asyncio.Semaphore(size)  # what waits for a worker is left to others

                async def do(some: tuple[JobChain, ...]) -> None:
                    async with in_hand, AsyncExitStack() as held:
                        if mine := [chain for each in some for chain in desk.take(each, held)]:
                            await crew.do("scripted", mine, _records_before(mine, out))

                def left(some: tuple[JobChain, ...]) -> list[JobChain]:
                    rest = (chain for chain in map(desk.rest, some) if chain not in desk.elsewhere)
                    return [chain for chain in rest if chain.done < len(chain.jobs)]

                def give_up(chain: JobChain, why: str) -> None:
                    for job in desk.rest(chain).jobs[desk.rest(chain).done :]:
                        note(broken(job, why))

                await do_all(batches(chains, size, CHUNK), do, left, give_up)
                while desk.elsewhere:
                    again, desk.elsewhere = desk.elsewhere, []
                    await asyncio.sleep(BETWEEN_LOOKS_SECONDS)
                    await do_all(batches(again, size, CHUNK), do, left, give_up)

        asyncio.run(play())

    def play_inspected(
        self,
        jobs: Mapping[Path, Job],
        out: Path,
        note: Progress,
        at_once: int,
        patience: Patience,
        budget: Budget,
        retry_failed: bool,
    ) -> None:
        """Play jobs through Inspect, by the files of their records, as ``InspectEngine`` does; so many
        episodes at once on all workers together. Raises ``RunStops`` when no further call can succeed."""
        desk = InspectRecords(out, note, Books(budget))
        items = list(jobs.items())
        if not items:
            return
        size = min(self._size(len(items)), at_once)
        own = at_once // size
        scenarios, agents = scenarios_and_agents(list(jobs.values()))
        luggage = luggage_for(scenarios, agents, variables_for("inspect"))

        async def play() -> None:
            async with self._crew(size, 1, luggage, desk.answer) as crew:
                desk.fail = crew.fail
                in_hand = asyncio.Semaphore(size)

                async def do(some: tuple[tuple[Path, Job], ...]) -> None:
                    async with in_hand:
                        asked = desk.asked(some, self._client_of, retry_failed)
                        if not asked:
                            return
                        logs = await crew.do("inspected", asked, own, patience, budget.episode_seconds)
                    for name, content in logs.items():
                        write_whole(out / name, content)

                def left(some: tuple[tuple[Path, Job], ...]) -> list[tuple[Path, Job]]:
                    return [each for each in some if each[1] not in desk.noted]

                def give_up(item: tuple[Path, Job], why: str) -> None:
                    note(broken(item[1], why))

                await do_all(batches(items, size, max(CHUNK, 4 * own)), do, left, give_up)

        try:
            asyncio.run(play())
        finally:
            desk.close()

    # --- episodes of language models ------------------------------------------------------------------

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
        asking = Asking(tuple(clients), self._client_of, budget.episode_seconds)
        scenarios, agents = scenarios_and_agents([job for chain in chains for job in chain.jobs])
        luggage = luggage_for(scenarios, agents, variables_for("own"), asking)
        stage = _ClusterStage(out)
        size = self._size(min(at_once, len(chains)))
        async with self._crew(size, MANY, luggage, stage.answer) as stage.crew:
            yield stage

    # --- searches --------------------------------------------------------------------------------------

    def solve(self, searches: Sequence[Search], found: Callable[[int, Solution], None]) -> None:
        """Search for the best plans; ``found`` hears of each solution, with its place among ``searches``.

        Raises the first error of any search; those that are under way then end.
        """
        luggage = luggage_for(search.scenario for search in searches)

        async def solve() -> None:
            size = self._size(len(searches))
            async with self._crew(size, 1, luggage, _nothing_asked) as crew:

                async def do(some: tuple[tuple[int, Search], ...]) -> None:
                    for number, search in some:
                        asked = (search.scenario, search.rules, search.limits, search.request)
                        found(number, await crew.do("solved", *asked))

                await do_all(batches(list(enumerate(searches)), size, 1), do, list, _give_up_search)

        asyncio.run(solve())


def _give_up_search(item: tuple[int, Search], why: str) -> None:
    raise Refused(f"{item[1].scenario}: {why}")


async def _nothing_asked(asked: Any) -> None:
    raise unknown(asked)


def _records_before(chains: Iterable[JobChain], out: Path) -> dict[str, bytes]:
    """The records of those jobs of the chains that are done, by their paths in the folder."""
    paths = (job.path(Path(), world_of(job).id) for chain in chains for job in chain.jobs[: chain.done])
    return {path.as_posix(): (out / path).read_bytes() for path in paths}


class _ClusterStage:
    """A ``Stage``: every episode is played by a worker, which asks here before it asks a model."""

    crew: Crew

    def __init__(self, out: Path) -> None:
        self._out = out
        self._numbers = count(1)
        self._keepers: dict[int | str, JournalKeeper] = {}

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
                contents = await self.crew.do("episode", mine, number, _records_before([mine], self._out))
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

    async def answer(self, asked: Any) -> Completion | None:
        """What a worker wants to know of an episode that is still its own."""
        if not isinstance(asked, Open | Failed | Answered) or asked.episode not in self._keepers:
            raise unknown(asked)
        return await kept(asked, self._keepers[asked.episode])
