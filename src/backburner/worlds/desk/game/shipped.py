"""Scenarios that ship with the world: those made by hand, each a file as users write it
(``data/made/counter.json``), and suites that were built (``benchmarks/desk_suites.py``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import UnknownName
from backburner.kernel.files import shipped
from backburner.worlds.desk.game.scenario_files import read_file
from backburner.worlds.desk.game.scenarios import Scenario

HERE = "backburner.worlds.desk"

MADE = (
    *("counter", "release", "newsroom", "lab", "travel", "household", "closing", "training", "festival"),
    "helpdesk",
)
"""The scenarios made by hand."""

SUITES = ("plain", "standard", "wide", "hidden", "storm")
EACH = 30
"""Suites that were built, and how many scenarios each has: ``standard/01`` is the first."""


class Suite(Struct, frozen=True, forbid_unknown_fields=True):
    """A suite that was built: by which command, and the fields of its files."""

    source: str
    scenarios: tuple[dict[str, Any], ...]


@cache
def suites() -> Mapping[str, Sequence[str]]:
    """Suite to paths; ``quick`` has one of each."""
    found = {"made": tuple(f"made/{name}" for name in MADE)}
    found |= {suite: tuple(f"{suite}/{number:02}" for number in range(1, EACH + 1)) for suite in SUITES}
    quick = tuple(paths[0] for paths in found.values())
    return {**found, "quick": quick, "all": tuple(path for paths in found.values() for path in paths)}


@cache
def scenario(path: str) -> Scenario:
    """The shipped scenario of a path; raises ``UnknownName`` with the nearest names."""
    if path not in suites()["all"]:
        raise UnknownName("scenario", path, suites()["all"], "desk")
    suite, _, name = path.partition("/")
    if suite == "made":
        return read_file(shipped(HERE, path, dict[str, Any]), f"desk/{path}")[1]
    fields = shipped(HERE, suite, Suite).scenarios[int(name) - 1]
    return read_file({"world": "desk", "id": name, **fields}, f"desk/{path}")[1]


def demonstration(of: Scenario) -> Scenario:
    """The day whose play is shown to somebody who plays another; options are as there."""
    shown = read_file(shipped(HERE, "demonstration", dict[str, Any]), "desk/demonstration")[1]
    return replace(shown, content=of.content, times=of.times)
