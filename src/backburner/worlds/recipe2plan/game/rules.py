"""The transition of Recipe2Plan: one decision, which is any number of actions.

They are carried out in the order given, up to the first that is refused. An action that keeps the
cook busy moves the clock to its end, one that goes on by itself only to its start; a later start
than now is a wait. What runs by itself is never cut short: its end is told when the clock passes
it, or when play is over.
"""

from __future__ import annotations

from math import inf
from typing import Literal, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Step
from backburner.worlds.recipe2plan.game.actions import (
    BELIEFS_NOT_ASKED,
    LATEST,
    NO_ACTION,
    Cook,
    Piece,
    unknown_recipe,
)
from backburner.worlds.recipe2plan.game.beliefs import Beliefs, revised, statement
from backburner.worlds.recipe2plan.game.compiled import COOK, Compiled, Job
from backburner.worlds.recipe2plan.game.legality import Legality
from backburner.worlds.recipe2plan.game.rule_set import Limits, Rules
from backburner.worlds.recipe2plan.game.state import Feedback, Interval, Kitchen, Running, State
from backburner.worlds.recipe2plan.game.termination import Termination

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
        events: list[Event] = []
        if isinstance(decision, Cook) and decision.beliefs:
            decision = self._refused_beliefs(decision.beliefs) or decision
        if isinstance(decision, Cook):
            if decision.beliefs:
                state = self._hear(state, decision.beliefs, events)
            kitchen, feedback = self._carry_out(state.kitchen, decision, events)
        else:
            decision = decision if isinstance(decision, Refusal) else NO_ACTION
            kitchen, feedback = state.kitchen, Feedback("refused", 0, decision.at(COOK, decision.index))
        after = self.termination.after(state, decision, kitchen, feedback)
        if after.ended and kitchen.running:
            self._run_on(kitchen.running, inf, events)
        return Step(after, tuple(events), () if feedback.refusal is None else (feedback.refusal,))

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
            ended.sort(key=_ends)
        for each in ended:
            job = self.compiled.jobs[each.job]
            events.append(Event(each.ends, "end", job.lane, job.label, f"{job.label}#{each.number}"))
        return () if len(ended) == len(running) else tuple([each for each in running if each.ends > until])

    def percent(self, done: int) -> float:
        """The progress in per cent: the share of complete steps."""
        return self._percents[done]


def _refused(refusal: Refusal, index: int) -> Feedback:
    return Feedback("refused", index, refusal.at(COOK, index))


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    changed = list(values)
    changed[index] = value
    return tuple(changed)


def _ends(running: Running) -> int:
    return running.ends
