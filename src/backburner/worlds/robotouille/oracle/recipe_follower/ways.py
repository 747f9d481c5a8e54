"""The ways of one robot to its subgoals: the shortest with few things, undoing nothing that is done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from backburner.worlds.robotouille.game.actions import GroundAction
from backburner.worlds.robotouille.game.schema import PLAYER, STATION
from backburner.worlds.robotouille.oracle.recipe_follower.reach import way_to
from backburner.worlds.robotouille.oracle.recipe_follower.situation import Situation
from backburner.worlds.robotouille.oracle.recipe_follower.subgoals import Subgoal, Subgoals


class Breadth(NamedTuple):
    """How far a search goes: stations where something may be put aside, different facts that are looked
    at, and whether a thing may be put on or into one that is still needed."""

    stations: int
    facts: int
    anywhere: bool


NARROW, WIDE = Breadth(2, 1500, anywhere=False), Breadth(5, 20_000, anywhere=True)


class Ways:
    """What a robot can do in a situation without the things that others have ``claimed``."""

    def __init__(self, situation: Situation, robot: int, claimed: frozenset[int]) -> None:
        self._situation = situation
        self._means = situation.means
        self._robot = robot
        self._claimed = claimed
        self._layout = situation.layout
        self._facts = situation.kitchen.facts
        self._kept = situation.kept()
        self.subgoals = Subgoals(situation, robot, self._kept, claimed).all()

    def to(self, subgoal: Subgoal, breadth: Breadth) -> tuple[GroundAction, ...] | None:
        """The shortest way to a subgoal, its own deed last; ``None`` if there is none."""
        deeds = self._deeds(self._things(subgoal, breadth.stations), breadth.anywhere)
        return way_to(self._facts, subgoal.deeds, deeds, breadth.facts)

    def _things(self, subgoal: Subgoal, n_stations: int) -> list[int]:
        """What the way may have to do with: the subgoal, what is near it, and where there is room."""
        near = {arg for deed in subgoal.deeds for arg in deed.args} | {self._robot}
        near |= {other for thing in near for other in self._situation.neighbours(thing)}
        near |= {
            other
            for thing in near
            if not self._is(thing, STATION, PLAYER)
            for other in self._situation.neighbours(thing)
            if self._is(other, STATION)
        }
        for station in self._roomy_stations()[:n_stations]:
            near |= {station} | self._situation.neighbours(station)
        others = {thing for thing in near if self._is(thing, PLAYER)} - {self._robot}
        return sorted(near - others - self._claimed)

    def _roomy_stations(self) -> list[int]:
        """The stations where nobody else is, the emptiest first, and of those such as the dishes and the
        work have no use for."""
        wanted = set(self._situation.choice)
        workplaces = self._means.workplaces(self._layout, self._facts)
        stations: list[tuple[int, bool, bool, bool, int]] = []
        for index, thing in enumerate(self._layout.objects):
            if thing.type == STATION:
                there = self._situation.neighbours(index)
                here = self._robot in there
                if not any(self._is(other, PLAYER) for other in there - {self._robot}):
                    full = len(there) - here
                    stations.append((full, index in wanted, index in workplaces, not here, index))
        return [station[-1] for station in sorted(stations)]

    def _deeds(self, things: Iterable[int], anywhere: bool) -> list[GroundAction]:
        """All deeds over these things that may be on the way."""
        of_type: dict[str, list[int]] = {}
        for thing in things:
            of_type.setdefault(self._layout.objects[thing].type, []).append(thing)
        barred = self._barred(anywhere)
        return [
            deed
            for action in self._means.engine.domain.actions
            if action.effects
            for deed in self._means.deeds(self._layout, self._facts, action, {}, of_type)
            if not deed.deletes & self._kept and not deed.adds & barred
        ]

    def _barred(self, anywhere: bool) -> int:
        """What is not to become true on the way: what can never be undone, ties to what is finished, and
        usually ties to what is needed, other than its place."""
        ties = self._means.ties(self._layout)
        barred = self._means.lasting(self._layout) | self._about(self._situation.finished()) & ties
        if not anywhere:
            things = range(len(self._layout.objects))
            places = self._about(thing for thing in things if self._is(thing, STATION, PLAYER))
            needed = {thing for thing in self._situation.choice if thing >= 0}
            barred |= self._about(needed) & ties & ~places
        return barred

    def _about(self, things: Iterable[int]) -> int:
        """The facts about any of these things."""
        facts = 0
        for thing in things:
            facts |= self._layout.about[thing]
        return facts

    def _is(self, thing: int, *types: str) -> bool:
        return self._layout.objects[thing].type in types
