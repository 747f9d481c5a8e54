"""What can be decided in the clocked kitchen, and the codes of what is refused."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.values import Fault, Refusal, Seat
from backburner.worlds.cuisineworld.game.actions import MOST_SAID

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
    "other_agent": Fault.ROLE,
    "duplicate_agent": Fault.CAPACITY,
    "more": Fault.UNREADABLE,
    "not_pickable": Fault.MISSING_PREREQUISITE,
    "storage_needs_base_item": Fault.UNKNOWN_THING,
    "get_empty": Fault.MISSING_PREREQUISITE,
    "get_hands_full": Fault.CAPACITY,
    "not_inside": Fault.MISMATCH,
    "location_occupied": Fault.OCCUPIED,
    "not_a_level_dish": Fault.MISMATCH,
    "table_full": Fault.CAPACITY,
    "put_waste": Fault.MISMATCH,
    "put_hands_empty": Fault.MISSING_PREREQUISITE,
    "not_held": Fault.MISMATCH,
    "inside_already": Fault.ALREADY_DONE,
    "product_waits": Fault.OCCUPIED,
    "location_full": Fault.CAPACITY,
    "activate_hands_full": Fault.CAPACITY,
    "activate_empty": Fault.MISSING_PREREQUISITE,
    "activate_waste": Fault.MISMATCH,
    "way_blocked": Fault.REACH,
}
"""What is wrong with a command that can be read, beside those of the text game's reader."""

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
