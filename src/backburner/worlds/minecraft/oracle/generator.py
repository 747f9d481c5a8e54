"""New farms, made from seeds that count up; and what is measured of any.

How hard a farm is to walk on, its mean way tells: in blocks, from the furnace to the chest, to each log and
to the nearest mob for each dish.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.generating import Draft, Draw, Structure
from backburner.kernel.oracle import Solution
from backburner.kernel.pack import Argument
from backburner.kernel.schedule import Resource
from backburner.worlds.dispatch.bounds import StreamedOrder
from backburner.worlds.dispatch.generating import OrderGenerator, jobs, works
from backburner.worlds.minecraft.game.actions import Calls
from backburner.worlds.minecraft.game.physics import (
    FURNACE,
    MEAT_OF,
    RAW,
    TICKS_A_SECOND,
    way_length,
)
from backburner.worlds.minecraft.game.scenarios import (
    MAX_TAU,
    MIN_TAU,
    MOST_BODIES,
    MOST_SEEDS,
    STEP_TICKS,
    Site,
    dish_graph,
    farm,
)
from backburner.worlds.minecraft.game.world import Minecraft
from backburner.worlds.minecraft.oracle.order_bound import first_served, order_stream

DIALS: Mapping[str, str] = {
    "ways": "the mean way from the furnace to what dishes take and to the chest, in blocks",
    "decisions": "steps of the proven plan in which somebody is given something to do",
    "width": "time in which bots act in the proven plan, over its last delivery",
    "attention": "the share of their time in which bots act in the proven plan",
    "contention": "how much of the time until the last delivery takes the furnace, by the article's graph",
    "slack": "how long orders wait, over a time within which nobody serves one; the median",
    "pressure": "the work of bots for all orders, by the article's graph, over all that they can do",
    "distractors": "the share of mobs and blocks that no order needs",
    "lures": "the share of actions on menus that no order needs",
    "hidden": "the share of facts that are not told at first: the orders to come",
    "gap": "orders that a script serves fewer than the most, as a share of those",
}


def mean_way(blocks: Sequence[Site], mobs: Sequence[Site], dishes: Sequence[str]) -> float:
    """The mean way from the furnace to what dishes take and to the chest, in blocks."""
    ways = list(_ways(blocks, mobs, dishes))
    return sum(ways) / len(ways) / 1000


def _ways(blocks: Sequence[Site], mobs: Sequence[Site], dishes: Sequence[str]) -> Iterator[int]:
    furnace = next(block.at for block in blocks if block.kind == FURNACE)
    for block in blocks:
        if block.kind != FURNACE:
            yield way_length(furnace, block.at)
    for dish in dishes:
        of_dish = [mob.at for mob in mobs if mob.kind == MEAT_OF[RAW[dish]]]
        yield min(way_length(furnace, mob) for mob in of_dish)


class FarmGenerator(OrderGenerator):
    """Farms with what two dishes or more take."""

    help = "Make new farms, from seeds that count up."
    arguments = (
        Argument(name="bodies", kind="whole number", least=1, default=2, help="How many bots."),
        Argument(name="tau", kind="number", least=0.1, default=2.0, help="The pace of orders."),
    )
    dials = DIALS
    early = ("ways",)
    things = "farms"
    lengths = ((3, 3),)

    def draft(self, parameters: Mapping[str, Any], options: Mapping[str, Any], draw: Draw) -> Draft:
        """The farm of a seed; raises ``Refused``."""
        bodies, tau = options["bodies"], float(options["tau"])
        if bodies > MOST_BODIES or not MIN_TAU <= tau <= MAX_TAU or draw.seed > MOST_SEEDS:
            limits = f"bodies {MOST_BODIES}, tau {MIN_TAU} to {MAX_TAU}, seed {MOST_SEEDS}"
            raise Refused(f"too many, or out of range; the most are {limits}")
        level = farm(draw.seed)
        places = {name: to_builtins(getattr(level, name)) for name in ("dishes", "blocks", "mobs", "spawns")}
        return Draft({**places, "bodies": bodies, "tau": tau}, path=level.name)

    def orders(self, world: Any) -> Sequence[StreamedOrder]:
        """Those of the stream, in the unit in which orders count; they may wait on when play is over."""
        horizon, waits = _horizon(world), world.compiled.lifetime
        return [
            replace(order, last=order.arrived + waits)
            for order in order_stream(world)
            if order.arrived < horizon
        ]

    def structure(self, world: Any) -> Structure:
        """The article's task graph for each order, in seconds; a step stands for five."""
        orders, compiled = self.orders(world), world.compiled
        graphs = [dish_graph(dish).activities for dish in compiled.dishes]
        held = [sum(activity.operator_time for activity in graph) for graph in graphs]

        def least(dish: int) -> tuple[int, int]:
            return _seconds(world, first_served(world, compiled.dishes[dish])), held[dish]

        def seconds(time: int) -> int:
            return _seconds(world, time)

        return Structure(
            activities=tuple(works(orders, graphs.__getitem__, seconds)),
            resources=(Resource(FURNACE),),
            bodies=compiled.names,
            jobs=tuple(jobs(orders, least, seconds)),
            objects={
                f"{site.kind} {number}": site.kind in _needed(world)
                for number, site in enumerate(world.scenario.sites)
            },
            told={"recipes": (len(compiled.dishes), 0), "orders": (len(orders), len(orders) - 1)},
            ground=_ground(world),
            horizon=seconds(_horizon(world)),
        )

    def is_needed(self, world: Any, decision: Calls) -> bool:
        """Whether no mob is named that no order needs."""
        unneeded = set(world.compiled.mob_kinds) - _needed(world)
        return not any(kind in call for call in decision.calls for kind in unneeded)

    def own(self, world: Any, solution: Solution | None, decisions: Sequence[Any]) -> Mapping[str, float]:
        """The mean way, and with a plan its steps in which something is done."""
        scenario = world.scenario
        ways = {"ways": mean_way(scenario.blocks, scenario.mobs, world.compiled.dishes)}
        if solution is None:
            return ways
        return ways | {"decisions": sum(any(given.calls for given in each.values()) for each in decisions)}


def _horizon(world: Minecraft) -> int:
    """The end of play in the unit in which orders count; ``order_stream`` refuses episodes without one."""
    limits = world.limits
    return (limits.steps if world.rules.orders_by_step else limits.ticks) or 0


def _seconds(world: Minecraft, time: int) -> int:
    return time * STEP_TICKS // TICKS_A_SECOND if world.rules.orders_by_step else time // TICKS_A_SECOND


def _needed(world: Minecraft) -> set[str]:
    """The kinds of mobs and blocks that orders of the episode need."""
    ordered = {world.compiled.dishes[order.dish] for order in order_stream(world)}
    return {*world.compiled.block_kinds, *(MEAT_OF[RAW[dish]] for dish in ordered)}


def _ground(world: Minecraft) -> tuple[tuple[int, ...], ...]:
    """The ways between all things, in blocks."""
    sites = [site.at for site in world.scenario.sites]
    return tuple(tuple(round(way_length(here, there) / 1000) for there in sites) for here in sites)


GENERATOR = FarmGenerator()
