"""Thoughts of a demonstration: why a decision is taken now, and what runs meanwhile.

They are made of facts of the episode alone: what was under way and until when, what a decision set going,
what it comes before, whether it is on the critical path of the play. So they know how play goes on, as a plan
does; a player who sees no more than its seat cannot know all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from backburner.kernel.activities import Activity, activities, set_going
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.menu import Menu, Menus
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.schedule import problem_of
from backburner.kernel.text import bare
from backburner.kernel.values import Event, Refusal, Seat
from backburner.training.export.demonstrations import Demonstration

ESTIMATES = "estimates"
"""The message of a method that asks how long things take."""

WHOLE = ("plan", "outline")
"""Messages that ask for thoughts about all of play."""

MOST_NAMED = 4
"""Things that one sentence names."""


class _Moment(Struct, frozen=True):
    """A decision point: the time of it, what each seat decides and could decide, what is said and served."""

    now: int | float
    decided: dict[Seat, Any]
    menus: dict[Seat, Menu[Any]]
    events: tuple[Event, ...]


class Thinker:
    """The thoughts of one demonstration."""

    def __init__(self, shown: Demonstration) -> None:
        self._world = shown.world
        self._unit = shown.world.time_unit.removesuffix("s")
        self._moments = tuple(_moments(shown))
        events = tuple(event for moment in self._moments for event in moment.events)
        self._spans = tuple(span for span in activities(events) if span.kind == "work")
        self._set_going = set_going(self._spans)
        self._begun_at = _begun_at(self._moments)
        self._bodies = _bodies(shown.world, self._moments)
        self._ends = max((span.end for span in self._spans if span.complete), default=0)

    def thought(self, index: int, seat: Seat, message: str) -> str:
        """What the seat thinks at a decision point when a method's message asks it."""
        if message == ESTIMATES:
            return "\n".join(dict.fromkeys(self._estimates())) or "I know of nothing that takes time."
        if message in WHOLE:
            return "\n".join(self._timetable()) or "There is nothing to be planned."
        return " ".join(filter(None, self._sentences(index, seat)))

    def plan(self, index: int, seat: Seat) -> str:
        """What the seat decides from a decision point on, to the end."""
        world: Any = self._world
        said = (
            bare(world.words(moment.decided[seat], seat))
            for moment in self._moments[index:]
            if seat in moment.decided and not isinstance(moment.decided[seat], Refusal)
        )
        return "; ".join(" and ".join(words.split("\n")) for words in said)

    # --- one decision ---------------------------------------------------------------------------------------

    def _sentences(self, index: int, seat: Seat) -> Iterator[str]:
        moment = self._moments[index]
        yield self._under_way(index, seat)
        mine = [span for span in self._spans if self._of(span, index, seat)]
        option = (
            next(
                (one for one in moment.menus[seat].options if one.decision == moment.decided.get(seat)), None
            )
            if seat in moment.menus
            else None
        )
        alone = [span for span in mine if span.lane not in self._bodies]
        by_hand = [span for span in mine if span.lane in self._bodies and span not in self._set_going]
        if option is not None and option.passes:
            yield self._waiting(index, seat)
        elif len(mine) > MOST_NAMED:
            yield self._at_once(alone)
        else:
            yield from (self._set_going_now(span, index, seat) for span in alone)
            yield from (self._done_now(span, index, seat) for span in by_hand)
            if not mine:
                yield self._without_work(moment, seat)
        if any(span in self._critical for span in mine):
            yield "It is on the critical path: a delay here delays the end."
        if by_hand and not alone and len(mine) <= MOST_NAMED:
            yield self._then(index, seat)
        yield self._served(index)

    def _of(self, span: Activity, index: int, seat: Seat) -> bool:
        """Whether the decision of the seat at a decision point has begun it."""
        if self._index_of(span) != index:
            return False
        whose = self._bodies.get(span.lane)
        return whose == seat or (whose is None and self._alone_in(index, seat))

    def _alone_in(self, index: int, seat: Seat) -> bool:
        """Whether what begins on no body's lane must be the seat's work."""
        return len(self._moments[index].decided) == 1 and seat in self._moments[index].decided

    def _index_of(self, span: Activity) -> int:
        """The decision point at which it has begun, or gone on."""
        return self._begun_at[span.lane, span.label, span.start]

    def _under_way(self, index: int, seat: Seat) -> str:
        now = self._moments[index].now
        running = [
            f"{span.label} until {self._at(span.end)}"
            for span in self._spans
            if self._index_of(span) < index
            and span.end > now
            and self._bodies.get(span.lane) != seat
            and span not in self._set_going
            and span.complete
        ]
        if running:
            return f"Under way: {_listed(running)}."
        anything = index > 0 and any(span.lane not in self._bodies for span in self._spans)
        return "Nothing is under way." if anything else ""

    def _waiting(self, index: int, seat: Seat) -> str:
        menu = self._moments[index].menus[seat]
        others = [one.label for one in menu.options if not one.passes]
        alone = [one for one in self._spans if one.lane not in self._bodies and self._is_running(one, index)]
        first = min(alone, key=lambda span: (span.end, span.label), default=None)
        if others:
            then = self._next_of(index, seat)
            after = f": next comes {then.label} at {self._at(then.start)}" if then is not None else ""
            return f"{_listed(others, 'or')} could be begun, but I let time pass{after}."
        if first is None:
            return "There is nothing that can be begun, so I wait." if menu.complete else "I wait."
        if menu.complete:
            return f"Nothing can be begun before {first.label} ends, so I wait."
        return f"I wait, as {first.label} has to end."

    def _is_running(self, span: Activity, index: int) -> bool:
        return self._index_of(span) < index and span.end > self._moments[index].now

    def _set_going_now(self, span: Activity, index: int, seat: Seat) -> str:
        meanwhile = [
            other.label
            for other in self._spans
            if self._bodies.get(other.lane) == seat
            and other not in self._set_going
            and self._index_of(other) > index
            and other.start < span.end
        ]
        alone = f"{span.label} runs by itself for {self._long(span)}, so I begin it now"
        return f"{alone} and do {_listed(meanwhile)} meanwhile." if meanwhile else f"{alone}."

    def _done_now(self, span: Activity, index: int, seat: Seat) -> str:
        running = [other for other in self._spans if self._is_running(other, index) and other.complete]
        alone = [other for other in running if other.lane not in self._bodies]
        what = f"{span.lane} does {span.label}" if self._several(seat) else span.label
        if any(other.end >= span.end for other in alone):
            said = f"There is time for {what} meanwhile ({self._long(span)})"
        else:
            said = f"Now {what} ({self._long(span)})"
        follows = self._followers.get(span.label, ())
        return f"{said}; {_listed(follows)} cannot begin before it." if follows else f"{said}."

    def _several(self, seat: Seat) -> bool:
        return list(self._bodies.values()).count(seat) > 1

    def _at_once(self, alone: Sequence[Activity]) -> str:
        last = f"all is done at {self._at(self._ends)}"
        if not alone:
            return f"One after the other; {last}."
        spans = [f"{span.label} at {self._at(span.start)}" for span in alone]
        return (
            f"What runs by itself begins in good time: {_listed(spans)}. Hands do the rest meanwhile; {last}."
        )

    def _without_work(self, moment: _Moment, seat: Seat) -> str:
        said = [event for event in moment.events if event.what == "said" and event.lane == seat]
        return "First I say something to my partner." if said else ""

    def _served(self, index: int) -> str:
        """The next order that is served, where orders are."""
        later = (
            event for moment in self._moments[index:] for event in moment.events if event.what == "delivered"
        )
        event = next(later, None)
        return f"Next to be served is {event.label}, at {self._at(event.time)}." if event is not None else ""

    def _then(self, index: int, seat: Seat) -> str:
        """What comes next, where the seat has one body."""
        if self._several(seat):
            return ""
        later = [
            span.label
            for span in self._spans
            if self._bodies.get(span.lane) == seat
            and span not in self._set_going
            and self._index_of(span) > index
        ]
        return f"Then {' and then '.join(later[:2])}." if later else "With that everything is begun."

    def _next_of(self, index: int, seat: Seat) -> Activity | None:
        mine = (
            span
            for span in self._spans
            if self._bodies.get(span.lane) == seat and self._index_of(span) > index
        )
        return min(mine, key=lambda span: span.start, default=None)

    # --- all of play ----------------------------------------------------------------------------------------

    def _estimates(self) -> Iterator[str]:
        for span in self._spans:
            if span.complete and span not in self._set_going:
                alone = "" if span.lane in self._bodies else ", by itself"
                yield f"{span.label}: {self._long(span)}{alone}"

    def _timetable(self) -> Iterator[str]:
        for span in self._spans:
            if span not in self._set_going:
                alone = "" if span.lane in self._bodies else ", by itself"
                yield f"{self._at(span.start)} to {span.end}: {span.label}{alone}"

    # --- facts ----------------------------------------------------------------------------------------------

    @cached_property
    def _followers(self) -> dict[str, list[str]]:
        """Label to what cannot begin before it is over, where the world states its scenario as a problem."""
        found: dict[str, list[str]] = {}
        try:
            for activity in problem_of(self._world).activities:
                for before in activity.predecessors:
                    found.setdefault(before, []).append(activity.name)
        except Refused:
            pass
        return found

    @cached_property
    def _critical(self) -> set[Activity]:
        """What cannot end later without the last end being later: it is the last, or something critical that
        cannot begin before it begins just when it ends."""
        if not self._followers:
            return set()
        critical = {span for span in self._spans if span.end == self._ends and span.complete}
        waiting = list(critical)
        while waiting:
            later = waiting.pop()
            for span in self._spans:
                follows = later.label in self._followers.get(span.label, ())
                if follows and span.end == later.start and span not in critical:
                    critical.add(span)
                    waiting.append(span)
        return critical

    def _at(self, time: int | float) -> str:
        return f"{self._unit} {time:g}"

    def _long(self, span: Activity) -> str:
        length = span.end - span.start
        return f"{length:g} {self._unit}{'' if length == 1 else 's'}"


