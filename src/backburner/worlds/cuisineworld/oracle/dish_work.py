"""The least that a served dish costs in CuisineWorld, whoever cooks it and however.

**Steps of bodies.** Cut what a body does into *rounds*, each ending with a put. Its hands hold one thing,
so a round has exactly one get that counts, and a put. What is served was got and put as follows.

* *An ingredient* comes out of a storage once, in a round that ends elsewhere. Between get and put lies a
  goto. Before the get lies another one: the round before ended at no storage (it starts at the serving
  table), unless it threw something away, and then its own get and put serve nothing and pay for the goto.
  Together 4 steps: goto, get, goto, put.
* *A product* is got where it was made and put elsewhere, with a goto between: 3 steps. Somebody activates
  the tool: 1 step, or as many as the tool keeps the body. Where a tool that lets its body go is at work for
  2 steps or more, 1 step comes on top: if the round before ended elsewhere, the goto; if it ended at this
  tool, the product can be got 2 steps after the activation at the earliest, and with the step between
  nothing can be done here; if the body left to be of use elsewhere, it had to come back. (A product that
  goes into a tool of the kind that made it can stay where it is: it costs its activation alone.)

Rounds, activations and what a busy tool costs are different steps, so that the costs of different dishes
add up, however work on them is mixed, shared or done ahead: a thing goes into one dish. A salmon meatcake,
salmon and flour in a blender, costs 4 + 4 for its ingredients, 1 + 3 to start the blender and carry the
cake away, and 1 as the blender works for 2 steps: 13.

**Steps of tools.** From one activation of a tool to its next pass at least its busy steps.

**Time.** With bodies enough, what is made of others is activated in the step in which its last input is
put (one body alone needs a step more), and a product can be got when its tool is done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from backburner.worlds.cuisineworld.game.cookbook import Cookbook, Recipe

INGREDIENT_STEPS = 4
"""Goto, get, goto, put: what an ingredient costs, and the first step in which it is anywhere else."""

CARRYING_STEPS = 3
"""Get, goto, put: what it costs to carry a product away."""

MANY = 3
"""Bodies with which one can put, one activate and one take in the same step."""


class DishWork(Struct, frozen=True):
    """Lower bounds for one dish.

    ``body_steps`` and, for each kind of tool, ``tool_steps`` add up over dishes; ``first_step`` is the
    earliest in which it can lie on a serving table. ``heads``: the earliest step in which a tool of a kind
    is activated for it; ``tails``: steps from when the last such tool is done to the table.
    """

    body_steps: int
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
        self.body_steps = 0
        self.tool_steps: Counter[str] = Counter()
        self.heads: dict[str, int] = {}
        self.tails: dict[str, int] = {}

    def work(self) -> DishWork:
        """The work in the whole tree."""
        got = self._visit(self.dish, used_in="", tail=2)
        return DishWork(self.body_steps, dict(self.tool_steps), got + 2, self.heads, self.tails)

    def _visit(self, thing: str, used_in: str, tail: int) -> int:
        """Count a product's work; the earliest step in which it can be got.

        ``tail``: steps from when it can be got until the dish is on the table.
        """
        recipe = self.recipes[thing]
        tool = recipe.tool
        self.body_steps += self._steps_of_making(tool, stays=used_in == tool)
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
            return INGREDIENT_STEPS + alone
        stays = self.recipes[name].tool == recipe.tool
        way = 0 if stays else 2
        got = self._visit(name, recipe.tool, way + self.busy[recipe.tool] + tail)
        return got if stays else got + way + alone
