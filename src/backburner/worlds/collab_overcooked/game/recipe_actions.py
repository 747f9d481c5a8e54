"""Recipes with one action to a step, for probes of where collaboration fails (article, C.3.2 and C.3.3).

What the partner has to do is told call by call, what its reader does itself stays a step each. The
partner's actions may also be told in another order, beginning with a later one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.layout import Recipe
from backburner.worlds.collab_overcooked.game.recipes import Method
from backburner.worlds.collab_overcooked.game.text import recipe_head, served, step_words, with_article


class Told(Struct, frozen=True):
    """One step of a recipe in words. ``asked``: it is an action of the partner's."""

    words: str
    asked: bool = False


def action_lines(ware: Kitchenware, method: Method, cook: int, first: int) -> Iterator[str]:
    """A recipe as it is told to a cook, with one action of the partner's to a step.

    ``first``: which of the partner's actions is told first, from 1; the others follow in turn, those
    before it last, and then what the reader does itself. With 1 everything stands in its place.
    """
    yield recipe_head(method)
    steps = rearranged(list(_told(ware, method, cook)), first)
    yield from (f"{number}. {step.words}" for number, step in enumerate(steps, 1))


def asked_actions(ware: Kitchenware, method: Method, cook: int) -> int:
    """How many actions of the partner's such a recipe tells to a cook."""
    return sum(step.asked for step in _told(ware, method, cook))


def rearranged(steps: Sequence[Told], first: int) -> Sequence[Told]:
    """The steps with the partner's ``first`` action (from 1) on top; see ``action_lines``."""
    asked = [step for step in steps if step.asked]
    if first == 1 or not asked:
        return steps
    turn = (first - 1) % len(asked)
    return [*asked[turn:], *asked[:turn], *(step for step in steps if not step.asked)]


def _told(ware: Kitchenware, method: Method, cook: int) -> Iterator[Told]:
    made = {recipe.output for recipe in method.steps}
    fetches = not ware.grid.reach[cook].isdisjoint(ware.grid.ingredients)
    if not method.steps and not fetches:
        yield from _handed_over(method.order)
    for place, recipe in enumerate(method.steps):
        if _operates(ware, recipe, cook):
            raw = [item for item in recipe.inputs if item not in made]
            for item in () if fetches else raw:
                yield from _handed_over(item)
            yield Told(step_words(recipe))
            continue
        for item in recipe.inputs:
            yield Told(f"Pick up {item}.", True)
            yield Told(f"Put {item} into {with_article(recipe.utensil)}.", True)
        verb = ware.layout.utensils[recipe.utensil].verb
        yield Told(
            f"Start the {recipe.utensil} ({verb}); after {recipe.steps} steps it is {recipe.output}.", True
        )
        user = next((after for after in method.steps[place:] if recipe.output in after.inputs), None)
        if user is None or _operates(ware, user, cook):
            yield from _handed_over(recipe.output)
    yield Told(served(method))


def _operates(ware: Kitchenware, recipe: Recipe, cook: int) -> bool:
    """Whether a cook gets to a utensil of the kind."""
    reach = ware.grid.reach[cook]
    return any(one.kind == recipe.utensil and one.cell in reach for one in ware.grid.utensils)


def _handed_over(item: str) -> Iterator[Told]:
    yield Told(f"Pick up {item}.", True)
    yield Told(f"Put {item} on a counter.", True)
