"""The transition of Recipe2Plan: one decision, which is any number of actions.

They are carried out in the order given, up to the first that is refused. An action that keeps the
cook busy moves the clock to its end, one that goes on by itself only to its start; a later start
than now is a wait. What runs by itself is never cut short: its end is told when the clock passes
it, or when play is over.

While the cook is silent the clock moves and what runs goes on; that is no decision of its own. A decision
names starts, and was made for the second that the cook was shown. If its first start has gone by since
then, all its starts are later by as much: each by itself would come before what it needs has ended.
"""

from __future__ import annotations

import sys
from math import inf
from typing import Any, Literal, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Step
from backburner.worlds.recipe2plan.game.beliefs import Beliefs, revised, statement
from backburner.worlds.recipe2plan.game.compiled import COOK, Compiled, Job, LagOf
from backburner.worlds.recipe2plan.game.legality import Legality
from backburner.worlds.recipe2plan.game.rule_set import Limits, Rules
from backburner.worlds.recipe2plan.game.scenarios import LATEST
from backburner.worlds.recipe2plan.game.state import (
    BELIEFS_NOT_ASKED,
    NO_ACTION,
    Cook,
    Ended,
    Feedback,
    Interval,
    Kitchen,
    Piece,
    Running,
    State,
    unknown_recipe,
)

T = TypeVar("T")
Kind = Literal["wait", "refused"]
Busy = tuple[tuple[Interval, ...], ...]
Heat = tuple[int | None, ...]

STARTED = Feedback("started", 1)
COOKED = Feedback("cooked", 1)
FINISHED = Feedback("finish")


