"""Collab-Overcooked with keys and clicks instead of words: a call for each click on a place.

Taking an ingredient from a dispenser names it among many, so it has a verb of its own, ``fetch``, and
``operate`` stands for whatever starts a utensil: ``cook``, ``cut`` ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from backburner.kernel.controls import Controls
from backburner.worlds.collab_overcooked.game import calls

FETCH, OPERATE = "fetch", "operate"
PLACE_AT: Sequence[str] = ("place",)
PARAMS: Mapping[str, Sequence[str]] = {
    calls.PICKUP: ("item", "place"),
    FETCH: ("item", "place"),
    calls.PUT: PLACE_AT,
    calls.PLACE: PLACE_AT,
    calls.FILL: PLACE_AT,
    calls.DELIVER: PLACE_AT,
    OPERATE: PLACE_AT,
    calls.WAIT: ("steps",),
}
"""Every verb with its parameters."""


@cache
def shipped_controls() -> Controls:
    """The shipped keys and clicks."""
    return msgspec.json.decode(
        files("backburner.worlds.collab_overcooked").joinpath("data", "input.json").read_bytes(),
        type=Controls,
    )
