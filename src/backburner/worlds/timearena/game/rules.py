"""The transition of TimeArena: one decision, however many minutes it takes.

The order of checks is the released program's: form, things, requirements, already finished. What is
accepted starts; every refusal costs a minute. An action that occupies the agent runs to its end, or
to the time limit. Background work that ends on the way is reported when the agent is next asked.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal

from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Step
from backburner.worlds.timearena.game.actions import (
    ALREADY_COMPLETED,
    INVALID_ACTION,
    MALFORMED,
    NONEXISTENT_OBJECT,
    ON_THINGS,
    Act,
    Decision,
    Quit,
    Wait,
    dependency_violation,
    mismatch,
    occupied,
)
from backburner.worlds.timearena.game.attempts import Attempt, Attempts
from backburner.worlds.timearena.game.combination import NEVER, Combination
from backburner.worlds.timearena.game.rule_set import Limits
from backburner.worlds.timearena.game.state import WAITED, Feedback, Report, Running, State

AGENT = "agent"
"""The seat, the body and its lane."""

Kind = Literal["work", "wait", "refused"]


class Rulebook:
    """The rules of one combination under its limits. Remembers only what never changes."""

    def __init__(self, combination: Combination, limits: Limits) -> None:
        self.combination = combination
        self.rules = combination.rules
        self.limits = limits
        self._attempts = Attempts(combination)
        self._last_minute = sys.maxsize if limits.minutes is None else limits.minutes
        self._most_errors = sys.maxsize if limits.errors is None else limits.errors

    def step(self, state: State, decision: Decision | Refusal | None) -> Step[State]:
        """What follows from the agent's decision; ``None`` stands for a missing one."""
        if state.ended:
            return Step(state)
        if isinstance(decision, Act):
            attempt = self.attempt(decision)
            if isinstance(attempt, Refusal):
                return self._refuse(state, attempt)
            refusal = self.obstacle(state, attempt)
            return self._begin(state, attempt) if refusal is None else self._refuse(state, refusal)
        if isinstance(decision, Wait):
            return self._pass(state, 1, WAITED, "wait", "wait")
        if isinstance(decision, Quit):
            # What was noted of the step before is what remains noted; see ``TimeArena.completed``.
            last = Feedback("quit", refusal=state.feedback.refusal)
            over = replace(state, feedback=last, reports=(), ended="quit")
            return Step(over, tuple(self._broken_off(state.running, state.minute)))
        return self._refuse(state, decision if isinstance(decision, Refusal) else INVALID_ACTION)

    # --- may it start? -------------------------------------------------------------------------

    def attempt(self, act: Act) -> Attempt | Refusal:
        """The act looked up in the tables, or why there is no such act."""
        try:
            known = self._attempts.get(act)
        except TypeError:  # a list or the like in place of a word
            return INVALID_ACTION
        if known is not None:
            return known
        verb = self.combination.verbs.get(act.verb)
        if verb is None or verb.takes_two != bool(act.second):
            return INVALID_ACTION
        names = (act.first, act.second) if verb.takes_two else (act.first,)
        if any(name not in self.combination.item for name in names):
            return NONEXISTENT_OBJECT
        return self._attempts[act]

    def obstacle(self, state: State, attempt: Attempt) -> Refusal | None:
        """Why the act cannot start now, or ``None`` if it can."""
        busy = 0
        for running in state.running:
            busy |= self._attempts[running.act].things
        if attempt.things & busy or not attempt.fits:
            return self._wrong_things(attempt, busy)
        if attempt.needs & ~state.finished:
            return self._unmet_need(state, attempt)
        # A thing paired with itself twice in a row crashes the release.
        if attempt.bit & state.finished or attempt.act == state.paired_with_itself:
            return ALREADY_COMPLETED
        return None

    def startable(self, state: State) -> Iterator[Attempt]:
        """The attempts that have no obstacle now, the tasks' own first, in a fixed order."""
        return (attempt for attempt in self.fitting_attempts if self.obstacle(state, attempt) is None)

    def _wrong_things(self, attempt: Attempt, busy: int) -> Refusal:
        found = []
        for name, part in zip(attempt.names, attempt.parts, strict=True):
            if part is None:
                found.append(mismatch(name))
            elif attempt.apart is not None:
                found.append(attempt.apart)
            elif self.combination.place[name] & busy:
                found.append(occupied(name))
        return found[-1 if self.rules.last_thing_gives_reason else 0]

    def _unmet_need(self, state: State, attempt: Attempt) -> Refusal:
        """The first thing's first reason; the release lets later things overwrite it, even with none."""
        told: Refusal | None = None
        for part in attempt.parts:
            if part is None or not part.needs:
                continue
            unmet = [need for need in part.needs if need == NEVER or not state.finished >> need & 1]
            because = self._shown(unmet[0]) if unmet else None
            if unmet and not self.rules.last_thing_gives_reason:
                return dependency_violation(part.item.name, because)
            if unmet or not part.on_itself:
                told = dependency_violation(part.item.name, because)
        return told or dependency_violation(attempt.names[-1], None)

    def _shown(self, need: int) -> tuple[str, str] | None:
        if need == NEVER:
            return None
        part = self.combination.parts[need]
        return part.item.name, part.role.before or ""

    def something_to_start(self, state: State) -> bool:
        """Whether an action that carries progress would be accepted now."""
        return any(attempt.bit for attempt in self.startable(state))

    @cached_property
    def fitting_attempts(self) -> tuple[Attempt, ...]:
        """Every act whose things fit, the tasks' own first, in a fixed order."""
        return self._attempts.fitting()

    # --- what happens --------------------------------------------------------------------------

    def _begin(self, state: State, attempt: Attempt) -> Step[State]:
        minutes = max(attempt.minutes, 1)
        if attempt.occupies_agent:
            return self._pass(state, minutes, attempt.feedback, attempt.words, "work", doing=attempt)
        running = Running(state.minute - state.lost_minutes + minutes, attempt.act)
        return self._pass(state, 1, attempt.feedback, f"start {attempt.words}", "work", running=running)

    def _refuse(self, state: State, refusal: Refusal) -> Step[State]:
        told = replace(refusal, seat=AGENT)
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
        begun, end = state.minute, min(state.minute + minutes, self._last_minute)
        cut = end < begun + minutes
        key = f"{label}@{begun}"
        ledger = _Ledger(state, self.combination.total_minutes, refusal is None or self._credits(refusal))
        ledger.events.append(Event(begun, "start", AGENT, label, key, kind))
        under_way, lost = state.running, state.lost_minutes
        if running is not None:
            under_way = (*under_way, running)
            ledger.events.append(self._background_event(running, begun, "start"))
        if refusal is not None and self.freezes(refusal):
            lost += 1

        ledger.credit(begun + 1)  # what a refusal has left uncredited
        if under_way:
            under_way = self._run_on(under_way, end, lost, ledger)
        if doing is not None and not cut:
            ledger.finish(doing)
        if cut:  # nobody is asked again: only what ended in the first minute has been told
            first = (r for r in state.running if r.ends + lost == begun + 1)
            ledger.reports = tuple(report for r in first for report in self._attempts[r.act].report)
        ledger.events.append(Event(end, "pause" if cut else "end", AGENT, label, key, kind))
        ledger.credit(end)

        errors = 0 if refusal is None else state.errors_in_a_row + 1
        over = self._ended(ledger.score, end, errors, refusal)
        if over and under_way:
            ledger.events += self._broken_off(under_way, end)
        new = State(
            end, ledger.finished, ledger.earned, under_way, ledger.score, errors, lost, feedback,
            ledger.reports, over, state.paired_with_itself if refusal is not None else _paired(doing),
        )  # fmt: skip
        return Step(new, tuple(ledger.events), () if refusal is None else (refusal,))

    def _run_on(
        self, under_way: tuple[Running, ...], minute: int, lost: int, ledger: _Ledger
    ) -> tuple[Running, ...]:
        """Background work goes on until ``minute``; returns what is still under way then.

        The world's clock is ``lost`` minutes behind the agent's. What ends in the same minute ends
        in the order in which it was started.
        """
        ended = [running for running in under_way if running.ends <= minute - lost]
        if not ended:
            return under_way
        if len(ended) > 1:
            ended.sort(key=_end)
        for running in ended:
            ledger.finish(self._attempts[running.act])
            ledger.events.append(self._background_event(running, running.ends + lost, "end"))
            ledger.credit(running.ends + lost)
        return tuple([running for running in under_way if running.ends > minute - lost])

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


class _Ledger:
    """What is finished, earned and credited in the course of one step, and the events that tell it."""

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


def _paired(doing: Attempt | None) -> Act | None:
    """The act, if it holds the agent and pairs a thing with itself."""
    return doing.act if doing is not None and not doing.bit else None
