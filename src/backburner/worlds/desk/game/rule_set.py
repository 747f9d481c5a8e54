"""Rules and limits of play."""

from __future__ import annotations

from msgspec import Struct


class Rules(Struct, frozen=True):
    """``refusal_minutes``: what a call costs that is refused. ``wrong_inputs_go_well``: whether a job that
    was given something wrong, and does not count, ends well all the same; else it is rejected at its end."""

    name: str
    refusal_minutes: int = 1
    wrong_inputs_go_well: bool = False


STANDARD = Rules("standard")
RELEASED = Rules("released")
"""Nobody has published other rules of a desk: these are the same."""

PRESETS = {rules.name: rules for rules in (STANDARD, RELEASED)}


class Limits(Struct, frozen=True):
    """``minutes``: when the desk closes. ``decisions``: calls after which nobody is asked any more. ``None``:
    never."""

    minutes: int | None = None
    decisions: int | None = None


NO_LIMITS = Limits()

TIMES_THE_OPTIMUM = 4
CALLS_FOR_EACH_ACTIVITY = 20
