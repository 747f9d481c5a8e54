"""The tables of a scenario of CuisineWorld, and the rows that episodes are.

Rows, places and things are numbers; -1 stands for nothing, or for what the rules refuse.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]

NONE = -1


class Tables(NamedTuple):
    """One scenario. Of each local state ``s`` of a place, body and place being free:

    ``put_to[s, thing]``, ``get_to[s, 1 + ingredient]`` (0: without a name) and ``get_thing`` alike,
    ``activate_to[s]`` with ``place_busy`` and ``body_busy`` steps; what the menu has for it:
    ``offers[s]`` (get, activate, get of an ingredient) and ``offers_put[s, thing]``. ``slots[s]``: which of
    its place's features are 1; ``input_set[s]``: the recipe whose inputs are inside; ``made[s]``: the product
    alone inside; ``inside_value[s]``: the steps behind it.

    Of places: ``first_state`` when empty, ``table_of`` (which serving table it is), ``tool_features`` (where
    they begin; then how many there are), ``in_hands[place, thing]``: the steps behind what is held there, and
    in the last column behind nothing. Of things ``dish_of`` and ``cost``; of dishes ``rank`` by name,
    ``lifetime``, ``dish_cost``, ``wanted_things``, ``wanted_inputs``. ``by_number``: where agent0, agent1 ...
    stand on the axis of bodies.
    """

    n_ingredients: int
    interval: int
    most_open: int
    table_room: int
    expiries_count_once: int
    turns: int
    steps: int
    start: int
    base_ingredients: int
    shown_orders: int
    least_cost: int
    longest_lifetime: int
    by_number: Ints
    first_state: Ints
    table_of: Ints
    put_to: Ints
    get_to: Ints
    get_thing: Ints
    activate_to: Ints
    place_busy: Ints
    body_busy: Ints
    offers_put: Ints
    offers: Ints
    dish_of: Ints
    rank: Ints
    lifetime: Ints
    tool_features: Ints
    slots: Ints
    input_set: Ints
    made: Ints
    wanted_things: Ints
    wanted_inputs: Ints
    cost: Ints
    in_hands: Ints
    inside_value: Ints
    dish_cost: Ints


class Rows(NamedTuple):
    """Episodes; the first axis is theirs.

    Bodies: ``at``, ``held``, ``hands_busy``. Places: ``inside`` (local states), ``busy``; ``dishes`` on each
    serving table by kind. ``order_dish``, ``order_left``: the ``open`` orders, the most urgent first, then 0.
    ``refused``: commands of the last step. The rest of the article's reward: what it will still pay for,
    whom it has paid, and the last step's in hundredths. ``kept`` is room for ``potential``.
    """

    at: Ints
    held: Ints
    hands_busy: Ints
    inside: Ints
    busy: Ints
    dishes: Ints
    order_dish: Ints
    order_left: Ints
    open: Ints
    arrived: Ints
    served: Ints
    expired: Ints
    failed: Ints
    steps: Ints
    refused: Ints
    things_wanted: Ints
    inputs_wanted: Ints
    paid_bodies: Ints
    paid_places: Ints
    cents: Ints
    kept: Ints
