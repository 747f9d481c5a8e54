"""Distances in a graph whose edges have small whole lengths, of which some depend on tolls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FAR = 10_000
"""The distance of what cannot be reached; no way is that long."""

Distances = NDArray[np.int32]
Tolls = NDArray[np.int32]


class Edge(NamedTuple):
    """From one point to another: steps, and the anchors whose tolls are added and taken off (-1: none)."""

    begin: int
    end: int
    steps: int
    adds_toll: int
    less_toll: int


class Ways:
    """Edges by their ends, for searches backward."""

    def __init__(self, edges: Sequence[Edge], n_points: int) -> None:
        table = np.unique(np.array(edges, dtype=np.int64).reshape(-1, 5), axis=0)
        table = table[np.argsort(table[:, 1], kind="stable")]
        self._begins = table[:, 0]
        self._steps = table[:, 2].astype(np.int32)
        self._adds, self._less = table[:, 3], table[:, 4]
        self._first = np.searchsorted(table[:, 1], np.arange(n_points + 1))
        self._n_points = n_points

    def distances(self, goals: NDArray[np.bool_], tolls: Tolls) -> Distances:
        """The distance from each point to the nearest goal, ``FAR`` if there is none.

        ``tolls`` has a toll for each anchor and a 0 behind. Points are settled by distance.
        """
        lengths = self._steps + tolls[self._adds] - tolls[self._less]
        far = np.full(self._n_points, FAR, dtype=np.int32)
        far[goals] = 0
        waiting: dict[int, list[NDArray[np.int64]]] = {0: [np.nonzero(goals)[0]]}
        while waiting:
            distance = min(waiting)
            points = np.unique(np.concatenate(waiting.pop(distance)))
            points = points[far[points] == distance]
            while len(points):
                edges = self._into(points)
                ends, begins = distance + lengths[edges], self._begins[edges]
                better = ends < far[begins]
                ends, begins = ends[better], begins[better]
                for end in np.unique(ends):
                    there = begins[(ends == end) & (far[begins] > end)]
                    far[there] = end
                    if end > distance:
                        waiting.setdefault(int(end), []).append(there)
                points = np.unique(begins[(ends == distance) & (far[begins] == distance)])
        return far

    def _into(self, points: NDArray[np.int64]) -> NDArray[np.int64]:
        """The edges that end in these points."""
        first = self._first[points]
        sizes = self._first[points + 1] - first
        offsets = np.cumsum(sizes) - sizes
        return np.repeat(first - offsets, sizes) + np.arange(sizes.sum())
