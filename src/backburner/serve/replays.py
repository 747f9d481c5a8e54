"""A game that is over as its frames, for pages that came too late to have seen it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from backburner.kernel.contract import World
from backburner.kernel.episode import Entry
from backburner.kernel.errors import Refused
from backburner.kernel.replay import decisions_in
from backburner.kernel.text import speaks
from backburner.kernel.values import Event, Seat
from backburner.kernel.view import View, events_known
from backburner.serve.game import Game
from backburner.serve.live import ticks_of
from backburner.serve.protocol import Frame, ShotTold

MOST_FRAMES = 3000
"""Of a game that are told; its last ones where it has more, as the result is what people ask about."""


def frames_of(game: Game, view: Seat | None) -> tuple[Frame, ...]:
    """The frames of a game that is over, as ``view`` (``None``: an onlooker) saw them.

    Raises ``Refused`` while it is played: what comes next is nobody's to know.
    """
    if game.over is None:
        raise Refused("a game can be looked at from its beginning when it is over")
    skipped = max(0, len(game.entries) + 1 - MOST_FRAMES)
    return tuple(islice(_frames(game, view), skipped, None))


def _frames(game: Game, view: Seat | None) -> Iterator[Frame]:
    world, number = game.world, 0
    state, now = world.start(game.plan.seed), 0.0
    yield _frame(world, view, state, 0, 0, (), ())
    for entry in game.entries:
        decisions = decisions_in(world, entry)
        after = world.step(state, decisions).state
        shots = () if game.tick_seconds is not None else _shots(world, view, state, entry)
        if game.tick_seconds is None:
            number, now = number + 1, max((now, *(event.time for event in entry.events)))
        else:
            number += ticks_of(world, decisions)
            now = round(number * game.tick_seconds, 6)
        known = events_known(world, view, state, entry.events, after)
        yield _frame(world, view, after, number, now, shots, known)
        state = after


def _frame(
    world: World[Any, Any, Any],
    view: Seat | None,
    state: Any,
    number: int,
    time: float,
    shots: tuple[ShotTold, ...],
    events: tuple[Event, ...],
) -> Frame:
    if isinstance(world, View):
        return Frame(number, time, world.scene(state, view), "", shots, events, ())
    seen = world.observe(state, view or world.seats[0])
    return Frame(number, time, None, world.describe(seen) if speaks(world) else "", (), events, ())


def _shots(world: World[Any, Any, Any], view: Seat | None, state: Any, entry: Entry) -> tuple[ShotTold, ...]:
    if not isinstance(world, View):
        return ()
    between = world.between(state, decisions_in(world, entry))
    return tuple(ShotTold(moment, world.scene(each, view)) for moment, each in between)
