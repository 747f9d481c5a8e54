"""The published orders of Collab-Overcooked and what goes into them, by level; the calls that count."""

from __future__ import annotations

from typing import NamedTuple

from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, shipped_layout
from backburner.worlds.collab_overcooked.game.rule_set import RELEASED
from backburner.worlds.collab_overcooked.metrics.references import KitchenWords, call_space, call_spaces

UTENSILS = {"pot0": "pot", "oven0": "oven", "chopping_board0": "chopping_board", "blender0": "blender"}
VERBS = {"pot": "cook", "oven": "bake", "chopping_board": "cut", "blender": "stir"}
CHEFS_KINDS, ASSISTANTS_KINDS = ("pot", "oven"), ("chopping_board", "blender")

Line = tuple[str, tuple[str, ...], str]


class Dish(NamedTuple):
    """An order, its published level, and the line of each step that makes it."""

    order: str
    level: int
    needs_dish: bool
    ingredients: tuple[str, ...]
    lines: tuple[Line, ...]


def cut(food: str) -> Line:
    return "chopping_board", (food,), f"{food}_slices"


def heated(food: str) -> Line:
    return ("oven", (food,), f"baked_{food}")


def boiled(food: str) -> Line:
    return ("pot", (food,), f"boiled_{food}")


def simple(line: Line) -> Dish:
    return Dish(line[2], 1, False, line[1], (line,))


def of_slices(food: str, line: Line) -> Dish:
    return Dish(line[2], 2, False, (food,), (cut(food), line))


def soup(food: str) -> Dish:
    order = f"baked_{food}_soup"
    lines = (cut(food), heated(f"{food}_slices"), ("pot", (f"baked_{food}_slices",), order))
    return Dish(order, 3, True, (food,), lines)


def stew(sliced: str, whole: str) -> Dish:
    order = f"sliced_{sliced}_and_{whole}_stew"
    return Dish(order, 4, True, (sliced, whole), (cut(sliced), ("pot", (f"{sliced}_slices", whole), order)))


def mash(food: str) -> tuple[Line, ...]:
    slices = f"{food}_slices"
    return cut(food), boiled(slices), ("blender", (f"boiled_{slices}",), f"mashed_{food}")


def patty_of_two(mashed: str, whole: str) -> Dish:
    order = f"mashed_{mashed}_and_{whole}_patty"
    lines = (*mash(mashed), ("oven", (f"mashed_{mashed}", whole), order))
    return Dish(order, 5, True, (mashed, whole), lines)


def patty_of_three(mashed: str, whole: str, sliced: str) -> Dish:
    order = f"{mashed}_{whole}_and_{sliced}_patty"
    lines = (*mash(mashed), cut(sliced), ("oven", (f"mashed_{mashed}", whole, f"{sliced}_slices"), order))
    return Dish(order, 6, True, (mashed, whole, sliced), lines)


DISHES = (
    *(simple(heated(food)) for food in ("bell_pepper", "sweet_potato")),
    *(simple(boiled(food)) for food in ("egg", "mushroom", "sweet_potato")),
    *(of_slices(food, heated(f"{food}_slices")) for food in ("potato", "pumpkin")),
    *(of_slices(food, boiled(f"{food}_slices")) for food in ("corn", "green_bean", "potato")),
    *(soup(food) for food in ("bell_pepper", "carrot", "mushroom", "potato", "pumpkin")),
    *(stew("bell_pepper", whole) for whole in ("corn", "lentil")),
    *(stew(sliced, "chickpea") for sliced in ("eggplant", "pumpkin", "zucchini")),
    *(patty_of_two(mashed, "bean") for mashed in ("broccoli", "sweet_potato")),
    patty_of_two("carrot", "chickpea"),
    patty_of_two("cauliflower", "lentil"),
    patty_of_two("potato", "pea"),
    patty_of_three("potato", "carrot", "onion"),
    patty_of_three("romaine_lettuce", "pea", "tomato"),
    patty_of_three("sweet_potato", "spinach", "mushroom"),
    patty_of_three("taro", "bean", "bell_pepper"),
    patty_of_three("zucchini", "green_pea", "onion"),
)

INGREDIENTS = tuple(dict.fromkeys(food for dish in DISHES for food in dish.ingredients))
SYNTHESIS = tuple(dict.fromkeys(line for dish in DISHES for line in dish.lines))
WORDS = KitchenWords((*INGREDIENTS, *(output for _, _, output in SYNTHESIS)), UTENSILS, VERBS)
SPACES = (call_space(WORDS, CHEFS_KINDS, True), call_space(WORDS, ASSISTANTS_KINDS, False))
"""The calls that count for chef and assistant on the published map, as the article has it."""

RELEASED_SPACES = call_spaces(Compiled(shipped_layout(SHIPPED), RELEASED), "released")
"""As the released program has it, for all foods of its layout."""
