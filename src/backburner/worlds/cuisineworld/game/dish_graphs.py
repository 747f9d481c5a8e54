"""The task graph of a dish (article, Appendix D.3): each thing in its tree, and what it is made of.

It counts work as orders' intervals do: three steps for each thing, to go, take and put, which a body
gives its attention to, and for a product the steps that its tool makes everybody wait. All durations
together are ``pace.work_steps``.
"""

from __future__ import annotations

from collections.abc import Iterator

from backburner.kernel.schedule import Activity, Problem, Resource
from backburner.worlds.cuisineworld.game.cookbook import Cookbook
from backburner.worlds.cuisineworld.game.pace import STEPS_PER_THING, wait_steps

SPACE = "the work in one dish, done by one body"


def dish_graph(cookbook: Cookbook, dish: str) -> Problem:
    """The graph of one dish; activities bear the names of things, resources those of kinds of tool."""
    tools = dict.fromkeys(recipe.tool for recipe in cookbook.closure([dish]))
    resources = tuple(Resource(tool) for tool in tools)
    return Problem("steps", tuple(_activities(cookbook, dish)), resources, SPACE, complete=False)


def _activities(cookbook: Cookbook, dish: str) -> Iterator[Activity]:
    """Base ingredients first, then what is made of them."""
    needed = cookbook.things([dish])
    for name in cookbook.ingredients:
        if name in needed:
            yield Activity(name, STEPS_PER_THING, STEPS_PER_THING)
    for recipe in cookbook.closure([dish]):
        duration = STEPS_PER_THING + wait_steps(cookbook, recipe)
        yield Activity(recipe.product, duration, STEPS_PER_THING, recipe.inputs, (recipe.tool,))
