"""Why calls and answers are refused: every code, its family, and what is to be known about it.

Codes that begin with ``fmt_`` are about how a call is written, the others about the kitchen.
"""

from __future__ import annotations

from collections.abc import Mapping

from backburner.kernel.values import Detail, Fault, Refusal

FAULTS: Mapping[str, Fault] = {
    "no_plan": Fault.UNREADABLE,
    "no_analysis": Fault.UNREADABLE,
    "fmt_unparsable": Fault.UNREADABLE,
    "fmt_pickup_arity": Fault.UNREADABLE,
    "fmt_put_arity": Fault.UNREADABLE,
    "fmt_fill_arity": Fault.UNREADABLE,
    "fmt_pickup_unknown_object": Fault.UNKNOWN_THING,
    "fmt_pickup_unknown_place": Fault.UNKNOWN_THING,
    "fmt_put_unknown_utensil": Fault.UNKNOWN_THING,
    "fmt_fill_unknown_utensil": Fault.UNKNOWN_THING,
    "fmt_dispenser_not_raw": Fault.MISMATCH,
    "fmt_dish_from_ingredient_dispenser": Fault.MISMATCH,
    "fmt_ingredient_from_dish_dispenser": Fault.MISMATCH,
    "fmt_operate_wrong_utensil": Fault.MISMATCH,
    "fmt_wait_too_long": Fault.TIMING,
    "pickup_utensil_cooking": Fault.TIMING,
    "pickup_needs_dish": Fault.MISSING_PREREQUISITE,
    "pickup_not_on_reachable_counter": Fault.MISSING_PREREQUISITE,
    "pickup_chef_no_dispenser": Fault.REACH,
    "pickup_unreachable": Fault.REACH,
    "pickup_hands_full": Fault.CAPACITY,
    "pickup_not_in_utensil": Fault.MISSING_PREREQUISITE,
    "put_utensil_cooking": Fault.OCCUPIED,
    "put_utensil_ready": Fault.OCCUPIED,
    "put_utensil_full": Fault.CAPACITY,
    "put_unreachable": Fault.REACH,
    "put_hands_empty": Fault.MISSING_PREREQUISITE,
    "put_dish": Fault.MISMATCH,
    "put_plated_food": Fault.MISMATCH,
    "place_hands_empty": Fault.MISSING_PREREQUISITE,
    "place_no_empty_counter": Fault.CAPACITY,
    "fill_no_dish_in_hand": Fault.MISSING_PREREQUISITE,
    "fill_order_needs_no_dish": Fault.MISMATCH,
    "fill_not_started": Fault.TIMING,
    "fill_unreachable": Fault.REACH,
    "deliver_not_food": Fault.MISMATCH,
    "deliver_hands_empty": Fault.MISSING_PREREQUISITE,
    "deliver_not_ordered": Fault.MISMATCH,
    "deliver_dish_missing": Fault.MISSING_PREREQUISITE,
    "deliver_dish_not_wanted": Fault.MISMATCH,
    "deliver_unreachable": Fault.REACH,
    "operate_unreachable": Fault.REACH,
    "operate_empty": Fault.MISSING_PREREQUISITE,
    "operate_busy": Fault.OCCUPIED,
    "operate_hands_full": Fault.CAPACITY,
    "recipe_not_chef": Fault.ROLE,
    "recipe_already": Fault.ALREADY_DONE,
    "way_blocked": Fault.OCCUPIED,
}


def refused(code: str, **detail: Detail) -> Refusal:
    """The refusal of this code with these facts."""
    return Refusal(code, FAULTS[code], tuple(detail.items()))
