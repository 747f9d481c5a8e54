"""What the article prints, as numbers."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from backburner.kernel.scoring import Published
from backburner.worlds.recipe2plan.metrics.belief_score import Belief
from backburner.worlds.recipe2plan.metrics.rounds import Modulo


class Statistic(Struct, frozen=True):
    """A row of the article's Table 2."""

    statistic: str
    value: float


class _Tables(Struct, forbid_unknown_fields=True):
    source: str
    table2: tuple[Statistic, ...]
    results: tuple[Published, ...]
    modulo: tuple[Modulo, ...]
    beliefs: tuple[Belief, ...]


@cache
def published_tables() -> _Tables:
    """The article's tables as numbers."""
    raw = files("backburner.worlds.recipe2plan").joinpath("data", "published.json").read_bytes()
    return msgspec.json.decode(raw, type=_Tables)
