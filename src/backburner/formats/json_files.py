"""Formats that are JSON: a problem of ours as it is, and graphs of AsyncPlan.

A file of AsyncPlan ("Robust Asynchronous Planning via Auto-Formalization", 2606.00981) lists questions. Each
has a graph of nodes, with edges from what must be done before, the number of each step, and the shortest time
as a printed answer; every step takes one unit, and there are resources for everything. Durations may stand
beside the edges, one for each node.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from backburner.formats.coding import ALL_STARTS, MOST_BYTES, Coded, Codes, Head, Table, restored
from backburner.kernel.errors import Refused
from backburner.kernel.files import Place, converted, decoded, read_regular
from backburner.kernel.schedule import Activity, Problem, check_problem
from backburner.kernel.values import indented_json


def format_of(path: Path) -> str:
    """Which of the two a file is."""
    raw = decoded(read_regular(path, MOST_BYTES), path)
    return "problem" if isinstance(raw, dict) and "activities" in raw else "asyncplan"


def write_problem(coded: Coded) -> bytes:
    """A problem as JSON, under its own names."""
    return indented_json(coded.original)


def read_problem(path: Path, item: str = "") -> Problem:
    """A problem out of JSON of ours; raises ``BadFile``."""
    place = Place(str(path))
    return check_problem(converted(decoded(read_regular(path, MOST_BYTES), path), Problem, place), place)


# --- AsyncPlan ---------------------------------------------------------------------------------------------

Node = Annotated[int, Meta(ge=0, lt=5_000)]


class Graph(Struct, frozen=True):
    """``edges``: from a node to one that waits for it. ``step_to_node``: the node of each step."""

    edges: Annotated[tuple[tuple[Node, Node], ...], Meta(max_length=200_000)]
    step_to_node: Annotated[dict[str, Node], Meta(min_length=1, max_length=5_000)]
    durations: Annotated[tuple[int, ...], Meta(max_length=5_000)] | None = None


class Question(Struct, frozen=True):
    """A row of a file of AsyncPlan; ``head`` and ``names`` stand in files of ours alone."""

    graph: Graph
    id: int | str = 1
    head: Head | None = None
    names: Codes | None = None


def write_graph(coded: Coded) -> bytes:
    """The edges and durations of a problem, as a list of one question without words."""
    activities = coded.problem.activities
    node = {each.name: number for number, each in enumerate(activities)}
    edges = tuple((node[before], node[each.name]) for each in activities for before in each.predecessors)
    graph = Graph(edges, node, tuple(each.duration for each in activities))
    return indented_json([Question(graph, 1, coded.head(), {**coded.names})])


def read_graph(path: Path, item: str = "") -> Problem:
    """The question with the id ``item`` of a file of AsyncPlan; raises ``BadFile``, and ``Refused`` where
    it is not said which of several."""
    raw = decoded(read_regular(path, MOST_BYTES), path)
    rows = raw if isinstance(raw, list) else [raw]
    fitting = [
        (place, row)
        for place, row in Place(str(path)).entries("questions", rows)
        if not item or (isinstance(row, dict) and str(row.get("id")) == item)
    ]
    if len(fitting) != 1:
        several = f"{len(rows)} questions; name one as {path}@item=ID" if rows else "no question"
        which = f"question {item!r}" if item else several
        raise Refused(f"{path} holds {'no or more than one ' if item else ''}{which}")
    place, row = fitting[0]
    question = converted(row, Question, place)
    return restored(
        _problem(question.graph, place), Table(question.head or Head(), question.names or {}), path
    )


def _problem(graph: Graph, place: Place) -> Problem:
    names = {node: f"step {step}" if step.isdigit() else step for step, node in graph.step_to_node.items()}
    if len(names) < len(graph.step_to_node):
        raise place.at("graph").field("step_to_node").wrong("two steps have one node")
    if graph.durations is not None and len(graph.durations) <= max(names):
        raise place.at("graph").field("durations").wrong(f"{len(graph.durations)} for {len(names)} nodes")
    before: dict[str, list[str]] = {name: [] for name in names.values()}
    for number, edge in enumerate(graph.edges):
        if not set(edge) <= set(names):
            raise place.at("graph").entry("edges", number).wrong(f"{edge} has a node without a step")
        before[names[edge[1]]].append(names[edge[0]])
    activities = tuple(
        Activity(name, 1 if graph.durations is None else graph.durations[node], 0, tuple(before[name]))
        for node, name in names.items()
    )
    return Problem("steps", activities, (), ALL_STARTS)
