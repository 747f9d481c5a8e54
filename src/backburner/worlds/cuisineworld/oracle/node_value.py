"""What a search node is worth, and an admissible test of whether its target can still be reached.

**Value.** Serving a dish takes at least so many steps of bodies (``dish_work``). The value of a node is how
many of those steps lie behind it: for a thing in a tool all of them, for a thing in hands all but goto and
put, for a body that is away with nothing the goto before its next get. Salmon in hands at the storage is
worth 2 (goto, get), in a blender 4. A step of a body adds 1 at most. So what a node's bodies can still
serve costs no more than its value and their steps to come together; no play is cut off wrongly.

**Time.** From hands to the table a dish takes two steps, any other thing two to its tool, and from there
what the tool takes. A thing for which it is too late serves nobody, and nodes that hold one are left out:
a plan without the commands that move it serves as many.

**Numbers.** For the same reason nodes are left out that hold more of a thing, by itself or in what was
made of it, than orders need. The numbers of all things stand in one integer, a field of ``FIELD_BITS``
bits for each, whose top bit is a guard. With fields of 4 bits, a limit of 2 and its guard are 1010: minus
1 that is 1001, and the guard still stands; minus 3 it is 0111, and the guard is gone: too many.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from msgspec import Struct

from backburner.scheduling.makespan import DueWork, most_on_time
from backburner.worlds.cuisineworld.game.state import NOTHING
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.oracle.order_bound import INGREDIENT_STEPS, dish_work
from backburner.worlds.cuisineworld.oracle.state_space import AWAY, Kitchen, StateSpace, Successors
from backburner.worlds.dispatch.bounds import StreamedOrder

FIELD_BITS = 10

NEVER = -1
ALWAYS = 1 << 30
HOPELESS = 1 << 30

Closed = tuple[int, ...]
"""For each dish how many of its orders, by arrival, were served or have expired."""


class Content(NamedTuple):
    """What a body or tool holds: its value, the last step after which it is of use, packed numbers."""

    value: int
    last_step: int
    numbers: int


class NodeValues:
    """What bodies and tools of a level are worth, by their codes.

    ``last_steps``: for each dish of the level the last step in which an order of it may be served.
    ``cost``: for each thing the steps of bodies behind it once it lies in a tool or on the table.
    ``last_in_hands``: for each thing the last step in which it may come into hands. ``of_body``, ``of_tool``:
    what each holds, by its code.
    """

    def __init__(self, world: CuisineWorld, space: StateSpace, last_steps: Sequence[int]) -> None:
        self.space = space
        compiled, book = world.compiled, world.scenario.book
        number = compiled.thing_number
        self.recipes: Mapping[int, tuple[str, tuple[int, ...]]] = {
            number[r.product]: (r.tool, tuple(number[name] for name in r.inputs)) for r in compiled.recipes
        }
        self.busy = {kind.name: kind.busy_steps for kind in book.all_kinds}
        self.ingredients = compiled.level_ingredients
        self.things = (*self.ingredients, *self.recipes)
        self._field = {thing: index * FIELD_BITS for index, thing in enumerate(self.things)}
        self.guard = sum(1 << field + FIELD_BITS - 1 for field in self._field.values())
        self.cost = {
            thing: dish_work(book, compiled.things[thing], space.n_bodies).body_steps
            for thing in self.recipes
        } | dict.fromkeys(self.ingredients, INGREDIENT_STEPS)
        self.last_in_hands = self._last_in_hands(dict(zip(compiled.dish_things, last_steps, strict=True)))
        self.of_body, self.of_tool = cache(self._of_body), cache(self._of_tool)

    def numbers_in(self, thing: int) -> int:
        """How many of each thing are in one, itself included, packed."""
        inputs = self.recipes[thing][1] if thing in self.recipes else ()
        return (1 << self._field[thing]) + sum(map(self.numbers_in, inputs))

    def packed(self, numbers: Mapping[int, int]) -> int:
        """These numbers of things in one integer; see above."""
        return sum(count << self._field[thing] for thing, count in numbers.items())

    def unpacked(self, packed: int) -> dict[int, int]:
        """The numbers of things in such an integer."""
        mask = (1 << FIELD_BITS) - 1
        return {thing: packed >> field & mask for thing, field in self._field.items()}

    def _of_body(self, code: int) -> Content:
        place, held, _ = self.space.bodies[code]
        away = int(place == AWAY)
        if held == NOTHING:
            return Content(away, ALWAYS, 0)
        return Content(self.cost[held] - 2 + away, self.last_in_hands[held] + away, self.numbers_in(held))

    def _of_tool(self, code: int) -> Content:
        tool = self.space.tools[code]
        numbers = sum(map(self.numbers_in, tool.inside))
        if not tool.inside:
            return Content(0, ALWAYS, 0)
        if tool.made:
            (product,) = tool.inside
            return Content(self._value_made(product), self.last_in_hands[product] - 1 - tool.busy, numbers)
        last_steps = {
            product: self.last_in_hands[product] - 1 - self._to_product(kind, len(inputs) - len(tool.inside))
            for product, (kind, inputs) in self.recipes.items()
            if kind == tool.kind and set(tool.inside).issubset(inputs)
        }
        if len(last_steps) == 1 and self.space.keeps[tool.kind]:
            numbers += sum(1 << self._field[product] for product in last_steps)
        return Content(sum(self.cost[thing] for thing in tool.inside), max(last_steps.values()), numbers)

    def _value_made(self, product: int) -> int:
        """The value of a product in its tool: that of its inputs, and the activation."""
        kind, inputs = self.recipes[product]
        holds = self.space.holds_body[kind]
        return sum(self.cost[thing] for thing in inputs) + (max(1, self.busy[kind]) if holds else 1)

    def _to_product(self, kind: str, puts: int) -> int:
        """Steps from the next one to that in which a product can be got.

        Where inputs are missing the last is put; the tool is activated and works; and a body does one thing
        in a step.
        """
        acts = 2 + (puts > 0)
        busy = self.busy[kind]
        if busy == 0:
            return -(-acts // self.space.n_bodies) - 1
        return busy + (self.space.n_bodies == 1 and puts > 0)

    def _last_in_hands(self, last_steps: Mapping[int, int]) -> dict[int, int]:
        """The last steps of all things, from those in which dishes may be served."""
        last_in_hands = dict.fromkeys((*self.recipes, *self.ingredients), NEVER)

        def visit(thing: int, step: int) -> None:
            last_in_hands[thing] = max(last_in_hands[thing], step)
            if thing in self.recipes:
                kind, inputs = self.recipes[thing]
                for name in inputs:
                    visit(name, step - self._to_product(kind, 1) - 2)

        for dish, last in last_steps.items():
            visit(dish, last - 2)
        return last_in_hands


class DishOrders:
    """The orders of an episode by dish: ``lasts``, for each dish the last steps in which they are served.

    A dish on the table serves the next order for it, even one that is still to come: dishes keep, and who
    ordered a dish first waits no longer than who did later.
    """

    def __init__(self, world: CuisineWorld, stream: Sequence[StreamedOrder], horizon: int) -> None:
        arrive = [order for order in stream if order.arrived < horizon]
        self.lasts = tuple(
            tuple(min(order.last, horizon) for order in arrive if order.dish == dish)
            for dish in range(len(world.scenario.dishes))
        )
        self.dish_of_thing = world.compiled.dish_of_thing
        self.things = world.compiled.dish_things

    def expire(self, closed: Closed, step: int) -> Closed:
        """The closed orders, and with them those that can no longer be served in this step."""
        counts = []
        for lasts, count in zip(self.lasts, closed, strict=True):
            while count < len(lasts) and lasts[count] < step:
                count += 1
            counts.append(count)
        return tuple(counts)

    def serve(self, closed: Closed, dishes: Sequence[int]) -> Closed | None:
        """The closed orders once these dishes (things) are served; ``None`` if nobody wants one of them."""
        counts = list(closed)
        for thing in dishes:
            dish = self.dish_of_thing[thing]
            if counts[dish] >= len(self.lasts[dish]):
                return None
            counts[dish] += 1
        return tuple(counts)


class Requirement(Struct, frozen=True):
    """What a node needs for its target to be within reach, and the steps that may be of use from it.

    Its value is at least ``least_value``, and of no thing it holds more than ``limit`` says (packed, with
    guard bits).
    """

    least_value: int
    limit: int
    successors: Successors


class AdmissibleBound:
    """Tells of nodes whether ``target`` orders may still be served; it never says no wrongly."""

    def __init__(self, orders: DishOrders, values: NodeValues, target: int) -> None:
        self.orders = orders
        self.values = values
        self.target = target
        self._numbers_in_dishes = [values.unpacked(values.numbers_in(thing)) for thing in orders.things]
        self.requirement = cache(self._requirement)

    def slack(self, kitchen: Kitchen, requirement: Requirement, step: int) -> int:
        """Steps of bodies to spare; negative where the target is out of reach, or something is of no use."""
        values = self.values
        value = numbers = 0
        for content in (*map(values.of_body, kitchen.bodies), *map(values.of_tool, kitchen.tools)):
            if content[1] < step:
                return -1
            value += content[0]
            numbers += content[2]
        guard = values.guard
        return value - requirement.least_value if (requirement.limit - numbers) & guard == guard else -1

    def _requirement(self, closed: Closed, served: int, step: int) -> Requirement:
        """After ``step`` steps, with these orders closed and so many of them served."""
        things, values = self.orders.things, self.values
        still_open = [lasts[count:] for lasts, count in zip(self.orders.lasts, closed, strict=True)]
        missing = max(0, self.target - served)
        limit = {
            thing: min(
                sum(
                    len(lasts) * numbers[thing]
                    for lasts, numbers in zip(still_open, self._numbers_in_dishes, strict=True)
                ),
                missing * max(numbers[thing] for numbers in self._numbers_in_dishes),
            )
            for thing in values.things
        }
        fetched = [
            thing for thing in values.ingredients if values.last_in_hands[thing] > step and limit[thing]
        ]
        dishes = [thing for thing, lasts in zip(things, still_open, strict=True) if lasts]
        jobs = [
            DueWork(values.cost[thing], values.space.n_bodies * (last - step))
            for thing, lasts in zip(things, still_open, strict=True)
            for last in lasts
        ]
        packed = values.packed(limit) + values.guard
        return Requirement(_least_value(jobs, missing), packed, Successors(values.space, fetched, dishes))


def _least_value(jobs: Sequence[DueWork], missing: int) -> int:
    """How much work must be done already for so many jobs to be done in time.

    Two jobs of 13 steps, due in 20 steps of bodies: for both, 6 must lie behind; for one, nothing.
    """
    if missing > len(jobs):
        return HOPELESS

    def in_time(done: int) -> int:
        return most_on_time([DueWork(job.length, job.due + done) for job in jobs])

    return bisect_left(range(sum(int(job.length) for job in jobs)), missing, key=in_time)
