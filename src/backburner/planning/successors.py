"""All successors of many states at once.

What triggers and ticks make of a residual is asked of the task's semantics, once for each combination of
residual, decision and the facts that conditions of its effects look at. So a state here has exactly the
successors that its environment gives it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backburner.planning.facts import bits
from backburner.planning.task import State
from backburner.planning.variables import (
    Change,
    Decision,
    Flags,
    Numbers,
    Residual,
    States,
    StateSpace,
    Successors,
    ValueIds,
)

Test = tuple[int, int, int]
"""A variable, the facts of it that have to be true, and those that must not be."""

VariableChanges = list[tuple[int, Change]]

WORD = 60
"""Bits of a number that fit into a machine's word."""


class SuccessorGenerator:
    """The successors of a space's states."""

    def __init__(self, space: StateSpace) -> None:
        self.space = space
        self._for_value: dict[tuple[int, int, int], list[tuple[Decision, list[Test]]]] = {}
        self._conditions = cache(partial(_Conditions, space))
        self._after = cache(self._find_after)

    def successors(self, states: States) -> Successors:
        """All states one decision further, those that differ only in how they came about included."""
        rows: list[ValueIds] = []
        parents: list[NDArray[np.int64]] = []
        decisions: list[Decision] = []
        for decision, tests, which, part in self._candidates(states):
            passed = _all_hold(tests, part)
            if passed is False:
                continue
            new = part.rows.copy() if passed is True else part.rows[:, passed]
            for number, change in decision.changes:
                new[number] = self.space.variables[number].changed(new[number], change)
            rows.append(new)
            parents.append(which if passed is True else which[passed])
            decisions.append(decision)
        if not rows:
            nothing = np.zeros(0, dtype=np.int64)
            return Successors(states.pick(nothing), nothing, nothing.astype(np.int32))
        sizes = [len(one) for one in parents]
        numbers = np.repeat(np.array([one.number for one in decisions], dtype=np.int32), sizes)
        changes = np.repeat(np.array([one.residual_change for one in decisions], dtype=np.int64), sizes)
        parent = np.concatenate(parents)
        after, kept = self._with_residuals(np.concatenate(rows, axis=1), states.residuals[parent], changes)
        return Successors(after.pick(kept), parent[kept], numbers[kept])

    def _candidates(self, states: States) -> Iterator[tuple[Decision, list[Any], NDArray[np.int64], States]]:
        """Decisions that the acting agent's own variable allows, the tests that are left, and for whom."""
        space = self.space
        contexts = np.array(space.contexts, dtype=np.int32)[states.residuals]
        for context in np.unique(contexts):
            here = np.nonzero(contexts == context)[0]
            for agent in (-1, *space.task.agents):
                keys = states.rows[agent + 1, here] if agent >= 0 else np.zeros(len(here), dtype=np.uint16)
                for value, which in _equal_parts(keys, here):
                    part = states.pick(which)
                    held: dict[Test, Flags | bool] = {}
                    for decision, tests in self._decisions(int(context), agent, value):
                        yield decision, [self._holds(test, part, held) for test in tests], which, part

    def _decisions(self, context: int, agent: int, value: int) -> list[tuple[Decision, list[Test]]]:
        key = (context, agent, value)
        known = self._for_value.get(key)
        if known is None:
            space = self.space
            own = space.variables[agent + 1].values[value] if agent >= 0 else 0
            known = self._for_value[key] = []
            for decision in space.of_context[context]:
                tests = [test for test in decision.tests if agent >= 0 and test[0] == agent + 1]
                if decision.agent == agent and all(own & on == on and not own & off for _, on, off in tests):
                    known.append((decision, [test for test in decision.tests if test not in tests]))
        return known

    def _holds(self, test: Test, part: States, held: dict[Test, Flags | bool]) -> Flags | bool:
        known = held.get(test)
        if known is None:
            number, on, off = test
            flags = self.space.variables[number].test(on, off)[part.rows[number]]
            known = held[test] = True if flags.all() else flags if flags.any() else False
        return known

    # Residuals

    def _with_residuals(
        self, rows: ValueIds, residuals: Numbers, changes: NDArray[np.int64]
    ) -> tuple[States, Flags]:
        """The states after triggers and ticks, and which of them exist: effects at work may block some."""
        space = self.space
        kept = np.ones(len(residuals), dtype=np.bool_)
        residuals = residuals.copy()
        still = np.array([not residual.active for residual in space.residuals], dtype=np.bool_)
        several = len(space.task.agents) > 1
        n_changes = len(space.residual_changes)
        quiet = np.array([not change.triggers for change in space.residual_changes], dtype=np.bool_)
        busy = np.nonzero(np.ones_like(kept) if several else ~(still[residuals] & quiet[changes]))[0]
        for key, those in _equal_parts(residuals[busy].astype(np.int64) * n_changes + changes[busy], busy):
            residual, change = divmod(key, n_changes)
            conditions = self._conditions(residual, change)
            for seen, which in conditions.parts(space, rows, those):
                after = self._after(residual, change, seen)
                if after is None:
                    kept[which] = False
                    continue
                residuals[which] = after[0]
                rows = space.widened(States(rows, residuals)).rows
                for number, of_variable in after[1]:
                    rows[number, which] = space.variables[number].changed(rows[number, which], of_variable)
        return States(rows, residuals), kept

    def _find_after(self, residual_id: int, change_id: int, seen: int) -> tuple[int, VariableChanges] | None:
        """The residual and the changes of variables that follow; ``None`` if the operator is blocked.

        Asks the semantics twice, with all facts false that no condition looks at, and with all true. What is
        true after the first is set, what is false after the second is cleared.
        """
        space, semantics, turns = self.space, self.space.task.semantics, self.space.task.turns
        residual, change = space.residuals[residual_id], space.residual_changes[change_id]
        conditions = self._conditions(residual_id, change_id)
        facts, looked_at = conditions.facts(seen), conditions.mask
        before = State(facts, residual.created, residual.deleted, residual.active)
        if change.blockable and semantics.blocks(before, change.blockable):
            return None
        phase, step_is_over = turns.after(residual.phase, change.agent)
        others = ((1 << len(space.task.table(residual.created).atoms)) - 1) & ~looked_at
        after: list[State] = []
        for fill in (0, others):
            state = before._replace(facts=facts | fill)
            for effect, args in change.triggers:
                state = semantics.trigger(state, effect, args)
            after.append(semantics.tick(state) if step_is_over else state)
        low, high = after
        number = space.residual_id(Residual(low.created, low.deleted, low.active, phase))
        becomes_set, becomes_clear = low.facts & ~facts, (facts | others) & ~high.facts
        return number, [
            (place, (becomes_set & variable.mask, becomes_clear & variable.mask))
            for place, variable in enumerate(space.variables)
            if (becomes_set | becomes_clear) & variable.mask
        ]


