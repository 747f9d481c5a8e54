"""What follows from a decision: time passes, runs end, things are told; a call holds the attention meanwhile.

A call settles at once what becomes of it (``Feedback``) and until when the attention is held; what it has
found or done shows when that is free again. At a minute, what is done comes first, then runs end or pause,
requests come, notices come, what is not done by then is late, and the attention is free.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Step
from backburner.worlds.desk.game.compiled import Compiled
from backburner.worlds.desk.game.content import canonical
from backburner.worlds.desk.game.legality import Legality, woken_by
from backburner.worlds.desk.game.rule_set import Limits, Rules
from backburner.worlds.desk.game.scenarios import Job
from backburner.worlds.desk.game.state import (
    A_MINUTE,
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

HELD_FOR = {
    "begun": "start",
    "checked": "check",
    "wasted": "check",
    "replied": "answer",
    "resumed": "answer",
    "cancelled": "cancel",
}
"""What the attention does that is held, by what became of the call."""


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
        refusal = self.legality.obstacle(state, decision)
        refusals = () if refusal is None else (refusal.at(AGENT),)
        if isinstance(decision, Idle) or state.held:
            passing = Passing(state)
            ticks = max(1, decision.ticks) if isinstance(decision, Idle) else 1
            self._pass(passing, self._open_until(state.minute + ticks), Wait(wakes=()))
            return self._closed(state, passing, refusals, silent=True)
        counts = not (self.compiled.always and isinstance(decision, Wait))
        decisions = state.decisions + counts
        passing = Passing(replace(state, unshown=(), news=state.unshown, decisions=decisions))
        if refusal is None:
            self._carry_out(state, passing, decision)
        else:
            until = state.minute + self.rules.refusal_minutes
            self._hold(passing, until, Feedback("refused", "", state.minute, refusal))
        return self._closed(state, passing, refusals)

    # --- what each call does --------------------------------------------------------------------------------

    def _carry_out(self, state: State, passing: Passing, decision: object) -> None:
        match decision:
            case Start():
                self._begin(passing, decision)
            case Check(job):
                self._check(passing, job)
            case Reply(to) if to in self.compiled.requests:
                self._answer(passing, decision)
            case Reply():
                self._resume(passing, decision)
            case Cancel(job):
                self._cancel(passing, job)
            case Wait():
                passing.state = replace(passing.state, feedback=Feedback("waited", "", state.minute))
                self._wait(state, passing, decision)
            case Finish():
                passing.state = replace(passing.state, feedback=Feedback(""), closed="left")

    def _begin(self, passing: Passing, start: Start) -> None:
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
        passing.event(minute, "start", *self._whose(name), _key(run))
        self._hold(
            passing, free, Feedback("filed" if job.by_hand and job.deliverable else "begun", name, minute)
        )

    def _forgives(self, job: Job) -> bool:
        """Whether anything that a job is given is right."""
        if self.compiled.scenario.content == "off":
            return True
        return self.rules.wrong_inputs_go_well and job.deliverable is None

    def _check(self, passing: Passing, job: str) -> None:
        minute = passing.state.minute
        run = self.legality.run(passing.state, job)
        assert run is not None  # noqa: S101  # it is under way
        ended = run.phase not in ("running", "paused")
        if not ended:
            passing.change(replace(run, asked=minute))
        until = minute + self.compiled.scenario.check_minutes
        self._hold(passing, until, Feedback("checked" if ended else "wasted", job, minute))

    def _answer(self, passing: Passing, reply: Reply) -> None:
        minute, request = passing.state.minute, self.compiled.requests[reply.to]
        until = minute + request.hands
        if until == self._open_until(until):
            right = self.legality.answer(reply) == self.compiled.right_answers[reply.to]
            done = Done(reply.to, until, right)
            answered = sorted((*passing.state.answered, done), key=lambda each: (each.minute, each.name))
            passing.state = replace(passing.state, answered=tuple(answered))
        self._hold(passing, until, Feedback("replied", reply.to, minute))

    def _resume(self, passing: Passing, reply: Reply) -> None:
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
        self._hold(passing, free, Feedback("resumed", reply.to, minute))

    def _cancel(self, passing: Passing, job: str) -> None:
        minute = passing.state.minute
        run = self.legality.run(passing.state, job)
        assert run is not None  # noqa: S101  # it is under way
        if run.phase == "running":
            passing.event(minute, "pause", self.compiled.lane(job), job, _key(run))
        passing.change(replace(run, phase="cancelled", told=True))
        until = minute + self.compiled.scenario.cancel_minutes
        self._hold(passing, until, Feedback("cancelled", job, minute))

    def _wait(self, state: State, passing: Passing, wait: Wait) -> None:
        if self.compiled.always:
            wait = A_MINUTE
        elif woken_by(wait, state.unshown, self.legality):
            return
        until = state.minute + self.compiled.scenario.longest_wait
        if wait.minutes is not None:
            until = min(until, state.minute + wait.minutes)
        if wait.until is not None:
            until = min(until, wait.until)
        self._pass(passing, self._open_until(until), wait)

    # --- what holds the attention ---------------------------------------------------------------------------

    def _hold(self, passing: Passing, until: int, feedback: Feedback) -> None:
        """The attention is held until then. Where every minute is asked about, one passes, else all."""
        passing.state = replace(passing.state, feedback=feedback, busy_until=until)
        self._hands(passing, "start")
        self._pass(
            passing, self._open_until(min(until, feedback.since + 1) if self.compiled.always else until)
        )
        self._release(passing)

    def _release(self, passing: Passing) -> None:
        """If the attention is held until now, it is free again, and what a check has found is told."""
        state, said = passing.state, passing.state.feedback
        if not state.held or state.free_at > state.minute:
            return
        self._hands(passing, "end")
        if said.kind == "checked":
            run = self.legality.run(state, said.name)
            assert run is not None  # noqa: S101  # it has ended
            passing.change(replace(run, told=True))
            passing.tellings.append(Telling(state.minute, "end", said.name, run.phase, run.attempt))
        news = (*state.news, *self._in_order(passing.tellings))
        passing.state = replace(passing.state, busy_until=UNSET, news=news)
        passing.tellings.clear()

    def _hands(self, passing: Passing, what: Any) -> None:
        """The attention begins or ends to be held; work by hand is an event of its own."""
        state, said = passing.state, passing.state.feedback
        if said.kind == "refused" and said.refusal is not None:
            label, kind = said.refusal.code, "refused"
        elif said.name in self.compiled.jobs and self.compiled.jobs[said.name].by_hand:
            return
        else:
            label, kind = f"{HELD_FOR[said.kind]} {said.name}", "wait" if said.kind == "wasted" else "work"
        passing.event(state.minute, what, AGENT, label, f"{label} {state.decisions}", kind)

    def _whose(self, job: str) -> tuple[str, str]:
        """The lane of a job, and what it is called there."""
        own = self.compiled.jobs[job]
        if not own.by_hand:
            return self.compiled.lane(job), job
        return AGENT, f"file {job}" if own.deliverable else job

    # --- time -----------------------------------------------------------------------------------------------

    def _open_until(self, minute: int) -> int:
        """The minute, or that at which the desk closes."""
        return minute if self.limits.minutes is None else min(minute, self.limits.minutes)

    def _pass(self, passing: Passing, until: int, wait: Wait | None = None) -> None:
        """Time passes until then. A wait ends before, when it is woken, or nothing is left to be done."""
        while passing.state.minute < until:
            now, told = passing.state.minute, len(passing.tellings)
            held = [passing.state.free_at] if passing.state.held else []
            ends = [run.end for run in passing.state.runs if run.phase == "running" and run.end > now]
            comes = [moment for moment in self.compiled.moments if moment > now]
            minute = min((*ends, *comes[:1], *held, until))
            passing.state = replace(passing.state, minute=minute)
            if [minute] == held and passing.state.feedback.kind == "replied":
                passing.event(minute, "delivered", AGENT, passing.state.feedback.name)
            for run in passing.state.runs:
                if run.phase == "running" and run.end == minute:
                    self._end(passing, run)
            if comes and comes[0] == minute:
                self._come(passing)
            self._release(passing)
            if wait is None or passing.state.held:
                continue
            if woken_by(wait, passing.tellings[told:], self.legality) or self.is_done(passing.state):
                return

    def _end(self, passing: Passing, run: Run) -> None:
        """A run ends or pauses."""
        minute, name = passing.state.minute, run.job
        job = self.compiled.jobs[name]
        drawn = self.compiled.attempt(name, run.attempt, passing.state.seed)
        lane, label = self._whose(name)
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

    def _closed(
        self, before: State, passing: Passing, refusals: tuple[Refusal, ...] = (), silent: bool = False
    ) -> Step[State]:
        """The step: what is left to be told is told, and play is over if it is."""
        minutes, decisions = self.limits.minutes, self.limits.decisions
        after, told = passing.state, self._in_order(passing.tellings)
        if silent and not after.held:
            after = replace(after, unshown=(*after.unshown, *told))
        else:
            after = replace(after, news=(*after.news, *told))
        late = minutes is not None and after.minute >= minutes
        if after.closed or (after.held and not late):
            pass
        elif self.is_done(after):
            after = replace(after, closed="done", busy_until=UNSET)
        elif late:
            after = replace(after, closed="out of time", busy_until=UNSET)
        elif decisions is not None and after.decisions >= decisions:
            after = replace(after, closed="out of decisions")
        events = [*passing.events, *self._scores(before, after)]
        return Step(after, tuple(sorted(events, key=lambda event: event.time)), refusals)

    def _scores(self, before: State, after: State) -> list[Event]:
        """The score as it rises, after all that happens at its minute."""
        known = handed_in(before)
        served, events = self.served(before), []
        for done in sorted(handed_in(after), key=lambda each: each.minute):
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
        return sum(map(self.worth, handed_in(state)))

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


def handed_in(state: State) -> tuple[Done, ...]:
    """What was filed and answered by now: who answers has not done so before the attention is free."""
    return tuple(done for done in (*state.filed, *state.answered) if done.minute <= state.minute)


def _key(run: Run) -> str:
    return f"{run.job}#{run.number}"
