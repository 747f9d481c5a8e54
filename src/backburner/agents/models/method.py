"""A prompting method: how a model is asked for a decision, and the choices that it leaves open.

A method is a few calls written down as a function over an ``Exchange`` (one decision in the making), a folder
of templates with the words of each call, and choices, written behind its name: ``react@history=none``. It
knows worlds by their capabilities only.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import cached_property
from math import ceil
from typing import Any, Literal

from msgspec import Struct, field, structs

from backburner.agents.models.client import (
    REPLIES,
    Completion,
    Decoding,
    Message,
    ModelClient,
    RequestDigests,
    Settings,
    answered,
    sent_to,
)
from backburner.agents.models.prompts import Prompts
from backburner.agents.models.toolbox import NO_TOOLS, Toolbox, all_written, written
from backburner.drawing.png import Picture, picture_of
from backburner.kernel.clock import BYTES_OF_A_TOKEN, Call, Generated, counted
from backburner.kernel.contract import World
from backburner.kernel.episode import Answer, Entry, Episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.replay import final_state
from backburner.kernel.text import Part, Question, only, speaks, without
from backburner.kernel.tools import ToolCall
from backburner.kernel.turns import heard, turn_of
from backburner.kernel.values import WHOLE_ANSWER, Seat, Sent, Thought, Usage, writable
from backburner.kernel.wrapping import REASONING

# --- an exchange: the calls that lead to one decision ------------------------------------------------------


class Setup(Struct, frozen=True):
    """What is the same for every decision of a policy: the world, whom it asks, how and in which words.

    ``choices``: the method's options, every one with its value. ``slow``: whom a method of two models asks
    beside its client. ``requests`` names what is sent, for the
    record; ``None``: nobody is asked.
    """

    world: World[Any, Any, Any]
    client: ModelClient
    decoding: Decoding
    prompts: Prompts
    choices: Mapping[str, str]
    requests: RequestDigests | None = None
    slow: ModelClient | None = None
    briefings: dict[tuple[Seat, str], str] = field(default_factory=dict)

    def briefing(self, turn: Turn) -> str:
        """What the seat was told before play; it never changes, but for what it says of the clock."""
        key = turn.seat, "" if turn.clock is None else turn.clock.briefing
        if key not in self.briefings:
            self.briefings[key] = turn.briefing
        return self.briefings[key]


message_now: ContextVar[str] = ContextVar("message_now")
"""The message that the running task waits for the answer to; empty for a question of the world.

