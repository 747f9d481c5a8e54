"""The released level generator, draw by draw, with its oddities.

Stations and items that nobody needs are drawn first, then a cell for each thing of the problem. A
thing that cannot be where it was drawn replaces something that nobody needs. Stacks are taken apart, and
of several robots only the first is placed. Nothing of that is mended here: the article's levels are
those that this procedure draws from the seeds 42, 84, ..., 420. Its noisy way goes on differently after
the first draws, and has a module of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.game.generator import Cell, Generated, Grid
from backburner.worlds.robotouille.game.problem import listed, type_of
from backburner.worlds.robotouille.game.schema import (
    ITEM,
    STATION,
    Container,
    DomainFile,
    Item,
    Player,
    ProblemFile,
    Station,
)

MOST_SEEDS = 10_000
"""Seeds that are tried. The released program would go on for ever."""

Placeable = TypeVar("Placeable", Station, Item, Container, Player)


def generate_released(problem: ProblemFile, domain: DomainFile, seed: int, noisy: bool = False) -> Generated:
    """The level that the released program draws from this problem and seed.

    Where it gets stuck, it starts again with the next seed. ``noisy`` is its other way, which moves the
    problem's stations with what is on and before them (see ``noisy_generator``). Raises ``Refused`` where
    the released program would go on for ever, and for kinds that are still to be drawn, which it takes from
    chance that no seed decides.
    """
    _check(problem, domain)
    if noisy:
        check_noisy(problem)
    for effective in range(seed, seed + MOST_SEEDS):
        rng = Random(effective)
        noise = _noise(problem, domain, rng)
        try:
            if noisy:
                made, n_layouts = noisy_level(problem, noise, rng)
                return Generated(made, seed, effective, n_layouts)
            return Generated(_Attempt(problem, noise, rng).level(), seed, effective)
        except _StuckError:
            continue
    raise Refused(f"released generator: none of the {MOST_SEEDS} seeds from {seed} on gives a level")


def _check(problem: ProblemFile, domain: DomainFile) -> None:
    for type in (STATION, ITEM):
        if not domain.kinds.get(type):
            raise Refused(f"released generator: domain {domain.name!r} names no kinds of {type}")
    for _, _, entity in listed(problem):
        if entity.name == type_of(entity) and domain.kinds.get(entity.name):
            any_kind = f"{entity.name!r} stands for any kind of {entity.name}"
            raise Refused(f"released generator: {any_kind}; draw the kinds first")


def _noise(problem: ProblemFile, domain: DomainFile, rng: Random) -> Noise:
    """What nobody needs, drawn first in both ways: all cells of stations, their kinds, then the items.

    An item lies at the x of one station and the y of another, so that many of them lie nowhere.
    """
    width, height = problem.width, problem.height
    n_stations = rng.randrange(width * height)
    cells = [(rng.randrange(width), rng.randrange(height)) for _ in range(n_stations)]
    stations = [Station(rng.choice(domain.kinds[STATION]), x, y) for x, y in cells]
    n_items = rng.randrange(n_stations + 1)
    cells = [(rng.choice(cells)[0], rng.choice(cells)[1]) for _ in range(n_items)]
    kinds = [rng.choice(domain.kinds[ITEM]) for _ in cells]
    given = domain.drawn_predicates
    items = [
        Item(kind, x, y, predicates=given.get(kind, ())) for kind, (x, y) in zip(kinds, cells, strict=True)
    ]
    return Noise(tuple(stations), tuple(items))


class _StuckError(Exception):
    """The released program would fail here, and try the next seed."""


class _Own(Struct):
    """The problem's own things on the cells that were drawn for them; ``starts`` are the players'."""

    stations: list[Station]
    items: list[Item]
    containers: list[Container]
    starts: list[Cell]


class _Attempt:
    """One level from one seed.

    ``stations`` and ``items`` are by cell, in the order in which the cells were filled: a thing that
    replaces another takes over its position in that order. ``needed`` and ``needed_items`` are the
    cells of the problem's own things.
    """

    def __init__(self, problem: ProblemFile, noise: Noise, rng: Random) -> None:
        self.problem, self.noise, self.rng = problem, noise, rng
        self.grid = Grid(problem.width, problem.height)
        self.stations: dict[Cell, Station] = {}
        self.needed: set[Cell] = set()
        self.items: dict[Cell, Item] = {}
        self.needed_items: set[Cell] = set()

    def level(self) -> ProblemFile:
        """Makes all draws in their order, then places stations, player, items, containers."""
        own = self._own()
        self._place_noise(self.noise.stations, own.starts)
        self._place_stations(own.stations)
        player = self._player()
        places = [*self.stations, *([_cell(player)] if player else [])]
        self._place_noise_items(self.noise.items, places)
        self._place_items(own.items, places)
        return replace(
            self.problem,
            stations=tuple(self.stations.values()),
            containers=tuple(self._placed_containers(own.containers, places)),
            items=tuple(self.items.values()),
            players=(player,) if player else (),
        )

    def _own(self) -> _Own:
        problem = self.problem
        stations = [_moved(one, self._any_cell()) for one in _by_cell(problem.stations)]
        items = [replace(_moved(one, self._any_cell()), stack_level=0) for one in _by_cell(problem.items)]
        containers = [_moved(one, self._any_cell()) for one in _by_cell(problem.containers)]
        return _Own(stations, items, containers, list(self._starts()))

    def _starts(self) -> Iterator[Cell]:
        """The players' cells; a direction is drawn for each, and not used."""
        for _ in self.problem.players:
            yield self._any_cell()
            self.rng.randrange(4)

    def _any_cell(self) -> Cell:
        return self.rng.randrange(self.grid.width), self.rng.randrange(self.grid.height)

    def _place_noise(self, stations: Sequence[Station], starts: Sequence[Cell]) -> None:
        """Only where the cell is free, and all stations can be reached from the first player's drawn cell."""
        for station in stations:
            if _cell(station) not in self.stations and self._reachable(_cell(station), starts[:1]):
                self.stations[_cell(station)] = station

    def _place_stations(self, stations: Sequence[Station]) -> None:
        for station in stations:
            cell = _cell(station)
            replaces = cell in self.stations and cell not in self.needed
            if not replaces and (cell in self.stations or not self._reachable(cell, ())):
                cell = self._sacrificed()
            self._put_station(station, cell)

    def _sacrificed(self) -> Cell:
        """The cell of some station that nobody needs."""
        others = [cell for cell in self.stations if cell not in self.needed]
        if not others:
            raise _StuckError
        return self.rng.choice(others)

    def _put_station(self, station: Station, cell: Cell) -> None:
        self.stations[cell] = _moved(station, cell)
        self.needed.add(cell)

    def _reachable(self, new: Cell, starts: Sequence[Cell]) -> bool:
        """Whether all stations and a new one can be reached from the start, or from somewhere."""
        stations = {*self.stations, new}
        return any(
            self.grid.reaches_all(start, stations)
            for start in starts or (cell for cell in self.grid.cells() if cell not in stations)
        )

    def _player(self) -> Player | None:
        """The first player, beside the first station that has a fitting cell beside it."""
        if not self.problem.players:
            return None
        stations = set(self.stations)
        for x, y in self.stations:
            for cell in self.grid.beside((x, y)):
                if cell not in stations and self.grid.reaches_all(cell, stations):
                    player = _by_cell(self.problem.players)[0]
                    return replace(_moved(player, cell), direction=(x - cell[0], y - cell[1]))
        raise Refused("released generator: no cell is left for the player (the released program fails)")

    def _place_noise_items(self, items: Sequence[Item], places: Sequence[Cell]) -> None:
        for item in items:
            if _cell(item) in places and _cell(item) not in self.items:
                self.items[_cell(item)] = item

    def _place_items(self, items: Sequence[Item], places: Sequence[Cell]) -> None:
        """On the drawn cell, else on the first place without an item that somebody needs."""
        for item in items:
            for cell in (_cell(item), *places):
                if cell in places and cell not in self.needed_items:
                    break
            else:
                raise _StuckError
            self.items[cell] = _moved(item, cell)
            self.needed_items.add(cell)

    def _placed_containers(
        self, containers: Sequence[Container], places: Sequence[Cell]
    ) -> Iterator[Container]:
        """On the drawn cell, else on the first place that is free or has an item that nobody needs.

        Where the drawn cell has such an item, the released program fails.
        """
        taken = set(self.needed_items)
        for container in containers:
            drawn = _cell(container)
            if drawn in self.items and drawn not in taken:
                raise _StuckError
            free = (cell for cell in (drawn, *places) if cell in places and cell not in taken)
            cell = next(free, None)
            if cell is None:
                raise _StuckError
            self.items.pop(cell, None)
            taken.add(cell)
            yield _moved(container, cell)


