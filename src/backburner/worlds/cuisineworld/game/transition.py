"""A step in progress: commands, one after the other, then the serving tables.

A command's conditions are checked group by group; the codes of the first group that fails are the reasons
for its refusal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from backburner.worlds.cuisineworld.game.actions import ACTIVATE, GET, GOTO, NOOP, PUT, Command
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE, Compiled
from backburner.worlds.cuisineworld.game.rule_set import Rules
from backburner.worlds.cuisineworld.game.state import NOTHING, Act, State
from backburner.worlds.orders import Order

Codes = tuple[str, ...]
T = TypeVar("T")


class CheckedOrders(Struct, frozen=True, gc=False):
    """What a check of the orders found: those still open, those served (with the table), those expired."""

    left: tuple[Order, ...]
    served: tuple[tuple[Order, int], ...]
    expired: tuple[Order, ...]


class Transition:
    """The kitchen in the middle of a step: the rows of ``State``, each replaced by another when it changes.

    ``activated``: the places that were activated in this step.
    """

    def __init__(self, compiled: Compiled, rules: Rules, table_room: int | None, state: State) -> None:
        self.compiled = compiled
        self.rules = rules
        self.table_room = table_room
        self.state = state
        self.at = state.at
        self.held = state.held
        self.hands_busy = state.hands_busy
        self.inside = state.inside
        self.busy = state.busy
        self.ready = state.ready
        self.since = state.since
        self.activated: list[int] = []

    def do(self, command: Command) -> Act | Codes:
        """Carry a command out; where it cannot be, nothing changes and the codes of why are returned."""
        verb, body, place = command.verb, command.body, command.place
        if verb == NOOP:
            return Act(body, NOOP)
        if verb == GOTO:
            if self.hands_busy[body]:
                return ("agent_occupied",)
            self.at = _with(self.at, body, place)
            return Act(body, GOTO, place)
        if self.at[body] != place:
            return ("not_at_location",)
        if verb == GET:
            return self._get(command)
        return self._put(command) if verb == PUT else self._activate(command)

    def _get(self, command: Command) -> Act | Codes:
        body, place, item = command.body, command.place, command.item
        compiled = self.compiled
        if not (self.ready | compiled.always_open) >> place & 1:
            return ("not_pickable",)
        codes = self._busy_codes(body, place, self.held[body] != NOTHING and "get_hands_full")
        if codes:
            return codes
        if compiled.roles[place] == STORAGE:
            if not 0 <= item < compiled.n_ingredients:
                return ("storage_needs_base_item",)
            self.held = _with(self.held, body, item)
            return Act(body, GET, place, item)
        content = self.inside[place]
        if not content:
            return ("get_empty",)
        if item not in (NOTHING, content[0]) and not self.rules.items_ignored:
            return ("not_inside",)
        self.held = _with(self.held, body, content[0])
        self.inside = _with(self.inside, place, content[1:])
        self.ready &= ~(1 << place)
        return Act(body, GET, place, content[0])

    def _busy_codes(self, body: int, place: int, hands: str | bool) -> Codes:
        """The codes for a busy body, for its hands (``hands``, if any) and for a busy place."""
        if not (self.hands_busy[body] or hands or self.busy[place]):
            return ()
        codes = ["agent_occupied"] if self.hands_busy[body] else []
        if hands:
            codes.append(str(hands))
        if self.busy[place]:
            codes.append("location_occupied")
        return tuple(codes)

    def _put(self, command: Command) -> Act | Codes:
        body, place = command.body, command.place
        held = self.held[body]
        if self.rules.waste_hides_reasons:
            codes = self._released_put_codes(body, place)
        else:
            codes = self._put_codes(command)
        if codes:
            return codes
        self.held = _with(self.held, body, NOTHING)
        role = self.compiled.roles[place]
        if role == TABLE or (role != STORAGE and held not in self.inside[place]):
            self.inside = _with(self.inside, place, (*self.inside[place], held))
        return Act(body, PUT, place, held)

    def _released_put_codes(self, body: int, place: int) -> Codes:
        """The reasons in the released order, in which what fits comes first."""
        compiled, held, content = self.compiled, self.held[body], self.inside[place]
        role = compiled.roles[place]
        if held != NOTHING and role != STORAGE:
            misfit = self._misfit(place, held, content)
            if misfit and not (misfit == "put_waste" and held in content):
                return (misfit,)
        codes = self._busy_codes(body, place, held == NOTHING and "put_hands_empty")
        if len(content) >= compiled.capacity[place] and (self.busy[place] or held not in content):
            return (*codes, "location_full")
        return codes

    def _put_codes(self, command: Command) -> Codes:
        """The reasons in the order in which they help: hands, a place that takes nothing, a thing that does
        not fit."""
        body, place, item = command.body, command.place, command.item
        held, content = self.held[body], self.inside[place]
        codes = self._busy_codes(body, place, held == NOTHING and "put_hands_empty")
        if codes:
            return codes
        if item not in (NOTHING, held) and not self.rules.items_ignored:
            return ("not_held",)
        role = self.compiled.roles[place]
        if role == STORAGE:
            return ()
        if role != TABLE:
            if self.ready >> place & 1:
                return ("product_waits",)
            if held in content:
                return () if self.rules.duplicates_vanish else ("inside_already",)
            if len(content) >= self.compiled.capacity[place]:
                return ("location_full",)
        misfit = self._misfit(place, held, content)
        return (misfit,) if misfit else ()

    def _misfit(self, place: int, held: int, content: tuple[int, ...]) -> str:
        """The code of why this thing does not belong there; empty if it does."""
        if self.compiled.roles[place] != TABLE:
            return "" if self.compiled.addable(place, content) >> held & 1 else "put_waste"
        if held not in self.compiled.dish_of_thing:
            return "not_a_level_dish"
        if self.table_room is None:
            return ""
        room = table_has_room(self.compiled, self.inside, self.state.orders, held, self.table_room)
        return "" if room else "table_full"

    def _activate(self, command: Command) -> Act | Codes:
        body, place = command.body, command.place
        content = self.inside[place]
        codes = self._busy_codes(body, place, self.held[body] != NOTHING and "activate_hands_full")
        if codes or not content:
            return codes if content else (*codes, "activate_empty")
        product = -1 if self.compiled.roles[place] == TABLE else self.compiled.product(place, content)
        if product < 0:
            return ("activate_waste",)
        self.inside = _with(self.inside, place, (product,))
        self.ready |= 1 << place
        steps = self.compiled.busy_steps[place]
        self.busy = _with(self.busy, place, steps)
        if self.compiled.holds_body[place]:
            self.hands_busy = _with(self.hands_busy, body, steps)
        self.activated.append(place)
        return Act(body, ACTIVATE, place, product)

    def check_orders(self) -> CheckedOrders:
        """Look at each order, the most urgent first; what is served leaves its table, the oldest dish first.

        An order with no step left expires, even if its dish is on the table now. The first table that holds
        the dish serves it, and one dish serves one order.
        """
        tables, dish_things = self.compiled.tables, self.compiled.dish_things
        left, served, expired = [], [], []
        for order in self.state.orders:
            if not order.left:
                expired.append(order)
                continue
            thing = dish_things[order.dish]
            for table in tables:
                if thing in self.inside[table]:
                    self._take_off(table, self.inside[table].index(thing))
                    served.append((order, table))
                    break
            else:
                left.append(order)
        return CheckedOrders(tuple(left), tuple(served), tuple(expired))

    def _take_off(self, table: int, index: int) -> None:
        self.inside = _with(self.inside, table, _without(self.inside[table], index))
        if self.since:
            self.since = _with(self.since, table, _without(self.since[table], index))

    def note_dishes(self) -> None:
        """Where dishes spoil, remember of those that are new on a table that they came in this step."""
        for table in self.compiled.tables:
            new = len(self.inside[table]) - len(self.since[table])
            self.since = _with(self.since, table, self.since[table] + (self.state.steps + 1,) * new)

    def spoil(self, spoil_steps: int | None) -> int:
        """Take away the dishes that were put on a table so many steps ago; returns how many."""
        if spoil_steps is None:
            return 0
        count, before = 0, self.state.steps + 1 - spoil_steps
        for table, put in enumerate(self.since):
            gone = sum(time <= before for time in put)
            if gone:
                self.inside = _with(self.inside, table, self.inside[table][gone:])
                self.since = _with(self.since, table, put[gone:])
                count += gone
        return count


def table_has_room(
    compiled: Compiled, inside: Sequence[tuple[int, ...]], orders: Sequence[Order], dish: int, room: int
) -> bool:
    """Whether somebody waits for one more such dish, or fewer than ``room`` lie there for nobody.

    With two orders for soup and three soups on the table, one lies there for nobody.
    """
    waiting = [compiled.dish_things[order.dish] for order in orders if order.left]
    lying = [thing for table in compiled.tables for thing in inside[table]]
    if lying.count(dish) < waiting.count(dish):
        return True
    spare = sum(max(0, lying.count(thing) - waiting.count(thing)) for thing in set(lying))
    return spare < room


def _with(row: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*row[:index], value, *row[index + 1 :])


def _without(row: tuple[int, ...], index: int) -> tuple[int, ...]:
    return row[:index] + row[index + 1 :]
