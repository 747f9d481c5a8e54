"""New kitchens, and what is measured of any: each order of an episode is a job, and its dish a tree of
ingredients to bring and products to make.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from backburner.kernel.generating import (
    Draft,
    Draw,
    Naming,
    Structure,
)
from backburner.kernel.oracle import Solution
from backburner.kernel.pack import Argument
from backburner.kernel.policy import once_per_world
from backburner.kernel.schedule import Activity, Resource
from backburner.kernel.values import Seat
from backburner.worlds.cuisineworld.game.compiled import TOOL, Compiled
from backburner.worlds.cuisineworld.game.cookbook import Cookbook
from backburner.worlds.cuisineworld.game.scenarios import body_name
from backburner.worlds.cuisineworld.game.state import GET, NOOP, PUT, Act, Commands
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.oracle.kitchens import (
    PARAMETERS,
    STORAGE,
    TABLE,
    drawn_kitchen,
    least_steps,
)
from backburner.worlds.cuisineworld.oracle.order_bound import (
    CARRYING_STEPS,
    INGREDIENT_STEPS,
    dish_work,
    order_stream,
)
from backburner.worlds.dispatch.bounds import StreamedOrder
from backburner.worlds.dispatch.generating import OrderGenerator, jobs, works

DIALS: Mapping[str, str] = {
    "length": "ingredients to bring and products to make, of an order; the median",
    "decisions": "steps of the proven plan in which a body is given something to do",
    "width": "steps of work of bodies and tools in the proven plan, over its last delivery",
    "attention": "the share of their time in which bodies work in the proven plan",
    "chain": "the longest row of bringing and making of an order, over the last delivery; the median",
    "contention": "how much of the time until the last delivery the kind of tool most asked for is needed",
    "joins": "the share of what is brought and made that waits for two things or more",
    "depth": "how much is brought and made in a row for an order; the median",
    "slack": "how long orders wait, over the steps that one takes all bodies in an empty kitchen; the median",
    "pressure": "the least steps of bodies for all orders, over all that there are",
    "distractors": "the share of ingredients, products and tools that no order needs",
    "lures": "the share of commands on menus that no order needs",
    "hidden": "the share of facts that are not told at first: orders to come, how long tools work",
    "handovers": "products that another body takes out than the one that put in the last of their inputs, "
    "over ingredients to bring and products to make",
    "gap": "orders that a script serves fewer than the most, as a share of those",
}

RESERVED = (
    STORAGE,
    TABLE,
    "agent",
    "noop",
    "goto",
    "get",
    "put",
    "activate",
    "occupy",
    "inside",
    "hold",
    "at",
)


def tree(book: Cookbook, dish: str) -> tuple[Activity, ...]:
    """All that a dish is made of, a thing that several products need as often, without regard to who does it.

    An ingredient takes 4 steps: goto, get, goto, put. A product takes as long as its tool works, at least 1,
    and 3 more to be carried away; its tool is held all that time. Its body steps are those of ``dish_work``.
    """
    kinds = {kind.name: kind for kind in book.all_kinds}
    made: list[Activity] = []

    def visit(thing: str, above: str) -> str:
        recipe = book.by_product.get(thing)
        if recipe is None:
            made.append(Activity(f"{thing} {len(made)}", INGREDIENT_STEPS, INGREDIENT_STEPS))
            return made[-1].name
        inputs = tuple(visit(name, recipe.tool) for name in recipe.inputs)
        kind = kinds[recipe.tool]
        works = max(1, kind.busy_steps)
        held = works if kind.holds_body else 1
        if recipe.tool != above:
            held += CARRYING_STEPS + (kind.busy_steps > 1 and not kind.holds_body)
            works += CARRYING_STEPS
        made.append(Activity(f"{thing} {len(made)}", works, held, inputs, (recipe.tool,)))
        return made[-1].name

    visit(dish, "")
    return tuple(made)


@once_per_world
def objects_of(world: CuisineWorld) -> Mapping[str, bool]:
    """Ingredients, products and tools, and whether some order needs them."""
    scenario, compiled = world.scenario, world.compiled
    ordered = {scenario.dishes[order.dish] for order in order_stream(world)}
    recipes = scenario.book.closure(ordered)
    things = scenario.book.things(ordered)
    tools = {recipe.tool for recipe in recipes}
    there = (*compiled.level_ingredients, *(compiled.thing_number[r.product] for r in compiled.recipes))
    names = [compiled.things[number] for number in there]
    places = zip(compiled.places, compiled.kinds, compiled.roles, strict=True)
    return {name: name in things for name in names} | {
        place: kind.name in tools for place, kind, role in places if role == TOOL
    }


def all_needed(world: CuisineWorld, commands: Sequence[str]) -> bool:
    """Whether all that commands name is needed by some order."""
    there = objects_of(world)
    return all(there.get(name, True) for command in commands for name in command.split("_"))


def _done(world: CuisineWorld, decisions: Sequence[Mapping[Seat, Any]]) -> list[Sequence[Act]]:
    """What bodies do in each step of a plan."""
    state = world.start()
    done: list[Sequence[Act]] = []
    for each in decisions:
        state = world.step(state, each).state
        done.append(state.feedback.done)
    return done


def handovers(compiled: Compiled, done: Iterable[Act]) -> int:
    """How many products another body takes out of a tool than the one that put something in last."""
    tools = {place for place, role in enumerate(compiled.roles) if role == TOOL}
    put_by: dict[int, int] = {}
    handed = 0
    for act in done:
        if act.verb == PUT and act.place in tools:
            put_by[act.place] = act.body
        elif act.verb == GET and act.place in tools:
            handed += put_by.get(act.place, act.body) != act.body
    return handed


class KitchenGenerator(OrderGenerator):
    """Kitchens with recipes of their own."""

    help = (
        """Make kitchens: recipes, tools, and orders that keep coming, for a dispatcher of several bodies."""
    )
    parameters = PARAMETERS
    arguments = (
        Argument(
            name="orders",
            values=("shown", "hidden"),
            default="shown",
            help="Hidden: they are seen at a serving table only.",
        ),
    )
    dials = DIALS
    effort = 10.0
    lengths = ((2, 3), (4, 7))  # of longer dishes one or two are served: no tenth of the best can be lost
    naming = Naming(pattern="[a-z]+", longest=40, reserved=RESERVED)

    def draft(self, parameters: Mapping[str, Any], options: Mapping[str, Any], draw: Draw) -> Draft:
        """A level file with a cookbook of its own, and the pace of its orders."""
        return drawn_kitchen(parameters, draw.random, hidden_orders=options["orders"] == "hidden")

    def orders(self, world: Any) -> Sequence[StreamedOrder]:
        """Those of the stream."""
        return [order for order in order_stream(world) if order.arrived < world.limits.turns]

    def structure(self, world: Any) -> Structure:
        """What each order of the stream takes, of ingredients to bring and products to make."""
        scenario, compiled, orders = world.scenario, world.compiled, self.orders(world)
        book, dishes, bodies = scenario.book, scenario.dishes, scenario.bodies
        trees = [tree(book, dish) for dish in dishes]
        kitchen = [kind.name for kind in compiled.kinds]
        tools = Counter(kind.name for kind in compiled.kinds if kind.is_tool)

        def least(dish: int) -> tuple[int, int]:
            work = dish_work(book, dishes[dish], bodies)
            return least_steps(book, dishes[dish], kitchen, bodies), work.body_steps

        return Structure(
            activities=tuple(works(orders, trees.__getitem__, int)),
            resources=tuple(Resource(tool, capacity) for tool, capacity in tools.items()),
            bodies=tuple(body_name(body) for body in range(bodies)),
            jobs=tuple(jobs(orders, least, int)),
            objects=objects_of(world),
            told={
                "recipes": (len(compiled.recipes), 0),
                "durations": (len(tools), len(tools)),
                "orders": (len(orders), len(orders) - 1),
            },
            horizon=world.limits.turns,
        )

    def is_needed(self, world: Any, decision: Commands) -> bool:
        """Whether all that a command names is needed by some order."""
        return all_needed(world, decision.commands)

    def own(self, world: Any, solution: Solution | None, decisions: Sequence[Any]) -> Mapping[str, float]:
        """Steps in which something is done, and handovers; nothing of it is known without a plan."""
        if solution is None:
            return {}
        done = _done(world, decisions)
        busy = sum(any(act.verb != NOOP for act in acts) for acts in done)
        works = len(self.structure(world).activities)
        return {"decisions": busy, "handovers": handovers(world.compiled, chain(*done)) / max(1, works)}


GENERATOR = KitchenGenerator()
