"""Scenarios that ship with the world, each a file as users write it: ``data/made/counter.json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from msgspec.structs import replace

from backburner.kernel.errors import UnknownName
from backburner.kernel.files import shipped
from backburner.worlds.desk.game.scenario_files import read_file
from backburner.worlds.desk.game.scenarios import Scenario

HERE = "backburner.worlds.desk"

MADE = ("counter",)
"""The scenarios made by hand."""


def suites() -> Mapping[str, Sequence[str]]:
    """Suite to paths."""
    made = tuple(f"made/{name}" for name in MADE)
    return {"made": made, "quick": made[:1], "all": made}


@cache
def scenario(path: str) -> Scenario:
    """The shipped scenario of a path; raises ``UnknownName`` with the nearest names."""
    if path not in suites()["all"]:
        raise UnknownName("scenario", path, suites()["all"], "desk")
    return read_file(shipped(HERE, path, dict[str, Any]), f"desk/{path}")[1]


def demonstration(of: Scenario) -> Scenario:
    """The day whose play is shown to somebody who plays another; options are as there."""
    shown = read_file(shipped(HERE, "demonstration", dict[str, Any]), "desk/demonstration")[1]
    return replace(shown, content=of.content, times=of.times)
