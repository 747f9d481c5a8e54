"""What a page is told first: whose it is, the world, the scenario and its goal, the seats, how to play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.clock import Clocked
from backburner.kernel.contract import World
from backburner.kernel.text import speaks, without
from backburner.kernel.values import Seat
from backburner.kernel.view import View
from backburner.serve.graphs import graphs_for
from backburner.serve.protocol import GamePlan, Welcome
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
    ticks = world.tick_seconds if isinstance(world, Clocked) else None
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
