"""Robotouille's rules and limits as values. Each field of ``Rules`` is one defect of the release.

``standard`` has none of them, ``released`` has them all.
"""

from __future__ import annotations

from msgspec import Struct

from backburner.kernel.errors import Refused


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a step does. Where a field is true, the released program's defect happens."""

    name: str = "standard"

    skipped_ticks: bool = False
    """When an effect completes, the next one in the list misses its tick. False: every effect ticks in
    every step."""

    timers_stay_at_station: bool = False
    """A timer belongs to the thing *and* the station: half-cooked food starts anew elsewhere, and the old
    timer remains. False: it belongs to the thing, and goes on wherever cooking is started again."""

    nested_once: bool = False
    """What is nested in a delayed or repetitive effect has its turn once, when the count is full, so that
    a delay in a delay never ends. False: an effect is complete when all that is nested in it is."""

    boiling_at_a_distance: bool = False
    """Water boils while the pot that it came from is on the stove, even if the water is elsewhere."""

    missing_guards: bool = False
    """Work that is done or under way can be started again. False: that is refused."""

    config_ignored: bool = False
    """Every count is 3 and every delay 4 ticks, whatever the problem's ``config`` says."""

    goals_as_released: bool = False
    """Where a released goal is not what its sentence says, the released goal counts."""

    goal_names_in_part: bool = False
    """A goal's kind fits everything whose name contains it, an id belongs to the first kind that it stands
    with, and things made in play count only under names that the goal foresees. False: kinds fit
    kinds, an id stands for one thing whatever it is called, and things made in play count."""

    any_robot: bool = False
    """A seat may command any robot. False: its own only."""

    joint_step_breaks_off: bool = False
    """An impossible action in a step of several robots ends the step: the actions before it stay done,
    those after it are not tried, and no time passes. False: that robot idles, the others act."""

    exact_text_only: bool = False
    """An action is read only if it is written exactly as it is listed, and no other is written so.
    False: capitals and spaces are free, and of several that read alike the first is meant."""


DEFECTS = tuple(name for name in Rules.__struct_fields__ if name != "name")

STANDARD = Rules("standard")
RELEASED = Rules("released", *([True] * len(DEFECTS)))
PRESETS = {"standard": STANDARD, "released": RELEASED}


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """When play is cut off; ``None`` is no limit.

    ``steps``: the kitchen's steps. ``attempts``: so many refused answers in a row use up a call;
    ``failed_calls``: so many used-up calls end the episode. Raises ``Refused`` for a limit below 1.
    """

    steps: int | None = None
    attempts: int | None = None
    failed_calls: int | None = None

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None and value < 1:
                raise Refused(f"limits: {name} is {value}; it is at least 1")
        if (self.attempts is None) != (self.failed_calls is None):
            raise Refused("limits: attempts and failed_calls are given together")


NO_LIMITS = Limits()


def article_limits(steps: int) -> Limits:
    """So many steps; five attempts for a call, three failed calls (as released)."""
    return Limits(steps=steps, attempts=5, failed_calls=3)
