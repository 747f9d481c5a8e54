"""Whether the orders that run out first can all be served, but for some: a proof by looking at every play.

It is made where orders go by ticks and a step ends when everybody is done. Every call is tried that a body
can be given, and what else one could do to pass the time: a call that comes to nothing lasts no longer than
one of these. Two things keep this small. A state that was come to before, at the same time or earlier, is
left out: whatever follows could have followed then. And a state from which too many orders run out by
``least_missed`` is left out.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator
from itertools import permutations, product

from backburner.worlds.minecraft.game.actions import GOTO, KILL, MINE
from backburner.worlds.minecraft.game.physics import (
    CHEST,
    FURNACE,
    OAK_LOG,
    WINDOW_TICKS,
    Cell,
    killing_ticks,
)
from backburner.worlds.minecraft.game.transition import SIGHT
from backburner.worlds.minecraft.game.world import Minecraft
from backburner.worlds.minecraft.oracle.least_missed import LOGGING, LeastMissed
from backburner.worlds.minecraft.oracle.state_space import (
    NONE,
    Move,
    Needs,
    Node,
    Numbers,
    Slots,
    StateSpace,
)

EVERYTHING = Needs((), log=True, ways=True)


def provable(world: Minecraft) -> bool:
    """Whether the rules are those that a proof is about."""
    rules = world.rules
    others = (rules.orders_by_step, rules.errors_end_step, rules.putting_waits, rules.late_renewal)
    return not any(others) and not rules.no_way_to_cows


def impossible(world: Minecraft, seed: int, first: int, missed: int, until: float) -> bool:
    """Whether it is proven that of so many orders, those that run out first, more than ``missed`` run out,
    whatever is played; false if nothing was proven by then."""
    space = EveryMove(world, seed, first)
    least = LeastMissed(space)
    start = space.start()
    queue = [(0, 0, start)]
    seen = set[object]()
    number = 0
    while queue:
        *_, node = heapq.heappop(queue)
        key = _key(node)
        if key in seen:
            continue
        seen.add(key)
        for after in space.following(node):
            if time.monotonic() > until:
                return False
            if _key(after) in seen or least.more_than(missed, after):
                continue
            if sum(after.closed) == first:
                return False
            number += 1
            heapq.heappush(queue, (after.tick, number, after))
    return True


def _key(node: Node) -> object:
    """What two nodes have in common that differ by their time alone, and by which body is which."""
    bodies = tuple(sorted(zip(node.at, node.carried, strict=True)))
    return bodies, node.slots, node.closed, node.served, node.kills


class EveryMove(StateSpace):
    """A state space with all that a body can do, and with all lengths of time that this takes."""

    def following(self, node: Node) -> Iterator[Node]:
        """All that can follow a node, whoever of several bodies is first."""
        bodies = range(len(node.at))
        for moves in product(*(self.moves(node, body, EVERYTHING) for body in bodies)):
            several = sum(move.verb not in ("", GOTO) or bool(move.targets) for move in moves) > 1
            for order in permutations(bodies) if several else (bodies,):
                after = self.after(node, moves, order)
                if after is not None:
                    yield self._settled(after)

    def _settled(self, node: Node) -> Node:
        """Without what serves nobody any more."""
        closed = tuple([self.passed(dish, count, node.tick) for dish, count in enumerate(node.closed)])
        carried, kills = list(node.carried), list(node.kills)
        for dish, count in enumerate(closed):
            if count == len(self.dues[dish]):
                kills[dish] = 0
                for body, held in enumerate(carried):
                    if held[dish] or held[self.n + dish]:
                        left = list(held)
                        left[dish] = left[self.n + dish] = 0
                        carried[body] = tuple(left)
        return node._replace(closed=closed, carried=tuple(carried), kills=tuple(kills))

    def _of(self, at: Cell, carried: Numbers, slots: Slots, gone: Numbers, needs: Needs) -> Iterator[Move]:
        yield Move("", "", NONE, at, 0, 0)
        # What is refused at the furnace or the chest, and what is put there in vain.
        yield Move(GOTO, "", NONE, at, 0, WINDOW_TICKS)
        yield from self._at_furnace(at, carried, slots)
        yield from self._at_chest(at, carried)
        for kind in (*self.compiled.block_kinds, *self.compiled.mob_kinds):
            sites = self.near(at, kind, SIGHT)
            goal, walk = self.way(at, sites[0]) if sites else (at, 0)
            if goal != at:
                yield Move(GOTO, kind, NONE, goal, walk, 0)
                if kind in (FURNACE, CHEST):
                    yield Move(GOTO, kind, NONE, goal, walk, WINDOW_TICKS)
        for kind in self.compiled.mob_kinds:
            dish = self.mobs.index(kind) if kind in self.mobs else NONE
            if targets := self.targets(at, kind, gone):
                verb = GOTO if dish == NONE else KILL
                yield Move(verb, kind, dish, at, 0, killing_ticks(kind), 0, targets)
        if targets := self.targets(at, OAK_LOG, gone):
            yield Move(MINE, OAK_LOG, NONE, at, 0, LOGGING, 0, targets)
