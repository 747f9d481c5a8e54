"""What operators do in a projection, and which agents it keeps.

An operator costs 1 in projections of its cost owner and 0 in all others. One in which no portable takes part,
such as going somewhere, has no owner: it costs 1 where the owner is that its agent carries, or, if it carries
none, where the owner is that the agent turns to next. No step is counted twice so: its agent carries at most
one thing, and turns to one.

An agent is kept only while it carries an owner, or *tends* one: stands at its location with nothing carried,
to do something to it next. Where one agent represents all, it does not matter which of them it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from backburner.planning.abstraction import AbstractEffect, EffectReader, Pattern
from backburner.planning.facts import Operator, bits
from backburner.planning.mutexes import Succession


class AbstractOperator(NamedTuple):
    """An operator in a projection: first its agent's load and position, then the pattern's facts.

    ``pre_carries``, ``adds_carries`` and ``deletes_carries`` are facts that it carries an owner;
    ``needs_other_load``: it carries something else; ``needs_free``: it carries nothing. ``mutex_own`` and
    ``mutex_others`` are facts of the agent's and of others' loads (and of their positions) that are mutex
    with the preconditions, ``neg_pairs`` pairs of abstract facts that are. ``is_paid``: its owner is one of
    the pattern; ``has_no_owner``: nobody's. ``tends``: applied with free hands to an owner where the agent
    is. ``frees``: the agent may carry nothing afterwards.
    """

    agent: int
    pre_carries: int
    needs_other_load: bool
    needs_free: bool
    adds_carries: int
    deletes_carries: int
    pre_position: int
    adds_position: int
    deletes_position: int
    mutex_own: int
    mutex_others: int
    pre: int
    neg: int
    neg_pairs: tuple[int, ...]
    adds: int
    deletes: int
    triggers: tuple[AbstractEffect, ...]
    is_paid: bool
    has_no_owner: bool
    tends: bool
    frees: bool

    @property
    def position_after(self) -> int:
        """The fact of its agent's position afterwards, as far as the operator says."""
        return self.pre_position & ~self.deletes_position | self.adds_position


