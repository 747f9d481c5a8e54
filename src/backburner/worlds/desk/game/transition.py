"""What follows from a decision: time passes, runs end, things are told; a call holds the attention meanwhile.

At a minute, what is done comes first, then runs end or pause, requests come, notices come, and what is not
done by then is late. All of it is told at the end of the step, in that order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Step
from backburner.worlds.desk.game.compiled import Compiled
from backburner.worlds.desk.game.content import canonical
from backburner.worlds.desk.game.legality import Legality, woken_by
from backburner.worlds.desk.game.rule_set import Limits, Rules
from backburner.worlds.desk.game.scenarios import Job
from backburner.worlds.desk.game.state import (
    Cancel,
    Check,
    Done,
    Feedback,
    Finish,
    Idle,
    Phase,
    Reply,
    Run,
    Start,
    State,
    Telling,
    Wait,
)

AGENT = "agent"
"""The only seat, and the lane of what hands do."""

TOLD_FIRST = ("end", "pause", "request", "notice")


class Passing:
    """Time as it passes in one step: the state so far, what happened, what is told."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.tellings: list[Telling] = []

    def event(self, time: int, what: Any, lane: str, label: str, key: str = "", kind: Any = "work") -> None:
        """Something happened."""
        self.events.append(Event(time, what, lane, label, key, kind))

    def change(self, run: Run) -> None:
        """A run is as it is now."""
        runs = tuple(run if each.job == run.job else each for each in self.state.runs)
        self.state = replace(self.state, runs=runs)


