"""The released reward, as a fold over an episode's steps: nothing of it is kept in a state.

Each step costs 0.05 and gives 0.02 if every command succeeded; an order that is served gives 50 and the
steps that it had left. While an order is open there is more for progress, each thing as often as the orders
that have arrived ask for it, and once until it is touched again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from backburner.worlds.cuisineworld.game.actions import ACTIVATE, GET, PUT
from backburner.worlds.cuisineworld.game.cookbook import Cookbook
from backburner.worlds.cuisineworld.game.kitchen import Kitchen
from backburner.worlds.cuisineworld.game.state import Feedback, Order, State

EACH_STEP = -0.05
ALL_SUCCEEDED = 0.02
SERVED = 50
HOLDS_INGREDIENT = 0.1
HOLDS_INPUTS = 0.5
HOLDS_PRODUCT = 1.0

InputSet = tuple[str, tuple[int, ...]]


class RewardMeter:
    """Pays for the steps of one episode, in order; made with its first state."""

    def __init__(self, kitchen: Kitchen, cookbook: Cookbook, first: State) -> None:
        self._kitchen = kitchen
        self._wanted: list[tuple[list[int], list[InputSet]]] = [
            self._tree(cookbook, dish) for dish in kitchen.dishes
        ]
        self._things: Counter[int] = Counter()
        self._inputs: Counter[InputSet] = Counter()
        self._paid_bodies: set[int] = set()
        self._paid_places: set[int] = set()
        self._arrive(first.orders)

    def _tree(self, cookbook: Cookbook, dish: str) -> tuple[list[int], list[InputSet]]:
        """The different things of a dish's tree, and the inputs of each recipe in it."""
        number = self._kitchen.thing_number
        things = [number[thing] for thing in cookbook.things([dish])]
        recipes = cookbook.closure([dish])
        return things, [(r.tool, tuple(sorted(number[thing] for thing in r.inputs))) for r in recipes]

    def _arrive(self, orders: Iterable[Order]) -> None:
        for order in orders:
            things, inputs = self._wanted[order.dish]
            self._things.update(things)
            self._inputs.update(inputs)

    def pay(self, before: State, after: State) -> float:
        """The reward of the step from one state to the next."""
        self._touched(after.feedback)
        reward = EACH_STEP
        if not after.feedback.refusals:
            reward += ALL_SUCCEEDED
        reward += self._served(before, after)
        self._arrive(order for order in after.orders if order.number >= before.arrived)
        if after.orders:
            reward += self._of_bodies(after) + self._of_places(after)
        return reward

    def _touched(self, feedback: Feedback) -> None:
        for deed in feedback.done:
            if deed.verb in (GET, PUT):
                self._paid_bodies.discard(deed.body)
            if deed.verb in (GET, PUT, ACTIVATE):
                self._paid_places.discard(deed.place)

    def _served(self, before: State, after: State) -> int:
        """50 and the steps left for each order served: those that are gone and had not run out."""
        still_open = {order.number for order in after.orders}
        return sum(SERVED + o.left for o in before.orders if o.left and o.number not in still_open)

    def _of_bodies(self, state: State) -> float:
        reward = 0.0
        for body, thing in enumerate(state.held):
            ingredient = 0 <= thing < self._kitchen.n_ingredients
            if ingredient and body not in self._paid_bodies and self._things[thing]:
                self._things[thing] -= 1
                self._paid_bodies.add(body)
                reward += HOLDS_INGREDIENT
        return reward

    def _of_places(self, state: State) -> float:
        """First all places that hold the inputs of something wanted, then all that hold it made."""
        reward = 0.0
        for place, content in enumerate(state.inside):
            inputs = (self._kitchen.kinds[place].name, tuple(sorted(content)))
            if place not in self._paid_places and self._inputs[inputs]:
                self._inputs[inputs] -= 1
                self._paid_places.add(place)
                reward += HOLDS_INPUTS
        for place, content in enumerate(state.inside):
            made = len(content) == 1 and content[0] >= self._kitchen.n_ingredients
            if made and place not in self._paid_places and self._things[content[0]]:
                self._things[content[0]] -= 1
                self._paid_places.add(place)
                reward += HOLDS_PRODUCT
        return reward
