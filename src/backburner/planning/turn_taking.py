"""The turn-taking sequencing bound: how long it takes to deal with one object where each agent has its turn.

Between two decisions of an agent all others have theirs. No two agents are at one location; so whoever
applies the next operator to an object has either applied the last one, too, or has to come when the other one
has gone. Operators on one object are a sequence with one cycle of turns between each two, whoever applies
them: after n operators at least 1 + (n - 1) * agents decisions have passed, idleness included. What is to
come onto the object at last comes later still.
"""

from __future__ import annotations

from functools import cache, cached_property, reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from backburner.planning.facts import Operator, bits
from backburner.planning.goals import GoalAssignments
from backburner.planning.mutexes import Succession
from backburner.planning.task import Turns


class TurnTakingBound:
    """From the cost that goes to an object to decisions that pass."""

    def __init__(self, assignments: GoalAssignments, succession: Succession, turns: Turns) -> None:
        self._assignments = assignments
        self._ground = succession.ground
        self._succession = succession
        self._mutexes = succession.mutexes
        self._cycle = 1 if turns.any_agent else len(turns.agents)
        # In a free order an agent may have the last decision of a step and the first of the next one.
        self._early = self._cycle - 1 if turns.order == "free" else 0
        self.is_useful = (
            self._cycle > 1 and succession.positions_are_exclusive and self._agents_move_themselves()
        )
        """Whether it says more than the number of operators does."""
        self._is_serial = cache(self._find_serial)
        self._gap_before = cache(self._find_gap)

    def decisions(
        self, owners: tuple[int, ...], variable: int | None, costs: NDArray[np.uint8]
    ) -> NDArray[np.uint8]:
        """For costs that go to these owners, the first assigned to the variable, the decisions that pass
        until the goal, at least; 0 where operators on them are no sequence."""
        if len(owners) > 1 or not self._is_serial(owners[0]):
            return np.zeros_like(costs)
        wide = costs.astype(np.int64)
        passed = 1 + (wide - 1) * self._cycle + self._behind(owners[0], variable) - self._early
        return np.where(wide > 0, np.clip(passed, 0, 255), 0).astype(np.uint8)

    def _behind(self, thing: int, variable: int | None, seen: frozenset[int] = frozenset()) -> int:
        """Decisions from the last operator on an object, assigned to the variable, to the goal."""
        if variable is None or variable in seen:
            return 0
        assignments, seen = self._assignments, seen | {variable}
        behind = [0]
        for literal in assignments.literals:
            if len(literal.variables) == 2 and literal.variables[1] == variable:
                above = literal.variables[0]
                things = [other for other in assignments.candidates[above] if other != thing]
                gaps = [self._gap_before(thing, other, literal.predicate) for other in things]
                if things and all(gaps) and all(map(self._is_serial, things)):
                    behind.append(min(gaps) + min(self._behind(other, above, seen) for other in things))
        return max(behind)

    @cached_property
    def _owned(self) -> dict[int, list[Operator]]:
        """For each object the operators of representatives whose cost owner it is."""
        owned: dict[int, list[Operator]] = {}
        for operator, owner in self._ground.cost_owner.items():
            if owner is not None and self._ground.is_represented(operator):
                owned.setdefault(owner, []).append(operator)
        return owned

    def _agents_move_themselves(self) -> bool:
        """Whether no effect changes where an agent is, and what it carries."""
        own = (self._ground.position[one] | self._ground.load[one] for one in self._ground.agents)
        return not any(self._succession.changed_by_effects & facts for facts in own)

    def _stays_put(self, thing: int) -> bool:
        """Whether an object is moved by operators only whose cost owner it is."""
        ground = self._ground
        where = sum(
            bit for bit in bits(ground.facts_of[thing]) if ground.locations.intersection(ground.atom(bit)[1])
        )
        moving = [one for one in ground.operators if (one.adds | one.deletes) & where]
        by_effects = self._succession.changed_by_effects & where
        return not by_effects and all(ground.cost_owner[one] == thing for one in moving)

    def _find_serial(self, thing: int) -> bool:
        """Whether operators on an object are applied by whoever carries it or is at its location, and leave
        it so."""
        operators = self._owned.get(thing, [])
        return (
            not self._ground.is_created(thing)
            and self._stays_put(thing)
            and all(
                len(one.agents) == 1
                and self._is_with(one, thing, one.pre)
                and (
                    self._is_with(one, thing, one.pre & ~one.deletes | one.adds)
                    or self._is_last(one, operators)
                )
                for one in operators
            )
        )

    def _is_with(self, operator: Operator, thing: int, facts: int) -> bool:
        """Whether by these facts the operator's agent carries an object, or is at its location."""
        ground, agent = self._ground, operator.agents[0]
        location = ground.location_of(facts & ground.position[agent])
        near = (bit for bit in bits(facts & ground.facts_of[thing]) if location in ground.atom(bit)[1])
        return bool(facts & ground.carrying(agent, [thing])) or (location >= 0 and any(near))

    def _is_last(self, operator: Operator, others: list[Operator]) -> bool:
        """Whether none of these operators can ever be applied after it."""
        lasting = operator.adds & ~self._deleted_by_something
        excluded = self._mutexes.excluded_by(lasting)
        return all(other.pre & excluded for other in others)

    @cached_property
    def _deleted_by_something(self) -> int:
        """All facts that something may make false."""
        deletes = (operator.deletes for operator in self._ground.operators)
        return reduce(or_, deletes, self._succession.changed_by_effects)

    def _find_gap(self, thing: int, other: int, predicate: int) -> int:
        """Decisions at least between the last operator on an object and that which relates another one to it,
        so that the relation lasts; 0 if that may come first."""
        ground = self._ground
        fact = ground.table.bit(predicate, (other, thing))
        excluded = self._mutexes.excluded_by(fact)
        before = self._owned.get(thing, [])
        relating = [one for one in self._owned.get(other, []) if one.adds & fact]
        everywhere = [one for one in ground.operators if one.adds & fact]
        is_unknown = (
            not fact
            or not relating
            or fact & self._succession.changed_by_effects
            or any(ground.cost_owner[one] != other for one in everywhere)
            or not all(one.pre & excluded for one in before)
            or not all(self._is_with(one, thing, one.pre) for one in relating)
        )
        if is_unknown:
            return 0
        return self._cycle if self._may_follow(before, relating) else 2 * self._cycle

    def _may_follow(self, before: list[Operator], after: list[Operator]) -> bool:
        """Whether an agent may apply one of the first operators, then one of the second."""
        return any(
            one.agents == two.agents and self._may_stay(one, two) and not self._succession.excludes(one, two)
            for one in before
            for two in after
        )

    def _may_stay(self, one: Operator, two: Operator) -> bool:
        """Whether the second operator may be applied in the position that the first leaves its agent in."""
        here = self._succession.position_after(one)
        return not here or two.pre & self._ground.position[two.agents[0]] == here
