"""The greedy pair with noise: now and then an answer slips, as a real cook's might."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from msgspec.structs import replace

from backburner.kernel.policy import Reply, Turn
from backburner.worlds.collab_overcooked.agents.greedy import GreedyCooks
from backburner.worlds.collab_overcooked.agents.phrases import quiet
from backburner.worlds.collab_overcooked.agents.task_allocation import ONE_WAIT
from backburner.worlds.collab_overcooked.game.calls import is_own
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.state import Reply as Decision
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked

SLIP_RATE = 0.25
"""How often an answer slips that does, asks or answers something; one that only waits never does."""

Slip = Literal["wrong object", "wrong call", "forgotten request", "repeated request", "unanswered"]
"""Another object than was meant, in a request or a call of one's own; another call than was meant; no word
of what the partner should do; a request made twice; nothing said and nothing planned when spoken to."""

_PICKUP = re.compile(r"pickup\((\w+),")


class ClumsyCooks:
    """Plays either cook. Its slips depend on the world's id, the episode's seed, the seat and the decision
    point alone.

    It does not notice them: it believes that it asked, or did, what it meant to. ``slip_rate`` is from 0
    to 1.
    """

    name = "clumsy"

    def __init__(self, world: CollabOvercooked, slip_rate: float = SLIP_RATE) -> None:
        self._greedy = GreedyCooks(world)
        self._objects = world.compiled.layout.ingredients
        self._rate = slip_rate
        self._id = world.id
        self.informed = self._greedy.informed
        self.settings: Mapping[str, Any] = {"slip_rate": slip_rate}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """What the greedy cook would answer, or what a slip makes of it."""
        reply = await self._greedy.decide(turn, memory)
        draw = random.Random(f"{self._id}/{turn.seed}/{turn.seat}/{turn.index}")
        idle = reply.answer.plan == (ONE_WAIT,) and turn.observation.ask != "answer"
        if idle or draw.random() >= self._rate:
            return reply
        others = [option.label for option in turn.menu.options if not option.passes]
        slip = draw.choice(_possible_slips(reply.answer, turn.observation.ask))
        return Reply(_slipped(reply.answer, slip, self._objects, others, draw), reply.memory)


def _possible_slips(meant: Decision, ask: str) -> tuple[Slip, ...]:
    """The slips that an answer leaves room for."""
    asks = any(not is_own(entry) for entry in meant.plan)
    possible: dict[Slip, bool] = {
        "wrong object": any(_PICKUP.search(entry) for entry in meant.plan),
        "wrong call": any(is_own(entry) for entry in meant.plan),
        "forgotten request": asks,
        "repeated request": asks,
        "unanswered": ask == "answer",
    }
    return tuple(slip for slip in get_args(Slip) if possible[slip])


def _slipped(
    meant: Decision, slip: Slip, objects: Sequence[str], others: Sequence[str], draw: random.Random
) -> Decision:
    """What a slip makes of an answer. ``objects``, ``others``: the foods and calls that may replace one."""
    match slip:
        case "wrong object":
            return _with_wrong_object(meant, objects, draw)
        case "wrong call":
            return _with_wrong_call(meant, others, draw)
        case "forgotten request":
            return quiet(*filter(is_own, meant.plan))
        case "repeated request":
            requests = (entry for entry in meant.plan if not is_own(entry))
            return replace(meant, plan=(*requests, *meant.plan), say=f"{meant.say} {meant.say}")
        case "unanswered":
            return quiet()


def _with_wrong_object(meant: Decision, objects: Sequence[str], draw: random.Random) -> Decision:
    item = draw.choice([match[1] for entry in meant.plan if (match := _PICKUP.search(entry))])
    wrong = draw.choice([name for name in objects if name != item] or [DISH])
    plan = tuple(entry.replace(f"pickup({item},", f"pickup({wrong},") for entry in meant.plan)
    return replace(meant, plan=plan, say=meant.say.replace(f"pickup({item},", f"pickup({wrong},"))


def _with_wrong_call(meant: Decision, others: Sequence[str], draw: random.Random) -> Decision:
    index = draw.choice([index for index, entry in enumerate(meant.plan) if is_own(entry)])
    wrong = draw.choice([call for call in others if call != meant.plan[index]] or [meant.plan[index]])
    return replace(meant, plan=(*meant.plan[:index], wrong, *meant.plan[index + 1 :]))