Models have no use for it. What stands in for one goes by it (see ``stand_in``)."""


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
        self.calls: tuple[Generated, ...] = ()
        self.beside: Usage | None = None
        self._shown = False
        self._answered: tuple[tuple[Sent, str], ...] = ()
        self._setup = setup

    def render(self, message: str, **fields: Any) -> str:
        """The method's message of this name, in words."""
        return self._setup.prompts.render(
            message,
            briefing=self.briefing,
            text=self.text,
            first=not self.conversation,
            options=self.choices,
            **fields,
        )

    @property
    def briefing(self) -> str:
        """What the seat was told before play."""
        return self._setup.briefing(self.turn)

    @cached_property
    def text(self) -> str:
        """What the seat is told now; how things stand in words only where no picture is in their place."""
        if self.choices.get(SEE) != "picture":
            return self.turn.text
        clock = "" if self.turn.clock is None else self.turn.clock.told
        return "\n\n".join(filter(None, (clock, without(self.parts))))

    @cached_property
    def picture(self) -> Picture | None:
        """What the seat sees, where the choices ask for it."""
        scene = self.turn.scene if SEE in self.choices else None
        return None if scene is None else picture_of(scene, float(self.choices[ZOOM]))

    @property
    def parts(self) -> Sequence[Part]:
        """What the world tells of this moment; where a picture is in place of words, it says so."""
        parts = self.world.description_parts(self.turn.observation) if speaks(self.world) else ()
        if self.choices.get(SEE) != "picture":
            return parts
        return (Part("state", IN_THE_PICTURE), *(part for part in parts if part.kind != "state"))

    def message(self, content: str) -> Message:
        """To the model, with what the seat sees if the words tell this moment."""
        shows = SEE in self.choices and self.text in content
        self._shown = self._shown or shows
        return Message("user", content, self.picture if shows else None)

    @cached_property
    def question(self) -> Question | None:
        """What the world wants an answer for; ``None``: the next move, as always."""
        return self.world.question(self.turn.observation) if speaks(self.world) else None

    async def tell(self, question: Question) -> str:
        """The model's answer to a question for something else than a move, in the world's words alone.

        It has a conversation of its own, as the world tells again what was answered.
        """
        asked = self.message(f"{self.briefing}\n\n{self.text}")
        settings = self._setup.decoding.of(question.purpose, question.parts)
        return await self._call("", (asked,), settings)

    async def complete(self, message: str, conversation: Sequence[Message]) -> str:
        """The model's answer to a conversation that ends with this message; nothing is remembered."""
        return await self._call(message, conversation, self._setup.decoding.of(message))

    async def ask_alone(self, message: str, system: str = "", **fields: Any) -> str:
        """The model's answer to a message by itself, after ``system`` if that is given; nothing is
        remembered."""
        asked = self.message(self.render(message, **fields))
        return await self.complete(message, (Message("system", system), asked) if system else (asked,))

    async def consult(self, message: str, **fields: Any) -> tuple[str, Call]:
        """All that the slow model thinks and says to a message by itself, and the call.

        It is spent beside this thought: no clock charges it.
        """
        client, clock = self._setup.slow, self.turn.clock
        assert client is not None and clock is not None  # noqa: S101  # methods of two models are asked with both
        message_now.set(message)
        asked = self.message(self.render(message, **fields))
        completion = await client.complete((asked,), self._setup.decoding.of(message))
        self.beside = (self.beside or Usage()) + cost_of(completion)
        words = "\n\n".join(filter(None, (completion.reasoning.strip(), completion.text.strip())))
        call = counted(generated(completion, client), clock.count, clock.mode == "seconds")
        return writable(words), call

    def complaint(self) -> tuple[str, str]:
        """(what was refused and what has changed, what is asked) of the turn's text.

        What the text tells before that goes on in the last message of the conversation.
        """
        parts = self.parts
        refusals = [place for place, part in enumerate(parts) if part.kind == "feedback"]
        begin = refusals[0] if refusals else 0
        if earlier := without(parts[:begin], "question"):
            self._say(earlier)
        return without(parts[begin:], "question"), only(parts, "question")

    def tell_only(self, message: str, **fields: Any) -> None:
        """Put a message into the conversation; ``complete`` asks for its answer."""
        self._say(self.render(message, **fields))

    def _say(self, text: str) -> None:
        """To the model; a message that it has not answered in the conversation goes on.

        The first of a turn shows what the seat sees, whatever it tells.
        """
        said = self.message(text)
        if SEE in self.choices and not self._shown:
            said, self._shown = structs.replace(said, picture=self.picture), True
        *before, last = self.conversation or (Message("assistant", ""),)
        if last.role == "user":
            said = Message("user", f"{last.content}\n\n{text}", said.picture or last.picture)
            self.conversation = (*before, said)
        else:
            self.conversation += (said,)

    async def ask(self, message: str, **fields: Any) -> str:
        """Send a message; the model's answer, which stays in the conversation."""
        self._say(self.render(message, **fields))
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

    async def call(self, message: str, tools: Toolbox) -> tuple[str, tuple[ToolCall, ...]]:
        """The model's answer to the conversation, which ends with this message: its words, and its calls of
        tools. Neither is remembered."""
        settings = self._setup.decoding.of(message)
        return await self._completed(message, self.conversation, settings, tools)

    async def _call(self, message: str, conversation: Sequence[Message], settings: Settings) -> str:
        return (await self._completed(message, conversation, settings))[0]

    async def _completed(
        self,
        message: str,
        conversation: Sequence[Message],
        settings: Settings,
        tools: Toolbox = NO_TOOLS,
    ) -> tuple[str, tuple[ToolCall, ...]]:
        """What the world hears of the model's answer; what was thought on the way to it is noted."""
        message_now.set(message)
        client, requests = self._setup.client, self._setup.requests
        settings = self._in_time(conversation, settings)
        offered = (tools,) if tools.tools else ()
        completion = await client.complete(conversation, settings, *offered)
        text, reasoning = writable(completion.text), completion.reasoning.strip()
        if reasoning and speaks(self.world) and self.world.reads_reasoning(client.name):
            text, reasoning = f"<think>{writable(completion.reasoning)}</think>{text}", ""
        said = heard(self.world, text)
        thoughts = "\n\n".join(filter(None, (reasoning, said.thoughts)))
        made = generated(structs.replace(completion, text=said.answer, reasoning=thoughts), client)
        self.usage += cost_of(structs.replace(completion, text=said.answer))
        self.calls += (made,)
        if thoughts:
            self.note(REASONING, thoughts)
        if requests is not None:
            sent = Sent(sent_to(client.name, requests.of(conversation, settings, tools)), completion.id)
            self._answered += ((sent, all_written(completion.calls) if completion.calls else said.answer),)
        return said.answer, completion.calls

    def _in_time(self, conversation: Sequence[Message], settings: Settings) -> Settings:
        """The settings of a call within the longest thought: with no more tokens than there is time for.

        How many tokens a conversation has is estimated by its bytes and the sizes of its pictures.
        """
        clock = self.turn.clock
        if clock is None or not clock.limit_microseconds:
            return settings
        words = sum(map(_bytes_of, conversation))
        seen = sum(message.picture.tokens for message in conversation if message.picture)
        calls = [counted(made, clock.count) for made in self.calls]
        left = clock.tokens_left((*calls, Call(input=ceil(words / BYTES_OF_A_TOKEN) + seen)))
        if left is None or (settings.max_tokens is not None and settings.max_tokens <= left):
            return settings
        return structs.replace(settings, max_tokens=max(left, 1))

    def reply(self, answer: Any) -> Reply:
        """The answer with everything that goes with it."""
        thoughts = [thought.text for thought in self.thoughts]
        usage = structs.replace(
            self.usage,
            requests=tuple(
                structs.replace(sent, said=_place(said, thoughts, answer)) for sent, said in self._answered
            ),
        )
        return Reply(
            answer, Memory(self.conversation, self.notes), self.thoughts, usage, self.calls, self.beside
        )


