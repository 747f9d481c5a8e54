"""New clocked kitchens: floors made from seeds, for the kitchen of a published level or one that is drawn.

How hard a kitchen is to walk in, its mean way tells: in cells, between any two places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.generating import Draft, Draw, Naming, Rejected, Structure
from backburner.kernel.oracle import Solution
from backburner.kernel.pack import Argument
from backburner.kernel.schedule import Resource
from backburner.kernel.values import Seat
from backburner.worlds.clocked_kitchen.game.catalogue import scenario_of
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.floor import LETTERS
from backburner.worlds.clocked_kitchen.game.scenarios import (
    MOST_BODIES,
    TICKS_A_SECOND,
    Plan,
    Scenario,
    made_plan,
    seconds,
)
from backburner.worlds.clocked_kitchen.game.transition import Transition
from backburner.worlds.clocked_kitchen.game.world import ClockedKitchen
from backburner.worlds.clocked_kitchen.oracle.least_work import LeastWork, ways_on
from backburner.worlds.clocked_kitchen.oracle.order_bound import order_stream, text_game
from backburner.worlds.cuisineworld.game.rule_set import STANDARD, Limits
from backburner.worlds.cuisineworld.game.scenarios import LARGEST, MAX_TAU, MIN_TAU, levels
from backburner.worlds.cuisineworld.game.scenarios import Scenario as TextKitchen
from backburner.worlds.cuisineworld.game.state import Act
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.oracle.generator import (
    RESERVED,
    all_needed,
    handovers,
    objects_of,
)
from backburner.worlds.cuisineworld.oracle.kitchens import PARAMETERS, DrawnKitchen, recipes_of, told
from backburner.worlds.dispatch.bounds import StreamedOrder
from backburner.worlds.dispatch.generating import OrderGenerator, jobs, works

EARLY: Mapping[str, str] = {
    "ways": "the mean way between two places, in cells",
    "length": "ingredients to bring and products to make, of an order; the median",
    "joins": "the share of what is brought and made that waits for two things or more",
    "depth": "how much is brought and made in a row for an order; the median",
    "slack": "how long orders wait, over a time within which no play serves one; the median",
    "pressure": "the least time of bodies for all orders, over all that there is",
    "distractors": "the share of ingredients, products and tools that no order needs",
    "hidden": "the share of facts that are not told at first: the orders to come",
}
"""What takes no plan."""

DIALS: Mapping[str, str] = {
    **EARLY,
    "decisions": "commands in the best known play but for those that do nothing",
    "width": "bodies and tools at work in the best known play until its last delivery, in the mean",
    "attention": "the share of their time in which bodies walk, use their hands or are kept by a tool there",
    "chain": "the longest row of bringing and making of an order, over the last delivery; the median",
    "contention": "how much of the time until the last delivery the kind of tool most asked for is needed",
    "lures": "the share of commands on menus that no order needs",
    "handovers": "things that another body takes out of a tool than the one that put something in last, over "
    "ingredients to bring and products to make",
    "gap": "orders that a script serves fewer than the best known play, as a share of those",
}

OWN_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class FloorGenerator(OrderGenerator):
    """Kitchens to walk in."""

    help = """Make new floors: with level=, for the kitchen of a published level, from seeds that count up;
    else \
for kitchens that are drawn."""
    parameters = PARAMETERS
    arguments = (
        Argument(name="level", default="", help="The level whose kitchen it is, such as level_3."),
        Argument(
            name="bodies", kind="whole number", least=1, default=2, help="In a level's: a seat for each."
        ),
        Argument(name="tau", kind="number", least=0.1, default=2.0, help="In a level's: the pace of orders."),
    )
    dials = DIALS
    early = tuple(EARLY)
    scale = TICKS_A_SECOND
    things = "kitchens"
    naming = Naming(pattern="[a-z]+", longest=40, reserved=RESERVED)

    def draft(self, parameters: Mapping[str, Any], options: Mapping[str, Any], draw: Draw) -> Draft:
        """A floor for a level's kitchen, or for a drawn one."""
        if options["level"]:
            return _of_level(options["level"], options["bodies"], float(options["tau"]), draw.seed)
        return _drawn(parameters, draw)

    def orders(self, world: Any) -> Sequence[StreamedOrder]:
        """Those of the stream, as the text game counts time."""
        horizon = text_game(world).limits.turns or 0
        return [order for order in order_stream(world) if order.arrived < horizon]

    def structure(self, world: Any) -> Structure:
        """What each order takes, in ticks."""
        compiled, orders = world.compiled, self.orders(world)
        least, dishes = LeastWork(compiled), compiled.kitchen.dishes
        trees, times = [least.tree(dish) for dish in dishes], [least.ticks(dish) for dish in dishes]
        tools = Counter(kind.name for kind in compiled.kitchen.kinds if kind.is_tool)
        step = compiled.clock.step_ticks
        return Structure(
            activities=tuple(works(orders, trees.__getitem__, step.__mul__)),
            resources=tuple(Resource(tool, capacity) for tool, capacity in tools.items()),
            bodies=compiled.names,
            jobs=tuple(jobs(orders, times.__getitem__, step.__mul__)),
            objects=objects_of(text_game(world)),
            told={
                "recipes": (len(compiled.kitchen.recipes), 0),
                "durations": (len(tools), 0),
                "orders": (len(orders), len(orders) - 1),
            },
            ground=_ground(compiled),
            horizon=world.limits.ticks,
        )

    def is_needed(self, world: Any, decision: Any) -> bool:
        """Whether all that a command names is needed by some order."""
        return all_needed(text_game(world), decision.commands)

    def own(self, world: Any, solution: Solution | None, decisions: Sequence[Any]) -> Mapping[str, float]:
        """The mean way, and what is at work in a plan, tick by tick."""
        ways = {"ways": ways_on(world.compiled)[0]}
        if solution is None:
            return ways
        work, activities = _Work(world, decisions), len(self.structure(world).activities)
        return ways | work.shares | {"handovers": work.handed / max(1, activities)}


