"""The numbers that the compiled functions go by: codes, tiles, where a scenario's constants are."""

from __future__ import annotations

STAY, NORTH, INTERACT, START, FETCH = 0, 1, 5, 6, 7
"""Codes; the directions follow one another, as do the ingredients from ``FETCH`` on."""

FLOOR, COUNTER, INGREDIENTS, DISHES, SERVING, UTENSILS = range(6)
"""Tiles; from ``UTENSILS`` on the utensils."""

DISH = 2
"""An empty dish, as a thing in a place: ``2 * number``, and one more on a dish."""

COMPLETED, STEP_LIMIT = 1, 2
"""How an episode has ended; 0: it has not."""

(
    LIMIT,
    CAPACITY,
    FIRST_ONLY,
    LOST,
    STALLS,
    ONE_PASS,
    DRAWN,
    OPEN,
    BITS,
    SHOWN,
    FOODS,
    KINDS,
    CERTAIN,
    FLOORS,
    SCALE,
) = range(15)
"""The places of a scenario's constants in ``tables.numbers``: steps until play is cut off (-1: never), what a
utensil holds, four rules, whether orders are drawn, how many are open then, the bits of a thing's number,
orders that features show, ingredients, kinds of utensils, whether there is one recipe for each thing, cells
of floor, the work of the longest order."""
