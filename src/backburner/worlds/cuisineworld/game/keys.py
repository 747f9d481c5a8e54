"""CuisineWorld with keys and clicks instead of words.

Taking an ingredient from the storage names it, so it has a verb of its own: ``fetch``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from backburner.kernel.controls import Controls

FETCH = "fetch"
PARAMS: Mapping[str, Sequence[str]] = {
    "noop": (),
    "goto": ("place",),
    "get": ("place",),
    FETCH: ("item", "place"),
    "put": ("place",),
    "activate": ("place",),
}
"""Every verb with its parameters."""


@cache
def shipped_controls() -> Controls:
    """The shipped keys and clicks."""
    return msgspec.json.decode(
        files("backburner.worlds.cuisineworld").joinpath("data", "input.json").read_bytes(), type=Controls
    )
