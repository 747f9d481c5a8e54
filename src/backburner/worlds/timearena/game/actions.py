"""What an agent can decide in TimeArena, and the codes of what it is refused."""

from __future__ import annotations

from msgspec import Struct

from backburner.kernel.values import Fault, Refusal


class Act(Struct, frozen=True, tag="act", tag_field="do", omit_defaults=True, cache_hash=True):
    """Start an action: a verb on one thing, or on a first thing and a second (container or tool)."""

    verb: str
    first: str
    second: str = ""


class Wait(Struct, frozen=True, tag="wait", tag_field="do"):
    """Let one minute go by."""


class Quit(Struct, frozen=True, tag="quit", tag_field="do"):
    """Give up; takes no time."""


Decision = Act | Wait | Quit

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

MALFORMED = frozenset({"unreadable", "invalid_action", "nonexistent_object"})
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
