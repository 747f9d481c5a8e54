"""Planning tasks with delayed effects and several agents, as values.

A task has typed objects and *atoms* over them. A state is the set of atoms that are true (one integer, a bit
for each atom), the objects created and deleted in play, and the effects at work. Operators are ground action
schemas: preconditions, atoms that they add and delete at once, and *triggers*: delayed effects that they
start or push on. After every step each effect takes a tick.

What an effect may bring about is written in its schema, a tree of nodes; how exactly it runs is asked of the
task's ``Semantics``. So planner and environment cannot disagree on a state's successors, while lower bounds
rest on the schemas alone: effects at any time, or never.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal as OneOf
from typing import NamedTuple, Protocol

from backburner.planning.facts import (
    ActionSchema,
    Atom,
    EffectNode,
    EffectSchema,
    FactTable,
    GroundNode,
    Object,
    Operator,
    Predicate,
)


class ActiveEffect(NamedTuple):
    """An effect at work (-1: an object not created yet), with a count for each of its nodes."""

    effect: int
    args: tuple[int, ...]
    counts: tuple[int, ...]


class State(NamedTuple):
    """``facts``: bits of the true atoms; ``created`` objects in their order; bits of the indices of
    ``deleted`` ones; effects at work, in the order in which they take their ticks."""

    facts: int
    created: tuple[Object, ...] = ()
    deleted: int = 0
    active: tuple[ActiveEffect, ...] = ()


class GoalLiteral(NamedTuple):
    """A predicate over goal variables, by their indices."""

    predicate: int
    variables: tuple[int, ...]


class GoalVariable(NamedTuple):
    """Stands for an object of a kind (or type), or for the one called ``name``."""

    kind: str
    name: str = ""


class Goal:
    """Literals over variables: reached where some assignment of objects makes all of them true.

    Variables stand for different objects; those of different kinds ``may_share`` one. Literals in
    ``negative`` are false then. Bounds do not know of them, so that these are only lower.
    """

    def __init__(
        self,
        literals: Sequence[GoalLiteral],
        variables: Sequence[GoalVariable],
        may_share: bool = False,
        negative: Sequence[GoalLiteral] = (),
    ) -> None:
        self.literals = tuple(literals)
        self.variables = tuple(variables)
        self.may_share = may_share
        self.negative = tuple(negative)

    def candidates(self, table: FactTable, variable: int) -> Iterable[int]:
        """The objects that may be assigned to a variable."""
        wanted = self.variables[variable]
        for index, thing in enumerate(table.objects):
            if thing.name == wanted.name if wanted.name else wanted.kind in (thing.kind, thing.type):
                yield index


class Phase(NamedTuple):
    """Where in a step decisions are: how many are taken, and, where it matters, which agents have acted."""

    taken: int = 0
    acted: tuple[int, ...] = ()


class Turns:
    """How agents take turns. A decision is an operator or idleness.

    ``alternating``: each decision is a step, the agents one after the other. ``joint``: in each step every
    agent decides once, in a fixed order. ``free``: in each step there are as many decisions as agents, in
    any order, at most one operator for each. With ``any_agent`` whose turn it is does not matter.
    """

    def __init__(
        self, order: OneOf["alternating", "joint", "free"], agents: tuple[int, ...], any_agent: bool = False
    ) -> None:
        self.order = order
        self.agents = agents
        self.any_agent = any_agent
        self.per_step = 1 if order == "alternating" else max(1, len(agents))
        """Decisions that make a step."""

    @property
    def are_own(self) -> bool:
        """Whether each step belongs to one agent."""
        return self.order == "alternating" and not self.any_agent

    def may_act(self, phase: Phase, agent: int) -> bool:
        """Whether an agent may act now; -1 stands for an operator without one."""
        if agent < 0 or self.any_agent:
            return True
        if self.order == "free":
            return agent not in phase.acted
        return self.agents[phase.taken] == agent

    def after(self, phase: Phase, agent: int) -> tuple[Phase, bool]:
        """The next phase, and whether a step is over with it, so that effects take a tick."""
        taken = (phase.taken + 1) % max(1, len(self.agents))
        if self.order == "alternating":
            return Phase(0 if self.any_agent else taken), True
        if not taken:
            return Phase(), True
        remembers = self.order == "free" and not self.any_agent and agent >= 0
        return Phase(taken, tuple(sorted((*phase.acted, agent))) if remembers else phase.acted), False


Step = tuple[str, ...]
"""The names of a step's operators; "" is idleness."""


