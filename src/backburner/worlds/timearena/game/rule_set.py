"""TimeArena's rules and limits as values. Each field but one is one defect of the released program.

``standard`` has none of them, ``released`` has them all; docs/worlds/timearena.md explains each to users.
``released-reflexion`` is ``released`` as its Reflexion loop plays it.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from backburner.kernel.errors import Refused


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a step does. A field that is true lets the released program's defect happen."""

    name: str = "standard"

    allow_lists_leave_out_unrenamed: bool = False
    """A container that has an allow-list refuses those ingredients of its own task whose names are
    unique, and one without a list takes another task's. False: things go together within a task."""

    any_pair_counts: bool = False
    """Any first thing with any second thing of the verb counts as the required action (kettle poured
    into cup; a thing paired with itself takes no time). False: the pair must be asked for."""

    copies_share_requirements: bool = False
    """Of a task given twice, both copies wait for the first copy's things."""

    unreadable_freezes_background: bool = False
    """A malformed action or an unknown thing costs the agent a minute in which nothing advances."""

    error_on_things_delays_score: bool = False
    """What is finished during a refusal for occupied or mismatched things is credited only later."""

    completion_needs_accepted_step: bool = False
    """If the last background action ends during a refused decision, play goes on."""

    requirements_left_out: bool = False
    """Coffee pours before the machine has run, the pizza bakes without its beef, the foil goes into
    the beaker before the sodium hydroxide is dissolved."""

    last_thing_gives_reason: bool = False
    """Of several reasons for a refusal the agent is told the last, or none at all. False: the first."""

    exact_text_only: bool = False
    """Only the bare action in small letters is read. False: it is found in free text."""

    second_try: bool = False
    """What is refused may be replaced in the same minute of the limits; see ``second_try``."""


DEFECTS = tuple(field for field in Rules.__struct_fields__ if field not in ("name", "second_try"))
"""The fields that are a defect of the released program when true."""

STANDARD = Rules("standard")
RELEASED = Rules("released", **dict.fromkeys(DEFECTS, True))
REFLEXION = replace(RELEASED, name="released-reflexion", second_try=True)
PRESETS = {rules.name: rules for rules in (STANDARD, RELEASED, REFLEXION)}


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """When play is cut off: ``minutes`` on the clock, ``errors`` in a row; ``None`` is no limit.

    Raises ``Refused`` for a limit below 1.
    """

    minutes: int | None = None
    errors: int | None = None

    def __post_init__(self) -> None:
        for name in ("minutes", "errors"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise Refused(f"limits: {name} is {value}; a limit is at least 1")


NO_LIMITS = Limits()


def article_limits(n_tasks: int, minutes: int | UnsetType = UNSET) -> Limits:
    """40 minutes for each task, or the scenario's own ``minutes``; five incorrect actions in a row (article,
    section 4.1)."""
    return Limits(minutes=40 * n_tasks if minutes is UNSET else minutes, errors=5)
