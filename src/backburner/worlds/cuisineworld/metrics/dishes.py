"""How dishes are distributed over what they take (the article's Figure 23)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from backburner.kernel.charts import Bar, Bars, Chart, Figure, Group
from backburner.kernel.scoring import Section
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, shipped_cookbook
from backburner.worlds.cuisineworld.game.levels import levels


def figure_23() -> tuple[Sequence[Section], Sequence[Figure]]:
    """A row for each dish of the published levels, and a chart for each of the article's four counts."""
    book = shipped_cookbook()
    dishes = dict.fromkeys(dish for level in levels().values() for dish in level.dishes)
    rows = tuple((dish, *counts(book, dish)) for dish in dishes)
    columns = ("dish", "tools", "ingredients", "cooking steps", "largest mixture")
    table = Section("Dishes", "What each dish takes, with all that goes into it.", columns, rows)
    charts = tuple(
        _distribution(title, (row[number] for row in rows)) for number, title in enumerate(columns[1:], 1)
    )
    caption = "Dishes over the number of tools and ingredients involved, cooking steps, and maximum mixture."
    return (table,), (Figure("figure-23", "Dish distribution", caption, charts),)


def counts(book: Cookbook, dish: str) -> tuple[int, int, int, int]:
    """Different tools, base ingredients, products to be made, and the most things mixed in one tool."""
    recipes = book.closure([dish])
    made = {recipe.product for recipe in recipes}
    return (
        len({recipe.tool for recipe in recipes}),
        len(book.things([dish]) - made),
        len(recipes),
        max((len(recipe.inputs) for recipe in recipes), default=0),
    )


def _distribution(title: str, numbers: Iterable[object]) -> Chart:
    found = Counter(int(str(number)) for number in numbers)
    span = range(min(found), max(found) + 1)
    groups = tuple(Group(str(number), (Bar("dishes", float(found[number])),)) for number in span)
    return Bars(title.capitalize(), "dishes", groups)
