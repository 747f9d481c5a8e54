"""The step of the grid on packed kitchens, and the successors of a node in the two decision spaces.

``Dynamics`` is the world's own step (``game.transition``), made fast. The decision spaces are the article's
calls, and the moves of the grid.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import INTERACT, STAY, Grid
from backburner.worlds.collab_overcooked.oracle.packing import (
    DISH_CODE,
    IDLE,
    NO_WAY,
    NOTHING,
    START_ACT,
    TAKE_ACT,
    UNLIMITED,
    WAIT,
    CallRules,
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
        """Operations start and timers tick; what matches no recipe is marked, and all or the last is gone."""
        packing, ticking = self._packing, True
        after = list(contents)
        marked: list[int] = []
        for index, content in enumerate(contents):
            if packing.utensil[content] in started:
                after[index] = packing.after_starting(content) or content
                if after[index] == content:
                    marked.append(content)
                elif self._stalls:
                    ticking = False
            elif ticking:
                after[index] = packing.ticked[content]
        for content in marked[-1:] if self._one_pass else marked:
            after.remove(content)
        return tuple(after)


class CallNode(NamedTuple):
    """A kitchen and the code of the call that each cook is carrying out. An idle cook decides."""

    kitchen: PackedKitchen
    call0: int = IDLE
    call1: int = IDLE


class CallEdge(NamedTuple):
    """A joint decision, which leads to the next one after ``steps``.

    ``begun``: the calls that the cooks begin (``IDLE``: does not decide now). ``ended``: the calls that have
    been carried out to their end meanwhile.
    """

    steps: int
    node: CallNode
    begun: tuple[int, int]
    ended: tuple[int, int]


class CallSuccessors:
    """Each cook whose call is done begins another one or waits a step.

    Decisions whose outcome is drawn by chance (see ``Rules.calls_never_end``) are left out.
    """

    def __init__(self, rules: CallRules, dynamics: Dynamics, calls_never_end: bool) -> None:
        self._rules = rules
        self._dynamics = dynamics
        self._never_end = calls_never_end

    def edges(self, node: CallNode) -> Iterator[CallEdge]:
        """Every joint decision, and where it leads."""
        kitchen, call0, call1 = node
        for begun0 in self._options(kitchen, 0) if call0 == IDLE else (IDLE,):
            for begun1 in self._options(kitchen, 1) if call1 == IDLE else (IDLE,):
                outcome = self._carried_out(kitchen, begun0 or call0, begun1 or call1)
                if outcome is not None:
                    steps, after, ended = outcome
                    yield CallEdge(steps, after, (begun0, begun1), ended)

    def _options(self, kitchen: PackedKitchen, cook: int) -> list[int]:
        accepted, action = self._rules.accepted, self._rules.action
        options = [
            call
            for call in self._rules.candidates(kitchen, cook)
            if accepted(kitchen, cook, call) and action(kitchen, cook, call) != NO_WAY
        ]
        return [*options, WAIT]

    def _carried_out(
        self, kitchen: PackedKitchen, call0: int, call1: int
    ) -> tuple[int, CallNode, tuple[int, int]] | None:
        """(steps, node, ended calls) when a cook decides again or the orders are met.

        ``None`` if chance would decide, or if nothing changes any more.
        """
        action, steps = self._rules.action, 0
        while True:
            action0 = STAY if call0 < 0 else action(kitchen, 0, call0)
            action1 = STAY if call1 < 0 else action(kitchen, 1, call1)
            if action0 == NO_WAY or action1 == NO_WAY:
                return None
            after = self._dynamics.step(kitchen, action0, action1)
            steps += 1
            still0, still1 = self._still(after, 0, call0), self._still(after, 1, call1)
            stuck = still0 >= 0 <= still1 and (still0 or call0 < 0) and (still1 or call1 < 0)
            if after == kitchen and stuck:
                return None
            if not after.orders or still0 == IDLE or still1 == IDLE:
                ended = self._ended(after, 0, call0), self._ended(after, 1, call1)
                return steps, CallNode(after, still0, still1), ended
            kitchen, call0, call1 = after, still0, still1

    def _still(self, kitchen: PackedKitchen, cook: int, call: int) -> int:
        """The call that a cook is still at; a wait has one step less to go."""
        if call < 0:
            return call + 1
        if self._rules.done(kitchen, cook, call):
            return IDLE
        if self._never_end:
            return call
        goes_on = self._rules.accepted(kitchen, cook, call)
        return call if goes_on and self._rules.action(kitchen, cook, call) != NO_WAY else IDLE

    def _ended(self, kitchen: PackedKitchen, cook: int, call: int) -> int:
        return call if call > 0 and self._rules.done(kitchen, cook, call) else IDLE


class MoveEdge(NamedTuple):
    """Both cooks' actions in one step, and the kitchen after it."""

    steps: int
    node: PackedKitchen
    begun: tuple[int, int]


class MoveSuccessors:
    """Both cooks move, turn, act or stay in every step.

    Nothing is fetched beyond what the orders take. No shorter plan is lost by that: if an item ends in no
    order, every act on it can be replaced by staying.
    """

    def __init__(self, grid: Grid, packing: Packing, dynamics: Dynamics, fetched: tuple[int, ...]) -> None:
        self._grid = grid
        self._packing = packing
        self._dynamics = dynamics
        self._fetched = fetched
        self._dishes = fetched.index(DISH_CODE) if DISH_CODE in fetched else -1
        self._walks: dict[int, tuple[int, ...]] = {}

    def edges(self, kitchen: PackedKitchen) -> Iterator[MoveEdge]:
        """Every pair of actions that changes the kitchen."""
        second = self._actions(kitchen, kitchen.pose1, kitchen.held1)
        for action0 in self._actions(kitchen, kitchen.pose0, kitchen.held0):
            for action1 in second:
                after = self._dynamics.step(kitchen, action0, action1)
                if after != kitchen:
                    yield MoveEdge(1, after, (action0, action1))

    def _actions(self, kitchen: PackedKitchen, pose: int, held: int) -> list[int]:
        walks = self._walks.get(pose)
        if walks is None:
            walks = self._walks[pose] = tuple(self._walks_from(pose))
        cell = (pose >> 2) + self._grid.deltas[pose & 3]
        return [*walks, STAY, *self._acts(kitchen, cell, held)]

    def _walks_from(self, pose: int) -> Iterator[int]:
        """Steps onto the floor, and turns to other tiles."""
        for direction, delta in enumerate(self._grid.deltas):
            cell = (pose >> 2) + delta
            if self._grid.is_floor[cell] or direction != pose & 3:
                yield direction

    def _acts(self, kitchen: PackedKitchen, cell: int, held: int) -> Iterator[int]:
        """Acts on a tile that may change something, given what the partner does in the same step."""
        utensil = self._grid.utensil_at.get(cell)
        tile = self._grid.tiles[cell]
        if utensil is not None:
            content = next((one for one in kitchen.contents if self._packing.utensil[one] == utensil), 0)
            if content and self._packing.steps_left[content] < 0:
                yield START_ACT
            yield INTERACT
        elif tile == letters.INGREDIENTS:
            for item, left in zip(self._fetched, kitchen.budget, strict=True):
                if left > 0 and not held and item != DISH_CODE:
                    yield TAKE_ACT + item
        elif tile == letters.DISHES:
            if not held and kitchen.budget[self._dishes] > 0 <= self._dishes:
                yield INTERACT
        elif tile == letters.COUNTER or (tile == letters.SERVING and held):
            yield INTERACT
