"""A kitchen as a scene to be drawn, whatever its domain."""

from __future__ import annotations

from collections.abc import Iterable

from backburner.kernel.scene import Body, Cell, Place, Scene
from backburner.kernel.scene import Thing as Drawn
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.problem import entities
from backburner.worlds.robotouille.game.roles import Facts, Pair, Roles
from backburner.worlds.robotouille.game.schema import PLAYER, STATION, Player, ProblemFile, Thing
from backburner.worlds.robotouille.game.standing import Stand, stands
from backburner.worlds.robotouille.game.state import Kitchen
from backburner.worlds.robotouille.game.under_way import progress_of

AT_STATION = ("item_on", "item_at", "container_at")
HELD = ("holds_item", "holds_container")


class Scenes:
    """The scenes of one problem: where its stations are and its robots begin."""

    def __init__(self, engine: Compiled, problem: ProblemFile) -> None:
        self.engine = engine
        self.roles = Roles(engine.domain)
        self.size = (problem.width, problem.height)
        self.caption = problem.goal_description
        self.stations: dict[int, Cell] = {}
        self.usual: dict[int, Stand] = {}
        placed = ((type, entity) for type in engine.domain.types for entity in entities(problem, type))
        for thing, (type, entity) in enumerate(placed):
            if isinstance(entity, Thing):
                continue
            cell = (entity.x, problem.height - 1 - entity.y)
            if isinstance(entity, Player):
                self.usual[thing] = (cell, (entity.direction[0], -entity.direction[1]))
            elif type == STATION:
                self.stations[thing] = cell

    def of(self, kitchen: Kitchen, *, timers: bool = True) -> Scene:
        """The scene of a kitchen; without ``timers`` nobody is told how far anything has come."""
        return _View(self, kitchen, timers).scene()


class _View:
    """One kitchen: what rests on, stands above and is inside what. ``drawn`` have found their place."""

    def __init__(self, scenes: Scenes, kitchen: Kitchen, timers: bool) -> None:
        self.scenes, self.kitchen = scenes, kitchen
        layout = scenes.engine.layout(kitchen)
        self.objects = layout.objects
        self.facts = Facts(scenes.roles, layout, kitchen)
        self.progress = progress_of(scenes.engine, kitchen) if timers else {}
        self.drawn: set[int] = set()
        self.rests = _by_second(self.facts.pairs(*AT_STATION))
        for robot, thing in self.facts.pairs(*HELD):
            self.rests.setdefault(robot, []).append(thing)
        self.above = _by_second(self.facts.pairs("item_atop"))
        self.inside = _by_second(self.facts.pairs("meal_in"))
        for thing, other in self.facts.ties(self._placed()):
            self.inside.setdefault(other, []).append(thing)

    def _placed(self) -> set[int]:
        """Whatever a fact gives a place, and what is a place."""
        holders = (*self.rests.values(), *self.above.values(), *self.inside.values())
        return {*self.scenes.engine.robots, *self.scenes.stations}.union(*holders)

    def scene(self) -> Scene:
        """Robots and stations take what is theirs; whatever is left then is beside."""
        scenes = self.scenes
        bodies = self._bodies()
        places = tuple(self._place(station, cell) for station, cell in scenes.stations.items())
        beside = self._piled(
            index
            for index, thing in enumerate(self.objects)
            if thing.type != PLAYER and index not in scenes.stations and not self.kitchen.gone >> index & 1
        )
        return Scene(*scenes.size, places, bodies, beside, scenes.caption)

    def _bodies(self) -> tuple[Body, ...]:
        scenes = self.scenes
        at = dict(self.facts.pairs("player_at"))
        faced = {robot: scenes.stations[place] for robot, place in at.items() if place in scenes.stations}
        standing = scenes.usual | stands(faced, scenes.usual, set(scenes.stations.values()), scenes.size)
        return tuple(
            self._body(robot, standing.get(robot, NOWHERE), at.get(robot)) for robot in scenes.engine.robots
        )

    def _body(self, index: int, stand: Stand, place: int | None) -> Body:
        robot = self.objects[index]
        at = "" if place is None else self.objects[place].name
        marks, _ = self.facts.marks(index)
        return Body(
            robot.name, robot.kind, *stand, at, self._contents(index), marks, self.progress.get(index, ())
        )

    def _place(self, index: int, cell: Cell) -> Place:
        station = self.objects[index]
        marks, traits = self.facts.marks(index)
        stack, progress = self._contents(index), self.progress.get(index, ())
        return Place(station.name, station.kind, cell, marks, traits, stack, progress)

    def _thing(self, index: int) -> Drawn:
        self.drawn.add(index)
        thing = self.objects[index]
        marks, traits = self.facts.marks(index)
        progress = self.progress.get(index, ())
        return Drawn(thing.name, thing.kind, marks, traits, progress, self._contents(index))

    def _contents(self, index: int) -> tuple[Drawn, ...]:
        """What rests on, or is inside, this."""
        return self._piled([*self.rests.get(index, ()), *self.inside.get(index, ())])

    def _piled(self, things: Iterable[int]) -> tuple[Drawn, ...]:
        """These things and those above them from below upwards, without those drawn already."""
        things = list(things)[::-1]
        atop = {upper for thing in things for upper in self.above.get(thing, ())}
        waiting = sorted(things, key=lambda thing: thing not in atop)
        found: list[Drawn] = []
        while waiting:
            thing = waiting.pop()
            if thing not in self.drawn:
                found.append(self._thing(thing))
                waiting += self.above.get(thing, ())[::-1]
        return tuple(found)


NOWHERE: Stand = (None, (0, 0))


def _by_second(pairs: Iterable[Pair]) -> dict[int, list[int]]:
    """The first things of pairs, by the second."""
    found: dict[int, list[int]] = {}
    for first, second in pairs:
        found.setdefault(second, []).append(first)
    return found
