"""Calls: what a cook is asked to do next, such as ``pickup(apple,ingredient_dispenser)``, and reading them.

A text is read as a call, or as the refusal that says what is wrong with it. ``FAULTS`` has every code of a
refusal: those that begin with ``fmt_`` are about how a call is written, the others about the kitchen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from backburner.kernel.values import Detail, Fault, Refusal
from backburner.worlds.collab_overcooked.game.layout import DISH, Cookbook
from backburner.worlds.collab_overcooked.game.rule_set import Rules, longest_wait

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
    """A call: its verb, and as the verb needs it an item, a place or a number of steps.

    ``place`` is a utensil's name, ``counter``, or a dispenser's name. A layout has verbs of its own for
    starting its utensils: ``cook``, ``cut`` ...
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
    """The call to do nothing for so many steps."""
    return Call(WAIT, steps=steps)


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
"""The family of each reason why a call or an answer is refused."""


def refused(code: str, **detail: Detail) -> Refusal:
    """The refusal of this code with these facts."""
    return Refusal(code, FAULTS[code], tuple(detail.items()))


LONGEST_CALL = 400
"""Characters of a call that are looked at."""

MOST_KNOWN = 4096
"""How many texts are kept with what they were read as."""

COLLABORATION = ("request", "accept", "deny", "clarify")
"""Words that mark an entry of a plan as said to the partner rather than to be done by oneself."""


def is_own(entry: str) -> bool:
    """Whether an entry of a plan is something to do oneself."""
    folded = entry.casefold()
    return not any(word in folded for word in COLLABORATION)


class CallReader:
    """Reads calls over the things of one layout. ``verbs``: what starts each utensil, by its name."""

    def __init__(self, cookbook: Cookbook, verbs: Mapping[str, str], rules: Rules) -> None:
        self._cookbook = cookbook
        self._verbs = verbs
        self._exact = rules.exact_text
        self._longest_wait = longest_wait(rules)
        self._operations = tuple(dict.fromkeys(verbs.values()))
        self._known: dict[str, Call | Refusal] = {}

    @property
    def operations(self) -> tuple[str, ...]:
        """The verbs that start an operation."""
        return self._operations

    def read(self, text: str) -> Call | Refusal:
        """The call that a text means. Never raises."""
        known = self._known.get(text)
        if known is None:
            known = self._read_exactly(text) if self._exact else self._read_freely(text)
            if len(self._known) < MOST_KNOWN:
                self._known[text] = known
        return known

    def _read_freely(self, text: str) -> Call | Refusal:
        """The word before the parenthesis is the verb."""
        tidy = re.sub(r"""[\s"'`]+""", "", text[:LONGEST_CALL].casefold())
        match = re.fullmatch(r"(?:\d+[.)])?([a-z_]+)(?:\(([^()]*)\))?\.?", tidy)
        if match is None:
            return refused("fmt_unparsable", said=text[:LONGEST_CALL])
        verb, inside = match[1], match[2]
        if verb == DELIVER_AS_PUBLISHED:
            verb = DELIVER
        args = inside.split(",") if inside else []
        if verb in (PLACE, DELIVER, CHECK_RECIPE):
            return Call(verb) if not args else refused("fmt_unparsable", said=text[:LONGEST_CALL])
        return self._with_args(verb, args, text)

    def _read_exactly(self, text: str) -> Call | Refusal:
        """The first verb that occurs in it, whatever stands around; see ``Rules.exact_text``."""
        folded = text[:LONGEST_CALL].lower()
        tidy = re.sub(r"""[ "']""", "", folded)
        if PLACE in tidy or DELIVER in tidy:
            verb = PLACE if PLACE in tidy else DELIVER
            if folded == f"{verb}()":
                return Call(verb)
            return refused("fmt_unparsable", said=text[:LONGEST_CALL])
        verbs = (PICKUP, PUT, FILL, *self._operations, WAIT, CHECK_RECIPE)
        verb = next((verb for verb in verbs if verb in tidy), "")
        if verb == CHECK_RECIPE:
            return Call(verb)
        match = re.search(r"\(([^)]*)\)", tidy)
        return self._with_args(verb, match[1].split(",") if match else [], text)

    def _with_args(self, verb: str, args: list[str], text: str) -> Call | Refusal:
        if verb == PICKUP:
            return self._pickup(args)
        if verb == PUT:
            return self._at_utensil(verb, args, "put")
        if verb == FILL:
            return self._at_utensil(verb, args, "fill")
        if verb == WAIT:
            return self._wait(args)
        if verb in self._operations and len(args) == 1:
            if self._verbs.get(args[0]) != verb:
                return refused("fmt_operate_wrong_utensil", verb=verb, utensil=args[0])
            return Call(verb, place=args[0])
        return refused("fmt_unparsable", said=text[:LONGEST_CALL])

    def _pickup(self, args: list[str]) -> Call | Refusal:
        if len(args) != 2:
            return refused("fmt_pickup_arity", given=len(args))
        item, place = args
        raw = item in self._cookbook.raw
        if item != DISH and item not in self._cookbook.products:
            return refused("fmt_pickup_unknown_object", item=item)
        if place in self._verbs or self._is_counter(place):
            return Call(PICKUP, item, place)
        if not self._is_dispenser(place):
            return refused("fmt_pickup_unknown_place", place=place)
        if item != DISH and not raw:
            return refused("fmt_dispenser_not_raw", item=item)
        if item == DISH and INGREDIENT_DISPENSER in place:
            return refused("fmt_dish_from_ingredient_dispenser", item=item)
        if item != DISH and DISH_DISPENSER in place:
            return refused("fmt_ingredient_from_dish_dispenser", item=item)
        return Call(PICKUP, item, DISH_DISPENSER if item == DISH else INGREDIENT_DISPENSER)

    def _is_counter(self, place: str) -> bool:
        return COUNTER in place if self._exact else place == COUNTER

    def _is_dispenser(self, place: str) -> bool:
        if self._exact:
            return "dispenser" in place
        return place in ("dispenser", DISH_DISPENSER, INGREDIENT_DISPENSER)

    def _at_utensil(self, verb: str, args: list[str], word: str) -> Call | Refusal:
        if verb == PUT and len(args) > 1 and self._exact:
            args = args[1:2]
        if not args and not self._exact:
            args = [""]
        if len(args) != 1:
            return refused(f"fmt_{word}_arity", given=len(args))
        if args[0] not in self._verbs:
            return refused(f"fmt_{word}_unknown_utensil", utensil=args[0])
        return Call(verb, place=args[0])

    def _wait(self, args: list[str]) -> Call | Refusal:
        number = args[0] if len(args) == 1 else ""
        if re.fullmatch(r"-?\d{1,9}", number, re.ASCII) is None:
            huge = number.isascii() and number.isdigit()
            return refused("fmt_wait_too_long", longest=self._longest_wait) if huge else wait()
        steps = int(number)
        if steps > self._longest_wait:
            return refused("fmt_wait_too_long", longest=self._longest_wait)
        return wait(max(1, steps))
