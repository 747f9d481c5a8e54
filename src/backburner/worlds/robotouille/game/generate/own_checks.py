"""What our own generator is asked for, checked before anything is drawn; each raises ``Refused``."""

from __future__ import annotations

from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.game.generate.grid import Grid
from backburner.worlds.robotouille.game.problem import Entity
from backburner.worlds.robotouille.game.schema import STATION, DomainFile, ProblemFile

WIDEST = 100
"""Cells of a grid, from side to side."""


def check_numbers(problem: ProblemFile, grid: Grid, n_robots: int, noise: int | None) -> None:
    """Sizes and counts that there can be at all."""
    for side, cells in (("width", grid.width), ("height", grid.height)):
        if not 1 <= cells <= WIDEST:
            raise Refused(f"generator: {side} {cells}; grids are 1 to {WIDEST} cells wide and high")
    if n_robots < 1:
        raise Refused(f"generator: {n_robots} robots; one is needed at least")
    if noise is not None and noise < 0:
        raise Refused(f"generator: {noise} stations that nobody needs; 0 is the least")
    check_room(grid, len(problem.stations) + (noise or 0), n_robots)


def check_room(grid: Grid, n_stations: int, n_robots: int) -> None:
    """A cell for each station and robot."""
    if n_stations + n_robots > grid.width * grid.height:
        raise no_room(grid, n_stations, n_robots)


def no_room(grid: Grid, n_stations: int, n_robots: int) -> Refused:
    """The error that the grid is too small."""
    robots = "a robot" if n_robots == 1 else f"each of {n_robots} robots"
    return Refused(
        f"generator: no room on a grid of {grid.width} x {grid.height} cells for {n_stations} stations "
        f"that {robots} can walk to; make it larger"
    )


def check_problem(problem: ProblemFile, domain: DomainFile, n_robots: int, noise: int | None) -> None:
    """What has to be there, and nothing that would mean another thing elsewhere."""
    if not problem.stations or not problem.players:
        raise Refused("generator: the problem needs a station and a player at least")
    if noise and not domain.kinds.get(STATION):
        raise Refused(f"generator: domain {domain.name!r} names no kinds of {STATION} to add")
    for player in problem.players[n_robots:]:
        if player.id != "":
            raise Refused(f"generator: {n_robots} robots would leave out the one with the id {player.id!r}")
    _check_facts(problem)


def _check_facts(problem: ProblemFile) -> None:
    """Things are numbered by their cells, so that only an id still means the same one elsewhere."""
    moving: list[Entity] = [*problem.stations, *problem.items, *problem.containers]
    moving += [*problem.meals, *problem.players]
    kinds = {thing.name for thing in moving}
    ids = {str(thing.id) for thing in moving}
    for arg in (arg for fact in problem.facts for arg in fact.args):
        if arg not in ids and arg.rstrip("0123456789") in kinds:
            raise Refused(f"generator: a fact is about {arg!r}, which gets another number; give it an id")
