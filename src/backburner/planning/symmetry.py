"""States that differ only in which of several equal things is which, under one code.

Things of one kind are equal when no unchanging fact tells them apart: what can be done with one can be
done with the other, and goals ask for kinds. So states that become each other when equal things change
places need equally many steps to a goal. Each state is numbered anew before it is coded: within a kind
its things are sorted by what holds of them and of the things around them. States with the same code are
the same but for equal things; some that are not found out to be so are looked at twice, which costs time
and proves nothing wrong.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backburner.planning.reading import Patterns, Rests
from backburner.planning.space import Space, States
from backburner.worlds.robotouille.game.schema import PLAYER

Codes = NDArray[np.uint64]
Slots = NDArray[np.int64]
Members = NDArray[np.int64]

MORE_THINGS = 16
"""Things made in play for which there is room before every code is made anew."""

AT_ONCE = 8_000
"""States that are coded together: what a processor keeps at hand."""

ODD = np.uint64(0x9E3779B97F4A7C15)
ZERO = np.uint64(0)
PLACES = np.arange(1, 1 << 12, dtype=np.uint64) * ODD
"""A number for each place among what a rest names."""


class Symmetry:
    """Codes of 128 bits for the states of a space; ``kept`` things do not change places."""

    def __init__(self, space: Space, kept: Collection[int] = ()) -> None:
        self._space = space
        self._patterns = Patterns(space)
        self._rests = Rests(space)
        self._sorted = sorted_kinds(space, kept)
        self._same_colour = np.arange(0)
        self._codes = RandomCodes()
        self._room = 0
        self._each = np.arange(AT_ONCE)

    def make_room(self, width: int) -> bool:
        """Room for states of so many factors; whether codes are others now."""
        if width <= self._room:
            return False
        self._room = width + MORE_THINGS
        self._same_colour = np.arange(self._room)
        for members in (members for kinds in self._sorted for members in kinds):
            self._same_colour[members] = members[0]
        self._codes = RandomCodes()
        return True

    def codes(self, states: States) -> Codes:
        """The code of each state, two numbers: of no more factors than there is room for."""
        self._patterns.learn()
        self._rests.learn()
        number = len(states.rests)
        parts = [slice(begin, begin + AT_ONCE) for begin in range(0, number, AT_ONCE)]
        found = [self._codes_at_once(States(states.rows[:, one], states.rests[one])) for one in parts]
        return np.concatenate(found) if found else np.zeros((0, 2), dtype=np.uint64)

    def _codes_at_once(self, states: States) -> Codes:
        slots = self._slots(states)
        found = self._of_rests(states, slots)
        found ^= self._codes.of("nothing", len(self._space.factors[0].patterns))[states.rows[0]]
        for thing in range(len(slots)):
            self._add_facts(found, states, slots, thing)
        return found

    # Slots

    def _slots(self, states: States) -> Slots:
        """Each thing's number after sorting."""
        things = np.arange(len(states.rows) - 1, dtype=np.int64)
        slots = np.repeat(things[:, None], len(states.rests), axis=1)
        if any(self._sorted):
            colours = self._first_colours(states)
            for kinds in self._sorted:
                if kinds:
                    self._look_around(states, colours, inward=kinds is self._sorted[0])
                for members in kinds:
                    _sort(slots, colours, members)
                    colours[members] = self._codes.of("slot", self._room)[slots[members], 0]
        return slots

    def _first_colours(self, states: States) -> Codes:
        """What holds of each thing alone, and which effects are about it."""
        colours = np.empty((len(states.rows) - 1, len(states.rests)), dtype=np.uint64)
        own = self._codes.of("thing", self._room)[self._same_colour, 0]
        shapes = self._codes.of("shape", self._patterns.n_shapes)[:, 0]
        for thing in range(len(colours)):
            patterns = self._patterns.of[thing + 1]
            colours[thing] = (shapes[patterns.shapes] + own[thing])[states.rows[thing + 1]]
        skeletons = self._codes.of("skeleton", self._rests.n_skeletons)[:, 0]
        skeletons = skeletons[self._rests.skeletons[states.rests]]
        flat, number = colours.reshape(-1), len(states.rests)
        for place, args in enumerate(self._rests.args):
            here = args[states.rests]
            there = np.nonzero(here >= 0)[0]
            flat[here[there] * number + there] += mixed(skeletons[there] + PLACES[place])
        for gone in self._rests.gone:
            here = gone[states.rests]
            there = np.nonzero(here >= 0)[0]
            flat[here[there] * number + there] += ODD
        return colours

    def _look_around(self, states: States, colours: Codes, inward: bool) -> None:
        """Colours tell besides what is related to a thing (``inward``), or what it is related to."""
        seen = colours.copy()
        number = len(states.rests)
        flat, flat_seen = seen.reshape(-1), colours.reshape(-1)
        codes = self._codes.of("relation", self._patterns.n_relations)[:, 0].copy()
        for thing in range(len(colours)):
            for relations, others in self._patterns.links_of(thing, states.rows[thing + 1]):
                there = np.nonzero(others >= 0)[0]
                place = others[there] * number + there
                code = codes[relations[there]]
                if inward:
                    flat_seen[place] += mixed(seen[thing, there] ^ code)
                else:
                    colours[thing, there] += mixed(flat[place] ^ code)

    # Codes

    def _of_rests(self, states: States, slots: Slots) -> Codes:
        rests, number = self._rests, len(states.rests)
        found = self._codes.of("skeleton code", rests.n_skeletons)[rests.skeletons[states.rests]]
        flat = slots.reshape(-1)
        arguments = self._codes.of("argument", len(rests.args) * self._room)
        gone = self._codes.of("gone", self._room)
        for place, about in enumerate((*rests.args, *rests.gone)):
            here = about[states.rests]
            there = np.nonzero(here >= 0)[0]
            slot = flat[here[there] * number + there]
            is_gone = place >= len(rests.args)
            found[there] ^= gone[slot] if is_gone else arguments[place * self._room + slot]
        return found

    def _add_facts(self, found: Codes, states: States, slots: Slots, thing: int) -> None:
        """Exclusive or with a random code for what holds of a thing alone, and for each of its relations."""
        patterns, room = self._patterns, self._room
        rows, mine, number = states.rows[thing + 1], slots[thing], len(states.rests)
        shapes = self._codes.of("shape code", patterns.n_shapes * room)
        shapes[:room] = 0
        found ^= shapes[patterns.of[thing + 1].shapes[rows] * room + mine]
        pairs = self._codes.of("pair", patterns.n_relations * room * room)
        for relations, others in patterns.links_of(thing, rows):
            there = np.nonzero(others >= 0)[0]
            if 2 * len(there) < number:
                other = slots.reshape(-1)[others[there] * number + there]
                found[there] ^= pairs[(relations[there] * room + mine[there]) * room + other]
            else:
                other = slots.reshape(-1)[np.maximum(others, 0) * number + self._each[:number]]
                codes = pairs[(relations * room + mine) * room + other]
                found ^= np.where((others >= 0)[:, None], codes, ZERO)


