"""The grid's states and actions as numbers: what the exact world says of them.

**Codes** are the actions: ``stay``, the four directions, ``interact``, ``interact(start)``, and ``interact``
with each ingredient of the kitchen. The mask is the world's menu, which is complete.

**Features** say where both cooks are and look, oneself first; what both hold, and what lies on each counter
that the cook sees; what is in each utensil, how long it works yet, and whether it makes anything, which both
cooks are told. A thing is told by the bits of its number, by whether it could be delivered now, and for who
has the recipes by whether an open order takes it, and which kinds of utensils it goes into. Who has the
recipes is told besides which ingredients and dishes are lacking, and which utensils to fill up or start, as
far as it sees what there is.

**Score**: the orders delivered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from backburner.arrays.encoding import Encoding, Reward
from backburner.kernel.errors import Refused
from backburner.kernel.values import Refusal, Seat, Step
from backburner.worlds.collab_grid.arrays.needs import Needs, Take
from backburner.worlds.collab_grid.game.legality import DIRECTIONS, IDLE, INTERACT, Action
from backburner.worlds.collab_grid.game.state import State
from backburner.worlds.collab_grid.game.world import CollabGrid
from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.layout import DISH, START
from backburner.worlds.collab_overcooked.game.state import SEATS, Body, Content, Kitchen, cook_of

MOST_SHOWN = 4
"""Open orders that features have room for."""

MANY = 3
"""So many of an ingredient, or more, are lacking alike."""

TILES = (letters.FLOOR, letters.COUNTER, letters.INGREDIENTS, letters.DISHES, letters.SERVING)
TILE_NAMES = ("floor", "a counter", "the ingredients", "the dishes", "the serving place")
"""What a cook may face beside utensils."""

PROGRESS = "progress"
"""A shaped reward of ours, by this name; see ``ProgressReward``."""


class CollabGridEncoding(Encoding[State, Action]):
    """The numbers of one scenario; see the module's text.

    ``items``: everything that can be held, by number from 1; 0 is nothing. ``bits``: how many tell a number.
    ``sees``: for each cook the tiles of which it sees what lies there. ``most_open``: orders open at once.
    """

    def __init__(self, world: CollabGrid) -> None:
        self.world = world
        scenario, layout = world.scenario, world.compiled.layout
        if START in layout.ingredients:
            raise Refused(f"{world.id}: an ingredient called {START!r} and the start of a utensil look alike")
        if scenario.order_weights and world.limits.steps is None:
            raise Refused(f"{world.id}: orders keep coming and nothing ends play; set limits")
        self.needs = Needs(world.compiled, scenario)
        products = dict.fromkeys(recipe.output for recipe in layout.recipes)
        self.items = ("", DISH, *layout.ingredients, *products)
        self.item_number = {item: number for number, item in enumerate(self.items)}
        self.bits = (len(self.items) - 1).bit_length()
        self.kinds = tuple(layout.utensils)
        grid = world.compiled.grid
        self.floor = tuple(cell for cell, is_floor in enumerate(grid.is_floor) if is_floor)
        self.sees = world.compiled.targets.visible
        self.informed = tuple(seat in scenario.informed for seat in SEATS)
        self.most_open = max(len(scenario.orders), scenario.open_orders if scenario.order_weights else 0)
        self.acts = (
            IDLE,
            *(Action(verb) for verb in DIRECTIONS),
            Action(INTERACT),
            Action(INTERACT, START),
            *(Action(INTERACT, item) for item in layout.ingredients),
        )

    @property
    def bodies(self) -> Mapping[Seat, tuple[str, ...]]:
        """Each cook's one body, by its name."""
        return {seat: (seat,) for seat in SEATS}

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """As they are written."""
        return tuple(act.text for act in self.acts)

    def decision(self, state: State, seat: Seat, codes: Sequence[int]) -> Action | Refusal:
        """The action."""
        return self.acts[codes[0]]

    def mask(self, state: State, seat: Seat) -> Sequence[Sequence[bool]]:
        """What is on the menu."""
        if state.ended:
            return ((True, *(False for _ in self.acts[1:])),)
        refusal, cook = self.world.legality.refusal, cook_of(seat)
        return (tuple(refusal(state.kitchen, cook, act) is None for act in self.acts),)

    # --- features -----------------------------------------------------------------------------------------

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """The cook itself, the partner, things and utensils, orders, what is lacking."""
        return tuple(self._names())

    def _names(self) -> Iterator[str]:
        compiled, places = self.world.compiled, self.world.places
        grid = compiled.grid
        yield from ("is the chef", "has the recipes", "steps left")
        for who in ("I", "partner"):
            yield from (f"{who} at {grid.at(cell)}" for cell in self.floor)
            yield from (f"{who} looks {direction}" for direction in DIRECTIONS)
        yield from (f"I face {what}" for what in (*TILE_NAMES, *(f"a {kind}" for kind in self.kinds)))
        for place in (
            "in my hands",
            "in the partner's hands",
            *(f"on {places[cell]}" for cell in grid.counters),
        ):
            yield from self._thing_names(place)
        for utensil in grid.utensils:
            yield from (f"{utensil.name} {what}" for what in ("filled", "at work", "ready", "steps left"))
            yield from (f"{utensil.name} {what}" for what in ("enough", "fits", "complete"))
            yield from self._thing_names(f"made in {utensil.name}")
            for index in range(compiled.cookbook.capacity):
                yield from (f"thing {index} in {utensil.name}: bit {bit}" for bit in range(self.bits))
        for index in range(min(self.most_open, MOST_SHOWN)):
            yield f"order {index}"
            yield from (f"order {index}: bit {bit}" for bit in range(self.bits))
        yield from (f"lacking: {item}" for item in (DISH, *compiled.layout.ingredients))

    def _thing_names(self, where: str) -> Iterator[str]:
        yield from (f"{what} {where}" for what in ("something", "a dish", "food on a dish"))
        yield from (f"{what} {where}" for what in ("something to deliver", "something wanted"))
        yield from (f"something for a {kind} {where}" for kind in self.kinds)
        yield from (f"bit {bit} of what is {where}" for bit in range(self.bits))

    def features(self, state: State, seat: Seat) -> Sequence[Sequence[float]]:
        """See the module's text; all between 0 and 1."""
        cook = cook_of(seat)
        take = self.needs.take(state.kitchen, self.sees[cook]) if self.informed[cook] else None
        return (tuple(self._features(state.kitchen, cook, take)),)

    def _features(self, kitchen: Kitchen, cook: int, take: Take | None) -> Iterator[float]:
        compiled = self.world.compiled
        limit = self.world.limits.steps
        yield float(cook == 0)
        yield float(take is not None)
        yield 1.0 if limit is None else max(0, limit - kitchen.steps) / limit
        me, partner = kitchen.bodies[cook], kitchen.bodies[1 - cook]
        for body in (me, partner):
            yield from (float(cell == body.cell) for cell in self.floor)
            yield from (float(direction == body.facing) for direction in range(len(DIRECTIONS)))
        yield from self._faced(me)
        for body in (me, partner):
            yield from self._thing(kitchen, take, body.held, body.plated)
        lying = {each.cell: each for each in kitchen.lying if each.cell in self.sees[cook]}
        for cell in compiled.grid.counters:
            there = lying.get(cell)
            yield from self._thing(kitchen, take, there.item if there else "", bool(there and there.plated))
        for utensil in range(len(compiled.grid.utensils)):
            yield from self._utensil(kitchen, take, utensil)
        for index in range(min(self.most_open, MOST_SHOWN)):
            order = kitchen.orders[index] if index < len(kitchen.orders) else ""
            yield float(bool(order))
            yield from self._bits(order)
        yield from self._lacking(take)

    def _faced(self, me: Body) -> Iterator[float]:
        grid = self.world.compiled.grid
        cell = me.cell + grid.deltas[me.facing]
        utensil = grid.utensil_at.get(cell)
        yield from (float(grid.tiles[cell] == tile) for tile in TILES)
        yield from (float(utensil is not None and grid.utensils[utensil].kind == kind) for kind in self.kinds)

    def _bits(self, item: str) -> Iterator[float]:
        number = self.item_number[item]
        return (float(number >> bit & 1) for bit in range(self.bits))

    def _thing(self, kitchen: Kitchen, take: Take | None, item: str, plated: bool) -> Iterator[float]:
        """Something in a place; empty: nothing."""
        needs, rules = self.needs, self.world.rules
        wanted = kitchen.orders[:1] if rules.first_order_only else kitchen.orders
        number = needs.number.get(item, -1)
        demanded = take is not None and number >= 0 and take.demand[number] > 0
        yield from (float(bool(item)), float(item == DISH), float(plated))
        yield float(item in wanted and self.world.compiled.cookbook.needs_dish[item] == plated)
        yield float(demanded)
        yield from (float(demanded and kind in self.goes_into[number]) for kind in range(len(self.kinds)))
        yield from self._bits(item)

    @cached_property
    def goes_into(self) -> tuple[frozenset[int], ...]:
        """The kinds of utensils that each thing of ``needs`` goes into, for what orders take."""
        kinds: list[set[int]] = [set() for _ in self.needs.things]
        for number, inputs in enumerate(self.needs.inputs):
            for each in inputs:
                kinds[each].add(self.needs.kinds[number])
        return tuple(map(frozenset, kinds))

    def _utensil(self, kitchen: Kitchen, take: Take | None, utensil: int) -> Iterator[float]:
        cookbook, capacity = self.world.compiled.cookbook, self.world.compiled.cookbook.capacity
        content = kitchen.content(utensil) or Content(utensil, ())
        items = () if content.timer else content.items
        kind = self.world.compiled.grid.utensils[utensil].kind
        yield len(items) / capacity
        yield float(content.cooking)
        yield float(content.ready)
        yield (content.steps - content.timer) / content.steps if content.timer else 0.0
        yield float(bool(items) and cookbook.made_of(kind, items) is not None)
        yield float(take is not None and take.fits[utensil])
        yield float(take is not None and take.complete[utensil])
        yield from self._thing(kitchen, take, content.output, False)
        for index in range(capacity):
            yield from self._bits(items[index] if index < len(items) else "")

    def _lacking(self, take: Take | None) -> Iterator[float]:
        ingredients = self.world.compiled.layout.ingredients
        if take is None:
            yield from [0.0] * (1 + len(ingredients))
            return
        yield min(take.dishes_lacking, MANY) / MANY
        for item in ingredients:
            number = self.needs.number.get(item, -1)
            yield min(take.lacking[number], MANY) / MANY if number >= 0 else 0.0

    # --- score and rewards --------------------------------------------------------------------------------

    def score(self, state: State) -> float:
        """Orders delivered."""
        return float(state.delivered)

    def potential(self, state: State) -> float:
        """The open orders that may still be delivered in time, as far as ``Needs.least_steps`` tells; where
        orders keep coming, and those that nobody can have delivered more quickly: one for each cook in every
        fourth step, as taking something, turning, delivering and turning back take four."""
        if state.ended:
            return 0.0
        limit = self.world.limits.steps
        left = None if limit is None else limit - state.kitchen.steps
        within = sum(
            left is None or self.needs.least_steps(state.kitchen, order) <= left
            for order in state.kitchen.orders
        )
        coming = 0 if left is None or not self.world.scenario.order_weights else 2 * ((left + 3) // 4)
        return float(within + coming)

    def rise(self, state: State, finish: int | None) -> float:
        """The open orders, if all are delivered at ``finish`` and in time; else all but one of them."""
        limit, orders = self.world.limits.steps, len(state.kitchen.orders)
        if state.ended:
            return 0.0
        in_time = finish is not None and (limit is None or finish <= limit)
        return float(orders if in_time else orders - 1)

    def progress(self, state: State) -> float:
        """Work done for the open orders, in parts of the work of the longest order; 0 once it is over."""
        return 0.0 if state.ended else self.needs.take(state.kitchen).work / self.needs.scale

    @property
    def own_rewards(self) -> Mapping[str, Callable[[], Reward[State]]]:
        """``progress``: orders delivered, and work done for orders, which is paid back by its delivery."""
        return {PROGRESS: lambda: ProgressReward(self)}


class ProgressReward(Reward[State]):
    """By how much the score and the work done for open orders have risen.

    This is potential-based shaping: what is paid for the work of an order is taken back when it is delivered,
    or play is cut off, so that an episode's sum is its score.
    """

    def __init__(self, encoding: CollabGridEncoding) -> None:
        self._encoding = encoding

    def begin(self, state: State) -> None:
        """Nothing is kept of it."""

    def add(self, before: State, step: Step[State]) -> float:
        """The rise."""
        after, encoding = step.state, self._encoding
        return after.delivered - before.delivered + encoding.progress(after) - encoding.progress(before)


def encoding(world: CollabGrid) -> CollabGridEncoding:
    """The encoding of a world; raises ``Refused`` where an ingredient is called ``start``, and where orders
    keep coming for ever."""
    return CollabGridEncoding(world)
