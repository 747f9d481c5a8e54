"""What a CuisineWorld scene is worth to whoever still has orders to serve, and when it is too late for it.

**Worth.** The steps of bodies that serving a dish takes at the least (``cuisineworld_work``) are counted as
they are spent: a thing in a tool has all its steps behind it, in hands all but goto and put, and a body that
is away, with nothing, has the goto before its next get behind it. No step of a body adds more than 1. So
bodies serve no dishes that cost more than the worth there is and the steps to come together.

**Time.** From hands to the table a dish takes two steps, any other thing two to its tool, and from there what
the tool takes; a thing for which it is too late serves nobody, and plans that serve nobody with it are left
out.

**Numbers.** Of nothing more is there, itself or in what was made of it, than orders need, for the same
reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.game.state import NOTHING
from backburner.worlds.cuisineworld.oracle.model import AWAY, KitchenModel
from backburner.worlds.cuisineworld.oracle.work import dish_work

FIELD_BITS = 10
"""Room for the number of one thing, with a bit that is borrowed from if there are too many."""

NEVER = -1
ALWAYS = 1 << 30


class Prospects:
    """The things of a level by number: what they are made of, what they cost, until when they are of use.

    ``last_steps``: for each dish of the level the last step in which an order of it may be served.
    """

    def __init__(self, world: CuisineWorld, model: KitchenModel, last_steps: Sequence[int]) -> None:
        self.model = model
        kitchen, book = world.kitchen, world.scenario.book
        number = kitchen.thing_number
        self.recipes: Mapping[int, tuple[str, tuple[int, ...]]] = {
            number[r.product]: (r.tool, tuple(number[part] for part in r.inputs)) for r in kitchen.recipes
        }
        self.busy = {kind.name: kind.busy_steps for kind in book.all_kinds}
        self.ingredients = kitchen.level_ingredients
        self.things = (*self.ingredients, *self.recipes)
        self._field = {thing: place * FIELD_BITS for place, thing in enumerate(self.things)}
        self.guard = sum(1 << field + FIELD_BITS - 1 for field in self._field.values())
        self.cost = {
            thing: dish_work(book, kitchen.things[thing], model.n_bodies).body_steps for thing in self.recipes
        } | dict.fromkeys(self.ingredients, 4)
        self.until = self._until(dict(zip(kitchen.dish_things, last_steps, strict=True)))
        self._bodies: dict[int, tuple[int, int, int]] = {}
        self._tools: dict[int, tuple[int, int, int]] = {}

    def content(self, thing: int) -> int:
        """How many of each thing are in one, itself included, in fields of one number."""
        parts = self.recipes[thing][1] if thing in self.recipes else ()
        return (1 << self._field[thing]) + sum(map(self.content, parts))

    def packed(self, counts: Mapping[int, int]) -> int:
        """So many of each thing, in fields of one number."""
        return sum(count << self._field[thing] for thing, count in counts.items())

    def counts(self, packed: int) -> dict[int, int]:
        """The number of each thing in such a number."""
        mask = (1 << FIELD_BITS) - 1
        return {thing: packed >> field & mask for thing, field in self._field.items()}

    def of_body(self, code: int) -> tuple[int, int, int]:
        """(worth, last step after which it is of use, content) of what a body holds."""
        if code not in self._bodies:
            place, held, _ = self.model.bodies[code]
            away = int(place == AWAY)
            self._bodies[code] = (
                (away, ALWAYS, 0)
                if held == NOTHING
                else (self.cost[held] - 2 + away, self.until[held] + away, self.content(held))
            )
        return self._bodies[code]

    def of_tool(self, code: int) -> tuple[int, int, int]:
        """The same of what a tool contains."""
        if code not in self._tools:
            self._tools[code] = self._of_tool(code)
        return self._tools[code]

    def _of_tool(self, code: int) -> tuple[int, int, int]:
        tool = self.model.tools[code]
        content = sum(map(self.content, tool.inside))
        if not tool.inside:
            return 0, ALWAYS, 0
        if tool.made:
            (product,) = tool.inside
            return self._worth_made(product), self.until[product] - 1 - tool.busy, content
        until = {
            product: self.until[product] - 1 - self._to_product(kind, len(inputs) - len(tool.inside))
            for product, (kind, inputs) in self.recipes.items()
            if kind == tool.kind and set(tool.inside).issubset(inputs)
        }
        if len(until) == 1 and self.model.keeps[tool.kind]:
            content += sum(1 << self._field[product] for product in until)
        return sum(self.cost[thing] for thing in tool.inside), max(until.values()), content

    def _worth_made(self, product: int) -> int:
        """Its inputs and the activation."""
        kind, inputs = self.recipes[product]
        holds = self.model.holds_body[kind]
        return sum(self.cost[part] for part in inputs) + (max(1, self.busy[kind]) if holds else 1)

    def _to_product(self, kind: str, puts: int) -> int:
        """Steps from the next one to that in which a product can be got: if inputs are missing, the last is
        put; the tool is activated and works; and a body does one thing in a step."""
        acts = 2 + (puts > 0)
        busy = self.busy[kind]
        if busy == 0:
            return -(-acts // self.model.n_bodies) - 1
        return busy + (self.model.n_bodies == 1 and puts > 0)

    def _until(self, last_steps: Mapping[int, int]) -> dict[int, int]:
        """For each thing the last step in which it may come into hands."""
        found = dict.fromkeys((*self.recipes, *self.ingredients), NEVER)

        def visit(thing: int, until: int) -> None:
            found[thing] = max(found[thing], until)
            if thing in self.recipes:
                kind, inputs = self.recipes[thing]
                for part in inputs:
                    visit(part, until - self._to_product(kind, 1) - 2)

        for dish, last in last_steps.items():
            visit(dish, last - 2)
        return found
