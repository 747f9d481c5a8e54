"""Who decides for a seat and is no person: agents, models, and the stand-in for whoever is away or fails.

What a stand-in decides has a thought in the record that says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from backburner.evaluation.running.calls import JournalKeeper, calls_kept_by
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Answer
from backburner.kernel.errors import BackburnerError, PolicyFailure, Refused, shorten
from backburner.kernel.menu import Option
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.values import Seat, Thought
from backburner.serve.workers import Answered, Asking, Meeting, Met, Needed, Past, WorkerPool

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


class ModelBrain:
    """A language model at a seat of a game, as a ``Brain``. What it was answered before, the journal has."""

    def __init__(self, policy: Policy, keeper: JournalKeeper, seconds: float) -> None:
        self.name, self.informed, self.settings = policy.name, policy.informed, policy.settings
        self._policy, self._keeper, self._seconds = policy, keeper, seconds
        self._memory: Any = None

    async def think(self, turn: Turn) -> Reply:
        """See ``Brain``; raises ``BackburnerError``."""
        try:
            with calls_kept_by(self._keeper):
                async with asyncio.timeout(self._seconds):
                    reply = await self._policy.decide(turn, self._memory)
        except TimeoutError:
            raise PolicyFailure("model", f"no answer within {self._seconds:g} seconds") from None
        self._memory = reply.memory
        return reply


class AgentBrain:
    """A scripted agent at a seat of a game, as a ``Brain``.

    ``state``: the game's present state as JSON. ``past``: what was answered so far, and the steps at which
    this agent decided. Made by ``met``.
    """

    def __init__(
        self,
        workers: WorkerPool,
        meeting: Meeting,
        met: Met,
        world: World[Any, Any, Any],
        state: Callable[[], bytes],
        past: Callable[[], tuple[Sequence[Mapping[Seat, Answer]], Sequence[int]]] | None,
    ) -> None:
        self.name, self.informed = met.name, met.informed
        self.settings: Mapping[str, Any] = met.settings
        self._workers, self._meeting, self._world = workers, meeting, world
        self._state, self._past = state, past
        self._before = 0  # how often it has decided since it was met

    async def think(self, turn: Turn) -> Reply:
        """See ``Brain``; raises ``PolicyFailure``."""
        key, (answers, own) = self._meeting.key, self._past() if self._past else ((), ())
        before = len(own) if self._past else self._before
        asking = Asking(key, turn.index, self._state(), turn.refused, before)
        response = await self._workers.request(key, asking)
        if isinstance(response, Needed):
            # All of it, whatever was asked for: it may be another process that is told.
            past = [Past(key, tuple(map(dict, answers)), tuple(own))] if own else []
            if not self._past:
                self._before, asking = 0, msgspec.structs.replace(asking, before=0)
            response = await self._workers.request(key, self._meeting, *past, asking)
        if not isinstance(response, Answered):
            raise PolicyFailure("agent", f"{self.name} cannot be told what has happened")
        self._before += 1
        answer = response.answer
        said: Any = answer.text
        if said is None:
            said = decision_of(self._world, answer.decision) if answer.unread is None else answer.unread
        return Reply(said, thoughts=answer.thoughts, usage=response.usage)


def meeting_of(
    world: World[Any, Any, Any], key: str, agent: str, model: str, seat: Seat, seed: int
) -> Meeting:
    """What a process is told of an agent and its game."""
    return Meeting(
        key,
        agent,
        model,
        seat,
        seed,
        world.id.partition("/")[0],
        world.id,
        msgspec.to_builtins(world.scenario),
        msgspec.to_builtins(world.rules),
        msgspec.to_builtins(world.limits),
    )


async def met(workers: WorkerPool, meeting: Meeting) -> Met:
    """What an agent says of itself; raises ``PolicyFailure`` if there is no such agent in the world."""
    response = await workers.request(meeting.key, meeting)
    if not isinstance(response, Met):
        raise PolicyFailure("agent", f"{meeting.agent} cannot be met")
    return response
