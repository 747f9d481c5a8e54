"""How far a run is, on stderr: a bar at a terminal, elsewhere a line now and then."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from types import TracebackType

from backburner.agents.models.traffic import Traffic
from backburner.cli.common import err, progress_bar, remark
from backburner.evaluation.outcomes import Done
from backburner.kernel.errors import amount, one_line

FIRST_SECONDS, LONGEST_SECONDS = 30.0, 300.0
"""When the first line is told where there is no bar, and the longest time between two; pauses double."""


class RunProgress:
    """A run of so many episodes, told of while the block runs. ``traffic``: of its calls to models."""

    def __init__(self, total: int, traffic: Traffic) -> None:
        self._total, self._traffic = total, traffic
        self._done = 0
        self._over = threading.Event()
        self._teller = threading.Thread(target=self._tell_now_and_then, daemon=True)
        self._bar = progress_bar(self._below)
        self._task = self._bar.add_task("episodes", total=total)

    def heard(self, done: Done) -> None:
        """What became of one more episode."""
        self._done += 1
        self._bar.advance(self._task)
        if done.error:
            self._traffic.failure = done.error

    def line(self) -> str:
        """All that is told, in one line."""
        episodes = f"{self._done} of {amount(self._total, 'episodes')}"
        return "; ".join((episodes, *self._below()))

    def _below(self) -> Iterable[str]:
        """What is told of calls: their number, and the last failure."""
        traffic = self._traffic
        if traffic.calls:
            tries = "try" if traffic.retries == 1 else "tries"
            again = f", {traffic.retries} {tries} sent again" if traffic.retries else ""
            yield f"{amount(traffic.calls, 'calls')}{again}"
        if traffic.failure:
            yield f"last failure: {one_line(traffic.failure)}"

    def _tell_now_and_then(self) -> None:
        pause = FIRST_SECONDS
        while not self._over.wait(pause):
            remark(self.line())
            pause = min(2 * pause, LONGEST_SECONDS)

    def __enter__(self) -> RunProgress:
        self._bar.start()
        if not err.is_terminal:
            self._teller.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._bar.stop()
