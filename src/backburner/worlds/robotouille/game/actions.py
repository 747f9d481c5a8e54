"""What can be decided in Robotouille, and the codes of what is refused."""

from __future__ import annotations

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.values import Fault, Refusal


class Acts(Struct, frozen=True, omit_defaults=True):
    """Actions by name, such as ``move(p1=robot1,s1=table1,s2=stove1)``, in the order in which they are
    done; none of them: to let a step pass. ``finish``: whoever decides has done.

    A robot's seat gives one action at most, a dispatcher one for each robot.
    """

    acts: tuple[str, ...] = ()
    finish: bool = False


IDLE = Acts()
FINISH = Acts(finish=True)

NO_ACTION = Refusal("no_action", Fault.UNREADABLE)
"""No action could be found in the answer."""

MOST_SAID = 200
"""Characters that a refusal keeps of what was no action."""


def unknown_action(text: str) -> Refusal:
    """There is no action of that name over those things."""
    return Refusal("unknown_action", Fault.UNKNOWN_THING, (("said", shorten(text, MOST_SAID)),))


def ambiguous(text: str) -> Refusal:
    """Several actions read so (see ``Rules.exact_text_only``)."""
    return Refusal("ambiguous", Fault.UNREADABLE, (("said", shorten(text, MOST_SAID)),))


def too_many(n_given: int, n_robots: int) -> Refusal:
    """More actions than there are robots to do them."""
    return Refusal("too_many", Fault.CAPACITY, (("given", n_given), ("robots", n_robots)))


def other_robot(action: str, sentence: str, robot: str) -> Refusal:
    """The action is for a robot that somebody else commands."""
    return Refusal("other_robot", Fault.ROLE, (*_names(action, sentence), ("robot", robot)))


def twice(action: str, sentence: str, robot: str) -> Refusal:
    """The robot has an action in this step already."""
    return Refusal("twice", Fault.CAPACITY, (*_names(action, sentence), ("robot", robot)))


def runs_already(action: str, sentence: str) -> Refusal:
    """What the action would start is at work."""
    return Refusal("runs_already", Fault.ALREADY_DONE, _names(action, sentence))


def impossible(
    action: str, sentence: str, fault: Fault, missing: tuple[str, ...], barred: tuple[str, ...]
) -> Refusal:
    """Facts that are ``missing``, and facts that hold and bar the action."""
    return Refusal("impossible", fault, (*_names(action, sentence), ("missing", missing), ("barred", barred)))


def _names(action: str, sentence: str) -> tuple[tuple[str, str], ...]:
    """What the action is called, and how a player calls it."""
    return ("action", action), ("said", sentence)
