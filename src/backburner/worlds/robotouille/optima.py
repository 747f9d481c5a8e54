"""Known shortest plans, as data: step limits and scores need no solver."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from backburner.kernel.errors import BadFile


class Optimum(Struct, frozen=True):
    """What is known of one scenario under one rule set.

    ``steps``: those of the shortest plan found; ``bound``: no plan has fewer. They are equal when
    ``status`` is ``optimal``. ``plan``: that plan as places on the menus of its states, counted from 0
    in the order of the seats that decide.
    """

    id: str
    rules: Literal["standard", "released"]
    steps: int
    bound: int
    status: Literal["optimal", "feasible"]
    plan: tuple[int, ...]


class OptimaFile(Struct, frozen=True):
    """The data file: which commands made it, and one entry for each scenario and rule set."""

    source: str
    optima: tuple[Optimum, ...]


def read_optima(path: Path) -> OptimaFile:
    """A file like the shipped one; raises ``BadFile``."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=OptimaFile)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadFile(path, "", f"no file of optima: {error}") from error


@cache
def known_optima() -> dict[tuple[str, str], Optimum]:
    """The shipped optima by scenario id and name of the rule set."""
    raw = files(__package__).joinpath("data", "optima.json").read_bytes()
    found = msgspec.json.decode(raw, type=OptimaFile).optima
    return {(optimum.id, optimum.rules): optimum for optimum in found}


def known_optimum(id: str, rules: str) -> Optimum | None:
    """What is known of this scenario under this rule set; ids are as ``registry.world`` gives them."""
    return known_optima().get((id, rules))
