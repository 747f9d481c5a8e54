"""Calls, such as ``pickup(apple,ingredient_dispenser)``: reading them, and plans and queues of them.

A text is read as a call, or as the refusal that says what is wrong with it. ``FAULTS`` has every code of a
refusal: those that begin with ``fmt_`` are about how a call is written, the others about the kitchen.

Under ``released`` rules (``ExactCallReader``) the text as a whole says which call it is, by the first of
these that stands in it: ``place_obj_on_counter()`` (alone), ``pickup(``, ``put_obj_in_utensil(``,
``fill_dish_with_food(``, ``deliver_soup()`` and ``check_recipe()`` (alone), the verb of an operation,
``wait``. The arguments are those of the word that the text begins with, if a parenthesis follows that word;
a number with a full stop may come before.

Places to pick something up at with "counter" or "dispenser" in them pass as written, but only ``counter`` and
the dispensers' own names lead anywhere.

A plan is a list of entries: calls, and requests and the like that are said to the partner. Its first own call
becomes the cook's current one, and what is behind it is queued.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.values import Detail, Fault, Refusal
from backburner.worlds.collab_overcooked.game.layout import DISH, Cookbook
from backburner.worlds.collab_overcooked.game.rule_set import Rules, longest_wait
from backburner.worlds.collab_overcooked.game.state import Cook

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
    "several_plans": Fault.UNREADABLE,
    "no_analysis": Fault.UNREADABLE,
    "no_say": Fault.UNREADABLE,
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
    return _is_own(entry) if len(entry) <= LONGEST_CALL else _is_own.__wrapped__(entry)


@lru_cache(maxsize=MOST_KNOWN)
def _is_own(entry: str) -> bool:
    folded = entry.casefold()
    return not any(word in folded for word in COLLABORATION)


class CallReader:
    """Reads calls over the things of one layout. ``verbs``: what starts each utensil, by its name.

    The word before the parenthesis is the verb; spaces, capitals and quotes are free, and a number may stand
    before it all. ``ExactCallReader`` reads as the released program does.
    """

    def __init__(self, cookbook: Cookbook, verbs: Mapping[str, str], rules: Rules) -> None:
        self._cookbook = cookbook
        self._verbs = verbs
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
            known = self._read(text)
            if len(self._known) < MOST_KNOWN and len(text) <= LONGEST_CALL:
                self._known[text] = known
        return known

    def _read(self, text: str) -> Call | Refusal:
        tidy = _LOOSE.sub("", text[:LONGEST_CALL].casefold())
        match = _CALL.fullmatch(tidy)
        if match is None:
            return unparsable(text)
        verb, inside = match[1], match[2]
        if verb == DELIVER_AS_PUBLISHED:
            verb = DELIVER
        args = inside.split(",") if inside else []
        if verb in (PLACE, DELIVER, CHECK_RECIPE):
            return unparsable(text) if args else Call(verb)
        if verb == PICKUP:
            return self._pickup(args)
        if verb in (PUT, FILL):
            return self._at_utensil(verb, args or [""])
        if verb == WAIT:
            return self._wait(args)
        if verb in self._operations and len(args) == 1:
            return self._operation(verb, args[0])
        return unparsable(text)

    def _pickup(self, args: list[str]) -> Call | Refusal:
        if len(args) != 2:
            return refused("fmt_pickup_arity", given=len(args))
        item, place = args
        if item != DISH and item not in self._cookbook.products:
            return refused("fmt_pickup_unknown_object", item=item)
        if place not in self._verbs and self._is_dispenser(place):
            return self._from_dispenser(item, place)
        if place not in self._verbs and not self._is_counter(place):
            return refused("fmt_pickup_unknown_place", place=place)
        return Call(PICKUP, item, place)

    def _from_dispenser(self, item: str, place: str) -> Call | Refusal:
        if item != DISH and item not in self._cookbook.raw:
            return refused("fmt_dispenser_not_raw", item=item)
        if item == DISH and INGREDIENT_DISPENSER in place:
            return refused("fmt_dish_from_ingredient_dispenser", item=item)
        if item != DISH and DISH_DISPENSER in place:
            return refused("fmt_ingredient_from_dish_dispenser", item=item)
        return Call(PICKUP, item, self._dispenser_of(item, place))

    def _is_counter(self, place: str) -> bool:
        return place == COUNTER

    def _is_dispenser(self, place: str) -> bool:
        return place in ("dispenser", DISH_DISPENSER, INGREDIENT_DISPENSER)

    def _dispenser_of(self, item: str, place: str) -> str:
        """The dispenser that is meant, by the name that the kitchen knows."""
        return DISH_DISPENSER if item == DISH else INGREDIENT_DISPENSER

    def _at_utensil(self, verb: str, args: list[str]) -> Call | Refusal:
        word = "put" if verb == PUT else "fill"
        if len(args) != 1:
            return refused(f"fmt_{word}_arity", given=len(args))
        if args[0] not in self._verbs:
            return refused(f"fmt_{word}_unknown_utensil", utensil=args[0])
        return Call(verb, place=args[0])

    def _operation(self, verb: str, utensil: str) -> Call | Refusal:
        if self._verbs.get(utensil) != verb:
            return refused("fmt_operate_wrong_utensil", verb=verb, utensil=utensil)
        return Call(verb, place=utensil)

    def _wait(self, args: list[str]) -> Call | Refusal:
        number = args[0] if len(args) == 1 and args[0].isascii() else ""
        return self._wait_of(steps_of(number))

    def _wait_of(self, steps: int) -> Call | Refusal:
        """A wait of so many steps, of one at least."""
        if steps > self._longest_wait:
            return refused("fmt_wait_too_long", longest=self._longest_wait)
        return wait(max(1, steps))


_LOOSE = re.compile(r"""[\s"'`]+""")
_CALL = re.compile(r"(?:\d++[.)])?([a-z_]++)(?:\(([^()]*)\))?\.?")


