"""Canonical forms: scenarios of one structure have one digest, whatever things are called.

A structure is read as a graph. Its nodes are activities, resources, machine states, jobs, bodies and places;
its edges say what comes after what, what is used and in which state, what belongs to what, and how far places
are apart. The colours of the nodes are refined by those of their neighbours until no more of them can be told
apart (Weisfeiler and Leman, in one dimension); what the colours then are is digested.

Isomorphic structures have equal digests, always. Different ones may share a digest, where they are so regular
that refinement does not tell them apart; that only drops a scenario.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import permutations
from typing import Literal, NamedTuple

from backburner.kernel.generating import Structure, Work

Split = Literal["train", "dev", "test", "sealed"]

SPLITS: tuple[tuple[Split, float], ...] = (("train", 0.8), ("dev", 0.9), ("test", 0.95), ("sealed", 1.0))
"""Each split, and where its part of the numbers from 0 to 1 ends."""


def form(structure: Structure) -> str:
    """The digest of a structure with all its numbers.

    Not in it are names, ids, the order in which things stand, and what follows from the rest: the least times
    of jobs.
    """
    graph = _graph(structure, _numbers)
    counts = (structure.horizon, structure.alone, tuple(sorted(structure.told.items())))
    objects = Counter(structure.objects.values())
    unused = sorted(each.capacity for each in structure.resources if each.name not in _used(structure))
    return _digest(graph, (*counts, objects[True], objects[False], unused), b"bb form")


def shape(structure: Structure) -> str:
    """The digest of a structure of whose times and ways only the ranks are left: which duration is longer
    than which, which lag, which release or deadline, which way between places.

    What a scenario holds beside its structure is not in it: objects, resources that no activity uses, what is
    told to whom, how long an episode lasts. Scenarios that differ in these alone share a shape, and a split.
    """
    return _digest(_graph(structure, _ranks), (), b"bb shape")


def split_of(shape: str) -> Split:
    """The split that all scenarios of a shape are in: of all shapes, .8 are for training, .1 for choosing
    (``dev``), and .05 each for tests and for sealed suites."""
    drawn = blake2b(shape.encode(), digest_size=8, person=b"bb split").digest()
    place = int.from_bytes(drawn, "big") / 2**64
    return next((split for split, end in SPLITS if place < end), "sealed")


# --- numbers -----------------------------------------------------------------------------------------------

Scale = Callable[[int | None], int]
"""What is kept of a number; what is not there is less than all numbers."""

NONE = -(1 << 64)


def _numbers(values: Iterable[int | None]) -> Scale:
    return lambda value: NONE if value is None else value


def _ranks(values: Iterable[int | None]) -> Scale:
    """The rank among these values and 0, which is that of none."""
    above = sorted({value for value in values if value is not None and value > 0})
    below = sorted({value for value in values if value is not None and value < 0}, reverse=True)
    ranks: dict[int | None, int] = {None: NONE, 0: 0}
    ranks |= {value: rank for rank, value in enumerate(above, 1)}
    ranks |= {value: -rank for rank, value in enumerate(below, 1)}
    return ranks.__getitem__


# --- the graph ---------------------------------------------------------------------------------------------

Node = tuple[object, ...]
Label = tuple[str | int, ...]


class Graph(NamedTuple):
    """Nodes with their labels, and edges with theirs, each from a node to a node."""

    nodes: Mapping[Node, Label]
    edges: Sequence[tuple[Node, Label, Node]]


def _graph(structure: Structure, scaled: Callable[[Sequence[int | None]], Scale]) -> Graph:
    """A structure as a graph; ``scaled`` says what is kept of numbers that are compared with each other."""
    activities = [work.activity for work in structure.activities]
    times = scaled([time for each in activities for time in (each.duration, each.operator_time)])
    lags = scaled([lag.at_most for each in activities for lag in each.max_lags])
    moments = scaled(
        [moment for each in activities for moment in (each.release, each.deadline)]
        + [moment for job in structure.jobs for moment in (job.release, job.due)]
    )
    nodes: dict[Node, Label] = {("body", name): ("body",) for name in structure.bodies}
    for job in structure.jobs:
        nodes["job", job.name] = ("job", moments(job.release), moments(job.due))
    capacities = {resource.name: resource.capacity for resource in structure.resources}
    for name in _used(structure):
        nodes["resource", name] = ("resource", capacities.get(name, 0))
    for each in activities:
        span = (times(each.duration), times(each.operator_time), int(each.preemptive))
        nodes["activity", each.name] = ("activity", *span, moments(each.release), moments(each.deadline))
    edges = [edge for work in structure.activities for edge in _edges(work, lags, set(structure.bodies))]
    for start, _, end in edges:  # what is named and nowhere described: a seat, a job, a machine state
        nodes.setdefault(start, (str(start[0]), "named"))
        nodes.setdefault(end, (str(end[0]), "named"))
    ways = scaled([way for row in structure.ground for way in row])
    nodes |= {("place", i): ("place", ways(row[i])) for i, row in enumerate(structure.ground)}
    return Graph(nodes, [*edges, *_ways(structure.ground, ways)])


def _used(structure: Structure) -> set[str]:
    """The resources that an activity uses."""
    return {name for work in structure.activities for name in work.activity.resources}


def _edges(work: Work, lags: Scale, bodies: set[str]) -> Iterable[tuple[Node, Label, Node]]:
    """What an activity comes after, what it uses and in which state, what it belongs to, and who can do it
    where not everybody can."""
    activity = work.activity
    here: Node = ("activity", activity.name)
    for name in set(activity.predecessors):
        yield here, ("after",), ("activity", name)
    for lag in activity.max_lags:
        yield here, ("lag", lags(lag.at_most)), ("activity", lag.after)
    for name, units in Counter(activity.resources).items():
        yield here, ("uses", units), ("resource", name)
    for kind, state in (("sets", activity.sets), ("requires", activity.requires)):
        if state is not None:
            there = ("state", state.resource, state.value)
            yield here, (kind,), there
            yield there, ("of",), ("resource", state.resource)
    if work.job:
        yield here, ("of",), ("job", work.job)
    if set(work.by) != bodies:
        for name in set(work.by):
            yield here, ("by",), ("body", name)


def _ways(ground: Sequence[Sequence[int]], ways: Scale) -> Iterable[tuple[Node, Label, Node]]:
    """The ways from place to place, but those of the length that most have, which go without saying."""
    between = {(i, j): ways(ground[i][j]) for i, j in permutations(range(len(ground)), 2)}
    counts = Counter(between.values())
    usual = min(counts, key=lambda way: (-counts[way], way), default=0)
    for (i, j), way in between.items():
        if way != usual:
            yield ("place", i), ("way", way), ("place", j)


# --- the digest --------------------------------------------------------------------------------------------


def _digest(graph: Graph, beside: object, person: bytes) -> str:
    """What refinement tells of a graph: of each node its label, its last colour and its neighbours' colours;
    and what stands ``beside`` it."""
    labels = sorted(set(graph.nodes.values()), key=repr)
    kinds = sorted({label for _, label, _ in graph.edges}, key=repr)
    node_ranks = {label: rank for rank, label in enumerate(labels)}
    edge_ranks = {label: rank for rank, label in enumerate(kinds)}
    numbers = {node: number for number, node in enumerate(graph.nodes)}
    neighbours: list[list[tuple[int, int]]] = [[] for _ in numbers]
    for start, label, end in graph.edges:
        kind = edge_ranks[label]
        neighbours[numbers[start]].append((2 * kind, numbers[end]))
        neighbours[numbers[end]].append((2 * kind + 1, numbers[start]))
    first = [node_ranks[label] for label in graph.nodes.values()]
    seen = _refined(first, neighbours)
    told = (labels, kinds, sorted(zip(first, seen, strict=True)), beside)
    return blake2b(repr(told).encode(), digest_size=16, person=person).hexdigest()


Colour = tuple[int, tuple[int, ...]]
"""The rank of a node's colour before, and, of each edge, its kind and the colour at its other end."""


def _refined(colours: list[int], neighbours: Sequence[Sequence[tuple[int, int]]]) -> list[Colour]:
    """The colours that refinement ends with.

    In each round a colour is the rank of what a node sees. Ranks follow those of the round before, so that
    they stay as they are once no colour is parted any more.
    """
    width = len(colours)
    while True:
        seen = [
            (colour, tuple(sorted([kind * width + colours[node] for kind, node in around])))
            for colour, around in zip(colours, neighbours, strict=True)
        ]
        ranks = {colour: rank for rank, colour in enumerate(sorted(set(seen)))}
        if len(ranks) == len(set(colours)):
            return seen
        colours = [ranks[colour] for colour in seen]
