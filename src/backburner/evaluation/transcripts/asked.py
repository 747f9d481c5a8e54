"""What a model was sent: a record is played again with its prompting method; the model's part is retold.

A record keeps answers and thoughts, and no prompts. Prompts follow from world, method, wording and what was
answered before, all of which the record tells; so they are made again, and whatever does not come to the
recorded answer is said to be unknown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from backburner.agents.models.client import Completion, Message, Settings
from backburner.agents.models.method import Form, message_now
from backburner.agents.models.methods.stepwise import TRY, WITHOUT
from backburner.agents.models.policy import ModelPolicy, policy_in_record
from backburner.evaluation.calls import RequestDigests
from backburner.evaluation.jobs import former
from backburner.evaluation.journals import answers_kept, journal_of
from backburner.evaluation.transcripts.foreign import bounded
from backburner.kernel.contract import World
from backburner.kernel.episode import Answer, Episode, read_episode
from backburner.kernel.errors import BackburnerError, PolicyFailure, Refused
from backburner.kernel.policy import REASON, Reply
from backburner.kernel.replay import trajectory
from backburner.kernel.thinking import REASONING
from backburner.kernel.turns import turn_of
from backburner.kernel.values import Refusal, Seat, Thought, canonical_json

MOST_DECISIONS = 2000
"""Answers of an episode whose prompts are made again."""

MOST_ATTEMPTS = 20


class Call(Struct, frozen=True):
    """What was sent under a method's ``message``; ``answer`` is ``None`` where none came."""

    message: str
    conversation: tuple[Message, ...]
    answer: str | None


class Asked(Struct, frozen=True):
    """The calls by (step, seat), and for each seat why there are none, or none from some step on.

    ``pieced``: whether answers are among them that the record keeps in pieces, so that blanks and words
    around thoughts and decision may have been others.
    """

    calls: Mapping[tuple[int, Seat], tuple[Call, ...]] = field(default_factory=dict)
    unknown: Mapping[Seat, str] = field(default_factory=dict)
    pieced: bool = False


def asked_in(path: Path, episode: Episode, world: World[Any, Any, Any]) -> Asked:
    """The calls of an episode whose record is (or was) at ``path``. What cannot be told, ``unknown`` says."""
    tellers: dict[Seat, Teller] = {}
    unknown: dict[Seat, str] = {}
    for seat, player in episode.header.players.items():
        try:
            tellers[seat] = Teller(path, episode, world, seat)
        except BackburnerError as error:
            unknown[seat] = f"{player.name}: {error}"
    if not tellers:
        return Asked({}, unknown)
    models = [teller.model for teller in tellers.values()]
    calls = asyncio.run(_asked(episode, world, tellers, unknown))
    return Asked(calls, unknown, any(model.pieced for model in models))


async def _asked(
    episode: Episode, world: World[Any, Any, Any], tellers: dict[Seat, Teller], unknown: dict[Seat, str]
) -> Mapping[tuple[int, Seat], tuple[Call, ...]]:
    """The calls; takes those from ``tellers`` whose further calls are unknown."""
    calls: dict[tuple[int, Seat], tuple[Call, ...]] = {}
    refused: dict[Seat, tuple[Refusal, ...]] = {}
    state = world.start(episode.header.seed)
    for before, entry, step in trajectory(episode, world):
        for seat, answer in entry.answers.items():
            teller = tellers.get(seat)
            if teller is None:
                continue
            if len(calls) == MOST_DECISIONS:
                unknown.setdefault(seat, f"of {MOST_DECISIONS} answers, and no more, prompts are made again")
                continue
            found, why = await teller.again(before, entry.index, answer, refused.get(seat, ()))
            calls[entry.index, seat] = found
            if why:
                unknown[seat] = f"from step {entry.index} on what was sent is unknown: {why}"
                del tellers[seat]
        for seat in entry.answers:
            refused[seat] = tuple(refusal for refusal in step.refusals if refusal.seat == seat)
        state = step.state
    if episode.ending is None or episode.ending.status in ("failed", "interrupted"):
        index = len(episode.entries)
        for seat in world.deciders(state):
            if (teller := tellers.get(seat)) is not None:
                calls[index, seat], _ = await teller.again(state, index, None, refused.get(seat, ()))
    return {place: found for place, found in calls.items() if found}


