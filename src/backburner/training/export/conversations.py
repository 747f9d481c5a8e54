"""Demonstrations as conversations: a method asks for every decision, and is answered from the demonstration.

The method is the one that ``run`` plays with, in the same world, with the same words; only what is behind it
is no model. So the messages are what a model would have been sent, byte for byte, and the world has read and
accepted each answer as it stands there.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import Any

from msgspec import Struct, structs
from msgspec.json import encode

from backburner.agents.models.by_calls import calls_for
from backburner.agents.models.client import Completion, Message, Settings, answered
from backburner.agents.models.method import Form, Method, in_words, message_now, split_name
from backburner.agents.models.methods import METHODS
from backburner.agents.models.methods.calls import WHY, numbered
from backburner.agents.models.policy import model_policy
from backburner.agents.models.stand_in import Expected, answer_of, labelled
from backburner.agents.models.toolbox import NO_TOOLS, Toolbox, given_in
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Episode
from backburner.kernel.errors import PolicyFailure, PolicyStops, Refused, shorten
from backburner.kernel.play import play_now
from backburner.kernel.policy import PlainPolicy, Policy, Reply, Turn
from backburner.kernel.tools import ToolCall
from backburner.kernel.values import Refusal, Seat
from backburner.training.export.demonstrations import Demonstration
from backburner.training.export.thoughts import Thinker


class Call(Struct, frozen=True):
    """One call to the model: for which seat and decision point, what was sent, what was answered in words or
    by calls of which tools."""

    seat: Seat
    index: int
    sent: tuple[Message, ...]
    answer: str
    calls: tuple[ToolCall, ...] = ()
    tools: Toolbox = NO_TOOLS

    @property
    def said(self) -> Message:
        """The answer as it is told again."""
        return Message("assistant", self.answer, calls=self.calls) if self.calls else answered(self.answer)


class Conversation(Struct, frozen=True):
    """One conversation from its first message to the last answer; ``first``, ``last``: its decision points.

    ``own``: the places of the answers that were given in it. Other messages of the assistant are told again
    from before, or are examples.
    """

    seat: Seat
    first: int
    last: int
    messages: tuple[Message, ...]
    own: tuple[int, ...]
    tools: Toolbox = NO_TOOLS


def calls_of(shown: Demonstration, method: str, thinker: Thinker | None) -> list[Call]:
    """Every call of the method in the demonstration, in order of decision points and seats.

    ``thinker`` makes the thoughts of answers that hold some; without it they have none. Raises ``Refused``
    where the method makes no sense in the world, or cannot say what the demonstration does.
    """
    in_words(method, "these conversations")
    world = shown.world
    teacher = Teacher(METHODS[split_name(method)[0]], thinker)
    asked = model_policy(method, world, teacher)
    teacher.plans = asked.settings.get("choices", {}).get("plan") == "on"
    policy = Taught(asked, Recorded(world, shown.episode), world)
    episode = play_now(world, policy, shown.seed, max_steps=len(shown.episode.entries))
    if [entry.digest for entry in episode.entries] != [entry.digest for entry in shown.episode.entries]:
        why = episode.ending.reason if episode.ending is not None else ""
        where = len(episode.entries)
        raise Refused(
            f"method {method!r} does not say what was done: {why or 'other states'} at step {where}"
        )
    seats = {seat: place for place, seat in enumerate(world.seats)}
    return sorted(teacher.calls, key=lambda call: (call.index, seats[call.seat]))


def conversations(calls: Sequence[Call]) -> list[Conversation]:
    """The calls as conversations: one that goes on where a former call of its seat stopped is one with it.

    In the order of their first calls.
    """
    found: list[Conversation] = []
    latest: dict[Seat, int] = {}
    for call in calls:
        place = latest.get(call.seat)
        messages = (*call.sent, call.said)
        before = None if place is None else found[place]
        if place is not None and before and call.sent[: len(before.messages)] == before.messages:
            own = (*before.own, len(call.sent))
            found[place] = Conversation(call.seat, before.first, call.index, messages, own, call.tools)
        else:
            latest[call.seat] = len(found)
            own = (len(call.sent),)
            found.append(Conversation(call.seat, call.index, call.index, messages, own, call.tools))
    return found


# --- who answers -------------------------------------------------------------------------------------------


class Recorded(PlainPolicy):
    """Decides as a record has it, wherever it is asked from; an ``informed`` policy without a memory."""

    name = "recorded"
    informed = True

    def __init__(self, world: World[Any, Any, Any], episode: Episode) -> None:
        self._answers: dict[tuple[int, Seat], Any] = {
            (answer.thought.asked if answer.thought is not None else entry.index, seat): (
                answer.text or "" if answer.unread is not None else decision_of(world, answer.decision)
            )
            for entry in episode.entries
            for seat, answer in entry.decided.items()
        }

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """What was decided at this decision point; raises ``PolicyFailure`` after the last."""
        if (turn.index, turn.seat) not in self._answers:
            raise PolicyFailure("record", f"the record has nothing of {turn.seat} at step {turn.index}")
        answer = self._answers[turn.index, turn.seat]
        return Reply("" if isinstance(answer, Refusal) else answer)


class _Asked(Struct, frozen=True):
    """The decision that the running task has to make."""

    turn: Turn
    expected: Expected


_asked: ContextVar[_Asked] = ContextVar("asked of a demonstration")


class Teacher:
    """A ``ModelClient`` that answers from a demonstration, and remembers every call.

    ``plans``: whether thoughts end with a plan, as the method's choices may want.
    """

    name = "demonstration"
    origin: Mapping[str, Any] = {"model": "demonstration"}

    def __init__(self, method: Method, thinker: Thinker | None) -> None:
        self.calls: list[Call] = []
        self.plans = False
        self._method, self._thinker = method, thinker

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        """What was decided, in the form that is asked for."""
        asked, message = _asked.get(), message_now.get()
        form = self._method.answers.get(message, "decision") if message else "decision"
        text, calls = "", tuple[ToolCall, ...]()
        if form == "calls":
            known = {call.id for told in messages for call in told.calls}
            calls = numbered(self._called(asked, message, tools), known)
        else:
            text = await self._answer(asked, message, form, messages)
        self.calls.append(Call(asked.turn.seat, asked.turn.index, tuple(messages), text, calls, tools))
        return Completion(text, calls=calls)

    def _called(self, asked: _Asked, message: str, tools: Toolbox) -> tuple[ToolCall, ...]:
        """The calls, each with the thought as its reason where every tool asks for one."""
        words, turn = asked.expected.words, asked.turn
        if not (calls := calls_for(asked.expected.world, turn, words, tools)):
            raise PolicyStops(f"no tool can say {shorten(words)!r}")
        if not all(WHY in tool.parameters["properties"] for tool in tools.tools):
            return calls
        if self._thinker is None:
            raise PolicyStops("it asks for reasons, and no thoughts are wanted")
        reason = {WHY: self._thinker.thought(turn.index, turn.seat, message)}
        return tuple(
            structs.replace(call, arguments=encode({**reason, **given_in(call)}).decode()) for call in calls
        )

    async def _answer(self, asked: _Asked, message: str, form: Form, sent: Sequence[Message]) -> str:
        expected, turn = asked.expected, asked.turn
        if self._thinker is not None:
            thought = self._thinker.thought(turn.index, turn.seat, message)
            if form == "both":
                if self.plans:
                    thought += f" Plan: {self._thinker.plan(turn.index, turn.seat)}."
                return f"{_heading(sent)}: {thought}\n{labelled(expected.words)}"
            expected = structs.replace(expected, thought=thought)
        elif form in ("thoughts", "reasoned"):
            raise PolicyStops(f"it asks for thoughts ({message}), and none are wanted")
        elif form == "both":
            return labelled(expected.words)
        return await answer_of(expected, form, random.Random(0), slips=False, share=0)

    async def aclose(self) -> None:
        """Nothing to let go of."""


_PLACEHOLDER = re.compile(r"^(\w{1,20}): <your thoughts>$", re.MULTILINE)


def _heading(sent: Sequence[Message]) -> str:
    """What the prompt has thoughts begin with."""
    found = next((mark for message in sent if (mark := _PLACEHOLDER.search(message.content))), None)
    return found[1] if found is not None else "Thought"


class Taught:
    """A method that asks a ``Teacher``, with the decision of a guide for each turn. It is ``informed``."""

    informed = True

    def __init__(self, policy: Policy, guide: Policy, world: World[Any, Any, Any]) -> None:
        self.name, self.settings = policy.name, policy.settings
        self._policy, self._guide, self._world = policy, guide, world

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The method's decision; raises what the method raises."""
        try:
            advised = await self._guide.decide(turn, None)
        except PolicyFailure as failure:
            raise PolicyStops(str(failure)) from failure
        token = _asked.set(_Asked(turn, Expected(self._world, self._guide, turn, advised.answer, None)))
        try:
            return await self._policy.decide(turn, memory)
        finally:
            _asked.reset(token)
