"""One step of the grid on kitchens that are tuples of numbers; the world's own rules, made fast."""

from __future__ import annotations

from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.grid import INTERACT, STAY
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.state import Kitchen
from backburner.worlds.collab_overcooked.oracle.codes import DISH_CODE, NOTHING, Codes
from backburner.worlds.collab_overcooked.oracle.floors import Floor, Lying, in_order
from backburner.worlds.collab_overcooked.oracle.needs import MANY

START_ACT = INTERACT + 1
TAKE_ACT = INTERACT + 2
"""An act with a parameter: to start an operation; to take the raw food ``action - TAKE_ACT``."""


class Steps:
    """The steps of one kitchen. ``fetched``: the codes of the things of a budget, in its order."""

    def __init__(self, ware: Kitchenware, codes: Codes, fetched: tuple[int, ...]) -> None:
        grid = ware.grid
        self._codes = codes
        self._place_in_budget = {item: place for place, item in enumerate(fetched)}
        self._deltas = grid.deltas
        self._is_floor = grid.is_floor
        self._tiles = grid.tiles
        self._utensil_at = grid.utensil_at
        self._stalls = ware.rules.starting_stalls_timers
        self._one_pass = ware.rules.starts_found_in_one_pass
        self._first_only = ware.rules.first_order_only
        self._food_is_lost = ware.rules.food_is_lost
        self._needs_dish = {codes.item(name): on_dish for name, on_dish in ware.cookbook.needs_dish.items()}
        self._ticks: dict[tuple[int, ...], tuple[int, ...]] = {}

    def kitchen(self, kitchen: Kitchen, budget: tuple[int, ...]) -> Floor:
        """A kitchen of the world in numbers."""
        item = self._codes.item
        first, second = kitchen.bodies
        contents = tuple(self._codes.content(one) for one in kitchen.contents)
        return Floor(
            4 * first.cell + first.facing,
            item(first.held, first.plated) if first.held else NOTHING,
            4 * second.cell + second.facing,
            item(second.held, second.plated) if second.held else NOTHING,
            in_order(tuple((item(one.item, one.plated), one.cell) for one in kitchen.lying)),
            contents if self._stalls else tuple(sorted(contents, key=self._codes.utensil.__getitem__)),
            tuple(item(name) for name in kitchen.orders),
            budget,
        )

    def step(self, floor: Floor, action0: int, action1: int) -> Floor:
        """What follows when the cooks do this."""
        pose0, held0, pose1, held1, lying, contents, orders, budget = floor
        started: tuple[int, ...] = ()
        if action0 >= INTERACT:
            held0, lying, contents, orders, budget, started = self._act(
                pose0, held0, lying, contents, orders, budget, started, action0
            )
        if action1 >= INTERACT:
            held1, lying, contents, orders, budget, started = self._act(
                pose1, held1, lying, contents, orders, budget, started, action1
            )
        if action0 < STAY or action1 < STAY:
            pose0, pose1 = self._moved(pose0, pose1, action0, action1)
        if started:
            contents = self._work(contents, started)
        elif contents:
            ticked = self._ticks.get(contents)
            if ticked is None:
                after = self._codes.ticked
                ticked = self._ticks[contents] = tuple([after[content] for content in contents])
            contents = ticked
        return Floor(pose0, held0, pose1, held1, lying, contents, orders, budget)

    def _moved(self, pose0: int, pose1: int, action0: int, action1: int) -> tuple[int, int]:
        cell0, cell1 = pose0 >> 2, pose1 >> 2
        to0 = cell0 + self._deltas[action0] if action0 < STAY else cell0
        to1 = cell1 + self._deltas[action1] if action1 < STAY else cell1
        if not self._is_floor[to0]:
            to0 = cell0
        if not self._is_floor[to1]:
            to1 = cell1
        if to0 == to1 or (to0 == cell1 and to1 == cell0):
            to0, to1 = cell0, cell1
        return (
            4 * to0 + action0 if action0 < STAY else pose0,
            4 * to1 + action1 if action1 < STAY else pose1,
        )

    def _act(
        self,
        pose: int,
        held: int,
        lying: Lying,
        contents: tuple[int, ...],
        orders: tuple[int, ...],
        budget: tuple[int, ...],
        started: tuple[int, ...],
        action: int,
    ) -> tuple[int, Lying, tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        cell = (pose >> 2) + self._deltas[pose & 3]
        utensil = self._utensil_at.get(cell)
        tile = self._tiles[cell]
        if utensil is not None:
            held, contents, started = self._at_utensil(utensil, held, contents, started, action)
        elif tile == letters.COUNTER:
            there = next((one for one in lying if one[1] == cell), None)
            if held and there is None:
                held, lying = NOTHING, in_order((*lying, (held, cell)))
            elif not held and there is not None:
                held, lying = there[0], tuple(one for one in lying if one is not there)
        elif tile in (letters.DISHES, letters.INGREDIENTS):
            if not held:
                held = DISH_CODE if tile == letters.DISHES else action - TAKE_ACT
                place = self._place_in_budget.get(held)
                if place is not None and 0 < budget[place] < MANY:
                    budget = (*budget[:place], budget[place] - 1, *budget[place + 1 :])
        elif tile == letters.SERVING and held and held != DISH_CODE:
            food = held & ~1
            wanted = orders[:1] if self._first_only else orders
            if food in wanted and self._needs_dish[food] == held & 1:
                place = orders.index(food)
                held, orders = NOTHING, orders[:place] + orders[place + 1 :]
            elif self._food_is_lost:
                held = NOTHING
        return held, lying, contents, orders, budget, started

    def _at_utensil(
        self, utensil: int, held: int, contents: tuple[int, ...], started: tuple[int, ...], action: int
    ) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        codes = self._codes
        content = next((one for one in contents if codes.utensil[one] == utensil), 0)
        left = codes.left[content]
        if action == START_ACT and content and left < 0:
            return held, contents, started if utensil in started else (*started, utensil)
        if held == DISH_CODE or not held:
            if left == 0:
                food = codes.output[content]
                return food + (held == DISH_CODE), tuple(one for one in contents if one != content), started
        elif left < 0:
            filled = codes.put(utensil, content, held & ~1)
            if filled:
                if content:
                    contents = tuple(filled if one == content else one for one in contents)
                else:
                    contents = self._with(contents, filled)
                held = NOTHING
        return held, contents, started

    def _with(self, contents: tuple[int, ...], new: int) -> tuple[int, ...]:
        """One more content: at the end where the order counts, else sorted by utensil."""
        if self._stalls:
            return (*contents, new)
        return tuple(sorted((*contents, new), key=self._codes.utensil.__getitem__))

    def _work(self, contents: tuple[int, ...], started: tuple[int, ...]) -> tuple[int, ...]:
        """Operations start in the order of the cooks, then timers tick; see the world's ``stepping``."""
        codes = self._codes
        after = list(contents)
        begun, passed = list(started), 0
        for utensil in started:
            place = next(place for place, one in enumerate(after) if codes.utensil[one] == utensil)
            if self._one_pass and place < passed:
                begun.remove(utensil)
                passed = len(after)
                break
            passed = max(passed, place)
            after[place] = codes.started(after[place])
            if not after[place]:
                del after[place]
                if self._one_pass:
                    break
        for place in range(passed if self._stalls else len(after)):
            if codes.utensil[after[place]] not in begun:
                after[place] = codes.ticked[after[place]]
        return tuple(after)
