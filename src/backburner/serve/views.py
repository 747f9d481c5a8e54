"""How a game stands, and what each view of it is shown: the scene or words, and the events it may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from backburner.kernel.clock import Clocked
from backburner.kernel.contract import World
from backburner.kernel.episode import Entry
from backburner.kernel.replay import decisions_in
from backburner.kernel.text import speaks
from backburner.kernel.values import Event, Seat
from backburner.kernel.view import View, draws, events_known
from backburner.serve.outlets import Shown
from backburner.serve.protocol import Frame, Past, ShotTold

Whose = Seat | None
"""Whose view: a seat's, or everything (``None``)."""

MOST_PAST_EVENTS = 500
"""Of one message."""


class Views:
    """The present state of a game, and what there is to be seen of it.

    ``number``: of the newest frame, which is the number of steps, in live games of ticks, that are over.
    ``time``: in the world's unit.
    """

    def __init__(self, world: World[Any, Any, Any], seed: int) -> None:
        self.world = world
        self.tick_seconds = world.tick_seconds if isinstance(world, Clocked) else None
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
        if not draws(world):
            return Frame(self.number, self.time, None, self._text(whose), (), events, deciding)
        shots = tuple(ShotTold(moment, world.scene(state, whose)) for moment, state in self._between(world))
        scene = world.scene(self.state, whose)
        return Frame(self.number, self.time, scene, "", shots, events, deciding)

    def _between(self, world: View[Any, Any]) -> Sequence[tuple[int | float, Any]]:
        if self._entry is None or self.tick_seconds is not None:
            return ()
        return world.between(self._before, decisions_in(self.world, self._entry))

    def _text(self, whose: Whose) -> str:
        """How things stand, in words; onlookers are told what the first seat is."""
        seen = self.world.observe(self.state, whose or self.world.seats[0])
        return self.world.describe(seen) if speaks(self.world) else ""

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
