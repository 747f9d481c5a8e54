"""Worlds that can be played elsewhere as well: a seat reports what was seen there of each step.

Nobody sits at that seat. It decides after all others, without any time between, and what it says is what
there is after the step. On its menu stands one option that passes: all is as the rules predict.

Ground is what somebody saw from above, such as bots on a server: the top of each column, and who was about.
It comes from outside, so what is no ground, or too much, is no value of its types: msgspec tells why.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.values import Seat

# --- ground ---------------------------------------------------------------------------------------------

MOST_COLUMNS = 4096
MOST_KINDS = 256
MOST_OTHERS = 256
LONGEST_NAME = 80
LONGEST_SOURCE = 200
STEEPEST = 1024
"""Heights lie within so much of 0."""

FARTHEST = 60_000_000

Run = tuple[int, int, int]
"""So many columns, the index of their kind, their height."""


class Other(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Somebody or something that was about and is no body of the world: its kind, where its middle was, and
    its name, if it has one."""

    kind: str
    at: tuple[float, float]
    name: str = ""

    def __post_init__(self) -> None:
        _check(len(self.kind) <= LONGEST_NAME and len(self.name) <= LONGEST_NAME, "a name is too long")
        _check(self.kind.isprintable() and self.name.isprintable(), "a name has signs that are not printed")
        _check(all(math.isfinite(n) and abs(n) <= FARTHEST for n in self.at), "`at` is out of the world")


class Ground(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """``width`` by ``depth`` columns, the first at ``corner``, one of the world's own cells.

    Rows go from west to east, the first row is the northern one.

    ``runs``: the columns in that order, equal ones together: their kind among ``kinds`` (empty: nothing was
    seen) and how high they are. ``source``: where this was seen, in words.
    """

    corner: tuple[int, int]
    width: int
    depth: int
    kinds: tuple[str, ...]
    runs: tuple[Run, ...]
    others: tuple[Other, ...] = ()
    source: str = ""

    def __post_init__(self) -> None:
        columns = self.width * self.depth if self.width > 0 else 0
        _check(0 < columns <= MOST_COLUMNS, f"not 1 to {MOST_COLUMNS} columns")
        _check(all(abs(n) <= FARTHEST for n in self.corner), "`corner` is out of the world")
        _check(len(self.kinds) <= MOST_KINDS, f"more than {MOST_KINDS} kinds")
        _check(all(len(kind) <= LONGEST_NAME for kind in self.kinds), "the name of a kind is too long")
        _check(len(self.runs) <= columns, f"more runs than {columns} columns")
        _check(all(count > 0 for count, _, _ in self.runs), "a run of no column")
        _check(sum(count for count, _, _ in self.runs) == columns, f"runs are not of {columns} columns")
        _check(all(0 <= kind < len(self.kinds) for _, kind, _ in self.runs), "a run of no kind")
        _check(all(abs(height) <= STEEPEST for _, _, height in self.runs), f"a height beyond {STEEPEST}")
        _check(len(self.others) <= MOST_OTHERS, f"more than {MOST_OTHERS} others")
        _check(len(self.source) <= LONGEST_SOURCE, "`source` is too long")
        printed = all(text.isprintable() for text in (*self.kinds, self.source))
        _check(printed, "`kinds` or `source` have signs that are not printed")

    def columns(self) -> Iterator[tuple[str, int]]:
        """(kind, height) of each column, row by row."""
        for count, kind, height in self.runs:
            yield from ((self.kinds[kind], height) for _ in range(count))

    def usual_height(self) -> int:
        """The height of the most columns; of several the lowest."""
        found: dict[int, int] = {}
        for count, _, height in self.runs:
            found[height] = found.get(height, 0) + count
        return min(found, key=lambda height: (-found[height], height))


def _check(good: bool, why: str) -> None:
    if not good:
        raise ValueError(why)


# --- worlds ---------------------------------------------------------------------------------------------


@runtime_checkable
class Reported(Protocol):
    """The world's scenarios may have a seat that reports.

    ``live_option``: the option of an id, and its value, with which a scenario has it.
    """

    live_option: tuple[str, str]

    @property
    @abstractmethod
    def reporter(self) -> Seat:
        """The seat; empty where the scenario has none."""

    @property
    @abstractmethod
    def speaker(self) -> Seat:
        """The seat whose words persons there may say; empty where the scenario has none."""


def reporter_of(world: World[Any, Any, Any]) -> Seat:
    """The seat of a world that reports; empty if there is none."""
    return world.reporter if isinstance(world, Reported) else ""


def speaker_of(world: World[Any, Any, Any]) -> Seat:
    """The seat whose words persons may say where a game is reported from; empty if there is none."""
    return world.speaker if isinstance(world, Reported) else ""
