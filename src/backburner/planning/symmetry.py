"""Canonical states under object symmetry (orbit search), as Zobrist hashes.

Objects of one kind are symmetric where no fact that never changes tells them apart: what can be done with one
can be done with the other, and goals ask for kinds. States that a permutation of symmetric objects maps onto
each other need equally many steps to a goal, and one of them represents their orbit. Before a state is hashed
its objects are numbered anew: within a kind they are sorted by colours, that is, by what is true of them and
of the objects around them (colour refinement). States with one hash differ by a permutation only; orbits that
refinement does not recognise are searched more than once, which costs time and proves nothing wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backburner.planning.facts import Atom
from backburner.planning.variables import Residual, States, StateSpace, ValueIds

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Relation = tuple[Numbers, Numbers]
"""Relations by number, and the other object of each; -1 where there is none."""

MORE_OBJECTS = 16
"""Created objects for which there is room before every hash is made anew."""

AT_ONCE = 8_000
"""States that are hashed together: what a processor keeps at hand."""

ODD = np.uint64(0x9E3779B97F4A7C15)
ZERO = np.uint64(0)
PLACES = np.arange(1, 1 << 12, dtype=np.uint64) * ODD
"""A number for each argument of the effects in a residual."""


class Symmetry:
    """Hashes of 128 bits for the states of a space; objects that are ``fixed`` are not permuted."""

    def __init__(self, space: StateSpace, fixed: Collection[int] = ()) -> None:
        self._space = space
        self._values = _ValueTables(space)
        self._residuals = _ResidualTables(space)
        self._classes = symmetric_objects(space, fixed)
        self._same_colour = np.arange(0)
        self._codes = _RandomCodes()
        self._room = 0
        self._each = np.arange(AT_ONCE)

    def make_room(self, width: int) -> bool:
        """Makes room for states of so many variables; whether hashes are others now."""
        if width <= self._room:
            return False
        self._room = width + MORE_OBJECTS
        self._same_colour = np.arange(self._room)
        for members in (members for classes in self._classes for members in classes):
            self._same_colour[members] = members[0]
        self._codes = _RandomCodes()
        return True

    def hashes(self, states: States) -> Hashes:
        """The hash of each state, two numbers; of no more variables than there is room for."""
        self._values.grow()
        self._residuals.grow()
        number = len(states.residuals)
        parts = [slice(begin, begin + AT_ONCE) for begin in range(0, number, AT_ONCE)]
        hashes = [self._hash(States(states.rows[:, part], states.residuals[part])) for part in parts]
        return np.concatenate(hashes) if hashes else np.zeros((0, 2), dtype=np.uint64)

    def permutation(self, one: States, other: States) -> list[int]:
        """For two states with the same hash and as many variables: what each object of the first one is in
        the second."""
        self._values.grow()
        self._residuals.grow()
        canonical, of_other = self._canonical_numbers(one)[:, 0], self._canonical_numbers(other)[:, 0]
        return [int(thing) for thing in np.argsort(of_other)[canonical]]

    def _hash(self, states: States) -> Hashes:
        canonical = self._canonical_numbers(states)
        hashes = self._hash_residuals(states, canonical)
        of_nothing = self._codes.of("nothing", len(self._space.variables[0].values))
        hashes ^= of_nothing[states.rows[0]]
        for thing in range(len(canonical)):
            self._add_facts(hashes, states, canonical, thing)
        return hashes

    def _canonical_numbers(self, states: States) -> Numbers:
        """The number of each object in the state that represents the orbit: [object, state]."""
        things = np.arange(len(states.rows) - 1, dtype=np.int64)
        canonical = np.repeat(things[:, None], len(states.residuals), axis=1)
        if any(self._classes):
            colours = self._first_colours(states)
            for classes in self._classes:
                if classes:
                    self._refine(states, colours, inward=classes is self._classes[0])
                for members in classes:
                    _sort(canonical, colours, members)
                    colours[members] = self._codes.of("slot", self._room)[canonical[members], 0]
        return canonical

    def _first_colours(self, states: States) -> Hashes:
        """What is true of each object alone, and which effects are about it."""
        colours = np.empty((len(states.rows) - 1, len(states.residuals)), dtype=np.uint64)
        own = self._codes.of("thing", self._room)[self._same_colour, 0]
        unary = self._codes.of("shape", self._values.n_unary)[:, 0]
        for thing in range(len(colours)):
            of_values = self._values.unary[thing + 1]
            colours[thing] = (unary[of_values] + own[thing])[states.rows[thing + 1]]
        skeletons = self._codes.of("skeleton", self._residuals.n_skeletons)[:, 0]
        skeletons = skeletons[self._residuals.skeletons[states.residuals]]
        flat, number = colours.reshape(-1), len(states.residuals)
        for place, args in enumerate(self._residuals.args):
            here = args[states.residuals]
            there = np.nonzero(here >= 0)[0]
            flat[here[there] * number + there] += _mixed(skeletons[there] + PLACES[place])
        for deleted in self._residuals.deleted:
            here = deleted[states.residuals]
            there = np.nonzero(here >= 0)[0]
            flat[here[there] * number + there] += ODD
        return colours

    def _refine(self, states: States, colours: Hashes, inward: bool) -> None:
        """Adds to colours those of what is related to an object (``inward``), or of what it is related to."""
        before = colours.copy()
        number = len(states.residuals)
        flat_before, flat = before.reshape(-1), colours.reshape(-1)
        codes = self._codes.of("relation", self._values.n_relations)[:, 0].copy()
        for thing in range(len(colours)):
            for relations, others in self._values.relations_of(thing, states.rows[thing + 1]):
                there = np.nonzero(others >= 0)[0]
                place = others[there] * number + there
                code = codes[relations[there]]
                if inward:
                    flat[place] += _mixed(before[thing, there] ^ code)
                else:
                    colours[thing, there] += _mixed(flat_before[place] ^ code)

    def _hash_residuals(self, states: States, canonical: Numbers) -> Hashes:
        residuals, number = self._residuals, len(states.residuals)
        skeletons = self._codes.of("skeleton code", residuals.n_skeletons)
        hashes = skeletons[residuals.skeletons[states.residuals]]
        flat = canonical.reshape(-1)
        arguments = self._codes.of("argument", len(residuals.args) * self._room)
        deleted = self._codes.of("gone", self._room)
        for place, about in enumerate((*residuals.args, *residuals.deleted)):
            here = about[states.residuals]
            there = np.nonzero(here >= 0)[0]
            slot = flat[here[there] * number + there]
            is_deleted = place >= len(residuals.args)
            hashes[there] ^= deleted[slot] if is_deleted else arguments[place * self._room + slot]
        return hashes

    def _add_facts(self, hashes: Hashes, states: States, canonical: Numbers, thing: int) -> None:
        """Exclusive or with a code for what is true of an object alone, and one for each of its relations."""
        values, room = self._values, self._room
        rows, mine, number = states.rows[thing + 1], canonical[thing], len(states.residuals)
        unary = self._codes.of("shape code", values.n_unary * room)
        unary[:room] = 0
        hashes ^= unary[values.unary[thing + 1][rows] * room + mine]
        pairs = self._codes.of("pair", values.n_relations * room * room)
        for relations, others in values.relations_of(thing, rows):
            there = np.nonzero(others >= 0)[0]
            if 2 * len(there) < number:
                other = canonical.reshape(-1)[others[there] * number + there]
                hashes[there] ^= pairs[(relations[there] * room + mine[there]) * room + other]
            else:
                other = canonical.reshape(-1)[np.maximum(others, 0) * number + self._each[:number]]
                codes = pairs[(relations * room + mine) * room + other]
                hashes ^= np.where((others >= 0)[:, None], codes, ZERO)


class _ValueTables:
    """Values of variables taken apart, as tables that grow with the space.

    ``unary[variable][value]``: the number of the set of predicates that are true of the object alone; 0 for
    none. ``relations_of``: to which others it is related, and how.
    """

    def __init__(self, space: StateSpace) -> None:
        self._space = space
        self._unary_ids: dict[frozenset[int], int] = {frozenset(): 0}
        self._relation_ids: dict[frozenset[int], int] = {}
        self.unary: list[Numbers] = []
        self._relations: list[list[Relation]] = []

    @property
    def n_unary(self) -> int:
        """The number of different sets of predicates about an object alone so far."""
        return len(self._unary_ids)

    @property
    def n_relations(self) -> int:
        """The number of different relations so far: sets of predicates that are true of the same two."""
        return len(self._relation_ids)

    def grow(self) -> None:
        """Takes in the values that are new."""
        for number, variable in enumerate(self._space.variables):
            if number == len(self.unary):
                self.unary.append(np.zeros(0, dtype=np.int64))
                self._relations.append([])
            if len(self.unary[number]) < len(variable.values):
                self._take_in(number, variable.values[len(self.unary[number]) :])

    def _take_in(self, number: int, values: list[int]) -> None:
        table, columns = self._space.largest_table, self._relations[number]
        begin = len(self.unary[number])
        unary: list[int] = []
        relations: list[list[tuple[int, int]]] = []
        for value in values:
            atoms = list(table.true_atoms(value))
            alone = frozenset(predicate for predicate, args in atoms if len(args) < 2)
            unary.append(self._unary_ids.setdefault(alone, len(self._unary_ids)))
            relations.append(self._relations_in(atoms))
        self.unary[number] = np.concatenate([self.unary[number], np.array(unary, dtype=np.int64)])
        width = max(len(columns), *map(len, relations))
        columns += [(np.zeros(0, dtype=np.int64),) * 2] * (width - len(columns))
        for place, (ids, others) in enumerate(columns):
            more = [pairs[place] if place < len(pairs) else (0, -1) for pairs in relations]
            before = np.full(begin - len(others), -1, dtype=np.int64)
            columns[place] = (
                np.concatenate([ids, before + 1, [one for one, _ in more]]).astype(np.int64),
                np.concatenate([others, before, [one for _, one in more]]).astype(np.int64),
            )

    def _relations_in(self, atoms: list[Atom]) -> list[tuple[int, int]]:
        of: dict[int, set[int]] = {}
        for predicate, args in atoms:
            if len(args) == 2:
                of.setdefault(args[1], set()).add(predicate)
        known = self._relation_ids
        return [(known.setdefault(frozenset(held), len(known)), other) for other, held in of.items()]

    def relations_of(self, thing: int, values: ValueIds) -> Iterator[Relation]:
        """An object's relations in states with these values, as many as it has at most."""
        for relations, others in self._relations[thing + 1]:
            yield relations[values], others[values]


