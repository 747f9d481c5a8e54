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
from backburner.worlds.robotouille.game.noisy_generator import Noise, check_noisy, noisy_level
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
