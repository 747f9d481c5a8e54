"""Projections to patterns and their distance tables: pattern databases.

An abstract state holds the pattern's facts, the agents that carry or tend an owner, and the effects at work.
Effects may bring something about at any time, but not while the agent that triggered them tends the owner and
does nothing. Every step of the task is a transition here or changes nothing here, and costs at least what the
transition does: so abstract distances never exceed true ones. As an operator costs something in the patterns
of one owner only, distances in projections with different owners add up.

Objects of the context are kept more coarsely: not who carries them, nor how often something has been done to
them. If agents are ``anywhere``, their positions are not kept, and going somewhere is free.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.planning.abstract_operators import (
    AbstractOperator,
    AbstractOperators,
    AgentTracker,
    KeptAgents,
)
from backburner.planning.abstraction import (
    AbstractEffect,
    Active,
    EffectReader,
    Pattern,
    Relevance,
    trigger,
    with_freshness,
)
from backburner.planning.facts import bits
from backburner.planning.mutexes import Succession
from backburner.planning.task import State

MOST_ABSTRACT_STATES = 60_000

UNREACHABLE = 10_000
"""The distance of a goal that cannot be reached; no plan is that long."""

Distances = NDArray[np.int32]
"""A distance table: for each abstract state the least cost to a goal state."""


class TooLarge(Exception):
    """A projection has more abstract states than are worth looking at."""


class AbstractState(NamedTuple):
    """Abstract facts, the agents that are kept, the effects at work."""

    facts: int
    agents: KeptAgents
    active: Active


ANYTHING = AbstractState(-1, (), frozenset())
"""Where it is not known what is true: a goal state for every goal."""


class _Applied(NamedTuple):
    """An operator, applied: facts and agents after it, the effects that it triggers then, its cost, and
    whether its agent is still kept."""

    facts: int
    agents: KeptAgents
    triggers: tuple[AbstractEffect, ...]
    cost: int
    agent_is_kept: bool


class Projection:
    """The abstract state space of one pattern; abstract states are numbered as they turn up."""

    def __init__(
        self,
        succession: Succession,
        relevance: Relevance,
        owners: Sequence[int],
        context: Sequence[int] = (),
        unconditional: bool = False,
        anywhere: bool = False,
    ) -> None:
        self.ground = ground = succession.ground
        exclusion = succession.mutexes.are_pairwise_mutex
        self.pattern = Pattern(ground, relevance, exclusion, owners, context)
        self.effects = EffectReader(self.pattern, unconditional)
        carries = {agent: ground.carrying(agent, owners) for agent in ground.representatives}
        self.operators = AbstractOperators(self.pattern, succession, self.effects, carries, anywhere)
        self.agents = AgentTracker(self.pattern, self.operators, carries, anywhere)
        self._tended, self._tended_created = self.operators.where_tended()
        self._applied_in: dict[tuple[int, KeptAgents], list[_Applied]] = {}
        self.states: list[AbstractState] = []
        self._numbers: dict[AbstractState, int] = {}
        self.transitions: list[tuple[int, int, int]] = []
        """(from, to, cost), of abstract states by their numbers."""
        self._n_expanded = 0
        self._backward: _Backward | None = None
        self.number(ANYTHING)

    # The abstract state of a state

    def tended(self, thing: int, facts: int) -> int:
        """The positions in which an agent that carries nothing may do something to an object of which these
        facts are true."""
        return sum({position for position, pre in self._tended.get(thing, ()) if not pre & ~facts})

    def number_with(self, facts: int, agents: KeptAgents, tended: int, active: Active) -> int:
        """The number of the abstract state with these facts, agents and effects.

        ``tended``: where agents may tend an owner. Effects are fresh in it if any known state has them so.
        """
        tended |= self._tended_created
        here = sorted({agent for agent in agents if agent.carries or agent.position & tended})
        agents = self.agents.kept(facts, here)
        known = self._numbers.get(AbstractState(facts, agents, with_freshness(active, bool(agents))))
        return self.number(AbstractState(facts, agents, active)) if known is None else known

    def number_of(self, state: State) -> int:
        """The number of a state's abstract state."""
        table = self.ground.task.table(state.created)
        created = sum(one.type in self.ground.created_types for one in table.objects)
        if self.pattern.created and created > 1:
            return self.number(ANYTHING)
        agents = tuple(kept for agent in self.ground.agents for kept in self.agents.of(agent, state.facts))
        tended = 0
        for thing in self.pattern.owners:
            tended |= self.tended(thing, state.facts)
        active = self.effects.active(state.active)
        return self.number_with(self.pattern.read(table, state.facts), agents, tended, active)

    # The abstract state space

    def number(self, state: AbstractState) -> int:
        """The number of an abstract state."""
        known = self._numbers.get(state)
        if known is None:
            known = self._numbers[state] = len(self.states)
            self.states.append(state)
            self._backward = None
        return known

    def complete(self, most: int = MOST_ABSTRACT_STATES) -> None:
        """Adds all that can be reached from the abstract states that are known. Raises ``TooLarge``."""
        while self._n_expanded < len(self.states):
            if len(self.states) > most:
                raise TooLarge
            number, state = self._n_expanded, self.states[self._n_expanded]
            if state is not ANYTHING:
                self._expand(number, state)
            self._n_expanded += 1

    def _expand(self, number: int, state: AbstractState) -> None:
        later = with_freshness(state.active, False)
        for one in self._all_applied(state.facts, state.agents):
            facts, active = trigger(one.facts, later, one.triggers, one.agent_is_kept)
            self._transition(number, AbstractState(facts, one.agents, active), one.cost)
        for agent in state.agents:
            if not agent.carries:
                others = tuple(other for other in state.agents if other is not agent)
                self._transition(number, AbstractState(state.facts, others, later))
        self._transition(number, state._replace(active=later), 1)
        for effect in state.active:
            if not effect.full:
                self._happen(number, state, effect)
        if state.facts & self.pattern.created:
            self._follow_another(number, state, later)

    def _all_applied(self, facts: int, agents: KeptAgents) -> list[_Applied]:
        """All operators, applied, whatever effects are at work; kept, as many states differ by those."""
        known = self._applied_in.get((facts, agents))
        if known is None:
            applicable = self.agents.applicable(agents)
            applied = [one for each in applicable for one in self._apply(facts, *each)]
            self._applied_in[facts, agents] = known = list(dict.fromkeys(applied))
        return known

    def _apply(
        self, facts: int, operator: AbstractOperator, after: KeptAgents, cost: int
    ) -> Iterator[_Applied]:
        if operator.pre & ~facts or operator.neg & facts:
            return
        for pair in operator.neg_pairs:
            if pair & facts == pair:
                return
        ends = [facts & ~operator.deletes | operator.adds]
        for ambiguous in bits(operator.deletes & self.pattern.ambiguous & facts):
            ends += [end | ambiguous for end in ends]
        for end in ends:
            agents = self.agents.kept(end, after)
            is_kept = any(agent.agent == operator.agent for agent in agents)
            yield _Applied(end, agents, operator.triggers, cost, is_kept)

    def _happen(self, number: int, state: AbstractState, effect: AbstractEffect) -> None:
        """An effect brings something about, and may be over then."""
        over = state.active - {effect}
        if not effect.is_fresh:
            self._transition(number, state._replace(active=over))
        for outcome in effect.possible(state.facts, self.pattern.created):
            after = state._replace(facts=state.facts & ~outcome.deletes | outcome.adds)
            self._transition(number, after)
            self._transition(number, after._replace(active=over))

    def _follow_another(self, number: int, state: AbstractState, active: Active) -> None:
        """The created object that has been followed is not the one that the goal will name."""
        created = self.pattern.created
        things = [thing for thing in self.pattern.objects if self.ground.is_created(thing)]
        facts = state.facts & ~created
        others = (
            agent for agent in state.agents if not agent.carries & self.ground.carrying(agent.agent, things)
        )
        about_another = (effect.about_another(created) for effect in active)
        kept = frozenset(effect for effect in about_another if effect is not None)
        self._transition(number, AbstractState(facts, self.agents.kept(facts, others), kept))

    def _transition(self, number: int, state: AbstractState, cost: int = 0) -> None:
        after = self.number(state)
        if after != number:
            self.transitions.append((number, after, cost))

    # Distances

    def distances(self, goals: NDArray[np.bool_]) -> Distances:
        """The distance from each abstract state to the nearest of these goal states."""
        if self._backward is None:
            self.complete()
            self._backward = _Backward(self.transitions, len(self.states))
        return self._backward.distances(goals)

    def where(self, true: int, false: int) -> NDArray[np.bool_]:
        """The abstract states in which all these abstract facts are true, and none of those."""
        both = true | false
        return np.array([one is ANYTHING or one.facts & both == true for one in self.states], dtype=np.bool_)


