"""The transition of TimeArena: one decision, however many minutes it takes.

The order of checks is the released program's: form, things, requirements, already finished. What is
accepted starts; every refusal costs a minute. An action that occupies the agent runs to its end, or
to the time limit. Background work that ends on the way is reported when the agent is next asked.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Step
from backburner.worlds.timearena.actions import (
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
    pair_mismatch,
    task_mismatch,
)
from backburner.worlds.timearena.combination import NEVER, Combination, Part
from backburner.worlds.timearena.rule_set import Limits
from backburner.worlds.timearena.state import GAVE_UP, WAITED, Feedback, Report, Running, State

AGENT = "agent"
"""The seat, the body and its lane."""


class Attempt(NamedTuple):
    """Everything about an act that does not depend on the state.

    ``parts``: the role of each thing, ``None`` where it has no such role. ``things``: their bits.
    ``apart``: why the two things may not go together, if so. ``bit`` and ``report``: what its end
    adds to ``finished`` and tells the agent; none for a thing paired with itself.
    """

    act: Act
    words: str
    names: tuple[str, ...]
    parts: tuple[Part | None, ...]
    things: int
    apart: Refusal | None
    minutes: int
    occupies_agent: bool
    bit: int
    needs: int
    lane: str
    report: tuple[Report, ...]

    @property
    def fits(self) -> bool:
        """Whether the things have the roles and may go together."""
        return self.apart is None and None not in self.parts


class Rulebook:
    """The rules of one combination under its limits. Remembers only what never changes."""

    def __init__(self, combination: Combination, limits: Limits) -> None:
        self.combination = combination
        self.rules = combination.rules
        self.limits = limits
        self._attempts: dict[Act, Attempt] = {}

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
            over = replace(state, feedback=GAVE_UP, reports=(), ended="quit")
            return Step(over, tuple(self._broken_off(state.running, state.minute)))
        return self._refuse(state, decision if isinstance(decision, Refusal) else INVALID_ACTION)

    # --- may it start? -------------------------------------------------------------------------

    def attempt(self, act: Act) -> Attempt | Refusal:
        """The act looked up in the tables, or why there is no such act."""
        found = self._attempts.get(act)
        if found is None:
            verb = self.combination.verbs.get(act.verb)
            if verb is None or verb.takes_two != bool(act.second):
                return INVALID_ACTION
            if any(name not in self.combination.item for name in (act.first, act.second) if name):
                return NONEXISTENT_OBJECT
            found = self._attempts[act] = self._look_up(act)
        return found

    def obstacle(self, state: State, attempt: Attempt) -> Refusal | None:
        """Why the act cannot start now, or ``None`` if it can."""
        busy = 0
        for running in state.running:
            busy |= self._attempts[running.act].things
        if attempt.things & busy or not attempt.fits:
            return self._wrong_things(attempt, busy)
        if attempt.needs & ~state.finished:
            return self._unmet_need(state, attempt)
        if attempt.bit & state.finished:
            return ALREADY_COMPLETED
        if not attempt.bit and state.feedback.act == attempt.act:
            return ALREADY_COMPLETED  # a thing paired with itself twice in a row: the release crashes
        return None

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
        return told or INVALID_ACTION

    def _shown(self, need: int) -> tuple[str, str] | None:
        if need == NEVER:
            return None
        part = self.combination.parts[need]
        return part.item.name, part.role.before or ""

    def _look_up(self, act: Act) -> Attempt:
        table = self.combination
        verb = table.verbs[act.verb]
        if act.first == act.second and self.rules.any_pair_counts:
            names, slots = (act.first,), (2,)  # the release looks at the second slot only
        elif verb.takes_two:
            names, slots = (act.first, act.second), (1, 2)
        else:
            names, slots = (act.first,), (0,)
        parts = tuple(table.part.get((act.verb, slot, name)) for name, slot in zip(names, slots, strict=True))
        lead = parts[0]
        carries = lead is not None and lead.bit
        return Attempt(
            act=act,
            words=verb.words(act.first, act.second),
            names=names,
            parts=parts,
            things=sum(table.place[name] for name in names),
            apart=self._apart(act),
            minutes=lead.role.minutes if lead else 0,
            occupies_agent=bool(verb.occupies_agent),
            bit=lead.bit if lead else 0,
            needs=_union(parts),
            lane=names[-1],
            report=((act.first, lead.role.after or ""),) if lead and carries else (),
        )

    def _apart(self, act: Act) -> Refusal | None:
        if not act.second:
            return None
        if self.combination.kept_apart(act.first, act.second):
            return task_mismatch(act.first, act.second)
        if not self.rules.any_pair_counts and act not in self.combination.pairs:
            return pair_mismatch(act.first, act.second)
        return None

    def fitting_attempts(self) -> tuple[Attempt, ...]:
        """Every act whose things fit, the tasks' own first, in a fixed order."""
        table = self.combination
        names = [item.name for item in table.items]
        own = [act for required in table.required for act in required.acts]
        loose = [
            Act(verb.name, first, second)
            for verb in table.verbs.values()
            for first in names
            for second in (names if verb.takes_two else ("",))
        ]
        attempts = (self.attempt(act) for act in dict.fromkeys((*own, *loose)))
        return tuple(found for found in attempts if isinstance(found, Attempt) and found.fits)

    # --- what happens --------------------------------------------------------------------------

    def _begin(self, state: State, attempt: Attempt) -> Step[State]:
        feedback = Feedback("start", attempt.act, attempt.minutes)
        if attempt.occupies_agent:
            return self._pass(state, max(attempt.minutes, 1), feedback, attempt.words, "work", doing=attempt)
        ends = state.minute - state.lost_minutes + max(attempt.minutes, 1)
        running = Running(ends, attempt.act)
        return self._pass(state, 1, feedback, f"start {attempt.words}", "work", running=running)

    def _refuse(self, state: State, refusal: Refusal) -> Step[State]:
        named = replace(refusal, seat=AGENT)
        return self._pass(state, 1, Feedback("refused", refusal=named), refusal.code, "refused", refusal=named)

    def _pass(
        self,
        state: State,
        minutes: int,
        feedback: Feedback,
        label: str,
        kind: Literal["work", "wait", "refused"],
        *,
        doing: Attempt | None = None,
        running: Running | None = None,
        refusal: Refusal | None = None,
    ) -> Step[State]:
        """Let the agent's minutes go by; background work goes on and is credited when it ends."""
        limit = self.limits.minutes
        end = state.minute + minutes
        cut = limit is not None and end > limit
        if cut and limit is not None:
            end = limit
        key = f"{label}@{state.minute}"
        events = [Event(state.minute, "start", AGENT, label, key, kind)]
        if running is not None:
            events.append(self._background_event(running, state.minute, "start"))
        freezes = refusal is not None and self.freezes(refusal)
        lost = state.lost_minutes + 1 if freezes else state.lost_minutes
        under_way = (*state.running, running) if running is not None else state.running
        ended = sorted((r for r in under_way if r.ends <= end - lost), key=_end) if under_way else ()
        finished, earned, reports, score = state.finished, state.earned, [], state.score
        credits = refusal is None or not (freezes or self._delays_score(refusal))
        total = self.combination.total_minutes
        if credits and score != 100 * earned // total:  # earned earlier, during a refusal
            score = 100 * earned // total
            events.append(Event(state.minute + 1, "score", value=score))
        for item in ended:
            attempt = self._attempts[item.act]
            finished |= attempt.bit
            earned += attempt.minutes
            reports += attempt.report
            events.append(self._background_event(item, item.ends + lost, "end"))
            if credits and score != 100 * earned // total:
                score = 100 * earned // total
                events.append(Event(item.ends + lost, "score", value=score))
        if ended:
            under_way = tuple(r for r in under_way if r.ends > end - lost)
        if doing is not None and not cut:
            finished |= doing.bit
            earned += doing.minutes
            reports += doing.report
        events.append(Event(end, "pause" if cut else "end", AGENT, label, key, kind))
        if credits and score != 100 * earned // total:
            score = 100 * earned // total
            events.append(Event(end, "score", value=score))
        errors = 0 if refusal is None else state.errors_in_a_row + 1
        over = self._ended(score, end, errors, refusal)
        if over and under_way:
            events += self._broken_off(under_way, end)
        new = State(end, finished, earned, under_way, score, errors, lost, feedback, tuple(reports), over)
        return Step(new, tuple(events), () if refusal is None else (refusal,))

    def freezes(self, refusal: Refusal) -> bool:
        """Whether nothing advances, and nothing is noted, in the minute that this refusal costs."""
        return self.rules.unreadable_freezes_background and refusal.code in MALFORMED

    def _delays_score(self, refusal: Refusal) -> bool:
        return self.rules.error_on_things_delays_score and refusal.code in ON_THINGS

    def _ended(
        self, score: int, minute: int, errors: int, refusal: Refusal | None
    ) -> Literal["", "completed", "time_limit", "error_limit"]:
        if score == 100 and (refusal is None or not self.rules.completion_needs_accepted_step):
            return "completed"
        if self.limits.minutes is not None and minute >= self.limits.minutes:
            return "time_limit"
        if self.limits.errors is not None and errors >= self.limits.errors:
            return "error_limit"
        return ""

    def _background_event(self, running: Running, time: int, what: Literal["start", "end", "pause"]) -> Event:
        attempt = self._attempts[running.act]
        return Event(time, what, attempt.lane, attempt.words, f"{attempt.words}@-{running.ends}")

    def _broken_off(self, under_way: tuple[Running, ...], minute: int) -> list[Event]:
        return [self._background_event(running, minute, "pause") for running in under_way]


def _end(running: Running) -> int:
    return running.ends


def _union(parts: tuple[Part | None, ...]) -> int:
    needs = 0
    for part in parts:
        if part is not None:
            needs |= part.mask
    return needs
