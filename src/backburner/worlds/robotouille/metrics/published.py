"""The article's printed tables as numbers."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from backburner.kernel.scoring import Published


class Task(Struct, frozen=True):
    """A row of Table 3: success in per cent, and the task's horizon in steps."""

    task: str
    io: float
    io_cot: float
    react: float
    horizon: int


class Variant(Struct, frozen=True):
    """A row of Table 4: a variant of ReAct, solved so many of nine."""

    variant: str
    solved: int
    of: int
    mean_steps: float
    dollars: float


class Share(Struct, frozen=True):
    """A percentage that a figure or the text gives."""

    group: str
    figure: str
    percent: float
    source: str


class Failure(Struct, frozen=True):
    """A slice of Figure 5: failed runs of gpt4-o ReAct by family and cause."""

    group: str
    family: str
    cause: str
    count: int


class Tables(Struct, forbid_unknown_fields=True):
    source: str
    table2: tuple[Published, ...]
    table3: tuple[Task, ...]
    table4: tuple[Variant, ...]
    figures: tuple[Share, ...]
    failures: tuple[Failure, ...]


@cache
def published_tables() -> Tables:
    """The article's tables as numbers."""
    raw = files("backburner.worlds.robotouille").joinpath("data", "published.json").read_bytes()
    return msgspec.json.decode(raw, type=Tables)
