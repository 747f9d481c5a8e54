"""A farm in numbers, for searches: states as tuples, what each body can do, what follows.

What it leaves out serves nobody: what was refused, feathers, events, the chat. Where every body's call can be
carried out it goes exactly as the world does, tick by tick; what comes to nothing is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from backburner.worlds.minecraft.game.actions import (
    GOTO,
    KILL,
    MINE,
    PUT_FUEL,
    PUT_IN_CHEST,
    PUT_ITEM,
    TAKE_OUT,
    spelt,
)
from backburner.worlds.minecraft.game.physics import (
    CHEST,
    COLLECTING_TICKS,
    COOLING,
    FUELS,
    FURNACE,
    MEAT_OF,
    MINING_TICKS,
    OAK_LOG,
    SMELTING_TICKS,
    WINDOW_TICKS,
    Cell,
    drops,
    killing_ticks,
    squared,
    stand_at,
    way_ticks,
)
from backburner.worlds.minecraft.game.transition import (
    LEAD_TICKS,
    NEAR_CHEST,
    REACH_DOUBLED,
    SIGHT,
    TAKING,
    TRAIL_TICKS,
    WAIT_TICKS,
    WORK,
)
from backburner.worlds.minecraft.game.world import Minecraft
from backburner.worlds.minecraft.oracle.order_bound import order_stream

NONE = -1
BURNS = FUELS[OAK_LOG]

Numbers = tuple[int, ...]


class Slots(NamedTuple):
    """The furnace: what is in it, as dishes by number, and how many; logs; for how long it burns yet."""

    input: int = NONE
    inputs: int = 0
    logs: int = 0
    output: int = NONE
    outputs: int = 0
    burning: int = 0
    progress: int = 0


class Node(NamedTuple):
    """A state of play.

    ``carried`` of each body: raw meats by the number of their dish, dishes, logs. ``closed``: of each dish
    how many orders were served or ran out, by when they run out; what lies in the chest for orders to come
    has served them already. ``kills``: for the meat of each dish; ``gone``: sites that do not stand.
    """

    tick: int
    step: int
    at: tuple[Cell, ...]
    carried: tuple[Numbers, ...]
    slots: Slots
    closed: Numbers
    served: int
    kills: Numbers
    gone: Numbers


class Move(NamedTuple):
    """What a body does in a step: ``verb`` with a ``thing``, for a ``dish``; it walks to ``goal`` for
    ``walk`` ticks, acts after so many more, and waits. ``targets``: (site, goal, walk) of what it may fall
    upon."""

    verb: str
    thing: str
    dish: int
    goal: Cell
    walk: int
    acting: int
    waiting: int = 0
    targets: tuple[tuple[int, Cell, int], ...] = ()


class Needs(NamedTuple):
    """The dishes for which meat is to be fetched, and whether a log is; whether bodies may also go where
    there is nothing for them to do, which passes time and may be a way round."""

    meats: tuple[bool, ...]
    log: bool
    ways: bool = False


class StateSpace:
    """The states of an episode. ``dues``: of each dish when its orders run out, in what orders count.

    ``first``: how many orders count, those that run out first; all of them if it is ``None``. ``way``,
    ``near``, ``meat`` and ``later`` remember the answers of the functions that they are named after.
    """

    def __init__(self, world: Minecraft, seed: int = 0, first: int | None = None) -> None:
        self.world, self.compiled, rules = world, world.compiled, world.rules
        self.dishes = self.compiled.dishes
        self.n = len(self.dishes)
        self.log = 2 * self.n
        self.raw = self.compiled.raw
        self.mobs = tuple(MEAT_OF[raw] for raw in self.raw)
        self.killing = tuple(map(killing_ticks, self.mobs))
        self.by_step = rules.orders_by_step
        limits = world.limits
        self.horizon: int = (limits.steps if self.by_step else limits.ticks) or 0
        late = int(self.by_step)
        stream = [order for order in order_stream(world, seed) if order.arrived + late <= order.last]
        stream = sorted(stream, key=lambda order: order.last)[:first]
        self.dues = [[order.last for order in stream if order.dish == dish] for dish in range(self.n)]
        self.total = len(stream)
        self.waiting = WAIT_TICKS if rules.putting_waits else 0
        self.ways = [(FURNACE, NONE), (CHEST, NONE), (OAK_LOG, NONE)]
        self.ways += [(mob, dish) for dish, mob in enumerate(self.mobs)]
        if rules.no_way_to_cows:
            self.ways = [way for way in self.ways if way[0] != "cow"]
        self.furnace_site = self.compiled.of_kind[FURNACE][0]
        self.chest_site = self.compiled.of_kind[CHEST][0]
        self._stream = seed if world.scenario.seed is None else world.scenario.seed
        # What is asked for again and again is worked out once.
        self.way, self.near, self.meat = cache(self._way), cache(self._near), cache(self._meat)
        self.later = cache(_later)
        self._options = cache(lambda *of: tuple(self._of(*of)))

    def start(self) -> Node:
        """Everybody where it begins."""
        spawns, none = self.world.scenario.spawns, (0,) * self.n
        empty = ((0,) * (2 * self.n + 1),) * len(spawns)
        return Node(0, 0, spawns, empty, Slots(), none, 0, none, ())

    def now(self, node: Node) -> int:
        """The time of a node, in what orders count."""
        return node.step if self.by_step else node.tick

    def words(self, moves: Sequence[Move]) -> tuple[str, ...]:
        """The calls of all bodies."""
        named = zip(self.compiled.names, moves, strict=True)
        return tuple(spelt(move.verb, name, move.thing) for name, move in named if move.verb)

    # --- places -----------------------------------------------------------------------------------------

    def _way(self, at: Cell, site: int) -> tuple[Cell, int]:
        """Where a body stops that goes up to a site, and for how many ticks it walks."""
        goal = stand_at(at, self.compiled.sites[site].at, self.compiled.taken) or at
        return goal, way_ticks(at, goal)

    def _near(self, at: Cell, kind: str, blocks: int) -> Numbers:
        """The sites of a kind within so many blocks, the nearest first."""
        sites = self.compiled.sites
        far = sorted((squared(at, sites[i].at), i) for i in self.compiled.of_kind.get(kind, ()))
        return tuple(site for square, site in far if square <= blocks * blocks)

    def opens(self, at: Cell, thing: Cell) -> bool:
        """Whether a block is within reach."""
        return 4 * squared(at, thing) <= REACH_DOUBLED * REACH_DOUBLED

    # --- moves ------------------------------------------------------------------------------------------

    def moves(self, node: Node, body: int, needs: Needs) -> tuple[Move, ...]:
        """What a body can do; of mobs and logs no more than is needed. The first is to do nothing."""
        return self._options(node.at[body], node.carried[body], node.slots, node.gone, needs)

    def _of(self, at: Cell, carried: Numbers, slots: Slots, gone: Numbers, needs: Needs) -> Iterator[Move]:
        yield Move("", "", NONE, at, 0, 0)
        yield from self._at_furnace(at, carried, slots)
        yield from self._at_chest(at, carried)
        for kind, dish in self.ways:
            if self._useful(kind, dish, at, carried, needs):
                standing = [site for site in self.near(at, kind, SIGHT) if site not in gone]
                goal, walk = self.way(at, standing[0]) if standing else (at, 0)
                if goal != at:
                    yield Move(GOTO, kind, dish, goal, walk, 0)
        for dish, mob in enumerate(self.mobs):
            if needs.meats[dish] and (targets := self.targets(at, mob, gone)):
                yield Move(KILL, mob, dish, at, 0, self.killing[dish], 0, targets)
        if needs.log and (targets := self.targets(at, OAK_LOG, gone)):
            yield Move(MINE, OAK_LOG, NONE, at, 0, MINING_TICKS + COLLECTING_TICKS, 0, targets)

    def _useful(self, kind: str, dish: int, at: Cell, carried: Numbers, needs: Needs) -> bool:
        """Whether a body that goes there may have something to do there."""
        if needs.ways:
            return True
        if kind == FURNACE:
            return not self.opens(at, self.compiled.furnace) and any((*carried[: self.n], carried[self.log]))
        if kind == CHEST:
            return squared(at, self.compiled.chest) > NEAR_CHEST**2 and any(carried[self.n : self.log])
        return needs.log if kind == OAK_LOG else needs.meats[dish]

    def _at_furnace(self, at: Cell, carried: Numbers, slots: Slots) -> Iterator[Move]:
        if self.opens(at, self.compiled.furnace):
            if carried[self.log]:
                yield Move(PUT_FUEL, OAK_LOG, NONE, at, 0, WINDOW_TICKS, self.waiting)
            for dish, raw in enumerate(self.raw):
                if carried[dish] and slots.input in (NONE, dish):
                    yield Move(PUT_ITEM, raw, dish, at, 0, WINDOW_TICKS, self.waiting)
        if (slots.outputs or slots.inputs) and squared(at, self.compiled.furnace) <= TAKING**2:
            yield Move(TAKE_OUT, "", NONE, *self.way(at, self.furnace_site), WINDOW_TICKS)

    def _at_chest(self, at: Cell, carried: Numbers) -> Iterator[Move]:
        chest = self.compiled.chest
        if squared(at, chest) <= NEAR_CHEST**2:
            way = (at, 0) if self.opens(at, chest) else self.way(at, self.chest_site)
            for dish, name in enumerate(self.dishes):
                if carried[self.n + dish]:
                    yield Move(PUT_IN_CHEST, name, dish, *way, WINDOW_TICKS)

    def targets(self, at: Cell, kind: str, gone: Numbers) -> tuple[tuple[int, Cell, int], ...]:
        return tuple((site, *self.way(at, site)) for site in self.near(at, kind, WORK) if site not in gone)

    # --- what follows -----------------------------------------------------------------------------------

    def after(self, node: Node, moves: Sequence[Move], order: Sequence[int] = ()) -> Node | None:
        """The node after a step, or ``None`` where a move comes to nothing.

        ``order``: the bodies in the order in which they choose their targets and act at the same tick, if not
        in that of their numbers.
        """
        begin = node.tick + LEAD_TICKS
        end, goals, taken, acts = begin, list(node.at), set[int](), []
        for turn, body in enumerate(order or range(len(moves))):
            move = moves[body]
            if not move.verb:
                continue
            goal, walk = move.goal, move.walk
            if move.targets:
                target = next((one for one in move.targets if one[0] not in taken), None)
                if target is None:
                    return None
                site, goal, walk = target
                taken.add(site)
            goals[body] = goal
            tick = begin + walk + move.acting
            acts.append((tick, turn, body))
            end = max(end, tick + move.waiting)
        now, slots, carried = node.tick, node.slots, list(node.carried)
        closed, served, kills = node.closed, node.served, node.kills
        for tick, _, body in sorted(acts):
            verb, dish = moves[body].verb, moves[body].dish
            if verb == GOTO:
                continue
            held = list(carried[body])
            if verb in (PUT_FUEL, PUT_ITEM, TAKE_OUT):
                slots, now = self.later(slots, tick - now), tick
                found = self._used(slots, held, verb, dish)
                if found is None:
                    return None
                slots = found
            elif verb == KILL:
                held[dish] += self.meat(dish, kills[dish])
                kills = _raised(kills, dish, kills[dish] + 1)
            elif verb == MINE:
                held[self.log] += 1
            else:
                held[self.n + dish] -= 1
                if self.by_step or tick <= self.horizon:
                    count = self.passed(dish, closed[dish], node.step + 1 if self.by_step else tick)
                    serves = count < len(self.dues[dish])
                    served += serves
                    closed = _raised(closed, dish, count + serves)
            carried[body] = tuple(held)
        end += TRAIL_TICKS
        gone = tuple(sorted(taken)) if self.world.rules.late_renewal else ()
        slots = self.later(slots, end - now)
        return Node(end, node.step + 1, tuple(goals), tuple(carried), slots, closed, served, kills, gone)

    def _used(self, slots: Slots, held: list[int], verb: str, dish: int) -> Slots | None:
        """The furnace after somebody has put something in, or taken out what is done."""
        if verb == PUT_FUEL:
            held[self.log] -= 1
            return slots._replace(logs=slots.logs + 1)
        if verb == PUT_ITEM:
            if slots.input not in (NONE, dish):
                return None
            held[dish] -= 1
            return slots._replace(input=dish, inputs=slots.inputs + 1)
        if not slots.outputs:
            return None
        held[self.n + slots.output] += slots.outputs
        return slots._replace(output=NONE, outputs=0)

    def passed(self, dish: int, closed: int, now: int) -> int:
        """How many orders of a dish are closed when those have run out that were due before ``now``."""
        dues = self.dues[dish]
        while closed < len(dues) and dues[closed] < now:
            closed += 1
        return closed

    def _meat(self, dish: int, kills: int) -> int:
        """How much meat for a dish the mob drops that is killed after so many others."""
        return drops(self._stream, self.mobs[dish], kills)[0][1]


def _raised(numbers: Numbers, place: int, number: int) -> Numbers:
    return (*numbers[:place], number, *numbers[place + 1 :])


def _later(slots: Slots, ticks: int) -> Slots:
    """The furnace so many ticks later; see ``game.physics.advance``."""
    dish, inputs, logs, output, outputs, burning, progress = slots
    while ticks > 0:
        smelts = inputs and (not outputs or output == dish)
        if smelts and not burning and logs:
            logs, burning = logs - 1, BURNS
        elif not smelts and progress and (burning or logs):
            progress = 0
        if burning and smelts:
            span = min(ticks, burning, SMELTING_TICKS - progress)
            burning, progress = burning - span, progress + span
            if progress == SMELTING_TICKS:
                inputs, output, outputs, progress = inputs - 1, dish, outputs + 1, 0
                dish = dish if inputs else NONE
        elif burning:
            span = min(ticks, burning)
            burning -= span
        elif progress:
            span = min(ticks, -(-progress // COOLING))
            progress = max(0, progress - COOLING * span)
        else:
            break
        ticks -= span
    return Slots(dish, inputs, logs, output, outputs, burning, progress)
