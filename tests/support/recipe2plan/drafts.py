"""Drafts of new recipes as they are read from a file, their symbols for names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st

from backburner.kernel.generating import Draft, Draw
from backburner.worlds.recipe2plan.game import Recipe2Plan, catalogue
from backburner.worlds.recipe2plan.oracle.generator import GENERATOR

USUAL: dict[str, Any] = {
    **{"steps": 20, "recipes": 2, "materials": 6, "joining": 0.4, "alone": 0.4, "stretch": 3.0},
    **{"devices": 2, "bound": 0.5, "splitting": 0.2, "lags": "some", "lagging": 0.3, "ease": 0.5},
    **{"haste": 0.5},
}
"""A value of each parameter."""


def drafted(seed: int, knowledge: str = "none", **parameters: Any) -> Draft:
    """The draft of these parameters, others being as usual."""
    return GENERATOR.draft({**USUAL, **parameters}, {"knowledge": knowledge}, Draw(seed, Random(seed)))


def world_of_draft(fields: Mapping[str, Any], limits: str = "none") -> Recipe2Plan:
    """The world of a draft's fields; ``v1`` has the past ``v1-past``."""
    text = re.sub(r"<(\w+)(?:\.(\w+))?>", _plain, msgspec.json.encode(fields).decode())
    id, scenario = catalogue.read({"world": "recipe2plan", "id": "new", **msgspec.json.decode(text)}, "new")
    return catalogue.build(f"recipe2plan/user/{id}", scenario, "standard", limits)


def _plain(symbol: re.Match[str]) -> str:
    return "-".join(filter(None, symbol.groups()))


def parameters() -> st.SearchStrategy[dict[str, Any]]:
    """Any values of all parameters."""
    return st.fixed_dictionaries(
        {
            each.name: {
                "real": st.floats(each.low, each.high),
                "whole": st.integers(int(each.low), int(each.high)),
                "choice": st.sampled_from(each.values or ("",)),
            }[each.kind]
            for each in GENERATOR.parameters
        }
    )
