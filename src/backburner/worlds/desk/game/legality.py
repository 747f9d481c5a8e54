"""Why a call cannot be carried out, and how much of that a seat can know beforehand.

Obstacles are looked for in one order; the first is the reason. A resource is free as it is, whatever the seat
was told of it; ``free_as_told`` and ``startable`` are for those who go by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backburner.kernel.values import Detail, Fault, Refusal
from backburner.worlds.desk.game.compiled import Compiled
from backburner.worlds.desk.game.content import Value, canonical
from backburner.worlds.desk.game.scenarios import LEVELS, Request
from backburner.worlds.desk.game.state import (
    Cancel,
    Check,
    Finish,
    Idle,
    Reply,
    Run,
    Seen,
    Start,
    State,
    Telling,
    Wait,
)

UNREADABLE = Refusal("unreadable", Fault.UNREADABLE)
SEVERAL_CALLS = Refusal("several_calls", Fault.UNREADABLE)
DECISIONS = (Start, Check, Reply, Cancel, Wait, Idle, Finish)


def _refused(code: str, fault: Fault, **detail: Detail) -> Refusal:
    return Refusal(code, fault, tuple(detail.items()))


class Legality:
    """The obstacles to calls under one scenario."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled

    # --- how things stand -----------------------------------------------------------------------------------

    @staticmethod
    def run(state: State, job: str) -> Run | None:
        """The last time that a job was begun."""
        for run in state.runs:
            if run.job == job:
                return run
        return None

    def under_way(self, state: State, job: str) -> Run | None:
        """The run of a job that is under way, as far as the seat is told."""
        run = self.run(state, job)
        return run if run is not None and not run.told else None

    def expected(self, run: Run) -> tuple[int, int] | None:
        """Between which minutes a run is said to end, or to ask; ``None`` where nothing is told."""
        told, pause = self.compiled.told(run.job), self.compiled.jobs[run.job].pause
        if told is None:
            return None
        if pause is None or not run.answered:
            begins = run.began + self.compiled.tool(run.job).hands
            return begins + told.least, begins + told.most
        begins = run.began + pause.hands
        return begins + max(0, told.least - pause.after), begins + max(0, told.most - pause.after)

    def holders(self, state: State, resource: str) -> list[Run]:
        """The runs that hold a resource."""
        running = (run for run in state.runs if run.phase == "running")
        return [run for run in running if self.compiled.tool(run.job).resource == resource]

    def open_requests(self, state: State) -> Iterable[Request]:
        """The requests that have come and can still be answered."""
        answered = {done.name for done in state.answered}
        for request in self.compiled.requests.values():
            if request.at <= state.minute < request.at + request.window and request.name not in answered:
                yield request

    def seen(self, state: State) -> tuple[Seen, ...]:
        """Every job that was begun, as the seat knows it."""
        found = []
        checking = state.checking
        for run in state.runs:
            asked = -1 if run.job == checking else run.asked
            going_on = not run.told and run.phase != "paused"
            least, most = (self.expected(run) or (None, None)) if going_on else (None, None)
            phase = "running" if going_on else run.phase
            known = (run.job, phase, run.number, run.attempt, run.began, least, most, asked, run.answered)
            found.append(Seen(*known))
        return tuple(found)

    # --- obstacles ------------------------------------------------------------------------------------------

    def obstacle(self, state: State, decision: object) -> Refusal | None:
        """The first thing that stands in a decision's way; ``None`` if there is nothing."""
        if state.held and isinstance(decision, DECISIONS):
            if isinstance(decision, Wait | Idle):
                return None
            return _refused("attention_taken", Fault.OCCUPIED, until=state.free_at)
        match decision:
            case Start():
                return self._no_start(state, decision)
            case Check(job) | Cancel(job):
                return self._not_running(state, job)
            case Reply():
                return self._no_reply(state, decision)
            case Wait():
                return self._no_wait(state, decision)
            case Finish() | Idle():
                return None
            case Refusal():
                return decision
        return UNREADABLE

    def _no_start(self, state: State, start: Start) -> Refusal | None:
        compiled = self.compiled
        tool = compiled.tools.get(start.tool)
        if tool is None:
            return _refused("unknown_tool", Fault.UNKNOWN_THING, tool=start.tool)
        job = compiled.subjects.get((start.tool, start.subject))
        if job is None:
            return _refused("unknown_subject", Fault.UNKNOWN_THING, tool=start.tool, subject=start.subject)
        if (bad := self.bad_input(job, start)) is not None:
            return _refused("bad_input", Fault.MISMATCH, job=job, input=bad)
        run = self.run(state, job)
        if run is not None and not run.told:
            return _refused("already_running", Fault.ALREADY_DONE, job=job)
        if run is not None and run.phase == "ok":
            return _refused("already_done", Fault.ALREADY_DONE, job=job)
        if missing := self.missing(state, compiled.jobs[job].needs):
            return _refused("input_missing", Fault.MISSING_PREREQUISITE, job=job, missing=missing)
        return self._busy(state, tool.resource)

    def bad_input(self, job: str, start: Start) -> str | None:
        """The first input of a call that is missing, too many, or of another kind."""
        inputs = () if self.compiled.scenario.content == "off" else self.compiled.tool(job).inputs
        given = dict(start.inputs)
        if len(given) < len(start.inputs):
            return start.inputs[0][0]
        for each in inputs:
            if each.name not in given or canonical(given.pop(each.name), each.kind, each.choices) is None:
                return each.name
        return next(iter(given), None)

    def missing(self, state: State, needs: Iterable[str]) -> tuple[str, ...]:
        """The jobs of these that are not told as ended well."""
        done = {run.job for run in state.runs if run.told and run.phase == "ok"}
        return tuple(name for name in needs if name not in done)

    def _busy(self, state: State, resource: str | None) -> Refusal | None:
        held = self.holders(state, resource) if resource else []
        if resource is None or len(held) < self.compiled.resources[resource].capacity:
            return None
        ends = [self.expected(run) for run in held]
        least = min((end[0] for end in ends if end), default=None) if None not in ends else None
        most = min((end[1] for end in ends if end), default=None) if None not in ends else None
        by = tuple(run.job for run in held)
        return _refused("resource_busy", Fault.OCCUPIED, resource=resource, by=by, least=least, most=most)

    def _no_reply(self, state: State, reply: Reply) -> Refusal | None:
        compiled, to = self.compiled, reply.to
        request, run = compiled.requests.get(to), self.run(state, to)
        if request is None and (run is None or compiled.jobs[to].pause is None):
            return _refused("unknown_request", Fault.UNKNOWN_THING, request=to)
        if request is not None and request.at > state.minute:
            return _refused("unknown_request", Fault.UNKNOWN_THING, request=to)
        if request is None and run is not None and run.phase != "paused":
            if run.answered:
                return _refused("already_answered", Fault.ALREADY_DONE, request=to)
            return _refused("unknown_request", Fault.UNKNOWN_THING, request=to)
        if self.answer(reply) is None:
            return _refused("bad_input", Fault.MISMATCH, job=to, input="value")
        if request is not None and any(done.name == to for done in state.answered):
            return _refused("already_answered", Fault.ALREADY_DONE, request=to)
        if missing := self.missing(state, compiled.reply_needs(to)):
            return _refused("input_missing", Fault.MISSING_PREREQUISITE, job=to, missing=missing)
        if request is None:
            return self._busy(state, compiled.tool(to).resource)
        last = request.at + request.window
        if state.minute + request.hands > last:
            return _refused("too_late", Fault.TIMING, request=to, last=last, hands=request.hands)
        return None

    def answer(self, reply: Reply) -> Value | None:
        """What a reply to something that is asked says; ``None`` if it is of another kind than is wanted."""
        if self.compiled.scenario.content == "off" and reply.value == "":
            return self.compiled.right_answers[reply.to]
        return self.compiled.reply_said(reply.to, reply.value)

    def _not_running(self, state: State, job: str) -> Refusal | None:
        if job not in self.compiled.jobs:
            return _refused("unknown_job", Fault.UNKNOWN_THING, job=job)
        if self.under_way(state, job) is None:
            return _refused("not_running", Fault.MISMATCH, job=job)
        return None

    def _no_wait(self, state: State, wait: Wait) -> Refusal | None:
        jobs = [name for name in wait.wakes if name not in LEVELS]
        for name in jobs:
            if name not in self.compiled.jobs:
                return _refused("unknown_job", Fault.UNKNOWN_THING, job=name)
        if woken_by(wait, state.unshown, self):
            return None
        for name in jobs:
            run = self.under_way(state, name)
            # Whether a silent job will stop and ask is not told either.
            if run is None or run.phase == "paused" or self.compiled.jobs[name].silent:
                return _refused("no_such_wait", Fault.MISMATCH, job=name)
        if wait.minutes is not None and wait.minutes < 1:
            return _refused("no_such_wait", Fault.MISMATCH, minutes=wait.minutes)
        if wait.until is not None and wait.until <= state.minute:
            return _refused("no_such_wait", Fault.MISMATCH, until=wait.until)
        return None

    def level(self, telling: Telling) -> int:
        """How much something that is told matters, as a place among the levels."""
        match telling.what:
            case "request":
                return LEVELS.index(self.compiled.requests[telling.name].level)
            case "notice":
                return LEVELS.index(self.compiled.scenario.notices[int(telling.name)].level)
        return LEVELS.index("note")


def woken_by(wait: Wait, told: Sequence[Telling], legality: Legality) -> bool:
    """Whether something of this ends a wait."""
    for telling in told:
        for name in wait.wakes:
            if name in LEVELS:
                if legality.level(telling) >= LEVELS.index(name):
                    return True
            elif telling.what in ("end", "pause") and telling.name == name:
                return True
    return False


# --- as far as the seat is told -----------------------------------------------------------------------------


def free_as_told(compiled: Compiled, seen: Iterable[Seen], resource: str | None) -> bool:
    """Whether a unit of a resource is free as far as is told; where none is needed, it is."""
    if resource is None:
        return True
    held = [each for each in seen if each.phase == "running" and compiled.tool(each.job).resource == resource]
    return len(held) < compiled.resources[resource].capacity


def startable(compiled: Compiled, seen: Sequence[Seen]) -> list[str]:
    """The jobs that can be begun as far as is told, in the scenario's order."""
    phases = {each.job: each.phase for each in seen}
    return [
        name
        for name, job in compiled.jobs.items()
        if phases.get(name) not in ("running", "paused", "ok")
        and all(phases.get(need) == "ok" for need in job.needs)
        and free_as_told(compiled, seen, compiled.tool(name).resource)
    ]
