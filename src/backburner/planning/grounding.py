"""The ground task behind a state: operators, kinds of objects, invariants of agents, owners of costs.

An *exactly-one mutex group* is a set of atoms about an object of which exactly one is true in every
reachable state. Such invariants are synthesised from the action schemas: a *slot* is a predicate with one
of its arguments, such as (carries, its agent), and a set of slots is a group for a type if every action that
adds an atom of it about some object needs and deletes exactly one other. It then holds for each object of
which exactly one atom is true in the beginning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import permutations

from backburner.planning.facts import ActionSchema, Atom, FactTable, Literal, Object, Operator, bits
from backburner.planning.task import Task

Slot = tuple[int, int]
Group = frozenset[Slot]

MOST_SLOTS = 5
"""Slots of a group at most."""

MOST_SYMMETRIC_AGENTS = 5
"""Of more agents each is represented by itself: there are too many orders of them."""


def ground(task: Task, table: FactTable, deleted: int) -> Iterator[Operator]:
    """Every operator over objects that are there whose preconditions on atoms that never change hold."""
    static = task.initial.facts
    for schema, action in enumerate(task.actions):
        for args in _bindings(task, action, table, static, deleted):
            yield task.operator(table, schema, args)


def _bindings(
    task: Task, action: ActionSchema, table: FactTable, facts: int, deleted: int
) -> Iterator[tuple[int, ...]]:
    static = [literal for literal in action.preconditions if literal.predicate not in task.fluents]
    checks = [
        [literal for literal in static if max(literal.positions, default=0) == depth]
        for depth in range(max(1, len(action.types)))
    ]

    def holds(depth: int, args: list[int]) -> bool:
        return all(
            bool(facts & table.bit(literal.predicate, tuple(args[place] for place in literal.positions)))
            == literal.is_true
            for literal in checks[depth]
        )

    def bind(args: list[int]) -> Iterator[tuple[int, ...]]:
        depth = len(args)
        if depth == len(action.types):
            yield tuple(args)
            return
        for index, thing in enumerate(table.objects):
            if thing.type == action.types[depth] and index not in args and not deleted >> index & 1:
                args.append(index)
                if holds(depth, args):
                    yield from bind(args)
                args.pop()

    if action.types or holds(0, []):
        yield from bind([])


def exactly_one_groups(task: Task, type: str) -> list[Group]:
    """The smallest exactly-one groups for a type; predicates that delayed effects change are in none."""
    by_effects = {literal.predicate for node in task.nodes for literal in node.effects}
    usable = task.fluents - by_effects
    slots = {
        (index, position)
        for index, predicate in enumerate(task.predicates)
        if index in usable
        for position, of_type in enumerate(predicate.types)
        if of_type == type
    }
    groups: list[Group] = []
    tried: set[Group] = set()
    waiting = [frozenset([slot]) for slot in sorted(slots)]
    while waiting:
        group = waiting.pop(0)
        if group in tried or len(group) > MOST_SLOTS or any(known <= group for known in groups):
            continue
        tried.add(group)
        repairs = _repairs(task.actions, type, group, slots)
        if repairs is None:
            groups.append(group)
        else:
            waiting.extend(group | {slot} for slot in sorted(repairs - group))
    return groups


def _repairs(
    actions: tuple[ActionSchema, ...], type: str, group: Group, slots: set[Slot]
) -> set[Slot] | None:
    """Slots one of which a group may lack; ``None`` if it is balanced, empty if nothing can balance it."""
    for action in actions:
        needed = {
            (literal.predicate, literal.positions) for literal in action.preconditions if literal.is_true
        }
        for thing, of_type in enumerate(action.types):
            if of_type != type:
                continue
            added = [one for one in action.effects if one.is_true and _slots(one, thing) & group]
            deleted = [one for one in action.effects if not one.is_true and _slots(one, thing) & group]
            swapped = [one for one in deleted if (one.predicate, one.positions) in needed]
            if len(added) > 1 or len(swapped) > 1:
                return set()
            if added and not swapped:
                lost = (one for one in action.effects if not one.is_true)
                needed_too = (one for one in lost if (one.predicate, one.positions) in needed)
                return _slots_of(needed_too, thing) & slots
            if deleted and not added:
                return _slots_of((one for one in action.effects if one.is_true), thing) & slots
    return None


def _slots(literal: Literal, thing: int) -> set[Slot]:
    return {(literal.predicate, place) for place, param in enumerate(literal.positions) if param == thing}


def _slots_of(literals: Iterator[Literal], thing: int) -> set[Slot]:
    return {slot for literal in literals for slot in _slots(literal, thing)}


class OperatorSubset:
    """Which operators a search looks at: all, or fewer (action pruning).

    ``is_complete``: all of them, so that proofs hold for every plan. ``any_agent``: agents are treated
    alike, whichever of them an operator belongs to.
    """

    is_complete = True
    any_agent = True

    def has(self, table: FactTable, operator: Operator) -> bool:
        """Whether the search looks at an operator."""
        return True


class GroundTask:
    """Operators and objects behind the task's initial state.

    Objects are *agents*, *portables* (of the types that move) or *locations* (all others). One
    *placeholder* of each kind stands for all objects of it that effects will create.
    """

    def __init__(self, task: Task, subset: OperatorSubset | None = None) -> None:
        subset = subset or OperatorSubset()
        self.task = task
        self.facts = task.initial.facts
        creations = [node for node in task.nodes if node.type == "creation"]
        self.created_types = {node.created_type for node in creations}
        given = task.table(task.initial.created)
        self.n_objects = len(given.objects)
        """Objects that are there already; placeholders come behind them."""
        kinds = dict.fromkeys((node.created_kind, node.created_type) for node in creations)
        placeholders = tuple(Object("", type, kind) for kind, type in kinds)
        self.table = task.table((*task.initial.created, *placeholders))
        objects = self.table.objects
        self.agents = [index for index, thing in enumerate(objects) if thing.type == task.agent_type]
        self.portables = [index for index, thing in enumerate(objects) if thing.type in task.portable_types]
        self.locations = {
            index
            for index, thing in enumerate(objects)
            if thing.type not in task.portable_types and thing.type != task.agent_type
        }
        named = [task.goal.candidates(self.table, variable) for variable in range(len(task.goal.variables))]
        self.goal_names_one_created = sum(any(map(self.is_created, things)) for things in named) < 2
        self._as_representative: dict[int, int] = {}
        self.facts_of = [0] * len(objects)
        """For each object the atoms in which it comes first."""
        for place, (_, args) in enumerate(self.table.atoms):
            if args:
                self.facts_of[args[0]] |= 1 << place
        grounded = ground(task, self.table, task.initial.deleted)
        self.operators = [operator for operator in grounded if subset.has(self.table, operator)]
        self._find_agent_groups()
        self.cost_owner = {operator: self._cost_owner(operator) for operator in self.operators}
        """Cost partitioning: the portable to whose patterns an operator's whole cost of 1 goes; ``None``:
        to that of what the agent carries or turns to, if anything."""
        self.representatives = self.agents[:1] if self._agents_are_symmetric() else self.agents
        """Agents to look at: one for all if all have the same operators."""

    @property
    def initial_facts(self) -> Iterator[int]:
        """The initial facts; where one agent represents all, under every permutation of the agents."""
        symmetric = len(self.representatives) < len(self.agents)
        for order in permutations(self.agents) if symmetric else [self.agents]:
            names = dict(zip(self.agents, order, strict=True))
            atoms = self.table.true_atoms(self.facts)
            yield sum(
                {self.table.bit(one, tuple(names.get(arg, arg) for arg in args)) for one, args in atoms}
            )

    def _agents_are_symmetric(self) -> bool:
        affected = {arg for one in self.task.initial.active for arg in one.args}
        if not 1 < len(self.agents) <= MOST_SYMMETRIC_AGENTS or not affected.isdisjoint(self.agents):
            return False
        abilities: dict[int, set[tuple[int, tuple[int, ...]]]] = {agent: set() for agent in self.agents}
        for operator in self.operators:
            if len(operator.agents) > 1:
                return False
            for agent in operator.agents:
                args = tuple(-1 if arg == agent else arg for arg in operator.args)
                abilities[agent].add((operator.schema, args))
        return all(able == abilities[self.agents[0]] for able in abilities.values())

    def is_represented(self, operator: Operator) -> bool:
        """Whether every agent of an operator is a representative."""
        return all(agent in self.representatives for agent in operator.agents)

    def as_representative(self, agent: int, facts: int) -> int:
        """Facts of an agent's load and position, as those of its representative."""
        if agent in self.representatives:
            return facts
        renamed = 0
        for bit in bits(facts):
            if bit not in self._as_representative:
                predicate, args = self.table.atom(bit)
                replaced = tuple(self.representatives[0] if arg == agent else arg for arg in args)
                self._as_representative[bit] = self.table.bit(predicate, replaced)
            renamed |= self._as_representative[bit]
        return renamed

    def _find_agent_groups(self) -> None:
        """For each agent two exactly-one groups: its *load* (what it carries, or that it carries nothing)
        and its *position*. Where an agent lacks one, ``has_agent_groups`` is false, and no projection is
        built."""
        task = self.task
        load: Group = frozenset()
        position: Group = frozenset()
        for group in exactly_one_groups(task, task.agent_type):
            others = {
                type
                for predicate, own in group
                for place, type in enumerate(task.predicates[predicate].types)
                if place != own
            }
            if others & task.portable_types:
                load = group
            elif others:
                position = group
        self.load = {agent: self._facts_of_group(load, agent) for agent in self.agents}
        self.position = {agent: self._facts_of_group(position, agent) for agent in self.agents}
        self.carries = {
            agent: sum(bit for bit in bits(mask) if set(self.table.atom(bit)[1]) & set(self.portables))
            for agent, mask in self.load.items()
        }
        """For each agent the facts of its load that it carries something."""
        deletes = any(node.type == "deletion" for node in task.nodes)
        self.has_agent_groups = not deletes and all(len(one.agents) < 2 for one in self.operators)
        for agent in self.agents:
            for facts in (self.load[agent], self.position[agent]):
                self.has_agent_groups &= (self.facts & facts).bit_count() == 1

    def _facts_of_group(self, group: Group, thing: int) -> int:
        mask = 0
        for predicate, position in group:
            mask |= self.table.rows.get((predicate, position, thing), 0)
        return mask

    def _cost_owner(self, operator: Operator) -> int | None:
        portables = [arg for arg in operator.args if arg in self.portables]
        if not portables:
            return None
        for agent in operator.agents:
            for bit in bits((operator.adds | operator.deletes) & self.carries[agent]):
                return next(arg for arg in self.table.atom(bit)[1] if arg in self.portables)
            for bit in bits(operator.pre & self.carries[agent]):
                return next(arg for arg in self.table.atom(bit)[1] if arg in self.portables)
        for portable in portables:
            if (operator.adds | operator.deletes) & self.table.about[portable]:
                return portable
            for effect, args in operator.triggers:
                if args[self.task.effects[effect].root.owner] == portable:
                    return portable
        return portables[0]

    def carrying(self, agent: int, things: Collection[int]) -> int:
        """The facts that an agent carries one of these objects."""
        facts = bits(self.carries[agent])
        return sum(bit for bit in facts if not set(things).isdisjoint(self.table.atom(bit)[1]))

    def location_of(self, position: int) -> int:
        """The location in a fact of an agent's position; -1 if it is about none."""
        if position.bit_count() != 1:
            return -1
        return next((arg for arg in self.atom(position)[1] if arg in self.locations), -1)

    def atom(self, bit: int) -> Atom:
        """The atom of a bit."""
        return self.table.atom(bit)

    def is_created(self, thing: int) -> bool:
        """Whether an object is a placeholder, or of a type that is created: those are not told apart."""
        return thing >= self.n_objects or self.table.objects[thing].type in self.created_types

    def effect_changes(self, effect: int, args: tuple[int, ...]) -> list[tuple[int, int]]:
        """(adds, deletes) of an effect's nodes; an object to be created is its placeholder."""
        nodes = self.task.ground_nodes(self.table, effect, self.with_placeholders(effect, args))
        return [(node.adds, node.deletes) for node in nodes if node.adds or node.deletes]

    def with_placeholders(self, effect: int, args: tuple[int, ...]) -> tuple[int, ...]:
        """An effect's arguments, with the placeholder for each object that is or will be created in play."""
        schema = self.task.effects[effect]
        objects = self.table.objects
        filled = list(args) + [-1] * (schema.n_given + schema.n_created - len(args))
        types = {node.created: node.created_type for node in schema.root.walk() if node.created >= 0}
        for place, arg in enumerate(filled):
            if arg < 0 or arg >= len(objects):
                filled[place] = next(
                    thing
                    for thing in range(self.n_objects, len(objects))
                    if types.get(place, objects[thing].type) == objects[thing].type
                )
        return tuple(filled)
