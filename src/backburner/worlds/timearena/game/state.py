"""TimeArena's values in play: what changes, and what the agent sees of it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backburner.kernel.values import Refusal
from backburner.worlds.timearena.game.actions import Act


class Running(Struct, frozen=True, gc=False):
    """A background action: ``act`` ends when the world's clock reaches ``ends``."""

    ends: int
    act: Act


class Feedback(Struct, frozen=True, omit_defaults=True):
    """What became of the last decision: an action that takes ``minutes``, a wait, a refusal."""

    kind: Literal["opening", "start", "wait", "refused", "quit"]
    act: Act | None = None
    minutes: int = 0
    refusal: Refusal | None = None


OPENING = Feedback("opening")
WAITED = Feedback("wait")

Report = tuple[str, str]
"""(thing, the state it is now in)."""


class State(Struct, frozen=True):
    """The kitchen, house or laboratory at one minute.

    ``finished`` and ``earned``: the finished roles (bit r for role number r of ``Compiled``) and their
    minutes together. ``score``: the progress in per cent, as it has been credited so far.
    ``lost_minutes``: minutes by which the world's clock lags behind the agent's (only under
    ``unreadable_freezes_background``). ``running`` is in the order in which it was started.
    ``paired_with_itself``: the last accepted decision, if it paired a thing with itself (only under
    ``any_pair_counts``).
    """

    minute: int = 0
    finished: int = 0
    earned: int = 0
    running: tuple[Running, ...] = ()
    score: int = 0
    errors_in_a_row: int = 0
    lost_minutes: int = 0
    feedback: Feedback = OPENING
    reports: tuple[Report, ...] = ()
    ended: Literal["", "completed", "time_limit", "error_limit", "quit"] = ""
    paired_with_itself: Act | None = None


class Observation(Struct, frozen=True):
    """What the agent is told: the minute, what became of its decision, what has changed since."""

    minute: int
    feedback: Feedback
    reports: tuple[Report, ...]
