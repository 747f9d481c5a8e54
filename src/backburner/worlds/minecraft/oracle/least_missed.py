"""How many orders run out at the least from a state on, whatever is played, where orders go by ticks.

Each number is the least that play can take with everything else forgotten, so that it is never too high: how
soon one body could bring each thing into the chest, if it did nothing else; how long the furnace takes, and
from when on it can burn for so long; how much time of all bodies together the work takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
    squared,
    way_ticks,
)
from backburner.worlds.minecraft.game.transition import LEAD_TICKS, NEAR_CHEST, TRAIL_TICKS, WORK
from backburner.worlds.minecraft.oracle.state_space import BURNS, Node, StateSpace

BETWEEN = TRAIL_TICKS + LEAD_TICKS
"""Ticks between an action and the next of the same body."""

WINDOW = BETWEEN + WINDOW_TICKS
"""What it takes of a body's time to put one thing somewhere."""

LOGGING = MINING_TICKS + COLLECTING_TICKS
NEVER = 1 << 30


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
        self._times: dict[tuple[Cell, str], int] = {}
        self._walks: dict[Cell, int] = {}
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
        """Whether bodies have too little time for all that is to be done for the orders yet open.

        For each: the dish into the chest, its meat into the furnace, its mobs killed, its logs dug and put
        in; and once something taken out.
        """
        space, slots = self.space, node.slots
        cooked = [sum(held[space.n + dish] for held in node.carried) for dish in range(space.n)]
        raw = [sum(held[dish] for held in node.carried) for dish in range(space.n)]
        inside = [0] * space.n
        if slots.outputs:
            inside[slots.output] += slots.outputs
        if slots.inputs:
            inside[slots.input] += slots.inputs
        logs = sum(held[space.log] for held in node.carried)
        outputs, kills = slots.outputs, list(node.kills)
        work, taken = 0, False
        missing = -slots.burning - BURNS * slots.logs - (slots.progress if slots.inputs else 0)
        still_open = (
            (due, dish) for dish, dues in enumerate(space.dues) for due in dues[node.closed[dish] :]
        )
        for due, dish in sorted(still_open):
            work += WINDOW
            if cooked[dish]:
                cooked[dish] -= 1
                continue
            if not taken:
                work, taken = work + WINDOW, True
            if inside[dish]:
                inside[dish] -= 1
                if slots.output == dish and outputs:
                    outputs -= 1
                    continue
            else:
                work += WINDOW
                if not raw[dish]:
                    raw[dish] += space.meat(dish, kills[dish])
                    kills[dish] += 1
                    work += BETWEEN + space.killing[dish]
                raw[dish] -= 1
            missing += SMELTING_TICKS
            if missing > 0:
                missing -= BURNS
                work += WINDOW
                if logs:
                    logs -= 1
                else:
                    work += BETWEEN + LOGGING
            if work > len(node.at) * (due - node.tick + TRAIL_TICKS):
                return True
        return False

    # --- how soon ---------------------------------------------------------------------------------------

    def chest(self, at: Cell) -> int:
        """How soon a dish that is held there can be in the chest."""
        return self._known(at, CHEST, self._chest)

    def walk(self, at: Cell) -> int:
        """How long the way to the furnace is."""
        found = self._walks.get(at)
        if found is None:
            ways = (way_ticks(at, cell) for cell in self.at_furnace)
            found = self._walks[at] = min(ways, default=NEVER)
        return found

    def furnace(self, at: Cell) -> int:
        """How soon something that is held there can be in the furnace."""
        return self._known(at, FURNACE, self._furnace)

    def log(self, at: Cell) -> int:
        """How soon a body from there can put a log in that it has to dig."""
        return self._known(at, OAK_LOG, lambda at: self._hunted(at, OAK_LOG, LOGGING))

    def meat(self, at: Cell, dish: int) -> int:
        """How soon a body from there can put in meat for a dish that it has to come by."""
        mob = self.space.mobs[dish]
        return self._known(at, mob, lambda at: self._hunted(at, mob, self.space.killing[dish]))

    def _known(self, at: Cell, what: str, found: Callable[[Cell], int]) -> int:
        ticks = self._times.get((at, what))
        if ticks is None:
            ticks = self._times[at, what] = found(at)
        return ticks

    def _chest(self, at: Cell) -> int:
        if at in self.to_chest:
            return LEAD_TICKS + self.to_chest[at] + WINDOW_TICKS
        ways = (way_ticks(at, cell) + ticks for cell, ticks in self.to_chest.items())
        return LEAD_TICKS + min(ways, default=NEVER) + WINDOW

    def _furnace(self, at: Cell) -> int:
        if self.space.opens(at, self.space.compiled.furnace):
            return LEAD_TICKS + WINDOW_TICKS
        ways = (way_ticks(at, cell) for cell in self.openers)
        return LEAD_TICKS + min(ways, default=NEVER) + WINDOW

    def _hunted(self, at: Cell, kind: str, ticks: int) -> int:
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