class _Backward:
    """Transitions by where they lead, for breadth-first searches from goal states backward."""

    def __init__(self, transitions: Sequence[tuple[int, int, int]], n_states: int) -> None:
        table = np.unique(np.array(transitions, dtype=np.int64).reshape(-1, 3), axis=0)
        self._free = _Into(table[table[:, 2] == 0], n_states)
        self._paid = _Into(table[table[:, 2] == 1], n_states)
        self._n_states = n_states

    def distances(self, goals: NDArray[np.bool_]) -> Distances:
        """For each state the least cost to one of the goals, ``UNREACHABLE`` if there is none."""
        far = np.full(self._n_states, UNREACHABLE, dtype=np.int32)
        layer = np.nonzero(goals)[0]
        distance = 0
        while len(layer):
            here = [layer]
            while len(layer):
                far[layer] = distance
                layer = self._new(self._free.origins(layer), far)
                here.append(layer)
            layer = self._new(self._paid.origins(np.concatenate(here)), far)
            distance += 1
        return far

    @staticmethod
    def _new(states: NDArray[np.int64], far: Distances) -> NDArray[np.int64]:
        return np.unique(states[far[states] == UNREACHABLE])


class _Into:
    """Transitions of one cost, sorted by the states that they lead to."""

    def __init__(self, transitions: NDArray[np.int64], n_states: int) -> None:
        transitions = transitions[np.argsort(transitions[:, 1], kind="stable")]
        self._origins = transitions[:, 0]
        self._first = np.searchsorted(transitions[:, 1], np.arange(n_states + 1))

    def origins(self, states: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the transitions into these states come from."""
        first = self._first[states]
        sizes = self._first[states + 1] - first
        offsets = np.cumsum(sizes) - sizes
        rows = np.repeat(first - offsets, sizes) + np.arange(sizes.sum())
        return np.take(self._origins, rows)
