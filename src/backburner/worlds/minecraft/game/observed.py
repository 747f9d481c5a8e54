"""What somebody else has seen of a game, such as bots on a server, as a state of this world.

Whoever carries out the calls elsewhere reports what there is; orders are this world's own and go by the ticks
that have passed there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from backburner.kernel.values import Refusal
from backburner.worlds.minecraft.game.facts import COOKED, FUELS, STACK, Stack
from backburner.worlds.minecraft.game.furnace import NO_STACK, Furnace
from backburner.worlds.minecraft.game.ground import Cell
from backburner.worlds.minecraft.game.order_book import OrderBook
from backburner.worlds.minecraft.game.state import Feedback, Items, Killed, State
from backburner.worlds.minecraft.game.world import Minecraft

MOST_ITEMS = 100
"""Kinds of item in an inventory or a chest that are looked at; the game has 36 slots."""


class SeenBody(Struct, frozen=True):
    """A body: ``at`` as x, y, z in blocks, which may lie between two, and what it carries."""

    at: tuple[float, float, float]
    inventory: dict[str, int] = field(default_factory=dict)


class SeenSlots(Struct, frozen=True):
    """The furnace: each slot as (item, number) or nothing, and for how many ticks it burns yet."""

    input: tuple[str, int] | None = None
    fuel: tuple[str, int] | None = None
    output: tuple[str, int] | None = None
    burning: int = 0
    progress: int = 0


class Seen(Struct, frozen=True):
    """A game at ``tick``, counted from its beginning: bodies by name, the furnace, the chest."""

    tick: int
    bots: Mapping[str, SeenBody]
    furnace: SeenSlots = SeenSlots()
    chest: dict[str, int] = field(default_factory=dict)


def observed_state(
    world: Minecraft,
    before: State,
    seen: Seen,
    *,
    origin: Cell = (0, 0),
    calls: Sequence[str] = (),
    killed: Sequence[Killed] = (),
    refusals: Sequence[Refusal] = (),
) -> State:
    """The state after a step that somebody else has carried out, in which this was seen.

    ``origin``: the cell there that is (0, 0) here. Orders come, are served out of the chest, and run out as
    in this world; what came into the chest in the step is taken to have come at its end. ``calls``: what was
    given, ``killed`` and ``refusals``: what came of it. Bodies that were not seen stay where they were.
    """
    compiled = world.compiled
    ticks, steps = max(before.ticks, seen.tick), before.steps + 1
    book = OrderBook(compiled, before, world.limits.ticks)
    chest = _items(seen.chest)
    were = dict(before.chest)
    for item, count in chest:
        for _ in range(min(count, STACK * MOST_ITEMS) - were.get(item, 0)):
            book.add(item, ticks)
    book.advance(ticks)
    book.end_step(steps, ticks)
    bodies = [seen.bots.get(name) for name in compiled.names]
    at = [_cell(body, origin, old) for body, old in zip(bodies, before.at, strict=True)]
    carried = [
        _items(body.inventory) if body else old for body, old in zip(bodies, before.carried, strict=True)
    ]
    return replace(
        before,
        at=tuple(at),
        carried=tuple(carried),
        errands=(),
        furnace=_furnace(seen.furnace),
        chest=chest,
        gone=(),
        orders=book.sorted(),
        arrived=book.arrived,
        served=tuple(book.served),
        expired=before.expired + sum(not closed.served for closed in book.closed),
        ticks=ticks,
        steps=steps,
        last=tuple(calls),
        feedback=Feedback(tuple(killed), tuple(refusals)),
        ended=world.rulebook.ended(steps, ticks),
        heard=False,
    )


def _items(seen: Mapping[str, int]) -> Items:
    known = ((item, count) for item, count in list(seen.items())[:MOST_ITEMS] if count > 0)
    return tuple(sorted(known))


def _cell(body: SeenBody | None, origin: Cell, old: Cell) -> Cell:
    """The cell in which a body stands."""
    if body is None or not all(map(math.isfinite, body.at)):
        return old
    x, _, z = body.at
    return math.floor(x) - origin[0], math.floor(z) - origin[1]


def _furnace(seen: SeenSlots) -> Furnace:
    fuel = _stack(seen.fuel)
    return Furnace(
        _stack(seen.input),
        # What burns here is what the rules know; anything else in the slot is left out of account.
        fuel if fuel[0] in FUELS else NO_STACK,
        _stack(seen.output),
        max(0, seen.burning),
        max(0, seen.progress) if seen.input and seen.input[0] in COOKED else 0,
    )


def _stack(seen: tuple[str, int] | None) -> Stack:
    return seen if seen is not None and seen[1] > 0 else NO_STACK
