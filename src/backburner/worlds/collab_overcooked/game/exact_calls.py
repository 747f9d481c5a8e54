"""Calls as the released program reads them.

The text as a whole says which call it is, by the first of these that stands in it: ``place_obj_on_counter()``
(alone), ``pickup(``, ``put_obj_in_utensil(``, ``fill_dish_with_food(``, ``deliver_soup()`` and
``check_recipe()`` (alone), the verb of an operation, ``wait``. The arguments are those of the word that the
text begins with, if a parenthesis follows that word; a number with a full stop may come before.

Places to pick something up at with "counter" or "dispenser" in them pass as written, but only ``counter`` and
the dispensers' own names lead anywhere.
"""

from __future__ import annotations

import re

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.calls import (
    CHECK_RECIPE,
    COUNTER,
    DELIVER,
    FILL,
    PICKUP,
    PLACE,
    PUT,
    WAIT,
    Call,
    CallReader,
    steps_of,
    unparsable,
)

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
