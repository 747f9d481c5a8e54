"""Robotouille's rules and limits as values. Each field of ``Rules`` is one defect of the release.

``standard`` has none of them, ``released`` has them all.
"""

from __future__ import annotations

from msgspec import Struct

from backburner.kernel.errors import Refused


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a step does. A field that is true lets the released program's defect happen."""

    name: str = "standard"

    skipped_ticks: bool = False
    """When an effect completes, the one after it in the list misses its tick. False: every effect
    ticks in every step."""

    timers_stay_at_station: bool = False
    """A timer belongs to the thing *and* the station: half-cooked food begins anew elsewhere, and the
    old timer remains. False: it belongs to the thing that cooks and goes on wherever it is started
    again."""

    nested_once: bool = False
    """What is nested in a delayed or repetitive effect is brought about once, when the count is full: a
    delay in a delay never ends. False: the whole is complete when what is nested in it is."""

    boiling_at_a_distance: bool = False
    """Water boils while the pot that it came from stands on the stove, wherever the water is."""

    missing_guards: bool = False
    """Work that is done or runs already can be started again. False: it is refused."""

    config_ignored: bool = False
    """Every count is 3 and every delay 4 ticks, whatever the problem's ``config`` says."""

    goals_as_released: bool = False
    """The released goals are asked for where they are not what their sentences say."""

    goal_names_in_part: bool = False
    """A goal's kind fits everything whose name contains it, an id belongs to the first kind it stands
    with, and things made in play count only as far as the goal foresaw them. False: kinds fit kinds,
    an id stands for one thing whatever it is called, and what is made in play counts."""

    any_robot: bool = False
    """Whoever decides may command any robot. False: its own."""

    joint_step_breaks_off: bool = False
    """An impossible action in a step of several robots ends the step: what came before it stays done,
    what comes after is not tried, and no time passes. False: that robot idles, the others act."""

    exact_text_only: bool = False
    """An action is read only if it is written exactly as it is listed, and only if one action is
    written so. False: capitals and spaces are free, and the first of several that read alike is
    meant."""


STANDARD = Rules("standard")
RELEASED = Rules("released", *([True] * (len(Rules.__struct_fields__) - 1)))
PRESETS = {"standard": STANDARD, "released": RELEASED}


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """When play is cut off; ``None`` is no limit.

    ``steps`` of the kitchen's time. ``attempts``: refused answers in a row that use up a call;
    ``failed_calls``: calls so used up in the whole episode. Raises ``Refused`` for a limit that
    lets nobody begin.
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
