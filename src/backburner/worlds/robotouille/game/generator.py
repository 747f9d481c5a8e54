"""Levels drawn from a problem and a seed: the grid on which they are drawn, and our own generator.

Every robot is placed, stacks stay, and every goal stays within reach. A level holds everything that the
problem has. What can be reached in the problem can be reached in its levels, by any number of robots, because

* every robot can walk to every station, past the other robots;
* there is a station more than there are robots, so that robots can change places;
* one station is empty, so that things can be put aside one by one, and any arrangement of the
  problem's own things on its own stations can be made;
* items that nobody needs can be stacked on the station of one of them, which nobody needs either.

How many steps a level takes, a solver has to say (see ``oracle.generator``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.game.schema import (
    ITEM,
    STATION,
    WIDEST,
    Cell,
    Container,
    DomainFile,
    Item,
    Meal,
    OnCell,
    Player,
    ProblemFile,
    Station,
    Thing,
    listed,
)

Placeable = TypeVar("Placeable", bound=OnCell)


def cell_of(thing: OnCell) -> Cell:
    """Where a thing is."""
    return thing.x, thing.y


def moved(thing: Placeable, cell: Cell) -> Placeable:
    """The thing on another cell."""
    return replace(thing, x=cell[0], y=cell[1])


def facing(player: Player, cell: Cell, station: Cell) -> Player:
    """The player on another cell, looking at a station beside it."""
    return replace(moved(player, cell), direction=(station[0] - cell[0], station[1] - cell[1]))


class NoRoom(Refused):
    """A level finds no place on its grid; with another seed it may."""


class Grid(Struct, frozen=True):
    """A grid of cells, (0, 0) in the lower left corner; robots walk on it along rows and columns."""

    width: int
    height: int

    def cells(self) -> Iterator[Cell]:
        """All cells, column by column."""
        return ((x, y) for x in range(self.width) for y in range(self.height))

    def beside(self, cell: Cell) -> list[Cell]:
        """The cells above, below, to the right and to the left."""
        x, y = cell
        around = ((x, y + 1), (x, y - 1), (x + 1, y), (x - 1, y))
        return [(x, y) for x, y in around if 0 <= x < self.width and 0 <= y < self.height]

    def walkable(self, start: Cell, blocked: Collection[Cell]) -> set[Cell]:
        """The cells that one can walk to from ``start``, itself among them."""
        reached, ahead = {start}, [start]
        while ahead:
            for cell in self.beside(ahead.pop()):
                if cell not in reached and cell not in blocked:
                    reached.add(cell)
                    ahead.append(cell)
        return reached

    def all_beside(self, floor: Collection[Cell], stations: Collection[Cell]) -> bool:
        """Whether one can stand beside each of the stations on this floor."""
        return all(any(cell in floor for cell in self.beside(station)) for station in stations)

    def reaches_all(self, start: Cell, stations: Collection[Cell]) -> bool:
        """Whether a walk passes all stations; one that starts on a station ends there, as released."""
        if start in stations:
            return len(stations) == 1
        return self.all_beside(self.walkable(start, stations), stations)


class Generated(Struct, frozen=True):
    """A level drawn from a problem; the same arguments give the same level.

    ``effective_seed`` is the seed that drew it: the released generator goes on with the next seed
    when it gets stuck, ours never does. ``n_layouts``: how many times the noisy way laid the problem's own
    things out; the other ways do it once.
    """

    problem: ProblemFile
    seed: int
    effective_seed: int
    n_layouts: int = 1


LAYOUTS = 200
"""Times that stations and robots are laid out anew before the grid counts as too small."""


def generate(
    problem: ProblemFile,
    domain: DomainFile,
    seed: int,
    *,
    width: int | None = None,
    height: int | None = None,
    robots: int | None = None,
    noise: int | None = None,
    spread: bool = False,
) -> Generated:
    """A kitchen with everything that is in the problem, on a grid of its size or of another.

    ``robots``: the number of robots, the problem's own first. ``noise``: the number of stations that
    nobody needs, and the most items that nobody needs; where left out, it is drawn, and small on a
    rather full grid. ``spread`` takes stacks apart. Where things or robots would fill all stations, more
    are added, of the kind that there is most of. Raises ``Refused`` if the grid is too small, or if the
    numbers make no sense.
    """
    grid = Grid(
        problem.width if width is None else width,
        problem.height if height is None else height,
    )
    n_robots = len(problem.players) if robots is None else robots
    _check_numbers(problem, grid, n_robots, noise)
    _check_problem(problem, domain, n_robots, noise)
    level = _Level(problem, domain, grid, Random(seed))
    return Generated(level.drawn(n_robots, noise, spread), seed, seed)


def _check_numbers(problem: ProblemFile, grid: Grid, n_robots: int, noise: int | None) -> None:
    """Raises ``Refused`` for sizes and counts that there cannot be."""
    for side, cells in (("width", grid.width), ("height", grid.height)):
        if not 1 <= cells <= WIDEST:
            raise Refused(f"generator: {side} {cells}; grids are 1 to {WIDEST} cells wide and high")
    if n_robots < 1:
        raise Refused(f"generator: {n_robots} robots; one is needed at least")
    if noise is not None and noise < 0:
        raise Refused(f"generator: {noise} stations that nobody needs; 0 is the least")
    _check_room(grid, len(problem.stations) + (noise or 0), n_robots)


def _check_room(grid: Grid, n_stations: int, n_robots: int) -> None:
    """Raises ``Refused`` unless there is a cell for each station and robot."""
    if n_stations + n_robots > grid.width * grid.height:
        raise _no_room(grid, n_stations, n_robots)


def _no_room(grid: Grid, n_stations: int, n_robots: int) -> NoRoom:
    """The error that the grid is too small."""
    robots = "a robot" if n_robots == 1 else f"each of {n_robots} robots"
    return NoRoom(
        f"generator: no room on a grid of {grid.width} x {grid.height} cells for {n_stations} stations "
        f"that {robots} can walk to; make it larger"
    )


def _check_problem(problem: ProblemFile, domain: DomainFile, n_robots: int, noise: int | None) -> None:
    """Raises ``Refused`` for a problem from which no level can be drawn."""
    if not problem.stations or not problem.players:
        raise Refused("generator: the problem needs a station and a player at least")
    if noise and not domain.kinds.get(STATION):
        raise Refused(f"generator: domain {domain.name!r} names no kinds of {STATION} to add")
    for player in problem.players[n_robots:]:
        if player.id != "":
            raise Refused(f"generator: {n_robots} robots would leave out the one with the id {player.id!r}")
    _check_facts(problem)


def _check_facts(problem: ProblemFile) -> None:
    """Facts need ids: things are numbered by their cells, and so get other numbers in a level."""
    moving = [entity for _, _, entity in listed(problem) if not isinstance(entity, Thing)]
    kinds = {thing.name for thing in moving}
    ids = {str(thing.id) for thing in moving}
    for arg in (arg for fact in problem.facts for arg in fact.args):
        if arg not in ids and arg.rstrip("0123456789") in kinds:
            raise Refused(f"generator: a fact is about {arg!r}, which gets another number; give it an id")


_Pile = tuple[Item | Container | Meal, ...]
"""Things that stay together on one station: a stack of items, or a container with its meals."""


class _Level:
    """One kitchen drawn from a problem."""

    def __init__(self, problem: ProblemFile, domain: DomainFile, grid: Grid, rng: Random) -> None:
        self.problem, self.domain, self.grid, self.rng = problem, domain, grid, rng

    def drawn(self, n_robots: int, noise: int | None, spread: bool) -> ProblemFile:
        """Draws kinds and numbers first, then cells for stations and robots, then what is where."""
        own = list(_piles(self.problem, spread))
        n_needed = max(len(self.problem.stations), len(own) + 1, n_robots + 1)
        n_noise = self._drawn_noise(n_needed) if noise is None else noise
        piles = [*own, *self._noise_items(n_noise)]
        stations = [*self.problem.stations, *self._noise_stations(n_noise)]
        n_missing = max(len(piles), n_robots) + 1 - len(stations)
        stations += [Station(_plain(self.problem), 0, 0)] * n_missing
        placed, players = self._laid_out(stations, n_robots)
        return self._furnished(placed, players, piles)

    def _drawn_noise(self, n_needed: int) -> int:
        """Up to an eighth of the cells, and no more than leaves two thirds of them free."""
        n_cells = self.grid.width * self.grid.height
        most = min(n_cells // 8, n_cells // 3 - n_needed) if self.domain.kinds.get(STATION) else 0
        return self.rng.randint(0, max(0, most))

    def _noise_items(self, n_most: int) -> list[_Pile]:
        given = self.domain.drawn_predicates
        known = self.domain.kinds.get(ITEM)
        kinds = [self.rng.choice(known) for _ in range(self.rng.randint(0, n_most))] if known else []
        return [(Item(kind, 0, 0, predicates=given.get(kind, ())),) for kind in kinds]

    def _noise_stations(self, n_stations: int) -> list[Station]:
        return [Station(self.rng.choice(self.domain.kinds[STATION]), 0, 0) for _ in range(n_stations)]

    def _laid_out(self, stations: Sequence[Station], n_robots: int) -> tuple[list[Station], list[Player]]:
        """The stations and robots on cells of their own; raises ``Refused`` if there is no room."""
        _check_room(self.grid, len(stations), n_robots)
        robots = _robots(self.problem, n_robots)
        for _ in range(LAYOUTS):
            cells = self._station_cells(len(stations))
            players = self._players(robots, cells)
            if len(cells) == len(stations) and len(players) == n_robots:
                return [moved(*each) for each in zip(stations, cells, strict=True)], players
        raise _no_room(self.grid, len(stations), n_robots)

    def _station_cells(self, n_stations: int) -> list[Cell]:
        """Cells that leave the floor in one piece, with all stations beside it; maybe too few."""
        taken: list[Cell] = []
        while len(taken) < n_stations:
            free = [cell for cell in self.grid.cells() if cell not in taken]
            self.rng.shuffle(free)
            cell = next((cell for cell in free if self._leaves_floor({*taken, cell})), None)
            if cell is None:
                return taken
            taken.append(cell)
        return taken

    def _leaves_floor(self, stations: set[Cell]) -> bool:
        floor = {cell for cell in self.grid.cells() if cell not in stations}
        if not floor or self.grid.walkable(min(floor), stations) != floor:
            return False
        return self.grid.all_beside(floor, stations)

    def _players(self, robots: Sequence[Player], stations: Sequence[Cell]) -> list[Player]:
        """Each robot on a cell of its own before a station of its own, in nobody's way; maybe too few."""
        spots = [
            (cell, station)
            for station in stations
            for cell in self.grid.beside(station)
            if cell not in stations
        ]
        self.rng.shuffle(spots)
        chosen: dict[Cell, Cell] = {}
        for cell, station in spots:
            if len(chosen) == len(robots):
                break
            is_free = cell not in chosen and station not in chosen.values()
            if is_free and self._pass({*chosen, cell}, stations):
                chosen[cell] = station
        return [facing(robot, *spot) for robot, spot in zip(robots, chosen.items(), strict=False)]

    def _pass(self, robots: set[Cell], stations: Sequence[Cell]) -> bool:
        """Whether each robot can walk to every station while the others stand still."""
        return all(
            self.grid.all_beside(self.grid.walkable(cell, {*stations, *robots} - {cell}), stations)
            for cell in robots
        )

    def _furnished(
        self, stations: Sequence[Station], players: Sequence[Player], piles: Sequence[_Pile]
    ) -> ProblemFile:
        """The level: piles on random stations, but for one of the plain kind that stays empty."""
        empty = self.rng.choice([one for one in stations if one.name == _plain(self.problem)])
        others = [one for one in stations if one is not empty]
        self.rng.shuffle(others)
        there = [
            moved(thing, cell_of(station))
            for pile, station in zip(piles, others, strict=False)
            for thing in pile
        ]
        same_size = (self.grid.width, self.grid.height) == (self.problem.width, self.problem.height)
        return replace(
            self.problem,
            width=self.grid.width,
            height=self.grid.height,
            stations=tuple(stations),
            items=tuple(thing for thing in there if isinstance(thing, Item)),
            containers=tuple(thing for thing in there if isinstance(thing, Container)),
            meals=tuple(thing for thing in there if isinstance(thing, Meal)),
            players=tuple(players),
            ground=self.problem.ground if same_size else None,
        )


def _plain(problem: ProblemFile) -> str:
    """The kind of station that there is most of, the first of several."""
    return Counter(station.name for station in problem.stations).most_common(1)[0][0]


def _piles(problem: ProblemFile, spread: bool) -> Iterator[_Pile]:
    """The problem's things, together where they share a cell."""
    stacks: dict[Cell, list[Item]] = {}
    for item in sorted(problem.items, key=lambda item: item.stack_level):
        stacks.setdefault(cell_of(item), []).append(item)
    for stack in stacks.values():
        if spread:
            yield from ((replace(item, stack_level=0),) for item in stack)
        else:
            yield tuple(stack)
    for container in problem.containers:
        yield container, *(meal for meal in problem.meals if cell_of(meal) == cell_of(container))


def _robots(problem: ProblemFile, n_robots: int) -> list[Player]:
    """The problem's players, and copies of the last one where more are asked for."""
    missing = max(0, n_robots - len(problem.players))
    return [*problem.players[:n_robots], *[replace(problem.players[-1], id="")] * missing]
