"""The numbers that the article and the released scripts print, and which of the article's are missing.

No result of a model is printed in the text that we have: they stand in figures, or on pages that are
not there. ``missing`` says which.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct


class Level(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of Table 3 (collaborative behaviours and the actions they take), and the released optimum.

    ``optimal_last_index`` is the 0-based index of the delivering step; the steps are one more.
    """

    level: int
    new_ingredients: int
    assistant_processing: int
    new_dish: int
    chef_processing: int
    collaborative_actions: int
    optimal_last_index: int
    note: str = ""


class Listing4(Struct, frozen=True, forbid_unknown_fields=True):
    """What the article's worked example gives."""

    tes: float
    rouge_l: float


class Probing(Struct, frozen=True, forbid_unknown_fields=True):
    """The sizes of the article's Experiment A (section C.3.1)."""

    models: int
    collaborative_actions: int
    scenarios_of_each: int
    times: int


class Missing(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of the article that are not in our copy of it."""

    where: str
    what: str


class PublishedTables(Struct, frozen=True, forbid_unknown_fields=True):
    """``data/published.json``. ``time_limit_factor`` is the article's gamma."""

    source: str
    levels: tuple[Level, ...]
    time_limit_factor: float
    listing4: Listing4
    probing: Probing
    missing: tuple[Missing, ...]

    def level(self, number: int) -> Level | None:
        """The line of a level; ``None`` if it is not published."""
        return next((level for level in self.levels if level.level == number), None)


@cache
def published_tables() -> PublishedTables:
    """The article's tables as numbers."""
    raw = files("backburner.worlds.collab_overcooked").joinpath("data", "published.json").read_bytes()
    return msgspec.json.decode(raw, type=PublishedTables)
