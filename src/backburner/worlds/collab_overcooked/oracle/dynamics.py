"""One step of the grid on packed kitchens: the world's own rules, made fast. See ``game.stepping``."""

from __future__ import annotations

from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.grid import INTERACT, STAY
from backburner.worlds.collab_overcooked.oracle.packing import (
    DISH_CODE,
    NOTHING,
    START_ACT,
    TAKE_ACT,
    UNLIMITED,
    OnCounters,
    PackedKitchen,
    Packing,
    canonical,
)


class Dynamics:
    """The steps of one kitchen. ``fetched``: the item codes that a budget counts, in its order."""

    def __init__(self, compiled: Compiled, packing: Packing, fetched: tuple[int, ...]) -> None:
        grid, rules = compiled.grid, compiled.rules
        self._packing = packing
        self._budget_index = {item: index for index, item in enumerate(fetched)}
        self._deltas = grid.deltas
        self._is_floor = grid.is_floor
        self._tiles = grid.tiles
        self._utensil_at = grid.utensil_at
        self._stalls = rules.starting_stalls_timers
        self._one_pass = rules.starts_found_in_one_pass
        self._first_only = rules.first_order_only
        self._food_is_lost = rules.food_is_lost
        needs_dish = compiled.cookbook.needs_dish
        self._needs_dish = {packing.item(name): on_dish for name, on_dish in needs_dish.items()}
        self._ticked: dict[tuple[int, ...], tuple[int, ...]] = {}

    def step(self, kitchen: PackedKitchen, action0: int, action1: int) -> PackedKitchen:
        """What follows when the cooks take these actions."""
        pose0, held0, pose1, held1, on_counters, contents, orders, budget = kitchen
        started: tuple[int, ...] = ()
        if action0 >= INTERACT:
            held0, on_counters, contents, orders, budget, started = self._act(
                pose0, held0, on_counters, contents, orders, budget, started, action0
            )
        if action1 >= INTERACT:
            held1, on_counters, contents, orders, budget, started = self._act(
                pose1, held1, on_counters, contents, orders, budget, started, action1
            )
        if action0 < STAY or action1 < STAY:
            pose0, pose1 = self._moved(pose0, pose1, action0, action1)
        if started:
            contents = self._operated(contents, started)
        elif contents:
            ticked = self._ticked.get(contents)
            if ticked is None:
                after = self._packing.ticked
                ticked = self._ticked[contents] = tuple([after[content] for content in contents])
            contents = ticked
        return PackedKitchen(pose0, held0, pose1, held1, on_counters, contents, orders, budget)

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
        on_counters: OnCounters,
        contents: tuple[int, ...],
        orders: tuple[int, ...],
        budget: tuple[int, ...],
        started: tuple[int, ...],
        action: int,
    ) -> tuple[int, OnCounters, tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        cell = (pose >> 2) + self._deltas[pose & 3]
        utensil = self._utensil_at.get(cell)
        tile = self._tiles[cell]
        if utensil is not None:
            held, contents, started = self._at_utensil(utensil, held, contents, started, action)
        elif tile == letters.COUNTER:
            there = next((entry for entry in on_counters if entry[1] == cell), None)
            if held and there is None:
                held, on_counters = NOTHING, canonical((*on_counters, (held, cell)))
            elif not held and there is not None:
                held, on_counters = there[0], tuple(entry for entry in on_counters if entry is not there)
        elif tile in (letters.DISHES, letters.INGREDIENTS):
            if not held:
                held = DISH_CODE if tile == letters.DISHES else action - TAKE_ACT
                index = self._budget_index.get(held)
                if index is not None and 0 < budget[index] < UNLIMITED:
                    budget = (*budget[:index], budget[index] - 1, *budget[index + 1 :])
        elif tile == letters.SERVING and held and held != DISH_CODE:
            food = held & ~1
            wanted = orders[:1] if self._first_only else orders
            if food in wanted and self._needs_dish[food] == held & 1:
                index = orders.index(food)
                held, orders = NOTHING, orders[:index] + orders[index + 1 :]
            elif self._food_is_lost:
                held = NOTHING
        return held, on_counters, contents, orders, budget, started

    def _at_utensil(
        self, utensil: int, held: int, contents: tuple[int, ...], started: tuple[int, ...], action: int
    ) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        packing = self._packing
        content = next((one for one in contents if packing.utensil[one] == utensil), 0)
        left = packing.steps_left[content]
        if action == START_ACT and content and left < 0:
            return held, contents, started if utensil in started else (*started, utensil)
        if held == DISH_CODE or not held:
            if left == 0:
                food = packing.output[content]
                return food + (held == DISH_CODE), tuple(one for one in contents if one != content), started
        elif left < 0:
            filled = packing.after_putting(utensil, content, held & ~1)
            if filled:
                if content:
                    contents = tuple(filled if one == content else one for one in contents)
                else:
                    contents = packing.with_content(contents, filled)
                held = NOTHING
        return held, contents, started

    def _operated(self, contents: tuple[int, ...], started: tuple[int, ...]) -> tuple[int, ...]:
        """Operations start in the order of the cooks, then timers tick."""
        packing = self._packing
        after = list(contents)
        begun, passed = list(started), 0
        for utensil in started:
            index = next(index for index, one in enumerate(after) if packing.utensil[one] == utensil)
            if self._one_pass and index < passed:
                begun.remove(utensil)
                passed = len(after)
                break
            passed = max(passed, index)
            after[index] = packing.after_starting(after[index])
            if not after[index]:
                del after[index]
                if self._one_pass:
                    break
        for index in range(passed if self._stalls else len(after)):
            if packing.utensil[after[index]] not in begun:
                after[index] = packing.ticked[after[index]]
        return tuple(after)
