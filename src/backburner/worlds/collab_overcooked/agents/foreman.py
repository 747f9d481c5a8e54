"""What has to be done next, and by whom, for whoever has the recipes.

It is settled anew from what there is at every decision. Who holds what an order takes brings it to where it
goes, what is missing is fetched or made, what nobody needs is put aside. One order comes after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from backburner.worlds.collab_overcooked.agents.goals import DELIVER, ONE_WAIT, Goal, Job, fill, put, start
from backburner.worlds.collab_overcooked.agents.handing import Handing
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.layout import DISH, Recipe
from backburner.worlds.collab_overcooked.game.sight import Observation, SeenUtensil


def jobs(ware: Kitchenware, seen: Observation, me: int) -> Mapping[int, Job]:
    """The next job of each cook (0, 1) that has one, for the oldest order that leaves anything to do.

    ``seen``: what cook ``me`` perceives.
    """
    foreman = Foreman(ware, seen, me)
    for order in seen.orders:
        foreman = Foreman(ware, seen, me)
        foreman.serve(order)
        if foreman.jobs or foreman.waits:
            break
    foreman.tidy_up()
    return foreman.jobs


class Foreman(Handing):
    """Finds the jobs of one order at one moment. ``waits``: something that it takes is being made."""

    def __init__(self, ware: Kitchenware, seen: Observation, me: int) -> None:
        super().__init__(ware, seen, me)
        self.waits = False
        self._needs_dish = ware.layout.needs_dish
        self._rows: dict[str, list[Recipe]] = {}
        kinds = {utensil.kind for utensil in ware.grid.utensils}
        for recipe in ware.layout.recipes:
            if recipe.utensil in kinds:
                self._rows.setdefault(recipe.output, []).append(recipe)

    def serve(self, order: str) -> None:
        """An order, made and delivered."""
        goal = Goal(self.now.near_serving(), (DELIVER,))
        if not self._needs_dish.get(order, False):
            self._get(order, goal)
        elif not self.bring(order, goal, plated=True):
            self._plate(order)

    def _plate(self, order: str) -> None:
        made = next((one for one in self.now.utensils.values() if one.output == order), None)
        if made is None:
            self._make(order)
            return
        self.waits = True
        del self.now.utensils[made.name]
        calls = (ONE_WAIT,) if made.steps_left else (fill(made),)
        self._get(DISH, Goal(self.now.near(made.name), calls))

    def _get(self, item: str, goal: Goal) -> None:
        """A thing without a dish, from wherever it is, or made."""
        if not self.bring(item, goal) and not self._in_work(item, goal) and not self.fetch(item, goal):
            self._make(item)

    def _in_work(self, item: str, goal: Goal) -> bool:
        """Whether it is in a utensil; taken out when it is ready."""
        made = next((one for one in self.now.utensils.values() if one.output == item), None)
        if made is None:
            return False
        del self.now.utensils[made.name]
        if made.steps_left:
            self.waits = True
        else:
            self.take(item, made.name, self.now.near(made.name), goal)
        return True

    def _make(self, item: str) -> None:
        """The first row of the tables that makes it: inputs brought to a utensil, which is started."""
        for recipe in self._rows.get(item, ())[:1]:
            utensil = self._free(recipe)
            if utensil is not None:
                self._fill_up(recipe, utensil)

    def _free(self, recipe: Recipe) -> SeenUtensil | None:
        """A utensil that can be used for this, one that holds inputs before an empty one.

        If there is none, the first that does not run is cleared.
        """
        utensils = self.now.of_kind(recipe.utensil)
        usable = [one for one in utensils if not one.output and _fits(one.items, recipe.inputs)]
        if usable:
            return max(usable, key=lambda one: len(one.items))
        self.waits = True
        idle = [one for one in utensils if not one.steps_left]
        if idle:
            self._clear(idle[0], recipe)
        return None

    def _clear(self, utensil: SeenUtensil, recipe: Recipe) -> None:
        """Take out what is ready, for ``recipe`` if it is one of its inputs; start what fits nothing."""
        near = self.now.near(utensil.name)
        del self.now.utensils[utensil.name]
        if not utensil.output:
            self.assign(near, (start(utensil),))
        elif self._needs_dish.get(utensil.output, False):
            self._get(DISH, Goal(near, (fill(utensil),)))
        else:
            back = utensil.output in recipe.inputs
            goal = Goal(near, (put(utensil),)) if back else Goal(frozenset(), ())
            self.take(utensil.output, utensil.name, near, goal)

    def _fill_up(self, recipe: Recipe, utensil: SeenUtensil) -> None:
        missing = list((Counter(recipe.inputs) - Counter(utensil.items)).elements())
        near = self.now.near(utensil.name)
        first = [item for item in missing if not self.now.has(item) and recipe.utensil in self._kinds(item)]
        for item in first:
            self._make(item)
        if first:
            return
        del self.now.utensils[utensil.name]
        if not missing:
            self.assign(near, (start(utensil),))
        calls = (put(utensil), start(utensil)) if len(missing) == 1 else (put(utensil),)
        for item in sorted(missing, key=lambda item: item not in self._rows):
            self._get(item, Goal(near, calls))

    def _kinds(self, item: str) -> frozenset[str]:
        """The kinds of utensils that it takes to make a thing."""
        kinds: set[str] = set()
        for recipe in self._rows.get(item, ())[:1]:
            kinds.add(recipe.utensil)
            kinds = kinds.union(*(self._kinds(one) for one in recipe.inputs))
        return frozenset(kinds)


def _fits(items: tuple[str, ...], inputs: tuple[str, ...]) -> bool:
    return not Counter(items) - Counter(inputs)
