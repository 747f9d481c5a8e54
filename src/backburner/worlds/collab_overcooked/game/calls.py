"""Calls as values: what a cook is asked to do next, such as ``pickup(apple,ingredient_dispenser)``."""

from __future__ import annotations

from msgspec import Struct

PICKUP = "pickup"
PUT = "put_obj_in_utensil"
PLACE = "place_obj_on_counter"
FILL = "fill_dish_with_food"
DELIVER = "deliver_soup"
WAIT = "wait"
CHECK_RECIPE = "check_recipe"
REQUEST = "request"

DELIVER_AS_PUBLISHED = "deliver"
"""What the article calls ``deliver_soup``."""

COUNTER = "counter"
INGREDIENT_DISPENSER = "ingredient_dispenser"
DISH_DISPENSER = "dish_dispenser"


class Call(Struct, frozen=True, gc=False):
    """One call: its verb, and as far as the verb needs it a thing, a place or a number of steps.

    ``place`` is the name of a utensil, ``counter``, or that of a dispenser. Verbs other than those
    above are the layout's own: ``cook``, ``cut`` ...
    """

    verb: str
    item: str = ""
    place: str = ""
    steps: int = 0

    @property
    def text(self) -> str:
        """The call as it is written and logged."""
        if self.verb == WAIT:
            return f"{WAIT}({self.steps})"
        return f"{self.verb}({','.join(filter(None, (self.item, self.place)))})"


def wait(steps: int = 1) -> Call:
    """To do nothing for so many steps."""
    return Call(WAIT, steps=steps)