class Rulebook:
    """The rules of one scenario under its limits."""

    def __init__(self, compiled: Compiled, rules: Rules, limits: Limits) -> None:
        self.compiled = compiled
        self.rules = rules
        self.legality = Legality(compiled, rules)
        self.termination = Termination(compiled, rules, limits)
        n_jobs = len(compiled.jobs)
        self._percents = tuple([round(100 * done / n_jobs, 2) for done in range(n_jobs + 1)])

    def start(self) -> State:
        """Nothing done, at second 0."""
        jobs, n_appliances = self.compiled.jobs, len(self.compiled.appliances)
        left = tuple(job.step.seconds for job in jobs)
        kitchen = Kitchen(0, left, (None,) * len(jobs), ((),) * n_appliances, (None,) * n_appliances)
        asked = self.compiled.scenario.knowledge == "beliefs"
        return State(kitchen, beliefs=() if asked else UNSET)

    def step(self, state: State, decision: Cook | Refusal | None) -> Step[State]:
        """What follows from the cook's decision; ``None`` stands for a missing one."""
        if state.ended:
            return Step(state)
        if isinstance(decision, Cook) and decision.silent:
            return self._be_silent(state, decision.silent)
        events: list[Event] = []
        if isinstance(decision, Cook) and decision.beliefs:
            decision = self._refused_beliefs(decision.beliefs) or decision
        if isinstance(decision, Cook):
            if decision.beliefs:
                state = self._hear(state, decision.beliefs, events)
            due = decision if state.asked is UNSET else in_time(decision, state.asked, state.kitchen.clock)
            kitchen, feedback = self._carry_out(state.kitchen, due, events)
        else:
            decision = decision if isinstance(decision, Refusal) else NO_ACTION
            kitchen, feedback = state.kitchen, Feedback("refused", 0, decision.at(COOK, decision.index))
        after = self.termination.after(state, decision, kitchen, feedback)
        if after.ended and kitchen.running:
            self._run_on(kitchen.running, inf, events)
        return Step(after, tuple(events), () if feedback.refusal is None else (feedback.refusal,))

    def _be_silent(self, state: State, seconds: int) -> Step[State]:
        """Time passes, up to the second in which a lag is broken that ends play."""
        kitchen, events = state.kitchen, list[Event]()
        asked = kitchen.clock if state.asked is UNSET else state.asked
        clock, ended = self.termination.silence(kitchen, kitchen.clock + seconds)
        running = self._run_on(kitchen.running, clock, events)
        if ended:
            self._run_on(running, inf, events)
        kitchen = replace(kitchen, clock=clock, running=running)
        return Step(replace(state, kitchen=kitchen, ended=ended, asked=asked), tuple(events))

    def _refused_beliefs(self, stated: tuple[Beliefs, ...]) -> Refusal | None:
        """Why a decision in which these beliefs are stated is refused as a whole, if it is."""
        if self.compiled.scenario.knowledge != "beliefs":
            return BELIEFS_NOT_ASKED
        unknown = (beliefs.recipe for beliefs in stated if beliefs.recipe not in self.compiled.jobs_of)
        return next(map(unknown_recipe, unknown), None)

    def _hear(self, state: State, stated: tuple[Beliefs, ...], events: list[Event]) -> State:
        """The state in which these beliefs are held; ``events`` is added to."""
        for beliefs in stated:
            words = statement(beliefs).replace("\n", ". ")
            events.append(Event(state.kitchen.clock, "said", COOK, words))
        return replace(state, beliefs=revised(state.beliefs or (), stated))

    def _carry_out(self, kitchen: Kitchen, decision: Cook, events: list[Event]) -> tuple[Kitchen, Feedback]:
        """The actions up to the first that is refused; ``events`` is added to."""
        actions = decision.actions
        if not actions and not decision.finish:
            return kitchen, Feedback("stated") if decision.beliefs else _refused(NO_ACTION, 0)
        feedback = FINISHED
        for index, piece in enumerate(actions):
            job = self.compiled.job_of(piece)
            if not isinstance(job, Job):
                return kitchen, _refused(job, index)
            refusal = self.legality.obstacle(kitchen, job, piece)
            if refusal is not None:
                if self.rules.refused_actions_move_clock and kitchen.clock < piece.start <= LATEST:
                    running = self._let_pass(kitchen, piece.start, "refused", refusal.code, events)
                    kitchen = replace(kitchen, clock=piece.start, running=running)
                return kitchen, _refused(refusal, index)
            kitchen = self._perform(kitchen, job, piece, events)
            feedback = STARTED if job.autonomous else COOKED
        return kitchen, Feedback("several", len(actions)) if len(actions) > 1 else feedback

    # --- what happens ------------------------------------------------------------------------------

    def _perform(self, kitchen: Kitchen, job: Job, piece: Piece, events: list[Event]) -> Kitchen:
        """An accepted action occupies its appliance and, unless it runs by itself, the cook.

        ``events`` is added to.
        """
        start, seconds, index, alone = piece.start, piece.seconds, job.index, job.autonomous
        stop, running, number, clock = start + seconds, kitchen.running, kitchen.actions + 1, piece.start
        if start > kitchen.clock:
            running = self._let_pass(kitchen, start, "wait", "wait", events)
        key = f"{job.label}#{number}"
        events.append(Event(start, "start", job.lane, job.label, key))
        if alone and seconds:
            running = (*running, Running(stop, index, number))
        else:
            if not alone:
                clock = stop
                if running:
                    running = self._run_on(running, stop, events)
            events.append(Event(stop, "end", job.lane, job.label, key))
        left, ends, done, finish = list(kitchen.left), list(kitchen.ends), kitchen.done, kitchen.finish
        if 0 < left[index] == seconds:
            done += 1
            events.append(Event(clock, "score", "", "", "", "work", self._percents[done]))
        left[index] -= seconds
        ends[index] = stop
        busy, heat = kitchen.busy, kitchen.fahrenheit
        if job.appliance is not None:
            busy, heat = self._occupied(kitchen, job, job.appliance, start, stop)
        worked, finish = kitchen.worked + seconds, stop if stop > finish else finish
        return Kitchen(clock, tuple(left), tuple(ends), busy, heat, running, done, number, worked, finish)

    def _occupied(
        self, kitchen: Kitchen, job: Job, appliance: int, start: int, stop: int
    ) -> tuple[Busy, Heat]:
        """The appliances with this interval; a preheated one has its temperature from the start on."""
        intervals = [interval for interval in kitchen.busy[appliance] if interval[1] > start]
        if start < stop:
            intervals.append((start, stop))
        heat = job.step.sets_fahrenheit
        busy = _with(kitchen.busy, appliance, tuple(intervals))
        return busy, kitchen.fahrenheit if heat is None else _with(kitchen.fahrenheit, appliance, heat)

    def _let_pass(
        self, kitchen: Kitchen, until: int, kind: Kind, label: str, events: list[Event]
    ) -> tuple[Running, ...]:
        """The cook stands idle, or waits for what is then refused; returns what is still running then."""
        key = f"{label}@{kitchen.clock}"
        events.append(Event(kitchen.clock, "start", COOK, label, key, kind))
        running = self._run_on(kitchen.running, until, events) if kitchen.running else ()
        events.append(Event(until, "end", COOK, label, key, kind))
        return running

    def _run_on(self, running: tuple[Running, ...], until: float, events: list[Event]) -> tuple[Running, ...]:
        """What runs by itself ends, if it does so by ``until``; returns what is still running then."""
        ended: list[Running] = []
        for each in running:
            if each.ends <= until:
                ended.append(each)
        if not ended:
            return running
        if len(ended) > 1:
            ended.sort(key=lambda each: each.ends)
        for each in ended:
            job = self.compiled.jobs[each.job]
            events.append(Event(each.ends, "end", job.lane, job.label, f"{job.label}#{each.number}"))
        return () if len(ended) == len(running) else tuple([each for each in running if each.ends > until])

    def percent(self, done: int) -> float:
        """The progress in per cent: the share of complete steps."""
        return self._percents[done]