class _ResidualTables:
    """Residuals taken apart: ``skeletons``, all that names no object; then, each a table by residual, the
    arguments of effects, and the objects that are deleted (-1: none)."""

    def __init__(self, space: StateSpace) -> None:
        self._space = space
        self._skeleton_ids: dict[Any, int] = {}
        self.skeletons: Numbers = np.zeros(0, dtype=np.int64)
        self.args: list[Numbers] = []
        self.deleted: list[Numbers] = []

    @property
    def n_skeletons(self) -> int:
        """The number of different skeletons so far."""
        return len(self._skeleton_ids)

    def grow(self) -> None:
        """Takes in the residuals that are new."""
        new = [_taken_apart(residual) for residual in self._space.residuals[len(self.skeletons) :]]
        if not new:
            return
        begin, known = len(self.skeletons), self._skeleton_ids
        numbers = [known.setdefault(skeleton, len(known)) for skeleton, _, _ in new]
        self.skeletons = np.concatenate([self.skeletons, np.array(numbers, dtype=np.int64)])
        _extend(self.args, [args for _, args, _ in new], begin)
        _extend(self.deleted, [deleted for _, _, deleted in new], begin)


def _taken_apart(residual: Residual) -> tuple[Any, list[int], list[int]]:
    effects = tuple((one.effect, one.counts, len(one.args)) for one in residual.active)
    args = [arg for one in residual.active for arg in one.args]
    deleted = [place for place in range(residual.deleted.bit_length()) if residual.deleted >> place & 1]
    return (residual.created, residual.phase, effects), args, deleted


