"""An example of play: one order, for a dish that the level at hand does not know (article, section 4)."""

from __future__ import annotations

from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.worlds.cuisineworld.game.levels import levels
from backburner.worlds.cuisineworld.game.pace import work_steps
from backburner.worlds.cuisineworld.game.scenarios import Groups, Scenario

STEPS = 30
"""Of the article's example, too; its order waits as long as the game lasts in ours."""

LEVEL = "example"


def scenario_of(scenario: Scenario, bodies: int | None = None) -> Scenario:
    """One order for a simple dish in a kitchen with what it takes, for so many bodies (or as many).

    Raises ``Refused`` if every dish is ordered in the level, or if seats share other numbers of bodies.
    """
    number = scenario.bodies if bodies is None else bodies
    dish = dish_of(scenario)
    tools = dict.fromkeys(recipe.tool for recipe in scenario.book.closure([dish]))
    furniture = dict.fromkeys(kind for kind in scenario.kitchen if not scenario.book.kind(kind).is_tool)
    return replace(
        scenario,
        level=LEVEL,
        dishes=(dish,),
        kitchen=(*furniture, *tools),
        interval=STEPS,
        lifetimes=(STEPS,),
        bodies=number,
        groups=_groups(scenario, number),
        level_class="",
        tau=None,
        seed=0,
        episode=0,
        steps=STEPS,
        table_room=0,
    )


def dish_of(scenario: Scenario) -> str:
    """The dish with the least work that takes several things, that no recipe uses and nobody orders.

    Dishes of published levels are the last choice, and the first of equals in the book is taken. Raises
    ``Refused`` if there is none.
    """
    book, known = scenario.book, scenario.book.things(scenario.dishes)
    used = {thing for recipe in book.recipes for thing in recipe.inputs}
    free = [
        recipe.product
        for recipe in book.recipes
        if len(recipe.inputs) > 1 and recipe.product not in known | used
    ]
    if not free:
        raise Refused(f"{scenario.level}: every dish of its recipes is ordered; none is left for an example")
    published = {dish for level in levels().values() for dish in level.dishes}
    return min(free, key=lambda dish: (dish in published, work_steps(book, dish)))


def _groups(scenario: Scenario, bodies: int) -> Groups:
    """The same seats; a seat for each body if there are more or fewer, as long as that is how it is."""
    if bodies == scenario.bodies or not scenario.groups:
        return scenario.groups
    if any(len(group) > 1 for group in scenario.groups):
        raise Refused(f"{scenario.level}: how {bodies} bodies would share these seats is not told")
    return tuple((body,) for body in range(bodies))
