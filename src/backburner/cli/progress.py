"""How far a long command is, on stderr: a bar at a terminal, elsewhere a line now and then."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import RenderableType

from backburner.agents.models.traffic import Traffic
from backburner.cli.common import err, remark
from backburner.evaluation.running.outcomes import Done
from backburner.kernel.errors import amount, one_line

if TYPE_CHECKING:
    from rich.progress import Progress

FIRST_SECONDS, LONGEST_SECONDS = 30.0, 300.0
"""When the first line is told where there is no bar, and the longest time between two; pauses double."""


def progress_bar(below: Callable[[], Iterable[str]] = tuple) -> Progress:
    """A bar on stderr that goes away when it is done; a line now and then where stderr is no terminal.

    ``below``: what stands below it now, each on a line that is cut at the terminal's edge.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.text import Text

    over = threading.Event()

    class Bar(Progress):
        def get_renderables(self) -> Iterable[RenderableType]:
            yield from super().get_renderables()
            yield from (Text(f"  {line}", no_wrap=True, overflow="ellipsis") for line in below())

        def start(self) -> None:
            super().start()
            if self.disable:
                threading.Thread(target=self._tell_now_and_then, daemon=True).start()

        def stop(self) -> None:
            over.set()
            super().stop()

        def _tell_now_and_then(self) -> None:
            pause = FIRST_SECONDS
            while not over.wait(pause):
                counted = [so_far(task.completed, task.total, task.description) for task in self.tasks]
                remark("; ".join((*counted, *below())))
                pause = min(2 * pause, LONGEST_SECONDS)

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Bar(*columns, console=err, transient=True, disable=not err.is_terminal)


def so_far(done: float, total: float | None, things: str) -> str:
    """``3 of 20 records``; without a total ``records: 3``."""
    return f"{things}: {done:g}" if total is None else f"{done:g} of {total:g} {things}"


class RunProgress:
    """A run of so many episodes, told of while the block runs. ``traffic``: of its calls to models."""

    def __init__(self, total: int, traffic: Traffic) -> None:
        self._traffic = traffic
        self._bar = progress_bar(self._below)
        self._task = self._bar.add_task("episodes", total=total)

    def heard(self, done: Done) -> None:
        """What became of one more episode."""
        self._bar.advance(self._task)
        if done.error:
            self._traffic.failure = done.error

    def _below(self) -> Iterable[str]:
        """What is told of calls: their number, and the last failure."""
        traffic = self._traffic
        if traffic.calls:
            tries = "try" if traffic.retries == 1 else "tries"
            again = f", {traffic.retries} {tries} sent again" if traffic.retries else ""
            yield f"{amount(traffic.calls, 'calls')}{again}"
        if traffic.failure:
            yield f"last failure: {one_line(traffic.failure)}"

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
