"""What had to happen by when: requests within their windows, deliverables by their deadlines."""

from __future__ import annotations

from backburner.kernel.assessment import Assessment, Window, WindowState
from backburner.kernel.episode import Episode
from backburner.kernel.replay import world_of
from backburner.worlds.desk.game.transition import AGENT
from backburner.worlds.desk.game.world import Desk


def windows(episode: Episode) -> tuple[Window, ...]:
    """One for each request of weight, and each deliverable with a deadline."""
    world = world_of(episode)
    assert isinstance(world, Desk)  # noqa: S101  # by the record's header
    events = tuple(episode.events())
    met = {event.label: event.time for event in events if event.what == "delivered"}
    expired = {event.label for event in events if event.what == "expired"}
    last = max((event.time for event in events), default=0)
    spans = [(name, 0, deadline) for name, deadline in world.compiled.deadlines.items()]
    spans += [(each.name, each.at, each.at + each.window) for each in world.scenario.requests if each.weight]
    found = []
    for name, opens, closes in sorted(spans, key=lambda span: span[1:]):
        done = met.get(name)
        state: WindowState = "open" if last <= closes and name not in expired else "missed"
        if done is not None:
            state = "kept" if done <= closes else "missed"
        found.append(Window(AGENT, name, opens, closes, state, done))
    return tuple(found)


def assessment(world: Desk) -> Assessment:
    """Windows alone."""
    return Assessment(windows=windows)