def _cell(thing: Station | Item | Container | Player) -> Cell:
    return thing.x, thing.y


def _moved(thing: Placeable, cell: Cell) -> Placeable:
    return replace(thing, x=cell[0], y=cell[1])


def _by_cell(things: Sequence[Placeable]) -> list[Placeable]:
    return sorted(things, key=_cell)


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


class _Groups:
    """The problem's own stations, items and robots, each list sorted by cell, and their groups."""

    def __init__(self, problem: ProblemFile) -> None:
        self.stations = sorted(problem.stations, key=_cell2)
        self.items = sorted(problem.items, key=_cell2)
        self.players = sorted(problem.players, key=_cell2)
        self.groups = [self._group(index) for index in range(len(self.stations))]

    def _group(self, station: int) -> _Group:
        """The robot is the first that is beside the station, also where it is beside others too."""
        x, y = _cell2(self.stations[station])
        beside = {(x, y + 1), (x, y - 1), (x + 1, y), (x - 1, y)}
        robot = next((n for n, player in enumerate(self.players) if _cell2(player) in beside), None)
        held = self._items_at(_cell2(self.players[robot])) if robot is not None else ()
        return _Group(station, self._items_at((x, y)), robot, held[0] if held else None)

    def _items_at(self, cell: Cell) -> tuple[int, ...]:
        return tuple(n for n, item in enumerate(self.items) if _cell2(item) == cell)


