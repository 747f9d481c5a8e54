"""The article's result tables (1 to 12) as numbers, and where they contradict each other or the release."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from backburner.kernel.files import shipped
from backburner.kernel.scoring import Published
from backburner.worlds.dispatch.scores import share_key

LEARNING = "Learned by reinforcement"
TABLE_12_TAU = 2.2
"""What the analysis beside Table 12 is called, and the pace of the released training scripts."""

Cell = tuple[int, int]
"""Orders completed, and completed or failed, over three episodes."""


class Result(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An agent on a level: a cell for each factor tau, and the CoS."""

    level: str
    bodies: int
    agent: str
    cos: float
    source: str
    cells: tuple[Cell, ...] = ()
    note: str = ""


class Average(Struct, frozen=True, forbid_unknown_fields=True):
    """Means over the twelve levels."""

    bodies: int
    success_by_tau: tuple[float, ...]
    cos: float
    source: str


class Learning(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of Table 12: learned by reinforcement, beside GPT-4."""

    level: str
    bodies: int
    tau: float
    masked_ppo: float
    gpt4: float
    source: str
    note: str


class Minecraft(Average, frozen=True, forbid_unknown_fields=True):
    """Table 5: one agent in the article's Minecraft kitchen."""

    agent: str


class Contradiction(Struct, frozen=True, forbid_unknown_fields=True):
    """Figures that do not go together; ``bodies`` 0 is any number."""

    where: str
    level: str
    bodies: int
    agent: str
    figures: tuple[float, ...]
    what: str


class PublishedTables(Struct, frozen=True, forbid_unknown_fields=True):
    """``data/published.json``."""

    source: str
    taus: tuple[float, ...]
    results: tuple[Result, ...]
    averages: tuple[Average, ...]
    learning: tuple[Learning, ...]
    minecraft: Minecraft
    contradictions: tuple[Contradiction, ...]


def published_tables() -> PublishedTables:
    """The article's tables as numbers."""
    return shipped("backburner.worlds.cuisineworld", "published", PublishedTables)


def group_name(level: str, bodies: int) -> str:
    """What results of a level with so many bodies are called."""
    return f"{level}, {agents(bodies)}"


def agents(bodies: int) -> str:
    """``1 agent``, ``2 agents`` ..."""
    return f"{bodies} agent{'s' if bodies > 1 else ''}"


@cache
def published_rows() -> tuple[Published, ...]:
    """Every row with its CoS and its shares for each factor."""
    taus = published_tables().taus
    return tuple(
        Published(
            group_name(row.level, row.bodies),
            row.agent,
            {"CoS": row.cos, **dict(_shares(row, taus))},
            row.source,
            row.note,
        )
        for row in published_tables().results
    )


def _shares(row: Result, taus: tuple[float, ...]) -> Iterator[tuple[str, float]]:
    for tau, (completed, total) in zip(taus, row.cells, strict=False):
        yield share_key(tau), round(completed / total, 3)
