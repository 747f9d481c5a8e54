"""What the episodes of one run share when Inspect plays them: journals of their calls, and books."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from backburner.evaluation.records import journal_of
from backburner.evaluation.running.calls import (
    NO_END,
    Books,
    Budget,
    Busy,
    Journal,
    JournalKeeper,
    Keeper,
    calls_kept_by,
)
from backburner.kernel.errors import RunStops


class RunCalls:
    """The calls of a run to models. ``is_finished``: whether the record at this place is one that the run is
    to make, and finished.

    ``busy``: records of episodes that another process plays; ``elsewhere``: those that another process has
    finished since the run began; ``stopped``: why no further call can be made. ``keeper_of``: who keeps the
    calls of the episode with this record, if not a journal beside it.
    """

    def __init__(
        self,
        budget: Budget = NO_END,
        is_finished: Callable[[Path], bool] = lambda path: False,
        keeper_of: Callable[[Path], Keeper] | None = None,
    ) -> None:
        self.busy: set[Path] = set()
        self.elsewhere: set[Path] = set()
        self.stopped = ""
        self._books = Books(budget)
        self._is_finished = is_finished
        self._keeper_of = keeper_of

    @contextmanager
    def kept(self, path: Path) -> Iterator[Journal | None]:
        """Within it, a ``KeptClient`` keeps its answers in the journal beside the record.

        ``None``: another process has finished the episode in the meantime. Raises ``Busy`` if another
        process plays it, ``RunStops`` if no further call can be made.
        """
        if self.stopped:
            raise RunStops(self.stopped)
        try:
            journal = Journal(journal_of(path))
        except Busy:
            self.busy.add(path)
            raise
        with journal:
            if self._is_finished(path):
                self.elsewhere.add(path)
                journal.remove()
                yield None
                return
            try:
                most_seconds = self._books.budget.episode_seconds
                own = JournalKeeper(journal, self._books)
                with calls_kept_by(self._keeper_of(path) if self._keeper_of else own, most_seconds):
                    yield journal
            except RunStops as stop:
                self.stopped = self.stopped or str(stop)
                raise


_running: ContextVar[RunCalls | None] = ContextVar("running", default=None)


@contextmanager
def calls_of(run: RunCalls) -> Iterator[None]:
    """Within it, episodes belong to this run."""
    token = _running.set(run)
    try:
        yield
    finally:
        _running.reset(token)


def calls_now() -> RunCalls | None:
    """The run that the present episode belongs to; ``None``: Inspect was not started by a run of ours."""
    return _running.get()
