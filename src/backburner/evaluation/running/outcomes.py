"""What becomes of the jobs of a run, one by one and in numbers."""

from __future__ import annotations

import errno
from collections import Counter, deque
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from backburner.agents.roster import AnyWorld
from backburner.evaluation.running.jobs import Job
from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError, RunStops


class Done(Struct, frozen=True):
    """What became of a job: the ending's status, ``broken`` (an error), or ``kept`` (it was there; then
    ``kept`` is its ending's status). ``overflowed``: whether the conversation became too long for the model.
    """

    job: Job
    status: str
    path: Path | None = None
    error: str = ""
    kept: str = ""
    overflowed: bool = False


class Summary(Struct, frozen=True):
    """A run in numbers: episodes played now and kept from before; of both, those that failed or ran
    into the safety cap, and those whose conversation ``overflowed`` the model; those that could not be played
    (with the messages); ``stopped``: why the run ended before all were played."""

    played: int
    kept: int
    failed: int
    capped: int
    broken: int
    errors: tuple[str, ...]
    out: str
    stopped: str = ""
    overflowed: int = 0


Progress = Callable[[Done], None]
"""Hears of every job what has become of it."""


FULL = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EROFS))
"""What says that nothing more can be written, by any episode."""


def broken_by(job: Job, error: Exception) -> Done:
    """What became of a job that this error broke.

    Raises ``RunStops`` if the error breaks every other job, too: the run itself stops, or nothing more can be
    written.
    """
    if isinstance(error, RunStops):
        raise error
    if isinstance(error, OSError) and error.errno in FULL:
        raise RunStops(f"{job.scenario}, {job.agent.label}: {error.strerror}") from error
    why = str(error) if isinstance(error, BackburnerError) else f"{type(error).__name__}: {error}"
    return broken(job, why)


def broken(job: Job, why: str) -> Done:
    """What became of a job that could not be played."""
    return Done(job, "broken", error=f"{job.scenario}, {job.agent.label}: {why}")


def done_with(job: Job, path: Path, episode: Episode) -> Done:
    """What became of a job that was played."""
    ending = episode.ending
    why = f"{job.scenario}, {job.agent.label}: {ending.error}" if ending and ending.error else ""
    overflowed = ending is not None and ending.overflowed
    return Done(job, ending.status if ending else "", path, why, overflowed=overflowed)


def world_of(job: Job) -> AnyWorld:
    """The job's world; raises what ``registry.world`` raises."""
    return _compiled(job.scenario, job.rules, job.limits)


@lru_cache(maxsize=256)  # the largest grow to more than a MiB while they are played
def _compiled(scenario: str, rules: str, limits: str) -> AnyWorld:
    return registry.world(scenario, rules=rules, limits=limits)


LAST = 10
"""So many episodes of models must be over before failures stop a run, and the last so many are looked at."""


class Failures:
    """Stops a run when more than a share of the last ``LAST`` episodes of models have failed."""

    def __init__(self, most: float) -> None:
        self._most = most
        self._last: deque[bool] = deque(maxlen=LAST)

    def hear(self, done: Done) -> None:
        """What became of one more job. Raises ``RunStops``."""
        if not done.job.agent.needs_model or done.status in ("kept", "broken"):
            return
        self._last.append(done.status == "failed")
        failed = sum(self._last)
        if len(self._last) == LAST and failed > self._most * LAST:
            raise RunStops(
                f"{failed} of the last {LAST} episodes failed, such as {done.error}; when that is mended, the"
                " same command with --retry-failed goes on (--most-failed 1 never stops)"
            )


class Tally:
    """Counts what becomes of jobs without keeping them."""

    def __init__(self) -> None:
        self._now: Counter[str] = Counter()
        self._ended: Counter[str] = Counter()
        self._errors: dict[str, None] = {}
        self._overflowed = 0
        self._stopped = ""

    def count(self, done: Done) -> None:
        """What became of one more job."""
        self._now[done.status] += 1
        self._ended[done.kept or done.status] += 1
        self._overflowed += done.overflowed
        if done.error:
            self._errors[done.error] = None

    @property
    def counted(self) -> int:
        """How many jobs it has heard of."""
        return self._now.total()

    def stop(self, why: str) -> None:
        """Nothing more is played."""
        self._stopped = why

    def summary(self, out: Path) -> Summary:
        """The numbers so far."""
        kept, broken = self._now["kept"], self._now["broken"]
        return Summary(
            played=self._now.total() - kept - broken,
            kept=kept,
            failed=self._ended["failed"],
            capped=self._ended["capped"],
            broken=broken,
            errors=tuple(self._errors),
            out=str(out),
            stopped=self._stopped,
            overflowed=self._overflowed,
        )
