"""Known shortest plans, as data: agents and scores need no solver."""

from __future__ import annotations

from functools import cache
from typing import Literal

from msgspec import Struct

from backburner.kernel.optima import shipped_optima

Preset = Literal["standard", "released"]

Space = Literal["calls", "moves"]
"""The decision space: the article's calls, each begun when the one before is done; or every move of the
grid."""

Foods = Literal["own", "all"]
"""What plans may fetch without limit: dishes and the foods of the orders' recipes; or dishes and any food."""


class Optimum(Struct, frozen=True, omit_defaults=True):
    """What is known of one scenario under one rule set in one decision space.

    ``steps``: of the shortest plan found. ``bound``: no plan has fewer; it equals ``steps`` when ``status``
    is ``optimal``. ``chef``, ``assistant``: that plan; in the space of calls what each cook plans whenever
    it is asked, in that of moves what it does in each step. ``foods``: the plans of calls that the bound
    holds for; in the space of moves it holds for all plans.
    """

    id: str
    rules: Preset
    space: Space
    steps: int
    bound: int
    status: Literal["optimal", "feasible"]
    chef: tuple[str, ...]
    assistant: tuple[str, ...]
    foods: Foods = "all"


@cache
def known_optima() -> dict[tuple[str, str, str], Optimum]:
    """The shipped optima by scenario id, name of the rule set and space."""
    return {
        (optimum.id, optimum.rules, optimum.space): optimum
        for optimum in shipped_optima("backburner.worlds.collab_overcooked", Optimum)
    }


def known_optimum(id: str, rules: str, space: Space = "calls") -> Optimum | None:
    """What is known of this scenario under this rule set; ids are as ``registry.world`` gives them.

    Who has the recipes and how they are written (``@knows``, ``@recipe``) changes nothing in what cooks
    can do, and so no plan.
    """
    return known_optima().get((id.partition("@")[0], rules, space))
