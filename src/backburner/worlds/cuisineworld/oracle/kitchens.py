"""Kitchens drawn from parameters: recipes of their own, tools, and orders that come at a pace.

A dish is drawn from itself down: it is made in a tool, of a product one layer deeper and of ingredients. No
product goes back into the kind of tool that made it, which the search for best plans does not take.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import count
from math import ceil
from random import Random
from string import ascii_lowercase
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from backburner.kernel.generating import Draft, Parameter, Rejected, Symbol
from backburner.kernel.oracle import Request
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, Kind, Recipe
from backburner.worlds.cuisineworld.game.rule_set import STANDARD, Limits
from backburner.worlds.cuisineworld.game.scenarios import LARGEST, MOST_OPEN, Scenario
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.oracle.beam_search import ORACLE
from backburner.worlds.cuisineworld.oracle.order_bound import dish_work

STORAGE, TABLE = "storage", "servingtable"

KEPT_KINDS = (Kind(STORAGE, gives="ingredients"), Kind(TABLE, gives="nothing"))

TRIES = 20
"""How often ingredients are drawn that are not those of another product."""

EFFORT = 0.3
"""Of a search for one dish; nearly all take less than a tenth of it."""

MORE = 6
"""Numbers of steps that are tried for it; nearly all are at most two above the bound."""

SHARED = 0.3
"""How often what goes into a product is something that another one needs as well."""

PARAMETERS = (
    Parameter(name="layers", kind="whole", low=1, high=4, help="products in a row of the deepest dish"),
    Parameter(name="dishes", kind="whole", low=1, high=4, help="dishes that may be ordered"),
    Parameter(name="inputs", kind="whole", low=1, high=3, help="the most things in a product"),
    Parameter(name="ingredients", kind="whole", low=2, high=8, help="base ingredients to choose from"),
    Parameter(name="tools", kind="whole", low=2, high=5, help="kinds of tool to choose from"),
    Parameter(name="units", kind="whole", low=1, high=2, help="tools of each kind"),
    Parameter(name="busy", kind="whole", low=0, high=4, help="the most steps that a tool works"),
    Parameter(name="attended", kind="real", low=0, high=1, help="how often a tool holds the body meanwhile"),
    Parameter(name="bodies", kind="whole", low=1, high=4, help="bodies"),
    Parameter(name="interval", kind="whole", low=3, high=14, help="steps from order to order"),
    Parameter(
        name="patience", kind="real", low=0.8, high=2.5, help="how long an order waits, over its least"
    ),
    Parameter(name="steps", kind="whole", low=24, high=40, help="steps of an episode"),
    Parameter(name="spare", kind="whole", low=0, high=2, help="kinds of tool that no dish needs"),
)


class DrawnKitchen(Struct, frozen=True):
    """Recipes, the dishes that may be ordered, and the kinds of the kitchen, in their order; all are called
    by their symbols, but for storage and serving table."""

    book: Cookbook
    dishes: tuple[str, ...]
    kitchen: tuple[str, ...]

    @property
    def tools(self) -> tuple[str, ...]:
        """The kinds of tool."""
        return tuple(kind.name for kind in self.book.kinds if kind.is_tool)

    def symbols(self) -> dict[str, Symbol]:
        """What names are given to."""
        tools = dict.fromkeys(self.tools, Symbol("device"))
        things = dict.fromkeys((*self.book.ingredients, *self.book.by_product), Symbol("material"))
        return tools | things | dict.fromkeys(self.dishes, Symbol("product"))

    def fields(self, lifetimes: Mapping[str, int], interval: int, random: Random) -> dict[str, Any]:
        """The fields of a file: what there is, and how orders come."""
        fields: dict[str, Any] = {
            "dishes": list(map(told, self.dishes)),
            "kitchen": list(map(told, self.kitchen)),
            "cookbook": _written(self.book),
            "interval": interval,
            "lifetimes": {told(dish): lifetimes[dish] for dish in self.dishes},
            "seed": random.randrange(LARGEST),
        }
        # Who plays is not to decide which orders arrive.
        if (open_at_once := max(lifetimes.values()) // interval + 2) > MOST_OPEN:
            fields["most_open"] = open_at_once
        return fields


class _Recipes:
    """Recipes in the making; things and tools are called by their symbols."""

    def __init__(self, knobs: Mapping[str, Any], random: Random) -> None:
        self._random, self._inputs = random, knobs["inputs"]
        self.tools = [f"t{letter}" for letter in ascii_lowercase[: knobs["tools"]]]
        self._materials = [f"m{number}" for number in range(knobs["ingredients"])]
        self.recipes: dict[str, Recipe] = {}
        self._layers: dict[str, int] = {}
        self._numbers = count()

    def make(self, name: str, layers: int, above: str = "") -> None:
        """Add the recipe of a product and of what it is made of; ``above``: the tool that it goes into."""
        tools = [tool for tool in self.tools if tool != above]
        tool = self._random.choice(tools)
        below = [self._half_made(layers - 1, tool)] if layers > 1 else []
        for _ in range(TRIES):
            tool = tool if below else self._random.choice(tools)
            more = self._random.randint(1, self._inputs) - len(below)
            inputs = below + self._random.sample(self._materials, min(more, len(self._materials)))
            others = (other for other in self.recipes.values() if other.tool == tool)
            if all(set(inputs) != set(other.inputs) for other in others):
                break
        else:
            raise Rejected("two products would be made of the same")
        self._random.shuffle(inputs)
        self.recipes[name] = Recipe(name, tool, tuple(inputs))
        self._layers[name] = layers

    def _half_made(self, layers: int, tool: str) -> str:
        there = [
            name
            for name, recipe in self.recipes.items()
            if self._layers[name] == layers and recipe.tool != tool and name.startswith("h")
        ]
        if there and self._random.random() < SHARED:
            return self._random.choice(there)
        name = f"h{next(self._numbers)}"
        self.make(name, layers, tool)
        return name


def recipes_of(knobs: Mapping[str, Any], random: Random) -> DrawnKitchen:
    """Recipes and tools of these parameters; raises ``Rejected``."""
    recipes = _Recipes(knobs, random)
    dishes = tuple(f"p{number}" for number in range(knobs["dishes"]))
    for number, dish in enumerate(dishes):
        deepest = knobs["layers"]
        recipes.make(dish, random.randint(max(1, deepest - 1), deepest) if number else deepest)
    needed = {recipe.tool for recipe in recipes.recipes.values()}
    used = {name for recipe in recipes.recipes.values() for name in recipe.inputs}
    spare = [f"s{letter}" for letter in ascii_lowercase[: knobs["spare"]]]
    tools = [*(tool for tool in recipes.tools if tool in needed), *spare]
    kinds = tuple(_tool(name, knobs, random) for name in tools)
    ingredients = sorted(name for name in used if name not in recipes.recipes)
    book = Cookbook(tuple(ingredients), tuple(recipes.recipes.values()), (*KEPT_KINDS, *kinds))
    kitchen = (STORAGE, TABLE, *(name for name in tools for _ in range(knobs["units"])))
    return DrawnKitchen(book, dishes, kitchen)


def _tool(name: str, knobs: Mapping[str, Any], random: Random) -> Kind:
    busy = random.randint(0, knobs["busy"])
    attended = random.random() < knobs["attended"]
    return Kind(name, capacity=knobs["inputs"], busy_steps=busy, holds_body=busy > 0 and attended)


def least_steps(book: Cookbook, dish: str, kitchen: Sequence[str], bodies: int) -> int:
    """The least steps in which these bodies can make and serve one dish in an empty kitchen."""
    recipes = _made_of(book, dish)
    named = dict.fromkeys(name for recipe in recipes for name in (*recipe.inputs, recipe.product))
    things = {name: f"x{number}" for number, name in enumerate(named)}
    tools = {name: f"t{number}" for number, name in enumerate(dict.fromkeys(r.tool for r in recipes))}
    alone = Cookbook(
        tuple(things[name] for name in things if name not in book.by_product),
        tuple(Recipe(things[r.product], tools[r.tool], tuple(things[n] for n in r.inputs)) for r in recipes),
        (*KEPT_KINDS, *(replace(book.kind(name), name=new) for name, new in tools.items())),
    )
    there = [tools[name] for name in sorted(kitchen) if name in tools]
    return _least_steps(alone, things[dish], (STORAGE, TABLE, *sorted(there)), bodies)


def _made_of(book: Cookbook, dish: str) -> list[Recipe]:
    """The recipes in a dish from the deepest on, in an order that the book has no part in."""
    recipe = book.by_product.get(dish)
    if recipe is None:
        return []
    below = [each for name in recipe.inputs for each in _made_of(book, name)]
    return list(dict.fromkeys([*below, recipe]))


@lru_cache(maxsize=1024)
def _least_steps(book: Cookbook, dish: str, kitchen: tuple[str, ...], bodies: int) -> int:
    """One after the other, each number of steps from a lower bound on is tried by the search for best plans;
    the bound itself is told where none is found soon. Nothing has a name of its own here, so that what is
    drawn is known again when it is named."""
    work = dish_work(book, dish, bodies)
    least = max(work.first_step, -(-work.body_steps // bodies))
    for steps in range(least, least + MORE):
        scenario = Scenario(
            "alone", (dish,), kitchen, LARGEST, (steps,), bodies=bodies, steps=steps, cookbook=book
        )
        world = CuisineWorld("cuisineworld/alone", scenario, STANDARD, Limits(steps))
        if ORACLE.solve(world, Request(effort=EFFORT)).objective:
            return steps
    return least


def told(name: str) -> str:
    """A symbol as files have it."""
    return name if name in (STORAGE, TABLE) else f"<{name}>"


def drawn_kitchen(knobs: Mapping[str, Any], random: Random, *, hidden_orders: bool) -> Draft:
    """A level file with a cookbook of its own, and the pace of its orders. Raises ``Rejected``."""
    drawn = recipes_of(knobs, random)
    bodies, steps = knobs["bodies"], knobs["steps"]
    least = {dish: least_steps(drawn.book, dish, drawn.kitchen, bodies) for dish in drawn.dishes}
    if min(least.values()) > steps:
        raise Rejected("no dish can be made in so few steps")
    lifetimes = {dish: ceil(knobs["patience"] * steps) for dish, steps in least.items()}
    fields = drawn.fields(lifetimes, knobs["interval"], random) | {"bodies": bodies, "steps": steps}
    if hidden_orders:
        fields["hidden_orders"] = True
    shuffled = ("kitchen", "cookbook.ingredients", "cookbook.recipes", "cookbook.kinds")
    return Draft(fields, drawn.symbols(), shuffled)


def _written(book: Cookbook) -> dict[str, Any]:
    """The cookbook as a file has it, with symbols for names."""
    return {
        "ingredients": [told(name) for name in book.ingredients],
        "recipes": [
            {"product": told(r.product), "tool": told(r.tool), "inputs": [told(name) for name in r.inputs]}
            for r in book.recipes
        ],
        "kinds": [to_builtins(kind) | {"name": told(kind.name)} for kind in book.kinds],
    }
