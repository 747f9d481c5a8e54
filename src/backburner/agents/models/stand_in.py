"""A stand-in for a language model, to rehearse with: it answers as somebody would who plays well, with slips.

It asks nobody and costs nothing, and it is no model: it looks at the world's state, which no model may. It
goes by a policy of the world's pack, ``planned.guide``. Before each decision ``StandInPolicy`` asks that
policy what should be done, and ``StandIn``, the client, puts it into the form that the method's message asks
for. Which slips it makes depends on nothing but its seed, the episode's, and what it is asked.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.attempts import Persistent
from backburner.agents.models.client import Completion, Message, Settings
from backburner.agents.models.method import Method, message_now
from backburner.agents.models.slips import Expected, answer_of
from backburner.agents.planned import guide
from backburner.agents.scripted import SerialPolicy
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import PolicyFailure, PolicyStops, Refused, UnknownName
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.values import Seat

STAND_IN = "stand-in"
"""What names of stand-ins begin with, and the setting by which a record tells that one played."""

USUAL_SKILL = 0.7


class StandIn(Struct, frozen=True):
    """A ``ModelClient`` that asks nobody. ``skill``: the share of its answers that are without a slip.

    Its answers take no tokens and no time. It plays where ``model_policy`` has made its policy, which alone
    knows what should be done.
    """

    skill: float = USUAL_SKILL
    seed: int = 0

    @property
    def name(self) -> str:
        """Such as ``stand-in:skill=0.7``; two that slip in the same places have the same name."""
        seed = f",seed={self.seed}" if self.seed else ""
        return f"{STAND_IN}:skill={self.skill:g}{seed}"

    @property
    def origin(self) -> Mapping[str, Any]:
        """The name, and the mark of a stand-in."""
        return {"model": self.name, STAND_IN: {"skill": self.skill, "seed": self.seed}}

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        """What should be done now, in the form that is asked for; at times something else."""
        asked = _asked.get(None)
        if asked is None:
            raise PolicyFailure(
                "model", f"{self.name} knows nothing outside of a game; model_policy seats it"
            )
        message = message_now.get()
        form = asked.method.answers.get(message, "decision") if message else "decision"
        last = messages[-1].content
        turn = asked.turn
        draw = random.Random(f"{self.seed}/{turn.scenario}/{turn.seed}/{turn.index}/{turn.seat}/{last}")
        slips, share = draw.random() >= self.skill, (1 - self.skill) / 3
        text = await answer_of(asked.expected, form, draw, slips=slips, share=share)
        return Completion(text)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def is_stand_in(model: str) -> bool:
    """Whether the name of a model is that of a stand-in."""
    return model.partition(":")[0] == STAND_IN


def stand_in_named(name: str) -> StandIn:
    """The stand-in of a name such as ``stand-in:skill=0.7,seed=3``; raises ``Refused``, ``UnknownName``."""
    chosen: dict[str, Any] = {}
    for part in filter(None, name.partition(":")[2].split(",")):
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key not in StandIn.__struct_fields__:
            raise UnknownName("option", key, StandIn.__struct_fields__, f"model {name}")
        try:
            chosen[key] = msgspec.convert(value, float if key == "skill" else int, strict=False)
        except msgspec.ValidationError:
            raise Refused(f"model {name}: {key} is a number, not {value!r}") from None
    made = StandIn(**chosen)
    if not 0 <= made.skill <= 1:
        raise Refused(f"model {name}: skill is a number from 0 to 1")
    return made


# --- the policy that seats it ------------------------------------------------------------------------------


class _Asked(Struct, frozen=True):
    """The decision that the running task has to make."""

    method: Method
    turn: Turn
    expected: Expected


_asked: ContextVar[_Asked] = ContextVar("asked")


class _Memories(Struct, frozen=True):
    """What the method remembers, and what the guide does."""

    method: Any = None
    guide: Any = None


class StandInPolicy:
    """A method that asks a ``StandIn``, through whatever else is in between. It is ``informed``."""

    informed = True

    def __init__(self, policy: Policy, method: Method, world: World[Any, Any, Any]) -> None:
        self.name, self.settings = policy.name, policy.settings
        self._policy, self._method, self._world = policy, method, world
        self._guide = _guide(world)

    async def decide(self, turn: Turn, memory: _Memories | None) -> Reply:
        """The method's decision; raises what the method raises."""
        mine = memory or _Memories()
        advised = await self._advised(turn, mine.guide)
        expected = Expected(self._world, self._guide, turn, advised.answer, mine.guide)
        token = _asked.set(_Asked(self._method, turn, expected))
        try:
            reply = await self._policy.decide(turn, mine.method)
        finally:
            _asked.reset(token)
        return replace(reply, memory=_Memories(reply.memory, advised.memory))

    async def _advised(self, turn: Turn, memory: Any) -> Reply:
        """What the guide would do; nothing where it is at its wits' end."""
        try:
            return await self._guide.decide(turn, memory)
        except (PolicyFailure, PolicyStops):
            return Reply("", memory)

    def after(self, world: World[Any, Any, Any], episode: Episode, seat: Seat) -> StandInPolicy | None:
        """Who plays the seat in another attempt, if the method wants one; see ``play_attempts``."""
        if not isinstance(self._policy, Persistent):
            return None
        again = self._policy.after(world, episode, seat)
        return None if again is None else StandInPolicy(again, self._method, self._world)


def _guide(world: World[Any, Any, Any]) -> Policy:
    try:
        return guide(world)
    except Refused:
        return SerialPolicy()
