"""Whether things can stand where a problem puts them: a cell has room for one station, player or pile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from backburner.worlds.robotouille.game.places import Place
from backburner.worlds.robotouille.game.schema import DomainFile, Player, ProblemFile

Cell = tuple[int, int]

DIRECTIONS = ((0, 1), (0, -1), (1, 0), (-1, 0))


class Standing(Protocol):
    """Something on a cell."""

    @property
    def name(self) -> str:
        """Its kind."""

    @property
    def x(self) -> int:
        """Cells from the left."""

    @property
    def y(self) -> int:
        """Cells from below."""


def check_cells(problem: ProblemFile, domain: DomainFile, place: Place) -> None:
    """Raises ``BadFile`` for the first thing that cannot be where it is."""
    _Check(problem, domain, place).all()


class _Check:
    """The checks of one problem; each raises ``BadFile``."""

    def __init__(self, problem: ProblemFile, domain: DomainFile, place: Place) -> None:
        self.problem = problem
        self.place = place
        self.moves = any(one.name == domain.placement.player_at for one in domain.predicate_defs)

    def all(self) -> None:
        problem = self.problem
        for field in ("width", "height"):
            if getattr(problem, field) < 1:
                raise self.place.field(field).wrong("a grid has at least one cell")
        self.stations = self.alone(problem.stations, "stations")
        self.players = self.alone(problem.players, "players")
        containers = self.alone(problem.containers, "containers")
        for index, player in enumerate(problem.players):
            self.player(player, self.place.entry("players", index, player.name))
        self.supported(problem.items, "items")
        self.supported(problem.containers, "containers")
        self.items(containers)
        for index, meal in enumerate(problem.meals):
            at = self.place.entry("meals", index, meal.name)
            if self.cell(meal, at) not in containers:
                raise at.wrong(f"no container is at {_cell(meal)}; a meal is in one")

    def cell(self, one: Standing, at: Place) -> Cell:
        """Where it stands, which is on the grid."""
        width, height = self.problem.width, self.problem.height
        if not (0 <= one.x < width and 0 <= one.y < height):
            raise at.wrong(f"{_cell(one)} is off the grid of {width} by {height} cells, counted from (0, 0)")
        return one.x, one.y

    def alone(self, entities: Sequence[Standing], field: str) -> Mapping[Cell, str]:
        """What stands where, no two of them on one cell."""
        found: dict[Cell, str] = {}
        for index, one in enumerate(entities):
            at = self.place.entry(field, index, one.name)
            cell = self.cell(one, at)
            if cell in found:
                raise at.wrong(f"{field[:-1]} {found[cell]!r} is at {_cell(one)} already")
            found[cell] = one.name
        return found

    def player(self, player: Player, at: Place) -> None:
        """On a cell without a station, facing one, if that is how players stand at stations."""
        if (player.x, player.y) in self.stations:
            raise at.wrong(f"{_cell(player)} is taken by a station; players stand on free cells")
        if not self.moves:
            return
        if player.direction not in DIRECTIONS:
            raise at.field("direction").wrong("is one of [0, 1], [0, -1], [1, 0] and [-1, 0]")
        faced = (player.x + player.direction[0], player.y + player.direction[1])
        if faced not in self.stations:
            why = f"no station is at {_told(faced)}; who faces none can never move"
            raise at.field("direction").wrong(why)

    def supported(self, entities: Sequence[Standing], field: str) -> None:
        """On a station or in a player's hands."""
        for index, one in enumerate(entities):
            at = self.place.entry(field, index, one.name)
            if self.cell(one, at) not in {**self.stations, **self.players}:
                raise at.wrong(f"neither a station nor a player is at {_cell(one)}")

    def items(self, containers: Mapping[Cell, str]) -> None:
        """Items on one cell are a stack of different levels, without a container, never in hands."""
        levels: dict[Cell, list[int]] = {}
        for index, item in enumerate(self.problem.items):
            at = self.place.entry("items", index, item.name)
            cell = (item.x, item.y)
            if cell in containers:
                raise at.wrong(f"container {containers[cell]!r} is at {_cell(item)} already")
            if item.stack_level < 0:
                raise at.field("stack-level").wrong(f"is {item.stack_level}; the lowest is 0")
            if cell in levels and cell in self.players:
                raise at.wrong(f"the player at {_cell(item)} has an item already, and holds one at most")
            if item.stack_level in levels.setdefault(cell, []):
                why = f"another item at {_cell(item)} has level {item.stack_level} too"
                raise at.field("stack-level").wrong(f"{why}; which is on top?")
            levels[cell].append(item.stack_level)


def _cell(one: Standing) -> str:
    return _told((one.x, one.y))


def _told(cell: Cell) -> str:
    return f"({cell[0]}, {cell[1]})"
