"""The released level generator, draw by draw, with its oddities; its two ways.

Stations and items that nobody needs are drawn first. In the usual way a cell is drawn for each thing of the
problem then. A thing that cannot be where it was drawn replaces something that nobody needs. Stacks are taken
apart, and of several robots only the first is placed. Nothing of that is mended here: the article's levels
are those that this procedure draws from the seeds 42, 84, ..., 420.

In the noisy way the problem's own stations move, with what is on and before them. Each is one group with the
items on it, in their stack, the robot beside it and what that robot holds. Groups are laid out on shuffled
cells, again and again, until every station can be reached. Then come the stations and items that nobody
needs, as many as fit, and the robot gets a cell at last. What belongs to no group is lost: containers, robots
beside no station; and of several robots all but the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.game.generator import Generated, Grid, Placeable, cell_of, facing, moved
from backburner.worlds.robotouille.game.schema import (
    ITEM,
    STATION,
    Cell,
    Container,
    DomainFile,
    Item,
    Player,
    ProblemFile,
    Station,
    listed,
    type_of,
)

MOST_SEEDS = 10_000
"""Seeds that are tried. The released program would go on for ever."""

MOST_LAYOUTS = 10_000
"""Layouts that are tried; published tasks were seen to need up to 64. The released program has no bound."""


class Noise(Struct, frozen=True):
    """Stations and items that nobody needs, each on the cell that was drawn for it, in that order."""

    stations: tuple[Station, ...]
    items: tuple[Item, ...]


def generate_released(problem: ProblemFile, domain: DomainFile, seed: int, noisy: bool = False) -> Generated:
    """The level that the released program draws from this problem and seed.

    Where it gets stuck, it starts again with the next seed. ``noisy`` is its other way, which moves the
    problem's stations with what is on and before them. Raises ``Refused`` where the released program would go
    on for ever, and for kinds that are still to be drawn, which it takes from chance that no seed decides.
    """
    _check(problem, domain)
    if noisy:
        _check_noisy(problem)
    for effective in range(seed, seed + MOST_SEEDS):
        rng = Random(effective)
        noise = _noise(problem, domain, rng)
        try:
            if noisy:
                made, n_layouts = _noisy_level(problem, noise, rng)
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
        problem = self.problem
        stations = [moved(one, self._any_cell()) for one in _by_cell(problem.stations)]
        items = [replace(moved(one, self._any_cell()), stack_level=0) for one in _by_cell(problem.items)]
        containers = [moved(one, self._any_cell()) for one in _by_cell(problem.containers)]
        self._place_noise(self.noise.stations, list(self._starts()))
        self._place_stations(stations)
        player = self._player()
        places = [*self.stations, *([cell_of(player)] if player else [])]
        self._place_noise_items(self.noise.items, places)
        self._place_items(items, places)
        return replace(
            problem,
            stations=tuple(self.stations.values()),
            containers=tuple(self._placed_containers(containers, places)),
            items=tuple(self.items.values()),
            players=(player,) if player else (),
        )

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
            if cell_of(station) not in self.stations and self._reachable(cell_of(station), starts[:1]):
                self.stations[cell_of(station)] = station

    def _place_stations(self, stations: Sequence[Station]) -> None:
        for station in stations:
            cell = cell_of(station)
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
        self.stations[cell] = moved(station, cell)
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
        player = _before_a_station(_by_cell(self.problem.players)[0], self.stations, self.grid)
        if player is None:
            raise Refused("released generator: no cell is left for the player (the released program fails)")
        return player

    def _place_noise_items(self, items: Sequence[Item], places: Sequence[Cell]) -> None:
        for item in items:
            if cell_of(item) in places and cell_of(item) not in self.items:
                self.items[cell_of(item)] = item

    def _place_items(self, items: Sequence[Item], places: Sequence[Cell]) -> None:
        """On the drawn cell, else on the first place without an item that somebody needs."""
        for item in items:
            for cell in (cell_of(item), *places):
                if cell in places and cell not in self.needed_items:
                    break
            else:
                raise _StuckError
            self.items[cell] = moved(item, cell)
            self.needed_items.add(cell)

    def _placed_containers(
        self, containers: Sequence[Container], places: Sequence[Cell]
    ) -> Iterator[Container]:
        """On the drawn cell, else on the first place that is free or has an item that nobody needs.

        Where the drawn cell has such an item, the released program fails.
        """
        taken = set(self.needed_items)
        for container in containers:
            drawn = cell_of(container)
            if drawn in self.items and drawn not in taken:
                raise _StuckError
            free = (cell for cell in (drawn, *places) if cell in places and cell not in taken)
            cell = next(free, None)
            if cell is None:
                raise _StuckError
            self.items.pop(cell, None)
            taken.add(cell)
            yield moved(container, cell)


def _by_cell(things: Sequence[Placeable]) -> list[Placeable]:
    return sorted(things, key=cell_of)


def _before_a_station(player: Player, places: Iterable[Cell], grid: Grid) -> Player | None:
    """The player beside the first station that has a cell from which all stations can be reached."""
    stations = dict.fromkeys(places)
    for station in stations:
        for cell in grid.beside(station):
            if cell not in stations and grid.reaches_all(cell, stations):
                return facing(player, cell, station)
    return None


# --- the noisy way --------------------------------------------------------------------------------------


class _Group(Struct, frozen=True):
    """A station and what moves with it, by their indices in the sorted lists of the problem."""

    station: int
    items: tuple[int, ...]
    robot: int | None
    held: int | None


class _Own:
    """The problem's own stations, items and robots, each list sorted by cell, and their groups."""

    def __init__(self, problem: ProblemFile) -> None:
        self.stations = _by_cell(problem.stations)
        self.items = _by_cell(problem.items)
        self.players = _by_cell(problem.players)
        self.groups = [self._group(index) for index in range(len(self.stations))]

    def _group(self, station: int) -> _Group:
        """The robot is the first that is beside the station, also where it is beside others too."""
        x, y = cell_of(self.stations[station])
        beside = {(x, y + 1), (x, y - 1), (x + 1, y), (x - 1, y)}
        robot = next((n for n, player in enumerate(self.players) if cell_of(player) in beside), None)
        held = self._items_at(cell_of(self.players[robot])) if robot is not None else ()
        return _Group(station, self._items_at((x, y)), robot, held[0] if held else None)

    def _items_at(self, cell: Cell) -> tuple[int, ...]:
        return tuple(n for n, item in enumerate(self.items) if cell_of(item) == cell)


