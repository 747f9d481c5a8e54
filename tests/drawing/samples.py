"""Episodes and problems to draw, and readers of what was drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from xml.etree import ElementTree as ET

from hypothesis import strategies as st

from backburner.kernel import registry
from backburner.kernel.assessment import Window
from backburner.kernel.schedule import Activity, Problem
from backburner.kernel.values import Event

SVG = "{http://www.w3.org/2000/svg}"

# The agent starts the rice and goes on; asks for something unreadable at 3, for noodles that have
# not been picked at 4; waits twice at the end, until the rice is done.
DINNER = ("pick rice", "cook rice in pot_1", "sing", "cook noodle in pot_2", "wait", "wash dish_1", "wait")


def did(lane: str, label: str, start: float, end: float, kind: str = "work") -> list[Event]:
    """The two events of an activity from ``start`` to ``end``."""
    key = f"{lane}|{label}|{start}|{end}"
    return [Event(start, "start", lane, label, key, kind), Event(end, "end", lane, label, key, kind)]  # type: ignore[arg-type]


def in_time(*parts: Iterable[Event]) -> list[Event]:
    """All events in order of time, as a record has them."""
    return sorted((event for part in parts for event in part), key=lambda event: event.time)


def tea() -> list[Event]:
    """The kettle boils from 0 to 8 while the agent washes a cup, is refused and waits; then tea."""
    return in_time(
        did("agent", "start boil water", 0, 1),
        did("kettle", "boil water", 0, 8),
        did("agent", "wash cup", 1, 4),
        did("agent", "too_early", 4, 5, "refused"),
        did("agent", "wait", 5, 8, "wait"),
        did("agent", "make tea", 8, 10),
        [Event(4, "score", value=30), Event(8, "score", value=80), Event(10, "score", value=100)],
    )


TEA_LIMITS = (
    Window("agent", "tea within 2 of boiling", 8, 10, "kept", 8),
    Window("agent", "cup within 1 of boiling", 8, 9, "missed"),
    Window("kettle", "descale by 30", 9, 30, "open"),
)
"""Windows for ``tea``, one in each state."""


def kitchen(texts: Iterable[str] = DINNER) -> list[Event]:
    """The events of TimeArena when an agent says these texts one after the other."""
    world = registry.world("timearena/cooking1+cooking2")
    state, events = world.start(), []
    for text in texts:
        step = world.step(state, {"agent": world.parse(state, "agent", text)})
        state = step.state
        events += step.events
    return events


class Bar(NamedTuple):
    """One activity as it was drawn: its tooltip, its classes, its place."""

    told: str
    classes: frozenset[str]
    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Bar) -> bool:
        """Whether the two cover a common area (touching and rounding aside)."""
        slack = 0.011
        return (
            self.x + slack < other.x + other.width
            and other.x + slack < self.x + self.width
            and self.y + slack < other.y + other.height
            and other.y + slack < self.y + self.height
        )


def parsed(picture: str) -> ET.Element:
    """A picture or page as XML, which it has to be."""
    return ET.fromstring(picture.removeprefix("<!DOCTYPE html>"))


def bars(svg: str, inside: str = "activity") -> list[Bar]:
    """The bars (or nodes) of a picture."""
    found = []
    for group in parsed(svg).iter(f"{SVG}g"):
        classes = frozenset(group.get("class", "").split())
        if inside in classes:
            box = group.find(f"{SVG}rect")
            place = (float(box.get(name)) for name in ("x", "y", "width", "height"))
            found.append(Bar(group.findtext(f"{SVG}title"), classes, *place))
    return found


def shown(svg: str) -> str:
    """Every text that a reader of the picture can see or point at."""
    return "\n".join(parsed(svg).itertext())


words = st.text(max_size=12)  # with <, &, quotes, control characters, emoji ...
lanes = st.sampled_from(["agent", "pot <1>", "kettle & co", 'the "oven"', "agent_2"]) | words
times = st.integers(0, 400) | st.floats(0, 400, allow_nan=False)


@st.composite
def event_lists(draw: st.DrawFn) -> list[Event]:
    """Any events in order of time; keys collide, ends are missing, lanes bear any name."""
    event = st.builds(
        Event,
        time=times,
        what=st.sampled_from(["start", "pause", "resume", "end", "score", "delivered", "expired", "said"]),
        lane=lanes,
        label=words | st.builds("start {}".format, words),
        key=st.sampled_from("abcdefgh"),
        kind=st.sampled_from(["work", "wait", "refused"]),
        value=st.none() | st.integers(-100, 1000) | st.floats(-10, 10, allow_nan=False),
    )
    return in_time(draw(st.lists(event, max_size=30)))


@st.composite
def window_lists(draw: st.DrawFn) -> list[Window]:
    """Any windows, on lanes with and without activities."""
    windows = []
    for _ in range(draw(st.integers(0, 12))):
        opens, length = draw(times), draw(st.integers(0, 60))
        state = draw(st.sampled_from(["kept", "missed", "open"]))
        met = opens + length / 2 if state == "kept" else None
        windows.append(Window(draw(lanes), draw(words), opens, opens + length, state, met))
    return windows


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Any problem without a cycle: each action waits for some of those before it, then all are shuffled."""
    names = draw(st.lists(st.text(min_size=1, max_size=20), max_size=12, unique=True))
    actions = []
    for index, name in enumerate(names):
        duration = draw(st.integers(0, 40))
        operator_time = draw(st.integers(0, duration))
        after = draw(st.lists(st.sampled_from(names[:index]), max_size=3)) if index else []
        actions.append(Activity(name, duration, operator_time, tuple(after)))
    return Problem("minutes", tuple(draw(st.permutations(actions))), (), "", tuple(names[:1]))
