"""Chains of jobs: episodes that begin with what others left are played after these, as one piece of work.

Nearly every job is a chain of its own. Which episode follows which, and what it takes over, the world's
catalogue says; each record holds what was taken over, and replays alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.roster import AnyWorld
from backburner.agents.spec import Clients
from backburner.evaluation.running.calls import journal_of
from backburner.evaluation.running.jobs import Job, finished
from backburner.evaluation.running.outcomes import Done, Progress, broken, done_with, world_of
from backburner.kernel import registry
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.replay import final_state


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
    why = f"follows {before.scenario}, which came to no end of its own (--retry-failed plays both)"
    return broken(job, why)
