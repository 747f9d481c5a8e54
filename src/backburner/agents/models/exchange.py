"""The calls that lead to one decision: what is said, thought, remembered and spent on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct, field, structs

from backburner.agents.models.client import Completion, Message, ModelClient, Settings, answered
from backburner.agents.models.decoding import Decoding
from backburner.agents.models.prompts import Prompts
from backburner.kernel.contract import World
from backburner.kernel.play import writable
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.text import Question, Text
from backburner.kernel.values import Seat, Thought, Usage


class Setup(Struct, frozen=True):
    """What is the same for every decision of a policy: the world, whom it asks, how and in which words.

    ``choices``: the method's options, every one with its value.
    """

    world: World[Any, Any, Any]
    client: ModelClient
    decoding: Decoding
    prompts: Prompts
    choices: Mapping[str, str]
    briefings: dict[Seat, str] = field(default_factory=dict)

    def briefing(self, turn: Turn) -> str:
        """What the seat was told before play; it never changes."""
        if turn.seat not in self.briefings:
            self.briefings[turn.seat] = turn.briefing
        return self.briefings[turn.seat]


class Memory(Struct, frozen=True):
    """What is remembered from turn to turn: the conversation so far, and a method's own notes."""

    conversation: tuple[Message, ...] = ()
    notes: Any = None


class Exchange:
    """One decision in the making.

    A method asks and thinks in the growing ``conversation``, or puts together conversations of its own
    with ``render`` and ``complete``; what it wants to find again at the next turn it leaves in ``notes``.
    """

    def __init__(self, setup: Setup, turn: Turn, memory: Memory | None) -> None:
        self.turn = turn
        self.world = setup.world
        self.choices = setup.choices
        before = memory or Memory()
        self.conversation = before.conversation
        self.notes: Any = before.notes
        self.thoughts: tuple[Thought, ...] = ()
        self.usage = Usage()
        self._setup = setup

    def render(self, message: str, **fields: Any) -> str:
        """The method's message of this name, in words."""
        return self._setup.prompts.render(
            message,
            briefing=self.briefing,
            text=self.turn.text,
            first=not self.conversation,
            options=self.choices,
            **fields,
        )

    @property
    def briefing(self) -> str:
        """What the seat was told before play."""
        return self._setup.briefing(self.turn)

    @cached_property
    def question(self) -> Question | None:
        """What the world wants an answer for; ``None``: the next move, as always."""
        return self.world.question(self.turn.observation) if isinstance(self.world, Text) else None

    async def tell(self, question: Question) -> str:
        """The model's answer to a question for something else than a move, in the world's words alone.

        It has a conversation of its own, as the world tells again what was answered.
        """
        asked = Message("user", f"{self.briefing}\n\n{self.turn.text}")
        return await self._call((asked,), self._setup.decoding.of(question.purpose, question.parts))

    async def complete(self, message: str, conversation: Sequence[Message]) -> str:
        """The model's answer to a conversation that ends with this message; nothing is remembered."""
        return await self._call(conversation, self._setup.decoding.of(message))

    async def ask_alone(self, message: str, system: str = "", **fields: Any) -> str:
        """The model's answer to a message by itself, after ``system`` if that is given; nothing is
        remembered."""
        asked = Message("user", self.render(message, **fields))
        return await self.complete(message, (Message("system", system), asked) if system else (asked,))

    async def ask(self, message: str, **fields: Any) -> str:
        """Send a message; the model's answer, which stays in the conversation."""
        self.conversation += (Message("user", self.render(message, **fields)),)
        text = await self.complete(message, self.conversation)
        self.conversation += (answered(text),)
        return text

    async def think(self, message: str, **fields: Any) -> str:
        """``ask``, and note the answer as a thought of that name."""
        text = await self.ask(message, **fields)
        self.note(message, text)
        return text

    def note(self, purpose: str, text: str) -> None:
        """Keep a text in the record as a thought."""
        self.thoughts += (Thought(purpose, text),)

    async def _call(self, conversation: Sequence[Message], settings: Settings) -> str:
        completion = await self._setup.client.complete(conversation, settings)
        self.usage = _add(self.usage, completion)
        return writable(completion.text)

    def reply(self, answer: Any) -> Reply:
        """The answer with everything that goes with it."""
        return Reply(answer, Memory(self.conversation, self.notes), self.thoughts, self.usage)


def _add(usage: Usage, completion: Completion) -> Usage:
    endings = usage.endings
    if (ending := completion.ending if completion.text.strip() else completion.ending or "empty") != "":
        endings = {**endings, ending: endings.get(ending, 0) + 1}
    return structs.replace(
        usage,
        seconds=usage.seconds + completion.seconds,
        calls=usage.calls + 1,
        input_tokens=usage.input_tokens + completion.input_tokens,
        output_tokens=usage.output_tokens + completion.output_tokens,
        endings=endings,
    )
