"""Everything about an act that does not depend on the state, looked up once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from typing import NamedTuple

from backburner.kernel.menu import Option
from backburner.kernel.values import Refusal
from backburner.worlds.timearena.game.actions import Act, Decision, pair_mismatch, task_mismatch
from backburner.worlds.timearena.game.combination import Combination, Part
from backburner.worlds.timearena.game.state import Feedback, Report


class Attempt(NamedTuple):
    """An act and what the tables of its combination say about it.

    ``parts``: the role of each thing, ``None`` where it has no such role. ``things``: their bits.
    ``apart``: why the two things may not go together, if so. ``bit``, ``minutes`` and ``report``:
    what its end adds to ``finished``, to ``earned``, and tells the agent; none for a thing paired
    with itself. ``feedback``: what the agent is told when it starts. ``fits``: whether the things
    have their roles and may go together. ``option``: how it stands on a menu.
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
    feedback: Feedback
    fits: bool
    option: Option[Decision]


class Attempts(dict[Act, Attempt]):
    """The attempts of one combination; each is made when it is first asked for.

    Asking for an act of unknown verbs or things is a ``KeyError``.
    """

    def __init__(self, combination: Combination) -> None:
        super().__init__()
        self.combination = combination

    def __missing__(self, act: Act) -> Attempt:
        table = self.combination
        verb = table.verbs[act.verb]
        names, slots = self._roles_looked_at(act)
        parts = tuple(table.part.get((act.verb, slot, name)) for name, slot in zip(names, slots, strict=True))
        lead = parts[0]
        minutes = lead.role.minutes if lead else 0
        apart = self._apart(act)
        words = verb.words(act.first, act.second)
        made = self[act] = Attempt(
            act=act,
            words=words,
            names=names,
            parts=parts,
            things=_union(table.place[name] for name in names),
            apart=apart,
            minutes=minutes,
            occupies_agent=bool(verb.occupies_agent),
            bit=lead.bit if lead else 0,
            needs=_union(part.mask for part in parts if part),
            lane=names[-1],
            report=((act.first, lead.role.after or ""),) if lead and lead.bit else (),
            feedback=Feedback("start", act, minutes),
            fits=apart is None and None not in parts,
            option=Option(act, words, verb=act.verb, things=_things(act)),
        )
        return made

    def fitting(self) -> tuple[Attempt, ...]:
        """Every act whose things fit, the tasks' own first, in a fixed order."""
        own = [act for required in self.combination.required for act in required.acts]
        attempts = (self[act] for act in dict.fromkeys((*own, *self._conceivable())))
        return tuple(attempt for attempt in attempts if attempt.fits)

    def _conceivable(self) -> Iterator[Act]:
        """Verbs with things that know them, and second things with themselves (see ``any_pair_counts``)."""
        part = self.combination.part
        names = [item.name for item in self.combination.items]
        for verb in self.combination.verbs:
            yield from (Act(verb, name) for name in names if (verb, 0, name) in part)
            seconds = [name for name in names if (verb, 2, name) in part]
            for first in names:
                knows = (verb, 1, first) in part
                yield from (Act(verb, first, second) for second in seconds if knows or first == second)

    def _roles_looked_at(self, act: Act) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """The things in the order in which they are looked at, and the slot that each is to fill."""
        if not act.second:
            return (act.first,), (0,)
        if act.first == act.second and self.combination.rules.any_pair_counts:
            return (act.first,), (2,)  # of a thing paired with itself the release sees one role
        return (act.first, act.second), (1, 2)

    def _apart(self, act: Act) -> Refusal | None:
        if not act.second:
            return None
        if self.combination.kept_apart(act.first, act.second):
            return task_mismatch(act.first, act.second)
        if not self.combination.rules.any_pair_counts and act not in self.combination.pairs:
            return pair_mismatch(act.first, act.second)
        return None


def _things(act: Act) -> tuple[str, ...]:
    return (act.first, act.second) if act.second else (act.first,)


def _union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)