def in_time(decision: Cook, asked: int, clock: int) -> Cook:
    """A decision made for second ``asked``, as it is carried out now: later as a whole, if it is overdue."""
    actions = decision.actions
    if not actions or not asked <= actions[0].start < clock:
        return decision
    late = clock - actions[0].start
    return replace(decision, actions=tuple(replace(piece, start=piece.start + late) for piece in actions))


def _refused(refusal: Refusal, index: int) -> Feedback:
    return Feedback("refused", index, refusal.at(COOK, index))


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    changed = list(values)
    changed[index] = value
    return tuple(changed)


FACTS_IN_MESSAGE = {
    "unknown_recipe": ("recipe",),
    "unknown_step": ("step", "recipe"),
    "past_time": ("clock", "step", "recipe", "start"),
    "object_occupied": ("step", "recipe", "start", "object"),
    "object_property": ("step", "recipe", "start", "object", "property", "have", "need"),
    "time_constraint": ("step", "recipe", "after", "limit"),
    "already_done": ("step", "recipe"),
    "already_running": ("step", "recipe", "finish"),
    "duration_exceeds": ("given", "left", "step", "recipe"),
    "not_interruptible": ("step", "recipe", "left"),
    "dep_incomplete": ("step", "needs", "recipe"),
    "dep_unfinished": ("step", "needs", "recipe", "finish"),
}
"""The facts that the released program's message tells, by kind of refusal."""

LENGTHS = ("given", "left")
"""Facts that it prints cut down to whole hours or minutes."""