def in_steps(plan: Sequence[str], per_step: int) -> Iterator[Step]:
    """A plan's decisions, step by step."""
    for begin in range(0, len(plan), per_step):
        yield tuple(plan[begin : begin + per_step])


class Semantics(Protocol):
    """What a task's environment answers; everything else is read off the schemas.

    How effects run may depend on the effects at work and on those facts alone that conditions of their nodes
    name: the planner asks once for all states that agree in these. An effect changes facts in no other ways
    than its nodes say.
    """

    def atoms(self, created: tuple[Object, ...]) -> tuple[Sequence[Object], Sequence[Atom]]:
        """All objects when these have been created, and the atoms about them in the order of their bits.

        One created without a name is a placeholder: it gets that of the next object of its kind.
        """

    def full_count(self, effect: int, node: EffectNode, kind: str) -> int:
        """The full count of a delayed or repetitive node for an owner of this kind."""

    def trigger(self, state: State, effect: int, args: tuple[int, ...]) -> State:
        """An operator triggers an effect."""

    def tick(self, state: State) -> State:
        """A step is over: all effects take a tick."""

    def blocks(self, state: State, operator: Operator) -> bool:
        """Whether an operator that does nothing but trigger effects is not applicable for what is at work."""

    def is_goal(self, state: State) -> bool:
        """Whether the goal is reached."""


