"""One call of a plan, read from text: a call, or the refusal that says what is wrong with it."""

from __future__ import annotations

import re

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.cookbook import Cookbook
from backburner.worlds.collab_overcooked.game.grid import Grid
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.refusals import refused
from backburner.worlds.collab_overcooked.game.rule_set import Rules, longest_wait

LONGEST = 400
"""Characters of a call that are looked at."""

MOST_KNOWN = 4096
"""Texts whose reading is kept."""

COLLABORATION = ("request", "accept", "deny", "clarify")
"""Words that mark what is said to the partner in a plan; such an entry is nothing to do oneself."""


def is_own(entry: str) -> bool:
    """Whether an entry of a plan is something to do oneself."""
    folded = entry.casefold()
    return not any(word in folded for word in COLLABORATION)


class CallReader:
    """Reads calls over the things of one layout."""

    def __init__(self, grid: Grid, cookbook: Cookbook, rules: Rules) -> None:
        self._grid = grid
        self._cookbook = cookbook
        self._exact = rules.exact_text
        self._longest_wait = longest_wait(rules)
        self._operations = tuple(dict.fromkeys(utensil.verb for utensil in grid.utensils))
        self._known: dict[str, Call | Refusal] = {}

    @property
    def operations(self) -> tuple[str, ...]:
        """The verbs that start an operation."""
        return self._operations

    def read(self, text: str) -> Call | Refusal:
        """The call that a text means. Never raises."""
        found = self._known.get(text)
        if found is None:
            found = self._read_exactly(text) if self._exact else self._read_freely(text)
            if len(self._known) < MOST_KNOWN:
                self._known[text] = found
        return found

    def _read_freely(self, text: str) -> Call | Refusal:
        """The word before the parenthesis is the verb."""
        tidy = re.sub(r"""[\s"'`]+""", "", text[:LONGEST].casefold())
        match = re.fullmatch(r"(?:\d+[.)])?([a-z_]+)(?:\(([^()]*)\))?\.?", tidy)
        if match is None:
            return refused("fmt_unparsable", said=text[:LONGEST])
        verb, inside = match[1], match[2]
        if verb == calls.DELIVER_AS_PUBLISHED:
            verb = calls.DELIVER
        args = inside.split(",") if inside else []
        if verb in (calls.PLACE, calls.DELIVER, calls.CHECK_RECIPE):
            return Call(verb) if not args else refused("fmt_unparsable", said=text[:LONGEST])
        return self._with_args(verb, args, text)

    def _read_exactly(self, text: str) -> Call | Refusal:
        """The first verb that occurs in it, whatever stands around; see ``Rules.exact_text``."""
        folded = text[:LONGEST].lower()
        tidy = re.sub(r"""[ "']""", "", folded)
        if calls.PLACE in tidy or calls.DELIVER in tidy:
            verb = calls.PLACE if calls.PLACE in tidy else calls.DELIVER
            return Call(verb) if folded == f"{verb}()" else refused("fmt_unparsable", said=text[:LONGEST])
        verbs = (calls.PICKUP, calls.PUT, calls.FILL, *self._operations, calls.WAIT, calls.CHECK_RECIPE)
        verb = next((verb for verb in verbs if verb in tidy), "")
        if verb == calls.CHECK_RECIPE:
            return Call(verb)
        match = re.search(r"\(([^)]*)\)", tidy)
        return self._with_args(verb, match[1].split(",") if match else [], text)

    def _with_args(self, verb: str, args: list[str], text: str) -> Call | Refusal:
        if verb == calls.PICKUP:
            return self._pickup(args)
        if verb == calls.PUT:
            return self._at_utensil(verb, args, "put")
        if verb == calls.FILL:
            return self._at_utensil(verb, args, "fill")
        if verb == calls.WAIT:
            return self._wait(args)
        if verb in self._operations and len(args) == 1:
            index = self._grid.utensil_named.get(args[0])
            if index is None or self._grid.utensils[index].verb != verb:
                return refused("fmt_operate_wrong_utensil", verb=verb, utensil=args[0])
            return Call(verb, place=args[0])
        return refused("fmt_unparsable", said=text[:LONGEST])

    def _pickup(self, args: list[str]) -> Call | Refusal:
        if len(args) != 2:
            return refused("fmt_pickup_arity", given=len(args))
        item, place = args
        raw = item in self._cookbook.raw
        if item != DISH and item not in self._cookbook.products:
            return refused("fmt_pickup_unknown_object", item=item)
        if place in self._grid.utensil_named or self._is_counter(place):
            return Call(calls.PICKUP, item, place)
        if not self._is_dispenser(place):
            return refused("fmt_pickup_unknown_place", place=place)
        if item != DISH and not raw:
            return refused("fmt_dispenser_not_raw", item=item)
        if item == DISH and calls.INGREDIENT_DISPENSER in place:
            return refused("fmt_dish_from_ingredient_dispenser", item=item)
        if item != DISH and calls.DISH_DISPENSER in place:
            return refused("fmt_ingredient_from_dish_dispenser", item=item)
        return Call(calls.PICKUP, item, calls.DISH_DISPENSER if item == DISH else calls.INGREDIENT_DISPENSER)

    def _is_counter(self, place: str) -> bool:
        return calls.COUNTER in place if self._exact else place == calls.COUNTER

    def _is_dispenser(self, place: str) -> bool:
        if self._exact:
            return "dispenser" in place
        return place in ("dispenser", calls.DISH_DISPENSER, calls.INGREDIENT_DISPENSER)

    def _at_utensil(self, verb: str, args: list[str], word: str) -> Call | Refusal:
        if verb == calls.PUT and len(args) > 1 and self._exact:
            args = args[1:2]
        if not args and not self._exact:
            args = [""]
        if len(args) != 1:
            return refused(f"fmt_{word}_arity", given=len(args))
        if args[0] not in self._grid.utensil_named:
            return refused(f"fmt_{word}_unknown_utensil", utensil=args[0])
        return Call(verb, place=args[0])

    def _wait(self, args: list[str]) -> Call | Refusal:
        number = args[0] if len(args) == 1 else ""
        if re.fullmatch(r"-?\d{1,9}", number, re.ASCII) is None:
            huge = number.isascii() and number.isdigit()
            return refused("fmt_wait_too_long", longest=self._longest_wait) if huge else calls.wait()
        steps = int(number)
        if steps > self._longest_wait:
            return refused("fmt_wait_too_long", longest=self._longest_wait)
        return calls.wait(max(1, steps))
