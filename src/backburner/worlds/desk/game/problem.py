"""A scenario as a scheduling problem, what is left of it in a state, and a schedule as decisions.

The attention is the operator. Each attempt of a required job is an activity, ``NAME#1``, ``NAME#2`` ...,
the last one plain ``NAME``. A pause makes a second one of it, ``NAME!``, which begins with the reply. What
ends in silence is followed by a check, ``NAME?``. Each request of weight has a release and a deadline.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.schedule import Activity, Problem, Remaining, Resource
from backburner.worlds.desk.game.compiled import Compiled
from backburner.worlds.desk.game.legality import Legality
from backburner.worlds.desk.game.state import A_MINUTE, Check, Decision, Reply, Run, Start, State, Wait

SPACE = (
    "every decision: what is done takes the attention or is a waste of time, what is needed must be told "
    "before, and a job that was cancelled or rejected goes the same way again"
)


@dataclass(frozen=True)
class Part:
    """What an activity stands for: a start of a job, the answer to its question, a check, an answer."""

    activity: Activity
    what: Literal["start", "resume", "check", "answer"]
    name: str
    attempt: int = 0


def parts(compiled: Compiled, seed: int = 0) -> dict[str, Part]:
    """Every activity of a scenario by its name, in the scenario's order."""
    found: dict[str, Part] = {}
    tells = {
        name: _names(compiled, name, _attempts(compiled, name, seed) - 1, seed)[-1] for name in compiled.jobs
    }
    for name in compiled.in_order(compiled.required):
        before = tuple(tells[need] for need in compiled.jobs[name].needs)
        for attempt in range(_attempts(compiled, name, seed)):
            for part in _of_attempt(compiled, name, attempt, seed, before, tells):
                found[part.activity.name] = part
                before = (part.activity.name,)
    for name, request in compiled.requests.items():
        if request.weight:
            needs = tuple(tells[need] for need in compiled.reply_needs(name))
            activity = Activity(name, request.hands, request.hands, needs, release=request.at)
            window = replace(activity, deadline=request.at + request.window)
            found[name] = Part(window, "answer", name)
    return found


def activity_names(compiled: Compiled) -> tuple[str, ...]:
    """The names of all activities."""
    return tuple(parts(compiled))


def _attempts(compiled: Compiled, job: str, seed: int) -> int:
    """How often a job is begun until it goes well."""
    return 1 + next(n for n in range(1000) if compiled.attempt(job, n, seed).outcome == "ok")


def _names(compiled: Compiled, job: str, attempt: int, seed: int) -> list[str]:
    """The activities of an attempt, the last of which tells how it ended."""
    last = attempt == _attempts(compiled, job, seed) - 1
    name = job if last else f"{job}#{attempt + 1}"
    names = [name]
    if compiled.pauses(job, compiled.attempt(job, attempt, seed)):
        names.append(f"{name}!")
    return [*names, f"{name}?"] if compiled.jobs[job].silent else names


def _of_attempt(
    compiled: Compiled, job: str, attempt: int, seed: int, before: tuple[str, ...], tells: Mapping[str, str]
) -> Iterator[Part]:
    tool, run = compiled.tool(job), compiled.attempt(job, attempt, seed).run
    holds = (tool.resource,) if tool.resource else ()
    name, *others = _names(compiled, job, attempt, seed)
    pause = compiled.pauses(job, compiled.attempt(job, attempt, seed))
    first = run if pause is None else pause.after
    yield Part(Activity(name, tool.hands + first, tool.hands, before, holds), "start", job, attempt)
    if pause is not None:
        before = (name, *(tells[need] for need in compiled.reply_needs(job)))
        name = others.pop(0)
        whole = pause.hands + run - pause.after
        yield Part(Activity(name, whole, pause.hands, before, holds), "resume", job, attempt)
    if others:
        minutes = compiled.scenario.check_minutes
        yield Part(Activity(others[0], minutes, minutes, (name,)), "check", job, attempt)


def problem(compiled: Compiled, seed: int = 0) -> Problem:
    """The makespan problem of all that is required."""
    activities = tuple(part.activity for part in parts(compiled, seed).values())
    resources = tuple(Resource(each.name, each.capacity) for each in compiled.scenario.resources)
    return Problem("minutes", activities, resources, SPACE)


def with_deadlines(compiled: Compiled, problem: Problem) -> Problem:
    """The problem in which every deliverable is done by its deadline, too."""
    due = compiled.deadlines
    activities = (
        replace(each, deadline=due.get(each.name.removesuffix("!"), each.deadline))
        for each in problem.activities
    )
    return replace(problem, activities=tuple(activities))


