"""How many orders of a CuisineWorld episode can be served at the most, by any play.

All orders are known, as they arrive by the clock alone. Three relaxations say what serving costs at the
least (``dish_work`` proves the numbers); each forgets everything else:

* an order cannot be served that ends before its dish can lie on a table for the first time;
* the dishes served in steps up to *t* take no more steps of bodies than *t* times the bodies;
* and no more steps of a kind of tool than its tools have from when the first of them can be activated to
  when the last must be done. Cooking ahead is allowed throughout.

So each is the problem of the most jobs on time on one machine, all there from the start
(``scheduling.makespan``). The least of the answers bounds ``served``. The same over the orders that run out
within the episode bounds ``failed`` from below; where expiries of one step count once, all orders of that
step are one job. As served / (served + failed) grows with the one and falls with the other, it is bounded
too.

Where every decision takes time, a seat gives fewer commands, and a dish takes at least so many of them: one
machine more (``dispatch.bounds.Pace``). Nothing can be done before the first thought of anybody is over.

It holds for play in which time passes in every turn: under the released rules, an answer without commands
stops the clock, and whoever stops it after the first dish has failed at nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from msgspec import Struct

from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.headline import Best
from backburner.kernel.scoring import Measures, grouped
from backburner.scheduling.makespan import DueWork, most_on_time
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, Recipe
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.dispatch import bounds
from backburner.worlds.dispatch.bounds import Pace, StreamedOrder, pace_in

INGREDIENT_STEPS = 4
"""Goto, get, goto, put: what an ingredient costs, and the first step in which it is anywhere else."""

CARRYING_STEPS = 3
"""Get, goto, put: what it costs to carry a product away."""

MANY = 3
"""Bodies with which one can put, one activate and one take in the same step."""


class DishWork(Struct, frozen=True):
    """Lower bounds for one dish.

    ``body_steps``, ``commands`` and, for each kind of tool, ``tool_steps`` add up over dishes.
    ``first_step``: the earliest in which it can lie on a serving table. ``heads``: the earliest step in which
    a tool of a kind is activated for it; ``tails``: steps from when the last such tool is done to the table.
    """

    body_steps: int
    commands: int
    tool_steps: Mapping[str, int]
    first_step: int
    heads: Mapping[str, int]
    tails: Mapping[str, int]


def dish_work(book: Cookbook, dish: str, bodies: int) -> DishWork:
    """The least work in a dish for so many bodies."""
    return _Tree(book, dish, bodies).work()


class _Tree:
    """The recipe tree of a dish: a thing that several products need stands in it as often."""

    def __init__(self, book: Cookbook, dish: str, bodies: int) -> None:
        self.recipes = {recipe.product: recipe for recipe in book.closure([dish])}
        self.busy = {kind.name: kind.busy_steps for kind in book.all_kinds}
        self.holds = {kind.name: kind.holds_body for kind in book.all_kinds}
        self.dish = dish
        self.bodies = bodies
        self.body_steps = self.commands = 0
        self.tool_steps: Counter[str] = Counter()
        self.heads: dict[str, int] = {}
        self.tails: dict[str, int] = {}

    def work(self) -> DishWork:
        """The work in the whole tree."""
        got = self._visit(self.dish, used_in="", tail=2)
        steps = dict(self.tool_steps)
        return DishWork(self.body_steps, self.commands, steps, got + 2, self.heads, self.tails)

    def _visit(self, thing: str, used_in: str, tail: int) -> int:
        """Count a product's work; the earliest step in which it can be got.

        ``tail``: steps from when it can be got until the dish is on the table.
        """
        recipe = self.recipes[thing]
        tool = recipe.tool
        self.body_steps += self._steps_of_making(tool, stays=used_in == tool)
        self.commands += 1 if used_in == tool else 1 + CARRYING_STEPS
        self.tool_steps[tool] += self.busy[tool]
        self.tails[tool] = min(tail, self.tails.get(tool, tail))
        activated = max(self._ready_step(recipe, name, tail) for name in recipe.inputs)
        self.heads[tool] = min(activated, self.heads.get(tool, activated))
        return activated + max(self.busy[tool], 1 if self.bodies < MANY else 0)

    def _steps_of_making(self, tool: str, stays: bool) -> int:
        """Steps of bodies to activate a tool and carry away what it makes."""
        activation = max(1, self.busy[tool]) if self.holds[tool] else 1
        if stays:
            return activation
        return activation + CARRYING_STEPS + (self.busy[tool] > 1 and not self.holds[tool])

    def _ready_step(self, recipe: Recipe, name: str, tail: int) -> int:
        """The earliest step in which a tool can be activated as far as this input goes."""
        alone = int(self.bodies == 1)
        if name not in self.recipes:
            self.body_steps += INGREDIENT_STEPS
            self.commands += INGREDIENT_STEPS
            return INGREDIENT_STEPS + alone
        stays = self.recipes[name].tool == recipe.tool
        way = 0 if stays else 2
        got = self._visit(name, recipe.tool, way + self.busy[recipe.tool] + tail)
        return got if stays else got + way + alone


class OrderBound(bounds.OrderBound, frozen=True):
    """``impossible``: orders too early for anybody; ``limit`` tells what binds: ``time``, ``bodies``,
    ``commands`` or a kind of tool.
    """

    impossible: int
    limit: str


def bounds_of(episode: Episode) -> Measures:
    """``MOST_SERVED`` and ``LEAST_FAILED`` of a recorded episode, at its pace where decisions took time.

    Empty where the orders that arrive depend on play.
    """

    def bound(world: Any, seed: int) -> OrderBound:
        return order_bound(world, seed, pace_in(episode, world))

    return bounds.bounds_of(episode, bound)


def best(id: str) -> Best:
    """The best share of orders that can be served in a published episode, by its id.

    The orders of a published episode are the same whatever seed it is played with.
    """
    world: Any = registry.world(id)
    return order_bound(world).best


def order_stream(world: CuisineWorld, seed: int = 0) -> tuple[StreamedOrder, ...]:
    """The orders that arrive in an episode.

    Raises ``Refused`` if episodes have no end, or if so many orders may be open that others stay away,
    which then depends on play.
    """
    scenario, horizon = world.scenario, world.limits.turns
    if horizon is None:
        raise Refused(f"{world.id}: no bound without an end of play; give limits with turns")
    stream = seed if scenario.seed is None else scenario.seed
    orders: list[StreamedOrder] = []
    for number, arrived in enumerate(range(0, horizon + 1, scenario.interval)):
        new = world.rulebook.clock.drawn(stream, number)
        last = arrived + new.left
        if sum(order.last >= arrived for order in orders) >= scenario.most_open:
            raise Refused(
                f"{world.id}: the list of orders can be full, so that who plays decides what arrives"
            )
        orders.append(StreamedOrder(new.dish, arrived, last, last < horizon))
    return tuple(orders)


def order_bound(world: CuisineWorld, seed: int = 0, pace: Pace | None = None) -> OrderBound:
    """The bounds of one episode; ``pace``: for seats that take time for their decisions, as nobody does
    without. Raises what ``order_stream`` raises."""
    orders = order_stream(world, seed)
    scenario, bodies = world.scenario, world.scenario.bodies
    relaxations = Relaxations(
        [dish_work(scenario.book, dish, bodies) for dish in scenario.dishes],
        Counter(kind.name for kind in world.compiled.kinds),
        bodies,
        world.limits.turns or 0,
        once=world.rules.expiries_count_once,
        pace=pace,
    )
    possible = [order for order in orders if relaxations.in_time(order)]
    served = relaxations.served(possible)
    limit = min(served, key=lambda name: served[name])
    failed = relaxations.failures(orders)
    impossible = sum(order.expires for order in orders) - sum(order.expires for order in possible)
    return OrderBound(served[limit], failed, impossible, limit if served[limit] < len(possible) else "time")


class Relaxations:
    """What orders cost at the least, by the ``work`` of each dish: one machine for bodies, one for each kind
    of tool, of which there are so many ``tools``.

    ``over``: for how long what a body did last may go on after the end. ``once``: whether orders that fail
    in one step count as one.
    """

    def __init__(
        self,
        work: Sequence[DishWork],
        tools: Mapping[str, int],
        bodies: int,
        horizon: int,
        *,
        over: int = 0,
        once: bool = False,
        pace: Pace | None = None,
    ) -> None:
        self.work, self.tools, self.bodies, self.horizon = work, tools, bodies, horizon
        self.over, self.once, self.pace = over, once, pace
        used = [kind for kind in self.tools if any(work.tool_steps.get(kind) for work in self.work)]
        self.head = {kind: _least(kind, [work.heads for work in self.work]) for kind in used}
        self.tail = {kind: _least(kind, [work.tails for work in self.work]) for kind in used}

    def served(self, possible: Sequence[StreamedOrder]) -> Mapping[str, int]:
        """How many of these orders each machine allows."""
        return {name: most_on_time(job([order]) for order in possible) for name, job in self.machines()}

    def deadline(self, order: StreamedOrder) -> int:
        return min(order.last, self.horizon)

    def in_time(self, order: StreamedOrder) -> bool:
        """Whether the dish can be made at all, and lie on a table by then."""
        work: DishWork = self.work[order.dish]
        thought = self.pace.first_thought if self.pace else 0
        earliest = max(thought + work.first_step, order.arrived + 1)
        return earliest <= self.deadline(order) and all(kind in self.tools for kind in work.heads)

    def machines(self) -> Iterator[tuple[str, Callable[[Sequence[StreamedOrder]], DueWork]]]:
        """Each machine's name, and the job that orders which fail together are to it."""
        yield "bodies", self._body_job
        if self.pace:
            yield "commands", partial(self._command_job, self.pace)
        for kind in self.head:
            yield kind, partial(self._tool_job, kind)

    def failures(self, orders: Sequence[StreamedOrder]) -> int:
        """The least number of failures that all machines allow."""
        groups = [[order] for order in orders if order.expires]
        if self.once:
            groups = list(grouped(chain(*groups), lambda order: order.last).values())
        possible = [group for group in groups if all(map(self.in_time, group))]
        return len(groups) - min(most_on_time(map(job, possible)) for _, job in self.machines())

    def _body_job(self, group: Sequence[StreamedOrder]) -> DueWork:
        length = sum(self.work[order.dish].body_steps for order in group)
        return DueWork(length, self.bodies * (self.deadline(group[0]) + self.over))

    def _command_job(self, pace: Pace, group: Sequence[StreamedOrder]) -> DueWork:
        length = sum(self.work[order.dish].commands for order in group)
        return DueWork(length, pace.commands_by(self.deadline(group[0])))

    def _tool_job(self, kind: str, group: Sequence[StreamedOrder]) -> DueWork:
        length = sum(self.work[order.dish].tool_steps.get(kind, 0) for order in group)
        open_steps = self.deadline(group[0]) - self.head[kind] - self.tail[kind]
        # An order that needs no such tool is never late for it.
        return DueWork(length, self.tools[kind] * max(0, open_steps))


def _least(kind: str, steps_by_dish: Sequence[Mapping[str, int]]) -> int:
    return min(steps[kind] for steps in steps_by_dish if kind in steps)
