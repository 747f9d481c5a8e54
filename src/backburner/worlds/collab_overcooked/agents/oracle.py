"""A pair of cooks that plays a shortest joint plan, and talks as a pair must of whom one has the recipes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from backburner.kernel.policy import Reply, Turn
from backburner.worlds.collab_overcooked.agents.greedy import GreedyCooks, leader_of
from backburner.worlds.collab_overcooked.agents.joint import parts
from backburner.worlds.collab_overcooked.agents.known_plan import best_schedules
from backburner.worlds.collab_overcooked.agents.words import quiet
from backburner.worlds.collab_overcooked.game.sight import Observation
from backburner.worlds.collab_overcooked.game.state import Reply as Decision
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked


class Given(Struct, frozen=True):
    """How many lines of its part a cook has given."""

    plans: int = 0
    answers: int = 0


class Astray(Struct, frozen=True):
    """Play is no longer as planned. ``memory``: that of the greedy cook that goes on."""

    memory: Any = None


class OracleCooks:
    """Plays either cook's part of a shortest plan.

    As soon as play is not as planned, because the partner does something else, it goes on as the greedy
    cooks do. Raises ``Refused`` where there is no plan.
    """

    name = "oracle"
    informed = True
    settings: Mapping[str, Any] = {}

    def __init__(self, world: CollabOvercooked) -> None:
        leader = world.seats.index(leader_of(world))
        both = parts(best_schedules(world), leader, world.rules)
        self._parts = dict(zip(world.seats, both, strict=True))
        self._greedy = GreedyCooks(world)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next line of the part."""
        if not isinstance(memory, Astray):
            planned = self._planned(turn.seat, turn.observation, memory or Given())
            if planned is not None:
                return Reply(*planned)
            memory = Astray()
        reply = await self._greedy.decide(turn, memory.memory)
        return Reply(reply.answer, Astray(reply.memory))

    def _planned(self, seat: str, seen: Observation, given: Given) -> tuple[Decision, Given] | None:
        """The answer and what is given by then; ``None`` if this moment is not in the part."""
        part = self._parts[seat]
        match seen.ask:
            case "continue" if given.plans:
                return quiet(*part.plans[given.plans - 1].plan), given
            case "plan" | "correct":
                lines, number, after = part.plans, given.plans, Given(given.plans + 1, given.answers)
            case "answer":
                lines, number, after = part.answers, given.answers, Given(given.plans, given.answers + 1)
            case _:
                return None
        if number >= len(lines) or lines[number].steps != seen.steps:
            return None
        return lines[number].reply, after