def _extend(columns: list[Numbers], more: list[list[int]], begin: int) -> None:
    """Rows behind the first ``begin``, with -1 where there is nothing."""
    for place in range(max(len(columns), *map(len, more))):
        if place == len(columns):
            columns.append(np.full(begin, -1, dtype=np.int64))
        values = [one[place] if place < len(one) else -1 for one in more]
        columns[place] = np.concatenate([columns[place], np.array(values, dtype=np.int64)])


class _RandomCodes:
    """Tables of random numbers by name, two in a row; a table that grows keeps what it holds."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(1)
        self._tables: dict[str, Hashes] = {}

    def of(self, name: str, size: int) -> Hashes:
        """At least ``size`` rows."""
        known = self._tables.get(name)
        if known is None or len(known) < size:
            longer = self._random.integers(0, 1 << 64, (2 * size + 16, 2), dtype=np.uint64)
            if known is not None:
                longer[: len(known)] = known
            self._tables[name] = known = longer
        return known


def symmetric_objects(space: StateSpace, fixed: Collection[int] = ()) -> tuple[list[Numbers], list[Numbers]]:
    """Classes of symmetric objects: of types that others are related to, then of types that come first in
    relations.

    Left out are those that are ``fixed``, named by the goal, in a fact that never changes about two objects,
    or created in play. Agents are symmetric only where any of them may act at any time and the subset treats
    them alike; other objects only where all operators are looked at. There are no classes if a fluent has
    three arguments or more.
    """
    task, turns = space.task, space.task.turns
    table = task.table(task.initial.created)
    fluents = [task.predicates[predicate] for predicate in task.fluents]
    if any(len(predicate.types) > 2 for predicate in fluents):
        return [], []
    given = len(table.objects) - len(task.initial.created)
    names = {variable.name for variable in task.goal.variables}
    named = (index for index, thing in enumerate(table.objects) if thing.name in names)
    apart = {*fixed, *named, *range(given, len(table.objects))}
    unary: dict[int, set[int]] = {}
    for predicate, args in table.true_atoms(space.fixed):
        if len(args) == 1:
            unary.setdefault(args[0], set()).add(predicate)
        else:
            apart.update(args)
    agents = turns.order == "alternating" and turns.any_agent and space.subset.any_agent
    alike: dict[Any, list[int]] = {}
    for index, thing in enumerate(table.objects):
        may_be = agents if thing.type == task.agent_type else space.subset.is_complete
        if may_be and index not in apart:
            key = (thing.type, thing.kind, frozenset(unary.get(index, ())))
            alike.setdefault(key, []).append(index)
    relating = {predicate.types[0] for predicate in fluents if len(predicate.types) == 2}
    classes: tuple[list[Numbers], list[Numbers]] = ([], [])
    for (type, *_), members in alike.items():
        if len(members) > 1:
            classes[type in relating].append(np.array(members, dtype=np.int64))
    return classes


def _mixed(codes: Hashes) -> Hashes:
    """Other numbers for these, with no sum left in them."""
    codes = codes * ODD
    codes ^= codes >> np.uint64(29)
    return codes


def _sort(canonical: Numbers, colours: Hashes, members: Numbers) -> None:
    """Numbers symmetric objects in the order of their colours."""
    order = np.argsort(colours[members], axis=0, kind="stable")
    sorted_numbers = np.empty_like(order)
    np.put_along_axis(sorted_numbers, order, members[:, None], axis=0)
    canonical[members] = sorted_numbers
