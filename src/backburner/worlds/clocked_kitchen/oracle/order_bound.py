"""How many orders of a clocked kitchen's episode can be served at the most, by any play.

The relaxations are those of the text game (``cuisineworld.oracle.order_bound``), in ticks: what hands do in a
tick counts as done by its end. What a dish takes is its least work along shortest ways, and for each
ingredient the way to its shelf besides: who takes it comes from where something was put down before, or from
where it began. The hands that are used last are not free again by the end: each body may owe so much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from math import ceil

from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.policy import once_per_world
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.rule_set import TEXT_RULES
from backburner.worlds.clocked_kitchen.game.world import ClockedKitchen
from backburner.worlds.clocked_kitchen.oracle.least_work import LeastWork
from backburner.worlds.cuisineworld.game.compiled import STORAGE
from backburner.worlds.cuisineworld.game.rule_set import Limits
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.oracle.order_bound import DishWork, Relaxations
from backburner.worlds.cuisineworld.oracle.order_bound import order_stream as text_orders
from backburner.worlds.dispatch.bounds import StreamedOrder


@once_per_world
def text_game(world: ClockedKitchen) -> CuisineWorld:
    """The same kitchen as the text game has it, with its orders. Raises ``Refused`` without an end of
    play."""
    if world.limits.ticks is None:
        raise Refused(f"{world.id}: nothing is measured without an end of play; give limits with ticks")
    steps = ceil(world.limits.ticks / world.scenario.clock.step_ticks)
    return CuisineWorld(world.id, world.scenario.kitchen, TEXT_RULES, Limits(steps))


def order_stream(world: ClockedKitchen) -> Sequence[StreamedOrder]:
    """The orders of an episode, in steps of the text game; raises ``Refused`` where there is no bound."""
    return text_orders(text_game(world))


def most_served(world: ClockedKitchen) -> int:
    """How many orders no play serves more than; raises what ``order_stream`` raises."""
    compiled, ticks = world.compiled, world.limits.ticks or 0
    relaxations = Relaxations(
        [_Deeds(compiled, dish).work() for dish in compiled.kitchen.dishes],
        Counter(kind.name for kind in compiled.kitchen.kinds),
        len(compiled.names),
        ticks,
        over=compiled.clock.hand_ticks - 1,
    )
    step = compiled.clock.step_ticks
    # One that comes while its dish lies on a table is served in the moment in which it comes.
    in_ticks = (
        replace(order, arrived=order.arrived * step - 1, last=order.last * step)
        for order in order_stream(world)
        if order.arrived * step <= ticks
    )
    possible = [order for order in in_ticks if relaxations.in_time(order)]
    return min(len(possible), *relaxations.served(possible).values())


class _Deeds:
    """What is done for a dish: ticks of bodies and of tools, and when each can be done at the earliest."""

    def __init__(self, compiled: Compiled, dish: str) -> None:
        floor, kitchen = compiled.floor, compiled.kitchen
        self.least, self.floor, self.hand = LeastWork(compiled), floor, compiled.clock.hand_ticks
        self.starts = floor.entrances[: len(compiled.names)]
        put_down = [target for target in floor.targets if kitchen.roles[target.place] != STORAGE]
        looks = (enumerate(target.looks) for target in put_down)
        self.sources = {*self.starts, *(cell for of in looks for cell, look in of if look >= 0)}
        self.body_ticks = 0
        self.tool_ticks: Counter[str] = Counter()
        self.heads: dict[str, int] = {}
        self.tails: dict[str, int] = {}
        self.dish = dish

    def work(self) -> DishWork:
        """All of it; steps are ticks, of which the first is 1."""
        served = self._visit(self.dish, "", 0)
        return DishWork(self.body_ticks, 0, self.tool_ticks, served + 1, self.heads, self.tails)

    def _visit(self, thing: str, used_in: str, tail: int) -> int:
        """Count what a thing takes; the earliest tick in which it is put where it is used.

        ``tail``: ticks from then until the dish is put on a table.
        """
        recipe, hand = self.least.recipes.get(thing), self.hand
        if recipe is None:
            way = self.least.way_from_shelf(thing, used_in)
            self.body_ticks += self._to_shelf(thing, self.sources) + 2 * hand + way
            return self._to_shelf(thing, self.starts) + hand + way
        tool = recipe.tool
        works, holds = self.least.works(tool), self.least.kinds[tool].holds_body
        carried = 0 if tool == used_in else hand + self.least.way(thing, used_in)
        self.body_ticks += max(hand, works if holds else 0) + carried + (hand if carried else 0)
        self.tool_ticks[tool] += works
        self.tails[tool] = min(tail + carried, self.tails.get(tool, tail + carried))
        started = max(self._visit(name, tool, works + carried + tail) for name in recipe.inputs)
        self.heads[tool] = min(started + 1, self.heads.get(tool, started + 1))
        return started + works + carried

    def _to_shelf(self, ingredient: str, cells: Collection[int]) -> int:
        shelves = [self.floor.targets[number] for number in self.least.shelves(ingredient)]
        return self.least.cell * min(shelf.distance[cell] for shelf in shelves for cell in cells)
