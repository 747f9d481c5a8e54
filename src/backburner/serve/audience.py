"""The pages that look at one game, and what each may see and is shown of it: scene or words, and events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from backburner.kernel.clock import Clocked
from backburner.kernel.contract import World
from backburner.kernel.episode import Ending, Entry
from backburner.kernel.errors import Refused, one_line, shorten
from backburner.kernel.replay import decisions_in
from backburner.kernel.text import speaks
from backburner.kernel.values import Event, Seat
from backburner.kernel.view import Scene, draws, events_known
from backburner.serve.protocol import Frame, FromServer, Over, Past, People, ShotTold, written
from backburner.serve.send_queue import Outlet, Shown
from backburner.serve.store import Link

# --- what is shown --------------------------------------------------------------------------------------


Whose = Seat | None
"""Whose view: a seat's, or everything (``None``)."""

MOST_PAST_EVENTS = 500
"""Of one message."""


def tick_seconds_of(world: World[Any, Any, Any]) -> float | None:
    """How long a tick of a live game lasts; ``None`` in other games."""
    return world.tick_seconds if isinstance(world, Clocked) else None


def frame_of(
    world: World[Any, Any, Any],
    whose: Whose,
    state: Any,
    number: int,
    time: float,
    moments: Sequence[tuple[int | float, Any]] = (),
    events: tuple[Event, ...] = (),
    deciding: tuple[Seat, ...] = (),
) -> Frame:
    """A state as a view shows it: drawn, after the ``moments`` that led to it, or else in words, of which
    onlookers are told those of the first seat."""
    if draws(world):
        shots = tuple(ShotTold(moment, world.scene(each, whose)) for moment, each in moments)
        return Frame(number, time, world.scene(state, whose), "", shots, events, deciding)
    seen = world.observe(state, whose or world.seats[0])
    text = world.describe(seen) if speaks(world) else ""
    return Frame(number, time, None, text, (), events, deciding)


def moments_between(
    world: World[Any, Any, Any], before: Any, entry: Entry | None
) -> Sequence[tuple[int | float, Any]]:
    """What lay between a state and the one after an entry, where it can be shown; nothing in a live game."""
    if entry is None or tick_seconds_of(world) is not None:
        return ()
    decisions = decisions_in(world, entry)
    return world.between(before, decisions) if draws(world) else ()


class Views:
    """The present state of a game, and what there is to be seen of it.

    ``number``: of the newest frame, which is the number of steps, in live games of ticks, that are over.
    ``time``: in the world's unit.
    """

    def __init__(self, world: World[Any, Any, Any], seed: int) -> None:
        self.world = world
        self.tick_seconds = tick_seconds_of(world)
        self.state: Any = world.start(seed)
        self.number = 0
        self.time: int | float = 0
        self._before: Any = None
        self._entry: Entry | None = None
        self._known: dict[Whose, list[tuple[int, tuple[Event, ...]]]] = {
            whose: [] for whose in (None, *world.seats)
        }
        self._frames: dict[Whose, Shown] = {}
        self._state_json: tuple[Any, bytes] = (None, b"")

    def moved(self, state: Any, number: int, events: tuple[Event, ...], entry: Entry | None = None) -> None:
        """How things stand from now on, what has happened, and the step's entry if what lay between can be
        shown."""
        if number:
            for whose, known in self._known.items():
                if seen := events_known(self.world, whose, self.state, events, state):
                    known.append((number, seen))
        if self.tick_seconds is None:
            self.time = max((self.time, *(event.time for event in events)))
        else:
            self.time = round(number * self.tick_seconds, 6)
        self._before, self._entry, self.state, self.number = self.state, entry, state, number
        self._frames.clear()

    def forget_frames(self) -> None:
        """What a frame says has changed though the state has not: it is made anew when it is asked for."""
        self._frames.clear()

    def frame(self, whose: Whose, *, playing: bool) -> Shown:
        """The newest frame, which views that see the same share; ``playing``: whether anybody is asked."""
        shown = self._frames.get(whose)
        if shown is None:
            frame = self._made(whose, playing)
            shown = next((other for other in self._frames.values() if other.frame == frame), Shown(frame))
            self._frames[whose] = shown
        return shown

    def _made(self, whose: Whose, playing: bool) -> Frame:
        world, known = self.world, self._known[whose]
        events = known[-1][1] if known and known[-1][0] == self.number else ()
        asked = playing and self.tick_seconds is None
        deciding = tuple(world.deciders(self.state)) if asked else ()
        moments = moments_between(world, self._before, self._entry)
        return frame_of(world, whose, self.state, self.number, self.time, moments, events, deciding)

    def pasts(self, whose: Whose, seen: int) -> list[Past]:
        """What a page has missed that has seen frame ``seen``, the newest frame's own events aside."""
        pasts: list[Past] = []
        events: list[Event] = []
        last = seen
        for number, known in self._known[whose]:
            if seen < number < self.number:
                events += known
                last = number
                if len(events) >= MOST_PAST_EVENTS:
                    pasts.append(Past(number, tuple(events)))
                    events = []
        return [*pasts, *([Past(last, tuple(events))] if events else [])]

    def state_json(self) -> bytes:
        """The present state, for agents that think elsewhere."""
        if self._state_json[0] is not self.state:
            self._state_json = self.state, msgspec.json.encode(self.state)
        return self._state_json[1]