def steps_of(digits: str) -> int:
    """The number that these digits write; 0 for anything else. No wait is as long as one of ten digits."""
    if not digits.isdecimal():
        return 0
    short = digits.lstrip("0")[:10]
    return int(short) if short else 0


def unparsable(text: str) -> Refusal:
    """The refusal of a text that is no call."""
    return refused("fmt_unparsable", said=text[:LONGEST_CALL])


_BEGINNING = re.compile(r"(?:\d++\.\s*+)?(\w++)\s*+(?:\(([^)\n]*)\))?")
_QUOTES = str.maketrans("", "", "\"'")
_AROUND_STEPS = str.maketrans("", "", '()".')


class ExactCallReader(CallReader):
    """Reads calls over the things of one layout as the released program does."""

    def _read(self, text: str) -> Call | Refusal:
        name, args = _beginning(text.replace(" ", ""))
        if not name:
            return unparsable(text)
        if text == f"{PLACE}()":
            return Call(PLACE)
        if f"{PICKUP}(" in text:
            return self._pickup(args)
        if f"{PUT}(" in text:
            return self._at_utensil(PUT, args[1:2] if len(args) > 1 and PUT in name else args)
        if f"{FILL}(" in text:
            return self._at_utensil(FILL, args)
        if text in (f"{DELIVER}()", f"{CHECK_RECIPE}()"):
            return Call(text.removesuffix("()"))
        return self._operating_or_waiting(text, args)

    def _operating_or_waiting(self, text: str, args: list[str]) -> Call | Refusal:
        verbs = [verb for verb in self._operations if verb in text]
        if verbs:
            if len(args) != 1:
                return unparsable(text)
            found = [self._operation(verb, args[0]) for verb in verbs]
            return next((each for each in found if isinstance(each, Refusal)), found[0])
        if WAIT in text:
            return self._wait_of(_written_steps(text))
        return unparsable(text)

    def _is_counter(self, place: str) -> bool:
        return COUNTER in place

    def _is_dispenser(self, place: str) -> bool:
        return "dispenser" in place

    def _dispenser_of(self, item: str, place: str) -> str:
        """As it is written: to any other name than its own there is no way."""
        return place


