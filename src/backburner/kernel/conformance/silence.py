"""Demands on worlds in which time passes while seats are silent, each a rule of ``clock.Timed.silence``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import msgspec

from backburner.kernel.clock import SECOND, Clocked, units
from backburner.kernel.conformance.texts import NASTY
from backburner.kernel.conformance.walk import UNREAD, Check, Expect, Point, Walk, is_decision, refused
from backburner.kernel.errors import shorten
from backburner.kernel.menu import Menus
from backburner.kernel.reported import reporter_of
from backburner.kernel.text import Text
from backburner.kernel.values import Event, canonical_json

FEW_TICKS = 7
"""So many ticks at once are compared with as many one by one."""

MOST_PASSED = 300
"""So many decisions to pass are tried, to find out whether play ends by them."""

MOST_ANSWERS = 60
"""So many answers that nobody can read are given, to find out after how many play ends."""


def at_each_point(check: Check[Point]) -> Check[Walk]:
    """The check, made at the end of a walk at all points where somebody decided: what else is wrong with a
    world is found before."""

    @wraps(check)
    def made(walk: Walk, expect: Expect) -> None:
        for point in walk.points:
            if point.seats:
                check(point, expect)

    return made


def pass_time(
    world: Any, state: Any, ticks: int, every: int | None = None
) -> tuple[Any, tuple[Event, ...], int]:
    """Everybody is silent for so many ticks, or until play is over; at most for ``every`` at a time.

    Gives the state, the events, and the most steps that passed before time did.
    """
    until, events, idle, most = world.now(state) + ticks, (), 0, 0
    while (seats := world.deciders(state)) and (now := world.now(state)) < until and idle <= len(world.seats):
        least = until - now if every is None else min(every, until - now)
        step = world.step(state, {seat: world.silence(state, seat, least) for seat in seats})
        idle = 0 if world.now(step.state) > now else idle + 1
        most = max(most, idle)
        state, events = step.state, (*events, *step.events)
    return state, events, most


@at_each_point
def silence_is_a_decision_of_its_own(at: Point, expect: Expect) -> None:
    """It can be written down; no menu lists it, no text reads as it; a seat is never refused for it."""
    world = at.world
    for seat in at.seats:
        for ticks in (1, FEW_TICKS):
            silent = world.silence(at.state, seat, ticks)
            expect(is_decision(world, silent), f"{silent} is no decision of this world")
            again = msgspec.json.decode(canonical_json(silent), type=world.decision_type)
            expect.same(again, silent, "a silence, written down and read back")
            others = {other: at.fair[other] for other in at.seats if other != seat}
            why = refused(at.try_out({**others, seat: silent}), seat)
            expect(not why, f"{seat} is refused for being silent for {ticks} ticks: {why}")
            if world.silence_is_passing:
                continue
            expect(silent not in at.options(seat, most=10_000), f"the menu of {seat} lists {silent}")
            if isinstance(world, Text):
                for text in (world.words(silent, seat), *at.draw.sample(NASTY, 3)):
                    read = world.parse(at.state, seat, text)
                    expect(read != silent, f"{shorten(repr(text))} reads as the silence {silent}")


@at_each_point
def silence_takes_time(at: Point, expect: Expect) -> None:
    """Time passes when all are silent, no more of it than the least that they are silent for; of those who
    would be silent for longer no trace is left. What happens, happens within that time, and what is decided
    does not turn time back."""
    world, now = at.world, at.world.now(at.state)
    expect(isinstance(now, int) and now >= 0, f"the time is {now!r}")
    tick = world.tick_microseconds
    expect(isinstance(tick, int) and tick > 0, f"a tick of {tick!r} microseconds")
    if isinstance(world, Clocked) and (lasts := world.tick_seconds) is not None:
        expect(0 < round(lasts * SECOND) <= tick, f"a tick of {tick} microseconds lasts {lasts} seconds")
    unit = units(world)[world.time_unit.removesuffix("s")]
    for ticks in (1, FEW_TICKS):
        state, events, most = pass_time(world, at.state, ticks)
        then = world.now(state)
        expect(then <= now + ticks, f"{ticks} ticks of silence at {now} last until {then}")
        expect(most <= len(world.seats), f"no time passes in {most} steps of silence at {now}")
        over = not world.deciders(state)
        expect(then == now + ticks or over, f"{ticks} ticks of silence at {now} last until {then}")
        for event in events:
            moment = round(event.time * unit)  # at the end, some worlds tell what is yet to end
            within = now * tick <= moment and (moment <= then * tick or over)
            expect(within, f"{event} happens in a silence that lasts from tick {now} to {then}")
    first = at.seats[0]
    short, long = ({s: world.silence(at.state, s, n) for s in at.seats} for n in (1, FEW_TICKS))
    quiet, longer = at.try_out(short), at.try_out({**long, first: short[first]})
    expect(not quiet.refusals, f"silence is refused: {quiet.refusals}")
    expect.same(longer, quiet, "a tick of silence, and one in which all but one are silent for longer")
    after = world.now(at.step.state)
    expect(after >= now, f"what is decided at {now} is over at {after}")
    expect.same(
        {seat: world.occupied(at.restored, seat) for seat in world.seats},
        {seat: world.occupied(at.state, seat) for seat in world.seats},
        "who is occupied in equal states",
    )


@at_each_point
def silences_add_up(at: Point, expect: Expect) -> None:
    """Some ticks of silence give at once the state and the events that they give one by one."""
    whole, at_once, _ = pass_time(at.world, at.state, FEW_TICKS)
    single, one_by_one, _ = pass_time(at.world, at.state, FEW_TICKS, every=1)
    where = f"after {FEW_TICKS} ticks of silence"
    expect.same(whole, single, f"the states {where}, passed at once and one by one")
    expect.same(at_once, one_by_one, f"the events {where}, passed at once and one by one")


@at_each_point
def silence_leaves_the_rest_as_it_is(at: Point, expect: Expect) -> None:
    """What was told last, errors, turns, calls, attempts of whoever is silent: as the world says, they do not
    move."""
    world = at.world
    state, _, _ = pass_time(world, at.state, FEW_TICKS)
    for seat in at.seats if world.deciders(state) else ():
        expect.same(world.unmoved(state, seat), world.unmoved(at.state, seat), f"{seat} after silence")


def silence_forgives_nothing(walk: Walk, expect: Expect) -> None:
    """Errors in a row are as many, whether or not somebody thinks between them."""
    answered, reason = _until_it_ends(walk, lambda state: state)
    if not reason:
        expect.cannot("answers that nobody can read do not end a play soon")
        return
    thought, other = _until_it_ends(walk, lambda state: pass_time(walk.world, state, 1)[0])
    expect(
        0 < thought <= answered,
        f"{answered} answers that nobody can read end a play ({reason}), and with a tick of silence before "
        f"each {thought or 'no number of them'} ({other})",
    )


def _until_it_ends(walk: Walk, between: Callable[[Any], Any]) -> tuple[int, str]:
    """How many answers that nobody can read end a play, and why it ends; (0, "") for more than are tried."""
    world, state = walk.world, walk.first
    for number in range(MOST_ANSWERS):
        state = between(state)
        if not (seats := world.deciders(state)):
            return number, world.outcome(state).reason
        state = world.step(state, dict.fromkeys(seats, UNREAD)).state
    return (0, "") if world.deciders(state) else (MOST_ANSWERS, world.outcome(state).reason)


HAPPENED = ("end", "delivered", "expired")


def silence_breaks_what_time_breaks(walk: Walk, expect: Expect) -> None:
    """What ends, is delivered or expires while time is passed by options of the menu, does in silence, and so
    does play."""
    for point in walk.points:
        _breaks_what_time_breaks(point, expect)
    if walk.number == 0 and isinstance(walk.world, Menus):
        _ends_what_time_ends(walk, expect)


def _breaks_what_time_breaks(at: Point, expect: Expect) -> None:
    world, now = at.world, at.world.now(at.state)
    passing = {seat: menu.passing for seat, menu in at.menus.items() if menu.passing is not None}
    if not at.seats or len(passing) < len(at.seats) or any(o.waits for o in passing.values()):
        return
    if world.turns_count or reporter_of(world) in at.seats:
        return
    step = at.try_out({seat: option.decision for seat, option in passing.items()})
    if (ticks := world.now(step.state) - now) < 1:
        return
    unit = units(world)[world.time_unit.removesuffix("s")]
    if any(e.what == "end" and round(e.time * unit) <= now * world.tick_microseconds for e in step.events):
        return  # the option stops something at once, as where a body that goes on is told to stand
    state, events, _ = pass_time(world, at.state, ticks)
    goes_on, else_goes_on = (bool(world.deciders(after)) for after in (state, step.state))
    if world.now(state) == now + ticks:  # else play has ended on the way
        expect.same(_happened(events), _happened(step.events), f"what happens in {ticks} ticks of silence")
    told = f"{goes_on} in silence, {else_goes_on} when time is passed"
    expect(goes_on == else_goes_on, f"play goes on after {ticks} ticks: {told}")


def _ends_what_time_ends(walk: Walk, expect: Expect) -> None:
    """Where time ends a play that is passed by options of the menu, it ends one that is passed in silence.

    Time is to blame, and not the number of decisions, where fewer of them do with a tick of silence before
    each.
    """
    world = walk.world
    if world.turns_count or reporter_of(world):
        return
    decisions, over = _passed(walk, 0)
    if over is None or _passed(walk, 1)[0] >= decisions:
        return
    ticks = world.now(over) - world.now(walk.first)
    state, _, _ = pass_time(world, walk.first, ticks)
    told = f"play that is passed ends after {ticks} ticks, and goes on after as many in silence"
    expect(not world.deciders(state), told)


def _passed(walk: Walk, silent: int) -> tuple[int, Any]:
    """How many times it is passed until play is over, each after so many ticks of silence; and the state
    then, ``None`` if play is not over soon or cannot be passed."""
    world, state = walk.world, walk.first
    for number in range(MOST_PASSED):
        state, _, _ = pass_time(world, state, silent)
        if not (seats := world.deciders(state)):
            return number, state
        passing = {seat: world.menu(state, seat).passing for seat in seats}
        if None in passing.values():
            return number, None
        state = world.step(state, {seat: option.decision for seat, option in passing.items()}).state
    return MOST_PASSED, None


def _happened(events: tuple[Event, ...]) -> list[tuple[int | float, str, str]]:
    """What ended, was delivered or expired, without waits that began in these events."""
    waits = {event.key for event in events if event.what == "start" and event.kind != "work"}
    ours = [event for event in events if event.kind == "work" and event.key not in waits]
    return sorted((event.time, event.what, event.key) for event in ours if event.what in HAPPENED)
