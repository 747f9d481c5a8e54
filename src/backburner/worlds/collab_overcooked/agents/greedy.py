"""A pair of cooks without an oracle: the leader asks for one needed thing after another, the follower does
it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.policy import Reply, Turn
from backburner.worlds.collab_overcooked.agents.phrases import agreeing, asked_for, asking, ordering, quiet
from backburner.worlds.collab_overcooked.agents.task_allocation import (
    PLACE,
    Plan,
    allocated,
    pickup,
    reaching,
)
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.state import ROLES, Observation, Role, cook_of
from backburner.worlds.collab_overcooked.game.state import Reply as Decision
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked

PATIENCE_STEPS = 6
"""How long a partner that does nothing may take until it is asked for the same again."""


def leader_of(world: CollabOvercooked) -> Role:
    """The cook who asks: the chef, unless only the assistant has the recipes."""
    return "assistant" if world.scenario.informed == ("assistant",) else ROLES[0]


class GreedyCooks:
    """Plays either cook, by what this cook perceives.

    Where nobody has the recipes, the chef leads by the tables all the same, and so knows more than its seat.
    """

    name = "greedy"
    settings: Mapping[str, Any] = {}

    def __init__(self, world: CollabOvercooked) -> None:
        self.informed = not world.scenario.informed
        self._leader = leader_of(world)
        self._compiled = world.compiled

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """A plan, a request, or what was asked for."""
        if turn.seat == self._leader:
            cook = cook_of(turn.seat)
            return Reply(*_lead(self._compiled, cook, turn.observation, memory or _LeaderMemory()))
        return Reply(*_follow(self._compiled, turn.observation, memory or _FollowerMemory()))


class _LeaderMemory(Struct, frozen=True):
    """What the partner was asked for last, and when; ``steps`` is the kitchen's time.

    ``blocked``: the cooks are in each other's way; ``tries``: how often the leader tried to end that.
    """

    wanted: Plan = ()
    steps: int = -PATIENCE_STEPS
    blocked: bool = False
    tries: int = 0


def _lead(
    compiled: Compiled, me: int, seen: Observation, memory: _LeaderMemory
) -> tuple[Decision, _LeaderMemory]:
    """What the leader answers, and what it remembers: it does one thing after another, asks for the rest."""
    plans = allocated(compiled, seen, me)
    own, wanted = plans.get(me, ())[:1], plans.get(1 - me, ())
    match seen.ask:
        case "answer":
            return ordering(wanted), replace(memory, wanted=wanted, steps=seen.steps)
        case "correct":
            blocked = seen.refusal is not None and seen.refusal.code == "way_blocked"
            return quiet(), replace(memory, blocked=blocked)
        case "continue":
            return quiet(*own), memory
    if memory.blocked and not _busy(seen):
        return _making_way(compiled, me, seen, memory.tries), _LeaderMemory(tries=memory.tries + 1)
    due = wanted != memory.wanted or seen.steps - memory.steps >= PATIENCE_STEPS
    if not wanted or _busy(seen) or not due:
        return quiet(*own), memory
    return asking(own, wanted), replace(memory, wanted=wanted, steps=seen.steps)


def _busy(seen: Observation) -> bool:
    return any(not entry.startswith(calls.WAIT) for entry in seen.partner.plan)


def _making_way(compiled: Compiled, me: int, seen: Observation, tries: int) -> Decision:
    """A cook goes to a dispenser with empty hands: first the partner, then oneself, to each in turn."""
    grid = compiled.grid
    dispensers = (
        (pickup(compiled.layout.ingredients[0], calls.INGREDIENT_DISPENSER), grid.ingredients),
        (pickup(DISH, calls.DISH_DISPENSER), grid.dishes),
    )
    errands = [
        (cook, call)
        for cook in (1 - me, me)
        for call, cells in dispensers
        if cook in reaching(compiled, cells)
    ]
    if not errands:
        return quiet()
    cook, call = errands[tries % len(errands)]
    held = seen.me.held if cook == me else seen.partner.held
    plan = (PLACE, call) if held else (call,)
    return quiet(*plan) if cook == me else asking((), plan)


class _FollowerMemory(Struct, frozen=True):
    """The calls that it has agreed to do. ``refused``: the first of them has to be tried again."""

    agreed: Plan = ()
    refused: bool = False


def _follow(
    compiled: Compiled, seen: Observation, memory: _FollowerMemory
) -> tuple[Decision, _FollowerMemory]:
    """What the follower answers, and what it remembers: it does what it is asked for, and nothing else.

    A call that is refused is tried again a step later, with what was to come after it.
    """
    match seen.ask:
        case "answer":
            wanted = asked_for(seen, compiled.reader)
            return agreeing(wanted, "My partner asks me for something."), _FollowerMemory(wanted)
        case "correct":
            refused = seen.me.plan[0] if seen.me.plan else ""
            done = memory.agreed.index(refused) if refused in memory.agreed else 0
            return quiet(), _FollowerMemory(memory.agreed[done:], refused=True)
    if memory.refused:
        return quiet(*memory.agreed), _FollowerMemory(memory.agreed)
    return quiet(), _FollowerMemory()