def _bytes_of(message: Message) -> int:
    return len(message.content.encode()) + sum(len(call.arguments.encode()) for call in message.calls)


def _place(said: str, thoughts: Sequence[str], answer: Any) -> int | str:
    """Where a record has the words of one call; see ``Sent``."""
    if said == answer:
        return WHOLE_ANSWER
    return thoughts.index(said) if said in thoughts else said


def cost_of(completion: Completion) -> Usage:
    """What one call cost; an answer without words and calls counts as ``empty`` if nothing else is told of
    its end."""
    ending = completion.ending or ("" if completion.text.strip() or completion.calls else "empty")
    return Usage(
        completion.seconds,
        1,
        completion.input_tokens,
        completion.output_tokens,
        {ending: 1} if ending else {},
        completion.cached_tokens,
        completion.reasoning_tokens,
        {completion.server: 1} if completion.server else {},
        completion.lost,
    )


def generated(completion: Completion, client: ModelClient) -> Generated:
    """One call as a clock counts it; the words of a script by their bytes, whatever it tells."""
    cost = cost_of(completion)
    told = structs.replace(cost, output_tokens=0) if REPLIES in client.origin else cost
    said, thought = (len(writable(text).encode()) for text in (completion.text, completion.reasoning))
    said += sum(len(written(call).encode()) for call in completion.calls)
    return Generated(told, said, thought, completion.answered_seconds)


# --- a method, and its choices -----------------------------------------------------------------------------


AT = "@"


