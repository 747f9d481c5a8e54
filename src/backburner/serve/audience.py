"""The pages that look at one game: what each may see and is shown of it, and the messages that wait for it.

A page sees the game as its seat may, in scenes or in words, with the events that it may know. A slow reader
never holds a game up. Of frames it gets the newest, with the events of those that it missed; if too many
other messages wait for it, its connection is closed, and it may come back for the rest.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import msgspec
from msgspec import structs

from backburner.kernel.clock import Clocked, time_of, unit_of
from backburner.kernel.contract import World
from backburner.kernel.episode import Ending, Entry
from backburner.kernel.errors import Refused, one_line, shorten
from backburner.kernel.replay import decisions_in, thinking
from backburner.kernel.text import speaks
from backburner.kernel.values import Event, Seat
from backburner.kernel.view import Scene, draws, events_known
from backburner.serve.protocol import (
    MOST_WAITING,
    Closed,
    Frame,
    FromServer,
    Over,
    Past,
    People,
    ShotTold,
    written,
)
from backburner.serve.store import Link

# --- what is shown --------------------------------------------------------------------------------------


Whose = Seat | None
"""Whose view: a seat's, or everything (``None``)."""

MOST_PAST_EVENTS = 500
"""Of one message."""


def tick_seconds_of(world: World[Any, Any, Any]) -> float | None:
    """How long a tick of a live game lasts; ``None`` in other games."""
    return world.tick_seconds if isinstance(world, Clocked) else None


class Views:
    """The present state of a game, and what there is to be seen of it.

    ``number``: of the newest frame, which is the number of steps, in live games of ticks, that are over.
    ``time``: in the world's unit. ``clocked``: whether thinking takes time. ``only``: these views, else
    onlookers' and every seat's.
    """

    clocked = False

    def __init__(self, world: World[Any, Any, Any], seed: int, only: Sequence[Whose] = ()) -> None:
        self.world = world
        self.tick_seconds = tick_seconds_of(world)
        self._free_from = world.free_from if isinstance(world, Clocked) else None
        self.state: Any = world.start(seed)
        self.number = 0
        self.time: int | float = 0
        self._times: list[int | float] = []  # when each step began, under a clock
        self._before: Any = None
        self._entry: Entry | None = None
        self._known: dict[Whose, list[tuple[int, tuple[Event, ...]]]] = {
            whose: [] for whose in only or (None, *world.seats)
        }
        self._frames: dict[Whose, Shown] = {}
        self._state_json: tuple[Any, bytes] = (None, b"")

    def moved(self, state: Any, number: int, events: tuple[Event, ...], entry: Entry | None = None) -> None:
        """How things stand from now on, what has happened, and the step's entry if what lay between can be
        shown."""
        thoughts = self._thoughts(entry)
        if number:
            for whose, known in self._known.items():
                if seen := events_known(self.world, whose, self.state, events, state) + thoughts:
                    known.append((number, seen))
        if self.clocked or self.tick_seconds is not None:
            self.time = time_of(self.world, state)
        else:
            self.time = max((self.time, *(event.time for event in events)))
        self._before, self._entry, self.state, self.number = self.state, entry, state, number
        self._frames.clear()

    def _thoughts(self, entry: Entry | None) -> tuple[Event, ...]:
        """The thoughts that led to a step, or were cut at it: how long a seat thinks is no secret."""
        if not self.clocked or entry is None:
            return ()
        self._times.append(self.time)
        found: list[Event] = []
        for seat, answer in entry.answers.items():
            if (thought := answer.thought) is not None:
                since, taken = self._times[thought.asked], thought.charge / unit_of(self.world)
                found += thinking(seat, thought, since, since + taken if answer.silent else self.time)
        return tuple(found)

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
        """The state as a view shows it: drawn, after what led to it, or else in words, of which onlookers are
        told those of the first seat."""
        world, known = self.world, self._known[whose]
        events = known[-1][1] if known and known[-1][0] == self.number else ()
        asked = playing and self.tick_seconds is None
        deciding = tuple(world.deciders(self.state)) if asked else ()
        if draws(world):
            scene, text = world.scene(self.state, whose), ""
            shots = tuple(ShotTold(moment, world.scene(each, whose)) for moment, each in self._moments())
        else:
            seen = world.observe(self.state, whose or world.seats[0])
            scene, text, shots = None, world.describe(seen) if speaks(world) else "", ()
        kept = self._free_from(self.state) if self._free_from and playing and self.tick_seconds else {}
        return Frame(self.number, self.time, scene, text, shots, events, deciding, dict(kept))

    def _moments(self) -> Sequence[tuple[int | float, Any]]:
        """What lay between the state before and this one, where it is known; nothing in a live game."""
        world = self.world
        if self._entry is None or self.tick_seconds is not None:
            return ()
        decisions = decisions_in(world, self._entry)
        return world.between(self._before, decisions) if draws(world) else ()

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

    def __init__(self, queue: SendQueue, link: Link, hosts: bool) -> None:
        self.queue, self.link, self.hosts = queue, link, hosts
        self._scene: Scene | None = None

    @property
    def whose(self) -> Whose:
        """Whose view it is shown."""
        return self.link.seat or None

    def show(self, shown: Shown, *, if_new: bool) -> None:
        """Show a frame; with ``if_new`` only one that has events or another scene than the last one."""
        if not if_new or shown.frame.events or shown.frame.scene != self._scene:
            self._scene = shown.frame.scene
            self.queue.show(shown)

    def tell_over(self, ending: Ending, *, lesson: bool) -> None:
        """The game is over, and whether this page may have its record and its lesson."""
        why = shorten(one_line(ending.error), LONGEST_WHY)
        may_have_it = self.hosts or self.link.role == "player"
        self.queue.send(Over(ending.status, ending.reason, ending.numbers, may_have_it, why, lesson))


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

    def page_of(self, queue: SendQueue) -> Page | None:
        """The page of a connection, if it is open."""
        return next((page for page in self.pages if page.queue is queue), None)

    def tell(self, message: FromServer) -> None:
        """Send a message to every page."""
        text = written(message)
        for page in self.pages:
            page.queue.send(text)

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
            page.queue.close(why, again=again)

    def close_link(self, seat: Seat) -> None:
        """Close the pages of a seat's link (``""``: the onlookers'), which holds no more; not the host's."""
        for page in tuple(self.pages):
            if page.link.seat == seat and page.link.role != "host":
                page.queue.close("the link holds no more")


