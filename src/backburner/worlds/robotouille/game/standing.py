"""Where a robot stands that faces a station: on a free cell beside it. No rule asks for it; pictures do."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from backburner.kernel.scene import Cell

WAYS: tuple[Cell, ...] = ((0, -1), (0, 1), (1, 0), (-1, 0))
"""The ways a robot may look, in the order in which they are tried: up, down, right, left."""

Stand = tuple[Cell | None, Cell]
"""A cell, and the way one looks from there."""


def stands(
    faced: Mapping[int, Cell], usual: Mapping[int, Stand], blocked: Collection[Cell], size: tuple[int, int]
) -> dict[int, Stand]:
    """A stand for each robot that faces a cell.

    A robot stands where it began (``usual``) if the cell is faced from there, else on the first free
    cell beside it; on one that another robot has taken only if there is no other. Robots with
    fewer cells to choose from choose first. With every cell beside ``blocked``, it stands nowhere.
    """
    choices = {robot: _choices(cell, usual.get(robot), blocked, size) for robot, cell in faced.items()}
    found: dict[int, Stand] = {}
    for robot in sorted(choices, key=lambda robot: (len(choices[robot]), robot)):
        taken = {cell for cell, _ in found.values()}
        free = [stand for stand in choices[robot] if stand[0] not in taken]
        found[robot] = next(iter([*free, *choices[robot]]), (None, (0, 0)))
    return found


def _choices(
    cell: Cell, usual: Stand | None, blocked: Collection[Cell], size: tuple[int, int]
) -> list[Stand]:
    """The stands from which a cell is faced, the usual one first."""
    beside: list[Stand] = []
    for way in WAYS:
        x, y = cell[0] - way[0], cell[1] - way[1]
        if 0 <= x < size[0] and 0 <= y < size[1] and (x, y) not in blocked:
            beside.append(((x, y), way))
    return sorted(beside, key=lambda stand: stand != usual)
