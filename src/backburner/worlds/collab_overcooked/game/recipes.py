"""How an order is made, and the recipe in words: whole, or with one action of the partner's to a step.

The second form is for probes of where collaboration fails (article, C.3.2 and C.3.3). What the partner has to
do is listed call by call; what the reader does itself stays a step each. The partner's actions may also be
listed in another order, beginning with a later one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from backburner.worlds.collab_overcooked.game.grid import Grid
from backburner.worlds.collab_overcooked.game.layout import Layout, Recipe


class Method(Struct, frozen=True):
    """An order's raw ingredients with their numbers, and the operations in an order that works."""

    order: str
    ingredients: tuple[tuple[str, int], ...]
    steps: tuple[Recipe, ...]
    on_dish: bool


def operations_of(layout: Layout, order: str) -> int:
    """How many operations an order takes. Recipes must not lead in a circle."""
    recipes = {recipe.output: recipe for recipe in reversed(layout.recipes)}
    known = dict.fromkeys(layout.ingredients, 0)
    waiting = [order]
    while waiting:
        item = waiting[-1]
        inputs = recipes[item].inputs if item in recipes else ()
        unknown = [needed for needed in inputs if needed not in known]
        if item in known or not unknown:
            known.setdefault(item, sum(known[needed] for needed in inputs) + bool(inputs))
            waiting.pop()
        waiting += unknown if item not in known else []
    return known[order]


def method_of(layout: Layout, order: str) -> Method:
    """How an order is made; where several recipes make the same thing, by the first of them."""
    recipes: dict[str, Recipe] = {}
    for recipe in layout.recipes:
        recipes.setdefault(recipe.output, recipe)
    steps = tuple(_steps(recipes, order, ()))
    made = Counter(recipe.output for recipe in steps)
    used = Counter(item for recipe in steps for item in recipe.inputs)
    raw = [(item, number) for item, number in used.items() if item not in made]
    return Method(order, tuple(raw or [(order, 1)]), steps, layout.needs_dish.get(order, False))


def _steps(recipes: dict[str, Recipe], item: str, above: tuple[str, ...]) -> Iterator[Recipe]:
    """What must be made before an item, then the item; ``above``: what it is needed for."""
    recipe = recipes.get(item)
    if recipe is None or item in above:
        return
    for ingredient in recipe.inputs:
        yield from _steps(recipes, ingredient, (*above, item))
    yield recipe


def recipe_lines(method: Method, timed: Collection[str]) -> Iterator[str]:
    """A recipe in words: what it takes, what to do. ``timed``: the kinds of utensils whose times it tells."""
    yield _head(method)
    steps = (*(_operation(recipe, timed) for recipe in method.steps), _last_step(method))
    yield from (f"{number}. {words}" for number, words in enumerate(steps, 1))


def _head(method: Method) -> str:
    return f"{method.order}: takes {', '.join(f'{item} ({number})' for item, number in method.ingredients)}."


def _operation(recipe: Recipe, timed: Collection[str]) -> str:
    things = " and ".join(recipe.inputs)
    return f"Put {things} into {_with_article(recipe.utensil)} and start it; {_becomes(recipe, timed)}"


def _becomes(recipe: Recipe, timed: Collection[str]) -> str:
    if recipe.utensil in timed:
        return f"after {steps_in_words(recipe.steps)} it is {recipe.output}."
    return f"it becomes {recipe.output}."


def _last_step(method: Method) -> str:
    return f"{'Fill a dish with it' if method.on_dish else 'Take it, without a dish,'} and deliver it."


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def steps_in_words(number: int) -> str:
    """``1 step``, ``2 steps`` ..."""
    return f"{number} step{'' if number == 1 else 's'}"


class RecipeStep(Struct, frozen=True):
    """One step of a recipe in words. ``asked``: it is an action of the partner's."""

    words: str
    asked: bool = False


def action_lines(
    layout: Layout, grid: Grid, method: Method, cook: int, first: int, timed: Collection[str]
) -> Iterator[str]:
    """A recipe as a cook reads it, with one action of the partner's to a step.

    ``first``: which of the partner's actions is listed first, from 1; the others follow in turn, those
    before it last, and then what the reader does itself. With 1 everything stands in its place. ``timed``:
    the kinds of utensils whose times it tells.
    """
    yield _head(method)
    steps = rearranged(list(_action_steps(layout, grid, method, cook, timed)), first)
    yield from (f"{number}. {step.words}" for number, step in enumerate(steps, 1))


def asked_actions(layout: Layout, grid: Grid, method: Method, cook: int) -> int:
    """How many actions of the partner's such a recipe lists for a cook."""
    return sum(step.asked for step in _action_steps(layout, grid, method, cook, ()))


def rearranged(steps: Sequence[RecipeStep], first: int) -> Sequence[RecipeStep]:
    """The steps with the partner's ``first`` action (from 1) on top; see ``action_lines``."""
    asked = [step for step in steps if step.asked]
    if first == 1 or not asked:
        return steps
    turn = (first - 1) % len(asked)
    return [*asked[turn:], *asked[:turn], *(step for step in steps if not step.asked)]


def _action_steps(
    layout: Layout, grid: Grid, method: Method, cook: int, timed: Collection[str]
) -> Iterator[RecipeStep]:
    made = {recipe.output for recipe in method.steps}
    fetches = not grid.reach[cook].isdisjoint(grid.ingredients)
    if not method.steps and not fetches:
        yield from _handed_over(method.order)
    for index, recipe in enumerate(method.steps):
        if _operates(grid, recipe, cook):
            raw = [item for item in recipe.inputs if item not in made]
            for item in () if fetches else raw:
                yield from _handed_over(item)
            yield RecipeStep(_operation(recipe, timed))
            continue
        for item in recipe.inputs:
            yield RecipeStep(f"Pick up {item}.", True)
            yield RecipeStep(f"Put {item} into {_with_article(recipe.utensil)}.", True)
        verb = layout.utensils[recipe.utensil].verb
        yield RecipeStep(f"Start the {recipe.utensil} ({verb}); {_becomes(recipe, timed)}", True)
        user = next((after for after in method.steps[index:] if recipe.output in after.inputs), None)
        if user is None or _operates(grid, user, cook):
            yield from _handed_over(recipe.output)
    yield RecipeStep(_last_step(method))


def _operates(grid: Grid, recipe: Recipe, cook: int) -> bool:
    """Whether a cook gets to a utensil of the kind."""
    reach = grid.reach[cook]
    return any(utensil.kind == recipe.utensil and utensil.cell in reach for utensil in grid.utensils)


def _handed_over(item: str) -> Iterator[RecipeStep]:
    yield RecipeStep(f"Pick up {item}.", True)
    yield RecipeStep(f"Put {item} on a counter.", True)
