"""How many orders of a Minecraft episode can be served at the most, by any play.

All orders are known, as they arrive by the clock alone. What is forgotten is nearly everything else:

* an order cannot be served before its dish can lie in the chest for the first time (``first_served``);
* where orders go by ticks, the furnace works 200 ticks for each dish, from when it can first be lit, and what
  it has done last must still be carried to the chest;
* where they go by steps, bodies put each dish's meat into the furnace and the dish into the chest, one a
step, and hit at least one mob for the meat that it drops at the most.

Each is the problem of the most jobs on time on one machine, all there from the start
(``scheduling.makespan``). The least of the answers bounds ``served``. The same over the orders that run out
within the episode bounds ``failed`` from below. As served / (served + failed) grows with the one and falls
with the other, it is bounded too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.scoring import Measures
from backburner.scheduling.makespan import DueWork, most_on_time
from backburner.worlds.dispatch import bounds
from backburner.worlds.dispatch.bounds import OrderBound, StreamedOrder
from backburner.worlds.minecraft.game.order_book import arriving
from backburner.worlds.minecraft.game.physics import (
    MEAT_OF,
    MOBS,
    RAW,
    SMELTING_TICKS,
    SPRINT_MILLIBLOCKS_A_SECOND,
    TICKS_A_SECOND,
    WINDOW_TICKS,
    Cell,
    killing_ticks,
    squared,
)
from backburner.worlds.minecraft.game.transition import (
    LEAD_TICKS,
    NEAR_CHEST,
    REACH_DOUBLED,
    TRAIL_TICKS,
    WORK,
)
from backburner.worlds.minecraft.game.world import Minecraft


def bounds_of(episode: Episode) -> Measures:
    """``MOST_SERVED`` and ``LEAST_FAILED`` of a recorded episode; empty where it has no end, and where it
    was played on a server, which need not keep to the times of the rules."""
    if episode.header.scenario.get("live"):
        return {}
    return bounds.bounds_of(episode, order_bound)


def order_stream(world: Minecraft, seed: int = 0) -> tuple[StreamedOrder, ...]:
    """The orders that arrive in an episode; raises ``Refused`` if it has no end."""
    horizon = world.limits.steps if world.rules.orders_by_step else world.limits.ticks
    if horizon is None:
        raise Refused(f"{world.id}: no bound without an end of play; give limits with {world.compiled.unit}")
    stream = seed if world.scenario.seed is None else world.scenario.seed
    orders = []
    for number, arrived in enumerate(range(0, horizon + 1, world.compiled.interval)):
        order = arriving(world.compiled, stream, number, arrived)
        orders.append(StreamedOrder(order.dish, arrived, min(order.due, horizon), order.due < horizon))
    return tuple(orders)


def order_bound(world: Minecraft, seed: int = 0) -> OrderBound:
    """The bounds of one episode; raises what ``order_stream`` raises."""
    orders = order_stream(world, seed)
    by_step = world.rules.orders_by_step
    first = [first_served(world, dish) for dish in world.compiled.dishes]
    # What comes at the very end of the last step can be served no more.
    late = int(by_step)
    possible = [order for order in orders if max(first[order.dish], order.arrived + late) <= order.last]
    machines = _bodies if by_step else _furnace
    served = most_on_time(machines(world, possible))
    expiring = [order for order in orders if order.expires]
    kept = most_on_time(machines(world, [order for order in possible if order.expires]))
    return OrderBound(served, len(expiring) - kept)


def _furnace(world: Minecraft, orders: Iterable[StreamedOrder]) -> Iterator[DueWork]:
    """Each order as 200 ticks of the furnace, from when it is first lit until there is time to carry it
    away."""
    head = min(_first_lit(world, dish) for dish in world.compiled.dishes)
    tail = _carried(world)
    for order in orders:
        yield DueWork(SMELTING_TICKS, max(0, order.last - head - tail))


def _bodies(world: Minecraft, orders: Iterable[StreamedOrder]) -> Iterator[DueWork]:
    """Each order as steps of bodies: its meat into the furnace, the dish into the chest, its share of a
    mob."""
    for order in orders:
        mob = MOBS[MEAT_OF[world.compiled.raw[order.dish]]]
        yield DueWork(2 + Fraction(1, mob.drops[0][2]), world.scenario.bodies * order.last)


# --- the first dish --------------------------------------------------------------------------------------


def first_served(world: Minecraft, dish: str) -> int:
    """A time before which no such dish can be served, in the unit in which orders count."""
    return _first_step(world, dish) if world.rules.orders_by_step else _first_tick(world, dish)


def _first_tick(world: Minecraft, dish: str) -> int:
    """A tick before which no such dish can lie in the chest: one body is lucky with everything."""
    return _first_lit(world, dish) + SMELTING_TICKS + _carried(world)


def _first_lit(world: Minecraft, dish: str) -> int:
    """A tick before which no meat for this dish can lie in the furnace.

    A body walks to a mob, kills it, and comes into reach of the furnace.
    """
    kind = MEAT_OF[RAW[dish]]
    killing, furnace = killing_ticks(kind), world.compiled.furnace
    ways = (
        _walk(spawn, mob.at, 1) + _walk(mob.at, furnace, 1 + REACH_DOUBLED / 2)
        for spawn in world.scenario.spawns
        for mob in world.scenario.mobs
        if mob.kind == kind
    )
    return LEAD_TICKS + min(ways) + killing + _between(world) + WINDOW_TICKS


def _carried(world: Minecraft) -> int:
    """Ticks from when something is cooked until it can be in the chest: it is taken, and brought near."""
    way = _walk(world.compiled.furnace, world.compiled.chest, 1 + REACH_DOUBLED / 2)
    return _between(world) + way + WINDOW_TICKS


def _between(world: Minecraft) -> int:
    """Ticks from the end of an action to the beginning of the next; less where it may end in what is left of
    a step that another one's error has ended."""
    return LEAD_TICKS if world.rules.errors_end_step else TRAIL_TICKS + LEAD_TICKS


def _walk(start: Cell, end: Cell, spared: float) -> int:
    """Ticks that any way takes from one cell to within ``spared`` blocks of another."""
    blocks = max(0.0, math.sqrt(squared(start, end)) - spared)
    return math.floor(blocks * 1000 * TICKS_A_SECOND / SPRINT_MILLIBLOCKS_A_SECOND)


def _first_step(world: Minecraft, dish: str) -> int:
    """The number of a step before which no such dish can lie in the chest.

    Kill, put in, take out and put into the chest are steps of their own, in this order: what is put in is not
    done before the step's last walk is. So are those in which a body has to go where the next is done.
    """
    scenario, furnace = world.scenario, world.compiled.furnace
    kind = MEAT_OF[RAW[dish]]
    mobs = [mob.at for mob in scenario.mobs if mob.kind == kind]
    steps = 4
    steps += not any(squared(spawn, mob) <= WORK * WORK for spawn in scenario.spawns for mob in mobs)
    steps += not any(math.sqrt(squared(mob, furnace)) <= 1 + REACH_DOUBLED / 2 for mob in mobs)
    steps += math.sqrt(squared(furnace, world.compiled.chest)) > 1 + NEAR_CHEST
    return steps