# --- what waits for a page ----------------------------------------------------------------------------------


TOO_SLOW = "the page reads too slowly"

MOST_EVENTS_WAITING = 2000
"""Events of frames that were missed that one frame tells; a page that missed more connects again."""


class Shown:
    """A frame that several pages are shown; it is written once for all of them."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    @cached_property
    def text(self) -> str:
        """The frame as it is sent."""
        return written(self.frame)


class SendQueue:
    """The messages that wait for one connection, in their order."""

    def __init__(self) -> None:
        self._waiting: deque[str | list[Shown]] = deque()
        self._missed: list[Shown] | None = None
        self._woken = asyncio.Event()
        self.closed = False

    def send(self, message: FromServer | str) -> None:
        """Let a message wait; with too many of them the connection is closed."""
        if self.closed:
            return
        if len(self._waiting) >= MOST_WAITING:
            self.close(TOO_SLOW, again=True)
            return
        self._put(message if isinstance(message, str) else written(message))

    def show(self, shown: Shown) -> None:
        """Let a frame wait in place of any that is waiting."""
        if self.closed:
            return
        frames = [shown]
        if self._missed is not None:
            frames = [*self._missed, shown]
            self._waiting.remove(self._missed)
            if sum(len(each.frame.events) for each in frames) > MOST_EVENTS_WAITING:
                self.close(TOO_SLOW, again=True)
                return
        self._missed = frames
        self._put(frames)

    def close(self, why: str, *, again: bool = False) -> None:
        """Say why the connection ends, as the last message, in place of whatever waits."""
        if self.closed:
            return
        self.closed = True
        if why == TOO_SLOW:
            self._waiting.clear()
        self._put(written(Closed(why, again)))

    async def next(self) -> str | None:
        """The next message, as soon as there is one; ``None``: the connection is to be closed."""
        while not self._waiting:
            if self.closed:
                return None
            self._woken.clear()
            await self._woken.wait()
        message = self._waiting.popleft()
        if isinstance(message, str):
            return message
        self._missed = None
        return message[0].text if len(message) == 1 else written(_merged([each.frame for each in message]))

    def _put(self, message: str | list[Shown]) -> None:
        self._waiting.append(message)
        self._woken.set()


def _merged(frames: Sequence[Frame]) -> Frame:
    """The newest frame, with the events of all. What lay between is not animated."""
    events = tuple(chain.from_iterable(frame.events for frame in frames))
    return structs.replace(frames[-1], shots=(), events=events)
