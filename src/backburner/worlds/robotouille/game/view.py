"""A kitchen as a scene to be drawn, whatever its domain, and the keys and clicks to play it with.

The predicates that the domain names in ``placement`` say where things are. All other predicates say
something about a thing, or tie two things together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from backburner.kernel.files import shipped
from backburner.kernel.view import Body, Cell, Controls, Place, Progress, Scene
from backburner.kernel.view import Thing as Drawn
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import EffectNode
from backburner.worlds.robotouille.game.effects import GroundNode
from backburner.worlds.robotouille.game.scenarios import HERE
from backburner.worlds.robotouille.game.schema import PLAYER, STATION, Player, ProblemFile, Thing, entities
from backburner.worlds.robotouille.game.state import Kitchen

AT_STATION = ("item_on", "item_at", "container_at")
HELD = ("holds_item", "holds_container")

DIRECTIONS: tuple[Cell, ...] = ((0, -1), (0, 1), (1, 0), (-1, 0))
"""The directions in which a robot may look, in the order in which they are tried: up, down, right, left."""

Pair = tuple[int, int]

Stand = tuple[Cell | None, Cell]
"""The cell of a robot, and the direction in which it looks."""

NOWHERE: Stand = (None, (0, 0))


def shipped_controls() -> Controls:
    """The keys and clicks for the actions of the published tasks (article, Figure 10)."""
    return shipped(HERE, "input", Controls)


class Scenes:
    """The scenes of one problem. It knows where the stations are and where the robots begin."""

    def __init__(self, compiled: Compiled, problem: ProblemFile) -> None:
        self.compiled = compiled
        self.size = (problem.width, problem.height)
        self.caption = problem.goal_description
        self.stations: dict[int, Cell] = {}
        self.first_stands: dict[int, Stand] = {}
        placed = ((type, entity) for type in compiled.domain.types for entity in entities(problem, type))
        for thing, (type, entity) in enumerate(placed):
            if isinstance(entity, Thing):
                continue
            cell = (entity.x, problem.height - 1 - entity.y)
            if isinstance(entity, Player):
                self.first_stands[thing] = (cell, (entity.direction[0], -entity.direction[1]))
            elif type == STATION:
                self.stations[thing] = cell

    def of(self, kitchen: Kitchen, *, timers: bool = True) -> Scene:
        """The scene of a kitchen; without ``timers`` it does not show how far anything has come."""
        return _View(self, kitchen, timers).scene()


class _View:
    """One kitchen: what rests on, stands above and is inside what. ``drawn`` are the things drawn so far."""

    def __init__(self, scenes: Scenes, kitchen: Kitchen, timers: bool) -> None:
        self.scenes, self.kitchen = scenes, kitchen
        self.domain, self.layout = scenes.compiled.domain, scenes.compiled.layout(kitchen)
        self.objects = self.layout.objects
        self.facts: dict[int, list[tuple[int, ...]]] = {}
        for predicate, args in sorted(self.layout.true_atoms(kitchen.facts)):
            self.facts.setdefault(predicate, []).append(args)
        self.progress = progress_of(scenes.compiled, kitchen) if timers else {}
        self.drawn: set[int] = set()
        self.rests = _by_second(self._pairs(*AT_STATION))
        for robot, thing in self._pairs(*HELD):
            self.rests.setdefault(robot, []).append(thing)
        self.above = _by_second(self._pairs("item_atop"))
        self.inside = _by_second(self._pairs("meal_in"))
        for thing, other in self._ties():
            self.inside.setdefault(other, []).append(thing)

    def scene(self) -> Scene:
        """Robots and stations with what is theirs; all other things stand beside them."""
        scenes = self.scenes
        bodies = self._bodies()
        places = tuple(self._place(station, cell) for station, cell in scenes.stations.items())
        beside = self._piled(
            index
            for index, thing in enumerate(self.objects)
            if thing.type != PLAYER and index not in scenes.stations and not self.kitchen.gone >> index & 1
        )
        return Scene(*scenes.size, places, bodies, beside, scenes.caption)

    def _pairs(self, *roles: str) -> Iterator[Pair]:
        """The facts about two things whose predicates have these roles in the domain's ``placement``."""
        for role in roles:
            for args in self.facts.get(self.domain.placement.get(role, -1), ()):
                if len(args) == 2:
                    yield args[0], args[1]

    def _ties(self) -> Iterator[Pair]:
        """(thing without a place, thing that some other fact ties it to), the first such fact of each."""
        holders = (*self.rests.values(), *self.above.values(), *self.inside.values())
        tied = {*self.scenes.compiled.robots, *self.scenes.stations}.union(*holders)
        placing = set(self.domain.placement.values())
        for predicate, facts in self.facts.items():
            for args in facts if predicate not in placing else ():
                loose = [thing for thing in args if thing not in tied]
                if len(args) == 2 and loose:
                    tied.add(loose[0])
                    yield loose[0], args[1 - args.index(loose[0])]

    def _marks(self, thing: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """(what actions have made of a thing, what is always true of it), without its kind and place."""
        marks: list[str] = []
        traits: list[str] = []
        kind = f"is{self.objects[thing].kind}"
        placing = set(self.domain.placement.values())
        for predicate, facts in self.facts.items():
            name = self.layout.predicates[predicate].name
            if (thing,) in facts and predicate not in placing and name != kind:
                (marks if predicate in self.domain.assigned else traits).append(_word(name))
        return tuple(marks), tuple(traits)

    def _bodies(self) -> tuple[Body, ...]:
        scenes = self.scenes
        at = dict(self._pairs("player_at"))
        faced = {robot: scenes.stations[place] for robot, place in at.items() if place in scenes.stations}
        first, blocked = scenes.first_stands, set(scenes.stations.values())
        now = first | stands(faced, first, blocked, scenes.size)
        robots = scenes.compiled.robots
        return tuple(self._body(robot, now.get(robot, NOWHERE), at.get(robot)) for robot in robots)

    def _body(self, index: int, stand: Stand, station: int | None) -> Body:
        robot = self.objects[index]
        at = "" if station is None else self.objects[station].name
        marks, _ = self._marks(index)
        return Body(
            robot.name, robot.kind, *stand, at, self._contents(index), marks, self.progress.get(index, ())
        )

    def _place(self, index: int, cell: Cell) -> Place:
        station = self.objects[index]
        marks, traits = self._marks(index)
        stack, progress = self._contents(index), self.progress.get(index, ())
        return Place(station.name, station.kind, cell, marks, traits, stack, progress)

    def _thing(self, index: int) -> Drawn:
        self.drawn.add(index)
        thing = self.objects[index]
        marks, traits = self._marks(index)
        progress = self.progress.get(index, ())
        return Drawn(thing.name, thing.kind, marks, traits, progress, self._contents(index))

    def _contents(self, index: int) -> tuple[Drawn, ...]:
        """What rests on a thing, or is inside it."""
        return self._piled([*self.rests.get(index, ()), *self.inside.get(index, ())])

    def _piled(self, things: Iterable[int]) -> tuple[Drawn, ...]:
        """These things and those above them, from below upwards, without those drawn already."""
        things = list(things)[::-1]
        atop = {upper for thing in things for upper in self.above.get(thing, ())}
        waiting = sorted(things, key=lambda thing: thing not in atop)
        pile: list[Drawn] = []
        while waiting:
            thing = waiting.pop()
            if thing not in self.drawn:
                pile.append(self._thing(thing))
                waiting += self.above.get(thing, ())[::-1]
        return tuple(pile)


def _by_second(pairs: Iterable[Pair]) -> dict[int, list[int]]:
    """The first things of pairs, by the second."""
    firsts: dict[int, list[int]] = {}
    for first, second in pairs:
        firsts.setdefault(second, []).append(first)
    return firsts


def _word(predicate: str) -> str:
    """``iscut`` as ``cut``, ``is_on_fire`` as ``on fire``."""
    return predicate.removeprefix("is").replace("_", " ").strip() or predicate


def stands(
    faced: Mapping[int, Cell], first: Mapping[int, Stand], blocked: Collection[Cell], size: tuple[int, int]
) -> dict[int, Stand]:
    """A stand for each robot beside the cell that it faces; no rule asks for it, only pictures do.

    A robot stays where it began (``first``) if it faces the cell from there. Otherwise it stands on the
    first free cell beside it, or on a cell that another robot has taken if there is no other. Robots
    with fewer cells to choose from choose first. If all cells beside are ``blocked``, it stands nowhere.
    """
    choices = {robot: _choices(cell, first.get(robot), blocked, size) for robot, cell in faced.items()}
    found: dict[int, Stand] = {}
    for robot in sorted(choices, key=lambda robot: (len(choices[robot]), robot)):
        taken = {cell for cell, _ in found.values()}
        free = [stand for stand in choices[robot] if stand[0] not in taken]
        found[robot] = next(iter([*free, *choices[robot]]), NOWHERE)
    return found


def _choices(
    cell: Cell, first: Stand | None, blocked: Collection[Cell], size: tuple[int, int]
) -> list[Stand]:
    """The stands from which a cell is faced, the robot's first one before the others."""
    beside: list[Stand] = []
    for direction in DIRECTIONS:
        x, y = cell[0] - direction[0], cell[1] - direction[1]
        if 0 <= x < size[0] and 0 <= y < size[1] and (x, y) not in blocked:
            beside.append(((x, y), direction))
    return sorted(beside, key=lambda stand: stand != first)


def progress_of(compiled: Compiled, kitchen: Kitchen) -> dict[int, tuple[Progress, ...]]:
    """How far everything has come that counts ticks or pushes and is not done, by the index of its thing.

    It is called after the action that starts it, and paused while a condition around it does not hold.
    """
    domain, layout = compiled.domain, compiled.layout(kitchen)
    verbs = {start.effect: action.name for action in domain.actions[::-1] for start in action.starts}
    progress: dict[int, tuple[Progress, ...]] = {}
    for running in kitchen.effects:
        root = domain.special_effects[running.effect].root
        ground = compiled.effects.ground_nodes(layout, running.effect, running.args)
        for node, paused in _counting(root, running.counts, ground, kitchen.facts):
            done, full = running.counts[node.index], ground[node.index].full
            owner = running.args[node.owner]
            count = Progress(verbs[running.effect], done, full, paused)
            progress[owner] = (*progress.get(owner, ()), count)
    return progress


def _counting(
    node: EffectNode, counts: Sequence[int], ground: Sequence[GroundNode], facts: int, paused: bool = False
) -> Iterator[tuple[EffectNode, bool]]:
    """(node, whether it is paused) for each node whose turn it is to count."""
    count, full = counts[node.index], ground[node.index].full
    if node.type in ("delayed", "repetitive") and count < full:
        yield node, paused
        return
    if node.type == "conditional":
        paused = paused or not (count or ground[node.index].holds(facts))
    elif count < full:
        return
    for nested in node.nested:
        yield from _counting(nested, counts, ground, facts, paused)