class RandomCodes:
    """Tables of random numbers by name, two in a row; a table that grows keeps what it holds."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(1)
        self._tables: dict[str, Codes] = {}

    def of(self, name: str, size: int) -> Codes:
        """At least ``size`` rows."""
        known = self._tables.get(name)
        if known is None or len(known) < size:
            longer = self._random.integers(0, 1 << 64, (2 * size + 16, 2), dtype=np.uint64)
            if known is not None:
                longer[: len(known)] = known
            self._tables[name] = known = longer
        return known


def sorted_kinds(space: Space, kept: Collection[int] = ()) -> tuple[list[Members], list[Members]]:
    """Equal things by their indices: those that others are in relations to, then those others.

    Those ``kept`` are left out. Things made in play are never taken for each other, nor are robots but
    where any of them may act at any time; of things only robots if not all deeds are looked at. Nothing is
    if a fact that changes is about three things or more.
    """
    layout = space.engine.layout_of(space.start.made)
    changing = [layout.predicates[predicate] for predicate in space.changing]
    if any(len(predicate.types) > 2 for predicate in changing):
        return [], []
    unary: dict[int, set[int]] = {}
    given = len(layout.objects) - len(space.start.made)
    apart = {*kept, *range(given, len(layout.objects))}
    for predicate, args in layout.true_atoms(space.fixed):
        if len(args) == 1:
            unary.setdefault(args[0], set()).add(predicate)
        else:
            apart.update(args)
    alike: dict[Any, list[int]] = {}
    in_any_order = space.phases.play == "turns" and space.phases.any_robot and space.repertoire.any_robot
    for index, thing in enumerate(layout.objects):
        if (in_any_order if thing.type == PLAYER else space.repertoire.complete) and index not in apart:
            alike.setdefault((thing.type, thing.kind, frozenset(unary.get(index, ()))), []).append(index)
    relating = {predicate.types[0] for predicate in changing if len(predicate.types) == 2}
    found: tuple[list[Members], list[Members]] = ([], [])
    for (type, *_), members in alike.items():
        if len(members) > 1:
            found[type in relating].append(np.array(members, dtype=np.int64))
    return found


def mixed(codes: Codes) -> Codes:
    """Other numbers for these, with no sum left in them."""
    codes = codes * ODD
    codes ^= codes >> np.uint64(29)
    return codes


def _sort(slots: Slots, colours: Codes, members: Members) -> None:
    """Gives equal things their slots in the order of their colours."""
    order = np.argsort(colours[members], axis=0, kind="stable")
    sorted_slots = np.empty_like(order)
    np.put_along_axis(sorted_slots, order, members[:, None], axis=0)
    slots[members] = sorted_slots
