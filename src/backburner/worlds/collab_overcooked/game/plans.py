"""A cook's plan: which call is the current one, and what stays queued after it."""

from __future__ import annotations

import re

from msgspec.structs import replace

from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.call_reading import is_own
from backburner.worlds.collab_overcooked.game.state import Cook

ONE_WAIT = calls.wait().text


def first_own(plan: tuple[str, ...]) -> int | None:
    """The place of the first entry that is something to do oneself."""
    return next((place for place, entry in enumerate(plan) if is_own(entry)), None)


def planned(cook: Cook, plan: tuple[str, ...], first_call_twice: bool) -> Cook:
    """The cook with a new plan: its first own call becomes the current one, the rest is queued.

    A plan of requests alone is a wait of one step. For ``first_call_twice`` see ``Rules``.
    """
    place = first_own(plan)
    if place is None:
        return replace(cook, call=ONE_WAIT, queue=(), since=-1)
    if first_call_twice:
        call = plan[0].strip() if place == 0 else plan[place]
        return replace(cook, call=call, queue=plan[1:], since=-1)
    return replace(cook, call=plan[place].strip(), queue=plan[place + 1 :], since=-1)


def requested(plan: tuple[str, ...]) -> tuple[str, ...]:
    """The calls that a plan asks of the partner, without what people put around them."""
    found = (re.search(r"request\s*\((.*)\)", entry, re.IGNORECASE) for entry in plan)
    return tuple(re.sub(r"[\s'\"`]", "", match[1]) for match in found if match)


def advanced(cook: Cook, first_call_twice: bool) -> Cook:
    """The cook with the next own call of its queue as the current one; none if there is none.

    With ``first_call_twice`` what is queued is taken as a new plan, so that requests alone are a wait.
    """
    if first_call_twice and cook.queue:
        return planned(cook, cook.queue, first_call_twice)
    if not any(is_own(entry) for entry in cook.queue):
        return replace(cook, call="", queue=(), since=-1)
    return planned(cook, cook.queue, first_call_twice)


def shown(cook: Cook) -> tuple[str, ...]:
    """Everything that a cook still plans to do, as anybody may see it."""
    return (cook.call, *cook.queue) if cook.call else cook.queue
