"""A scenario compiled for its rules: the text game's things and places, the floor, and times in ticks."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.worlds.clocked_kitchen.game.floor import Floor
from backburner.worlds.clocked_kitchen.game.rule_set import TEXT_RULES
from backburner.worlds.clocked_kitchen.game.scenarios import Scenario
from backburner.worlds.clocked_kitchen.game.state import MOVE, NOOP, VERBS, WAYS
from backburner.worlds.cuisineworld.game.compiled import STORAGE
from backburner.worlds.cuisineworld.game.compiled import Compiled as Kitchen
from backburner.worlds.cuisineworld.game.scenarios import body_name
from backburner.worlds.cuisineworld.game.state import NOTHING
from backburner.worlds.dispatch.seating import Seating


class Compiled:
    """``kitchen``: things, places and recipes by number. ``floor``: cells, spots and targets.

    ``work_ticks`` of each place. ``names`` of the bodies. ``spot_names``: what the cells of places are
    called in scenes; a storage has a name for each of its shelves. ``storage_name``: of the first storage.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.clock = scenario.clock
        self.kitchen = Kitchen(scenario.kitchen, TEXT_RULES)
        self.floor = Floor(scenario.plan, scenario.legend, self.kitchen)
        step = scenario.clock.step_ticks
        self.work_ticks = tuple(steps * step for steps in self.kitchen.busy_steps)
        self.interval = scenario.kitchen.interval * step
        self.lifetimes = tuple(steps * step for steps in scenario.kitchen.lifetimes)
        by_name = sorted(scenario.kitchen.dishes)
        self.rank = tuple(by_name.index(dish) for dish in scenario.kitchen.dishes)
        bodies = scenario.kitchen.bodies
        self.names = tuple(body_name(body) for body in range(bodies))
        self.seating = Seating(self.names, scenario.kitchen.groups)
        self.storage_name = self.kitchen.places[self.kitchen.roles.index(STORAGE)]
        self.spot_names = tuple(self._spot_names())

    def _spot_names(self) -> Iterator[str]:
        counted: dict[int, int] = {}
        for spot in self.floor.spots:
            name = self.kitchen.places[spot.place]
            number = counted[spot.place] = counted.get(spot.place, 0) + 1
            if spot.item != NOTHING:
                yield f"{name}-{self.kitchen.things[spot.item]}"
            else:
                yield name if number == 1 else f"{name}-{number}"

    def names_of(self, place: int, item: int = NOTHING) -> str | tuple[str, ...]:
        """What the cells of a place, or its shelf for an ingredient, are called in scenes."""
        spots = zip(self.floor.spots, self.spot_names, strict=True)
        names = tuple(name for spot, name in spots if spot.place == place and item in (NOTHING, spot.item))
        return names[0] if len(names) == 1 else names

    def faced(self, cell: int, facing: int) -> int:
        """The place that is faced from a cell, ``NOTHING`` for none."""
        spot = self.floor.faced[cell][facing]
        return NOTHING if spot < 0 else self.floor.spots[spot].place

    def label(self, verb: int, target: int, item: int) -> str:
        """An errand in words, without its body: ``get rice storage0``."""
        if verb == MOVE:
            return f"move {WAYS[target]}"
        if verb == NOOP:
            return VERBS[NOOP]
        named = (self.kitchen.things[item],) if item != NOTHING else ()
        return " ".join((VERBS[verb], *named, self.kitchen.places[self.floor.targets[target].place]))
