"""Values: a scenario with its loads, rules and limits, what changes in play, and decisions."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Load(Struct, frozen=True, forbid_unknown_fields=True):
    """A load of laundry, and how many minutes each part of its way takes."""

    name: str
    wash_minutes: int
    dry_minutes: int
    fold_minutes: int


class Scenario(Struct, frozen=True):
    """The loads of a day, and how many machines there are for them."""

    loads: tuple[Load, ...]
    washers: int = 1
    dryers: int = 1


class Rules(Struct, frozen=True):
    """``loading_minutes``: how long it takes to fill a machine, in which you can do nothing else."""

    name: str
    loading_minutes: int


STANDARD = Rules("standard", loading_minutes=2)
RELEASED = Rules("released", loading_minutes=0)
"""The first edition forgot that machines do not fill themselves."""

PRESETS = {rules.name: rules for rules in (STANDARD, RELEASED)}


class Limits(Struct, frozen=True):
    """``minutes``: when the laundry room closes; ``None`` for never."""

    minutes: int | None = None


NO_LIMITS = Limits()

Verb = Literal["wash", "dry", "fold"]

VERBS: tuple[Verb, ...] = ("wash", "dry", "fold")
"""What is done with each load, in this order."""


class Do(Struct, frozen=True, tag="do", forbid_unknown_fields=True):
    """Put a load into a washer or dryer, or fold it."""

    verb: Verb
    load: str


class Wait(Struct, frozen=True, tag="wait", forbid_unknown_fields=True):
    """Let time pass: so many minutes, or until the next machine stops."""

    minutes: int | None = None


Decision = Do | Wait


class Basket(Struct, frozen=True):
    """How far a load is: ``done`` counts its finished parts, in the order of ``VERBS``.

    While a machine works on it, ``machine`` is that machine's number, from 1, and ``until`` the minute in
    which it stops.
    """

    done: int = 0
    machine: int = 0
    until: int = 0

    @property
    def running(self) -> bool:
        """Whether a machine works on it."""
        return self.machine > 0


class State(Struct, frozen=True):
    """``baskets`` has one entry for each load of the scenario, in its order."""

    minute: int
    baskets: tuple[Basket, ...]
    closed: bool = False

    @property
    def finished(self) -> bool:
        """Whether everything is folded."""
        return all(basket.done == len(VERBS) for basket in self.baskets)


class Seen(Struct, frozen=True):
    """What you see: the clock, how far each load is, and what came of your last decision."""

    minute: int
    baskets: tuple[tuple[str, Basket], ...]