def _beginning(tidy: str) -> tuple[str, list[str]]:
    """The word that a text begins with, and its arguments; empty if it does not begin with one."""
    beginning = _BEGINNING.match(tidy)
    if beginning is None:
        return (WAIT, ["1"]) if "nothing" in tidy else ("", [])
    return beginning[1], [] if beginning[2] is None else beginning[2].translate(_QUOTES).split(",")


def _written_steps(text: str) -> int:
    """The steps of a wait: what is left without the word and the signs around its number, if that is one."""
    return steps_of(text.replace(WAIT, "").translate(_AROUND_STEPS))


# --- plans and queues -----------------------------------------------------------------------------------

Plan = tuple[str, ...]
"""The entries of a plan, as written."""

ONE_WAIT = wait().text

NO_PLAN: Plan = (ONE_WAIT,)
"""What is planned where nothing is."""


def first_own(plan: Plan) -> int | None:
    """The index of the first entry that is something to do oneself."""
    for index, entry in enumerate(plan):
        if is_own(entry):
            return index
    return None


def planned(cook: Cook, plan: Plan, first_call_twice: bool) -> Cook:
    """The cook with a new plan: its first own call becomes the current one, the rest is queued.

    Requests alone are a wait of one step; so is a plan whose first own entry is empty, with whatever stands
    behind it. For ``first_call_twice`` see ``Rules``.
    """
    index = first_own(plan)
    call = "" if index is None else plan[index]
    if not first_call_twice:
        call = call.strip()
    if index is None or not call:
        return replace(cook, call=ONE_WAIT, queue=(), since=-1)
    return replace(cook, call=call, queue=plan[1 if first_call_twice else index + 1 :], since=-1)


def advanced(cook: Cook, first_call_twice: bool) -> Cook:
    """The cook with the next own call of its queue as the current one; without a call if there is none.

    With ``first_call_twice`` the queue is taken as a new plan, written out and read: blanks around all of it
    go, and requests alone are a wait.
    """
    if first_call_twice and cook.queue:
        return planned(cook, tuple(";".join(cook.queue).strip().split(";")), first_call_twice)
    if first_own(cook.queue) is None:
        return replace(cook, call="", queue=(), since=-1)
    return planned(cook, cook.queue, first_call_twice)


def joining(cook: Cook, plan: Plan) -> Cook:
    """The cook after an answer in a talk, by ``Rules.busy_cook_keeps_queue``; its current call goes on."""
    if cook.queue or _NOTHING.search(";".join(plan)):
        return cook
    index = first_own(plan)
    return replace(cook, queue=NO_PLAN if index is None or not plan[index] else plan)


_NOTHING = re.compile("nothing", re.IGNORECASE)


def gives_way(cook: Cook) -> bool:
    """Whether a cook's call is a wait with something queued behind it; see ``Rules.waits_give_way``."""
    return bool(cook.queue) and WAIT in cook.call.lower()


def requested(plan: Sequence[str]) -> Plan:
    """The calls that a plan asks of the partner, without what people put around them."""
    return tuple(_UNWANTED.sub("", call) for entry in plan if (call := _asked_for(entry)) is not None)


_REQUEST = re.compile(r"request\s*\(", re.IGNORECASE)
_UNWANTED = re.compile(r"[\s'\"`]")


def _asked_for(entry: str) -> str | None:
    """What stands between ``request(`` and the last closing parenthesis of the entry."""
    if is_own(entry):
        return None
    opened = _REQUEST.search(entry)
    closed = entry.rfind(")")
    return entry[opened.end() : closed] if opened and opened.end() <= closed else None


def shown(cook: Cook) -> Plan:
    """Everything that a cook still plans to do, as its partner may see it."""
    return (cook.call, *cook.queue) if cook.call else cook.queue
