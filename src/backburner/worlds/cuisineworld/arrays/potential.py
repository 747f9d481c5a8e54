"""How many more orders may still be served, from what lies about and the time that is left.

A relaxation of play, as in ``oracle.order_bound``: serving a dish takes at least so many steps of bodies, a
step of a body is one step of it, and what lies about is worth the steps that are behind it. Whose orders can
be served is then the problem of the most jobs on time on one machine. Of orders yet to come nothing is known
but when they come: each is for the dish that costs least.

The value of what lies about is taken rather too high than too low, so that the bound holds: everything that
is there serves someone.
"""

from __future__ import annotations

from collections.abc import Mapping

from backburner.arrays.jit import compiled
from backburner.scheduling.makespan import DueWork, most_on_time
from backburner.worlds.cuisineworld.arrays.step import Rows, Tables, over
from backburner.worlds.cuisineworld.game.compiled import STORAGE
from backburner.worlds.cuisineworld.game.state import NOTHING, State
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.oracle.order_bound import INGREDIENT_STEPS, dish_work


class OpenWork:
    """The bound of one scenario.

    - ``cost``: for each thing the steps of bodies behind it once it lies in a tool or on a table
    - ``in_hands[place][thing]``: the steps behind what a body at this place holds; of the last, ``NOTHING``,
      the way to whatever it gets next
    - ``made[thing]``: the steps behind a product that nobody has taken out of its tool yet
    """

    def __init__(self, world: CuisineWorld) -> None:
        compiled, scenario = world.compiled, world.scenario
        self.world = world
        number = compiled.thing_number
        products = {number[recipe.product]: recipe for recipe in compiled.recipes}
        self.cost: Mapping[int, int] = {
            thing: dish_work(scenario.book, compiled.things[thing], scenario.bodies).body_steps
            for thing in products
        } | dict.fromkeys(range(compiled.n_ingredients), INGREDIENT_STEPS)
        kinds = {kind.name: kind for kind in compiled.kinds}
        self.made: Mapping[int, int] = {
            thing: sum(self.cost[number[name]] for name in recipe.inputs)
            + (max(1, kinds[recipe.tool].busy_steps) if kinds[recipe.tool].holds_body else 1)
            for thing, recipe in products.items()
            if recipe.tool in kinds
        }
        source = {thing: recipe.tool for thing, recipe in products.items()}
        self.in_hands = [
            {
                thing: cost - 2 + (role != STORAGE if thing not in source else kind.name != source[thing])
                for thing, cost in self.cost.items()
            }
            | {NOTHING: int(place not in compiled.tables)}
            for place, (kind, role) in enumerate(zip(compiled.kinds, compiled.roles, strict=True))
        ]
        self.least = min(self.cost[thing] for thing in compiled.dish_things)

    def most(self, state: State) -> int:
        """How many orders may be served from this state on; 0 once play is over, or if it has no end."""
        turns, scenario = self.world.limits.turns, self.world.scenario
        if turns is None or state.ended:
            return 0
        left, bodies, value = turns - state.turns, scenario.bodies, self.value(state)
        costs = [self.cost[thing] for thing in self.world.compiled.dish_things]
        jobs = [
            DueWork(costs[order.dish], bodies * min(order.left, left) + value)
            for order in state.orders
            if order.left
        ]
        longest = max(scenario.lifetimes)
        first = scenario.interval - state.steps % scenario.interval
        for arrives in range(first, left, scenario.interval):
            jobs.append(DueWork(self.least, bodies * min(arrives + longest, left) + value))
        return most_on_time(jobs)

    def value(self, state: State) -> int:
        """The steps of bodies that lie behind everything that is there."""
        held = sum(self.in_hands[at][thing] for at, thing in zip(state.at, state.held, strict=True))
        return held + sum(
            self.made[thing] if state.ready >> place & 1 else self.cost[thing]
            for place, content in enumerate(state.inside)
            for thing in content
        )


@compiled
def score(t: Tables, r: Rows, e: int) -> float:
    """Orders served."""
    return float(r.served[e])


@compiled
def potential(t: Tables, r: Rows, e: int) -> float:
    """How many more orders may be served: the most jobs on time."""
    if over(t, r, e):
        return 0.0
    left, value, bodies = int(t.turns - r.steps[e]), _value(t, r, e), r.at.shape[1]
    count, load, order = 0, 0, 0
    arrives = int(t.interval - r.steps[e] % t.interval)
    while order < r.open[e] or arrives < left:
        due = min(arrives + t.longest_lifetime, left)
        if order < r.open[e] and (arrives >= left or r.order_left[e, order] <= due):
            due = min(int(r.order_left[e, order]), left)
            work = int(t.dish_cost[r.order_dish[e, order]])
            order += 1
            if due == 0:
                continue
        else:
            work = t.least_cost
            arrives += t.interval
        r.kept[e, count] = work
        count += 1
        load += work
        if load > bodies * due + value:
            count -= 1
            load -= _drop_longest(r, e, count)
    return float(count)


@compiled
def _drop_longest(r: Rows, e: int, last: int) -> int:
    """Drop the longest of the jobs kept so far, up to the ``last``; how long it was."""
    longest = last
    for job in range(last):
        if r.kept[e, job] > r.kept[e, longest]:
            longest = job
    work = r.kept[e, longest]
    r.kept[e, longest] = r.kept[e, last]
    return int(work)


@compiled
def _value(t: Tables, r: Rows, e: int) -> int:
    """The steps of bodies that lie behind everything that is there."""
    value = 0
    for body in range(r.at.shape[1]):
        value += t.in_hands[r.at[e, body], r.held[e, body]]  # of nothing, -1, the last column
    for place in range(r.inside.shape[1]):
        value += t.inside_value[r.inside[e, place]]
    for table in range(r.dishes.shape[1]):
        for dish in range(r.dishes.shape[2]):
            value += r.dishes[e, table, dish] * t.dish_cost[dish]
    return value
