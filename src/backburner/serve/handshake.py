"""What a page is told first: whose it is, the world, the scenario and its goal, the seats, how to play, and
the graphs of what has to happen, for those who may know them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from backburner.drawing.graph_layout import Spacing, before, layout
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.schedule import Problem, Schedulable
from backburner.kernel.text import speaks, without
from backburner.kernel.values import Seat
from backburner.kernel.view import View
from backburner.serve.audience import tick_seconds_of
from backburner.serve.protocol import GamePlan, Graph, GraphNode, Welcome
from backburner.serve.seats import SeatPolicy
from backburner.serve.store import Link


def welcome(
    world: World[Any, Any, Any],
    plan: GamePlan,
    seats: Mapping[Seat, SeatPolicy],
    link: Link,
    *,
    hosts: bool,
) -> Welcome:
    """The first message to the page of a link; one without a seat is told what the first seat is."""
    seat = link.seat
    told = seat or world.seats[0]
    ticks = tick_seconds_of(world)
    return Welcome(
        game=link.game,
        seat=seat,
        role=link.role,
        hosts=hosts,
        title=plan.title or world.id,
        scenario=world.id,
        briefing=_briefing(world, told, strict=plan.strict),
        help=world.typing_help if speaks(world) else "",
        goal=world.goal(told) if speaks(world) else "",
        time_unit=world.time_unit,
        seats=tuple(each.told() for each in seats.values()),
        controls=world.controls if isinstance(world, View) and any(world.controls.entries()) else None,
        verbs={verb: tuple(params) for verb, params in getattr(world, "verbs", {}).items()},
        live=ticks is not None,
        tick_seconds=ticks,
        pace_seconds=plan.pace_seconds,
        strict=plan.strict,
        watched=plan.watch,
        stand_in=next((each.stand_in.name for each in seats.values() if each.stand_in is not None), ""),
        graphs=graphs_for(world, seat or None),
        last_id=seats[seat].last_id if seat else 0,
    )


def _briefing(world: World[Any, Any, Any], seat: Seat, *, strict: bool) -> str:
    """All that a model is told where the rules' prices hold; else without the form of answers, which buttons
    need nobody to know."""
    if not speaks(world):
        return ""
    return world.briefing(seat) if strict else without(world.briefing_parts(seat), "answering")


# --- graphs ---------------------------------------------------------------------------------------------


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
