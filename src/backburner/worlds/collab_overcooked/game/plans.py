"""Plans and queues: what a cook does now, what it does after that, what it asks of its partner.

A plan is a list of entries: calls, and requests and the like that are said to the partner. Its first own
call becomes the cook's current one, and what is behind it is queued.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import is_own
from backburner.worlds.collab_overcooked.game.state import Cook

Plan = tuple[str, ...]
"""The entries of a plan, as written."""

ONE_WAIT = calls.wait().text

NO_PLAN: Plan = (ONE_WAIT,)
"""What is planned where nothing is."""


def first_own(plan: Plan) -> int | None:
    """The index of the first entry that is something to do oneself."""
    for index, entry in enumerate(plan):
        if is_own(entry):
            return index
    return None


def planned(cook: Cook, plan: Plan, first_call_twice: bool) -> Cook:
    """The cook with a new plan: its first own call becomes the current one, the rest is queued.

    Requests alone are a wait of one step; so is a plan whose first own entry is empty, with whatever stands
    behind it. For ``first_call_twice`` see ``Rules``.
    """
    index = first_own(plan)
    call = "" if index is None else plan[index]
    if not first_call_twice:
        call = call.strip()
    if index is None or not call:
        return replace(cook, call=ONE_WAIT, queue=(), since=-1)
    return replace(cook, call=call, queue=plan[1 if first_call_twice else index + 1 :], since=-1)


def advanced(cook: Cook, first_call_twice: bool) -> Cook:
    """The cook with the next own call of its queue as the current one; without a call if there is none.

    With ``first_call_twice`` the queue is taken as a new plan, written out and read: blanks around all of it
    go, and requests alone are a wait.
    """
    if first_call_twice and cook.queue:
        return planned(cook, tuple(";".join(cook.queue).strip().split(";")), first_call_twice)
    if first_own(cook.queue) is None:
        return replace(cook, call="", queue=(), since=-1)
    return planned(cook, cook.queue, first_call_twice)


def joining(cook: Cook, plan: Plan) -> Cook:
    """The cook after an answer in a talk, by ``Rules.busy_cook_keeps_queue``; its current call goes on."""
    if cook.queue or _NOTHING.search(";".join(plan)):
        return cook
    index = first_own(plan)
    return replace(cook, queue=NO_PLAN if index is None or not plan[index] else plan)


_NOTHING = re.compile("nothing", re.IGNORECASE)


def gives_way(cook: Cook) -> bool:
    """Whether a cook's call is a wait with something queued behind it; see ``Rules.waits_give_way``."""
    return bool(cook.queue) and calls.WAIT in cook.call.lower()


def requested(plan: Sequence[str]) -> Plan:
    """The calls that a plan asks of the partner, without what people put around them."""
    return tuple(_UNWANTED.sub("", call) for entry in plan if (call := _asked_for(entry)) is not None)


_REQUEST = re.compile(r"request\s*\(", re.IGNORECASE)
_UNWANTED = re.compile(r"[\s'\"`]")


def _asked_for(entry: str) -> str | None:
    """What stands between ``request(`` and the last closing parenthesis of the entry."""
    if is_own(entry):
        return None
    opened = _REQUEST.search(entry)
    closed = entry.rfind(")")
    return entry[opened.end() : closed] if opened and opened.end() <= closed else None


def shown(cook: Cook) -> Plan:
    """Everything that a cook still plans to do, as its partner may see it."""
    return (cook.call, *cook.queue) if cook.call else cook.queue
