"""What precedence says of a scheduling problem, and where the nodes and edges of its picture go.

Positions follow the usual layered method (Sugiyama, Tagawa and Toda, 1981): a column for each layer; an edge
over several columns passes each of them through a gap of its own, so it crosses no node; the order within
the columns comes from barycentres; heights are then moved towards those of the neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

from backburner.kernel.errors import Refused, nearest
from backburner.kernel.schedule import Problem

# --- precedence: layers, and the tasks that do not touch each other -----------------------------------


Before = Mapping[str, Sequence[str]]
"""Of each activity, those that must have ended before it starts, each once."""


def before(problem: Problem) -> Before:
    """The problem's precedence.

    Raises ``Refused`` if two activities have one name, or one waits for an activity that is not there.
    """
    names = [activity.name for activity in problem.activities]
    for name in names:
        if names.count(name) > 1:
            raise Refused(f"the scheduling problem has two activities called {name!r}")
    for activity in problem.activities:
        for needed in activity.predecessors:
            if needed not in names:
                hint = f"; did you mean {' or '.join(near)}?" if (near := nearest(needed, names)) else ""
                raise Refused(f"{activity.name!r} waits for {needed!r}, which is not in the problem{hint}")
    return {activity.name: tuple(dict.fromkeys(activity.predecessors)) for activity in problem.activities}


def layers(of: Before) -> dict[str, int]:
    """The length of the longest chain of activities before each one.

    Raises ``Refused`` naming the activities of a cycle, if there is one.
    """
    layer: dict[str, int] = {}
    waiting = dict(of)
    while waiting:
        ready = [name for name, needed in waiting.items() if all(other in layer for other in needed)]
        if not ready:
            raise Refused(f"activities wait for each other: {' → '.join(_cycle(waiting))}")
        layer |= {name: max((layer[other] + 1 for other in waiting[name]), default=0) for name in ready}
        for name in ready:
            del waiting[name]
    return layer


def _cycle(waiting: Before) -> list[str]:
    """Names in the order in which they would have to happen; the first one is also the last."""
    name = next(iter(waiting))
    walked: list[str] = []
    while name not in walked:
        walked.append(name)
        name = next(other for other in waiting[name] if other in waiting)
    return [name, *reversed(walked[walked.index(name) :])]


def components(of: Before) -> list[list[str]]:
    """The activities that hang together, each group and the groups in the problem's order."""
    group = {name: [name] for name in of}
    for name, needed in of.items():
        for other in needed:
            if group[name] is not group[other]:
                group[name].extend(group[other])
                for moved in group[other]:
                    group[moved] = group[name]
    order = {name: index for index, name in enumerate(of)}
    distinct = {id(members): members for members in group.values()}
    return [sorted(members, key=order.__getitem__) for members in distinct.values()]


# --- places -------------------------------------------------------------------------------------------


SWEEPS, SHUFFLES = 12, 12


class Gap(NamedTuple):
    """The place in a column where the edges of ``source`` pass; they share it, as they start together."""

    source: str
    layer: int


Vertex = str | Gap
Column = list[Vertex]
Links = Mapping[Vertex, Sequence[Vertex]]


class Spacing(NamedTuple):
    """Pixels from the middle of a node or gap to the next one's in its column, and between tasks."""

    node: float
    gap: float
    component: float


class Layout(NamedTuple):
    """Heights (of middles) and layers by vertex; ``routes`` lead from each edge's source to its target."""

    layer: Mapping[Vertex, int]
    y: Mapping[Vertex, float]
    routes: Mapping[tuple[str, str], Sequence[Vertex]]
    height: float


def layout(before: Before, spacing: Spacing) -> Layout:
    """Place everything; separate tasks stand below each other. Raises ``Refused`` for a cycle."""
    depth = layers(before)
    routes = {
        (source, target): _route(source, target, depth) for target in before for source in before[target]
    }
    layer: dict[Vertex, int] = dict(depth.items())
    for route in routes.values():
        layer |= {vertex: vertex.layer for vertex in route if isinstance(vertex, Gap)}
    y: dict[Vertex, float] = {}
    top = 0.0
    for members in components(before):
        heights = _component(set(members), layer, routes.values(), spacing)
        shift = top + spacing.node / 2 - min(heights.values())
        y |= {vertex: height + shift for vertex, height in heights.items()}
        top = max(y[vertex] for vertex in heights) + spacing.node / 2 + spacing.component
    return Layout(layer, y, routes, max(0.0, top - spacing.component))


