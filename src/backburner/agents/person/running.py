"""What is at work at a moment, in words: from the events and the scene that a seat may know."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress

from msgspec import Struct

from backburner.kernel.assessment import Window
from backburner.kernel.errors import Refused, number
from backburner.kernel.policy import Turn
from backburner.kernel.values import Event
from backburner.kernel.view import Progress, Scene, Thing

Time = int | float

SINCE = ", since "
"""Stands in the line of what is at work."""


class _Count(Struct, frozen=True):
    """How far something has come, and whose it is: of a thing in a place, or of one of both alone."""

    place: str
    thing: str
    progress: Progress

    @property
    def told(self) -> str:
        """``lettuce1: cut, 1 of 3``."""
        return f"{self.thing or self.place}: {self.progress.label}, {self.done}"

    @property
    def done(self) -> str:
        """``1 of 3``."""
        progress = self.progress
        return f"{progress.done} of {progress.full}{', paused' if progress.paused else ''}"


def running_text(events: Sequence[Event], windows: Iterable[Window], turn: Turn, unit: str) -> str:
    """What was begun and is not over, since when and until when; what has to be in time; who is free.

    ``events``: those that the seat knows, until now. An end is told where the seat's scene counts towards
    it. Of ``windows`` those count that are open now: later ones are nobody's to know.
    """
    now = turn.time
    if now is None:
        now = max((event.time for event in events), default=0)
    one = unit.removesuffix("s")
    begun = list(_begun(events))
    on_table = [each for each in windows if each.state == "open" and each.opens <= now <= each.closes]
    counts = [] if turn.scene is None else list(_counts(turn.scene, beside=not on_table))
    lines = list[str]()
    for event in reversed(begun):
        told = f"{event.lane}: {event.label}{SINCE}{one} {number(event.time)}"
        if (count := _count_of(event, counts, [other.lane for other in begun])) is not None:
            counts = [each for each in counts if each is not count and not _is_same(each, count, event)]
            told += f", {count.done}"
            if not count.progress.paused:
                told += f", until {one} {number(_end(event, count.progress, now))}"
        lines.append(told)
    lines = [*lines[::-1], *(count.told for count in counts)] or ["Nothing is at work."]
    lines += (f"{each.lane}: {each.label}, in time until {one} {number(each.closes)}" for each in on_table)
    with suppress(Refused):  # a world that cannot list its decisions
        free = dict.fromkeys(option.body for option in turn.menu.options if option.body)
        if turn.scene is not None and free and len(turn.scene.bodies) > 1:
            lines.append(f"free: {', '.join(free)}")
    return "\n".join([f"It is {one} {number(now)}.", *lines])


def _end(event: Event, progress: Progress, now: Time) -> Time:
    """When what was begun will have come to its end, if it goes on; scenes count whole units."""
    steady = event.what == "start" and abs(now - event.time - progress.done) < 1
    return event.time + progress.full if steady else now + progress.full - progress.done


def _begun(events: Iterable[Event]) -> Collection[Event]:
    """What has begun, or goes on again, and has neither ended nor paused."""
    begun: dict[str, Event] = {}
    for event in events:
        if event.what in ("start", "resume"):
            for key in [key for key, each in begun.items() if _words(each) == _words(event)]:
                del begun[key]  # what begins again has ended, though the seat was not told
            begun[event.key] = event
        elif event.what in ("end", "pause"):
            begun.pop(event.key, None)
    return begun.values()


def _is_same(one: _Count, other: _Count, event: Event) -> bool:
    """Whether both count the event, of which several things are a part."""
    return one.progress == other.progress and one.progress.label == event.label


def _words(event: Event) -> tuple[str, str]:
    return event.lane, event.label


def _counts(scene: Scene, *, beside: bool) -> Iterator[_Count]:
    """All that counts on a scene; orders, which lie beside it, have windows where there are any."""

    def within(place: str, things: Iterable[Thing]) -> Iterator[_Count]:
        for thing in (inner for outer in things for inner in outer.walk()):
            yield from (_Count(place, thing.name, progress) for progress in thing.progress)

    for place in scene.places:
        yield from (_Count(place.name, "", progress) for progress in place.progress)
        yield from within(place.name, place.stack)
    for body in scene.bodies:
        yield from (_Count(body.name, "", progress) for progress in body.progress)
        yield from within(body.name, body.holding)
    yield from within("", scene.beside if beside else ())


def _count_of(event: Event, counts: Sequence[_Count], lanes: Sequence[str]) -> _Count | None:
    """What counts towards the event's end: by its words, or else the only one where nothing else is at
    work."""
    named = [
        each
        for each in counts
        if each.progress.label == event.label or (each.thing and each.thing in (event.label, event.lane))
    ]
    there = [each for each in counts if each.place == event.lane]
    return named[0] if named else there[0] if len(there) == lanes.count(event.lane) == 1 else None
