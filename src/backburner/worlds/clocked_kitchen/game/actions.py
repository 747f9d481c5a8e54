"""What can be decided in the clocked kitchen, and the codes of what is refused."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.values import Fault, Refusal, Seat
from backburner.worlds.cuisineworld.game.actions import BAD_COMMAND, FAILED, MOST_SAID

NOOP, GOTO, GET, PUT, ACTIVATE, MOVE, WAIT = range(7)
VERBS = ("noop", "goto", "get", "put", "activate", "move", "wait")
"""The text game's five verbs by number; a step to the next cell; waiting, which no command asks for."""

WAYS = ("up", "right", "down", "left")
"""The directions of a step, by number."""

MOST_TICKS = 6000
"""For so long a decision may let time go by: ten minutes."""


class Input(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What a seat decides: ``commands``, at most one for each of its bodies, and for how many ``ticks``.

    ``goto_agentN_PLACE``, ``get_agentN_ITEM_storage0``, ``get_agentN_PLACE``, ``put_agentN_PLACE``,
    ``activate_agentN_PLACE`` are errands: the body walks there and does it. ``move_agentN_left`` is a step to
    the next cell. ``noop_agentN`` ends what the body has under way. A body without a command goes on.

    The commands hold from the first tick on; so many ticks pass before seats are asked again, if nobody
    wants to be asked sooner. 0 is the usual: one tick where seats are always asked; where only those are
    asked who have a body with nothing under way, it says how long a body without a command waits, which is
    as long as a step of the text game.
    """

    commands: tuple[str, ...] = ()
    ticks: int = 0


class Command(Struct, frozen=True, gc=False):
    """A command in numbers: ``target`` is a direction for a move, and -1 for a noop."""

    verb: int
    body: int
    target: int
    item: int
    text: str


CODES: Mapping[str, Fault] = {
    "ticks": Fault.MISMATCH,
    "direction": Fault.UNKNOWN_THING,
    "way_blocked": Fault.REACH,
    **BAD_COMMAND,
    **FAILED,
}
"""What is wrong with a command, in the text game or here alone."""

LATE = ("late", 1)
"""Marks what could be done when it was commanded, and could no longer when the body was there."""


def refused(
    code: str,
    text: str,
    seat: Seat,
    index: int = 0,
    facts: Mapping[str, str] | None = None,
    late: bool = False,
) -> Refusal:
    """The refusal of a command; ``late``: of one that came to nothing when its body was there."""
    detail = (("said", shorten(text, MOST_SAID)), *(facts or {}).items(), *((LATE,) if late else ()))
    return Refusal(code, CODES[code], detail, seat, index)