class Option(Struct, frozen=True):
    """One choice: its default, what it is about, and the values it may have.

    Without ``values`` it is a whole number from 0 to ``most``, or any text if that is ``None``.
    """

    default: str
    about: str
    values: tuple[str, ...] = ()
    most: int | None = None


def split_name(name: str) -> tuple[str, dict[str, str]]:
    """(method, choices) of a name such as ``react@history=none,plan=on``. Raises ``Refused``."""
    method, at, tail = name.partition(AT)
    chosen: dict[str, str] = {}
    for part in tail.split(",") if at else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key in chosen:
            raise Refused(f"agent {name!r}: a choice is written key=value, once; not {part!r}")
        chosen[key] = value
    return method.strip(), chosen


def joined(method: str, chosen: Mapping[str, str]) -> str:
    """The name with its choices in order; the inverse of ``split_name``."""
    tail = ",".join(f"{key}={value}" for key, value in sorted(chosen.items()))
    return f"{method}{AT}{tail}" if tail else method


def settled(
    method: str, options: Mapping[str, Option], defaults: Mapping[str, str], chosen: Mapping[str, str]
) -> dict[str, str]:
    """Every option with its value: chosen, by the world's ``defaults``, or the option's own.

    Raises ``UnknownName`` for an option or value that the method does not have, ``Refused`` for what is
    not a number where there has to be one.
    """
    for key, value in chosen.items():
        if key not in options:
            raise UnknownName("option", key, options, f"method {method}")
        _check(method, key, options[key], value)
    values = {key: option.default for key, option in options.items()}
    return {**values, **defaults, **chosen}


def _check(method: str, key: str, option: Option, value: str) -> None:
    if option.values and value not in option.values:
        raise UnknownName(f"{key} of method {method}", value, option.values)
    if option.values or option.most is None:
        return
    if not (value.isascii() and value.isdecimal()) or int(value) > option.most:
        raise Refused(f"method {method}: {key} is a number from 0 to {option.most}, not {value!r}")


SEE, ZOOM = "see", "zoom"

IN_THE_PICTURE = "The picture shows how things stand.\n\n"
"""Stands in the words where a picture is in place of them."""

SEEING: Mapping[str, Option] = {
    SEE: Option(
        "text", "how things stand is told (text), shown (picture), or both", ("text", "picture", "both")
    ),
    ZOOM: Option("1", "how large pictures are, 1: letters of 10 pixels", ("1", "1.5", "2", "3")),
}
"""The choices of every method. Where nothing is shown they are no choices, and no record has them."""


def seeing(choices: Mapping[str, str], chosen: Mapping[str, str]) -> dict[str, str]:
    """All choices but those of pictures where none is shown. Raises ``Refused`` for a size of no picture."""
    if choices[SEE] != "text":
        return dict(choices)
    if ZOOM in chosen:
        raise Refused(f"zoom={chosen[ZOOM]} is of pictures: see=picture, or see=both")
    return {key: value for key, value in choices.items() if key not in SEEING}


def in_words(name: str, where: str) -> None:
    """Raises ``Refused`` if the method of this name shows pictures ``where`` all is told in words."""
    if shows_pictures(name):
        raise Refused(f"method {name!r} shows pictures, and {where} are of words alone: see=text")


def shows_pictures(name: str) -> bool:
    """Whether the method of this name shows pictures."""
    return split_name(name)[1].get(SEE, "text") != "text"


USED_UP = "the plan is used up"
"""Why play stops where a plan that was made before it has no more decisions."""

AIM = Option(
    default="time",
    about="what comes first: time, or that nothing is violated (Recipe2Plan, section 5.1)",
    values=("time", "feasibility"),
)


class Attempt(Struct, frozen=True):
    """What is asked about: a finished attempt of one seat, the method's choices, the notes it began with."""

    world: World[Any, Any, Any]
    episode: Episode
    seat: Seat
    choices: Mapping[str, str]
    notes: Any


class Said(Struct, frozen=True):
    """One decision: all that was answered, and whether it, or a part of it, was refused."""

    answer: str
    refused: bool


