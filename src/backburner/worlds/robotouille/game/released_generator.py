"""The released level generator, draw by draw, with its oddities.

Stations and items that nobody needs are drawn first, then a cell for each thing of the problem. A
thing that cannot be where it was drawn replaces something that nobody needs. Stacks are taken apart, and
of several robots only the first is placed. Nothing of that is mended here: the article's levels are
those that this procedure draws from the seeds 42, 84, ..., 420.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.game.generator import Cell, Generated, Grid
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

    Where it gets stuck, it starts again with the next seed. ``noisy`` is its other way: the problem's
    stations move with everything on them, so that stacks stay (see ``_Attempt.homes``). Raises
    ``Refused`` where the released program fails for good.
    """
    _check(problem, domain, noisy)
    for effective in range(seed, seed + MOST_SEEDS):
        try:
            return Generated(_Attempt(problem, domain, Random(effective)).level(noisy), seed, effective)
        except _StuckError:
            continue
    raise Refused(f"released generator: none of the {MOST_SEEDS} seeds from {seed} on gives a level")


def _check(problem: ProblemFile, domain: DomainFile, noisy: bool) -> None:
    for type in (STATION, ITEM):
        if not domain.kinds.get(type):
            raise Refused(f"released generator: domain {domain.name!r} names no kinds of {type}")
    if noisy:
        _check_noisy(problem)


def _check_noisy(problem: ProblemFile) -> None:
    stations = {_cell(station) for station in problem.stations}
    if problem.containers:
        raise Refused("released generator: the noisy way cannot move containers")
    for item in problem.items:
        if _cell(item) not in stations:
            raise Refused(
                f"released generator: the noisy way cannot move {item.name}, which is at no station"
            )
    if _n_things(problem) > problem.width * problem.height:
        raise Refused("released generator: the noisy way takes a cell for each thing of the problem")


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

    def __init__(self, problem: ProblemFile, domain: DomainFile, rng: Random) -> None:
        self.problem, self.domain, self.rng = problem, domain, rng
        self.grid = Grid(problem.width, problem.height)
        self.stations: dict[Cell, Station] = {}
        self.needed: set[Cell] = set()
        self.items: dict[Cell, list[Item]] = {}
        self.needed_items: set[Cell] = set()

    def level(self, noisy: bool) -> ProblemFile:
        """Makes all draws in their order, then places stations, player, items, containers."""
        noise = self._noise_stations()
        noise_items = self._noise_items([_cell(station) for station in noise])
        homes = self.homes() if noisy else {}
        own = self._own()
        self._keep_together(homes)
        self._place_noise(noise, own.starts)
        self._place_stations([] if noisy else own.stations)
        player = self._player()
        places = [*self.stations, *([_cell(player)] if player else [])]
        others = [cell for cell in places if cell not in homes.values()]
        self._place_noise_items(noise_items, others)  # the noisy way adds nothing to what it moves
        self._place_items([] if noisy else own.items, places)
        return replace(
            self.problem,
            stations=tuple(self.stations.values()),
            containers=tuple(self._placed_containers(own.containers, places)),
            items=tuple(item for stack in self.items.values() for item in stack),
            players=(player,) if player else (),
        )

    def _noise_stations(self) -> list[Station]:
        width, height = self.grid.width, self.grid.height
        n_stations = self.rng.randrange(width * height)
        cells = [(self.rng.randrange(width), self.rng.randrange(height)) for _ in range(n_stations)]
        kinds = [self.rng.choice(self.domain.kinds[STATION]) for _ in cells]
        return [Station(kind, x, y) for kind, (x, y) in zip(kinds, cells, strict=True)]

    def _noise_items(self, stations: Sequence[Cell]) -> list[Item]:
        """Items at the x of one station and the y of another, so that many of them lie nowhere."""
        n_items = self.rng.randrange(len(stations) + 1)
        cells = [(self.rng.choice(stations)[0], self.rng.choice(stations)[1]) for _ in range(n_items)]
        kinds = [self.rng.choice(self.domain.kinds[ITEM]) for _ in cells]
        given = self.domain.drawn_predicates
        return [
            Item(kind, x, y, predicates=given.get(kind, ()))
            for kind, (x, y) in zip(kinds, cells, strict=True)
        ]

    def homes(self) -> dict[Cell, Cell]:
        """The noisy way: a new cell for each of the problem's stations, by its old one.

        Inferred from four recordings: the cells are a sample of as many as the problem has things, and
        the stations get the first of them. The cells drawn afterwards only say where the walk of
        ``_place_noise`` starts.
        """
        sample = self.rng.sample(list(self.grid.cells()), _n_things(self.problem))
        stations = _by_cell(self.problem.stations)
        return {_cell(station): home for station, home in zip(stations, sample, strict=False)}

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

    def _keep_together(self, homes: dict[Cell, Cell]) -> None:
        """The noisy way: puts the stations on their new cells first, with the items on them."""
        for station in _by_cell(self.problem.stations if homes else ()):
            self._put_station(station, homes[_cell(station)])
        for item in _by_cell(self.problem.items if homes else ()):
            home = homes[_cell(item)]
            self.items.setdefault(home, []).append(_moved(item, home))
            self.needed_items.add(home)

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
            self._reaches_all(start, stations)
            for start in starts or (cell for cell in self.grid.cells() if cell not in stations)
        )

    def _reaches_all(self, start: Cell, stations: set[Cell]) -> bool:
        """Whether a walk from the start passes all stations; one that starts on a station ends there."""
        if start in stations:
            return len(stations) == 1
        return self.grid.all_beside(self.grid.walkable(start, stations), stations)

    def _player(self) -> Player | None:
        """The first player, beside the first station that has a fitting cell beside it."""
        if not self.problem.players:
            return None
        stations = set(self.stations)
        for x, y in self.stations:
            for cell in self.grid.beside((x, y)):
                if cell not in stations and self._reaches_all(cell, stations):
                    player = _by_cell(self.problem.players)[0]
                    return replace(_moved(player, cell), direction=(x - cell[0], y - cell[1]))
        raise Refused("released generator: no cell is left for the player (the released program fails)")

    def _place_noise_items(self, items: Sequence[Item], places: Sequence[Cell]) -> None:
        for item in items:
            if _cell(item) in places and _cell(item) not in self.items:
                self.items[_cell(item)] = [item]

    def _place_items(self, items: Sequence[Item], places: Sequence[Cell]) -> None:
        """On the drawn cell, else on the first place without an item that somebody needs."""
        for item in items:
            for cell in (_cell(item), *places):
                if cell in places and cell not in self.needed_items:
                    break
            else:
                raise _StuckError
            self.items[cell] = [_moved(item, cell)]
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


def _n_things(problem: ProblemFile) -> int:
    return len(problem.stations) + len(problem.items) + len(problem.containers) + len(problem.players)


def _cell(thing: Station | Item | Container | Player) -> Cell:
    return thing.x, thing.y


def _moved(thing: Placeable, cell: Cell) -> Placeable:
    return replace(thing, x=cell[0], y=cell[1])


def _by_cell(things: Sequence[Placeable]) -> list[Placeable]:
    return sorted(things, key=_cell)