class Task:
    """A planning task: schemas, agents (objects of ``agent_type``), how they take turns, start and goal.

    ``apart``: effects at work run as if alone where none writes a fact that another one reads or writes.
    """

    def __init__(
        self,
        predicates: Sequence[Predicate],
        actions: Sequence[ActionSchema],
        effects: Sequence[EffectSchema],
        goal: Goal,
        turns: Turns,
        semantics: Semantics,
        initial: State,
        agent_type: str = "agent",
        phase: Phase | None = None,
        apart: bool = True,
    ) -> None:
        self.predicates = tuple(predicates)
        self.actions = tuple(actions)
        self.effects = tuple(effects)
        self.goal = goal
        self.turns = turns
        self.semantics = semantics
        self.initial = initial
        self.agent_type = agent_type
        self.phase = phase or Phase()
        self.apart = apart
        self._tables: dict[tuple[Object, ...], FactTable] = {}

    @property
    def agents(self) -> tuple[int, ...]:
        """The indices of the agents."""
        return self.turns.agents

    @cached_property
    def nodes(self) -> tuple[EffectNode, ...]:
        """The nodes of all effect schemas."""
        return tuple(node for effect in self.effects for node in effect.root.walk())

    @cached_property
    def fluents(self) -> frozenset[int]:
        """Predicates whose atoms may change: those in literals of actions and effects, and those about a
        type of which objects are deleted, as atoms about a deleted object become false."""
        changes = (*(action.effects for action in self.actions), *(node.effects for node in self.nodes))
        assigned = frozenset(literal.predicate for literals in changes for literal in literals)
        deleted = self.deleted_types
        about_deleted = (n for n, one in enumerate(self.predicates) if deleted.intersection(one.types))
        return assigned.union(about_deleted)

    @cached_property
    def deleted_types(self) -> frozenset[str]:
        """Types of which effects delete objects."""
        return frozenset(self._deleted_types())

    def _deleted_types(self) -> Iterator[str]:
        for action in self.actions:
            for trigger in action.triggers:
                nodes = list(self.effects[trigger.effect].root.walk())
                types = {place: action.types[param] for place, param in enumerate(trigger.positions)}
                types |= {node.created: node.created_type for node in nodes if node.created >= 0}
                yield from (types[node.owner] for node in nodes if node.type == "deletion")

    @cached_property
    def portable_types(self) -> frozenset[str]:
        """Types of objects that move: first in a fluent of two objects, or created; agents left out."""
        first = (
            predicate.types[0]
            for index, predicate in enumerate(self.predicates)
            if index in self.fluents and len(predicate.types) > 1
        )
        created = (node.created_type for node in self.nodes if node.type == "creation")
        return frozenset({*first, *created} - {self.agent_type})

    def table(self, created: tuple[Object, ...] = ()) -> FactTable:
        """The atoms over the objects of the beginning and these created since."""
        known = self._tables.get(created)
        if known is None:
            objects, atoms = self.semantics.atoms(created)
            known = self._tables[created] = FactTable(self.predicates, objects, atoms)
        return known

    def operator(self, table: FactTable, schema: int, args: tuple[int, ...]) -> Operator:
        """An action over these objects."""
        known = table.operators.get((schema, args))
        if known is None:
            known = Operator(schema, self.actions[schema], args, table, self.agent_type)
            table.operators[schema, args] = known
        return known

    def named(self, table: FactTable, name: str) -> Operator | None:
        """The operator of a name such as ``drive(t=truck1,to=depot2)``, applicable or not."""
        if name not in table.by_name:
            table.by_name[name] = self._parsed(table, name)
        return table.by_name[name]

    def _parsed(self, table: FactTable, name: str) -> Operator | None:
        action, _, written = name.removesuffix(")").partition("(")
        pairs = [pair.split("=") for pair in written.split(",")] if written else []
        for schema, one in enumerate(self.actions):
            if one.name == action and tuple(pair[0] for pair in pairs) == one.parameters:
                args = tuple(table.indices.get(pair[-1], -1) for pair in pairs)
                types = tuple(table.objects[arg].type if arg >= 0 else "" for arg in args)
                fits = types == one.types and len(set(args)) == len(args)
                return self.operator(table, schema, args) if fits else None
        return None

    def ground_nodes(self, table: FactTable, effect: int, args: tuple[int, ...]) -> tuple[GroundNode, ...]:
        """The nodes of an effect over these objects (-1: not created yet), in the order of their numbers."""
        known = table.ground_nodes.get((effect, args))
        if known is None:
            nodes = self.effects[effect].root.walk()
            known = tuple(self._ground_node(table, effect, node, args) for node in nodes)
            table.ground_nodes[effect, args] = known
        return known

    def _ground_node(
        self, table: FactTable, effect: int, node: EffectNode, args: tuple[int, ...]
    ) -> GroundNode:
        owner = args[node.owner]
        kind = table.objects[owner].kind if owner >= 0 else ""
        full = self.semantics.full_count(effect, node, kind) if node.type in ("delayed", "repetitive") else 1
        return GroundNode(*table.masks(node.conditions, args), *table.masks(node.effects, args), full)

    def is_applicable(self, state: State, operator: Operator) -> bool:
        """Whether an operator can be applied now, whosever turn it is."""
        if operator.pre & ~state.facts or operator.neg & state.facts:
            return False
        if any(state.deleted >> arg & 1 for arg in operator.args):
            return False
        only_triggers = operator.triggers and not (operator.adds or operator.deletes)
        return not (only_triggers and self.semantics.blocks(state, operator))

    def apply(self, state: State, operator: Operator) -> State:
        """The state after an applicable operator, before the step's tick."""
        state = state._replace(facts=state.facts & ~operator.deletes | operator.adds)
        for effect, args in operator.triggers:
            state = self.semantics.trigger(state, effect, args)
        return state

    def step(self, state: State, operators: Iterable[Operator]) -> State:
        """The state after a step with these operators in this order."""
        for operator in operators:
            state = self.apply(state, operator)
        return self.semantics.tick(state)
