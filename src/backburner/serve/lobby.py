"""How a page enters a game: what it is told first, and who is waited for before play begins.

A page is told whose it is, the world, the scenario and its goal, the seats, how to play, and the graphs of
what has to happen, for those who may know them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from backburner.drawing.graph_layout import Spacing, before, layout
from backburner.kernel import packs, registry
from backburner.kernel.clock import Clock, Clocked
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.menu import lists
from backburner.kernel.schedule import Problem, Schedulable
from backburner.kernel.text import speaks, without
from backburner.kernel.timekeeping import briefed
from backburner.kernel.values import Seat
from backburner.kernel.view import Scene, View, draws
from backburner.serve.audience import tick_seconds_of
from backburner.serve.catalogue import tutorial_of
from backburner.serve.players import options_told
from backburner.serve.protocol import MOST_OPTIONS, GamePlan, Graph, GraphNode, Lobby, Welcome
from backburner.serve.seats import SeatPolicy
from backburner.serve.store import Link

# --- who is waited for ------------------------------------------------------------------------------------


COUNT_SECONDS = 3.0
"""From when everybody is ready until the clock runs."""


class GameLobby:
    """Whether enough people are there. ``begun`` is set when play begins; ``tell`` sends how things stand.

    ``live``: play goes by the clock, which runs when the people who are there are ready, and after a count.
    """

    def __init__(
        self, plan: GamePlan, seats: Mapping[Seat, SeatPolicy], tell: Callable[[Lobby], None], *, live: bool
    ) -> None:
        self._plan, self._seats, self._tell, self._live = plan, seats, tell, live
        self._until: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._ready: set[Seat] = set()
        self._patient, self._counting = True, False
        self.begun = asyncio.Event()

    @property
    def present(self) -> int:
        """How many people are there."""
        return sum(seat.is_person and seat.present for seat in self._seats.values())

    @property
    def needed(self) -> int:
        """How many have to be."""
        people = sum(seat.is_person for seat in self._seats.values())
        return people if self._plan.quorum is None else min(people, self._plan.quorum)

    @property
    def _unready(self) -> bool:
        """Whether somebody who is there does not want the clock to run yet."""
        here = (name for name, seat in self._seats.items() if seat.is_person and seat.present)
        return self._live and any(name not in self._ready for name in here)

    def ready(self, seat: Seat) -> None:
        """The person is ready."""
        self._ready.add(seat)
        self.look()

    def look(self) -> None:
        """Begin if enough people are there; else those who are wait for the others, for some time."""
        if self.begun.is_set():
            return
        if not self._counting:
            if (self.present >= self.needed or not self._patient) and not self._unready:
                self.begin()
                return
            seconds = self._plan.lobby_seconds
            if self.present and self._until is None and seconds is not None:
                self._in(seconds, self._wait_no_longer)
        self._tell(self._told())

    def begin(self, *, at_once: bool = False) -> None:
        """Play begins, by the clock after a count; for whoever is not there the stand-in does."""
        if self.begun.is_set() or (self._counting and not at_once):
            return
        self.stop_waiting()
        if self._live and self.present and not at_once:
            self._counting = True
            self._in(COUNT_SECONDS, lambda: self.begin(at_once=True))
            self._tell(self._told())
            return
        self.begun.set()
        for seat in self._seats.values():
            seat.do_not_wait()

    def _in(self, seconds: float, what: Callable[[], None]) -> None:
        self._until = time.monotonic() + seconds
        self._timer = asyncio.get_running_loop().call_later(seconds, what)

    def _wait_no_longer(self) -> None:
        """Whoever has not come is not waited for any more."""
        self._patient = False
        self.look()

    def stop_waiting(self) -> None:
        """Nothing begins of itself any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _told(self) -> Lobby:
        waiting = tuple(name for name, seat in self._seats.items() if not seat.present)
        left = None if self._until is None else round(max(0.0, self._until - time.monotonic()), 1)
        told = tuple(seat.told() for seat in self._seats.values())
        ready = tuple(name for name in self._seats if name in self._ready)
        return Lobby(waiting, max(0, self.needed - self.present), left, told, ready, self._counting)


# --- what a page is told first ------------------------------------------------------------------------------


def welcome(
    world: World[Any, Any, Any],
    plan: GamePlan,
    seats: Mapping[Seat, SeatPolicy],
    link: Link,
    *,
    hosts: bool,
    clock: Clock | None = None,
    begun: bool = True,
) -> Welcome:
    """The first message to the page of a link; one without a seat is told what the first seat is."""
    seat = link.seat
    told = seat or world.seats[0]
    ticks = tick_seconds_of(world)
    tutorial, steps = tutorial_of(packs.pack_of(world).name) if ticks else ("", ())
    return Welcome(
        game=link.game,
        seat=seat,
        role=link.role,
        hosts=hosts,
        title=plan.title or registry.title_of(world),
        scenario=world.id,
        briefing=_briefing(world, told, clock, strict=plan.strict),
        help=world.typing_help if speaks(world) else "",
        goal=world.goal(told) if speaks(world) else "",
        time_unit=world.time_unit,
        seats=tuple(each.told() for each in seats.values()),
        controls=world.controls if isinstance(world, View) and any(world.controls.entries()) else None,
        moves=options_told(world.vocabulary(seat)[:MOST_OPTIONS]) if ticks and seat and lists(world) else (),
        scene=None if begun or ticks is None else _first_scene(world, plan.seed, seat or None),
        verbs={verb: tuple(params) for verb, params in getattr(world, "verbs", {}).items()},
        wording=dict(getattr(world, "wording", {})),
        live=ticks is not None,
        tick_seconds=ticks,
        pace_seconds=plan.pace_seconds,
        strict=plan.strict,
        watched=plan.watch,
        stand_in=next((each.stand_in.name for each in seats.values() if each.stand_in is not None), ""),
        tutorial=tutorial,
        steps=steps if world.id == tutorial else (),
        graphs=graphs_for(world, seat or None),
        last_id=seats[seat].last_id if seat else 0,
        ghosts=has_ghosts(plan),
        walking=world.walking if isinstance(world, Clocked) and ticks is not None else None,
    )


def _first_scene(world: World[Any, Any, Any], seed: int, seat: Seat | None) -> Scene | None:
    """The scene in which play begins, if the world can be drawn."""
    start = world.start(seed)
    return world.scene(start, seat) if draws(world) else None


def _briefing(world: World[Any, Any, Any], seat: Seat, clock: Clock | None, *, strict: bool) -> str:
    """All that a model is told where the rules' prices hold; else without the form of answers, which buttons
    need nobody to know."""
    passes = briefed(world, clock, seat) if clock is not None and clock.tells else ""
    if not speaks(world):
        return passes
    told = world.briefing(seat) if strict else without(world.briefing_parts(seat), "answering")
    return f"{passes}\n\n{told}" if passes else told


def has_ghosts(plan: GamePlan) -> bool:
    """Whether pages may show how others have played the same: in friendly games, not in those of studies."""
    return plan.after == "all" and not plan.strict


# --- graphs -------------------------------------------------------------------------------------------------


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
