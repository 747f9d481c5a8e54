"""A beam search for a play that serves so many orders.

Nodes are looked at by time, in layers as long as the shortest step, so that what follows a node lies in a
later layer. Of each layer the nodes of highest rank go on, with every move of each body. A node is left out
from which more orders run out than may. Its rank is what it has of the work in dishes: one that is served
counts 1, one on its way a part, and less the later it is ordered.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from msgspec import Struct

from backburner.kernel.oracle import Allowance
from backburner.worlds.minecraft.game.physics import SMELTING_TICKS, WINDOW_TICKS, Cell, squared
from backburner.worlds.minecraft.game.scenarios import STEP_TICKS
from backburner.worlds.minecraft.game.transition import LEAD_TICKS, NEAR_CHEST
from backburner.worlds.minecraft.oracle.proof_by_ticks import BETWEEN, LeastMissed
from backburner.worlds.minecraft.oracle.state_space import BURNS, Move, Needs, Node, StateSpace

MISSED = 0.6
"""What an order that runs out takes from a node's rank."""

HELD_RAW, AT_FURNACE, COOKING, COOKED, HELD, NEAR = 0.34, 0.41, 0.47, 0.57, 0.67, 0.8
"""Parts of the work in a dish: its meat in hands, within reach of the furnace, in it; the dish in it, in
hands, within reach of the chest."""

COOKS = 0.09
"""What an item gains while it is in the fire."""

FIRE, LOG = 0.16, 0.09
"""What fuel for one item is worth in the furnace, and in hands."""

LEAST_URGENT = 0.15
MOST_FIRE = 4
"""Items for which fuel is worth something; half as many again may be fetched for."""

TICK = 0.011
"""What a tick is worth among nodes of the same layer."""

CROWDED = 20
"""Times its width that a layer may hold before it is sorted out."""

MEAT_TICKS = 350
"""About what it takes to come by a meat and to put it in."""


class Path(NamedTuple):
    """How a node was come to: the path before, and the moves of the last step."""

    before: Path | None
    moves: tuple[Move, ...]

    def steps(self) -> list[tuple[Move, ...]]:
        """The moves of every step, from the first on."""
        path: Path | None = self
        found = []
        while path is not None:
            found.append(path.moves)
            path = path.before
        return found[::-1]


class Rated(NamedTuple):
    """A node with its rank, the lower the better, and what is still to be fetched."""

    rank: float
    number: int
    node: Node
    path: Path | None
    needs: Needs


class Item(NamedTuple):
    """When something on its way can be in the chest, about, and what part of the work lies behind it."""

    ready: int
    part: float


class Beam(Struct, frozen=True):
    """``width`` of the layers; ``horizon``: the ticks after which an order that is due is hardly urgent.

    ``opening``: until the first order runs out bodies may also go where there is nothing to do for them, so
    that nobody comes too early or has to wait, and what is late then is told exactly.
    """

    width: int
    horizon: int
    opening: bool = False


