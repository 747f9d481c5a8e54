"""What has to be done next for an order, and which cook does it, as one who knows the recipes sees it.

The tasks are allocated anew from what there is at every decision. Whoever holds what an order takes brings
it to where it goes, what is missing is fetched or made, what nobody needs is put aside. The cooks hand
things over on counters that both reach. One order comes after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from msgspec import Struct

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import ONE_WAIT, Call
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import DISH, Recipe
from backburner.worlds.collab_overcooked.game.state import Observation, SeenUtensil

Plan = tuple[str, ...]
"""Calls of one cook, one after the other."""

PLACE = Call(calls.PLACE).text
DELIVER = Call(calls.DELIVER).text


def pickup(item: str, place: str) -> str:
    """The call that takes an item from somewhere."""
    return Call(calls.PICKUP, item, place).text


def _put(utensil: SeenUtensil) -> str:
    return Call(calls.PUT, place=utensil.name).text


def _fill(utensil: SeenUtensil) -> str:
    return Call(calls.FILL, place=utensil.name).text


def _start(utensil: SeenUtensil) -> str:
    return Call(utensil.verb, place=utensil.name).text


class Goal(Struct, frozen=True):
    """What is done with an item in the end, and the cooks (0, 1) who get to where it is done."""

    cooks: frozenset[int]
    plan: Plan


class _Item(Struct, frozen=True):
    """An item on a counter, and the cooks who get to it."""

    name: str
    plated: bool
    cooks: frozenset[int]


def reaching(compiled: Compiled, cells: Collection[int]) -> frozenset[int]:
    """The cooks who get to one of these tiles."""
    reach = compiled.grid.reach
    return frozenset(cook for cook in (0, 1) if any(cell in reach[cook] for cell in cells))


def allocated(compiled: Compiled, seen: Observation, me: int) -> Mapping[int, Plan]:
    """The next plan of each cook (0, 1) that has one, for the oldest order that leaves anything to do.

    ``seen``: what cook ``me`` perceives.
    """
    allocation = _Allocation(compiled, seen, me)
    for order in seen.orders:
        allocation = _Allocation(compiled, seen, me)
        allocation.serve(order)
        if allocation.plans or allocation.in_progress:
            break
    allocation.tidy_up()
    return allocation.plans


class _Allocation:
    """The allocation for one order. Each cook gets at most one plan: the first found for it.

    ``held``, ``items`` and ``utensils`` hold what is still to be used; what is allotted is taken from them.
    ``in_progress``: something that the order takes is being made.
    """

    def __init__(self, compiled: Compiled, seen: Observation, me: int) -> None:
        self._compiled = compiled
        self._me = me
        self.plans: dict[int, Plan] = {}
        self.in_progress = False
        both = frozenset((0, 1))
        cooks = {me: seen.me, 1 - me: seen.partner}
        self.held = {index: (cook.held, cook.plated) for index, cook in cooks.items() if cook.held}
        self.items = [
            _Item(thing.item, thing.plated, both if thing.shared else frozenset((me,)))
            for thing in seen.things
        ]
        self.utensils = {utensil.name: utensil for utensil in seen.utensils}
        self._counters_full = seen.counters <= sum(thing.shared for thing in seen.things)
        self._empty = [one for one in seen.utensils if not one.items and not one.output]
        self._recipe_for: dict[str, Recipe] = {}
        kinds = {utensil.kind for utensil in compiled.grid.utensils}
        for recipe in compiled.layout.recipes:
            if recipe.utensil in kinds:
                self._recipe_for.setdefault(recipe.output, recipe)

    # Orders

    def serve(self, order: str) -> None:
        """Make an order and deliver it."""
        goal = Goal(reaching(self._compiled, self._compiled.grid.servings), (DELIVER,))
        if not self._compiled.layout.needs_dish.get(order, False):
            self._get(order, goal)
        elif not self._bring(order, goal, plated=True):
            self._plate(order)

    def _plate(self, order: str) -> None:
        made = self._making(order)
        if made is None:
            self._make(order)
            return
        self.in_progress = True
        plan = (ONE_WAIT,) if made.steps_left else (_fill(made),)
        self._get(DISH, Goal(self._near(made.name), plan))

    def _get(self, item: str, goal: Goal) -> None:
        """Bring an item without a dish to its goal, from wherever it is, or make it."""
        if not self._bring(item, goal) and not self._take_out(item, goal) and not self._fetch(item, goal):
            self._make(item)

    def _take_out(self, item: str, goal: Goal) -> bool:
        """Whether it is in a utensil; it is taken out when it is ready."""
        made = self._making(item)
        if made is None:
            return False
        if made.steps_left:
            self.in_progress = True
        else:
            self._hand_over(item, made.name, self._near(made.name), goal)
        return True

    def _making(self, item: str) -> SeenUtensil | None:
        """The utensil that makes an item or has made it; it is used up."""
        made = next((one for one in self.utensils.values() if one.output == item), None)
        return None if made is None else self.utensils.pop(made.name)

    def _make(self, item: str) -> None:
        """Bring the inputs of the first recipe for an item to a utensil, and start it."""
        recipe = self._recipe_for.get(item)
        utensil = None if recipe is None else self._usable(recipe)
        if recipe is not None and utensil is not None:
            self._fill_up(recipe, utensil)

    def _usable(self, recipe: Recipe) -> SeenUtensil | None:
        """A utensil that can be used for a recipe, one that holds inputs before an empty one.

        If there is none, the first that does not run is cleared.
        """
        kind = (one.name for one in self._compiled.grid.utensils if one.kind == recipe.utensil)
        utensils = [self.utensils[name] for name in kind if name in self.utensils]
        usable = [one for one in utensils if not one.output and not _surplus(one.items, recipe.inputs)]
        if usable:
            return max(usable, key=lambda one: len(one.items))
        self.in_progress = True
        idle = [one for one in utensils if not one.steps_left]
        if idle:
            self._clear(idle[0], recipe)
        return None

    def _clear(self, utensil: SeenUtensil, recipe: Recipe) -> None:
        """Take out what is ready, for ``recipe`` if it is one of its inputs; start what fits no recipe."""
        near = self._near(utensil.name)
        del self.utensils[utensil.name]
        if not utensil.output:
            self._assign(near, (_start(utensil),))
        elif self._compiled.layout.needs_dish.get(utensil.output, False):
            self._get(DISH, Goal(near, (_fill(utensil),)))
        else:
            back = utensil.output in recipe.inputs
            goal = Goal(near, (_put(utensil),)) if back else Goal(frozenset(), ())
            self._hand_over(utensil.output, utensil.name, near, goal)

    def _fill_up(self, recipe: Recipe, utensil: SeenUtensil) -> None:
        """Bring what a recipe lacks, and start the utensil with the last input."""
        missing = list(_surplus(recipe.inputs, utensil.items).elements())
        made_in_kind = [
            item for item in missing if not self._exists(item) and recipe.utensil in self._kinds_for(item)
        ]
        for item in made_in_kind:
            self._make(item)
        if made_in_kind:
            return
        near = self._near(utensil.name)
        del self.utensils[utensil.name]
        if not missing:
            self._assign(near, (_start(utensil),))
        plan = (_put(utensil), _start(utensil)) if len(missing) == 1 else (_put(utensil),)
        for item in sorted(missing, key=lambda item: item not in self._recipe_for):
            self._get(item, Goal(near, plan))

    def _kinds_for(self, item: str) -> frozenset[str]:
        """The kinds of utensils that it takes to make an item."""
        recipe = self._recipe_for.get(item)
        if recipe is None:
            return frozenset()
        return frozenset((recipe.utensil,)).union(*(self._kinds_for(needed) for needed in recipe.inputs))

    def _exists(self, item: str) -> bool:
        """Whether there is such an item without a dish, or it is being made."""
        return (
            (item, False) in self.held.values()
            or any(one.name == item and not one.plated for one in self.items)
            or any(one.output == item for one in self.utensils.values())
        )

    # Handing over

    def _near(self, utensil: str) -> frozenset[int]:
        """The cooks who get to a utensil."""
        grid = self._compiled.grid
        return reaching(self._compiled, (grid.utensils[grid.utensil_named[utensil]].cell,))

    def _assign(self, cooks: Collection[int], plan: Plan) -> None:
        """Give a plan to one of these cooks that has none: rather empty-handed, rather oneself."""
        free = [cook for cook in cooks if cook not in self.plans]
        if free:
            self.plans[min(free, key=lambda cook: (cook in self.held, cook != self._me))] = plan

    def _bring(self, item: str, goal: Goal, *, plated: bool = False) -> bool:
        """Whether a cook holds it or it lies on a counter; it is brought to the goal."""
        for cook, held in self.held.items():
            if held == (item, plated):
                del self.held[cook]
                self.plans[cook] = goal.plan if cook in goal.cooks else (PLACE,)
                return True
        lying = [one for one in self.items if (one.name, one.plated) == (item, plated)]
        if not lying:
            return False
        nearest = max(lying, key=lambda one: len(one.cooks & goal.cooks))
        self.items.remove(nearest)
        self._hand_over(item, calls.COUNTER, nearest.cooks, goal)
        return True

    def _fetch(self, item: str, goal: Goal) -> bool:
        """Whether a dispenser gives it; it is brought to the goal."""
        grid = self._compiled.grid
        if item == DISH:
            dispenser, cells = calls.DISH_DISPENSER, grid.dishes
        elif item in self._compiled.cookbook.raw:
            dispenser, cells = calls.INGREDIENT_DISPENSER, grid.ingredients
        else:
            return False
        self._hand_over(item, dispenser, reaching(self._compiled, cells), goal)
        return True

    def _hand_over(self, item: str, place: str, cooks: frozenset[int], goal: Goal) -> None:
        """One of these cooks takes it there and brings it to the goal, or to a counter for the partner."""
        able = cooks & goal.cooks
        end = goal.plan if able else (PLACE,)
        self._assign(able or cooks, (pickup(item, place), *end))

    # Tidying up

    def tidy_up(self) -> None:
        """Put down what is held for nothing; where the shared counters are full, get rid of something."""
        for cook, (item, plated) in self.held.items():
            disposal = self._disposal(cook, item, plated) if self._counters_full else ()
            self.plans[cook] = disposal or (PLACE,)
        if self._counters_full:
            self._make_room()

    def _make_room(self) -> None:
        """Take something that no order needs from a shared counter and get rid of it."""
        for item in self.items:
            for cook in (self._me, 1 - self._me):
                disposal = self._disposal(cook, item.name, item.plated)
                if disposal and cook not in self.plans and len(item.cooks) > 1:
                    self.plans[cook] = (pickup(item.name, calls.COUNTER), *disposal)
                    return

    def _disposal(self, cook: int, item: str, plated: bool) -> Plan:
        """The plan that gets rid of an item: an empty utensil makes nothing of what fits no recipe."""
        if item == DISH or plated:
            return ()
        used = {call for plan in self.plans.values() for call in plan}
        for utensil in self._empty:
            if cook in self._near(utensil.name) and _put(utensil) not in used:
                return _put(utensil), _start(utensil)
        return ()


def _surplus(items: Collection[str], others: Collection[str]) -> Counter[str]:
    """The items that are not among the others, each as often as it exceeds them."""
    return Counter(items) - Counter(others)
