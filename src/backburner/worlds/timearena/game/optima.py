"""Known optima of the published sets, as data: playing and scoring need no solver."""

from __future__ import annotations

from functools import cache
from typing import Literal

from msgspec import Struct

from backburner.kernel.optima import shipped_optima


class Optimum(Struct, frozen=True, omit_defaults=True):
    """What is known of one scenario under ``standard`` rules.

    ``minutes``: the shortest completion time found, ``bound`` a proven lower bound; equal when
    ``status`` is ``optimal``. ``script_minutes``: what the released oracle script computes.
    ``most_necessary_waits``: the largest number of necessary waits found, with a proven upper bound.
    """

    id: str
    minutes: int
    status: Literal["optimal", "feasible"]
    bound: int
    script_minutes: int | None = None
    most_necessary_waits: int | None = None
    most_necessary_waits_bound: int | None = None


@cache
def known_optima() -> dict[str, Optimum]:
    """The shipped optima by scenario id."""
    return {optimum.id: optimum for optimum in shipped_optima("backburner.worlds.timearena", Optimum)}


def known_optimum(id: str) -> Optimum | None:
    """What is known of this scenario, or ``None``."""
    return known_optima().get(id)
