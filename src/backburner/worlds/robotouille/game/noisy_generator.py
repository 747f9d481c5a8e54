"""The released generator's noisy way: the problem's own stations move, with what is on and before them.

Each station of the problem is one group with the items on it, in their stack, the robot beside it and what
that robot holds. Groups are laid out on shuffled cells, again and again, until every station can be reached.
Then come the stations and items that nobody needs, as many as fit, and the robot gets a cell at last. What
belongs to no group is lost: containers, robots beside no station; and of several robots all but the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.game.generator import Cell, Grid
from backburner.worlds.robotouille.game.schema import Item, Player, ProblemFile, Station

Thing = TypeVar("Thing", Station, Item, Player)

MOST_LAYOUTS = 10_000
"""Layouts that are tried; published tasks were seen to need up to 64. The released program has no bound."""


class Noise(Struct, frozen=True):
    """Stations and items that nobody needs, each on the cell that was drawn for it, in that order."""

    stations: tuple[Station, ...]
    items: tuple[Item, ...]


class _Group(Struct, frozen=True):
    """A station and what moves with it, by their indices in the sorted lists of the problem."""

    station: int
    items: tuple[int, ...]
    robot: int | None
    held: int | None


class _Own:
    """The problem's own stations, items and robots, each list sorted by cell, and their groups."""

    def __init__(self, problem: ProblemFile) -> None:
        self.stations = sorted(problem.stations, key=_cell)
        self.items = sorted(problem.items, key=_cell)
        self.players = sorted(problem.players, key=_cell)
        self.groups = [self._group(index) for index in range(len(self.stations))]

    def _group(self, station: int) -> _Group:
        """The robot is the first that is beside the station, also where it is beside others too."""
        x, y = _cell(self.stations[station])
        beside = {(x, y + 1), (x, y - 1), (x + 1, y), (x - 1, y)}
        robot = next((n for n, player in enumerate(self.players) if _cell(player) in beside), None)
        held = self._items_at(_cell(self.players[robot])) if robot is not None else ()
        return _Group(station, self._items_at((x, y)), robot, held[0] if held else None)

    def _items_at(self, cell: Cell) -> tuple[int, ...]:
        return tuple(n for n, item in enumerate(self.items) if _cell(item) == cell)


class _Layout(Struct, frozen=True):
    """Own things on new cells, in the order of their placing; ``start`` is the cell of the first robot."""

    stations: tuple[Station, ...]
    items: tuple[Item, ...]
    robots: frozenset[Cell]
    first: Player
    start: Cell


def check_noisy(problem: ProblemFile) -> None:
    """Raises ``Refused`` for a problem of which the released program never makes a level."""
    own = _Own(problem)
    if not problem.items:
        raise _endless("the problem lists no items, and it fails without")
    robots = {group.robot for group in own.groups if group.robot is not None}
    if not robots:
        raise _endless("no robot is beside a station, and it takes the first of those that are")
    n_cells = problem.width * problem.height
    if len(own.groups) + len(robots) > n_cells:
        things = f"{len(own.groups)} stations and {len(robots)} robots"
        raise _endless(f"{things} are more than the {n_cells} cells")


def _endless(why: str) -> Refused:
    return Refused(f"released generator: the noisy way never ends here: {why}")


def noisy_level(problem: ProblemFile, noise: Noise, rng: Random) -> tuple[ProblemFile, int]:
    """The level, and the number of layouts that it took. ``rng`` is as it was left when noise was drawn.

    Raises ``Refused`` if no layout of ``MOST_LAYOUTS`` is good.
    """
    grid, own = Grid(problem.width, problem.height), _Own(problem)
    for n_layouts in range(1, MOST_LAYOUTS + 1):
        layout = _laid_out(own, grid, rng)
        if layout is not None:
            return _furnished(problem, layout, noise, grid), n_layouts
    raise Refused(
        f"released generator: none of {MOST_LAYOUTS} layouts of the noisy way lets all stations be reached; "
        "the released program would go on"
    )


def _laid_out(own: _Own, grid: Grid, rng: Random) -> _Layout | None:
    """One layout; ``None`` if a group has no room, or the first robot cannot reach a station.

    A robot that belongs to several groups moves with each of them: what it leaves is free again, and what
    it holds is listed once for each.
    """
    deck = list(grid.cells())
    rng.shuffle(deck)
    stations: list[Cell] = []
    items: list[int] = []
    item_cells: dict[int, Cell] = {}
    robots: dict[int, Cell] = {}
    for group in own.groups:
        cell = deck.pop()
        taken = {*stations, *robots.values()}
        free = [one for one in grid.beside(cell) if one not in taken]
        if cell in taken or (group.robot is not None and not free):
            return None
        stations.append(cell)
        items += group.items
        item_cells |= dict.fromkeys(group.items, cell)
        if group.robot is not None:
            robots[group.robot] = rng.choice(free)
            if group.held is not None:
                items.append(group.held)
                item_cells[group.held] = robots[group.robot]
    first, start = next(iter(robots.items()))
    if not grid.reaches_all(start, stations):
        return None
    return _Layout(
        tuple(_moved(one, cell) for one, cell in zip(own.stations, stations, strict=True)),
        tuple(_moved(own.items[index], item_cells[index]) for index in items),
        frozenset(robots.values()),
        own.players[first],
        start,
    )


def _furnished(problem: ProblemFile, layout: _Layout, noise: Noise, grid: Grid) -> ProblemFile:
    """The layout with the noise that fits in; the robot gets another cell, what it holds does not."""
    own = {_cell(station) for station in layout.stations}
    stations = [*layout.stations, *_fitting(noise.stations, layout, grid)]
    places = [_cell(station) for station in stations]
    player = _placed(layout.first, places, grid)
    fresh, taken = set(places) - own, set[Cell]()
    items = list(layout.items)
    for item in noise.items:
        if _cell(item) in fresh and _cell(item) not in taken:
            taken.add(_cell(item))
            items.append(item)
    return replace(
        problem,
        stations=tuple(stations),
        items=tuple(items),
        containers=(),
        players=(player,),
    )


def _fitting(stations: Sequence[Station], layout: _Layout, grid: Grid) -> Iterator[Station]:
    """Those on free cells with which all stations can be reached from the first robot's cell."""
    places = {_cell(station) for station in layout.stations}
    for station in stations:
        cell = _cell(station)
        if cell in places or cell in layout.robots or not grid.reaches_all(layout.start, {*places, cell}):
            continue
        places.add(cell)
        yield station


def _placed(player: Player, places: Sequence[Cell], grid: Grid) -> Player:
    """The robot beside the first station that has a cell from which all can be reached.

    There is one: the layout cell of the first robot is beside a station of its own, and all that was put in
    can be reached from there.
    """
    stations = set(places)
    (x, y), cell = next(
        (station, cell)
        for station in places
        for cell in grid.beside(station)
        if cell not in stations and grid.reaches_all(cell, stations)
    )
    return replace(_moved(player, cell), direction=(x - cell[0], y - cell[1]))


def _cell(thing: Station | Item | Player) -> Cell:
    return thing.x, thing.y


def _moved(thing: Thing, cell: Cell) -> Thing:
    return replace(thing, x=cell[0], y=cell[1])