def _moments(shown: Demonstration) -> Iterator[_Moment]:
    world = shown.world
    seen: int | float = 0
    for state, entry, _ in trajectory(shown.episode, world):
        decided = decisions_in(world, entry)
        menus = {seat: world.menu(state, seat) for seat in decided} if isinstance(world, Menus) else {}
        now = min((event.time for event in entry.events), default=seen)
        yield _Moment(max(seen, now), decided, menus, entry.events)
        seen = max((seen, *(event.time for event in entry.events)))


def _begun_at(moments: Iterable[_Moment]) -> dict[tuple[str, str, int | float], int]:
    """The decision point at which what is on a lane from some time on has begun, or gone on."""
    return {
        (event.lane, event.label, event.time): index
        for index, moment in enumerate(moments)
        for event in moment.events
        if event.what in ("start", "resume")
    }


def _bodies(world: World[Any, Any, Any], moments: Iterable[_Moment]) -> dict[str, Seat]:
    """The lanes of bodies, each with the seat that decides for it."""
    named = {
        option.body: seat
        for moment in moments
        for seat, menu in moment.menus.items()
        for option in menu.options
        if option.body
    }
    return {**{seat: seat for seat in world.seats}, **named}


def _listed(names: Sequence[str], word: str = "and") -> str:
    """``a, b and c``; of many the first, and how many more."""
    names = list(dict.fromkeys(names))
    if len(names) > MOST_NAMED:
        names = [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"
