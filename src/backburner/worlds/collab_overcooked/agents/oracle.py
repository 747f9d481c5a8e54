"""A pair of cooks that plays a shortest joint plan, with the talk that it takes if only one has the
recipes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from backburner.kernel.plan_policies import once_per_world
from backburner.kernel.policy import Reply, Turn
from backburner.worlds.collab_overcooked.agents.greedy import GreedyCooks, leader_of
from backburner.worlds.collab_overcooked.agents.phrases import quiet
from backburner.worlds.collab_overcooked.agents.schedule import best_schedules
from backburner.worlds.collab_overcooked.agents.scripted_talk import scripts
from backburner.worlds.collab_overcooked.game.observation import Observation
from backburner.worlds.collab_overcooked.game.state import Reply as Decision
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked


class Given(Struct, frozen=True):
    """How many lines of its script a cook has given."""

    plans: int = 0
    answers: int = 0


class Astray(Struct, frozen=True):
    """Play is no longer as scripted. ``memory``: that of the greedy cook that goes on."""

    memory: Any = None


class OracleCooks:
    """Plays either cook's script of a shortest plan.

    As soon as play is not as scripted, because the partner does something else, it goes on as the greedy
    cooks do. Raises ``Refused`` where there is no plan.
    """

    name = "oracle"
    informed = True
    settings: Mapping[str, Any] = {}

    def __init__(self, world: CollabOvercooked) -> None:
        leader = world.seats.index(leader_of(world))
        both = scripts(best_schedules(world), leader, world.rules)
        self._scripts = dict(zip(world.seats, both, strict=True))
        self._greedy = GreedyCooks(world)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next line of the script."""
        if not isinstance(memory, Astray):
            scripted = self._scripted(turn.seat, turn.observation, memory or Given())
            if scripted is not None:
                return Reply(*scripted)
            memory = Astray()
        reply = await self._greedy.decide(turn, memory.memory)
        return Reply(reply.answer, Astray(reply.memory))

    def _scripted(self, seat: str, seen: Observation, given: Given) -> tuple[Decision, Given] | None:
        """The answer and what is given by then; ``None`` if the script has no line for this."""
        script = self._scripts[seat]
        match seen.ask:
            case "continue" if given.plans:
                return quiet(*script.plans[given.plans - 1].plan), given
            case "plan" | "correct":
                lines, number, after = script.plans, given.plans, Given(given.plans + 1, given.answers)
            case "answer":
                lines, number, after = script.answers, given.answers, Given(given.plans, given.answers + 1)
            case _:
                return None
        if number >= len(lines) or lines[number].steps != seen.steps:
            return None
        return lines[number].reply, after


oracle_cooks = once_per_world(OracleCooks)
"""``OracleCooks`` of a world; its plan is searched for once."""
