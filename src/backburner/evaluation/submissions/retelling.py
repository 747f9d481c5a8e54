"""What a model was sent: a record is played again with its prompting method; the model's part is retold.

A record keeps answers and thoughts, and no prompts. Prompts follow from world, method, wording and what was
answered before, all of which the record tells; so they are made again, and whatever does not come to the
recorded answer is said to be unknown. Records of before requests were named keep some answers in pieces.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from backburner.agents.models.client import Completion, Message, RequestDigests, Settings, sent_to
from backburner.agents.models.method import Form, message_now
from backburner.agents.models.methods.calls import SAID
from backburner.agents.models.methods.reflexion import ATTEMPT
from backburner.agents.models.methods.stepwise import TRY, WITHOUT
from backburner.agents.models.policy import ModelPolicy, policy_in_record
from backburner.agents.models.toolbox import CALL, NO_TOOLS, Toolbox, all_written, calls_in
from backburner.evaluation.records import former, journal_of
from backburner.evaluation.running.calls import answers_kept
from backburner.kernel.contract import World
from backburner.kernel.episode import Answer, Episode, read_episode
from backburner.kernel.errors import BackburnerError, PolicyFailure, Refused, ReplayMismatch
from backburner.kernel.policy import REASON, Reply
from backburner.kernel.replay import Question, questions
from backburner.kernel.tools import ToolCall
from backburner.kernel.turns import turn_of
from backburner.kernel.values import WHOLE_ANSWER, Refusal, Seat, Sent, Thought, Usage, json_values
from backburner.kernel.wrapping import REASONING

MOST_DECISIONS = 2000
"""Answers of an episode whose prompts are made again."""

MOST_ATTEMPTS = 20


NOTHING = Usage()


class Call(Struct, frozen=True):
    """What was sent under a method's ``message``, and its name as a request to the model (``sent_to``);
    ``answer`` is ``None`` where none came."""

    message: str
    conversation: tuple[Message, ...]
    answer: str | None
    request: str = ""


class Asked(Struct, frozen=True):
    """The calls by (step, seat), and for each seat why there are none, or none from some step on.

    ``departed``: the seats whose method, given what was answered, does not come to what is recorded.
    ``pieced``: whether answers are among them that the record keeps in pieces, so that blanks and words
    around thoughts and decision may have been others.
    """

    calls: Mapping[tuple[int, Seat], tuple[Call, ...]] = field(default_factory=dict)
    unknown: Mapping[Seat, str] = field(default_factory=dict)
    departed: frozenset[Seat] = frozenset()
    pieced: bool = False


def asked_in(path: Path, episode: Episode, world: World[Any, Any, Any], *, words: bool = True) -> Asked:
    """The calls of an episode whose record is (or was) at ``path``. What cannot be told, ``unknown`` says.

    Without ``words`` the calls have their names alone: those of a long episode hold each message many times.
    """
    tellers: dict[Seat, Teller] = {}
    unknown: dict[Seat, str] = {}
    departed: frozenset[Seat] = frozenset()
    for seat, player in episode.header.players.items():
        try:
            tellers[seat] = Teller(path, episode, world, seat, words=words)
        except BackburnerError as error:
            unknown[seat] = f"{player.name}: {error}"
            departed |= {seat} if isinstance(error, ReplayMismatch) else set()
    if not tellers:
        return Asked({}, unknown, departed)
    models = [teller.model for teller in tellers.values()]
    seats = frozenset(tellers)
    calls = asyncio.run(_asked(episode, world, tellers, unknown))
    return Asked(calls, unknown, departed | seats - tellers.keys(), any(model.pieced for model in models))


async def _asked(
    episode: Episode, world: World[Any, Any, Any], tellers: dict[Seat, Teller], unknown: dict[Seat, str]
) -> Mapping[tuple[int, Seat], tuple[Call, ...]]:
    """The calls; takes those from ``tellers`` whose further calls are unknown."""
    calls: dict[tuple[int, Seat], tuple[Call, ...]] = {}
    goes_on = episode.ending is None or episode.ending.status in ("failed", "interrupted")
    for question in questions(episode, world):
        seat, answer = question.seat, question.answer
        teller = tellers.get(seat)
        if teller is None or (answer is None and not goes_on):
            continue
        if answer is None:
            calls[question.index, seat], _ = await teller.again(question)
            continue
        if len(calls) == MOST_DECISIONS:
            unknown.setdefault(seat, f"of {MOST_DECISIONS} answers, and no more, prompts are made again")
            continue
        step = question.index if question.decided is None else question.decided
        found, why = await teller.again(question, episode.entries[step].usage.get(seat, NOTHING))
        calls[step, seat] = found
        if why:
            unknown[seat] = f"from step {step} on what was sent is unknown: {why}"
            del tellers[seat]
    return {place: found for place, found in calls.items() if found}


class Teller:
    """One seat's method, asked again for each of its decisions."""

    def __init__(
        self, path: Path, episode: Episode, world: World[Any, Any, Any], seat: Seat, *, words: bool
    ) -> None:
        self._world, self._seat, self._seed = world, seat, episode.header.seed
        settings, clock = episode.header.players[seat].settings, episode.header.clock
        if clock is not None and clock.limit_microseconds and clock.count == "bytes":
            raise Refused("how much of the longest thought was left to a call, bytes alone do not tell")
        self.model = _Retold(path, str(settings.get("model", "")), words=words)
        policy: ModelPolicy | None = policy_in_record(settings, world, self.model)
        for number in range(1, MOST_ATTEMPTS):
            attempt = former(path, number)
            if policy is None or not attempt.is_file():
                break
            policy = policy.after(world, read_episode(attempt), seat)
        if policy is None:
            raise Refused("the attempts before this one are not those of the record")
        if policy.tries_again and _is_later(episode, seat) and not former(path, 1).is_file():
            raise Refused("the attempts before this one are not at hand")
        self._policy = policy
        self.model.forms = policy.forms
        self._memory: Any = None

    async def again(self, asked: Question, usage: Usage = NOTHING) -> tuple[tuple[Call, ...], str]:
        """The calls for a decision, and why they may have been others.

        ``usage``: what the record has of its cost and requests.
        """
        answer = asked.answer
        turn = turn_of(
            self._world,
            asked.state,
            self._seat,
            asked.index,
            self._seed,
            informed=self._policy.informed,
            refused=asked.refused,
            clock=asked.clock,
        )
        self.model.begin(answer, usage.requests)
        try:
            reply = await self._policy.decide(turn, self._memory)
        except BackburnerError as error:
            return tuple(self.model.calls), "" if answer is None else str(error)
        self._memory = reply.memory
        why = "" if answer is None or _same(reply, answer) else "the method does not come to this answer"
        return tuple(self.model.calls), why


