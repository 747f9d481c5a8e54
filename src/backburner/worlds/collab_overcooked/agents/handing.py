"""Things on their way: who takes them, hands them over on a counter, brings them to where they go."""

from __future__ import annotations

from collections.abc import Collection

from backburner.worlds.collab_overcooked.agents.goals import PLACE, Goal, Job, Moment, pickup, put, start
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.sight import Observation


class Handing:
    """Gives each cook at most one job: the first that is found, or what becomes of what it holds."""

    def __init__(self, ware: Kitchenware, seen: Observation, me: int) -> None:
        self.now = Moment(ware, seen, me)
        self.jobs: dict[int, Job] = {}
        self._empty = [one for one in seen.utensils if not one.items and not one.output]
        self._raw = ware.cookbook.raw
        self._me = me

    def assign(self, cooks: Collection[int], calls: Job) -> int | None:
        """Give a job to one of these cooks, if one of them is still free; who it is."""
        free = [cook for cook in cooks if cook not in self.jobs]
        if not free:
            return None
        cook = min(free, key=lambda one: (one in self.now.hands, one != self._me))
        self.jobs[cook] = calls
        return cook

    def bring(self, item: str, goal: Goal, *, plated: bool = False) -> bool:
        """Whether somebody holds it or it lies on a counter; it is brought to the goal."""
        for cook, held in self.now.hands.items():
            if held == (item, plated):
                del self.now.hands[cook]
                self.jobs[cook] = goal.calls if cook in goal.cooks else (PLACE,)
                return True
        found = [one for one in self.now.things if (one.item, one.plated) == (item, plated)]
        if not found:
            return False
        thing = max(found, key=lambda one: len(one.cooks & goal.cooks))
        self.now.things.remove(thing)
        self.take(item, calls.COUNTER, thing.cooks, goal)
        return True

    def fetch(self, item: str, goal: Goal) -> bool:
        """Whether a dispenser gives it; it is brought to the goal."""
        if item != DISH and item not in self._raw:
            return False
        place = calls.DISH_DISPENSER if item == DISH else calls.INGREDIENT_DISPENSER
        self.take(item, place, self.now.near_dispenser(place), goal)
        return True

    def take(self, item: str, place: str, cooks: frozenset[int], goal: Goal) -> None:
        """One of these cooks takes it there and brings it to the goal, or to a counter on the way."""
        able = cooks & goal.cooks
        end = goal.calls if able else (PLACE,)
        self.assign(able or cooks, (pickup(item, place), *end))

    def tidy_up(self) -> None:
        """What is held for nothing is put down; where the shared counters are full, something goes."""
        full = self.now.free_counters <= 0
        for cook, (item, plated) in self.now.hands.items():
            wasted = self._wasted(cook, item, plated) if full else ()
            self.jobs[cook] = wasted or (PLACE,)
        if full:
            self._make_room()

    def _make_room(self) -> None:
        """Something that no order takes is taken from a shared counter and wasted."""
        for thing in self.now.things:
            for cook in (self._me, 1 - self._me):
                wasted = self._wasted(cook, thing.item, thing.plated)
                if wasted and cook not in self.jobs and len(thing.cooks) > 1:
                    self.jobs[cook] = (pickup(thing.item, calls.COUNTER), *wasted)
                    return

    def _wasted(self, cook: int, item: str, plated: bool) -> Job:
        """To be rid of a thing: an empty utensil makes nothing of what fits no recipe."""
        if item == DISH or plated:
            return ()
        used = {call for job in self.jobs.values() for call in job}
        for utensil in self._empty:
            if cook in self.now.near(utensil.name) and put(utensil) not in used:
                return put(utensil), start(utensil)
        return ()