class AbstractOperators:
    """The operators that matter in a pattern, those that are alike in it taken together.

    ``carries``: for each representative the facts that it carries an owner. If agents are ``anywhere``, their
    positions are not kept.
    """

    def __init__(
        self,
        pattern: Pattern,
        succession: Succession,
        effects: EffectReader,
        carries: Mapping[int, int],
        anywhere: bool,
    ) -> None:
        self._pattern = pattern
        self._ground = ground = pattern.ground
        self._succession = succession
        self._mutexes = succession.mutexes
        self._effects = effects
        self._carries = carries
        self._conjunctions = {
            conjunction: pattern.project(halves)
            for conjunction, halves in self._mutexes.conjunctions.items()
            if pattern.keeps_exactly(halves)
        }
        self._kept_of = {
            agent: ground.carrying(agent, pattern.owners) | ground.position[agent] for agent in ground.agents
        }
        self._excluded_pairs = cache(self._find_excluded_pairs)
        self._knows_tending = not anywhere and self._tending_is_known()
        self._operators: dict[AbstractOperator, list[Operator]] = {}
        others: list[Operator] = []
        for operator in ground.operators:
            if not ground.is_represented(operator):
                continue
            images = self._images(operator)
            for image in images:
                if _changes_something(image):
                    self._operators.setdefault(image, []).append(operator)
            first = images[0]
            if first.frees and not (first.is_paid or first.has_no_owner or _changes_something(first)):
                others.append(operator)
        self.tending: dict[tuple[int, int], list[Operator]] = {}
        """The tending operators, by agent and position."""
        for image, operators in self._operators.items():
            if image.tends:
                self.tending.setdefault((image.agent, image.pre_position), []).extend(operators)
        for operator in others:
            if self._can_tend_after(operator):
                self._operators.setdefault(self._images(operator)[0], []).append(operator)
        self.all = list(self._operators)

    def _tending_is_known(self) -> bool:
        """Whether loads are put down in known positions only, no two agents are in one, and neither
        operators that are not paid here nor effects bring an owner to a location."""
        pattern, ground = self._pattern, self._ground
        if not self._succession.positions_are_exclusive:
            return False
        brought = 0
        for operator in ground.operators:
            owner = ground.cost_owner[operator]
            if owner is not None and operator.agents and not self._succession.position_after(operator):
                return False
            if owner not in pattern.owners:
                brought |= pattern.project(operator.adds)
            for effect, args in operator.triggers:
                triggered = self._effects.triggered(effect, args)
                for outcome in triggered.outcomes if triggered else ():
                    brought |= outcome.adds
        return not any(brought & there for there in pattern.at_position.values())

    def can_tend_after(self, image: AbstractOperator) -> bool:
        """Whether an agent may apply a tending operator right after this one."""
        return any(map(self._can_tend_after, self._operators[image]))

    def _can_tend_after(self, operator: Operator) -> bool:
        if not operator.agents:
            return False
        position = self._succession.position_after(operator)
        following = self.tending.get((operator.agent, position), ())
        return any(not self._succession.excludes(operator, one) for one in following)

    def excludes(self, first: AbstractOperator, second: AbstractOperator) -> bool:
        """Whether an agent certainly cannot apply the second right after the first."""
        return all(
            self._succession.excludes(one, two)
            for one in self._operators[first]
            for two in self._operators[second]
        )

    def where_tended(self) -> tuple[dict[int, set[tuple[int, int]]], int]:
        """For each owner (position, facts of the owner that must be true there) of tending operators; then
        the positions of those whose owner is created in play."""
        ground = self._ground
        where: dict[int, set[tuple[int, int]]] = {}
        of_created = 0
        for (agent, position), operators in self.tending.items():
            stable = ~self._succession.unstable(agent, position)
            for operator in operators:
                owner = ground.cost_owner[operator]
                if owner is None or ground.is_created(owner):
                    of_created |= position
                else:
                    pre = operator.pre & ground.facts_of[owner] & stable
                    where.setdefault(owner, set()).add((position, pre))
        return where, of_created

    def _images(self, operator: Operator) -> list[AbstractOperator]:
        """The operator, and, if a created object takes part, the same with another one than is followed."""
        image = self._image(operator)
        created = self._pattern.created
        if not created or not any(self._ground.is_created(arg) for arg in operator.args):
            return [image]
        others = (effect.about_another(created) for effect in image.triggers)
        other = image._replace(
            pre=image.pre & ~created,
            neg=image.neg & ~created,
            neg_pairs=tuple(pair for pair in image.neg_pairs if not pair & created),
            adds=image.adds & ~created,
            deletes=image.deletes & ~created,
            triggers=tuple(effect for effect in others if effect is not None),
        )
        return [image, other]

    def _image(self, operator: Operator) -> AbstractOperator:
        ground, pattern, agent = self._ground, self._pattern, operator.agent
        load, positions = ground.load.get(agent, 0), ground.position.get(agent, 0)
        owners_carried, carried = self._carries.get(agent, 0), ground.carries.get(agent, 0)
        triggered = (self._effects.triggered(effect, args) for effect, args in operator.triggers)
        excluded = self._mutexes.excluded_by(operator.pre)
        owner = ground.cost_owner[operator]
        load_after = operator.pre & load & ~operator.deletes | operator.adds & load
        pre, position = pattern.project(operator.pre), operator.pre & positions
        is_paid, needs_free = owner in pattern.owners, bool(operator.pre & load & ~carried)
        here = pattern.at_position.get(position, 0)
        return AbstractOperator(
            agent=agent,
            pre_carries=operator.pre & owners_carried,
            needs_other_load=bool(operator.pre & carried & ~owners_carried),
            needs_free=needs_free,
            adds_carries=operator.adds & owners_carried,
            deletes_carries=operator.deletes & owners_carried,
            pre_position=position,
            adds_position=operator.adds & positions,
            deletes_position=operator.deletes & positions,
            mutex_own=excluded & owners_carried,
            mutex_others=self._of_others(excluded, agent),
            pre=pre,
            neg=pattern.project(operator.neg) & pattern.exact | pattern.project_exact(excluded),
            neg_pairs=self._excluded_pairs(excluded),
            adds=pattern.project(operator.adds),
            deletes=pattern.project(operator.deletes),
            triggers=tuple(effect for effect in triggered if effect is not None),
            is_paid=is_paid,
            has_no_owner=owner is None,
            tends=self._knows_tending and is_paid and needs_free and bool(pre & here & ~pattern.created),
            frees=agent >= 0 and (not load_after or bool(load_after & ~carried)),
        )

    def _of_others(self, excluded: int, agent: int) -> int:
        """Of excluded facts those that another agent carries an owner, or where it is."""
        ground, facts = self._ground, 0
        others = [other for other in ground.agents if other != agent]
        if len(ground.representatives) < len(ground.agents):
            others = others[:1]
        for other in others:
            facts |= ground.as_representative(other, excluded & self._kept_of[other])
        return facts

    def _find_excluded_pairs(self, excluded: int) -> tuple[int, ...]:
        alone = self._pattern.project_exact(excluded)
        pairs = (pair for conjunction, pair in self._conjunctions.items() if excluded & conjunction)
        return tuple(pair for pair in pairs if not pair & alone)