class Rulebook:
    """The rules of one scenario. It holds nothing that changes."""

    def __init__(self, legality: Legality, rules: Rules, limits: Limits) -> None:
        self.legality, self.rules, self.limits = legality, rules, limits
        self.compiled: Compiled = legality.compiled

    def start(self, seed: int) -> State:
        """Nothing is begun; what comes at minute 0 is there."""
        drawn = seed if self.compiled.scenario.draws == "seed" else 0
        passing = Passing(State(minute=-1, seed=drawn))
        self._pass(passing, 0)
        return replace(passing.state, news=self._in_order(passing.tellings))

    def step(self, state: State, decision: object) -> Step[State]:
        """What follows. Nothing does when play is over."""
        if state.closed:
            return Step(state)
        if isinstance(decision, Idle):
            return self._idle(state, decision)
        refusal = self.legality.obstacle(state, decision)
        passing = Passing(replace(state, unshown=(), news=(), decisions=state.decisions + 1))
        if refusal is not None:
            return self._refuse(state, passing, refusal)
        feedback = self._carry_out(state, passing, decision)
        return self._finished(state, passing, feedback)

    # --- what each call does --------------------------------------------------------------------------------

    def _idle(self, state: State, idle: Idle) -> Step[State]:
        passing = Passing(state)
        self._pass(passing, self._open_until(state.minute + max(1, idle.ticks)), Wait(wakes=()))
        told = (*state.unshown, *self._in_order(passing.tellings))
        return self._closed(state, replace(passing.state, unshown=told), passing)

    def _refuse(self, state: State, passing: Passing, refusal: Refusal) -> Step[State]:
        minute = state.minute
        self._hold(passing, minute + self.rules.refusal_minutes, refusal.code, "refused")
        refused = refusal.at(AGENT)
        return self._finished(state, passing, Feedback("refused", "", minute, refusal), (refused,))

    def _carry_out(self, state: State, passing: Passing, decision: object) -> Feedback:
        minute = state.minute
        match decision:
            case Start():
                return self._begin(passing, decision)
            case Check(job):
                return self._check(passing, job)
            case Reply(to) if to in self.compiled.requests:
                return self._answer(passing, decision)
            case Reply():
                return self._resume(passing, decision)
            case Cancel(job):
                return self._cancel(passing, job)
            case Wait():
                self._wait(state, passing, decision)
                return Feedback("waited", "", minute)
            case Finish():
                passing.state = replace(passing.state, closed="left")
        return Feedback("")

    def _begin(self, passing: Passing, start: Start) -> Feedback:
        compiled, minute = self.compiled, passing.state.minute
        name = compiled.subjects[start.tool, start.subject]
        job, tool, before = compiled.jobs[name], compiled.tool(name), self.legality.run(passing.state, name)
        number = before.number + 1 if before else 1
        attempt = 0 if before is None else before.attempt + (before.phase == "failed")
        given = dict(start.inputs)
        right = self._forgives(job) or all(
            canonical(given[each.name], each.kind, each.choices) == wanted
            for each, (_, wanted) in zip(tool.inputs, compiled.right_inputs[name], strict=True)
        )
        drawn = compiled.attempt(name, attempt, passing.state.seed)
        pause = compiled.pauses(name, drawn)
        free = minute + tool.hands
        run = Run(name, number, attempt, minute, free + (pause.after if pause else drawn.run), right=right)
        others = tuple(each for each in passing.state.runs if each.job != name)
        runs = sorted((*others, run), key=lambda each: compiled.place[each.job])
        passing.state = replace(passing.state, runs=tuple(runs))
        if job.by_hand:
            passing.event(minute, "start", AGENT, self.label(name), _key(run))
            self._pass(passing, self._open_until(free))
            return Feedback("filed" if job.deliverable else "begun", name, minute)
        passing.event(minute, "start", compiled.lane(name), name, _key(run))
        self._hold(passing, free, f"start {name}")
        return Feedback("begun", name, minute)

    def _forgives(self, job: Job) -> bool:
        """Whether anything that a job is given is right."""
        if self.compiled.scenario.content == "off":
            return True
        return self.rules.wrong_inputs_go_well and job.deliverable is None

    def _check(self, passing: Passing, job: str) -> Feedback:
        minute = passing.state.minute
        run = self.legality.run(passing.state, job)
        assert run is not None  # noqa: S101  # it is under way
        ended = run.phase not in ("running", "paused")
        until = minute + self.compiled.scenario.check_minutes
        if not ended:
            passing.change(replace(run, asked=minute))
        if self._hold(passing, until, f"check {job}", "work" if ended else "wait") and ended:
            passing.change(replace(run, told=True))
            passing.tellings.append(Telling(until, "end", job, run.phase, run.attempt))
        return Feedback("checked" if ended else "wasted", job, minute)

    def _answer(self, passing: Passing, reply: Reply) -> Feedback:
        minute, request = passing.state.minute, self.compiled.requests[reply.to]
        until = minute + request.hands
        if until == self._open_until(until):
            right = self.legality.answer(reply) == self.compiled.right_answers[reply.to]
            done = Done(reply.to, until, right)
            answered = sorted((*passing.state.answered, done), key=lambda each: (each.minute, each.name))
            passing.state = replace(passing.state, answered=tuple(answered))
            passing.event(until, "delivered", AGENT, reply.to)
        self._hold(passing, until, f"answer {reply.to}")
        return Feedback("replied", reply.to, minute)

    def _resume(self, passing: Passing, reply: Reply) -> Feedback:
        minute, job = passing.state.minute, self.compiled.jobs[reply.to]
        run = self.legality.run(passing.state, reply.to)
        assert run is not None and job.pause is not None  # noqa: S101  # it has paused
        answered = self.legality.answer(reply) == self.compiled.right_answers[reply.to]
        right = run.right and (answered or self._forgives(job))
        drawn = self.compiled.attempt(reply.to, run.attempt, passing.state.seed)
        free = minute + job.pause.hands
        end = free + drawn.run - job.pause.after
        passing.change(
            replace(
                run, phase="running", began=minute, end=end, right=right, told=False, answered=True, asked=-1
            )
        )
        passing.event(minute, "resume", self.compiled.lane(reply.to), reply.to, _key(run))
        self._hold(passing, free, f"answer {reply.to}")
        return Feedback("resumed", reply.to, minute)

    def _cancel(self, passing: Passing, job: str) -> Feedback:
        minute = passing.state.minute
        run = self.legality.run(passing.state, job)
        assert run is not None  # noqa: S101  # it is under way
        if run.phase == "running":
            passing.event(minute, "pause", self.compiled.lane(job), job, _key(run))
        passing.change(replace(run, phase="cancelled", told=True))
        self._hold(passing, minute + self.compiled.scenario.cancel_minutes, f"cancel {job}")
        return Feedback("cancelled", job, minute)

    def _wait(self, state: State, passing: Passing, wait: Wait) -> None:
        if woken_by(wait, state.unshown, self.legality):
            return
        until = state.minute + self.compiled.scenario.longest_wait
        if wait.minutes is not None:
            until = min(until, state.minute + wait.minutes)
        if wait.until is not None:
            until = min(until, wait.until)
        self._pass(passing, self._open_until(until), wait)

    def _hold(self, passing: Passing, until: int, label: str, kind: Any = "work") -> bool:
        """The attention is held until then, unless play ends before; whether it was."""
        began, key = passing.state.minute, f"{label} {passing.state.decisions}"
        passing.event(began, "start", AGENT, label, key, kind)
        self._pass(passing, self._open_until(until))
        if passing.state.minute < until:
            return False
        passing.event(until, "end", AGENT, label, key, kind)
        return True

    def label(self, job: str) -> str:
        """What work by hand is called."""
        return f"file {job}" if self.compiled.jobs[job].deliverable else job

    # --- time -----------------------------------------------------------------------------------------------

    def _open_until(self, minute: int) -> int:
        """The minute, or that at which the desk closes."""
        return minute if self.limits.minutes is None else min(minute, self.limits.minutes)

    def _pass(self, passing: Passing, until: int, wait: Wait | None = None) -> None:
        """Time passes until then. A wait ends before, when it is woken, or nothing is left to be done."""
        while passing.state.minute < until:
            now, told = passing.state.minute, len(passing.tellings)
            ends = [run.end for run in passing.state.runs if run.phase == "running" and run.end > now]
            comes = [moment for moment in self.compiled.moments if moment > now]
            minute = min((*ends, *comes[:1], until))
            passing.state = replace(passing.state, minute=minute)
            for run in passing.state.runs:
                if run.phase == "running" and run.end == minute:
                    self._end(passing, run)
            if comes and comes[0] == minute:
                self._come(passing)
            if wait is not None and (
                woken_by(wait, passing.tellings[told:], self.legality) or self.is_done(passing.state)
            ):
                return

    def _end(self, passing: Passing, run: Run) -> None:
        """A run ends or pauses."""
        minute, name = passing.state.minute, run.job
        job = self.compiled.jobs[name]
        drawn = self.compiled.attempt(name, run.attempt, passing.state.seed)
        lane, label = (AGENT, self.label(name)) if job.by_hand else (self.compiled.lane(name), name)
        if not run.answered and self.compiled.pauses(name, drawn):
            passing.change(replace(run, phase="paused"))
            passing.event(minute, "pause", lane, label, _key(run))
            passing.tellings.append(Telling(minute, "pause", name))
            return
        phase: Phase = "failed" if drawn.outcome == "fails" else "ok"
        if not run.right and job.deliverable is None:
            phase = "rejected"
        passing.change(replace(run, phase=phase, told=not job.silent))
        passing.event(minute, "end", lane, label, _key(run))
        if (
            phase == "ok"
            and job.deliverable is not None
            and not any(d.name == name for d in passing.state.filed)
        ):
            filed = (*passing.state.filed, Done(name, minute, run.right))
            passing.state = replace(passing.state, filed=filed)
            passing.event(minute, "delivered", lane, name)
        if not job.silent:
            passing.tellings.append(Telling(minute, "end", name, phase, run.attempt))

    def _come(self, passing: Passing) -> None:
        """Requests and notices come; what is due now and not done is late."""
        state, minute = passing.state, passing.state.minute
        for request in self.compiled.requests.values():
            if request.at == minute:
                passing.tellings.append(Telling(minute, "request", request.name))
                passing.event(minute, "said", request.name, request.text)
        for place, notice in enumerate(self.compiled.scenario.notices):
            if notice.at == minute:
                passing.tellings.append(Telling(minute, "notice", str(place)))
                passing.event(minute, "said", notice.sender, notice.text)
        answered = {done.name for done in state.answered}
        for request in self.compiled.requests.values():
            if request.at + request.window == minute and request.weight and request.name not in answered:
                passing.event(minute, "expired", AGENT, request.name)
        filed = {done.name for done in state.filed}
        for name, deadline in self.compiled.deadlines.items():
            if deadline == minute and name not in filed:
                passing.event(minute, "expired", AGENT, name)

    # --- the end of a step ----------------------------------------------------------------------------------

    def _in_order(self, tellings: Sequence[Telling]) -> tuple[Telling, ...]:
        return tuple(sorted(tellings, key=lambda each: (each.minute, TOLD_FIRST.index(each.what))))

    def _finished(
        self, before: State, passing: Passing, feedback: Feedback, refusals: tuple[Refusal, ...] = ()
    ) -> Step[State]:
        news = (*before.unshown, *self._in_order(passing.tellings))
        return self._closed(before, replace(passing.state, feedback=feedback, news=news), passing, refusals)

    def _closed(
        self, before: State, after: State, passing: Passing, refusals: tuple[Refusal, ...] = ()
    ) -> Step[State]:
        minutes, decisions = self.limits.minutes, self.limits.decisions
        if after.closed:
            pass
        elif self.is_done(after):
            after = replace(after, closed="done")
        elif minutes is not None and after.minute >= minutes:
            after = replace(after, closed="out of time")
        elif decisions is not None and after.decisions >= decisions:
            after = replace(after, closed="out of decisions")
        events = [*passing.events, *self._scores(before, after)]
        return Step(after, tuple(sorted(events, key=lambda event: event.time)), refusals)

    def _scores(self, before: State, after: State) -> list[Event]:
        """The score as it rises, after all that happens at its minute."""
        if after.filed == before.filed and after.answered == before.answered:
            return []
        known = {*before.filed, *before.answered}
        served, events = self.served(before), []
        for done in sorted((*after.filed, *after.answered), key=lambda each: each.minute):
            if done not in known and (weight := self.worth(done)):
                served += weight
                events.append(
                    Event(done.minute, "score", value=round(100 * served / self.compiled.weight, 4))
                )
        return events

    def worth(self, done: Done) -> int:
        """The weight of something that was filed or answered, if it is right and in time."""
        request = self.compiled.requests.get(done.name)
        if request is not None:
            return request.weight if done.right else 0
        in_time = done.minute <= self.compiled.deadlines.get(done.name, done.minute)
        return self.compiled.deliverables[done.name].weight if done.right and in_time else 0

    def served(self, state: State) -> int:
        """The weight of all that is right and in time."""
        return sum(map(self.worth, (*state.filed, *state.answered)))

    def is_done(self, state: State) -> bool:
        """Whether everything required is told as ended well, and every request of weight answered or lost."""
        answered = {done.name for done in state.answered}
        return all(
            request.at + request.window <= state.minute or name in answered
            for name, request in self.compiled.requests.items()
            if request.weight
        ) and not self.legality.missing(state, self.compiled.required)

    def completed(self, state: State) -> bool:
        """Whether everything required is done, and every request of weight was answered."""
        answered = {done.name for done in state.answered}
        asked = {name for name, request in self.compiled.requests.items() if request.weight}
        return asked <= answered and not self.legality.missing(state, self.compiled.required)


def _key(run: Run) -> str:
    return f"{run.job}#{run.number}"
