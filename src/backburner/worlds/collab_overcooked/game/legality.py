"""Calls against a kitchen: where they lead, whether they can be done, how they are carried out."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call, refused
from backburner.worlds.collab_overcooked.game.layout import INTERACT, START, Cookbook, Grid
from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.state import Body, Kitchen, Lying, Move

SERVING = "serving_place"


class Targets:
    """The tiles that calls are about in kitchens of one layout, as far as a cook can ever get to them.

    ``visible``: the tiles of which a cook sees what lies on them.
    """

    def __init__(self, grid: Grid, rules: Rules) -> None:
        self._grid = grid
        self._rules = rules
        self._within = tuple(
            {
                calls.INGREDIENT_DISPENSER: self._reached(cook, grid.ingredients),
                calls.DISH_DISPENSER: self._reached(cook, grid.dishes),
                calls.DELIVER: self._reached(cook, grid.servings),
            }
            | {utensil.name: self._reached(cook, (utensil.cell,)) for utensil in grid.utensils}
            for cook in (0, 1)
        )
        self._counters = tuple(self._reached(cook, grid.counters) for cook in (0, 1))
        self._space = tuple(
            tuple(SERVING if name == calls.DELIVER else name for name, cells in within.items() if cells)
            for within in self._within
        )
        shared = grid.reach[0] & grid.reach[1]
        self.visible = (shared, shared) if rules.private_counters_unseen else grid.reach

    def _reached(self, cook: int, cells: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(cell for cell in cells if cell in self._grid.reach[cook])

    def of(self, lying: Sequence[Lying], cook: int, call: Call) -> tuple[int, ...]:
        """The tiles on which a cook can do this, in the order in which they are tried; empty if there are
        none. ``lying``: what lies on counters."""
        if call.verb == calls.PICKUP:
            return self.of_pickup(lying, cook, call)
        if call.verb == calls.PLACE:
            return self.of_place(lying, cook)
        if call.verb == calls.DELIVER:
            return self._within[cook][calls.DELIVER]
        return self._within[cook].get(call.place, ())

    def of_pickup(self, lying: Sequence[Lying], cook: int, call: Call) -> tuple[int, ...]:
        """The tiles where the item can be taken; counters in the order in which things were put down."""
        place = call.place
        if place in self._within[cook]:
            return self._within[cook][place]
        if place != calls.COUNTER:
            return ()
        own, partners = self._grid.reach[cook], self._grid.reach[1 - cook]
        cells = tuple(each.cell for each in lying if each.item == call.item and each.cell in own)
        if not self._rules.private_counters_first:
            return cells
        return tuple(cell for cell in cells if cell not in partners) or cells

    def of_place(self, lying: Sequence[Lying], cook: int) -> tuple[int, ...]:
        """Empty counters that both cooks can reach, or if there is none, that this one can."""
        taken = {each.cell for each in lying}
        shared = tuple(cell for cell in self._grid.shared_counters if cell not in taken)
        return shared or tuple(cell for cell in self._counters[cook] if cell not in taken)

    def space(self, cook: int) -> tuple[str, ...]:
        """What a cook can reach, by name: utensils, dispensers, the serving place."""
        return self._space[cook]


class Legality:
    """Whether calls can be done in kitchens of one layout: the kitchen against what the call needs.

    The tests are made in a fixed order; the first that fails gives the refusal. ``informed``: the cooks that
    have the recipes.
    """

    def __init__(
        self, grid: Grid, cookbook: Cookbook, targets: Targets, rules: Rules, informed: frozenset[int]
    ) -> None:
        self._grid = grid
        self._cookbook = cookbook
        self._targets = targets
        self._rules = rules
        self._informed = informed

    def refusal(self, kitchen: Kitchen, cook: int, call: Call) -> Refusal | None:
        """Why a cook cannot do this now; ``None`` if it can."""
        match call.verb:
            case calls.WAIT:
                return None
            case calls.PICKUP:
                return self._pickup(kitchen, cook, call)
            case calls.PUT:
                return self._put(kitchen, cook, call)
            case calls.PLACE:
                return self._place(kitchen, cook)
            case calls.FILL:
                return self._fill(kitchen, cook, call)
            case calls.DELIVER:
                return self._deliver(kitchen, cook)
            case calls.CHECK_RECIPE:
                return refused("recipe_already" if cook in self._informed else "recipe_not_chef")
        return self._operate(kitchen, cook, call)

    def _pickup(self, kitchen: Kitchen, cook: int, call: Call) -> Refusal | None:
        utensil = self._grid.utensil_named.get(call.place)
        content = None if utensil is None else kitchen.content(utensil)
        if content is not None and content.cooking:
            left = content.steps - content.timer
            return refused("pickup_utensil_cooking", place=call.place, steps_left=left)
        if utensil is not None and self._on_dish_only(utensil, call.item):
            return refused("pickup_needs_dish", item=call.item, place=call.place)
        if not self._targets.of_pickup(kitchen.lying, cook, call):
            if call.place == calls.COUNTER:
                return refused("pickup_not_on_reachable_counter", item=call.item)
            if cook == 0 and "dispenser" in call.place:
                return refused("pickup_chef_no_dispenser", place=call.place)
            return refused("pickup_unreachable", item=call.item, place=call.place)
        if kitchen.bodies[cook].held:
            return refused("pickup_hands_full", held=kitchen.bodies[cook].held)
        if utensil is not None and (content is None or content.output != call.item):
            return refused("pickup_not_in_utensil", item=call.item, place=call.place)
        return None

    def _on_dish_only(self, utensil: int, item: str) -> bool:
        """Whether this utensil makes it, and it is served on a dish."""
        kind = self._grid.utensils[utensil].kind
        return self._cookbook.needs_dish.get(item, False) and self._cookbook.makes(kind, item)

    def _put(self, kitchen: Kitchen, cook: int, call: Call) -> Refusal | None:
        utensil, body = self._grid.utensil_named[call.place], kitchen.bodies[cook]
        content = kitchen.content(utensil)
        if content is not None and content.cooking:
            return refused("put_utensil_cooking", place=call.place)
        if content is not None and content.ready:
            return refused("put_utensil_ready", place=call.place)
        if not self._within_reach(cook, utensil):
            return refused("put_unreachable", place=call.place)
        if not body.held:
            return refused("put_hands_empty", place=call.place)
        if body.holds_dish:
            return refused("put_dish", place=call.place)
        if body.plated and not self._rules.plated_food_loses_dish:
            return refused("put_plated_food", place=call.place, held=body.held)
        full = content is not None and len(content.items) >= self._cookbook.capacity
        if full and not self._rules.full_utensils_accept:
            return refused("put_utensil_full", place=call.place, holds=self._cookbook.capacity)
        return None

    def _place(self, kitchen: Kitchen, cook: int) -> Refusal | None:
        if not kitchen.bodies[cook].held:
            return refused("place_hands_empty")
        if not self._rules.calls_never_end and not self._targets.of_place(kitchen.lying, cook):
            return refused("place_no_empty_counter")
        return None

    def _fill(self, kitchen: Kitchen, cook: int, call: Call) -> Refusal | None:
        utensil, body = self._grid.utensil_named[call.place], kitchen.bodies[cook]
        content = kitchen.content(utensil)
        if self._rules.dish_asked_of_order:
            wants_dish = bool(kitchen.orders) and self._cookbook.needs_dish[kitchen.orders[0]]
            if wants_dish and not body.holds_dish:
                return refused("fill_no_dish_in_hand", place=call.place)
            if not wants_dish:
                return refused("fill_order_needs_no_dish", place=call.place)
        elif not body.holds_dish:
            return refused("fill_no_dish_in_hand", place=call.place)
        elif not self._within_reach(cook, utensil):
            return refused("fill_unreachable", place=call.place)
        if content is None or not content.timer:
            return refused("fill_not_started", place=call.place)
        return None

    def _deliver(self, kitchen: Kitchen, cook: int) -> Refusal | None:
        body = kitchen.bodies[cook]
        if not body.held:
            return refused("deliver_hands_empty")
        if self._rules.food_is_lost:
            edible = any(name in body.held for name in self._cookbook.needs_dish)
            return None if edible else refused("deliver_not_food", held=body.held)
        return self._not_ordered(kitchen, body) or self._serving_unreachable(cook)

    def _not_ordered(self, kitchen: Kitchen, body: Body) -> Refusal | None:
        wanted = kitchen.orders[:1] if self._rules.first_order_only else kitchen.orders
        if body.held not in self._cookbook.products:
            return refused("deliver_not_food", held=body.held)
        if body.held not in wanted:
            return refused("deliver_not_ordered", held=body.held)
        if self._cookbook.needs_dish[body.held] and not body.plated:
            return refused("deliver_dish_missing", held=body.held)
        if body.plated and not self._cookbook.needs_dish[body.held]:
            return refused("deliver_dish_not_wanted", held=body.held)
        return None

    def _serving_unreachable(self, cook: int) -> Refusal | None:
        reached = any(cell in self._grid.reach[cook] for cell in self._grid.servings)
        return None if reached else refused("deliver_unreachable")

    def _operate(self, kitchen: Kitchen, cook: int, call: Call) -> Refusal | None:
        utensil = self._grid.utensil_named[call.place]
        content = kitchen.content(utensil)
        if not self._within_reach(cook, utensil):
            return refused("operate_unreachable", place=call.place)
        if content is None:
            return refused("operate_empty", place=call.place)
        if content.timer:
            return refused("operate_busy", place=call.place)
        if kitchen.bodies[cook].held:
            return refused("operate_hands_full", place=call.place, held=kitchen.bodies[cook].held)
        return None

    def _within_reach(self, cook: int, utensil: int) -> bool:
        return self._grid.utensils[utensil].cell in self._grid.reach[cook]


HAND_EMPTYING = frozenset((calls.PUT, calls.PLACE, calls.DELIVER))


class Execution:
    """How calls are carried out in kitchens of one layout. Waits are counted elsewhere."""

    def __init__(self, grid: Grid, targets: Targets, rules: Rules) -> None:
        self._grid = grid
        self._targets = targets
        self._rules = rules

    def move(self, kitchen: Kitchen, cook: int, call: Call) -> Move | None:
        """The next move of the cheapest way to do this; ``None`` if there is no way now."""
        body, other = kitchen.bodies[cook], kitchen.bodies[1 - cook]
        tiles = self._targets.of(kitchen.lying, cook, call)
        action = self._grid.next_move(body.cell, body.facing, other.cell, tiles)
        if action is None:
            return None
        if action != INTERACT:
            return action, ""
        if call.verb == calls.PICKUP:
            return action, call.item
        return action, "" if call.verb in HAND_EMPTYING or call.verb == calls.FILL else START

    def done(self, kitchen: Kitchen, cook: int, call: Call) -> bool:
        """Whether the kitchen is as it is when this has been done."""
        body = kitchen.bodies[cook]
        if call.verb == calls.PICKUP:
            return body.held == call.item
        if call.verb in HAND_EMPTYING:
            return not body.held
        if call.verb == calls.FILL:
            return self._filled(kitchen, cook)
        if kitchen.ruined and self._rules.ruin_ends_operations:
            return True
        utensil = self._grid.utensil_named[call.place]
        content = kitchen.content(utensil)
        return utensil in kitchen.ruined or (content is not None and content.timer > 0)

    def _filled(self, kitchen: Kitchen, cook: int) -> bool:
        body = kitchen.bodies[cook]
        if self._rules.dish_asked_of_order and kitchen.orders:
            return kitchen.orders[0] in body.held
        return body.plated
