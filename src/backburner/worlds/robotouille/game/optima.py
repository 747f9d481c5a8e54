"""Known shortest plans, as data: step limits and scores need no solver."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from backburner.kernel.errors import BadFile

Preset = Literal["standard", "released"]


class KnownPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """The best plan that a scenario's author knows of it, under one rule set.

    ``plan``: its decisions in words, in the order of the seats that decide; it reaches the goal in so
    many ``steps``. ``bound``: no plan takes fewer. The plan is a shortest one if they are equal.
    """

    steps: int
    bound: int
    plan: tuple[str, ...]
    rules: Preset = "standard"

    @property
    def status(self) -> Literal["optimal", "feasible"]:
        """Whether the plan is proven a shortest one."""
        return "optimal" if self.bound == self.steps else "feasible"


class Optimum(Struct, frozen=True):
    """What is known of one scenario under one rule set.

    ``steps``: those of the shortest plan found; ``bound``: no plan has fewer. They are equal when
    ``status`` is ``optimal``. ``plan``: that plan as places on the menus of its states, counted from 0
    in the order of the seats that decide; empty where the plan stands in the scenario itself.
    """

    id: str
    rules: Preset
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
    raw = files("backburner.worlds.robotouille").joinpath("data", "optima.json").read_bytes()
    found = msgspec.json.decode(raw, type=OptimaFile).optima
    return {(optimum.id, optimum.rules): optimum for optimum in found}


def known_optimum(id: str, rules: str, own: KnownPlan | None = None) -> Optimum | None:
    """What is known of this scenario under this rule set; ids are as ``registry.world`` gives them.

    ``own``: what the scenario itself tells, which comes before what is shipped.
    """
    if own is not None and own.rules == rules:
        return Optimum(id, own.rules, own.steps, own.bound, own.status, ())
    return known_optima().get((id, rules))
