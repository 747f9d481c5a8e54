"""Slips: what a clumsy cook makes of what it meant to answer."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Literal, get_args

from msgspec.structs import replace

from backburner.worlds.collab_overcooked.agents.words import quiet
from backburner.worlds.collab_overcooked.game.call_reading import is_own
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.state import Reply

Slip = Literal["wrong object", "wrong call", "forgotten request", "repeated request", "unanswered"]
"""Another object than was meant, in a request or a call of one's own; another call than was meant; no word
of what the partner should do; a request made twice; nothing said and nothing planned when spoken to."""

_PICKUP = re.compile(r"pickup\((\w+),")


def possible_slips(meant: Reply, ask: str) -> tuple[Slip, ...]:
    """The slips that an answer leaves room for."""
    asks = any(not is_own(entry) for entry in meant.plan)
    fits: dict[Slip, bool] = {
        "wrong object": any(_PICKUP.search(entry) for entry in meant.plan),
        "wrong call": any(is_own(entry) for entry in meant.plan),
        "forgotten request": asks,
        "repeated request": asks,
        "unanswered": ask == "answer",
    }
    return tuple(slip for slip in get_args(Slip) if fits[slip])


def slipped(
    meant: Reply, slip: Slip, objects: Sequence[str], others: Sequence[str], draw: random.Random
) -> Reply:
    """What comes of an answer by a slip; ``objects`` and ``others``: raw foods, and calls, to take for it."""
    match slip:
        case "wrong object":
            return _wrong_object(meant, objects, draw)
        case "wrong call":
            return _wrong_call(meant, others, draw)
        case "forgotten request":
            return quiet(*filter(is_own, meant.plan))
        case "repeated request":
            asked = (entry for entry in meant.plan if not is_own(entry))
            return replace(meant, plan=(*asked, *meant.plan), say=f"{meant.say} {meant.say}")
        case "unanswered":
            return quiet()


def _wrong_object(meant: Reply, objects: Sequence[str], draw: random.Random) -> Reply:
    found = [match[1] for entry in meant.plan if (match := _PICKUP.search(entry))]
    item = draw.choice(found)
    taken = draw.choice([one for one in objects if one != item] or [DISH])
    plan = tuple(entry.replace(f"pickup({item},", f"pickup({taken},") for entry in meant.plan)
    return replace(meant, plan=plan, say=meant.say.replace(f"pickup({item},", f"pickup({taken},"))


def _wrong_call(meant: Reply, others: Sequence[str], draw: random.Random) -> Reply:
    own = [place for place, entry in enumerate(meant.plan) if is_own(entry)]
    place = draw.choice(own)
    taken = draw.choice([one for one in others if one != meant.plan[place]] or [meant.plan[place]])
    return replace(meant, plan=(*meant.plan[:place], taken, *meant.plan[place + 1 :]))
