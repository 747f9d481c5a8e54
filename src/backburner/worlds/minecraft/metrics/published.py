"""The article's Table 5 as numbers. Its five intervals are not told; they stand here beside five factors
τ."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from backburner.kernel.scoring import Published
from backburner.worlds.orders import share_key

LEVEL = "level_2"
"""The only level that the released loop plays."""


class Table5(Struct, frozen=True, forbid_unknown_fields=True):
    """``data/published.json``: the share of orders served at each interval, and their mean."""

    source: str
    agent: str
    taus: tuple[float, ...]
    shares: tuple[float, ...]
    cos: float


@cache
def table_5() -> Table5:
    """What the article prints."""
    raw = files("backburner.worlds.minecraft").joinpath("data", "published.json").read_bytes()
    return msgspec.json.decode(raw, type=Table5)


def group_name(level: str, bodies: int) -> str:
    """What results of a level with so many bodies are called."""
    return f"{level}, {bodies} bot{'s' if bodies > 1 else ''}"


@cache
def published_rows() -> tuple[Published, ...]:
    """The one row of the table."""
    printed = table_5()
    shares = {share_key(tau): value for tau, value in zip(printed.taus, printed.shares, strict=True)}
    note = "the intervals behind the columns are not told"
    return (Published(group_name(LEVEL, 2), printed.agent, {"CoS": printed.cos, **shares}, "Table 5", note),)
