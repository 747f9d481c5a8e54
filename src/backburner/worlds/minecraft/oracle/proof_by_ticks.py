"""Proofs that too many of the orders that run out first are lost, whatever is played, where orders go by
ticks.

``LeastMissed`` tells how many orders run out at the least from a state on. Each of its numbers is the least
that play can take with everything else forgotten, so that it is never too high: how soon one body could bring
each thing into the chest, if it did nothing else; how long the furnace takes, and from when on it can burn
for so long; how much time of all bodies together the work takes.

``impossible`` looks at every play, where a step ends when everybody is done. Every call is tried that a body
can be given, and what else one could do to pass the time: a call that comes to nothing lasts no longer than
one of these. Two things keep this small. A state that was come to before, at the same time or earlier, is
left out: whatever follows could have followed then. And so is a state from which too many orders run out.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import permutations, product
from typing import NamedTuple

from backburner.kernel.oracle import Allowance
from backburner.worlds.minecraft.game.actions import GOTO, KILL, MINE
from backburner.worlds.minecraft.game.physics import (
    CHEST,
    COLLECTING_TICKS,
    FURNACE,
    MINING_TICKS,
    OAK_LOG,
    SMELTING_TICKS,
    WINDOW_TICKS,
    Cell,
    beside,
    killing_ticks,
    squared,
    way_ticks,
)
from backburner.worlds.minecraft.game.transition import LEAD_TICKS, NEAR_CHEST, SIGHT, TRAIL_TICKS, WORK
from backburner.worlds.minecraft.game.world import Minecraft
from backburner.worlds.minecraft.oracle.state_space import (
    BURNS,
    NONE,
    Move,
    Needs,
    Node,
    Numbers,
    Slots,
    StateSpace,
)

BETWEEN = TRAIL_TICKS + LEAD_TICKS
"""Ticks between an action and the next of the same body."""

WINDOW = BETWEEN + WINDOW_TICKS
"""What it takes of a body's time to put one thing somewhere."""

LOGGING = MINING_TICKS + COLLECTING_TICKS
NEVER = 1 << 30


class Costs(NamedTuple):
    """What of a body's time it takes to put something somewhere, to kill each dish's mob, to dig a log."""

    put: int
    killing: Sequence[int]
    digging: int


class Stock(NamedTuple):
    """What bodies have in all; of each dish how many are inside the furnace, how many of these are cooked,
    and how many mobs were killed for it."""

    held: list[int]
    inside: list[int]
    cooked: list[int]
    kills: list[int]


def overworked(
    space: StateSpace, closed: Numbers, stock: Stock, burns: int, costs: Costs, left: Callable[[int], int]
) -> bool:
    """Whether bodies have too little time for all that is to be done for the orders yet open.

    For each: the dish into the chest, its meat into the furnace, its mobs killed, its logs dug and put in;
    and once something taken out. ``burns``: for how many ticks the furnace can burn yet; ``left``: the time
    of all bodies together until an order runs out.
    """
    held, inside, cooked, kills = stock
    logs, work, taken = held[space.log], 0, False
    missing = -burns
    still_open = ((due, dish) for dish, dues in enumerate(space.dues) for due in dues[closed[dish] :])
    for due, dish in sorted(still_open):
        work += costs.put
        if held[space.n + dish]:
            held[space.n + dish] -= 1
            continue
        work, taken = work + costs.put * (not taken), True
        if inside[dish]:
            inside[dish] -= 1
            if cooked[dish]:
                cooked[dish] -= 1
                continue
        else:
            work += costs.put
            if not held[dish]:
                held[dish] += space.meat(dish, kills[dish])
                kills[dish] += 1
                work += costs.killing[dish]
            held[dish] -= 1
        missing += SMELTING_TICKS
        if missing > 0:
            missing -= BURNS
            work += costs.put + costs.digging * (not logs)
            logs -= logs > 0
        if work > left(due):
            return True
    return False


