"""How an order is made, and the recipe in words: whole, or with one action of the partner's to a step.

The second form is for probes of where collaboration fails (article, C.3.2 and C.3.3). What the partner has to
do is listed call by call; what the reader does itself stays a step each. The partner's actions may also be
listed in another order, beginning with a later one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from backburner.worlds.collab_overcooked.game.calls import COUNTER, INGREDIENT_DISPENSER
from backburner.worlds.collab_overcooked.game.layout import Grid, Layout, Recipe


class Method(Struct, frozen=True):
    """An order's raw ingredients with their numbers, and the operations in an order that works."""

    order: str
    ingredients: tuple[tuple[str, int], ...]
    steps: tuple[Recipe, ...]
    on_dish: bool


def first_recipes(layout: Layout) -> dict[str, Recipe]:
    """For each thing that utensils make, the first recipe for it."""
    return {recipe.output: recipe for recipe in reversed(layout.recipes)}


def operations_of(layout: Layout, order: str) -> int:
    """How many operations an order takes. Recipes must not lead in a circle."""
    recipes = first_recipes(layout)
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
    steps = tuple(_steps(first_recipes(layout), order, ()))
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
    """One step of a recipe in words. ``call``: the call of the partner's that it is, if it is one."""

    words: str
    call: str = ""


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


def asked_calls(layout: Layout, grid: Grid, method: Method, cook: int) -> tuple[str, ...]:
    """The calls of the partner's that such a recipe lists for a cook, in the order in which they are done."""
    return tuple(step.call for step in _action_steps(layout, grid, method, cook, ()) if step.call)


def rearranged(steps: Sequence[RecipeStep], first: int) -> Sequence[RecipeStep]:
    """The steps with the partner's ``first`` action (from 1) on top; see ``action_lines``."""
    asked = [step for step in steps if step.call]
    if first == 1 or not asked:
        return steps
    turn = (first - 1) % len(asked)
    return [*asked[turn:], *asked[:turn], *(step for step in steps if not step.call)]


def _action_steps(
    layout: Layout, grid: Grid, method: Method, cook: int, timed: Collection[str]
) -> Iterator[RecipeStep]:
    source = {recipe.output: _utensil(grid, recipe, 1 - cook) for recipe in method.steps}
    fetches = not grid.reach[cook].isdisjoint(grid.ingredients)
    if not method.steps and not fetches:
        yield from _handed_over(method.order)
    for index, recipe in enumerate(method.steps):
        if _operates(grid, recipe, cook):
            raw = [item for item in recipe.inputs if item not in source]
            for item in () if fetches else raw:
                yield from _handed_over(item)
            yield RecipeStep(_operation(recipe, timed))
            continue
        utensil = source[recipe.output]
        for item in recipe.inputs:
            yield _fetched(item, source.get(item, INGREDIENT_DISPENSER))
            words = f"Put {item} into {_with_article(recipe.utensil)}."
            yield RecipeStep(words, f"put_obj_in_utensil({utensil})")
        verb = layout.utensils[recipe.utensil].verb
        words = f"Start the {recipe.utensil} ({verb}); {_becomes(recipe, timed)}"
        yield RecipeStep(words, f"{verb}({utensil})")
        user = next((after for after in method.steps[index:] if recipe.output in after.inputs), None)
        if user is None or _operates(grid, user, cook):
            yield from _handed_over(recipe.output, utensil)
    yield RecipeStep(_last_step(method))


def _operates(grid: Grid, recipe: Recipe, cook: int) -> bool:
    """Whether a cook gets to a utensil of the kind."""
    return _utensil(grid, recipe, cook) != COUNTER


def _utensil(grid: Grid, recipe: Recipe, cook: int) -> str:
    """The first utensil of the kind that a cook gets to; where there is none it waits at the counter."""
    reach = grid.reach[cook]
    able = (each.name for each in grid.utensils if each.kind == recipe.utensil and each.cell in reach)
    return next(able, COUNTER)


def _handed_over(item: str, place: str = INGREDIENT_DISPENSER) -> Iterator[RecipeStep]:
    yield _fetched(item, place)
    yield RecipeStep(f"Put {item} on a counter.", "place_obj_on_counter()")


def _fetched(item: str, place: str) -> RecipeStep:
    return RecipeStep(f"Pick up {item}.", f"pickup({item},{place})")