class _Conditions:
    """The facts that conditions look at in a residual, with the effects that a decision triggers."""

    def __init__(self, space: StateSpace, residual: int, change: int) -> None:
        task, what = space.task, space.residuals[residual]
        table = task.table(what.created)
        effects = [(one.effect, one.args) for one in what.active]
        for effect, args in space.residual_changes[change].triggers:
            effects.append((effect, args + (-1,) * task.effects[effect].n_created))
        self.mask = 0
        for effect, args in effects:
            for node in task.ground_nodes(table, effect, args):
                self.mask |= node.pre | node.neg
        self._fixed = space.fixed & self.mask
        self._bits = [
            (number, bit)
            for number, variable in enumerate(space.variables)
            for bit in bits(self.mask & variable.mask)
        ]

    def parts(
        self, space: StateSpace, rows: ValueIds, which: NDArray[np.int64], begin: int = 0
    ) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """These states by the facts that are looked at, as a number with one bit for each."""
        codes = np.zeros(len(which), dtype=np.int64)
        for shift, (number, bit) in enumerate(self._bits[begin : begin + WORD]):
            if number < len(rows):
                flags = space.variables[number].test(bit, 0)[rows[number, which]]
                codes |= flags.astype(np.int64) << shift
        for code, part in _equal_parts(codes, which):
            if begin + WORD < len(self._bits):
                for rest, smaller in self.parts(space, rows, part, begin + WORD):
                    yield code | rest << WORD, smaller
            else:
                yield code, part

    def facts(self, code: int) -> int:
        """The facts of a code, as bits of the table."""
        facts = self._fixed
        for shift, (_, bit) in enumerate(self._bits):
            if code >> shift & 1:
                facts |= bit
        return facts


def _all_hold(tests: list[Any], part: States) -> Any:
    """Which states pass all tests: ``True`` for all, ``False`` for none, else their places."""
    together: Any = True
    for flags in tests:
        if flags is False:
            return False
        if flags is not True:
            together = flags if together is True else together & flags
    if together is True:
        return True
    places = np.nonzero(together)[0]
    return places if len(places) else False


def _equal_parts(keys: NDArray[Any], which: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """``which`` in parts of equal keys, with the key of each."""
    if not len(which):
        return
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    for part in np.split(order, np.nonzero(np.diff(ordered))[0] + 1):
        yield int(keys[part[0]]), which[part]
