"""The part of the cook who has the recipes: it does one thing after another and asks for the rest."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from backburner.worlds.collab_overcooked.agents import foreman
from backburner.worlds.collab_overcooked.agents.goals import PLACE, Job, Moment, pickup
from backburner.worlds.collab_overcooked.agents.words import asking, ordering, quiet
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.sight import Observation
from backburner.worlds.collab_overcooked.game.state import Reply

PATIENCE_STEPS = 6
"""How long a partner that does nothing may take until it is asked for the same again."""


class Asked(Struct, frozen=True):
    """What the partner was asked for last, and when; ``steps`` is the kitchen's time.

    ``blocked``: the cooks are in each other's way; ``tries``: how often that was to be ended.
    """

    wanted: Job = ()
    steps: int = -PATIENCE_STEPS
    blocked: bool = False
    tries: int = 0


def lead(ware: Kitchenware, me: int, seen: Observation, memory: Asked) -> tuple[Reply, Asked]:
    """What the leading cook answers, and what it remembers."""
    found = foreman.jobs(ware, seen, me)
    own, wanted = found.get(me, ())[:1], found.get(1 - me, ())
    match seen.ask:
        case "answer":
            return ordering(wanted), replace(memory, wanted=wanted, steps=seen.steps)
        case "correct":
            blocked = seen.refusal is not None and seen.refusal.code == "way_blocked"
            return quiet(), replace(memory, blocked=blocked)
        case "continue":
            return quiet(*own), memory
    if memory.blocked and not _busy(seen):
        return _making_way(ware, me, seen, memory.tries), Asked(tries=memory.tries + 1)
    if not wanted or _busy(seen) or not _due(wanted, seen, memory):
        return quiet(*own), memory
    return asking(own, wanted), replace(memory, wanted=wanted, steps=seen.steps)


def _busy(seen: Observation) -> bool:
    return any(not entry.startswith(calls.WAIT) for entry in seen.partner.plan)


def _due(wanted: Job, seen: Observation, memory: Asked) -> bool:
    return wanted != memory.wanted or seen.steps - memory.steps >= PATIENCE_STEPS


def _making_way(ware: Kitchenware, me: int, seen: Observation, tries: int) -> Reply:
    """One of the cooks goes to a dispenser, with empty hands: the partner, or oneself, to each in turn."""
    here = Moment(ware, seen, me)
    sources = {calls.INGREDIENT_DISPENSER: ware.layout.ingredients[0], calls.DISH_DISPENSER: DISH}
    ways = [
        (cook, pickup(item, name))
        for cook in (1 - me, me)
        for name, item in sources.items()
        if cook in here.near_dispenser(name)
    ]
    if not ways:
        return quiet()
    cook, call = ways[tries % len(ways)]
    job = (PLACE, call) if cook in here.hands else (call,)
    return quiet(*job) if cook == me else asking((), job)