class _Layout(Struct, frozen=True):
    """Own things on new cells, in the order of their placing; ``start`` is the cell of the first robot."""

    stations: tuple[Station, ...]
    items: tuple[Item, ...]
    robots: frozenset[Cell]
    first: Player
    start: Cell


def _check_noisy(problem: ProblemFile) -> None:
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


def _noisy_level(problem: ProblemFile, noise: Noise, rng: Random) -> tuple[ProblemFile, int]:
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
        tuple(moved(one, cell) for one, cell in zip(own.stations, stations, strict=True)),
        tuple(moved(own.items[index], item_cells[index]) for index in items),
        frozenset(robots.values()),
        own.players[first],
        start,
    )


def _furnished(problem: ProblemFile, layout: _Layout, noise: Noise, grid: Grid) -> ProblemFile:
    """The layout with the noise that fits in; the robot gets another cell, what it holds does not.

    There is such a cell: the layout cell of the first robot is beside a station of its own, and all that was
    put in can be reached from there.
    """
    own = {cell_of(station) for station in layout.stations}
    stations = [*layout.stations, *_fitting(noise.stations, layout, grid)]
    places = [cell_of(station) for station in stations]
    player = _before_a_station(layout.first, places, grid)
    fresh, taken = set(places) - own, set[Cell]()
    items = list(layout.items)
    for item in noise.items:
        if cell_of(item) in fresh and cell_of(item) not in taken:
            taken.add(cell_of(item))
            items.append(item)
    players = (player,) if player else ()
    return replace(problem, stations=tuple(stations), items=tuple(items), containers=(), players=players)


def _fitting(stations: Sequence[Station], layout: _Layout, grid: Grid) -> Iterator[Station]:
    """Those on free cells with which all stations can be reached from the first robot's cell."""
    places = {cell_of(station) for station in layout.stations}
    for station in stations:
        cell = cell_of(station)
        if cell in places or cell in layout.robots or not grid.reaches_all(layout.start, {*places, cell}):
            continue
        places.add(cell)
        yield station