class _Layout(Struct, frozen=True):
    """Own things on new cells, in the order of their placing; ``start`` is the cell of the first robot."""

    stations: tuple[Station, ...]
    items: tuple[Item, ...]
    robots: frozenset[Cell]
    first: Player
    start: Cell


def check_noisy(problem: ProblemFile) -> None:
    """Raises ``Refused`` for a problem of which the released program never makes a level."""
    own = _Groups(problem)
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
    grid, own = Grid(problem.width, problem.height), _Groups(problem)
    for n_layouts in range(1, MOST_LAYOUTS + 1):
        layout = _laid_out(own, grid, rng)
        if layout is not None:
            return _furnished(problem, layout, noise, grid), n_layouts
    raise Refused(
        f"released generator: none of {MOST_LAYOUTS} layouts of the noisy way lets all stations be reached; "
        "the released program would go on"
    )


def _laid_out(own: _Groups, grid: Grid, rng: Random) -> _Layout | None:
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
        tuple(_moved2(one, cell) for one, cell in zip(own.stations, stations, strict=True)),
        tuple(_moved2(own.items[index], item_cells[index]) for index in items),
        frozenset(robots.values()),
        own.players[first],
        start,
    )


def _furnished(problem: ProblemFile, layout: _Layout, noise: Noise, grid: Grid) -> ProblemFile:
    """The layout with the noise that fits in; the robot gets another cell, what it holds does not."""
    own = {_cell2(station) for station in layout.stations}
    stations = [*layout.stations, *_fitting(noise.stations, layout, grid)]
    places = [_cell2(station) for station in stations]
    player = _placed(layout.first, places, grid)
    fresh, taken = set(places) - own, set[Cell]()
    items = list(layout.items)
    for item in noise.items:
        if _cell2(item) in fresh and _cell2(item) not in taken:
            taken.add(_cell2(item))
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
    places = {_cell2(station) for station in layout.stations}
    for station in stations:
        cell = _cell2(station)
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
    return replace(_moved2(player, cell), direction=(x - cell[0], y - cell[1]))


def _cell2(thing: Station | Item | Player) -> Cell:
    return thing.x, thing.y


def _moved2(thing: Thing, cell: Cell) -> Thing:
    return replace(thing, x=cell[0], y=cell[1])