class _Work:
    """What bodies and tools do in a play until its last delivery.

    A body is at work while it walks, uses its hands or is kept by a tool, and not while it waits for one.
    ``shares``: ``width`` and ``attention``. ``handed``: what one body takes after another has put it there.
    """

    def __init__(self, world: ClockedKitchen, decisions: Sequence[Mapping[Seat, Any]]) -> None:
        self.bodies: list[int] = []
        self.tools: list[int] = []
        self.done: list[Act] = []
        state, delivered = world.start(), [seconds(1)]
        for each in decisions:
            step = world.rulebook.step(state, each, self._look)
            state = step.state
            delivered += [event.time for event in step.events if event.what == "delivered"]
        ticks = round(delivered[-1] * TICKS_A_SECOND)
        bodies, tools = sum(self.bodies[:ticks]), sum(self.tools[:ticks])
        self.shares = {
            "width": (bodies + tools) / ticks,
            "attention": bodies / (len(world.compiled.names) * ticks),
        }
        self.handed = handovers(world.compiled.kitchen, self.done)

    def _look(self, now: Transition) -> None:
        self.bodies.append(sum(free >= now.tick for free in now.free_at))
        self.tools.append(sum(until >= now.tick for until in now.until))
        seen = (deed for deed in now.deeds if deed.tick == now.tick)
        self.done += [Act(deed.body, deed.verb, deed.place, deed.thing) for deed in seen]


def _ground(compiled: Compiled) -> tuple[tuple[int, ...], ...]:
    """The ways between all targets, in cells."""
    targets = compiled.floor.targets
    served = [[cell for cell, look in enumerate(target.looks) if look >= 0] for target in targets]
    return tuple(tuple(min(there.distance[cell] for cell in cells) for there in targets) for cells in served)


def _of_level(level: str, bodies: int, tau: float, seed: int) -> Draft:
    """The floor of a seed for the kitchen of a level; raises ``UnknownName``, ``Refused``."""
    if level not in levels():
        raise UnknownName("level", level, levels(), "clocked_kitchen")
    if bodies > MOST_BODIES or not MIN_TAU <= tau <= MAX_TAU:
        raise Refused(
            f"out of range; there are {MOST_BODIES} bodies at the most, tau is {MIN_TAU} to {MAX_TAU}"
        )
    scenario = scenario_of(level, {"bodies": str(bodies), "tau": str(tau), "plan": "0"})
    kitchen = Compiled(scenario).kitchen
    fields = {
        "level": level,
        "kitchen": [kind.name for kind in kitchen.kinds],
        "bodies": bodies,
        "seats": [[body] for body in range(bodies)],
        "tau": tau,
        "plan": made_plan(kitchen, scenario.legend, bodies, seed),
    }
    return Draft(fields, path=f"{level}-{seed}")


def _drawn(knobs: Mapping[str, Any], draw: Draw) -> Draft:
    """A kitchen of these parameters on a floor of its own; raises ``Rejected``."""
    drawn = recipes_of(knobs, draw.random)
    bodies, steps = knobs["bodies"], knobs["steps"]
    letters = tuple(zip(OWN_LETTERS, drawn.tools, strict=False))
    scenario = _on_a_floor(drawn, letters, bodies, draw.random.randrange(LARGEST))
    compiled = Compiled(scenario)
    least = {dish: LeastWork(compiled).ticks(dish)[0] / compiled.clock.step_ticks for dish in drawn.dishes}
    if min(least.values()) > steps:
        raise Rejected("no dish can be made in so few steps")
    lifetimes = {dish: ceil(knobs["patience"] * steps) for dish, steps in least.items()}
    fields = drawn.fields(lifetimes, knobs["interval"], draw.random) | {
        "bodies": bodies,
        "seats": [[body] for body in range(bodies)],
        "steps": steps,
        "letters": {letter: told(kind) for letter, kind in letters},
        "plan": scenario.plan,
    }
    # Which shelf is which follows from the order of the ingredients.
    return Draft(fields, drawn.symbols(), ("kitchen", "cookbook.recipes", "cookbook.kinds"))


def _on_a_floor(
    drawn: DrawnKitchen, letters: tuple[tuple[str, str], ...], bodies: int, seed: int
) -> Scenario:
    lifetimes = (1,) * len(drawn.dishes)
    kitchen = TextKitchen(
        "new", drawn.dishes, drawn.kitchen, 1, lifetimes, bodies=bodies, cookbook=drawn.book
    )
    legend = {**LETTERS, **dict(letters)}
    plan: Plan = made_plan(CuisineWorld("new", kitchen, STANDARD, Limits(1)).compiled, legend, bodies, seed)
    return Scenario(kitchen, plan, letters)


GENERATOR = FloorGenerator()
