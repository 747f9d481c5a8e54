"""What the article prints, as numbers."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from backburner.kernel.scoring import Published


class Table1Row(Struct, frozen=True):
    """A row of the article's Table 1: means for each task of a scenario."""

    scenario: str
    actions: float
    objects: float
    minutes: float


class _Tables(Struct):
    source: str
    table1: tuple[Table1Row, ...]
    table2: tuple[Published, ...]


@cache
def published_tables() -> _Tables:
    """The article's Tables 1 and 2 as numbers."""
    raw = files("backburner.worlds.timearena").joinpath("data", "published.json").read_bytes()
    return msgspec.json.decode(raw, type=_Tables)