class Termination:
    """Counts the decisions of one scenario against its limits."""

    def __init__(self, compiled: Compiled, rules: Rules, limits: Limits) -> None:
        self.compiled = compiled
        self.rules = rules
        self.limits = limits
        self._most_turns = sys.maxsize if limits.turns is None else limits.turns
        self._most_revisions = sys.maxsize if limits.revisions is None else limits.revisions
        self._most_alike = sys.maxsize if limits.same_failure is None else limits.same_failure
        self._latest = sys.maxsize if limits.seconds is UNSET else limits.seconds
        lags = () if rules.expired_lags_unnoticed else compiled.lags
        self._noticed = tuple([(lag.job, lag.earlier, lag.seconds, lag) for lag in lags])
        self._violation_ends = limits.lag_violation_ends and bool(compiled.lags)
        self._done_at = sys.maxsize if rules.goes_on_when_complete else len(compiled.jobs)

    def after(self, before: State, decision: Cook | Refusal, kitchen: Kitchen, feedback: Feedback) -> State:
        """The state after the decision. A refusal costs a revision only when play goes on.

        A decision that only states beliefs is neither a failure nor a success; at the opening, where
        it is asked for, it is no turn either.
        """
        finish = isinstance(decision, Cook) and decision.finish
        refusal, kind, last = feedback.refusal, feedback.kind, before.feedback.kind
        turns, revisions, failure, alike = before.turns, before.revisions, "", 0
        if not finish and (kind != "stated" or last != "opening"):
            turns += 1
        if last == "refused":
            revisions += 1
        if refusal is not None:
            failure = self._failure(decision, refusal)
            alike = before.alike + 1 if failure == before.failure else 1
        elif kind == "stated":
            failure, alike = before.failure, before.alike
        ended: Ended = ""
        if kitchen.done == self._done_at:
            ended = "completed"
        elif finish:
            ended = "finish"
        elif kitchen.clock >= self._latest:
            ended = "time_limit"
        elif turns >= self._most_turns:
            ended = "turn_limit"
        elif revisions >= self._most_revisions and (
            refusal is not None or self.rules.last_revision_ends_play
        ):
            ended = "revision_limit"
        elif self._violation_ends and self._lag_violated(before, kitchen, refusal):
            ended = "time_constraint"
        elif alike >= self._most_alike:
            ended = "stuck"
        return State(kitchen, feedback, turns, revisions, failure, alike, ended, before.beliefs)

    def _lag_violated(self, before: State, kitchen: Kitchen, refusal: Refusal | None) -> bool:
        """By trying, or as the clock has moved past it; what is as late as before has been noticed then."""
        if refusal is not None and refusal.code == "time_constraint":
            return True
        if kitchen.clock == before.kitchen.clock:
            return False
        clock, left, ends = kitchen.clock, kitchen.left, kitchen.ends
        for job, earlier, seconds, _ in self._noticed:
            if left[job] and not left[earlier] and clock > (ends[earlier] or 0) + seconds:
                return bool(self.missed(kitchen))
        return False

    def silence(self, kitchen: Kitchen, until: int) -> tuple[int, Ended]:
        """When a silence until then is over, and how it ends play, if it does."""
        ended: Ended = "time_limit" if until >= self._latest else ""
        until = min(until, self._latest)
        late = self.missed(replace(kitchen, clock=until)) if self._violation_ends else []
        if not late:
            return until, ended
        broken = min((kitchen.ends[lag.earlier] or 0) + lag.seconds for lag in late)
        return max(broken, kitchen.clock) + 1, "time_constraint"

    def missed(self, kitchen: Kitchen) -> list[LagOf]:
        """The lags that can no longer be kept: those of steps that are still to be done, or begun where that
        is enough. None where the rules do not notice."""
        late: list[LagOf] = []
        clock, left, ends = kitchen.clock, kitchen.left, kitchen.ends
        for job, earlier, seconds, lag in self._noticed:
            ended = ends[earlier]
            passed = ended is not None and clock > ended + seconds
            if not passed or not left[job] or left[earlier]:
                continue
            if ends[job] is None or not self.rules.lags_bind_first_piece:
                late.append(lag)
        return late

    def _failure(self, decision: Cook | Refusal, refusal: Refusal) -> str:
        """What the stuck rule compares, as text: the refused action, or what the release's message tells."""
        actions = decision.actions if isinstance(decision, Cook) else ()
        if not self.rules.stuck_by_message:
            if not actions:
                return refusal.code
            piece = actions[refusal.index]
            return f"{piece.step} {piece.recipe} {piece.seconds} {piece.start}"
        told, facts = [refusal.code], dict(refusal.detail)
        for name in FACTS_IN_MESSAGE.get(refusal.code, ()):
            told.append(_printed(facts[name]) if name in LENGTHS else str(facts[name]))
        if len(actions) > 1:
            told.append(str(refusal.index))
        return " ".join(told)


def _printed(seconds: Any) -> str:
    if seconds < 60:
        return str(seconds)
    return f"{seconds // 3600} hours" if seconds >= 3600 else f"{seconds // 60} minutes"
