"""What solving has found so far, in a file: work over hours can be interrupted and goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backburner.evaluation.solving import solve_world
from backburner.kernel.contract import World
from backburner.kernel.digest import digest
from backburner.kernel.errors import BadFile
from backburner.kernel.solution import Solution


class Line(Struct, frozen=True):
    """A solution, and the digest of the scenario and the rules that it is for."""

    rules: str
    of: str
    solution: Solution


class Kept:
    """The solutions in a file, one a line; each is there as soon as it is found.

    A last line that was cut in the middle is left out. Raises ``BadFile`` for a file of anything else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._found: dict[str, Solution] = {}
        for line in self._lines():
            self._found[line.of] = line.solution

    def _lines(self) -> Iterator[Line]:
        raw = self.path.read_bytes().splitlines(keepends=True) if self.path.exists() else []
        for number, text in enumerate(raw, 1):
            try:
                yield msgspec.json.decode(text, type=Line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                if number == len(raw) and not text.endswith(b"\n"):
                    self.path.write_bytes(b"".join(raw[:-1]))
                    return
                raise BadFile(self.path, f"line {number}", f"not a kept solution ({error})") from error

    def get(self, world: World[Any, Any, Any], *since: Any) -> Solution | None:
        """What is known of a world's scenario under its rules and limits; ``since``: from what on."""
        return self._found.get(_key(world, since))

    def add(self, world: World[Any, Any, Any], solution: Solution, *since: Any) -> None:
        """Keep a solution; it is in the file when this returns."""
        key = _key(world, since)
        self._found[key] = solution
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = Line(str(getattr(world.rules, "name", "")), key, solution)
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")


def _key(world: World[Any, Any, Any], since: tuple[Any, ...]) -> str:
    return digest((world.scenario, world.rules, world.limits, *since))


def solve_kept(
    world: World[Any, Any, Any],
    kept: Kept | None,
    *,
    time_limit_seconds: float = 60.0,
    space: str = "",
    foods: str = "",
) -> Solution:
    """``solve_world``, going on from what is kept and keeping what is found."""
    since = tuple(one for one in (space, foods) if one)
    before = kept.get(world, *since) if kept is not None else None
    if before is not None and before.status in ("optimal", "infeasible"):
        return before
    found = solve_world(world, time_limit_seconds=time_limit_seconds, before=before, space=space, foods=foods)
    if kept is not None:
        kept.add(world, found, *since)
    return found
