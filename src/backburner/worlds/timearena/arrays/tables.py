"""A scenario of TimeArena compiled into tables, by asking its rules what they know of each act."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from backburner.arrays.batch import Batch, compiled_batch
from backburner.arrays.jit import limit, no_draws, numbers
from backburner.kernel.errors import Refused
from backburner.worlds.timearena.arrays import step as steps
from backburner.worlds.timearena.arrays.encoding import REFUSED, TimeArenaEncoding
from backburner.worlds.timearena.arrays.step import NONE, Ints, Rows, Tables
from backburner.worlds.timearena.game import TimeArena
from backburner.worlds.timearena.game.legality import Attempt
from backburner.worlds.timearena.game.state import State

WORD = 62
"""Members of a set in one int64."""

ENDED = ("", "completed", "time_limit", "error_limit")
"""How an episode stands, by its number in ``step``."""


def batch(world: TimeArena) -> Batch:
    """The batch of a world; raises ``Refused`` under rules that it does not cover."""
    if world.rules.second_try:
        why = "a batch does not cover the rule second_try (the released Reflexion loop); the exact world does"
        raise Refused(f"{world.id}: {why}")
    if world.compiled.required != world.compiled.actions:
        why = "a batch does not cover spare actions, which nobody requires; the exact world does"
        raise Refused(f"{world.id}: {why}")
    return compiled_batch(Compiler(world), steps, draws=no_draws)


class Compiler:
    """Makes the tables of one world, and says what the row of a state of it holds."""

    def __init__(self, world: TimeArena) -> None:
        self.world = world
        self.encoding = TimeArenaEncoding(world)
        self.attempts, self.works = self.encoding.attempts, self.encoding.outlook.works
        self.number = {work.bit: number for number, work in enumerate(self.works)}
        self.background = [act for act, each in enumerate(self.attempts) if not each.occupies_agent]
        self.slot = {act: slot for slot, act in enumerate(self.background)}
        self.n_things = len(world.compiled.items)

    def tables(self) -> Tables:
        """The tables; see ``step.Tables``."""
        world, encoding, limits = self.world, self.encoding, self.world.limits
        attempts, works = self.attempts, self.works
        return Tables(
            n_works=len(works),
            n_things=self.n_things,
            total=world.compiled.total_minutes,
            last_minute=limit(limits.minutes),
            most_errors=limit(limits.errors),
            horizon=encoding.horizon,
            usual_errors=encoding.most_errors,
            reachable=encoding.outlook.reachable,
            errors_delay_score=int(world.rules.error_on_things_delays_score),
            completion_needs_accepted=int(world.rules.completion_needs_accepted_step),
            things=_sets((_members(attempt.things) for attempt in attempts), self.n_things),
            needs=_sets(map(self._needs, attempts), len(works) + 1),
            work=numbers(self.number.get(attempt.bit, NONE) for attempt in attempts),
            duration=numbers(attempt.duration for attempt in attempts),
            earned=numbers(attempt.minutes for attempt in attempts),
            slot=numbers(self.slot.get(act, NONE) for act in range(len(attempts))),
            act_of=numbers(self.background),
            work_duration=numbers(work.duration for work in works),
            agent_minutes=numbers(work.agent_minutes for work in works),
            chain=numbers(work.chain for work in works),
            last=numbers(work.last for work in works),
        )

    def _needs(self, attempt: Attempt) -> Iterable[int]:
        """The works that must be finished; what carries no progress is never finished."""
        never = len(self.works)
        return (self.number.get(1 << role, never) for role in _members(attempt.needs))

    def rows(self, count: int) -> Rows:
        """So many rows, of zeros."""

        def zeros(*shape: int) -> Ints:
            return np.zeros((count, *shape), np.int64)

        return Rows(
            minute=zeros(),
            finished=zeros(_words(len(self.works) + 1)),
            under_way=zeros(_words(len(self.works) + 1)),
            earned=zeros(),
            score=zeros(),
            errors=zeros(),
            busy=zeros(_words(self.n_things)),
            ends=zeros(len(self.background)),
            refused=zeros(),
            paired=zeros(),
            ended=zeros(),
            risen=zeros(),
        )

    def fields(self, state: State) -> Mapping[str, Any]:
        """What the row of a state holds that codes have led to."""
        numbers = {attempt.act: act for act, attempt in enumerate(self.attempts)}
        ends = [0] * len(self.background)
        busy, under_way = set[int](), set[int]()
        for running in state.running:
            act = numbers[running.act]
            ends[self.slot[act]] = running.ends
            busy.update(_members(self.attempts[act].things))
            under_way |= {self.number[bit] for bit in [self.attempts[act].bit] if bit}
        refusal, paired = state.feedback.refusal, state.paired_with_itself
        finished = [self.number[1 << role] for role in _members(state.finished)]
        return {
            "minute": state.minute,
            "finished": _sets([finished], len(self.works) + 1)[0],
            "under_way": _sets([under_way], len(self.works) + 1)[0],
            "earned": state.earned,
            "score": state.score,
            "errors": state.errors_in_a_row,
            "busy": _sets([busy], self.n_things)[0],
            "ends": ends,
            "refused": 0 if refusal is None else 1 + REFUSED.index(refusal.code),
            "paired": NONE if paired is None else numbers[paired],
            "ended": ENDED.index(state.ended),
        }


def _members(bits: int) -> list[int]:
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def _words(size: int) -> int:
    return (size + WORD - 1) // WORD


def _sets(sets: Iterable[Iterable[int]], size: int) -> Ints:
    """Sets of numbers below ``size`` as words of bits, one set a row."""
    rows = [list(members) for members in sets]
    words = np.zeros((len(rows), _words(size)), np.int64)
    for row, members in enumerate(rows):
        for number in members:
            words[row, number // WORD] |= 1 << number % WORD
    return words