def remaining(legality: Legality, state: State) -> Remaining:
    """What is left to be done: what runs, and what is not begun. Requests that are lost are left out.

    Raises ``Refused`` where something that does not count holds one of several units of a resource.
    """
    compiled = legality.compiled
    left = _Left(compiled, state)
    for run in state.runs:
        left.take(run)
    activities = tuple(
        left.of(part) for name, part in parts(compiled, state.seed).items() if name not in left.over
    )
    return Remaining(replace(problem(compiled, state.seed), activities=activities), left.begun, state.minute)


class _Left:
    """``over``: activities that are over, or lost. ``begun``: starts of those under way. ``held``, ``busy``:
    until when resources, and jobs, are taken by what does not count."""

    def __init__(self, compiled: Compiled, state: State) -> None:
        self.compiled, self.seed = compiled, state.seed
        self.over = {done.name for done in state.answered}
        for name, request in compiled.requests.items():
            if request.weight and state.minute + request.hands > request.at + request.window:
                self.over.add(name)
        self.begun: dict[str, int] = {}
        self.held: dict[str, int] = {}
        self.busy: dict[str, int] = {}

    def take(self, run: Run) -> None:
        """What a job has come to."""
        required = run.job in self.compiled.required
        counts = required and (run.right or self.compiled.jobs[run.job].deliverable is not None)
        for attempt in range(run.attempt + (counts and run.told and run.phase in ("ok", "failed"))):
            self.over.update(_names(self.compiled, run.job, attempt, self.seed) if required else ())
        if run.told:
            return
        if not counts:
            self._spare(run)
            return
        name, *others = _names(self.compiled, run.job, run.attempt, self.seed)
        if run.answered:
            self.over.add(name)
            name, *others = others
        if run.phase == "running":
            self.begun[name] = run.began
        else:  # it asks, or has ended and nobody knows
            self.over.add(name)

    def _spare(self, run: Run) -> None:
        """Something is under way that does not count: it holds its resource, and its job, until it ends."""
        if run.job in self.compiled.required and self.compiled.jobs[run.job].silent:
            raise Refused(f"{run.job} does not count, and has to be checked before it is begun again")
        if run.phase != "running":
            return
        self.busy[run.job] = run.end
        resource = self.compiled.tool(run.job).resource
        if resource is not None:
            if self.compiled.resources[resource].capacity > 1:
                raise Refused(f"{run.job} holds one of several units of {resource}, and does not count")
            self.held[resource] = run.end

    def of(self, part: Part) -> Activity:
        """An activity that is left."""
        activity = part.activity
        needs = tuple(need for need in activity.predecessors if need not in self.over)
        release = max((activity.release, *(self.held.get(held, 0) for held in activity.resources)))
        if part.what == "start":
            release = max(release, self.busy.get(part.name, 0))
        if activity.name in self.begun:
            release = activity.release
        return replace(activity, predecessors=needs, release=release)


def plan(compiled: Compiled, starts: Mapping[str, int], seed: int = 0) -> list[Decision]:
    """The decisions that start each activity at its minute, with waits in between that nothing ends."""
    found = parts(compiled, seed)
    if starts.keys() != found.keys():
        raise Refused("a schedule has a start for each activity, and no other")
    decisions: list[Decision] = []
    now = 0
    for name, minute in sorted(starts.items(), key=lambda start: start[1]):
        part = found[name]
        decisions += [*_waits(compiled, now, minute), _decision(compiled, part)]
        now = minute + (1 if compiled.always else part.activity.operator_time)
    end = max((start + found[name].activity.duration for name, start in starts.items()), default=0)
    return [*decisions, *_waits(compiled, now, end)]


def beginning(compiled: Compiled, activity: str) -> Decision:
    """The call that begins an activity, with the right values."""
    return _decision(compiled, parts(compiled)[activity])


def begins(compiled: Compiled, decision: Decision) -> tuple[str, ...]:
    """The activities that a decision begins, whatever its values are."""
    whats: tuple[str, ...]
    match decision:
        case Start(tool, subject):
            whats = ("start",)
            name = next((n for n, j in compiled.jobs.items() if (j.tool, j.subject) == (tool, subject)), "")
        case Check(name):
            whats = ("check",)
        case Reply(name):
            whats = ("resume", "answer")
        case _:
            return ()
    found = parts(compiled).items()
    return tuple(label for label, part in found if part.name == name and part.what in whats)


def _waits(compiled: Compiled, now: int, until: int) -> list[Decision]:
    """Waits until a minute."""
    if compiled.always:
        return [A_MINUTE] * (until - now)
    longest = compiled.scenario.longest_wait
    return [Wait(min(until - begun, longest), wakes=()) for begun in range(now, until, longest)]


def _decision(compiled: Compiled, part: Part) -> Decision:
    match part.what:
        case "start":
            job = compiled.jobs[part.name]
            inputs = () if compiled.scenario.content == "off" else compiled.right_inputs[part.name]
            return Start(job.tool, job.subject, inputs)
        case "check":
            return Check(part.name)
    return Reply(part.name, compiled.right_answers[part.name])
