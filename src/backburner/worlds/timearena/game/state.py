"""TimeArena's values in play: what changes, and what the agent sees of it."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backburner.kernel.values import Refusal
from backburner.worlds.timearena.game.actions import Act


class Running(Struct, frozen=True, gc=False):
    """A background action: ``act`` ends when the world's clock reaches ``ends``."""

    ends: int
    act: Act


class Feedback(Struct, frozen=True, omit_defaults=True, gc=False):
    """What became of the last decision: an action that takes ``minutes``, a wait, a refusal.

    ``going on``: begun work was carried on to its end (only under ``second_try``).
    """

    kind: Literal["opening", "start", "wait", "refused", "quit", "going on"]
    act: Act | None = None
    minutes: int = 0
    refusal: Refusal | None = None


OPENING = Feedback("opening")
WAITED = Feedback("wait")

Report = tuple[str, str]
"""(thing, the state it is now in)."""


class Told(Struct, frozen=True):
    """The result of one call of the environment, as the agent is told it."""

    feedback: Feedback
    reports: tuple[Report, ...]


class Driver(Struct, frozen=True):
    """What the released Reflexion loop remembers (only under ``second_try``).

    ``refused``: the driver's own text, refused in this minute, for which something else is wanted: an action,
    or ``unread``, why it is none.
    ``begun``: the last accepted decision, if it is an action that holds the agent; ``key``: that of its
    events; ``carried_on``: whether the agent was at it in the last minute. ``done``: (number of the role,
    minutes) of all begun work that is not finished. ``told``: what was told before the feedback, in the
    same step.
    """

    refused: Act | None = None
    unread: Refusal | None = None
    begun: Act | None = None
    key: str = ""
    done: tuple[tuple[int, int], ...] = ()
    carried_on: bool = False
    told: tuple[Told, ...] = ()

    @property
    def own(self) -> Act | Refusal | None:
        """What was refused in this minute; ``None`` at the beginning of a minute."""
        return self.refused or self.unread


class State(Struct, frozen=True, gc=False):
    """The kitchen, house or laboratory at one minute.

    ``finished`` and ``earned``: the finished roles (bit r for role number r of ``Compiled``) and their
    minutes together. ``score``: the progress in per cent, as it has been credited so far.
    ``lost_minutes``: minutes by which the world's clock lags behind the agent's (only under
    ``unreadable_freezes_background``). ``running`` is in the order in which it was started.
    ``paired_with_itself``: the last accepted decision, if it paired a thing with itself (only under
    ``any_pair_counts``). ``driver``: only under ``second_try``, where ``lost_minutes`` may be negative.
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
    driver: Driver | UnsetType = UNSET


class Observation(Struct, frozen=True):
    """What the agent is told: the minute, what became of its decision, what has changed since.

    ``instead``: something else is wanted in place of what was refused, in the same minute. ``told``: what
    came before the feedback.
    """

    minute: int
    feedback: Feedback
    reports: tuple[Report, ...]
    instead: bool = False
    told: tuple[Told, ...] = ()