def _route(source: str, target: str, depth: Mapping[str, int]) -> list[Vertex]:
    gaps = [Gap(source, layer) for layer in range(depth[source] + 1, depth[target])]
    return [source, *gaps, target]


def _component(
    members: set[str], layer: Mapping[Vertex, int], routes: Iterable[Sequence[Vertex]], spacing: Spacing
) -> dict[Vertex, float]:
    vertices = [v for v in layer if (v.source if isinstance(v, Gap) else v) in members]
    columns: list[Column] = [[] for _ in range(max(layer[v] for v in vertices) + 1)]
    for vertex in vertices:
        columns[layer[vertex]].append(vertex)
    steps = dict.fromkeys(step for route in routes if route[0] in members for step in pairwise(route))
    forward: dict[Vertex, list[Vertex]] = {v: [] for v in vertices}
    back: dict[Vertex, list[Vertex]] = {v: [] for v in vertices}
    for left, right in steps:
        forward[left].append(right)
        back[right].append(left)
    return _heights(_ordered(columns, forward, back), forward, back, spacing)


# --- the order within the columns ------------------------------------------------------------------


def _ordered(columns: list[Column], forward: Links, back: Links) -> list[Column]:
    """The best order met while each column in turn is sorted by the mean place of its neighbours."""
    best, fewest = columns, _crossings(columns, forward)
    for start in _starts(columns):
        columns = start
        for sweep in range(SWEEPS):
            columns = _swept(columns, back) if sweep % 2 == 0 else _swept(columns[::-1], forward)[::-1]
            crossings = _crossings(columns, forward)
            if crossings < fewest:
                best, fewest = columns, crossings
        if not fewest:
            break
    return best


def _starts(columns: list[Column]) -> Iterator[list[Column]]:
    """The given order, then shuffled ones, always the same: sweeps alone stop at the nearest good order."""
    yield columns
    chance = Random(0)
    for _ in range(SHUFFLES):
        yield [chance.sample(column, len(column)) for column in columns]


def _swept(columns: Sequence[Column], neighbours: Links) -> list[Column]:
    swept = [list(columns[0])]
    for column in columns[1:]:
        index_of = {vertex: float(index) for index, vertex in enumerate(swept[-1])}
        own = {vertex: float(index) for index, vertex in enumerate(column)}
        wanted = {v: _mean([index_of[n] for n in neighbours[v]], own[v]) for v in column}
        swept.append(sorted(column, key=wanted.__getitem__))
    return swept


def _crossings(columns: Sequence[Column], forward: Links) -> int:
    """How many pairs of edges between neighbouring columns cross."""
    total = 0
    for left, right in pairwise(columns):
        index_of = {vertex: index for index, vertex in enumerate(right)}
        ends = [sorted(index_of[n] for n in forward[vertex]) for vertex in left]
        total += sum(
            a > b for i, upper in enumerate(ends) for a in upper for low in ends[i + 1 :] for b in low
        )
    return total


# --- heights ---------------------------------------------------------------------------------------


def _heights(columns: list[Column], forward: Links, back: Links, spacing: Spacing) -> dict[Vertex, float]:
    """Heights, each as close to the mean of its neighbours' as order and spacing allow."""
    y: dict[Vertex, float] = {}
    for column in columns:
        y |= _placed(column, [spacing.node * index for index in range(len(column))], spacing)
    for sweep in range(SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            y |= _placed(
                column, [_mean([y[n] for n in (*back[v], *forward[v])], y[v]) for v in column], spacing
            )
    return y


def _placed(column: Column, wishes: Sequence[float], spacing: Spacing) -> dict[Vertex, float]:
    """Heights nearest to ``wishes`` by least squares, in order and apart: neighbours that are too close
    become one block.

    Without their distances the middles only have to rise, which pooling adjacent violators solves.
    """
    offsets = [0.0]
    for upper, lower in pairwise(column):
        offsets.append(offsets[-1] + (_room(upper, spacing) + _room(lower, spacing)) / 2)
    blocks: list[tuple[float, int]] = []
    for wish, offset in zip(wishes, offsets, strict=True):
        mean, size = wish - offset, 1
        while blocks and blocks[-1][0] > mean:
            above, count = blocks.pop()
            mean, size = (mean * size + above * count) / (size + count), size + count
        blocks.append((mean, size))
    bases = [mean for mean, size in blocks for _ in range(size)]
    return {v: base + offset for v, base, offset in zip(column, bases, offsets, strict=True)}


def _room(vertex: Vertex, spacing: Spacing) -> float:
    return spacing.gap if isinstance(vertex, Gap) else spacing.node


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