class Teller:
    """One seat's method, asked again for each of its decisions."""

    def __init__(self, path: Path, episode: Episode, world: World[Any, Any, Any], seat: Seat) -> None:
        self._world, self._seat, self._seed = world, seat, episode.header.seed
        self.model = _Retold(path)
        policy: ModelPolicy | None = policy_in_record(
            episode.header.players[seat].settings, world, self.model
        )
        for number in range(1, MOST_ATTEMPTS):
            attempt = former(path, number)
            if policy is None or not attempt.is_file():
                break
            policy = policy.after(world, read_episode(attempt), seat)
        if policy is None:
            raise Refused("the attempts before this one are not those of the record")
        self._policy = policy
        self.model.forms = policy.forms
        self._memory: Any = None

    async def again(
        self, state: Any, index: int, answer: Answer | None, refused: tuple[Refusal, ...]
    ) -> tuple[tuple[Call, ...], str]:
        """The calls for a decision, and why they may have been others; ``answer``: ``None`` if none came."""
        informed = self._policy.informed
        turn = turn_of(self._world, state, self._seat, index, self._seed, informed=informed, refused=refused)
        self.model.begin(answer)
        try:
            reply = await self._policy.decide(turn, self._memory)
        except BackburnerError as error:
            return tuple(self.model.calls), "" if answer is None else str(error)
        self._memory = reply.memory
        why = "" if answer is None or _same(reply, answer) else "the method does not come to this answer"
        return tuple(self.model.calls), why


def _same(reply: Reply, answer: Answer) -> bool:
    """Whether the method comes to what is recorded; what a model thinks of its own accord is not retold."""
    if isinstance(reply.answer, str):
        same = reply.answer == answer.text
    else:
        same = _plain(reply.answer) == _plain(answer.decision)
    return same and list(reply.thoughts) == [t for t in answer.thoughts if t.purpose != REASONING]


def _plain(value: Any) -> Any:
    return msgspec.json.decode(canonical_json(value))


class _Retold:
    """A ``ModelClient`` that answers what the record, or the journal beside it, holds."""

    name = "as recorded"
    origin: Mapping[str, Any] = {}

    def __init__(self, path: Path) -> None:
        self._kept, self._digests = answers_kept(journal_of(path)), RequestDigests()
        self.forms: Mapping[str, Form] = {}
        self.calls: list[Call] = []
        self.pieced = False
        self._answer: Answer | None = None
        self._thoughts: list[Thought] = []

    def begin(self, answer: Answer | None) -> None:
        """Go on to another decision, whose answer is this."""
        self.calls, self._answer = [], answer
        thoughts = answer.thoughts if answer is not None else ()
        self._thoughts = [thought for thought in thoughts if thought.purpose != REASONING]

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        """See ``ModelClient``; raises ``PolicyFailure`` where no answer is known."""
        message = message_now.get()
        kept = self._kept.get(self._digests.of(messages, settings)) if self._kept else None
        text = kept.pop(0).text if kept else self._retold(message)
        self.calls.append(Call(message, tuple(messages), text))
        if text is None:
            raise PolicyFailure("model", "no answer came")
        return Completion(text)

    async def aclose(self) -> None:
        """Nothing to let go of."""

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
                if self._thoughts and self._thoughts[0].purpose == REASON:
                    self.pieced = True
                    return f"Reason: {self._thought(REASON)}\nDecision: {said}"
                return self._thought(WITHOUT) or ""
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


def told(asked: Asked) -> dict[str, Any]:
    """The calls as a page carries them.

    ``messages``: [role, text, characters cut off], each once. ``calls``: by step and seat, for each call its
    message's name, how many of the messages are those of the seat's call before it, the places of all
    others, and the answer.
    """
    places: dict[Message, int] = {}
    before: dict[Seat, tuple[Message, ...]] = {}
    calls: dict[int, dict[Seat, list[Any]]] = {}
    for (step, seat), of_step in asked.calls.items():
        for call in of_step:
            kept = _in_common(before.get(seat, ()), call.conversation)
            others = [places.setdefault(message, len(places)) for message in call.conversation[kept:]]
            answer = None if call.answer is None else bounded(call.answer)[0]
            calls.setdefault(step, {}).setdefault(seat, []).append([call.message, kept, others, answer])
            before[seat] = call.conversation
    messages = [[message.role, *bounded(message.content)] for message in places]
    return {"messages": messages, "calls": calls}


def _in_common(one: Sequence[Message], other: Sequence[Message]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))
