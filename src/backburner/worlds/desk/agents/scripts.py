"""Scripts that know what a seat is told, and work out every figure rightly.

They differ in when they wait and for what: for the one job that runs (``sequential``), for nothing, as they
ask job after job (``polling``), for the next notice (``eager``, ``critical``). What ends in silence is
checked in the middle of the span in which it is said to end.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from backburner.kernel.policy import PlainPolicy, Reply, Turn
from backburner.worlds.desk.game.legality import free_as_told, startable
from backburner.worlds.desk.game.state import (
    A_MINUTE,
    NEXT_NOTICE,
    Check,
    Decision,
    Observation,
    Seen,
    Start,
    Wait,
)
from backburner.worlds.desk.game.state import Reply as Answer
from backburner.worlds.desk.game.world import Desk

UNKNOWN_MINUTES = 10
"""What a run is taken to need of which nothing is told."""


class Script(PlainPolicy):
    """What all scripts do: answer what is asked first, and begin what can be begun."""

    name = ""

    def __init__(self, world: Desk) -> None:
        self.world, self.compiled = world, world.compiled

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """An answer, a start, or whatever the script does while jobs run; nothing while a call holds it."""
        seen: Observation = turn.observation
        if seen.busy_until is not None:
            return Reply(A_MINUTE, memory)
        decision = self.reply(seen) or self.begin(seen) or self.meanwhile(seen, memory)
        if isinstance(decision, Wait) and self.compiled.always:
            decision = A_MINUTE
        return Reply(decision, decision.job if isinstance(decision, Check) else memory)

    def meanwhile(self, seen: Observation, checked: str | None) -> Decision:
        """What is done when there is nothing to answer and nothing to begin; ``checked``: the last check."""
        raise NotImplementedError

    # --- answers and starts ---------------------------------------------------------------------------------

    def reply(self, seen: Observation) -> Decision | None:
        """The answer to the first thing asked that can be answered."""
        for name in seen.open:
            request = self.compiled.requests[name]
            if self._known(seen, name) and seen.minute + request.hands <= request.at + request.window:
                return Answer(name, self.compiled.right_answers[name])
        for job in seen.jobs:
            asks = job.phase == "paused" and self._known(seen, job.job)
            if asks and free_as_told(self.compiled, seen.jobs, self.compiled.tool(job.job).resource):
                return Answer(job.job, self.compiled.right_answers[job.job])
        return None

    def _known(self, seen: Observation, asks: str) -> bool:
        done = {job.job for job in seen.jobs if job.phase == "ok"}
        return done.issuperset(self.compiled.reply_needs(asks))

    def begin(self, seen: Observation) -> Decision | None:
        """The start of the first job that can be begun."""
        names = self.in_order(self.candidates(seen))
        return self.start(names[0]) if names else None

    def candidates(self, seen: Observation) -> list[str]:
        """The jobs that can be begun and are wanted, as far as is told."""
        wanted = self.wanted(seen)
        return [name for name in startable(self.compiled, seen.jobs) if name in wanted]

    def start(self, name: str) -> Start:
        """The call that begins a job, with the right inputs."""
        job = self.compiled.jobs[name]
        inputs = () if self.world.scenario.content == "off" else self.compiled.right_inputs[name]
        return Start(job.tool, job.subject, inputs)

    def in_order(self, names: Sequence[str]) -> Sequence[str]:
        """Jobs in the order in which they are begun: as they are told."""
        return names

    def wanted(self, seen: Observation) -> set[str]:
        """What counts, what has been asked for, and whatever that needs."""
        asked = [*seen.open, *(job.job for job in seen.jobs if job.phase == "paused")]
        answers = [name for each in asked for name in self.compiled.reply_needs(each)]
        return self.compiled.with_needs((*self.compiled.deliverables, *answers))

    # --- checks ---------------------------------------------------------------------------------------------

    def due(self, job: Seen) -> int:
        """When a job that ends in silence is checked: in the middle of the span that is left."""
        most = job.most
        if job.least is None or most is None:
            return max(job.since, job.asked) + UNKNOWN_MINUTES
        least = max(job.least, job.asked)
        return -(-(least + max(least, most)) // 2)

    def silent(self, seen: Observation) -> list[Seen]:
        """The jobs that run and end in silence, the first due first."""
        running = [job for job in seen.jobs if job.phase == "running" and self.compiled.jobs[job.job].silent]
        return sorted(running, key=self.due)

    def check_or_wait(self, seen: Observation, jobs: Sequence[Seen], wait: Wait) -> Decision:
        """A check of the first of these when it is due; a wait until then."""
        if not jobs:
            return wait
        due = self.due(jobs[0])
        return Check(jobs[0].job) if due <= seen.minute else Wait(until=due, wakes=wait.wakes)


class Sequential(Script):
    """One job at a time."""

    name = "sequential"

    def begin(self, seen: Observation) -> Decision | None:
        """Nothing while a job is under way."""
        busy = any(job.phase in ("running", "paused") for job in seen.jobs)
        return None if busy else super().begin(seen)

    def meanwhile(self, seen: Observation, checked: str | None) -> Decision:
        """Waits for the job that runs, whatever else is told."""
        running = [job.job for job in seen.jobs if job.phase == "running"]
        silent = self.silent(seen)
        if silent:
            return self.check_or_wait(seen, silent, Wait(wakes=()))
        return Wait(wakes=tuple(running)) if running else NEXT_NOTICE


class Polling(Script):
    """Asks job after job how it stands, and waits for nothing that runs."""

    name = "polling"

    def meanwhile(self, seen: Observation, checked: str | None) -> Decision:
        """Checks the job that is told after the one that was checked last."""
        running = [job.job for job in seen.jobs if job.phase == "running"]
        if not running:
            return NEXT_NOTICE
        last = -1 if checked is None else self.compiled.place[checked]
        return Check(next((job for job in running if self.compiled.place[job] > last), running[0]))


class Eager(Script):
    """Begins all that can be begun as it is told, and waits for the next notice."""

    name = "eager"

    def meanwhile(self, seen: Observation, checked: str | None) -> Decision:
        """A check that is due, or a wait."""
        return self.check_or_wait(seen, self.silent(seen), NEXT_NOTICE)


class Critical(Eager):
    """The same, and what has the longest way behind it first."""

    name = "critical"

    def in_order(self, names: Sequence[str]) -> Sequence[str]:
        """The longest way first."""
        return sorted(names, key=lambda name: -self.ways[name])

    @cached_property
    def ways(self) -> dict[str, int]:
        """How long it takes from the start of each job to the end of all that needs it, as far as is told."""
        after: dict[str, list[str]] = {name: [] for name in self.compiled.jobs}
        for name, job in self.compiled.jobs.items():
            for need in job.needs:
                after[need].append(name)
        found: dict[str, int] = {}

        def way(name: str) -> int:
            if name not in found:
                found[name] = self.minutes(name) + max(map(way, after[name]), default=0)
            return found[name]

        return {name: way(name) for name in self.compiled.jobs}

    def minutes(self, name: str) -> int:
        """How long a job takes, in the middle of what is told, with the check of one that ends in silence."""
        job, told = self.compiled.jobs[name], self.compiled.told(name)
        run = UNKNOWN_MINUTES if told is None else -(-(told.least + told.most) // 2)
        check = self.compiled.scenario.check_minutes if job.silent else 0
        return self.compiled.tool(name).hands + run + check


class Greedy(Critical):
    """The name by which every world has a good script that knows no more than its seat."""

    name = "greedy"