# --- who looks ------------------------------------------------------------------------------------------


MOST_PAGES = 100
"""That look at one game."""

LONGEST_WHY = 300
"""Characters of why a game has failed."""


class Page:
    """A connection and what it may see and do. ``hosts``: whether the host's messages are taken from it."""

    def __init__(self, outlet: Outlet, link: Link, hosts: bool) -> None:
        self.outlet, self.link, self.hosts = outlet, link, hosts
        self._scene: Scene | None = None

    @property
    def whose(self) -> Whose:
        """Whose view it is shown."""
        return self.link.seat or None

    def show(self, shown: Shown, *, if_new: bool) -> None:
        """Show a frame; with ``if_new`` only one that has events or another scene than the last one."""
        if not if_new or shown.frame.events or shown.frame.scene != self._scene:
            self._scene = shown.frame.scene
            self.outlet.show(shown)

    def tell_over(self, ending: Ending) -> None:
        """The game is over, and whether this page may have its record."""
        why = shorten(one_line(ending.error), LONGEST_WHY)
        may_have_it = self.hosts or self.link.role == "player"
        self.outlet.send(Over(ending.status, ending.reason, ending.numbers, may_have_it, why))


class Audience:
    """The pages that are open. ``people`` makes what they are told of who is there; ``None``: not now."""

    def __init__(self, people: Callable[[], People | None]) -> None:
        self._people = people
        self._to_tell = False
        self.pages: list[Page] = []

    def check_room(self) -> None:
        """Raises ``Refused`` where too many pages are open."""
        if len(self.pages) >= MOST_PAGES:
            raise Refused("too many pages look at this game")

    def page_of(self, outlet: Outlet) -> Page | None:
        """The page of a connection, if it is open."""
        return next((page for page in self.pages if page.outlet is outlet), None)

    def tell(self, message: FromServer) -> None:
        """Send a message to every page."""
        text = written(message)
        for page in self.pages:
            page.outlet.send(text)

    def people_changed(self) -> None:
        """Tell who is there and who thinks: once for all that changes at one time."""
        if not self._to_tell and self.pages:
            self._to_tell = True
            asyncio.get_running_loop().call_soon(self._tell_people)

    def _tell_people(self) -> None:
        self._to_tell = False
        if (people := self._people()) is not None:
            self.tell(people)

    def close(self, why: str, *, again: bool = False) -> None:
        """Close every page; with ``again`` they come back by themselves."""
        for page in tuple(self.pages):
            page.outlet.close(why, again=again)

    def close_link(self, seat: Seat) -> None:
        """Close the pages of a seat's link (``""``: the onlookers'), which holds no more; not the host's."""
        for page in tuple(self.pages):
            if page.link.seat == seat and page.link.role != "host":
                page.outlet.close("the link holds no more")
