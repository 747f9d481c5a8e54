"""Patterns and rests taken apart, as arrays that grow with the space: which facts, about which things."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backburner.planning.factors import Ids
from backburner.planning.space import Rest, Space
from backburner.worlds.robotouille.game.layout import Atom

Numbers = NDArray[np.int64]
Link = tuple[Numbers, Numbers]
"""A relation, and the other thing that it is to; -1 where there is none."""


class PatternsOf:
    """Of a factor's patterns: ``shapes``, what each says of its thing alone, and its relations."""

    def __init__(self) -> None:
        self.shapes: Numbers = np.zeros(0, dtype=np.int64)
        self.links: list[Link] = []


class Patterns:
    """What all patterns of a space say."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._shapes: dict[frozenset[int], int] = {frozenset(): 0}
        self._relations: dict[frozenset[int], int] = {}
        self.of: list[PatternsOf] = []

    @property
    def n_shapes(self) -> int:
        """The number of different shapes so far; shape 0 says nothing."""
        return len(self._shapes)

    @property
    def n_relations(self) -> int:
        """The number of different relations so far: sets of predicates that hold of the same two."""
        return len(self._relations)

    def learn(self) -> None:
        """Takes in the patterns that are new."""
        for place, factor in enumerate(self._space.factors):
            if place == len(self.of):
                self.of.append(PatternsOf())
            if len(self.of[place].shapes) < len(factor.patterns):
                self._learn(self.of[place], factor.patterns)

    def _learn(self, known: PatternsOf, patterns: list[int]) -> None:
        layout = max(self._space.layouts, key=lambda one: len(one.objects))
        begin = len(known.shapes)
        shapes = list(known.shapes)
        relations: list[list[tuple[int, int]]] = []
        for pattern in patterns[begin:]:
            atoms = list(layout.true_atoms(pattern))
            alone = frozenset(predicate for predicate, args in atoms if len(args) < 2)
            shapes.append(self._shapes.setdefault(alone, len(self._shapes)))
            relations.append(self._relations_in(atoms))
        known.shapes = np.array(shapes, dtype=np.int64)
        width = max(len(known.links), *map(len, relations))
        known.links += [(np.zeros(0, dtype=np.int64),) * 2] * (width - len(known.links))
        for place, (numbers, others) in enumerate(known.links):
            more = [pairs[place] if place < len(pairs) else (0, -1) for pairs in relations]
            before = np.full(begin - len(others), -1, dtype=np.int64)
            known.links[place] = (
                np.concatenate([numbers, before + 1, [one for one, _ in more]]).astype(np.int64),
                np.concatenate([others, before, [one for _, one in more]]).astype(np.int64),
            )

    def _relations_in(self, atoms: list[Atom]) -> list[tuple[int, int]]:
        of: dict[int, set[int]] = {}
        for predicate, args in atoms:
            if len(args) == 2:
                of.setdefault(args[1], set()).add(predicate)
        known = self._relations
        return [(known.setdefault(frozenset(held), len(known)), other) for other, held in of.items()]

    def links_of(self, thing: int, rows: Ids) -> Iterator[Link]:
        """A thing's relations in states, as many as it has at most."""
        for relations, others in self.of[thing + 1].links:
            yield relations[rows], others[rows]


class Rests:
    """What all rests of a space say: ``skeletons``, all that names no thing; then by place the things
    that effects are about, and those that are gone."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._numbers: dict[Any, int] = {}
        self.skeletons: Numbers = np.zeros(0, dtype=np.int64)
        self.args: list[Numbers] = []
        self.gone: list[Numbers] = []

    @property
    def n_skeletons(self) -> int:
        """The number of different skeletons so far."""
        return len(self._numbers)

    def learn(self) -> None:
        """Takes in the rests that are new."""
        new = [_apart(rest) for rest in self._space.rests[len(self.skeletons) :]]
        if not new:
            return
        begin = len(self.skeletons)
        numbers = [self._numbers.setdefault(skeleton, len(self._numbers)) for skeleton, _, _ in new]
        self.skeletons = np.concatenate([self.skeletons, np.array(numbers, dtype=np.int64)])
        _extend(self.args, [args for _, args, _ in new], begin)
        _extend(self.gone, [gone for _, _, gone in new], begin)


def _apart(rest: Rest) -> tuple[Any, list[int], list[int]]:
    skeleton = (rest.made, rest.phase, tuple((one.effect, one.counts, len(one.args)) for one in rest.effects))
    args = [arg for one in rest.effects for arg in one.args]
    gone = [place for place in range(rest.gone.bit_length()) if rest.gone >> place & 1]
    return skeleton, args, gone


def _extend(columns: list[Numbers], more: list[list[int]], begin: int) -> None:
    """Rows behind the first ``begin``, with -1 where there is nothing."""
    for place in range(max(len(columns), *map(len, more))):
        if place == len(columns):
            columns.append(np.full(begin, -1, dtype=np.int64))
        values = [one[place] if place < len(one) else -1 for one in more]
        columns[place] = np.concatenate([columns[place], np.array(values, dtype=np.int64)])
