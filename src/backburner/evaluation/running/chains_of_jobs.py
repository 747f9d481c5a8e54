"""What becomes of the jobs of a run, one by one and in numbers; and jobs that follow one another.

Episodes that begin with what others left are played after these, as one piece of work: a chain. Nearly every
job is a chain of its own. Which episode follows which, and what it takes over, the world's catalogue says;
each record holds what was taken over, and replays alone.
"""

from __future__ import annotations

import errno
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.roster import AnyWorld
from backburner.agents.spec import Clients
from backburner.evaluation.records import journal_of
from backburner.evaluation.running.jobs import Job, finished
from backburner.kernel import registry
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import RunStops, why
from backburner.kernel.replay import final_state
from backburner.kernel.values import digest


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
    return broken(job, why(error))


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
                " same command with --budget retry_failed=yes goes on (most_failed=1 never stops)"
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


# --- jobs that follow one another -------------------------------------------------------------------------


class JobChain(Struct, frozen=True):
    """Jobs in the order in which they are played; the first ``done`` of them have their records already.

    ``retry_failed``: whether a record that failed is played again.
    """

    jobs: tuple[Job, ...]
    done: int = 0
    retry_failed: bool = False


def job_chains(jobs: Iterable[Job]) -> list[JobChain]:
    """The jobs in chains, with all jobs that any of them follows."""
    found: dict[Job, dict[Job, None]] = {}
    for job in jobs:
        members = [replace(job, scenario=scenario) for scenario in registry.line(job.scenario)]
        found.setdefault(members[0], {}).update(dict.fromkeys(members))
    return [
        JobChain(tuple(sorted(members, key=lambda job: len(registry.line(job.scenario)))))
        if len(members) > 1
        else JobChain(tuple(members))
        for members in found.values()
    ]


def share_of(jobs: Iterable[Job], part: int, parts: int) -> list[Job]:
    """The jobs of one of so many parts, counted from 1: no two parts share a job, all together have all, and
    jobs that follow one another are in one part.

    The same jobs always make the same parts, of about as many chains each; the agents, scenarios and seeds of
    a run are mixed in each.
    """
    chains = job_chains(jobs)
    mixed = sorted(range(len(chains)), key=lambda place: digest(_names(chains[place])))
    mine = sorted(mixed[part - 1 :: parts])
    return [job for place in mine for job in chains[place].jobs]


def _names(chain: JobChain) -> list[tuple[str, str, int]]:
    return [
        (job.scenario, f"{job.agent.label}{job.clock.label if job.clock else ''}", job.seed)
        for job in chain.jobs
    ]


class ChainInPlay:
    """A chain on its way through its worlds, each as the episode before it left it.

    ``world_of`` makes the world of a job that follows no other. ``stopped``: whether nothing can follow the
    job whose turn it was.
    """

    def __init__(self, chain: JobChain, out: Path, world_of: Callable[[Job], AnyWorld]) -> None:
        self.left = list(chain.jobs[chain.done :])
        self._chain, self._done = chain, list(chain.jobs[: chain.done])
        self._out = out
        self._world_of = world_of
        self._before: tuple[AnyWorld, Episode] | None = None
        self.stopped = False

    def __iter__(self) -> Iterator[Job]:
        """The jobs to be played, each in its turn; none come after ``stop``."""
        while self.left:
            yield self.left.pop(0)

    def world(self, job: Job) -> AnyWorld:
        """The world of the job whose turn it is."""
        while self._done:
            earlier = self._done.pop(0)
            world = self._next(earlier)
            self.played(world, read_episode(earlier.path(self._out, world.id)))
        return self._next(job)

    def _next(self, job: Job) -> AnyWorld:
        if self._before is None:
            return self._world_of(job)
        world, episode = self._before
        state: Any = final_state(episode, world)
        return registry.following(job.scenario, world, state, rules=job.rules, limits=job.limits)

    def found(self, job: Job, world: AnyWorld, path: Path, clients: Clients | None = None) -> Done | None:
        """What became of the job whose turn it is, if its record is finished: in this folder, before or since
        the run began. ``None``: it is to be played. Raises what ``finished`` raises.

        While other processes may play, the answer holds only for whoever has the journal of the job.
        """
        first, again = job is self._chain.jobs[0], self._chain.retry_failed
        ending = finished(path, job, world, clients, follows=not first, retry_failed=again)
        if ending is None:
            return None
        self.stopped = ending.status == "failed"
        if self.left and not self.stopped:
            self.played(world, read_episode(path))
        return Done(job, "kept", path, kept=ending.status, overflowed=ending.overflowed)

    def done(self, job: Job, world: AnyWorld, path: Path, episode: Episode) -> Done:
        """What became of a job that was played, on which the chain goes on unless it failed."""
        self.played(world, episode)
        self.stopped = episode.ending is None or episode.ending.status == "failed"
        return done_with(job, path, episode)

    def left_out(self, job: Job) -> Iterator[Done]:
        """What becomes of the jobs that cannot be played after this one."""
        if self.stopped:
            yield from (left_out(other, job) for other in self.stop())

    def played(self, world: AnyWorld, episode: Episode) -> None:
        """The episode of a job is over; what follows begins with what it left."""
        self._before = world, episode

    def stop(self) -> list[Job]:
        """Play none of the jobs that are left; returns them."""
        left, self.left = self.left, []
        return left


def begun(chain: JobChain, out: Path, clients: Clients | None, note: Progress) -> JobChain:
    """The chain, with how many of its jobs are done; each of these is noted. Raises what ``finished`` raises,
    also for those that are not done."""
    in_play = ChainInPlay(chain, out, world_of)
    for number, job in enumerate(in_play, chain.done):
        world = in_play.world(job)
        path = job.path(out, world.id)
        done = in_play.found(job, world, path, clients)
        if done is None:
            for other in in_play.left:  # whose records give way, if they are of this experiment
                finished(other.path(out, other.scenario), other, world_of(other), clients, follows=True)
            return replace(chain, done=number)
        if job.agent.needs_model and done.kept != "failed":
            journal_of(path).unlink(missing_ok=True)  # of a run that was killed right after the end
        note(done)
        for other_done in in_play.left_out(job):
            note(other_done)
    return replace(chain, done=len(chain.jobs))


class Elsewhere(Exception):
    """Another process plays the next job of a chain; ``rest`` is what is left of it."""

    def __init__(self, rest: JobChain) -> None:
        self.rest = rest


def left_out(job: Job, before: Job) -> Done:
    """What became of a job that follows one that failed."""
    why = f"follows {before.scenario}, which came to no end of its own (--budget retry_failed=yes plays both)"
    return broken(job, why)
