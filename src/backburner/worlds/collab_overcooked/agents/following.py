"""The part of the cook who has no recipe: to do what it is asked for, and nothing else."""

from __future__ import annotations

from msgspec import Struct

from backburner.worlds.collab_overcooked.agents.goals import Job
from backburner.worlds.collab_overcooked.agents.words import agreeing, asked_for, quiet
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.sight import Observation
from backburner.worlds.collab_overcooked.game.state import Reply


class Agreed(Struct, frozen=True):
    """The calls that it has agreed to do. ``refused``: the first of them has to be tried again."""

    calls: Job = ()
    refused: bool = False


def follow(ware: Kitchenware, seen: Observation, memory: Agreed) -> tuple[Reply, Agreed]:
    """What the following cook answers, and what it remembers.

    A call that is refused is tried again a step later, with what was to come after it.
    """
    match seen.ask:
        case "answer":
            wanted = asked_for(seen, ware.reader)
            return agreeing(wanted, "My partner asks me for something."), Agreed(wanted)
        case "correct":
            refused = seen.me.plan[0] if seen.me.plan else ""
            done = memory.calls.index(refused) if refused in memory.calls else 0
            return quiet(), Agreed(memory.calls[done:], refused=True)
    return (quiet(*memory.calls), Agreed(memory.calls)) if memory.refused else (quiet(), Agreed())
