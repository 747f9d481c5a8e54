"""Rules and limits of play."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """``goes_on_after_a_miss``: whether play goes on when a maximum lag or a deadline is missed, so that not
    everything can be completed any more; else it is over then. ``refusal_ticks``: what a refused decision
    costs."""

    name: str = "standard"
    goes_on_after_a_miss: bool = False
    refusal_ticks: Annotated[int, Meta(ge=1, le=1000)] = 1


STANDARD = Rules("standard")
RELEASED = Rules("released")
"""Nobody has published other rules: these are the same."""

PRESETS = {rules.name: rules for rules in (STANDARD, RELEASED)}


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """``time``: when play is cut off; ``None``: never."""

    time: Annotated[int, Meta(ge=1)] | None = None


NO_LIMITS = Limits()
