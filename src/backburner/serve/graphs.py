"""The graphs of what has to happen, placed, for those who may know them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from backburner.drawing.graph_layout import Spacing, before, layout
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.schedule import Problem, Schedulable
from backburner.kernel.values import Seat
from backburner.serve.protocol import Graph, GraphNode

SPACING = Spacing(node=1.3, gap=0.6, component=0.4)
"""In heights of a node's box."""

MOST_GRAPHS, MOST_NODES = 50, 200


def graphs_for(world: World[Any, Any, Any], seat: Seat | None) -> tuple[Graph, ...]:
    """The graph of each thing that may be asked for in a world, or of the whole scenario.

    A seat that plays is told them only if they are no secret to it (``Schedulable.is_told``); onlookers
    (``None``) are.
    """
    if not isinstance(world, Schedulable) or not (seat is None or world.is_told(seat)):
        return ()
    found = list(world.problems().items())[:MOST_GRAPHS]
    return tuple(graph for graph in (_graph(name, problem) for name, problem in found) if graph.nodes)


@lru_cache(maxsize=256)
def _graph(name: str, problem: Problem) -> Graph:
    """The graph of one problem; empty where it is too large, or no graph."""
    try:
        of = before(problem)
        if len(of) > MOST_NODES:
            raise Refused("nobody could read it")
        placed = layout(of, SPACING)
    except Refused:
        return Graph(name, (), (), 0.0)
    nodes = tuple(
        GraphNode(
            each.name,
            placed.layer[each.name],
            round(placed.y[each.name], 3),
            each.duration,
            each.operator_time,
        )
        for each in problem.activities
    )
    edges = tuple(
        tuple((placed.layer[vertex], round(placed.y[vertex], 3)) for vertex in route)
        for route in placed.routes.values()
    )
    return Graph(name, nodes, edges, round(placed.height, 3))
