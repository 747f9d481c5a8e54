"""When a furnace that was seen on a server began, and was done with, what it smelts.

Only what is in it before and after a step was seen. Where that is what was predicted, all went as predicted;
else it is told from what there was and what there is. An activity that goes on has the key of the tick at
which it began, as in the game as text; one that ends within its step has the step's number in it as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from backburner.kernel.values import Event
from backburner.worlds.minecraft.game.facts import FURNACE
from backburner.worlds.minecraft.game.furnace import BEGUN, Furnace, advance
from backburner.worlds.minecraft.game.state import State, seconds


def expected_at(predicted: State, now: int) -> Furnace:
    """The furnace of a predicted state at the tick at which it was seen, where that is later."""
    return advance(predicted.furnace, max(0, now - predicted.ticks))[0]


def smelted(
    before: State, predicted: State, events: Sequence[Event], furnace: Furnace, now: int
) -> tuple[int, list[Event]]:
    """(since when the furnace is at what it smelts, what began and ended in it), of a step until ``now``.

    ``events``: what was predicted to happen.
    """
    if not _alike(furnace, expected_at(predicted, now)):
        return _told_from_both_ends(before, furnace, now)
    foretold = [event for event in events if event.lane == FURNACE]
    smelting = predicted.smelting
    for after, what, item in advance(predicted.furnace, max(0, now - predicted.ticks))[1]:
        tick = predicted.ticks + after
        smelting = tick if what == BEGUN else smelting
        foretold.append(_event("start" if what == BEGUN else "end", tick, item, smelting))
    return _moved(before, foretold, furnace, now)


def _alike(one: Furnace, other: Furnace) -> bool:
    slots = (one.input, one.fuel, one.output), (other.input, other.fuel, other.output)
    return slots[0] == slots[1] and bool(one.progress) == bool(other.progress)


def _moved(before: State, foretold: Sequence[Event], furnace: Furnace, now: int) -> tuple[int, list[Event]]:
    """What was predicted, with times and keys of the step as it was."""
    since, old = before.smelting, _key(before.smelting) if before.furnace.progress else ""
    starts = [event.key for event in foretold if event.what == "start"]
    goes_on = starts[-1] if starts and furnace.progress else ""
    if goes_on:
        since = max(before.ticks, now - furnace.progress)
    latest = since if goes_on else now
    events = []
    for event in foretold:
        event = replace(event, time=min(event.time, seconds(latest)))
        if event.key == goes_on:
            event = replace(event, time=seconds(since), key=_key(since))
        elif event.key != old:
            event = replace(event, key=f"{event.key} of step {before.steps}")
        events.append(event)
    return since, events


def _told_from_both_ends(before: State, furnace: Furnace, now: int) -> tuple[int, list[Event]]:
    """What was under way goes on if it has come on; else it has ended, and what is under way has begun."""
    since, was, item = before.smelting, before.furnace, before.furnace.input[0]
    if 0 < was.progress < furnace.progress and furnace.input[0] == item:
        return since, []
    began = max(before.ticks, now - furnace.progress) if furnace.progress else now
    events = [_event("end", began, item, since)] if was.progress else []
    if furnace.progress:
        since = began
        events.append(_event("start", began, furnace.input[0], began))
    return since, events


def _key(since: int) -> str:
    return f"{FURNACE} {since}"


def _event(what: str, tick: int, item: str, since: int) -> Event:
    return Event(seconds(tick), "start" if what == "start" else "end", FURNACE, item, _key(since))
