"""Refusals as sentences."""

from __future__ import annotations

from collections.abc import Mapping

from backburner.kernel.values import Refusal

SENTENCES: Mapping[str, str] = {
    "no_plan": "Your answer has no plan.",
    "no_analysis": "Your answer has no analysis.",
    "fmt_unparsable": "This is no call: {said}",
    "fmt_pickup_arity": "pickup takes a thing and a place: pickup(thing, place).",
    "fmt_put_arity": "put_obj_in_utensil takes one utensil.",
    "fmt_fill_arity": "fill_dish_with_food takes one utensil.",
    "fmt_pickup_unknown_object": "There is no {item} here.",
    "fmt_pickup_unknown_place": "There is no place called {place}.",
    "fmt_put_unknown_utensil": "There is no utensil called {utensil}.",
    "fmt_fill_unknown_utensil": "There is no utensil called {utensil}.",
    "fmt_dispenser_not_raw": "Dispensers give raw ingredients and dishes only, not {item}.",
    "fmt_dish_from_ingredient_dispenser": "Dishes come from the dish_dispenser.",
    "fmt_ingredient_from_dish_dispenser": "{item} comes from the ingredient_dispenser.",
    "fmt_operate_wrong_utensil": "{verb} is not for {utensil}.",
    "fmt_wait_too_long": "A wait is {longest} steps at most.",
    "pickup_utensil_cooking": "{place} is at work; steps to go: {steps_left}.",
    "pickup_needs_dish": "{item} is served on a dish: fill a dish with it.",
    "pickup_not_on_reachable_counter": "No counter within your reach has {item}.",
    "pickup_chef_no_dispenser": "The dispensers are out of your reach.",
    "pickup_unreachable": "There is no {item} at {place} that you can reach.",
    "pickup_hands_full": "You hold {held} already.",
    "pickup_not_in_utensil": "There is no {item} to be taken out of {place}.",
    "put_utensil_cooking": "{place} is at work.",
    "put_utensil_ready": "What is ready in {place} must be taken out first.",
    "put_utensil_full": "{place} is full: it holds {holds}.",
    "put_unreachable": "{place} is out of your reach.",
    "put_hands_empty": "You hold nothing to put into {place}.",
    "put_dish": "A dish does not go into {place}.",
    "put_plated_food": "{held} is on a dish and does not go into {place}.",
    "place_hands_empty": "You hold nothing to put down.",
    "place_no_empty_counter": "Every counter within your reach is taken.",
    "fill_no_dish_in_hand": "You need an empty dish in your hands.",
    "fill_order_needs_no_dish": "The order is served without a dish.",
    "fill_not_started": "There is nothing in {place} to be filled into a dish.",
    "fill_unreachable": "{place} is out of your reach.",
    "deliver_not_food": "{held} is nothing to be delivered.",
    "deliver_hands_empty": "You hold nothing to deliver.",
    "deliver_not_ordered": "Nobody has ordered {held}.",
    "deliver_dish_missing": "{held} is served on a dish.",
    "deliver_dish_not_wanted": "{held} is served without a dish.",
    "deliver_unreachable": "The serving place is out of your reach.",
    "operate_unreachable": "{place} is out of your reach.",
    "operate_empty": "{place} is empty.",
    "operate_busy": "{place} has been started already.",
    "operate_hands_full": "You need empty hands to start {place}; you hold {held}.",
    "recipe_not_chef": "You do not have the recipes.",
    "recipe_already": "You have the recipes already.",
    "way_blocked": "There is no way to {call} now.",
}
"""A sentence for each code of ``refusals``; braces hold the names of facts."""


def refusal_text(refusal: Refusal) -> str:
    """A refusal as a sentence."""
    template = SENTENCES.get(refusal.code)
    if template is None:
        return f"Refused: {refusal.code}."
    return template.format_map(dict(refusal.detail))
