"""An episode step by step: the kitchen, the calls that the cooks are at, and the times of all calls."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from backburner.kernel.activities import activities
from backburner.kernel.episode import Episode
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.values import Event
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.seats import SEATS
from backburner.worlds.collab_overcooked.game.state import Kitchen, State
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked

Under = tuple[Call | None, Call | None]
"""The call that each cook has begun and not ended."""


class Moment(Struct, frozen=True):
    """A kitchen, and the calls that the cooks have to carry on with: all but waits, which bind nobody."""

    kitchen: Kitchen
    under: Under


class Span(Struct, frozen=True):
    """A call that a cook carried out, from one step to another; waits are calls."""

    cook: int
    call: str
    began_steps: int
    over_steps: int


class Course(Struct, frozen=True):
    """``moments``: one before each step, and the last one. ``spans``: each cook's calls that are over."""

    moments: tuple[Moment, ...]
    spans: tuple[Span, ...]


def course(episode: Episode, world: CollabOvercooked) -> Course:
    """The course that the recorded decisions lead to."""
    last = world.start(episode.header.seed)
    kitchens = [last.kitchen]
    events: list[Event] = []
    for state, entry, step in trajectory(episode, world):
        passed = world.between(state, decisions_in(world, entry))
        kitchens += (moment.kitchen for _, moment in passed)
        if step.state.kitchen.steps > kitchens[-1].steps:
            kitchens.append(step.state.kitchen)
        events += step.events
        last = step.state
    spans = tuple(_spans(events, len(kitchens)))
    moments = [Moment(kitchen, _under(world, kitchen.steps, spans)) for kitchen in kitchens[:-1]]
    moments.append(Moment(last.kitchen, _under_at_last(world, last, spans)))
    return Course(tuple(moments), tuple(span for span in spans if span.over_steps < len(kitchens)))


def _spans(events: list[Event], later: int) -> Iterator[Span]:
    """All calls that took time; one that is not over goes on until ``later``."""
    for one in activities(events):
        if one.lane in SEATS and one.start < one.end:
            over = int(one.end) if one.complete else later
            yield Span(SEATS.index(one.lane), one.label, int(one.start), over)


def _under(world: CollabOvercooked, now: int, spans: tuple[Span, ...]) -> Under:
    found: list[Call | None] = [None, None]
    for span in spans:
        if span.began_steps < now < span.over_steps:
            found[span.cook] = _binding(world, span)
    return found[0], found[1]


def _under_at_last(world: CollabOvercooked, last: State, spans: tuple[Span, ...]) -> Under:
    """The same in the last state; the end of play cuts off calls that are not done."""
    now = last.kitchen.steps
    found = list(_under(world, now, spans))
    for span in spans:
        call = _binding(world, span) if last.ended and span.over_steps == now else None
        if call is not None and not world.ware.carrier.done(last.kitchen, span.cook, call):
            found[span.cook] = call
    return found[0], found[1]


def _binding(world: CollabOvercooked, span: Span) -> Call | None:
    call = world.ware.reader.read(span.call)
    return call if isinstance(call, Call) and call.verb != calls.WAIT else None
