"""Known optima of the published pairs, as data: playing and scoring need no solver."""

from __future__ import annotations

from functools import cache
from typing import Literal

from msgspec import Struct

from backburner.kernel.optima import shipped_optima


class Optimum(Struct, frozen=True):
    """What is known of one scenario under ``standard`` rules.

    ``seconds``: the shortest cooking time found, ``bound`` a proven lower bound; equal when ``status``
    is ``optimal``. What is proven holds for all plans that split steps on the scenario's grid (see
    ``schedule``), which is half a minute in the published pairs.
    """

    id: str
    seconds: int
    status: Literal["optimal", "feasible"]
    bound: int


@cache
def known_optima() -> dict[str, Optimum]:
    """The shipped optima by scenario id."""
    return {optimum.id: optimum for optimum in shipped_optima("backburner.worlds.recipe2plan", Optimum)}


def known_optimum(id: str) -> Optimum | None:
    """What is known of this scenario, or ``None``; ids are as ``registry.world`` gives them.

    What the cook is told (options ``knowledge`` and ``hints``) changes no optimum.
    """
    path, _, options = id.partition("@")
    lags = "".join(f"@{option}" for option in options.split(",") if option.startswith("lags="))
    return known_optima().get(path + lags)