def _changes_something(image: AbstractOperator) -> bool:
    facts = image.adds or image.deletes or image.triggers
    load = image.adds_carries or image.deletes_carries
    return bool(facts or load or image.adds_position or image.deletes_position)


class KeptAgent(NamedTuple):
    """An agent in an abstract state: the fact that it carries an owner, 0 if it tends one; the fact of its
    position; by their bits the abstract operators that it cannot apply before it has gone elsewhere."""

    agent: int
    carries: int
    position: int
    excluded: int = 0


KeptAgents = tuple[KeptAgent, ...]


class AgentTracker:
    """Which agents are kept after an operator; ``carries`` and ``anywhere`` as in ``AbstractOperators``."""

    def __init__(
        self, pattern: Pattern, operators: AbstractOperators, carries: Mapping[int, int], anywhere: bool
    ) -> None:
        self._pattern = pattern
        self._anywhere = anywhere
        self._ground = pattern.ground
        self._operators = operators
        self._carries = carries
        self._can_tend = {operator: operators.can_tend_after(operator) for operator in operators.all}
        self._excluded_after = cache(self._find_excluded_after)
        self._applicable: dict[KeptAgents, list[tuple[AbstractOperator, KeptAgents, int]]] = {}

    def of(self, agent: int, facts: int) -> KeptAgents:
        """An agent with these facts: which owner it carries, or where it is with nothing carried."""
        ground = self._ground
        carried = ground.as_representative(agent, facts & ground.carries[agent])
        representative = agent if agent in self._carries else ground.representatives[0]
        carries = carried & self._carries[representative]
        if carried & ~carries:
            return ()
        position = 0 if self._anywhere else ground.as_representative(agent, facts & ground.position[agent])
        return (KeptAgent(representative, carries, position),)

    def kept(self, facts: int, agents: Iterable[KeptAgent]) -> KeptAgents:
        """These agents but for those that carry nothing where no owner is."""
        there = self._pattern.at_position
        return tuple(agent for agent in agents if agent.carries or facts & there.get(agent.position, 0))

    def applicable(self, agents: KeptAgents) -> list[tuple[AbstractOperator, KeptAgents, int]]:
        """(operator, the agents kept after it, cost) for each operator that these agents' loads allow."""
        known = self._applicable.get(agents)
        if known is None:
            known = self._applicable[agents] = []
            for number, operator in enumerate(self._operators.all):
                for agent in self._who_may(operator, agents):
                    others = tuple(other for other in agents if other is not agent)
                    barred = agent and agent.excluded >> number & 1
                    if not (barred or self._is_excluded(operator, agent, others)):
                        known += self._applied(operator, agent, others)
        return known

    def _applied(
        self, operator: AbstractOperator, agent: KeptAgent | None, others: KeptAgents
    ) -> Iterator[tuple[AbstractOperator, KeptAgents, int]]:
        applied = self._by_another(operator) if agent is None else self._by_kept(operator, agent)
        for after, cost in applied:
            if agent or after or operator.adds or operator.deletes or operator.triggers:
                yield operator, tuple(sorted({*others, *after})), cost

    @staticmethod
    def _is_excluded(operator: AbstractOperator, agent: KeptAgent | None, others: KeptAgents) -> bool:
        """Whether an operator is never applicable where its agent and the others carry what they do."""
        own = agent.carries if agent else 0
        beside = any(operator.mutex_others & (other.carries | other.position) for other in others)
        return beside or bool(operator.mutex_own & own & ~operator.pre_carries)

    def _who_may(self, operator: AbstractOperator, agents: KeptAgents) -> Sequence[KeptAgent | None]:
        """The agents that may apply an operator; ``None``: one that is not kept."""
        if len(self._ground.representatives) == len(self._ground.agents):
            return [next((agent for agent in agents if agent.agent == operator.agent), None)]
        busy = sum(bool(agent.carries) for agent in agents)
        return [*agents, None] if busy < len(self._ground.agents) else agents

    def _by_kept(self, operator: AbstractOperator, agent: KeptAgent) -> Iterator[tuple[KeptAgents, int]]:
        """What a kept agent is after an operator, and the cost, if it can apply it."""
        misses = operator.pre_carries & ~agent.carries or operator.needs_other_load
        misses = misses or (not self._anywhere and operator.pre_position & ~agent.position)
        if misses or (operator.needs_free if agent.carries else not operator.is_paid):
            return
        carries = agent.carries & ~operator.deletes_carries | operator.adds_carries
        position = agent.position & ~operator.deletes_position | operator.adds_position
        yield self._with(operator, carries, position), int(operator.is_paid or operator.has_no_owner)

    def _by_another(self, operator: AbstractOperator) -> Iterator[tuple[KeptAgents, int]]:
        """What an agent that was not kept may be after an operator, and the cost."""
        if operator.has_no_owner:
            if not self._anywhere:
                yield (KeptAgent(operator.agent, 0, operator.adds_position),), 1
        elif not (operator.pre_carries or operator.tends):
            position = operator.position_after
            positions = self._ground.position.get(operator.agent, 0)
            unknown = operator.adds_carries and position.bit_count() != 1 and not self._anywhere
            for one in bits(positions) if unknown else [position]:
                yield self._with(operator, operator.adds_carries, one), int(operator.is_paid)

    def _with(self, operator: AbstractOperator, carries: int, position: int) -> KeptAgents:
        """The agent after an operator, if it carries an owner or goes on tending one."""
        if self._anywhere:
            return (KeptAgent(operator.agent, carries, 0),) if carries else ()
        if carries:
            return (KeptAgent(operator.agent, carries, position, self._excluded_after(operator)),)
        tends = operator.frees and self._can_tend[operator]
        return (KeptAgent(operator.agent, 0, position),) if tends else ()

    def _find_excluded_after(self, operator: AbstractOperator) -> int:
        """The operators with what is carried that cannot come next."""
        return sum(
            1 << number
            for number, other in enumerate(self._operators.all)
            if not operator.has_no_owner
            and other.pre_carries
            and other.agent == operator.agent
            and other.pre_position == operator.position_after
            and self._operators.excludes(operator, other)
        )
