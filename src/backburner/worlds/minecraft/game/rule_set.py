"""Minecraft's rules and limits as values. Each field of ``Rules`` is one defect, or gap, of the release.

``standard`` has none of them, ``released`` has them all.
"""

from __future__ import annotations

from msgspec import Struct

from backburner.kernel.errors import Refused


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a step does. A field that is true lets the released program do what it does."""

    name: str = "standard"

    orders_by_step: bool = False
    """Orders come and run out by steps, however long a step lasts. False: by ticks, of which a step stands
    for ``scenarios.STEP_TICKS``."""

    later_orders_lose_a_step: bool = False
    """Every order but the first has lost a step of its lifetime when it is first shown. False: none has."""

    two_dishes: bool = False
    """Of a level's dishes only cooked chicken and cooked mutton are ordered, where it has them. False:
    all."""

    no_way_to_cows: bool = False
    """``goto`` a cow ends with an error. False: a cow is a mob like others."""

    bad_call_voids_all: bool = False
    """A call of an action that there is not, and nobody does anything in this step. False: that call is
    refused, the others are carried out."""

    voided_step_repeats_chat: bool = False
    """After such a step the chat of the step before is told again. False: only what was refused."""

    errors_untold: bool = False
    """What ends with an error is told to nobody. False: it is, like what a body says in the chat."""

    errors_end_step: bool = False
    """With an action's error the step comes to its end, and the other bodies' actions run on into the next.
    False: a step ends when everybody is done."""

    repetition_complaint: bool = False
    """A list of calls that is exactly the last one is carried out, and complained about. False: it is not
    complained about."""

    putting_waits: bool = False
    """Whoever puts something into the furnace stands there for 300 ticks. False: it goes on at once."""

    one_drop_fetched: bool = False
    """Of what a mob drops one stack is picked up, its meat. False: all of it."""

    late_renewal: bool = False
    """What was killed or mined stands again in the course of the next step, too late for that step's actions
    to find it. False: it stands again when the step ends."""

    furnace_takes_anything: bool = False
    """What cannot be smelted may be put into the furnace's upper slot, where it stays. False: it is
    refused."""

    failures_forgotten: bool = False
    """After ten vain searches for a mob or a block in a row the next is meant to be an error, but they are
    counted anew in each step. False: they are counted on until one is found."""

    list_needed: bool = False
    """Calls are read from a Python list of strings alone. False: wherever they stand in the answer."""

    action_untold: bool = False
    """``putItemFurnace`` is missing among the actions that are told, though the recipes need it. False: it is
    told."""


STANDARD = Rules("standard")
RELEASED = Rules("released", *([True] * (len(Rules.__struct_fields__) - 1)))
PRESETS = {"standard": STANDARD, "released": RELEASED}


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """When play is over: after so many ``steps``, or at the end of the step that reaches so many ``ticks``;
    ``None`` for never. Raises ``Refused`` for less than 1.
    """

    steps: int | None = None
    ticks: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("steps", self.steps), ("ticks", self.ticks)):
            if value is not None and value < 1:
                raise Refused(f"limits: {name} is {value}; it is at least 1")


NO_LIMITS = Limits()
