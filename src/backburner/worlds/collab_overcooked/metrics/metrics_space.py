"""Which calls count: the space of each cook's calls, as the released evaluation generates it.

What stands in no space is dropped before anything is compared: waits, misspelt calls, things that
the kitchen does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

COUNTER, INGREDIENTS, DISHES, DISH = "counter", "ingredient_dispenser", "dish_dispenser", "dish"


class KitchenWords(Struct, frozen=True):
    """The words of a kitchen's calls: ``foods`` raw and made, kinds of utensils by name, verbs of kinds."""

    foods: tuple[str, ...]
    kind_of: Mapping[str, str]
    verb_of: Mapping[str, str]


def call_space(words: KitchenWords, own_kinds: Iterable[str], serves: bool) -> frozenset[str]:
    """Every call that counts for a cook to whom utensils of these kinds belong.

    It may take anything from anywhere and put things into any utensil, also where it never gets to:
    so does the release. Operating and filling are for its own utensils, delivering for who ``serves``
    (released: the chef). Looking at the recipe counts although the release always refuses it. The
    recorded runs do not show whether that counts for the chef, nor filling for the assistant.
    """
    return frozenset(_calls(words, frozenset(own_kinds), serves))


def _calls(words: KitchenWords, own_kinds: frozenset[str], serves: bool) -> Iterator[str]:
    for place in (COUNTER, INGREDIENTS, DISHES, *words.kind_of):
        yield from (f"pickup({thing},{place})" for thing in (*words.foods, DISH))
    yield from ("place_obj_on_counter()", "check_recipe()")
    for utensil, kind in words.kind_of.items():
        yield f"put_obj_in_utensil({utensil})"
        if kind in own_kinds:
            yield f"{words.verb_of[kind]}({utensil})"
            yield f"fill_dish_with_food({utensil})"
    if serves:
        yield "deliver_soup()"


def word(call: str) -> str:
    """A call without spaces, by its one name: the article's ``deliver()`` is ``deliver_soup()``."""
    found = "".join(call.split())
    return "deliver_soup()" if found == "deliver()" else found


def counted(calls: Iterable[str], space: frozenset[str]) -> tuple[str, ...]:
    """The calls that count, as words, in their order."""
    return tuple(found for call in calls if (found := word(call)) in space)
