"""A scenario looked up from all sides: what is right, what is required, what happens when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import blake2b

from backburner.kernel.values import digest
from backburner.worlds.desk.game.content import Table, Value, canonical, jobs_in, kind_of, value
from backburner.worlds.desk.game.scenarios import (
    Answer,
    Attempt,
    Deliverable,
    Job,
    Pause,
    Request,
    Resource,
    Scenario,
    Told,
    Tool,
)

Wanted = Pause | Request
"""What an answer is wanted for."""


class Compiled:
    """The tables of one scenario; it holds nothing that changes."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in scenario.tools}
        self.jobs: Mapping[str, Job] = {job.name: job for job in scenario.jobs}
        self.place = {name: place for place, name in enumerate(self.jobs)}
        self.resources: Mapping[str, Resource] = {each.name: each for each in scenario.resources}
        self.requests: Mapping[str, Request] = {each.name: each for each in scenario.requests}
        self.results: Mapping[str, Table] = {
            name: job.yields for name, job in self.jobs.items() if job.yields is not None
        }
        self.subjects = {(job.tool, job.subject): name for name, job in self.jobs.items()}
        self.always = scenario.asks == "always"
        self.opens = 60 * int(scenario.opens[:2]) + int(scenario.opens[3:])

    def tool(self, job: str) -> Tool:
        """The tool of a job."""
        return self.tools[self.jobs[job].tool]

    def lane(self, job: str) -> str:
        """Where a job goes on that runs by itself: its resource, or its tool where it needs none."""
        tool = self.tool(job)
        return tool.resource or tool.name

    # --- what is right --------------------------------------------------------------------------------------

    def right(self, answer: Answer) -> Value:
        """What an answer comes to."""
        return value(answer, self.results)

    @cached_property
    def right_inputs(self) -> Mapping[str, tuple[tuple[str, Value], ...]]:
        """For each job what is right for each input of its tool, in the tool's order."""
        found: dict[str, tuple[tuple[str, Value], ...]] = {}
        for name, job in self.jobs.items():
            inputs = []
            for each in self.tool(name).inputs:
                right = canonical(self.right(job.inputs[each.name]), each.kind, each.choices)
                assert right is not None  # noqa: S101  # scenarios are checked
                inputs.append((each.name, right))
            found[name] = tuple(inputs)
        return found

    @cached_property
    def right_answers(self) -> Mapping[str, Value]:
        """The right answers to requests and to the questions of jobs, by name."""
        found: dict[str, Value] = {}
        for name, wanted in self.asking.items():
            right = self.right(wanted.answer)
            found[name] = canonical(right, kind_of(right, wanted.choices), wanted.choices) or 0
        return found

    @cached_property
    def asking(self) -> Mapping[str, Wanted]:
        """Every request, and every question of a job, by the name that a reply is given to."""
        pauses = {name: job.pause for name, job in self.jobs.items() if job.pause is not None}
        return {**self.requests, **pauses}

    def reply_said(self, to: str, said: object) -> Value | None:
        """A reply to this name as it is compared; ``None`` if it is of another kind than is wanted."""
        right, choices = self.right_answers[to], self.asking[to].choices
        return canonical(said, kind_of(right, choices), choices)

    def reply_needs(self, to: str) -> tuple[str, ...]:
        """The jobs whose results a right answer is worked out of."""
        return tuple(dict.fromkeys(jobs_in(self.asking[to].answer)))

    # --- what is required -----------------------------------------------------------------------------------

    @cached_property
    def deliverables(self) -> Mapping[str, Deliverable]:
        """What counts of the jobs, by their names."""
        return {name: job.deliverable for name, job in self.jobs.items() if job.deliverable is not None}

    @cached_property
    def required(self) -> frozenset[str]:
        """The deliverables, whatever they need, and whatever answers of weight need, directly or not."""
        answers = [
            job for name, request in self.requests.items() if request.weight for job in self.reply_needs(name)
        ]
        return frozenset(self.with_needs((*self.deliverables, *answers), answering=True))

    def with_needs(self, names: Iterable[str], answering: bool = False) -> set[str]:
        """These jobs and all that they need, directly or not; ``answering``: with what answers to their
        questions need."""
        found: set[str] = set()
        waiting = [*names]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self.jobs[name].needs
                if answering and self.jobs[name].pause is not None:
                    waiting += self.reply_needs(name)
        return found

    @cached_property
    def weight(self) -> int:
        """Of everything that counts."""
        delivered = sum(each.weight for each in self.deliverables.values())
        return delivered + sum(request.weight for request in self.requests.values())

    # --- what happens, and what is told of it ---------------------------------------------------------------

    @cached_property
    def moments(self) -> tuple[int, ...]:
        """The minutes at which something comes, is due or passes, whatever is done."""
        found = {notice.at for notice in self.scenario.notices}
        for request in self.requests.values():
            found |= {request.at, request.at + request.window}
        found |= set(self.deadlines.values())
        return tuple(sorted(found))

    @cached_property
    def deadlines(self) -> Mapping[str, int]:
        """The deadlines of deliverables that have one."""
        deadlines = {name: each.deadline for name, each in self.deliverables.items()}
        return {name: deadline for name, deadline in deadlines.items() if deadline is not None}

    def attempt(self, job: str, number: int, seed: int) -> Attempt:
        """What happens when a job goes its way for this time, counted from 0."""
        own = self.jobs[job]
        fixed = own.attempts[min(number, len(own.attempts) - 1)]
        if self.scenario.draws == "fixed" or own.by_hand:
            return fixed
        return self._drawn(own, fixed, number, seed)

    def _drawn(self, job: Job, fixed: Attempt, number: int, seed: int) -> Attempt:
        """A run as long as is told, any length as likely as another; what fails here at times fails every
        second time."""
        drawn = blake2b(f"{self._digest}/{seed}/{job.name}/{number}".encode(), digest_size=16).digest()
        length, chance = int.from_bytes(drawn[:8]), drawn[8]
        least, most = (job.told.least, job.told.most) if job.told else (fixed.run, fixed.run)
        if job.pause is not None:
            least = max(least, job.pause.after + 1)
            most = max(least, most)
        failing = job.attempts[0] if number < len(job.attempts) - 1 and chance % 2 else job.attempts[-1]
        return Attempt(max(1, least + length % (most - least + 1)), failing.outcome, failing.says)

    @cached_property
    def _digest(self) -> str:
        """Of what is drawn anew; nothing else decides what is drawn."""
        return digest([(job.name, job.attempts, job.told, job.pause) for job in self.scenario.jobs])

    def told(self, job: str) -> Told | None:
        """How long the seat is told that a job runs; ``None`` where it is told nothing."""
        own = self.jobs[job]
        if own.by_hand:
            return Told(0, 0)
        match self.scenario.times:
            case "hidden":
                return None
            case "exact":
                return Told(own.attempts[-1].run, own.attempts[-1].run)
        return own.told

    def pauses(self, job: str, attempt: Attempt) -> Pause | None:
        """The pause that an attempt comes to, if it runs for so long."""
        pause = self.jobs[job].pause
        return pause if pause is not None and pause.after < attempt.run else None

    def in_order(self, names: Iterable[str]) -> list[str]:
        """Names of jobs in the scenario's order."""
        return sorted(names, key=self.place.__getitem__)
