"""What hands can do at a place: the text game's rules, without its defects, for one body at a time.

Each function gives the code of the first reason why it cannot be done, or an empty text.
"""

from __future__ import annotations

from collections.abc import Sequence

from backburner.worlds.clocked_kitchen.game.actions import ACTIVATE, GET, PUT
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE, Compiled
from backburner.worlds.cuisineworld.game.state import NOTHING

OCCUPIED = "location_occupied"
"""The code of a place at work, which whoever comes to take its product waits for."""

Inside = Sequence[tuple[int, ...]]


def obstacle(
    kitchen: Compiled, inside: Inside, ready: int, works: bool, held: int, verb: int, place: int, item: int
) -> str:
    """Why a body that holds this cannot do this there now; ``works``: whether the place is at work."""
    if verb == GET:
        return _get(kitchen, inside, ready, works, held, place, item)
    if verb == PUT:
        return _put(kitchen, inside, ready, works, held, place, item)
    if verb == ACTIVATE:
        return _activate(kitchen, inside, works, held, place)
    return ""


def _get(kitchen: Compiled, inside: Inside, ready: int, works: bool, held: int, place: int, item: int) -> str:
    if not (ready | kitchen.always_open) >> place & 1:
        return "not_pickable"
    if held != NOTHING:
        return "get_hands_full"
    if works:
        return OCCUPIED
    if kitchen.roles[place] == STORAGE:
        return "" if item in kitchen.level_ingredients else "storage_needs_base_item"
    content = inside[place]
    if not content:
        return "get_empty"
    return "" if item in (NOTHING, content[0]) else "not_inside"


def _put(kitchen: Compiled, inside: Inside, ready: int, works: bool, held: int, place: int, item: int) -> str:
    if held == NOTHING:
        return "put_hands_empty"
    if works:
        return OCCUPIED
    if item not in (NOTHING, held):
        return "not_held"
    role = kitchen.roles[place]
    if role == STORAGE:
        return ""
    if role == TABLE:
        return "" if held in kitchen.dish_of_thing else "not_a_level_dish"
    content = inside[place]
    if ready >> place & 1:
        return "product_waits"
    if held in content:
        return "inside_already"
    if len(content) >= kitchen.capacity[place]:
        return "location_full"
    return "" if kitchen.addable(place, content) >> held & 1 else "put_waste"


def _activate(kitchen: Compiled, inside: Inside, works: bool, held: int, place: int) -> str:
    if held != NOTHING:
        return "activate_hands_full"
    if works:
        return OCCUPIED
    content = inside[place]
    if not content:
        return "activate_empty"
    makes = kitchen.roles[place] != TABLE and kitchen.product(place, content) >= 0
    return "" if makes else "activate_waste"
