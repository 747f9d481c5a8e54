"""Which calls count: of what cooks have done, of what is asked of them, and of what they answer.

Two readings, by name. ``article``: the calls that its Listing 1 gives to a cook, with any arguments. Whoever
asks for what the partner cannot reach asks wrongly, and a wrong request is redundant (section 3).
``released``: two lists that the released program writes out. What is asked of a cook, or answered by it, is
dropped where its own list lacks it, so that a wrong request costs nothing; deeds count if either cook's list
has them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from backburner.worlds.collab_overcooked.game.calls import COUNTER, DISH_DISPENSER, INGREDIENT_DISPENSER
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.metrics.references import ASSISTANT, CHEF

Space = frozenset[str]
"""Calls as words without spaces."""

Spaces = tuple[Space, Space]
"""Those of chef and assistant."""

NO_CALL = "[NONE]"
"""What the released program writes for a cook that has done nothing; its lists have it as a call."""


class KitchenWords(Struct, frozen=True):
    """The words of a kitchen's calls: all foods, raw and made; each utensil's kind; the verb of each kind."""

    foods: tuple[str, ...]
    kind_of: Mapping[str, str]
    verb_of: Mapping[str, str]

    def of_kinds(self, kinds: Collection[str]) -> tuple[str, ...]:
        """The utensils of these kinds."""
        return tuple(utensil for utensil, kind in self.kind_of.items() if kind in kinds)


def words_of(compiled: Compiled) -> KitchenWords:
    """The words of a layout."""
    return KitchenWords(
        tuple(sorted(compiled.cookbook.products)),
        {utensil.name: utensil.kind for utensil in compiled.grid.utensils},
        {name: kind.verb for name, kind in compiled.layout.utensils.items()},
    )


def kinds_of(compiled: Compiled, cook: int) -> frozenset[str]:
    """The kinds of utensils of which a cook can get to at least one."""
    reach = compiled.grid.reach[cook]
    return frozenset(utensil.kind for utensil in compiled.grid.utensils if utensil.cell in reach)


Reading = Literal["article", "released"]


def call_spaces(compiled: Compiled, reading: Reading = "article") -> Spaces:
    """The calls that count for chef and assistant. Their own utensils are those that they can get to."""
    words, kinds = words_of(compiled), (kinds_of(compiled, CHEF), kinds_of(compiled, ASSISTANT))
    if reading == "released":
        return released_spaces(words, *kinds)
    servings, reach = compiled.grid.servings, compiled.grid.reach
    chef, assistant = (
        call_space(words, kinds[cook], not reach[cook].isdisjoint(servings)) for cook in (CHEF, ASSISTANT)
    )
    return chef, assistant


def call_space(words: KitchenWords, own_kinds: Collection[str], serves: bool) -> Space:
    """The calls of a cook to whom utensils of these kinds belong, as in the article's Listing 1.

    It may take anything from anywhere and put things into any utensil. It operates its own utensils and fills
    dishes at them (which Listing 1 gives to the chef alone, whose food is done in them); one that ``serves``
    delivers.
    """
    return frozenset(_calls(words, own_kinds, serves))


def _calls(words: KitchenWords, own_kinds: Collection[str], serves: bool) -> Iterator[str]:
    for place in (COUNTER, INGREDIENT_DISPENSER, DISH_DISPENSER, *words.kind_of):
        yield from (f"pickup({item},{place})" for item in (*words.foods, DISH))
    yield "place_obj_on_counter()"
    yield from (f"put_obj_in_utensil({utensil})" for utensil in words.kind_of)
    for utensil in words.of_kinds(own_kinds):
        yield f"{words.verb_of[words.kind_of[utensil]]}({utensil})"
        yield f"fill_dish_with_food({utensil})"
    if serves:
        yield "deliver_soup()"


def released_spaces(
    words: KitchenWords, chefs_kinds: Collection[str], assistants_kinds: Collection[str]
) -> Spaces:
    """The two lists of the released program, whatever the layout: the chef delivers and fills, also without
    naming a utensil; the assistant alone has the dispensers, each for every food."""
    chef = {
        "check_recipe()",
        "deliver_soup()",
        "fill_dish_with_food()",
        *(f"fill_dish_with_food({utensil})" for utensil in words.kind_of),
        *_at_own(words, words.of_kinds(chefs_kinds), ()),
    }
    assistant = {
        f"pickup({DISH},{DISH_DISPENSER})",
        *_at_own(words, words.of_kinds(assistants_kinds), (INGREDIENT_DISPENSER, DISH_DISPENSER)),
    }
    return frozenset(chef), frozenset(assistant)


def _at_own(words: KitchenWords, utensils: Iterable[str], dispensers: Iterable[str]) -> Iterator[str]:
    """What either cook does with the utensils and dispensers that are its own."""
    yield from (NO_CALL, "place_obj_on_counter()", f"pickup({DISH},{COUNTER})")
    for utensil in utensils:
        yield f"{words.verb_of[words.kind_of[utensil]]}({utensil})"
        yield f"put_obj_in_utensil({utensil})"
    for place in (COUNTER, *dispensers, *utensils):
        yield from (f"pickup({food},{place})" for food in words.foods)


def word(call: str) -> str:
    """A call without spaces, by its one name: the article's ``deliver()`` is ``deliver_soup()``."""
    text = "".join(call.split())
    return "deliver_soup()" if text == "deliver()" else text


def counted(calls: Iterable[str], space: Space) -> tuple[str, ...]:
    """The calls that count, as words, in their order."""
    return tuple(text for call in calls if (text := word(call)) in space)


def counted_as_released(calls: Iterable[str], space: Space) -> tuple[str, ...]:
    """The calls that count for the released program, which drops blanks and knows each by one name."""
    return tuple(text for call in calls if (text := call.replace(" ", "")) in space)