class LookedBack(Struct, frozen=True):
    """A seat's decisions in order, what it would be told at the end, and why play ended."""

    said: tuple[Said, ...]
    text: str
    reason: str


def look_back(attempt: Attempt) -> LookedBack:
    """All that was said; of what was told the end alone, as whole attempts are long."""
    episode, seat = attempt.episode, attempt.seat
    state = final_state(episode, attempt.world)
    turn = turn_of(attempt.world, state, seat, len(episode.entries), episode.header.seed)
    reason = episode.ending.reason if episode.ending is not None else ""
    return LookedBack(tuple(_said(attempt)), turn.text, reason.replace("_", " "))


def _said(attempt: Attempt) -> Iterator[Said]:
    for entry in attempt.episode.entries:
        answer = entry.decided.get(attempt.seat)
        if answer is not None:
            yield Said(_in_full(answer), _refused(entry, attempt.seat))


def _in_full(answer: Answer) -> str:
    return "\n".join(filter(None, (*answer.thoughts_for("think"), answer.text)))


def _refused(entry: Entry, seat: Seat) -> bool:
    return any(refusal.seat == seat for refusal in entry.refusals)


def fits(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    """Nothing speaks against it."""
    return ""


def no_more(attempt: Attempt) -> None:
    """One attempt is all."""


def nothing_else(world: World[Any, Any, Any], choices: Mapping[str, str]) -> Mapping[str, Any]:
    """Words are all that a model is sent."""
    return {}


Form = Literal[
    "decision",
    "thoughts",
    "both",
    "reasoned",
    "plan",
    "plan with changes",
    "whole plan",
    "calls",
    "problem",
    "program",
]
"""What the answer to a message holds: a decision; thoughts that nobody reads but the model; both, the
decision behind ``Action:``; a decision with its reason; all decisions to the end, one by one, with what each
changes, or as one decision; calls of tools; a scheduling problem as JSON, or as a program of MiniZinc."""


class Method(Struct, frozen=True):
    """A prompting method.

    ``decide`` gives the answer to one turn. ``messages``: every message it sends, by the name of its
    template, with values for the names that the template knows beside ``briefing``, ``text``, ``first``
    and ``options``; templates are tried out with them. What else is usual in a world by its article, its
    pack says. ``answers``: what the answers to messages hold, where it is more or other than a decision.
    ``informed``: whether it is told more than its seat may know, such as a critic's word. ``advised``:
    whether it asks a slow model as well, which goes on thinking while the other decides: only with a clock.
    ``check`` says why method and choices make no sense in a world, and nothing if they do. ``retry``: the
    notes with which another attempt begins after one that is over; ``None`` if there is to be none.
    ``told``: what else goes over to the model, for the record. ``added``: for options that came later the
    messages that are sent only where they are chosen; as it is by default, such an option is no choice, and
    no record has it. ``informs``: options that, where chosen, make it ``informed``. ``runs``: options that,
    where chosen, let it run what its model writes as a program.
    """

    name: str
    summary: str
    source: str
    decide: Callable[[Exchange], Awaitable[Any]]
    messages: Mapping[str, Mapping[str, Any]]
    options: Mapping[str, Option] = field(default_factory=dict)
    answers: Mapping[str, Form] = field(default_factory=dict)
    informed: bool = False
    advised: bool = False
    check: Callable[[World[Any, Any, Any], Mapping[str, str]], str] = fits
    retry: Callable[[Attempt], Any] = no_more
    told: Callable[[World[Any, Any, Any], Mapping[str, str]], Mapping[str, Any]] = nothing_else
    added: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    informs: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()

    def recorded(self, choices: Mapping[str, str]) -> dict[str, str]:
        """The choices that a record has."""
        default = {key: self.options[key].default for key in self.added}
        return {key: value for key, value in choices.items() if default.get(key) != value}

    def sent(self, choices: Mapping[str, str]) -> Mapping[str, Mapping[str, Any]]:
        """The messages with these choices, of those that a record has."""
        more = (messages for key, messages in self.added.items() if key in choices)
        return {**self.messages, **{name: fields for each in more for name, fields in each.items()}}
