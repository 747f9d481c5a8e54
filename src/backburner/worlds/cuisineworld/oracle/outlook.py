"""What orders are left to be served, and what that takes at the least: when a search may turn back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.oracle.bound import Job, StreamedOrder, most_on_time
from backburner.worlds.cuisineworld.oracle.model import KitchenModel, Scene
from backburner.worlds.cuisineworld.oracle.prospects import Prospects
from backburner.worlds.cuisineworld.oracle.steps import Steps

Taken = tuple[int, ...]
"""For each dish how many of its orders, by arrival, were served or lost."""

HOPELESS = 1 << 30


class Outlook(Struct, frozen=True):
    """What a scene needs to reach the target: so much worth, and no more of anything than ``limit``
    (in fields, with guard bits; see ``cuisineworld_prospects``). ``steps``: what may be of use next."""

    least_worth: int
    limit: int
    steps: Steps


class Orders:
    """The orders of an episode by dish.

    A dish on the table serves the next order for it, even one that is still to come: dishes keep, and who
    ordered a dish first waits no longer than who did later.
    """

    def __init__(self, world: CuisineWorld, stream: Iterable[StreamedOrder], horizon: int) -> None:
        kitchen, n_dishes = world.kitchen, len(world.scenario.dishes)
        lasts: list[list[int]] = [[] for _ in range(n_dishes)]
        for order in stream:
            if order.arrived < horizon:
                lasts[order.dish].append(min(order.last, horizon))
        self.lasts = tuple(map(tuple, lasts))
        self.dish_of_thing = kitchen.dish_of_thing
        self.things = kitchen.dish_things

    def after(self, taken: Taken, step: int) -> Taken:
        """Without the orders that were lost before a step."""
        found = []
        for lasts, count in zip(self.lasts, taken, strict=True):
            while count < len(lasts) and lasts[count] < step:
                count += 1
            found.append(count)
        return tuple(found)

    def served(self, taken: Taken, dishes: Sequence[int]) -> Taken | None:
        """With these dishes, things by number, served as well; ``None`` if nobody wants one of them."""
        found = list(taken)
        for thing in dishes:
            dish = self.dish_of_thing[thing]
            if found[dish] >= len(self.lasts[dish]):
                return None
            found[dish] += 1
        return tuple(found)


class Outlooks:
    """The outlooks of a target, each worked out once."""

    def __init__(self, orders: Orders, model: KitchenModel, prospects: Prospects, target: int) -> None:
        self.orders = orders
        self.model = model
        self.prospects = prospects
        self.target = target
        self._contents = [prospects.counts(prospects.content(thing)) for thing in orders.things]
        self._found: dict[tuple[Taken, int, int], Outlook] = {}

    def of(self, taken: Taken, served: int, step: int) -> Outlook:
        """After ``step`` steps, with so many served."""
        key = taken, served, step
        if key not in self._found:
            self._found[key] = self._outlook(*key)
        return self._found[key]

    def slack(self, scene: Scene, outlook: Outlook, step: int) -> int:
        """Steps of bodies to spare; negative where the target is out of reach, or something is of no use."""
        prospects = self.prospects
        worth = content = 0
        for told in (*map(prospects.of_body, scene.bodies), *map(prospects.of_tool, scene.tools)):
            if told[1] < step:
                return -1
            worth += told[0]
            content += told[2]
        guard = prospects.guard
        return worth - outlook.least_worth if (outlook.limit - content) & guard == guard else -1

    def _outlook(self, taken: Taken, served: int, step: int) -> Outlook:
        things, prospects = self.orders.things, self.prospects
        left = [lasts[count:] for lasts, count in zip(self.orders.lasts, taken, strict=True)]
        more = max(0, self.target - served)
        limit = {
            one: min(
                sum(len(lasts) * content[one] for lasts, content in zip(left, self._contents, strict=True)),
                more * max(content[one] for content in self._contents),
            )
            for one in prospects.things
        }
        fetched = [one for one in prospects.ingredients if prospects.until[one] > step and limit[one]]
        dishes = [thing for thing, lasts in zip(things, left, strict=True) if lasts]
        jobs = [
            Job(prospects.cost[thing], self.model.n_bodies * (last - step))
            for thing, lasts in zip(things, left, strict=True)
            for last in lasts
        ]
        packed = prospects.packed(limit) + prospects.guard
        return Outlook(_least_head_start(jobs, more), packed, Steps(self.model, fetched, dishes))


def _least_head_start(jobs: Sequence[Job], more: int) -> int:
    """How much of the work must be done already for so many jobs to be done in time."""
    if more > len(jobs):
        return HOPELESS
    low, high = 0, sum(job.length for job in jobs)
    while low < high:
        middle = (low + high) // 2
        if most_on_time([Job(job.length, job.due + middle) for job in jobs]) >= more:
            high = middle
        else:
            low = middle + 1
    return low
