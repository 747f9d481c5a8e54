"""Commands, one after the other, each seeing what earlier ones did.

A command's conditions are asked for group by group; the first group that fails is told, with all that
fails in it.
"""

from __future__ import annotations

from backburner.worlds.cuisineworld.game.actions import ACTIVATE, GET, GOTO, NOOP, PUT, Command
from backburner.worlds.cuisineworld.game.kitchen import STORAGE, TABLE, Kitchen
from backburner.worlds.cuisineworld.game.rule_set import Rules
from backburner.worlds.cuisineworld.game.serving import table_has_room
from backburner.worlds.cuisineworld.game.state import NOTHING, Act, State

Codes = tuple[str, ...]


class Moment:
    """The kitchen in the middle of a step: what commands change, as lists."""

    def __init__(self, kitchen: Kitchen, rules: Rules, table_room: int | None, state: State) -> None:
        self.kitchen = kitchen
        self.rules = rules
        self.table_room = table_room
        self.state = state
        self.at = list(state.at)
        self.held = list(state.held)
        self.hands_busy = list(state.hands_busy)
        self.inside = list(state.inside)
        self.busy = list(state.busy)
        self.ready = state.ready
        self.activated: list[int] = []

    def do(self, command: Command) -> Act | Codes:
        """Carry a command out; the codes of what stands in the way if it cannot be."""
        verb, body, place = command.verb, command.body, command.place
        if verb == NOOP:
            return Act(body, NOOP)
        if verb == GOTO:
            if self.hands_busy[body]:
                return ("agent_occupied",)
            self.at[body] = place
            return Act(body, GOTO, place)
        if self.at[body] != place:
            return ("not_at_location",)
        if verb == GET:
            return self._get(command)
        return self._put(command) if verb == PUT else self._activate(command)

    def _get(self, command: Command) -> Act | Codes:
        body, place, item = command.body, command.place, command.item
        kitchen = self.kitchen
        if not (self.ready | kitchen.always_open) >> place & 1:
            return ("not_pickable",)
        codes = self._busy_codes(body, place, self.held[body] != NOTHING and "get_hands_full")
        if codes:
            return codes
        if kitchen.roles[place] == STORAGE:
            if not 0 <= item < kitchen.n_ingredients:
                return ("storage_needs_base_item",)
            self.held[body] = item
            return Act(body, GET, place, item)
        content = self.inside[place]
        if not content:
            return ("get_empty",)
        if item not in (NOTHING, content[0]) and not self.rules.items_ignored:
            return ("not_inside",)
        self.held[body] = content[0]
        self.inside[place] = content[1:]
        self.ready &= ~(1 << place)
        return Act(body, GET, place, content[0])

    def _busy_codes(self, body: int, place: int, hands: str | bool) -> Codes:
        """The group of conditions on body, hands and place, in the order in which they are told."""
        if not (self.hands_busy[body] or hands or self.busy[place]):
            return ()
        found = ["agent_occupied"] if self.hands_busy[body] else []
        if hands:
            found.append(str(hands))
        if self.busy[place]:
            found.append("location_occupied")
        return tuple(found)

    def _put(self, command: Command) -> Act | Codes:
        body, place = command.body, command.place
        held = self.held[body]
        codes = (
            self._released_put(body, place) if self.rules.waste_hides_reasons else self._put_codes(command)
        )
        if codes:
            return codes
        self.held[body] = NOTHING
        role = self.kitchen.roles[place]
        if role == TABLE or (role != STORAGE and held not in self.inside[place]):
            self.inside[place] = (*self.inside[place], held)
        return Act(body, PUT, place, held)

    def _released_put(self, body: int, place: int) -> Codes:
        """The reasons in the released order, in which what fits comes first."""
        kitchen, held, content = self.kitchen, self.held[body], self.inside[place]
        role = kitchen.roles[place]
        if held != NOTHING and role != STORAGE:
            misfit = self._misfit(place, held, content)
            if misfit and not (misfit == "put_waste" and held in content):
                return (misfit,)
        codes = self._busy_codes(body, place, held == NOTHING and "put_hands_empty")
        if len(content) >= kitchen.capacity[place] and (self.busy[place] or held not in content):
            return (*codes, "location_full")
        return codes

    def _put_codes(self, command: Command) -> Codes:
        """The reasons in the order in which they help: hands, then what keeps the place from taking
        anything, then what does not fit."""
        body, place, item = command.body, command.place, command.item
        held, content = self.held[body], self.inside[place]
        codes = self._busy_codes(body, place, held == NOTHING and "put_hands_empty")
        if codes:
            return codes
        if item not in (NOTHING, held) and not self.rules.items_ignored:
            return ("not_held",)
        role = self.kitchen.roles[place]
        if role == STORAGE:
            return ()
        if role != TABLE:
            if self.ready >> place & 1:
                return ("product_waits",)
            if held in content:
                return () if self.rules.duplicates_vanish else ("inside_already",)
            if len(content) >= self.kitchen.capacity[place]:
                return ("location_full",)
        misfit = self._misfit(place, held, content)
        return (misfit,) if misfit else ()

    def _misfit(self, place: int, held: int, content: tuple[int, ...]) -> str:
        """Why this thing has no business there, if it has none."""
        if self.kitchen.roles[place] != TABLE:
            return "" if self.kitchen.known(place, content)[0] >> held & 1 else "put_waste"
        if held not in self.kitchen.dish_of_thing:
            return "not_a_level_dish"
        if self.table_room is None:
            return ""
        room = table_has_room(self.kitchen, self.inside, self.state.orders, held, self.table_room)
        return "" if room else "table_full"

    def _activate(self, command: Command) -> Act | Codes:
        body, place = command.body, command.place
        content = self.inside[place]
        codes = self._busy_codes(body, place, self.held[body] != NOTHING and "activate_hands_full")
        if codes or not content:
            return codes if content else (*codes, "activate_empty")
        made = -1 if self.kitchen.roles[place] == TABLE else self.kitchen.known(place, content)[1]
        if made < 0:
            return ("activate_waste",)
        self.inside[place] = (made,)
        self.ready |= 1 << place
        self.busy[place] = self.kitchen.busy_steps[place]
        if self.kitchen.holds_body[place]:
            self.hands_busy[body] = self.busy[place]
        self.activated.append(place)
        return Act(body, ACTIVATE, place, made)