class BeamSearch:
    """Searches of one episode."""

    def __init__(self, space: StateSpace) -> None:
        self.space = space
        self.by_step = space.by_step
        self.layer = 1 if self.by_step else BETWEEN
        self.least = LeastMissed(space)
        self._ready = cache(self._readiness)
        beside, _ = space.way(space.world.scenario.spawns[0], space.furnace_site)
        self.carried = (1 if self.by_step else BETWEEN + WINDOW_TICKS) + self._ready(beside)

    def path(self, target: int, beam: Beam, allowance: Allowance) -> Path | None:
        """A play that serves so many orders, if one is found before the allowance is over."""
        space, allowed = self.space, self.space.total - target
        urgent = beam.horizon // STEP_TICKS if self.by_step else beam.horizon
        first = min((dues[0] for dues in space.dues if dues), default=0)
        opening = first if beam.opening else 0
        start = space.start()
        needs = self._rated(start, urgent)[2]._replace(ways=beam.opening)
        layers = {0: [Rated(0.0, 0, start, None, needs)]}
        number = 0
        while layers:
            index = min(layers)
            for rated in _best(layers.pop(index), beam.width):
                if allowance.is_over:
                    return None
                for node, moves in self._after(rated):
                    allowance.count()
                    path = Path(rated.path, moves)
                    if node.served >= target:
                        return path
                    missed, worth, needs = self._rated(node, urgent)
                    if space.now(node) < opening:
                        needs = needs._replace(ways=True)
                        missed = missed if self.by_step else self.least.missed(node)
                    if missed > allowed or space.now(node) >= space.horizon:
                        continue
                    number += 1
                    later = space.now(node) // self.layer
                    early = 0.0 if self.by_step else TICK * (node.tick % self.layer)
                    rank = MISSED * missed - worth + early
                    layer = layers.setdefault(later, [])
                    layer.append(Rated(rank, number, node, path, needs))
                    if len(layer) > CROWDED * beam.width:
                        layer.sort()
                        del layer[CROWDED * beam.width // 2 :]
        return None

    def _after(self, rated: Rated) -> Iterator[tuple[Node, tuple[Move, ...]]]:
        space, node = self.space, rated.node
        bodies = range(len(node.at))
        for moves in product(*(space.moves(node, body, rated.needs) for body in bodies)):
            after = space.after(node, moves)
            if after is not None:
                yield after, moves

    # --- what a node is worth ---------------------------------------------------------------------------

    def _rated(self, node: Node, urgent: int) -> tuple[int, float, Needs]:
        """How many orders run out at the least, about; what the node is worth; what is to be fetched."""
        space, now = self.space, self.space.now(node)
        missed = sum(node.closed) - node.served
        worth, left = float(node.served), 0
        fresh = now + self.carried + (2 if self.by_step else MEAT_TICKS)
        meats = []
        for dish, dues in enumerate(space.dues):
            closed = space.passed(dish, node.closed[dish], now)
            missed += closed - node.closed[dish]
            items = sorted(self._items(node, dish, now))
            at = 0
            for due in dues[closed:]:
                if at < len(items) and items[at].ready <= due:
                    worth += items[at].part * max(LEAST_URGENT, 1 - (due - now) / (2 * urgent))
                    at += 1
                elif fresh > due:
                    missed += 1
            left += len(dues) - closed
            meats.append(len(dues) - closed > len(items))
        fuel, wanted = node.slots.burning + BURNS * node.slots.logs, SMELTING_TICKS * min(left, MOST_FIRE)
        logs = BURNS * sum(held[space.log] for held in node.carried)
        burnt = min(fuel, wanted)
        worth += (FIRE * burnt + LOG * min(logs, wanted - burnt)) / SMELTING_TICKS
        fetched = SMELTING_TICKS * min(left, MOST_FIRE * 3 // 2)
        return missed, worth, Needs(tuple(meats), fuel + logs < fetched)

    def _items(self, node: Node, dish: int, now: int) -> Iterator[Item]:
        """What there is of a dish."""
        space, slots = self.space, node.slots
        each = 1 if self.by_step else BETWEEN + WINDOW_TICKS
        done = now + self.carried
        if slots.output == dish:
            for number in range(slots.outputs):
                yield Item(done + number * each, COOKED)
        if slots.input == dish:
            for number in range(slots.inputs):
                ticks = 0 if self.by_step else SMELTING_TICKS * (number + 1) - slots.progress - LEAD_TICKS
                share = 0 if number else slots.progress / SMELTING_TICKS
                yield Item(done + ticks, COOKING + COOKS * share)
        for at, held in zip(node.at, node.carried, strict=True):
            if cooked := held[space.n + dish]:
                near = squared(at, space.compiled.chest) <= NEAR_CHEST**2
                ready = now + self._ready(at)
                for number in range(cooked):
                    yield Item(ready + number * each, NEAR if near else HELD)
            if held[dish]:
                opens = space.opens(at, space.compiled.furnace)
                ticks = 1 + (not opens) if self.by_step else SMELTING_TICKS + LEAD_TICKS + WINDOW_TICKS
                for _ in range(held[dish]):
                    yield Item(done + ticks, AT_FURNACE if opens else HELD_RAW)

    def _readiness(self, at: Cell) -> int:
        """How long it takes until what a body holds there is in the chest."""
        space, chest = self.space, self.space.compiled.chest
        far = squared(at, chest) > NEAR_CHEST**2
        walk = 0 if space.opens(at, chest) else space.way(at, space.chest_site)[1]
        return 1 + far if self.by_step else LEAD_TICKS + walk + BETWEEN * far + WINDOW_TICKS


def _best(layer: list[Rated], width: int) -> Iterator[Rated]:
    """The best of a layer, each state once."""
    seen = set[object]()
    for rated in sorted(layer):
        node = rated.node
        key = (node.at, node.carried, node.slots, node.closed, node.gone)
        if key not in seen:
            seen.add(key)
            yield rated
            if len(seen) >= width:
                return
