"""Which actions of the text game somebody must have done, inferred from what changed (Appendix E.2).

People steer their bodies cell by cell; whoever plans in the text game's actions is told in these what they
did. Where a body has come to rest before a place it went there; what came into its hands it got, and what
left them it put; where something was made of what was inside a tool, somebody who stands there with free
hands started it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.state import ACTIVATE, GET, GOTO, NOTHING, PUT

Inferred = tuple[int, int, int, int]
"""Body, verb, place, thing (``NOTHING`` for none)."""


class Glimpse(Struct, frozen=True, gc=False):
    """What is looked at: the place that each body faces, and whether it is at rest; what it holds; what is
    inside each place, and until when it works."""

    faced: Sequence[int]
    rests: Sequence[bool]
    held: Sequence[int]
    inside: Sequence[tuple[int, ...]]
    until: Sequence[int]


def inferred(compiled: Compiled, before: Glimpse, after: Glimpse) -> tuple[Inferred, ...]:
    """What each body did between two moments, body by body; no more than one thing with its hands."""
    makers = dict(_makers(compiled, before, after))
    deeds: list[Inferred] = []
    for body, place in enumerate(after.faced):
        had, has = before.held[body], after.held[body]
        busy = had != has or body in makers
        came = not before.rests[body] or place != before.faced[body]
        if place != NOTHING and came and (busy or after.rests[body]):
            deeds.append((body, GOTO, place, NOTHING))
        if body in makers:
            deeds.append((body, ACTIVATE, *makers[body]))
        if had != has and place != NOTHING:
            if had != NOTHING:
                deeds.append((body, PUT, place, had))
            if has != NOTHING:
                deeds.append((body, GET, place, has))
    return tuple(deeds)


def _makers(compiled: Compiled, before: Glimpse, after: Glimpse) -> Iterator[tuple[int, tuple[int, int]]]:
    """(body, (place, product)) of those who started a tool: the first that faces it with free hands."""
    started: set[int] = set()
    for place, (was, now) in enumerate(zip(before.inside, after.inside, strict=True)):
        if was == now and before.until[place] == after.until[place]:
            continue
        taken = {
            has
            for body, has in enumerate(after.held)
            if after.faced[body] == place and has not in (before.held[body], NOTHING)
        }
        made = next((thing for thing in (*now, *taken) if _makes(compiled, place, thing, was)), NOTHING)
        if made == NOTHING:
            continue
        there = [body for body, faced in enumerate(after.faced) if faced == place and body not in started]
        idle = [body for body in there if before.held[body] == after.held[body] == NOTHING]
        hands = [body for body in there if NOTHING in (before.held[body], after.held[body])]
        for body in (idle or hands)[:1]:
            started.add(body)
            yield body, (place, made)


def _makes(compiled: Compiled, place: int, thing: int, was: tuple[int, ...]) -> bool:
    """Whether the thing was made there of what was inside, and was not inside before."""
    kitchen = compiled.kitchen
    name, kind = kitchen.things[thing], kitchen.kinds[place].name
    return thing not in was and any(
        recipe.product == name and recipe.tool == kind for recipe in kitchen.recipes
    )
