"""The transition of TimeArena: one decision, however many minutes it takes.

What is accepted starts (see ``legality``); every refusal costs a minute. An action that occupies the
agent runs to its end, or to the time limit. Background work that ends on the way is reported when the
agent is next asked. While the agent is silent time passes and no more: that is no decision of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Step
from backburner.worlds.timearena.game.legality import Attempt, Legality
from backburner.worlds.timearena.game.rule_set import Limits
from backburner.worlds.timearena.game.state import (
    INVALID_ACTION,
    MALFORMED,
    ON_THINGS,
    WAITED,
    Act,
    Decision,
    Feedback,
    Quit,
    Running,
    Silence,
    State,
    Wait,
)

NO_CODES: frozenset[str] = frozenset()

AGENT = "agent"
"""The seat, the body and its lane."""

Kind = Literal["work", "wait", "refused"]
Ended = Literal["", "completed", "time_limit", "error_limit"]


class Rulebook:
    """The rules of one scenario under its limits. Remembers only what never changes."""

    def __init__(self, legality: Legality, limits: Limits) -> None:
        self.compiled = legality.compiled
        self.rules = self.compiled.rules
        self.limits = limits
        self.legality = legality
        self._attempts = legality.attempts
        self._freezing = MALFORMED if self.rules.unreadable_freezes_background else NO_CODES
        delaying = ON_THINGS if self.rules.error_on_things_delays_score else NO_CODES
        self._delaying = delaying | self._freezing
        self._total = self.compiled.total_minutes
        self._last_minute = sys.maxsize if limits.minutes is None else limits.minutes
        self._most_errors = sys.maxsize if limits.errors is None else limits.errors

    def step(self, state: State, decision: Decision | Refusal | None) -> Step[State]:
        """What follows from the agent's decision; ``None`` stands for a missing one."""
        if state.ended:
            return Step(state)
        # To ask whether a struct is an instance of what it is not takes longer than many a rule.
        if type(decision) is Act:
            attempt = self.legality.attempt(decision)
            if not isinstance(attempt, Attempt):
                return self._refuse(state, attempt)
            refusal = self.legality.obstacle(state, attempt)
            if refusal is not None:
                return self._refuse(state, refusal)
            return self._pass(state, attempt.holds, attempt.feedback, attempt.label, "work", attempt)
        if type(decision) is Wait:
            return self._pass(state, 1, WAITED, "wait", "wait")
        if type(decision) is Refusal:
            return self._refuse(state, decision)
        if isinstance(decision, Quit):
            # What was noted of the step before is what remains noted; see ``TimeArena.completed``.
            last = Feedback("quit", refusal=state.feedback.refusal)
            over = replace(state, feedback=last, reports=state.untold or (), ended="quit", untold=UNSET)
            return Step(over, tuple(self._broken_off(state.running, state.minute)))
        if isinstance(decision, Silence):
            return self.let_pass(state, decision.minutes)
        return self._refuse(state, INVALID_ACTION)

    def _refuse(self, state: State, refusal: Refusal) -> Step[State]:
        told = refusal.at(AGENT, refusal.index)
        return self._pass(state, 1, Feedback("refused", refusal=told), told.code, "refused", None, told)

    def _pass(
        self,
        state: State,
        minutes: int,
        feedback: Feedback,
        label: str,
        kind: Kind,
        attempt: Attempt | None = None,
        refusal: Refusal | None = None,
    ) -> Step[State]:
        """Let the agent's minutes go by, up to the time limit.

        Background work, a new ``attempt`` of it included, goes on and ends; then an ``attempt`` that
        occupies the agent ends, unless it is cut off.
        """
        begun, under_way, lost = state.minute, state.running, state.lost_minutes
        finished, earned, score = state.finished, state.earned, state.score
        end = begun + minutes
        cut = end > self._last_minute
        if cut:
            end = self._last_minute
        key = f"{label}@{begun}"
        events = [Event(begun, "start", AGENT, label, key, kind)]
        reports = untold = state.untold or ()
        errors, paired, credits, doing = 0, None, True, None
        if refusal is not None:
            errors, paired = state.errors_in_a_row + 1, state.paired_with_itself
            credits = self._credits(refusal)
            lost += self.freezes(refusal)
        elif attempt is not None and attempt.occupies_agent:
            doing, paired = attempt, attempt.paired
        elif attempt is not None:
            running = self._begun(state, attempt)
            under_way = (*under_way, running)
            events.append(background_event(attempt, running.ends, begun, "start"))

        if credits and state.errors_in_a_row:
            score = self._credit(score, earned, begun + 1, events)  # what refusals have left uncredited
        if under_way and (over := self._over(under_way, end - lost)):
            under_way = tuple([running for running in under_way if running.ends > end - lost])
            for running in over:
                last = self._attempts[running.act]
                finished, earned, reports = finished | last.bit, earned + last.earns, reports + last.report
                events.append(background_event(last, running.ends, running.ends + lost, "end"))
                if credits:
                    score = self._credit(score, earned, running.ends + lost, events)
        if doing is not None and not cut:
            finished, earned, reports = finished | doing.bit, earned + doing.earns, reports + doing.report
        if cut:  # nobody is asked again: only what ended in the first minute has been told
            first = (r for r in state.running if r.ends + lost == begun + 1)
            reports = (*untold, *(report for r in first for report in self._attempts[r.act].report))
        events.append(Event(end, "pause" if cut else "end", AGENT, label, key, kind))
        if credits and earned != state.earned:
            score = self._credit(score, earned, end, events)

        ended: Ended = ""
        if errors or score == 100 or end >= self._last_minute:  # else nothing can be the end
            ended = self._ended(score, end, errors, refusal)
            if ended and under_way:
                events += self._broken_off(under_way, end)
        new = State(end, finished, earned, under_way, score, errors, lost, feedback, reports, ended, paired)
        return Step(new, tuple(events), () if refusal is None else (refusal,))

    def let_pass(self, state: State, minutes: int) -> Step[State]:
        """The agent is silent, until these minutes are over, or play is.

        What ends is reported later. It counts at once, unless a refusal has left something uncredited: then
        all waits for a decision, as only that credits it.
        """
        before, lost, end = state.minute - state.lost_minutes, state.lost_minutes, self._last_minute
        end = min(end, state.minute + minutes)
        finished, earned, score = state.finished, state.earned, state.score
        credits, completed = score == 100 * earned // self._total < 100, False
        events: list[Event] = []
        reports = state.untold or ()
        for running in self._over(state.running, end - lost):
            if completed and running.ends > end - lost:
                break
            last = self._attempts[running.act]
            reports += last.report
            if running.ends <= before:
                continue  # it has counted, unnoticed (see ``second_try``)
            finished, earned = finished | last.bit, earned + last.earns
            events.append(background_event(last, running.ends, running.ends + lost, "end"))
            if credits:
                score = self._credit(score, earned, running.ends + lost, events)
                if score == 100 and not completed:
                    end, completed = running.ends + lost, True
        under_way = tuple([running for running in state.running if running.ends > end - lost])
        ended: Ended = "completed" if completed else "time_limit" if end >= self._last_minute else ""
        if ended:
            events += self._broken_off(under_way, end)
        passed = replace(
            state, minute=end, finished=finished, earned=earned, running=under_way, score=score, ended=ended,
            untold=reports or UNSET,
        )  # fmt: skip
        return Step(passed, tuple(events))

    def _begun(self, state: State, attempt: Attempt) -> Running:
        """Background work that begins now."""
        return Running(state.minute - state.lost_minutes + attempt.duration, attempt.act)

    def _over(self, under_way: tuple[Running, ...], clock: int) -> list[Running]:
        """What ends by this minute of the world's clock; what ends together, in the order of its starts."""
        over: list[Running] = []
        for running in under_way:
            if running.ends <= clock:
                over.append(running)
        if len(over) > 1:
            over.sort(key=lambda running: running.ends)
        return over

    def _credit(self, score: int, earned: int, minute: int, events: list[Event]) -> int:
        """The score, which catches up with what is earned; ``events`` is added to."""
        credited = 100 * earned // self._total
        if credited != score:
            events.append(Event(minute, "score", value=credited))
        return credited

    def freezes(self, refusal: Refusal) -> bool:
        """Whether nothing advances, and nothing is noted, in the minute that this refusal costs."""
        return refusal.code in self._freezing

    def _credits(self, refusal: Refusal) -> bool:
        """Whether what ends in the minute that this refusal costs counts at once."""
        return refusal.code not in self._delaying

    def _ended(self, score: int, minute: int, errors: int, refusal: Refusal | None) -> Ended:
        if score == 100 and (refusal is None or not self.rules.completion_needs_accepted_step):
            return "completed"
        if minute >= self._last_minute:
            return "time_limit"
        return "error_limit" if errors >= self._most_errors else ""

    def _broken_off(self, under_way: Iterable[Running], minute: int) -> list[Event]:
        return [
            background_event(self._attempts[running.act], running.ends, minute, "pause")
            for running in under_way
        ]


def background_event(attempt: Attempt, ends: int, time: int, what: Literal["start", "end", "pause"]) -> Event:
    """Of background work that would end at this minute of the world's clock."""
    return Event(time, what, attempt.lane, attempt.words, f"{attempt.words}@-{ends}")
