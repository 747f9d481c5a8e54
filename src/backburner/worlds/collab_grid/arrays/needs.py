"""What open orders still take of what there is, by the first recipe for each thing.

The things that orders may take stand in an order in which each comes before what it is made of. Demand goes
down this list: what is there is used, for what is not its inputs are demanded, but for what is already in a
utensil that may become it. Whatever is used is worth the work that went into it, so that work done rises to
the work of the order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from graphlib import TopologicalSorter

from msgspec import Struct

from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import DISH, Recipe
from backburner.worlds.collab_overcooked.game.recipes import first_recipes
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import Content, Kitchen
from backburner.worlds.collab_overcooked.oracle.heuristic import FAR, Distances

MOST_MEASURED = 400
"""Tiles of kitchens in which ways are measured."""

HANDOVER_STEPS = (0, 1)
"""The assistant can take what the chef puts down in the same step; the other way round it takes one more."""

Carrying = Callable[[tuple[int, ...], tuple[int, ...]], int]

ON_DISH = 2
"""What a dish and filling it add to the work of an order."""


class Take(Struct):
    """What open orders take, by the number of the thing.

    ``demand``: how many are wanted for something, there or not. ``lacking``: how many of these are not
    there. ``fits``: the utensils whose contents may become something that is wanted; ``complete``: and lack
    nothing for it. ``work``: what has been done for the orders.
    """

    demand: list[int]
    lacking: list[int]
    dishes_lacking: int
    fits: list[bool]
    complete: list[bool]
    work: int


class Needs:
    """What the orders of a scenario may take.

    ``things``: by number. ``inputs``: of each, by number, sorted; empty for what no utensil makes. ``kinds``:
    the number of the kind of utensil that makes it, -1 for none. ``weights``: the work in each, and
    ``works``: of each as an order, delivered. ``certain``: there is one recipe at most for each.

    For each order, and each thing that goes into it (-1 for others), the fewest steps until it is delivered:
    ``in_hands``: from when somebody holds the thing, wherever they stand; ``made``: from when it has been
    taken out of the utensil that makes it; ``fetched``: from before an ingredient is taken.
    """

    def __init__(self, compiled: Compiled, scenario: Scenario) -> None:
        self._utensils = compiled.grid.utensils
        kinds = list(compiled.layout.utensils)
        self.orders = tuple(dict.fromkeys((*scenario.orders, *sorted(scenario.order_weights))))
        recipes = self._recipes(compiled)
        graph = {thing: recipe.inputs if recipe else () for thing, recipe in recipes.items()}
        self.things = tuple(TopologicalSorter(graph).static_order())[::-1]
        self.number = {thing: number for number, thing in enumerate(self.things)}
        made = [recipes[thing] for thing in self.things]
        self.inputs = [
            tuple(sorted(self.number[each] for each in recipe.inputs)) if recipe else () for recipe in made
        ]
        self.kinds = [kinds.index(recipe.utensil) if recipe else -1 for recipe in made]
        self.steps = [recipe.steps if recipe else 0 for recipe in made]
        self.on_dish = [compiled.cookbook.needs_dish.get(thing, False) for thing in self.things]
        self.utensil_kinds = [kinds.index(utensil.kind) for utensil in self._utensils]
        self.weights = self._weights()
        self.works = [
            weight + ON_DISH * dish + 1 for weight, dish in zip(self.weights, self.on_dish, strict=True)
        ]
        self.scale = max(self.works[self.number[order]] for order in self.orders)
        outputs = Counter(
            recipe.output
            for recipe in compiled.layout.recipes
            if any(utensil.kind == recipe.utensil for utensil in self._utensils)
        )
        self.certain = all(outputs[thing] <= 1 for thing in self.things)
        carried = self._carrying(compiled)
        chains = [self._chains(compiled, self.number[order], carried) for order in self.orders]
        self.in_hands, self.made, self.fetched = (list(each) for each in zip(*chains, strict=True))

    def _recipes(self, compiled: Compiled) -> dict[str, Recipe | None]:
        """The first recipe for each thing that an order may take; ``None``: no utensil makes it."""
        first = first_recipes(compiled.layout)
        found: dict[str, Recipe | None] = {}
        waiting = list(self.orders)
        while waiting:
            thing = waiting.pop()
            if thing not in found:
                found[thing] = first.get(thing)
                waiting += first[thing].inputs if thing in first else ()
        return found

    def _weights(self) -> list[int]:
        """Work in each thing: to fetch it; to put its inputs in, start the utensil and take it out."""
        weights = [1] * len(self.things)
        for number in reversed(range(len(self.things))):
            if self.inputs[number]:
                weights[number] = sum(weights[each] + 1 for each in self.inputs[number]) + 2
        return weights

    def _carrying(self, compiled: Compiled) -> Carrying:
        """The steps from taking something at one of some tiles until it is put in at one of others.

        In kitchens with very many tiles nobody's ways are measured: everything is a step away.
        """
        grid = compiled.grid
        if len(grid.tiles) > MOST_MEASURED:
            return lambda start, end: 1
        between = Distances(grid, HANDOVER_STEPS).between
        return lambda start, end: min((FAR, *(between(one, other) for one in start for other in end)))

    def _chains(
        self, compiled: Compiled, order: int, carried: Carrying
    ) -> tuple[list[int], list[int], list[int]]:
        """``in_hands``, ``made`` and ``fetched`` of one order.

        What is put in last and started in one step is ready after the recipe's steps; it is taken out, or
        filled into a dish, in the next, and carried to where it goes, as if nothing stood in the way.
        """
        grid, count = compiled.grid, len(self.things)
        in_hands, made, fetched = [-1] * count, [-1] * count, [-1] * count
        uses: list[list[tuple[tuple[int, ...], int]]] = [[] for _ in range(count)]
        uses[order].append((grid.servings, 1))
        for number in range(count):
            if not uses[number]:
                continue
            in_hands[number] = min(rest for _, rest in uses[number])
            cells = grid.ingredients
            if self.inputs[number]:
                there = zip(grid.utensils, self.utensil_kinds, strict=True)
                cells = tuple(utensil.cell for utensil, kind in there if kind == self.kinds[number])
            least = min(carried(cells, places) - 1 + rest for places, rest in uses[number])
            if not self.inputs[number]:
                fetched[number] = 1 + least
                continue
            made[number] = least
            for each in dict.fromkeys(self.inputs[number]):
                uses[each].append((cells, self.steps[number] + 1 + least))
        return in_hands, made, fetched

    # --- of a kitchen -------------------------------------------------------------------------------------

    def take(self, kitchen: Kitchen, seen: Collection[int] | None = None) -> Take:
        """What the open orders take; ``seen``: the tiles whose things count, all by default."""
        loose, plated, dishes = self._loose(kitchen, seen)
        made = self._count(content.output for content in kitchen.contents if content.timer)
        fits, complete = ([False] * len(self._utensils) for _ in range(2))
        demand, lacking = [0] * len(self.things), [0] * len(self.things)
        to_fill = [0] * len(self.things)
        work = 0
        for order in kitchen.orders:
            number = self.number[order]
            if self.on_dish[number] and plated[number]:
                plated[number] -= 1
                work += self.weights[number] + ON_DISH
                continue
            demand[number] += 1
            to_fill[number] += self.on_dish[number]
        for number, inputs in enumerate(self.inputs):
            wanted = demand[number]
            # What is served on a dish is filled from a utensil, and of no use without one.
            used = min(wanted - to_fill[number], loose[number])
            in_utensils = min(wanted - used, made[number])
            work += used * self.weights[number] + in_utensils * (self.weights[number] - 1)
            rest = lacking[number] = wanted - used - in_utensils
            for utensil, holds in self._unstarted(kitchen) if inputs else ():
                missing = Counter(inputs)
                missing.subtract(holds)
                fitting = self.utensil_kinds[utensil] == self.kinds[number] and min(missing.values()) >= 0
                if not rest or fits[utensil] or not fitting:
                    continue
                fits[utensil], complete[utensil] = True, not any(missing.values())
                rest -= 1
                work += sum(self.weights[each] + 1 for each in holds)
                for each, count in missing.items():
                    demand[each] += count
            for each in inputs:
                demand[each] += rest
        work += min(dishes, sum(to_fill))
        return Take(demand, lacking, max(0, sum(to_fill) - dishes), fits, complete, work)

    def _loose(self, kitchen: Kitchen, seen: Collection[int] | None) -> tuple[list[int], list[int], int]:
        """What is held or lies on counters that count: things, things on dishes, empty dishes."""
        there = [(body.held, body.plated) for body in kitchen.bodies]
        there += [(lying.item, lying.plated) for lying in kitchen.lying if seen is None or lying.cell in seen]
        loose = self._count(item for item, plated in there if not plated)
        plated = self._count(item for item, plated in there if plated)
        return loose, plated, sum(item == DISH for item, _ in there)

    def _count(self, items: Iterable[str]) -> list[int]:
        counted = Counter(items)
        return [counted[thing] for thing in self.things]

    def _unstarted(self, kitchen: Kitchen) -> Sequence[tuple[int, list[int]]]:
        """(utensil, what it holds by number, -1 for what no order takes), in the order of utensils."""
        waiting = [content for content in kitchen.contents if not content.timer]
        return [
            (content.utensil, [self.number.get(item, -1) for item in content.items])
            for content in sorted(waiting, key=lambda content: content.utensil)
        ]

    # --- a bound ------------------------------------------------------------------------------------------

    def least_steps(self, kitchen: Kitchen, order: str) -> int:
        """No play delivers this order in fewer steps, even if there were no other: the longest chain of what
        it still takes, as if everybody stood where they are needed first. 1 where there are several recipes
        for something that orders take."""
        number = self.number[order]
        loose, plated, dishes = self._loose(kitchen, None)
        if not self.certain or plated[number] * self.on_dish[number]:
            return 1
        index = self.orders.index(order)
        inside = self._count(
            item for content in kitchen.contents if not content.timer for item in content.items
        )
        left = self._steps_left(kitchen.contents)
        demand = [0] * len(self.things)
        demand[number] = 1
        # What is served on a dish is filled from the utensil; the dish is fetched before.
        least = 1 + self.on_dish[number] * (1 if dishes else 2)
        for each, inputs in enumerate(self.inputs):
            wanted = demand[each]
            if not wanted:
                continue
            at_hand = loose[each] * (each != number or not self.on_dish[number]) + inside[each]
            rest = max(0, wanted - at_hand - len(left[each]))
            if at_hand < wanted and left[each]:
                least = max(least, min(left[each]) + 1 + self.made[index][each])
            elif at_hand:
                least = max(least, self.in_hands[index][each])
            if rest and not inputs:
                least = max(least, self.fetched[index][each])
            for needed in inputs:
                demand[needed] += rest
        return least

    def _steps_left(self, contents: Sequence[Content]) -> list[list[int]]:
        """For each thing, of the utensils that make it or have made it, after how many steps it is ready."""
        left: list[list[int]] = [[] for _ in self.things]
        for content in contents:
            if content.timer and content.output in self.number:
                left[self.number[content.output]].append(content.steps - content.timer)
        return left
