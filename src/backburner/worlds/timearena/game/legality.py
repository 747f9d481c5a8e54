"""Why an act cannot start, and which acts can.

The order of checks is the released program's: form, things, requirements, already finished.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, reduce
from operator import or_

from msgspec import Struct

from backburner.kernel.menu import Option
from backburner.kernel.values import Refusal
from backburner.worlds.timearena.game.compiled import NEVER, Compiled, ItemRole
from backburner.worlds.timearena.game.state import (
    ALREADY_COMPLETED,
    INVALID_ACTION,
    NONEXISTENT_OBJECT,
    Act,
    Decision,
    Feedback,
    Report,
    State,
    dependency_violation,
    mismatch,
    occupied,
    pair_mismatch,
    task_mismatch,
)


class Attempt(Struct, frozen=True):
    """An act and what the tables of its scenario say about it, whatever the state.

    ``label``: what events call it, or its start if it goes on by itself; ``holds``: the minutes until the
    agent is asked again.
    ``roles``: the role of each of its things, ``None`` where one has no such role. ``things``: the set of
    them. ``apart``: why the two things may not go together, if so. ``bit``, ``earns`` and ``report``:
    what its end adds to ``finished``, to ``earned``, and tells the agent; none for a thing paired
    with itself, and nothing is earned by what is spare. ``minutes``: how long it takes, as the agent is told;
    ``duration``: minutes from its start to its end, at least one. ``needs``: the set of roles
    that must be finished. ``feedback``: what the agent is told when it starts. ``fits``: whether the things
    have their roles and may go together. ``option``: how it stands on a menu. ``paired``: the act, if it
    holds the agent and pairs a thing with itself.
    """

    act: Act
    words: str
    label: str
    names: tuple[str, ...]
    roles: tuple[ItemRole | None, ...]
    things: int
    apart: Refusal | None
    minutes: int
    earns: int
    duration: int
    holds: int
    occupies_agent: bool
    bit: int
    needs: int
    lane: str
    report: tuple[Report, ...]
    feedback: Feedback
    fits: bool
    option: Option[Decision]
    paired: Act | None

    def feedback_after(self, minutes: int) -> Feedback:
        """What the agent is told when it starts what has had so many minutes already."""
        return Feedback("start", self.act, self.minutes - minutes) if minutes else self.feedback


class Attempts(dict[Act, Attempt]):
    """The attempts of one scenario; each is made when it is first asked for.

    Asking for an act of unknown verbs or things is a ``KeyError``.
    """

    def __init__(self, compiled: Compiled) -> None:
        super().__init__()
        self.compiled = compiled

    def __missing__(self, act: Act) -> Attempt:
        tables = self.compiled
        verb = tables.verbs[act.verb]
        names, slots = self._slots_to_fill(act)
        pairs = zip(names, slots, strict=True)
        roles = tuple(tables.role.get((act.verb, slot, name)) for name, slot in pairs)
        lead = roles[0]
        minutes = lead.role.minutes if lead else 0
        apart = self._apart(act)
        words = verb.words(act.first, act.second)
        made = self[act] = Attempt(
            act=act,
            words=words,
            label=words if verb.occupies_agent else f"start {words}",
            names=names,
            roles=roles,
            things=_union(tables.thing_bit[name] for name in names),
            apart=apart,
            minutes=minutes,
            earns=minutes if lead and lead.bit & tables.everything else 0,
            duration=max(minutes, 1),
            holds=max(minutes, 1) if verb.occupies_agent else 1,
            occupies_agent=bool(verb.occupies_agent),
            bit=lead.bit if lead else 0,
            needs=_union(role.mask for role in roles if role),
            lane=names[-1],
            report=((act.first, lead.role.after or ""),) if lead and lead.bit else (),
            feedback=Feedback("start", act, minutes),
            fits=apart is None and None not in roles,
            option=Option(
                act, words, verb=act.verb, things=(act.first, act.second) if act.second else (act.first,)
            ),
            paired=act if verb.occupies_agent and not (lead and lead.bit) else None,
        )
        return made

    def _slots_to_fill(self, act: Act) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """The things in the order in which they are looked at, and the slot that each is to fill."""
        if not act.second:
            return (act.first,), (0,)
        if act.first == act.second and self.compiled.rules.any_pair_counts:
            return (act.first,), (2,)  # of a thing paired with itself the release sees one role
        return (act.first, act.second), (1, 2)

    def _apart(self, act: Act) -> Refusal | None:
        if not act.second:
            return None
        if self.compiled.kept_apart(act.first, act.second):
            return task_mismatch(act.first, act.second)
        if not self.compiled.rules.any_pair_counts and act not in self.compiled.pairs:
            return pair_mismatch(act.first, act.second)
        return None


class Legality:
    """Which acts of one scenario can start in a state, and why the others cannot."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.rules = compiled.rules
        self.attempts = Attempts(compiled)

    def attempt(self, act: Act) -> Attempt | Refusal:
        """The act looked up in the tables, or why there is no such act."""
        try:
            if (known := self.attempts.get(act)) is not None:
                return known
        except TypeError:  # a list or the like in place of a word
            return INVALID_ACTION
        verb = self.compiled.verbs.get(act.verb)
        if verb is None or verb.takes_two != bool(act.second):
            return INVALID_ACTION
        names = (act.first, act.second) if verb.takes_two else (act.first,)
        if any(name not in self.compiled.item for name in names):
            return NONEXISTENT_OBJECT
        return self.attempts[act]

    def obstacle(self, state: State, attempt: Attempt) -> Refusal | None:
        """Why the act cannot start now, or ``None`` if it can."""
        busy = 0
        for running in state.running:
            busy |= self.attempts[running.act].things
        if attempt.things & busy or not attempt.fits:
            return self._wrong_things(attempt, busy)
        if attempt.needs & ~state.finished:
            return self._unmet_need(state, attempt)
        # A thing paired with itself twice in a row crashes the release.
        if attempt.bit & state.finished or attempt.act == state.paired_with_itself:
            return ALREADY_COMPLETED
        return None

    def _wrong_things(self, attempt: Attempt, busy: int) -> Refusal:
        reasons = []
        for name, role in zip(attempt.names, attempt.roles, strict=True):
            if role is None:
                reasons.append(mismatch(name))
            elif attempt.apart is not None:
                reasons.append(attempt.apart)
            elif self.compiled.thing_bit[name] & busy:
                reasons.append(occupied(name))
        return reasons[-1 if self.rules.last_thing_gives_reason else 0]

    def _unmet_need(self, state: State, attempt: Attempt) -> Refusal:
        """The first thing's first reason; the release lets later things overwrite it, even with none."""
        last: Refusal | None = None
        for role in attempt.roles:
            if role is None or not role.needs:
                continue
            unmet = [need for need in role.needs if need == NEVER or not state.finished >> need & 1]
            because = self._shown(unmet[0]) if unmet else None
            if unmet and not self.rules.last_thing_gives_reason:
                return dependency_violation(role.item.name, because)
            if unmet or not role.on_itself:
                last = dependency_violation(role.item.name, because)
        return last or dependency_violation(attempt.names[-1], None)

    def _shown(self, need: int) -> tuple[str, str] | None:
        """The (thing, state) that is in the way of a need."""
        if need == NEVER:
            return None
        role = self.compiled.roles[need]
        return role.item.name, role.role.before or ""

    # --- what can start --------------------------------------------------------------------------

    def startable(self, state: State) -> Iterator[Attempt]:
        """The attempts that have no obstacle now, the tasks' own first, in a fixed order."""
        return (attempt for attempt in self.fitting if self.obstacle(state, attempt) is None)

    def something_to_start(self, state: State) -> bool:
        """Whether an action that is required would be accepted now."""
        return any(attempt.bit & self.compiled.everything for attempt in self.startable(state))

    @cached_property
    def fitting(self) -> tuple[Attempt, ...]:
        """Every act whose things fit, the tasks' own first, in a fixed order."""
        own = [act for action in self.compiled.actions for act in action.acts]
        attempts = (self.attempts[act] for act in dict.fromkeys((*own, *self._conceivable())))
        return tuple(attempt for attempt in attempts if attempt.fits)

    @cached_property
    def reachable(self) -> int:
        """What is finished when every act that fits is done as soon as it can be.

        Nothing is ever undone and finishing more never forbids anything, so no order finishes more.
        """
        finished, before = 0, -1
        while finished != before:
            before = finished
            for attempt in self.fitting:
                if not attempt.needs & ~finished:
                    finished |= attempt.bit
        return finished

    def _conceivable(self) -> Iterator[Act]:
        """Verbs with things that know them, and second things with themselves (see ``any_pair_counts``)."""
        role = self.compiled.role
        names = [item.name for item in self.compiled.items]
        for verb in self.compiled.verbs:
            yield from (Act(verb, name) for name in names if (verb, 0, name) in role)
            seconds = [name for name in names if (verb, 2, name) in role]
            for first in names:
                knows = (verb, 1, first) in role
                yield from (Act(verb, first, second) for second in seconds if knows or first == second)


def _union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)
