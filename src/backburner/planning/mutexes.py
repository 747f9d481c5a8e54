"""Pairs of facts that are never true together, by reachability of pairs (h2), and what follows from them.

A pair is reachable if some operator, applicable in what is reachable so far, adds one fact and keeps or adds
the other. What stays unreachable is a *mutex*: the fixpoint holds every pair of every reachable state, as it
leaves out only what no operator and no effect, at any time, brings about. Besides single facts there are
*conjunctions*: two facts about an object that some operator needs together, such as being clear and being at
a location. That two objects are never clear at one location then is a pair of conjunctions.

Where one agent represents all, each may begin where any of them does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import NamedTuple

from backburner.planning.facts import Operator, bits
from backburner.planning.grounding import GroundTask


class _Event(NamedTuple):
    """An operator or an effect; ``completes``: conjunctions of which it adds one half, with the other."""

    pre: int
    adds: int
    deletes: int
    completes: tuple[tuple[int, int], ...] = ()


class Mutexes:
    """``never[bit]``: the facts that are never true with this one. Conjunctions have bits behind facts."""

    def __init__(self, ground: GroundTask) -> None:
        self._ground = ground
        self._first_conjunction = len(ground.table.atoms)
        self.conjunctions = self._find_conjunctions()
        """The bit of each conjunction, and those of its two facts."""
        self.excluded_by = cache(self._find_excluded)
        self._conjunctions_with: dict[int, list[int]] = {}
        for conjunction, halves in self.conjunctions.items():
            for half in bits(halves):
                self._conjunctions_with.setdefault(half, []).append(conjunction)

    def _find_conjunctions(self) -> dict[int, int]:
        ground, pairs = self._ground, dict[int, None]()
        fluents = ground.task.fluents
        for operator in ground.operators:
            pre = [bit for bit in bits(operator.pre) if ground.atom(bit)[0] in fluents]
            for first in pre:
                args = ground.atom(first)[1]
                if len(args) != 1 or args[0] not in ground.portables or ground.is_created(args[0]):
                    continue
                for second in pre:
                    others = ground.atom(second)[1]
                    if len(others) == 2 and others[0] == args[0] and others[1] in ground.locations:
                        pairs[first | second] = None
        return {1 << self._first_conjunction + place: halves for place, halves in enumerate(pairs)}

    def with_conjunctions(self, facts: int) -> int:
        """Facts, and the conjunctions that are true with them."""
        return facts | sum(bit for bit, halves in self.conjunctions.items() if facts & halves == halves)

    def _find_excluded(self, facts: int) -> int:
        """Facts and conjunctions that are never true together with all these."""
        excluded = 0
        for fact in bits(self.with_conjunctions(facts)):
            excluded |= self.never.get(fact, 0)
        return excluded

    def are_pairwise_mutex(self, facts: Sequence[int]) -> bool:
        """Whether at most one of these facts is true at a time."""
        return all(
            self.never.get(one, -1) & two
            for place, one in enumerate(facts)
            for two in facts[:place]
            if two in self.never
        )

    @cached_property
    def never(self) -> dict[int, int]:
        """For each reachable fact those that it is mutex with."""
        together = self._reachable_pairs()
        everything = 0
        for bit in together:
            everything |= bit
        return {bit: everything & ~mask for bit, mask in together.items()}

    def _reachable_pairs(self) -> dict[int, int]:
        """For each reachable fact those it may be true with; facts that never change left out."""
        ground = self._ground
        fluents = 0
        for predicate in ground.task.fluents:
            fluents |= ground.table.of_predicate[predicate]
        together: dict[int, int] = {}
        for facts in ground.initial_facts:
            start = self.with_conjunctions(facts & fluents)
            for bit in bits(start):
                together[bit] = together.get(bit, 0) | start
        events = self._events(fluents)
        grown = True
        while grown:
            grown = False
            for event in events:
                grown |= self._apply(together, event)
        return together

    def _apply(self, together: dict[int, int], event: _Event) -> bool:
        """Takes in the pairs that an event makes reachable, if it is applicable by those known so far."""
        before = -1
        for need in bits(event.pre):
            if need not in together:
                return False
            before &= together[need]
        if event.pre & ~before:
            return False
        if before == -1:
            before = sum(together)
        after = before & ~event.deletes | event.adds
        grown = self._add(together, event.adds, after)
        for conjunction, missing in event.completes:
            if missing & before:
                beside = before & together[missing]
                more = sum(other for other, lacks in event.completes if lacks & (beside | missing))
                kept = beside & ~event.deletes | event.adds | missing | more
                grown |= self._add(together, conjunction, kept | conjunction)
        return grown

    def _add(self, together: dict[int, int], adds: int, now: int) -> bool:
        grown = False
        for add in bits(adds):
            before = together.get(add, 0)
            if now & ~before:
                together[add] = before | now
                for other in bits(now & ~before):
                    together[other] = together.get(other, other) | add
                grown = True
        return grown

    def _events(self, fluents: int) -> list[_Event]:
        """Operators, and what effects bring about, at any time."""
        ground = self._ground
        created = sum(
            {
                bit
                for thing in ground.portables
                if ground.is_created(thing)
                for bit in bits(ground.table.about[thing])
            }
        )
        plain = [_Event(one.pre & fluents, one.adds, one.deletes) for one in ground.operators]
        for operator in ground.operators:
            for effect, args in operator.triggers:
                for adds, deletes in ground.effect_changes(effect, args):
                    plain.append(_Event(0, adds, deletes))
                    plain.append(_Event(0, deletes, adds))
        events: dict[_Event, None] = {}
        for pre, adds, deletes, _ in plain:
            # A placeholder stands for several objects: of another one the fact may still be true.
            deletes &= ~created
            ended = sum({one for bit in bits(deletes) for one in self._conjunctions_with.get(bit, ())})
            begun = {one for bit in bits(adds) for one in self._conjunctions_with.get(bit, ())}
            whole = {one for one in begun if not self.conjunctions[one] & (~adds | deletes)}
            missing = {one: self.conjunctions[one] & ~adds for one in begun - whole}
            completes = tuple((one, other) for one, other in missing.items() if not other & deletes)
            events[_Event(self.with_conjunctions(pre), adds | sum(whole), deletes | ended, completes)] = None
        return list(events)


class Succession:
    """Which operators an agent can apply directly after another one, before it goes anywhere else.

    That rests on facts that an operator leaves behind and that last while its agent stays where it is.
    """

    def __init__(self, ground: GroundTask, mutexes: Mutexes) -> None:
        self.ground = ground
        self.mutexes = mutexes
        self._facts_after = cache(self._find_facts_after)
        self._unstable: dict[tuple[int, int], int] = {}

    def position_after(self, operator: Operator) -> int:
        """The fact of where an operator's agent is after it; 0 if the operator does not say."""
        positions = self.ground.position.get(operator.agent, 0)
        position = operator.pre & positions & ~operator.deletes | operator.adds & positions
        return position if position.bit_count() == 1 else 0

    def excludes(self, first: Operator, second: Operator) -> bool:
        """Whether the first operator's agent certainly cannot apply the second one next."""
        return bool(self._facts_after(first) & self.mutexes.excluded_by(second.pre))

    def _find_facts_after(self, operator: Operator) -> int:
        facts, position = 0, self.position_after(operator)
        if position:
            facts = operator.pre & ~operator.deletes | operator.adds
            facts &= ~self.unstable(operator.agents[0], position)
        return self.mutexes.with_conjunctions(facts)

    def unstable(self, agent: int, position: int) -> int:
        """The facts that may change while an agent is in a position, other than by what it carries: by
        effects, by other agents, and by its own operators for which its load does not matter."""
        known = self._unstable.get((agent, position))
        if known is None:
            excluded = self.mutexes.excluded_by(position)
            known = self.changed_by_effects
            for operator in self.ground.operators:
                if self._may_happen_beside(operator, agent) and not operator.pre & excluded:
                    known |= operator.adds | operator.deletes
            self._unstable[agent, position] = known
        return known

    def _may_happen_beside(self, operator: Operator, agent: int) -> bool:
        if agent not in operator.agents:
            return True
        ground = self.ground
        by_load = operator.pre & ground.load[agent] and ground.cost_owner[operator] is not None
        return not (by_load or operator.adds & ground.position[agent])

    @cached_property
    def positions_are_exclusive(self) -> bool:
        """Whether no two agents are ever at one location."""
        ground, at = self.ground, dict[int, list[int]]()
        for agent in ground.agents:
            for position in bits(ground.position[agent]):
                at.setdefault(ground.location_of(position), []).append(position)
        return len(ground.agents) < 2 or all(map(self.mutexes.are_pairwise_mutex, at.values()))

    @cached_property
    def changed_by_effects(self) -> int:
        """All facts that effects may change."""
        triggered = {one for operator in self.ground.operators for one in operator.triggers}
        changes = [one for effect, args in triggered for one in self.ground.effect_changes(effect, args)]
        return sum({bit for adds, deletes in changes for bit in bits(adds | deletes)})
