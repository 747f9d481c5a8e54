"""Values: decisions, and how far everything is."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from backburner.kernel.values import Refusal, Seat

AGENT: Seat = "agent"
"""The only seat, and the lane of what it does by hand."""

LONGEST_WAIT = 1_000_000


class Start(Struct, frozen=True, tag="start", forbid_unknown_fields=True, omit_defaults=True):
    """Start an activity, or go on with one that was interrupted: to its end, or for so many ticks."""

    activity: str
    ticks: int | None = None


class Wait(Struct, frozen=True, tag="wait", forbid_unknown_fields=True, omit_defaults=True):
    """Let so many ticks pass, or as many as it takes until something ends or is released."""

    ticks: int | None = None


class Silence(Struct, frozen=True, tag="silence", forbid_unknown_fields=True):
    """Ticks without a decision."""

    ticks: Annotated[int, Meta(ge=1, le=LONGEST_WAIT)]


Decision = Start | Wait | Silence


class Work(Struct, frozen=True, array_like=True):
    """How far an activity is. ``left``: how long what is not begun of it takes. ``start`` and ``end``: of
    what was begun last; ``start`` is -1 where nothing was."""

    left: int
    start: int = -1
    end: int = -1

    @property
    def is_open(self) -> bool:
        """Whether something of it is yet to be started."""
        return self.start < 0 or self.left > 0


class State(Struct, frozen=True):
    """``works`` has an entry for each activity, in its order. ``refusal``: of the last decision. ``ended``:
    why play is over; empty while it is not."""

    time: int
    works: tuple[Work, ...]
    refusal: Refusal | None = None
    ended: str = ""

    def runs(self, index: int) -> bool:
        """Whether an activity is under way."""
        return self.works[index].end > self.time

    def finished(self, index: int) -> bool:
        """Whether an activity is over and nothing of it is left."""
        work = self.works[index]
        return not work.is_open and work.end <= self.time
