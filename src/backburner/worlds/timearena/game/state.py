"""TimeArena's values in play: what an agent decides and is refused for, what changes, what it sees of it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backburner.kernel.tools import UNREADABLE_CALL
from backburner.kernel.values import MOST_SPENT, Fault, Refusal


class Act(Struct, frozen=True, tag="act", tag_field="do", omit_defaults=True, cache_hash=True):
    """Start an action: a verb on one thing, or on a first thing and a second (container or tool)."""

    verb: str
    first: str
    second: str = ""


class Wait(Struct, frozen=True, tag="wait", tag_field="do"):
    """Let one minute go by."""


class Quit(Struct, frozen=True, tag="quit", tag_field="do"):
    """Give up; takes no time."""


class Silence(Struct, frozen=True, tag="silence", tag_field="do"):
    """Say nothing for so many minutes, in thought. No text reads as this and no menu lists it."""

    minutes: Annotated[int, Meta(ge=1, le=MOST_SPENT)]


Decision = Act | Wait | Quit | Silence

WAIT = Wait()
QUIT = Quit()

UNREADABLE = Refusal("unreadable", Fault.UNREADABLE)
"""No action, or more than one, could be found in the text (never under exact reading)."""

INVALID_ACTION = Refusal("invalid_action", Fault.UNREADABLE)
"""The form is wrong, or none of the tasks lists the verb."""

NONEXISTENT_OBJECT = Refusal("nonexistent_object", Fault.UNKNOWN_THING)
"""A thing that is not there."""

ALREADY_COMPLETED = Refusal("already_completed", Fault.ALREADY_DONE)
"""The action is finished."""

MALFORMED = frozenset({"unreadable", "invalid_action", "nonexistent_object", UNREADABLE_CALL})
"""Refused before any thing was looked at (the article's Invalid Action and Non-existing Object)."""

ON_THINGS = frozenset({"object_occupied", "mismatch", "task_mismatch", "pair_mismatch"})
"""Refused because of the things themselves, whatever has been done before."""


def occupied(thing: str) -> Refusal:
    """A background action is using the thing."""
    return Refusal("object_occupied", Fault.OCCUPIED, (("object", thing),))


def mismatch(thing: str) -> Refusal:
    """The verb does not apply to the thing."""
    return Refusal("mismatch", Fault.MISMATCH, (("object", thing),))


def task_mismatch(first: str, second: str) -> Refusal:
    """The second thing belongs to another task."""
    return Refusal("task_mismatch", Fault.MISMATCH, (("objects", (first, second)),))


def pair_mismatch(first: str, second: str) -> Refusal:
    """Both things know the verb, but no task asks for the two together."""
    return Refusal("pair_mismatch", Fault.MISMATCH, (("objects", (first, second)),))


def dependency_violation(thing: str, because: tuple[str, str] | None) -> Refusal:
    """Something must be finished first; ``because`` is the (thing, state) that is in the way."""
    detail = (("object", thing), ("because", because))
    return Refusal("dependency_violation", Fault.MISSING_PREREQUISITE, detail)


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
    ``untold``: what was reported while the agent was silent, to be told with what comes of its decision.
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
    untold: tuple[Report, ...] | UnsetType = UNSET


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
