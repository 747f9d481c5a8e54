"""Who decides for a seat and is no person: agents, models, and the stand-in for whoever is away or fails.

What a stand-in decides has a thought in the record that says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from backburner.kernel.errors import BackburnerError, Refused, shorten
from backburner.kernel.menu import Option
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.values import Thought

STAND_IN = "stand-in"
"""The purpose of a thought that names who decided in place of the player of the seat, and why."""

MOST_TROUBLE = 300
"""Characters of what is told of a model or an agent that fails."""


class Brain(Protocol):
    """Who decides for a seat and is no person: an agent or a model, with what it remembers of this game."""

    name: str
    informed: bool
    settings: Mapping[str, Any]

    async def think(self, turn: Turn) -> Reply:
        """The answer. Raises ``BackburnerError`` if there is none."""


async def stood_in(stand_in: Brain | None, turn: Turn, why: str) -> Reply:
    """What the stand-in decides for a seat, with a thought that says ``why`` it was asked. Where it cannot,
    time passes, or the first thing that can be done is. Raises ``Refused`` where nothing can be done."""
    if stand_in is not None:
        try:
            reply = await stand_in.think(turn)
            thought = Thought(STAND_IN, f"{stand_in.name}: {why}")
            return msgspec.structs.replace(reply, thoughts=(*reply.thoughts, thought))
        except BackburnerError as error:
            why = f"{why}; {stand_in.name}: {shorten(str(error), MOST_TROUBLE)}"
    option = passing(turn) or next(iter(turn.menu.options), None)
    if option is None:
        raise Refused(f"nobody decides for {turn.seat}: {why}")
    return Reply(option.decision, thoughts=(Thought(STAND_IN, f"nobody: {why}"),))


def passing(turn: Turn) -> Option[Any] | None:
    """The option that lets time pass; ``None`` in a world, or at a turn, where there is none."""
    try:
        return turn.menu.passing
    except Refused:
        return None


class PolicyBrain:
    """A policy as a ``Brain``."""

    def __init__(self, policy: Policy) -> None:
        self.name, self.informed = policy.name, policy.informed
        self.settings: Mapping[str, Any] = policy.settings
        self._policy, self._memory = policy, None

    async def think(self, turn: Turn) -> Reply:
        """See ``Brain``."""
        reply = await self._policy.decide(turn, self._memory)
        self._memory = reply.memory
        return reply


class Reporter(PolicyBrain):
    """Who plays the seat that reports. Nobody stands in for it: where it fails, the game ends, with what was
    seen until then."""
