"""States as rows of small numbers: a value for each state variable, and a residual.

The *variable* of an object holds the facts in which it comes first; its *values* are the bit sets that turn
up, numbered as they do (value 0: none is true). What is no fact is the *residual*: objects created and
deleted, the effects at work in their order, and whose decision comes next. For example, one agent at table1
with free hands and a lettuce on table1 are two small numbers and the number of the empty residual.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.planning.facts import FactTable, Object, Operator
from backburner.planning.grounding import OperatorSubset, ground
from backburner.planning.task import ActiveEffect, Phase, State, Task

ValueIds = NDArray[np.uint16]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int32]
Change = tuple[int, int]
"""Bits that become set, and bits that become clear."""


class Variable:
    """The facts within ``mask``, of which a state has one value."""

    def __init__(self, mask: int) -> None:
        self.mask = mask
        self.values: list[int] = [0]
        self._ids = {0: 0}
        self._tests: dict[tuple[int, int], Flags] = {}
        self._changes: dict[Change, NDArray[np.int32]] = {}

    def id(self, facts: int) -> int:
        """The number of the value that these facts have here."""
        value = facts & self.mask
        known = self._ids.get(value)
        if known is None:
            known = self._ids[value] = len(self.values)
            self.values.append(value)
        return known

    def test(self, on: int, off: int) -> Flags:
        """For each value, whether all of ``on`` is set in it and nothing of ``off``."""
        known = self._tests.get((on, off))
        begin = 0 if known is None else len(known)
        if known is None or begin < len(self.values):
            more = np.array([v & on == on and not v & off for v in self.values[begin:]], dtype=np.bool_)
            known = more if known is None else np.concatenate([known, more])
            self._tests[on, off] = known
        return known

    def changed(self, ids: ValueIds, change: Change) -> ValueIds:
        """The values that these become."""
        table = self._table(change)
        new = table[ids]
        if new.size and new.min() < 0:
            on, off = change
            for value in np.unique(ids[new < 0]):
                number = self.id(self.values[value] & ~off | on)
                table = self._table(change)
                table[value] = number
            new = table[ids]
        return new.astype(np.uint16)

    def _table(self, change: Change) -> NDArray[np.int32]:
        known = self._changes.get(change)
        size = len(self.values)
        if known is None or len(known) < size:
            table = np.full(2 * size + 16, -1, dtype=np.int32)
            if known is not None:
                table[: len(known)] = known
            self._changes[change] = known = table
        return known


class Residual(NamedTuple):
    """What of a state is no fact."""

    created: tuple[Object, ...]
    deleted: int
    active: tuple[ActiveEffect, ...]
    phase: Phase


class ResidualChange(NamedTuple):
    """What a decision does to a residual: the effects it triggers, who acts, and the operator if effects at
    work may block it."""

    triggers: tuple[tuple[int, tuple[int, ...]], ...]
    agent: int
    blockable: Operator | None


class Decision:
    """An operator, or idleness, as tests and changes of variables."""

    def __init__(self, number: int, operator: Operator | None, residual_change: int) -> None:
        self.number = number
        self.operator = operator
        self.residual_change = residual_change
        self.agent = operator.agent if operator else -1
        self.tests: list[tuple[int, int, int]] = []
        self.changes: list[tuple[int, Change]] = []


class States(NamedTuple):
    """Many states: ``rows[variable, state]`` and ``residuals[state]``, both by number."""

    rows: ValueIds
    residuals: Numbers

    def pick(self, which: NDArray[np.int64] | Flags | Numbers) -> States:
        """Some of them."""
        return States(self.rows[:, which], self.residuals[which])


class Successors(NamedTuple):
    """States, and for each the place of the one it comes from and the number of the decision."""

    states: States
    parents: NDArray[np.int64]
    decisions: Numbers


class StateSpace:
    """The states behind a task's initial one, by operators of a subset."""

    def __init__(self, task: Task, subset: OperatorSubset | None = None) -> None:
        self.task = task
        self.subset = subset or OperatorSubset()
        table = task.table(task.initial.created)
        self.fixed = task.initial.facts & ~sum(table.of_predicate[one] for one in task.fluents)
        """Facts that never change: they are in no variable."""
        self.variables: list[Variable] = []
        self.decisions: list[Decision] = []
        self.residuals: list[Residual] = []
        self.largest_table = table
        self._residual_ids: dict[Residual, int] = {}
        self.contexts: list[int] = []
        """For each residual its applicability context: the objects there are, and who may act."""
        self._context_ids: dict[tuple[tuple[Object, ...], int, Phase], int] = {}
        self.of_context: list[list[Decision]] = []
        """For each context the decisions that there are in it."""
        self.residual_changes: list[ResidualChange] = []
        self._change_ids: dict[ResidualChange, int] = {}
        self._decision_of: dict[tuple[Any, ...], Decision] = {}
        self._idle = Decision(0, None, self._change_id(ResidualChange((), -1, None)))
        self.decisions.append(self._idle)
        self.first = self.encode(task.initial, task.phase)

    def encode(self, state: State, phase: Phase) -> States:
        """One state as a row."""
        residual = self.residual_id(Residual(state.created, state.deleted, state.active, phase))
        row = [variable.id(state.facts) for variable in self.variables]
        return States(np.array(row, dtype=np.uint16)[:, None], np.array([residual], dtype=np.int32))

    def widened(self, states: States) -> States:
        """The states with a value, that of no facts, for objects created elsewhere since."""
        missing = len(self.variables) - len(states.rows)
        if not missing:
            return states
        more = np.zeros((missing, len(states.residuals)), dtype=np.uint16)
        return States(np.concatenate([states.rows, more]), states.residuals)

    def decode(self, states: States, which: int) -> tuple[State, Phase]:
        """One of these rows as a state, and whose decision comes next in it."""
        facts = self.fixed
        for variable, value in zip(self.variables, states.rows[:, which], strict=False):
            facts |= variable.values[value]
        residual = self.residuals[states.residuals[which]]
        return State(facts, residual.created, residual.deleted, residual.active), residual.phase

    def renamed(self, number: int, residual: int, names: Sequence[int]) -> int:
        """The number of a decision with the objects that its own are called; ``residual``: one behind it."""
        operator = self.decisions[number].operator
        if operator is None:
            return number
        table = self.task.table(self.residuals[residual].created)
        args = tuple(names[arg] for arg in operator.args)
        return self._decision(self.task.operator(table, operator.schema, args)).number

    def residual_id(self, residual: Residual) -> int:
        """The number of a residual."""
        known = self._residual_ids.get(residual)
        if known is None:
            known = self._residual_ids[residual] = len(self.residuals)
            self.residuals.append(residual)
            self.contexts.append(self._context_id(residual.created, residual.deleted, residual.phase))
        return known

    def _context_id(self, created: tuple[Object, ...], deleted: int, phase: Phase) -> int:
        known = self._context_ids.get((created, deleted, phase))
        if known is None:
            known = self._context_ids[created, deleted, phase] = len(self.of_context)
            table = self.task.table(created)
            self._take_in(table)
            turns = self.task.turns
            operators = (one for one in ground(self.task, table, deleted) if turns.may_act(phase, one.agent))
            decisions = [self._decision(one) for one in operators if self.subset.has(table, one)]
            can_wait = any(not decision.tests and not decision.changes for decision in decisions)
            self.of_context.append(decisions if can_wait else [*decisions, self._idle])
        return known

    def _take_in(self, table: FactTable) -> None:
        """Variables for the facts of a table; the first one holds facts about nothing."""
        if len(table.objects) > len(self.largest_table.objects):
            self.largest_table = table
        masks = [0] * (len(table.objects) + 1)
        for place, (predicate, args) in enumerate(table.atoms):
            if predicate in self.task.fluents:
                masks[args[0] + 1 if args else 0] |= 1 << place
        for number, mask in enumerate(masks):
            if number < len(self.variables):
                self.variables[number].mask |= mask
            else:
                self.variables.append(Variable(mask))

    def _decision(self, operator: Operator) -> Decision:
        key = (operator.name, operator.args, operator.pre, operator.neg, operator.adds, operator.deletes)
        known = self._decision_of.get(key)
        if known is None:
            only_triggers = operator.triggers and not (operator.adds or operator.deletes)
            agent = operator.agent if self.task.turns.per_step > 1 else -1
            change = ResidualChange(operator.triggers, agent, operator if only_triggers else None)
            known = Decision(len(self.decisions), operator, self._change_id(change))
            self.decisions.append(known)
            for number, variable in enumerate(self.variables):
                pre, neg = operator.pre & variable.mask, operator.neg & variable.mask
                if pre or neg:
                    known.tests.append((number, pre, neg))
                adds, deletes = operator.adds & variable.mask, operator.deletes & variable.mask
                if adds or deletes:
                    known.changes.append((number, (adds, deletes)))
            self._decision_of[key] = known
        return known

    def _change_id(self, change: ResidualChange) -> int:
        known = self._change_ids.get(change)
        if known is None:
            known = self._change_ids[change] = len(self.residual_changes)
            self.residual_changes.append(change)
        return known