class LeastMissed:
    """How many orders run out at the least, from a node on."""

    def __init__(self, space: StateSpace) -> None:
        self.space = space
        compiled = space.compiled
        near = {cell for site in compiled.sites for cell in beside(site.at)} - compiled.taken
        self.cells = near | set(space.world.scenario.spawns)
        self.at_furnace = [cell for cell in beside(compiled.furnace) if cell not in compiled.taken]
        self.to_chest = {
            cell: 0 if space.opens(cell, compiled.chest) else space.way(cell, space.chest_site)[1]
            for cell in self.cells
            if squared(cell, compiled.chest) <= NEAR_CHEST**2
        }
        self.openers = [cell for cell in self.cells if space.opens(cell, compiled.furnace)]
        self.chest, self.walk, self.furnace = cache(self._chest), cache(self._walk), cache(self._furnace)
        self.meat = cache(self._meat)
        self.log = cache(lambda at: self._fetched(at, OAK_LOG, LOGGING))
        self.costs = Costs(WINDOW, [BETWEEN + killing for killing in space.killing], BETWEEN + LOGGING)
        # From when something is taken out of the furnace until it is in the chest.
        self.tail = BETWEEN - LEAD_TICKS + min(map(self.chest, self.at_furnace), default=NEVER)

    def more_than(self, missed: int, node: Node) -> bool:
        """Whether more orders run out, whatever is played; the quicker question."""
        return self._late(node) > missed or (
            sum(node.closed) - node.served >= missed and self._overworked(node)
        )

    def missed(self, node: Node) -> int:
        """The least number of orders that run out."""
        return max(self._late(node), sum(node.closed) - node.served + self._overworked(node))

    def _late(self, node: Node) -> int:
        """How many run out by what each body does by itself, and by what the furnace does."""
        space, now = self.space, node.tick
        bodies = tuple(zip(node.at, node.carried, strict=True))
        slots = node.slots
        fire = slots.burning + BURNS * slots.logs
        fuel = now + min(self.furnace(at) if held[space.log] else self.log(at) for at, held in bodies)
        lost = sum(node.closed) - node.served
        cooked_by: list[int] = []
        for dish, dues in enumerate(space.dues):
            if node.closed[dish] == len(dues):
                continue
            items = sorted(self._items(node, dish, fire, fuel))
            fresh = now + min(self.meat(at, dish) for at in node.at) + SMELTING_TICKS
            fresh = max(fresh, self._burnt(now, SMELTING_TICKS, fire, fuel)) + self.tail
            at = 0
            for due in dues[node.closed[dish] :]:
                if at < len(items) and items[at][0] <= due:
                    if items[at][1]:
                        cooked_by.append(due)
                    at += 1
                elif fresh <= due:
                    cooked_by.append(due)
                else:
                    lost += 1
        ticks = -slots.progress if slots.inputs else 0
        for due in sorted(cooked_by):
            ticks += SMELTING_TICKS
            if self._burnt(now, ticks, fire, fuel) + self.tail > due:
                lost += 1
                ticks -= SMELTING_TICKS
        return lost

    @staticmethod
    def _burnt(now: int, ticks: int, fire: int, fuel: int) -> int:
        """When the furnace has burnt for so many ticks, if ``fire`` is left in it and more comes at
        ``fuel``."""
        missing = ticks - fire
        return now + ticks if missing <= 0 else max(now + ticks, fuel + (missing - 1) % BURNS + 1)

    def _items(self, node: Node, dish: int, fire: int, fuel: int) -> Iterator[tuple[int, bool]]:
        """When each thing that there is of a dish can be in the chest, and whether it is to be cooked."""
        space, now, slots = self.space, node.tick, node.slots
        if slots.output == dish:
            take = min(map(self.walk, node.at))
            for _ in range(slots.outputs):
                yield now + LEAD_TICKS + take + WINDOW_TICKS + self.tail, False
        if slots.input == dish:
            for number in range(1, slots.inputs + 1):
                ticks = SMELTING_TICKS * number - slots.progress
                yield self._burnt(now, ticks, fire, fuel) + self.tail, True
        for at, held in zip(node.at, node.carried, strict=True):
            for number in range(held[space.n + dish]):
                yield now + self.chest(at) + number * WINDOW, False
            for number in range(held[dish]):
                put = now + self.furnace(at) + number * WINDOW
                cooked = max(put + SMELTING_TICKS, self._burnt(now, SMELTING_TICKS, fire, fuel))
                yield cooked + self.tail, True

    def _overworked(self, node: Node) -> bool:
        """Whether bodies have too little time for all that is to be done for the orders yet open."""
        space, slots = self.space, node.slots
        inside, cooked = [0] * space.n, [0] * space.n
        if slots.outputs:
            inside[slots.output], cooked[slots.output] = slots.outputs, slots.outputs
        if slots.inputs:
            inside[slots.input] += slots.inputs
        stock = Stock(
            [sum(held) for held in zip(*node.carried, strict=True)], inside, cooked, list(node.kills)
        )
        burnt = slots.burning + BURNS * slots.logs + (slots.progress if slots.inputs else 0)

        def left(due: int) -> int:
            return len(node.at) * (due - node.tick + TRAIL_TICKS)

        return overworked(space, node.closed, stock, burnt, self.costs, left)

    # --- how soon ---------------------------------------------------------------------------------------

    def _chest(self, at: Cell) -> int:
        """How soon a dish that is held there can be in the chest."""
        if at in self.to_chest:
            return LEAD_TICKS + self.to_chest[at] + WINDOW_TICKS
        ways = (way_ticks(at, cell) + ticks for cell, ticks in self.to_chest.items())
        return LEAD_TICKS + min(ways, default=NEVER) + WINDOW

    def _walk(self, at: Cell) -> int:
        """How long the way to the furnace is."""
        return min((way_ticks(at, cell) for cell in self.at_furnace), default=NEVER)

    def _furnace(self, at: Cell) -> int:
        """How soon something that is held there can be in the furnace."""
        if self.space.opens(at, self.space.compiled.furnace):
            return LEAD_TICKS + WINDOW_TICKS
        ways = (way_ticks(at, cell) for cell in self.openers)
        return LEAD_TICKS + min(ways, default=NEVER) + WINDOW

    def _meat(self, at: Cell, dish: int) -> int:
        """How soon a body from there can put in meat for a dish that it has to come by."""
        return self._fetched(at, self.space.mobs[dish], self.space.killing[dish])

    def _fetched(self, at: Cell, kind: str, ticks: int) -> int:
        """A body walks up to something, in a step of its own if it is far, falls upon it, goes to the furnace
        and puts in what it has got."""
        compiled = self.space.compiled
        least = NEVER
        for site in compiled.of_kind.get(kind, ()):
            thing = compiled.sites[site].at
            away = BETWEEN if squared(at, thing) > WORK * WORK else 0
            for cell in beside(thing):
                if cell not in compiled.taken:
                    least = min(least, way_ticks(at, cell) + away + self.furnace(cell))
        return LEAD_TICKS + least + ticks + BETWEEN - LEAD_TICKS


EVERYTHING = Needs((), log=True, ways=True)


def provable(world: Minecraft) -> bool:
    """Whether the rules are those that a proof is about."""
    rules = world.rules
    others = (rules.orders_by_step, rules.errors_end_step, rules.putting_waits, rules.late_renewal)
    return not any(others) and not rules.no_way_to_cows


def impossible(world: Minecraft, seed: int, first: int, missed: int, allowance: Allowance) -> bool:
    """Whether it is proven that of so many orders, those that run out first, more than ``missed`` run out,
    whatever is played; false if nothing was proven before the allowance was over."""
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
            allowance.count()
            if allowance.is_over:
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