def _is_later(episode: Episode, seat: Seat) -> bool:
    """Whether the record says that its first decision looks back on an attempt before it."""
    first = next((entry.answers[seat] for entry in episode.entries if seat in entry.decided), Answer())
    return any(thought.purpose == ATTEMPT for thought in first.thoughts)


def _same(reply: Reply, answer: Answer) -> bool:
    """Whether the method comes to what is recorded; what a model thinks of its own accord is not retold."""
    if isinstance(reply.answer, str):
        same = reply.answer == answer.text
    elif isinstance(reply.answer, Refusal):
        same = reply.answer == answer.unread
    else:
        same = json_values(reply.answer) == json_values(answer.decision)
    return same and list(reply.thoughts) == [t for t in answer.thoughts if t.purpose != REASONING]


class _Retold:
    """A ``ModelClient`` that answers what the record, or the journal beside it, holds."""

    origin: Mapping[str, Any] = {}

    def __init__(self, path: Path, name: str, *, words: bool) -> None:
        self.name, self._words = name, words
        self._kept, self._digests = answers_kept(journal_of(path)), RequestDigests()
        self.forms: Mapping[str, Form] = {}
        self.calls: list[Call] = []
        self.pieced = False
        self._answer: Answer | None = None
        self._thoughts: list[Thought] = []
        self._sent: tuple[Sent, ...] = ()

    def begin(self, answer: Answer | None, sent: tuple[Sent, ...]) -> None:
        """Go on to another decision, whose answer is this, after these requests if the record names them."""
        self.calls, self._answer, self._sent = [], answer, sent
        thoughts = answer.thoughts if answer is not None else ()
        self._thoughts = [thought for thought in thoughts if thought.purpose != REASONING]

    async def complete(
        self, messages: Sequence[Message], settings: Settings, tools: Toolbox = NO_TOOLS
    ) -> Completion:
        """See ``ModelClient``; raises ``PolicyFailure`` where no answer is known."""
        message, request = message_now.get(), self._digests.of(messages, settings, tools)
        kept = self._kept.get(request)
        known = kept.pop(0) if kept else None
        text = None if known is None else all_written(known.calls) if known.calls else known.text
        if self._sent:
            text = self._told()
        elif text is None:
            text = self._retold(message)
        conversation = tuple(messages) if self._words else ()
        self.calls.append(Call(message, conversation, text, sent_to(self.name, request)))
        if text is None:
            raise PolicyFailure("model", "no answer came")
        # Words that look like calls are none: the record of a call has a thought of it.
        called = self._thought(CALL) is not None or bool(known and known.calls)
        calls = calls_in(text) if tools.tools and called and not self._is_whole() else ()
        return self._completion((self._thought(SAID) or "") if calls else text, calls)

    def _is_whole(self) -> bool:
        """Whether the answer to the last call is the decision's own text, and so no call of a tool."""
        place = len(self.calls) - 1
        return place < len(self._sent) and self._sent[place].said == WHOLE_ANSWER

    def _completion(self, text: str, calls: tuple[ToolCall, ...]) -> Completion:
        """The answer, with its tokens where the record tells those of each call: what is left of the longest
        thought, and so the cap of the next call, follows from them."""
        thought, place = self._answer and self._answer.thought, len(self.calls) - 1
        if not thought or place >= len(thought.calls):
            return Completion(text, calls=calls)
        call = thought.calls[place]
        return Completion(
            text,
            call.input,
            call.output,
            ending="tool_calls" if call.tool else "",
            reasoning_tokens=call.reasoning,
            cached_tokens=call.cached,
            calls=calls,
        )

    async def aclose(self) -> None:
        """Nothing to let go of."""

    def _told(self) -> str | None:
        """The answer to the next request that the record names, word for word."""
        if self._answer is None or len(self.calls) >= len(self._sent):
            return None
        said, thoughts = self._sent[len(self.calls)].said, self._answer.thoughts
        if said == WHOLE_ANSWER:
            return self._answer.text or ""
        if isinstance(said, int):
            return thoughts[said].text if 0 <= said < len(thoughts) else None
        return said

    def _retold(self, message: str) -> str | None:
        """The answer to a message, put together of what the record keeps of it."""
        if self._answer is None:
            return None
        said = self._answer.text or ""
        form = self.forms.get(message, "decision") if message else "decision"
        if (thought := self._thought(message)) is not None:
            return thought
        match form:
            case "thoughts":
                return self._thought("reflection", "lesson") or ""
            case "both":
                if (tried := self._thought(TRY)) is not None:
                    return tried
                thought = self._thought("think")
                self.pieced |= thought is not None
                return "\n".join(filter(None, (thought, said)))
            case "reasoned":
                if (whole := self._thought(TRY)) is not None:
                    return whole
                reasons = [each.purpose for each in self._thoughts if each.purpose in (REASON, WITHOUT)]
                if reasons[:1] == [REASON]:
                    self.pieced = True
                    return f"Reason: {self._thought(REASON)}\nDecision: {said}"
                return self._thought(WITHOUT) if reasons else said
        return said

    def _thought(self, *purposes: str) -> str | None:
        """The next thought of one of these purposes, or of a round of such."""
        for place, thought in enumerate(self._thoughts):
            round_of = _ROUNDS.get(thought.purpose.rpartition(" ")[0])
            if thought.purpose in purposes or round_of in purposes:
                del self._thoughts[place]
                return thought.text
        return None


_ROUNDS = {"plan": "plan", "reformatted": "reformat"}
"""Purposes of thoughts with the number of a round behind them, and the message that was answered."""
