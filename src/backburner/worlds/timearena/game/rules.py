"""The transition of TimeArena: one decision, however many minutes it takes.

What is accepted starts (see ``legality``); every refusal costs a minute. An action that occupies the
agent runs to its end, or to the time limit. Background work that ends on the way is reported when the
agent is next asked.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Literal

from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Step
from backburner.worlds.timearena.game.actions import (
    INVALID_ACTION,
    MALFORMED,
    ON_THINGS,
    Act,
    Decision,
    Quit,
    Wait,
)
from backburner.worlds.timearena.game.compiled import Compiled
from backburner.worlds.timearena.game.legality import Attempt, Legality
from backburner.worlds.timearena.game.rule_set import Limits
from backburner.worlds.timearena.game.state import WAITED, Feedback, Report, Running, State

AGENT = "agent"
"""The seat, the body and its lane."""

Kind = Literal["work", "wait", "refused"]


class Rulebook:
    """The rules of one scenario under its limits. Remembers only what never changes."""

    def __init__(self, compiled: Compiled, limits: Limits) -> None:
        self.compiled = compiled
        self.rules = compiled.rules
        self.limits = limits
        self.legality = Legality(compiled)
        self._attempts = self.legality.attempts
        self._delays = self.rules.error_on_things_delays_score or self.rules.unreadable_freezes_background
        self._last_minute = sys.maxsize if limits.minutes is None else limits.minutes
        self._most_errors = sys.maxsize if limits.errors is None else limits.errors

    def step(self, state: State, decision: Decision | Refusal | None) -> Step[State]:
        """What follows from the agent's decision; ``None`` stands for a missing one."""
        if state.ended:
            return Step(state)
        if isinstance(decision, Act):
            attempt = self.legality.attempt(decision)
            if isinstance(attempt, Refusal):
                return self._refuse(state, attempt)
            refusal = self.legality.obstacle(state, attempt)
            return self._begin(state, attempt) if refusal is None else self._refuse(state, refusal)
        if isinstance(decision, Wait):
            return self._pass(state, 1, WAITED, "wait", "wait")
        if isinstance(decision, Quit):
            # What was noted of the step before is what remains noted; see ``TimeArena.completed``.
            last = Feedback("quit", refusal=state.feedback.refusal)
            over = replace(state, feedback=last, reports=(), ended="quit")
            return Step(over, tuple(self._broken_off(state.running, state.minute)))
        return self._refuse(state, decision if isinstance(decision, Refusal) else INVALID_ACTION)

    def _begin(self, state: State, attempt: Attempt) -> Step[State]:
        minutes = attempt.duration
        if attempt.occupies_agent:
            return self._pass(state, minutes, attempt.feedback, attempt.words, "work", doing=attempt)
        running = Running(state.minute - state.lost_minutes + minutes, attempt.act)
        return self._pass(state, 1, attempt.feedback, attempt.start_words, "work", running=running)

    def _refuse(self, state: State, refusal: Refusal) -> Step[State]:
        told = Refusal(refusal.code, refusal.fault, refusal.detail, AGENT, refusal.index)
        return self._pass(state, 1, Feedback("refused", refusal=told), told.code, "refused", refusal=told)

    def _pass(
        self,
        state: State,
        minutes: int,
        feedback: Feedback,
        label: str,
        kind: Kind,
        *,
        doing: Attempt | None = None,
        running: Running | None = None,
        refusal: Refusal | None = None,
    ) -> Step[State]:
        """Let the agent's minutes go by, up to the time limit.

        Background work, ``running`` included, goes on and ends; then what the agent itself is
        ``doing`` ends, unless it is cut off.
        """
        begun = state.minute
        end = begun + minutes
        cut = end > self._last_minute
        if cut:
            end = self._last_minute
        key = f"{label}@{begun}"
        transition = Transition(state, self.compiled.total_minutes, refusal is None or self._credits(refusal))
        events = transition.events
        events.append(Event(begun, "start", AGENT, label, key, kind))
        under_way, lost = state.running, state.lost_minutes
        if running is not None:
            under_way = (*under_way, running)
            events.append(self._background_event(running, begun, "start"))
        if refusal is not None and self.freezes(refusal):
            lost += 1

        if self._delays:
            transition.credit(begun + 1)  # what a refusal has left uncredited
        if under_way:
            under_way = self._run_on(under_way, end, lost, transition)
        if doing is not None and not cut:
            transition.finish(doing)
        if cut:  # nobody is asked again: only what ended in the first minute has been told
            first = (r for r in state.running if r.ends + lost == begun + 1)
            transition.reports = tuple(report for r in first for report in self._attempts[r.act].report)
        events.append(Event(end, "pause" if cut else "end", AGENT, label, key, kind))
        transition.credit(end)

        errors = 0 if refusal is None else state.errors_in_a_row + 1
        over = self._ended(transition.score, end, errors, refusal)
        if over and under_way:
            events += self._broken_off(under_way, end)
        new = State(
            end, transition.finished, transition.earned, under_way, transition.score, errors, lost, feedback,
            transition.reports, over, state.paired_with_itself if refusal is not None else paired(doing),
        )  # fmt: skip
        return Step(new, tuple(events), () if refusal is None else (refusal,))

    def _run_on(
        self, under_way: tuple[Running, ...], minute: int, lost: int, transition: Transition
    ) -> tuple[Running, ...]:
        """Background work goes on until ``minute``; returns what is still under way then.

        The world's clock is ``lost`` minutes behind the agent's. What ends in the same minute ends
        in the order in which it was started.
        """
        clock = minute - lost
        ended = [running for running in under_way if running.ends <= clock]
        if not ended:
            return under_way
        if len(ended) > 1:
            ended.sort(key=_end)
        for running in ended:
            transition.finish(self._attempts[running.act])
            transition.events.append(self._background_event(running, running.ends + lost, "end"))
            transition.credit(running.ends + lost)
        return tuple([running for running in under_way if running.ends > clock])

    def freezes(self, refusal: Refusal) -> bool:
        """Whether nothing advances, and nothing is noted, in the minute that this refusal costs."""
        return self.rules.unreadable_freezes_background and refusal.code in MALFORMED

    def _credits(self, refusal: Refusal) -> bool:
        """Whether what ends in the minute that this refusal costs counts at once."""
        delays = self.rules.error_on_things_delays_score and refusal.code in ON_THINGS
        return not (delays or self.freezes(refusal))

    def _ended(
        self, score: int, minute: int, errors: int, refusal: Refusal | None
    ) -> Literal["", "completed", "time_limit", "error_limit"]:
        if score == 100 and (refusal is None or not self.rules.completion_needs_accepted_step):
            return "completed"
        if minute >= self._last_minute:
            return "time_limit"
        return "error_limit" if errors >= self._most_errors else ""

    def _background_event(self, running: Running, time: int, what: Literal["start", "end", "pause"]) -> Event:
        attempt = self._attempts[running.act]
        return Event(time, what, attempt.lane, attempt.words, f"{attempt.words}@-{running.ends}")

    def _broken_off(self, under_way: Iterable[Running], minute: int) -> list[Event]:
        return [self._background_event(running, minute, "pause") for running in under_way]


class Transition:
    """One step in progress: what it finishes, earns and credits, and the events that tell it."""

    __slots__ = ("credits", "earned", "events", "finished", "reports", "score", "total")

    def __init__(self, state: State, total: int, credits: bool) -> None:
        self.finished = state.finished
        self.earned = state.earned
        self.score = state.score
        self.reports: tuple[Report, ...] = ()
        self.events: list[Event] = []
        self.total = total
        self.credits = credits

    def finish(self, attempt: Attempt) -> None:
        """The action has ended."""
        self.finished |= attempt.bit
        self.earned += attempt.minutes
        self.reports += attempt.report

    def credit(self, minute: int) -> None:
        """The score catches up with what is earned, unless this step credits nothing."""
        score = 100 * self.earned // self.total
        if score != self.score and self.credits:
            self.score = score
            self.events.append(Event(minute, "score", value=score))


def _end(running: Running) -> int:
    return running.ends


def paired(attempt: Attempt | None) -> Act | None:
    """The act, if it holds the agent and pairs a thing with itself."""
    return attempt.act if attempt is not None and attempt.occupies_agent and not attempt.bit else None
