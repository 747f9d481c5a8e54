"""Distances in a graph whose edges have small whole lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FAR = 10_000
"""The distance of what cannot be reached; no way is that long."""

Distances = NDArray[np.int32]


class Edge(NamedTuple):
    """From one point to another, in 0 steps or 1."""

    begin: int
    end: int
    steps: int


class Ways:
    """Edges by their ends, for searches backward."""

    def __init__(self, edges: Sequence[Edge], n_points: int) -> None:
        table = np.unique(np.array(edges, dtype=np.int64).reshape(-1, 3), axis=0)
        self._free = _Into(table[table[:, 2] == 0], n_points)
        self._paid = _Into(table[table[:, 2] == 1], n_points)
        self._n_points = n_points

    def distances(self, goals: NDArray[np.bool_]) -> Distances:
        """The distance from each point to the nearest goal, ``FAR`` if there is none."""
        far = np.full(self._n_points, FAR, dtype=np.int32)
        layer = np.nonzero(goals)[0]
        distance = 0
        while len(layer):
            here = [layer]
            while len(layer):
                far[layer] = distance
                layer = self._new(self._free.begins(layer), far)
                here.append(layer)
            layer = self._new(self._paid.begins(np.concatenate(here)), far)
            distance += 1
        return far

    @staticmethod
    def _new(points: NDArray[np.int64], far: Distances) -> NDArray[np.int64]:
        return np.unique(points[far[points] == FAR])


class _Into:
    """Edges of one length, by the points that they lead to."""

    def __init__(self, edges: NDArray[np.int64], n_points: int) -> None:
        edges = edges[np.argsort(edges[:, 1], kind="stable")]
        self._begins = edges[:, 0]
        self._first = np.searchsorted(edges[:, 1], np.arange(n_points + 1))

    def begins(self, points: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the edges into these points begin."""
        first = self._first[points]
        sizes = self._first[points + 1] - first
        offsets = np.cumsum(sizes) - sizes
        edges = np.repeat(first - offsets, sizes) + np.arange(sizes.sum())
        return np.take(self._begins, edges)
