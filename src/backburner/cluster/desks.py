"""Where the head keeps what workers have played: records in the folder of the run, journals beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from backburner.agents.models.client import Completion
from backburner.agents.spec import Clients
from backburner.cluster.wire import Answered, Failed, Finished, Open, failure_of
from backburner.evaluation.records import journal_of
from backburner.evaluation.running.calls import Books, Busy, Journal, JournalKeeper
from backburner.evaluation.running.chains_of_jobs import Done, JobChain, Progress, begun, broken_by, world_of
from backburner.evaluation.running.jobs import AttemptFiles, Job, finished
from backburner.kernel.chain import Signer
from backburner.kernel.errors import BackburnerError, Refused, RunStops


def unknown(asked: Any) -> Refused:
    """What is said to a question that no worker should have."""
    return Refused(f"nobody here answers {type(asked).__name__}")


class Records:
    """The files of jobs that workers tell the end of. ``noted``: the jobs that are over; ``elsewhere``: what
    another process plays."""

    def __init__(self, out: Path, signer: Signer | None, note: Progress) -> None:
        self._out, self._signer, self._note = out, signer, note
        self.noted: set[Job] = set()
        self.elsewhere: list[JobChain] = []
        self.fail: Callable[[BackburnerError], None] = lambda error: None

    async def answer(self, asked: Any) -> Any:
        """Write the record of a finished job and note it. What is told again is known already."""
        if not isinstance(asked, Finished):
            raise unknown(asked)
        if asked.done.job in self.noted:
            return
        try:
            self._keep(asked)
        except (BackburnerError, OSError) as error:
            self.fail(RunStops(failure_of(error).message))
            raise

    def _keep(self, told: Finished) -> None:
        done = told.done
        if told.contents:
            path = done.job.path(self._out, world_of(done.job).id)
            write_attempts(path, told.contents, self._signer)
            done = replace(done, path=path)
        self.over(done)

    def over(self, done: Done) -> None:
        """A job is over."""
        self.noted.add(done.job)
        self._note(done)

    def take(self, chain: JobChain, held: AsyncExitStack) -> Iterator[JobChain]:
        """What is left of a chain, if anything is; as long as the stack is open nobody else plays it."""
        rest = self.rest(chain)
        try:
            for job in rest.jobs[rest.done :]:
                held.enter_context(Journal(journal_of(job.path(self._out, world_of(job).id))))
        except Busy:
            self.elsewhere.append(rest)
            return
        rest = begun(rest, self._out, None, self.over)
        if rest.done < len(rest.jobs):
            yield rest

    def rest(self, chain: JobChain) -> JobChain:
        """What is left of a chain."""
        over = [number for number, job in enumerate(chain.jobs, 1) if job in self.noted]
        return replace(chain, done=max([chain.done, *over]))


class InspectRecords(Records):
    """Keeps what was played through Inspect: records, and journals beside them, as workers ask here before
    Inspect asks a model."""

    def __init__(self, out: Path, note: Progress, books: Books) -> None:
        super().__init__(out, None, note)
        self._books = books
        self._journals: dict[str, Journal] = {}

    async def answer(self, asked: Any) -> Any:
        """Keep calls in journals until the records are whole; see ``_Records.answer``."""
        if not isinstance(asked, Open | Failed | Answered):
            await super().answer(asked)
            return None
        return await kept(asked, JournalKeeper(self._journal(str(asked.episode)), self._books))

    def _journal(self, file: str) -> Journal:
        if file not in self._journals:
            try:
                self._journals[file] = Journal(journal_of(self._out / file))
            except Busy as busy:
                raise Refused("another run plays it now; the same command looks after it later") from busy
        return self._journals[file]

    def asked(
        self, some: Iterable[tuple[Path, Job]], client_of: Clients | None, retry_failed: bool
    ) -> dict[str, Job]:
        """Those that are to be played from their beginnings, and by nobody else, by the files of their
        records; the others are over."""
        found = {}
        for path, job in some:
            file = path.relative_to(self._out).as_posix()
            try:
                self._journal(file).begin_again()
                ending = finished(path, job, world_of(job), client_of, retry_failed=retry_failed)
            except BackburnerError as error:
                self.over(broken_by(job, error))
                continue
            if ending is None:
                found[file] = job
            else:
                self.over(Done(job, "kept", path, kept=ending.status, overflowed=ending.overflowed))
        return found

    def _keep(self, told: Finished) -> None:
        super()._keep(told)
        file = told.done.job.path(Path(), world_of(told.done.job).id).as_posix()
        journal = self._journals.pop(file, None)
        if journal is not None:
            with journal:
                if told.contents and told.done.status != "failed":
                    journal.remove()

    def close(self) -> None:
        """Leave the journals of open episodes to who comes next."""
        for journal in self._journals.values():
            with journal:
                pass


async def kept(asked: Open | Failed | Answered, keeper: JournalKeeper) -> Completion | None:
    """What the keeper says to a worker's question about a call."""
    match asked:
        case Open():
            return await keeper.open(asked.request)
        case Failed():
            await keeper.failed(asked.request)
            return None
        case Answered():
            return await keeper.answered(asked.request, asked.model, asked.completion)


def write_attempts(path: Path, contents: Sequence[bytes], signer: Signer | None) -> None:
    """Write the files of a job, former attempts first, as they would have been written here."""
    with AttemptFiles(path, signer) as files:
        for number, content in enumerate(contents, 1):
            files.write_whole(number, content)
        files.finish()
