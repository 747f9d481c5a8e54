"""Answers: from what a seat says to a decision, and to what a record keeps of it."""

from __future__ import annotations

from typing import Any

import msgspec

from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Answer
from backburner.kernel.errors import PolicyFailure
from backburner.kernel.policy import Reply
from backburner.kernel.text import speaking, speaks
from backburner.kernel.thinking import REASONING, Spoken, spoken
from backburner.kernel.values import Refusal, Seat, Thought

LONGEST_ANSWER = 1_000_000
"""Characters of a text that is an answer. No model that plays says as much; a broken server may."""

MOST_SAID_BYTES = 8 << 20
"""Of an answer and its thoughts, as a record holds them: half of the longest line that can be read again."""


def read(world: World[Any, Any, Any], state: Any, seat: Seat, answer: Any) -> Any:
    """An answer as a decision: text is parsed under the bound rules, JSON values are converted.

    Thoughts in a text are no part of it, unless the world reads them.
    A refusal, or a value that is no decision of this world, is handed on for the world to refuse.
    Raises ``TypeError`` for an answer that could not be written down.
    """
    if isinstance(answer, str):
        return speaking(world).parse(state, seat, heard(world, writable(answer)).answer)
    return answer if isinstance(answer, Refusal) else decision_of(world, msgspec.to_builtins(answer))


def heard(world: World[Any, Any, Any], text: str) -> Spoken:
    """What this world hears of a text, and the thoughts in it that it does not hear."""
    return Spoken(text) if speaks(world) and world.reads_thoughts else spoken(text)


def check_length(reply: Reply) -> None:
    """Raises ``PolicyFailure`` for more words than a record could be read with."""
    answer = reply.answer if isinstance(reply.answer, str) else ""
    if len(answer) > LONGEST_ANSWER:
        why = f"an answer of {len(answer)} characters; at most {LONGEST_ANSWER} are read"
        raise PolicyFailure("answer", why)
    pieced = (sent.said for sent in (reply.usage.requests if reply.usage is not None else ()))
    said = [answer, *(thought.text for thought in reply.thoughts), *(p for p in pieced if isinstance(p, str))]
    if sum(map(len, said)) > LONGEST_ANSWER:
        size = len(msgspec.json.encode(list(map(writable, said))))
        if size > MOST_SAID_BYTES:
            why = f"an answer and thoughts of {size} bytes; at most {MOST_SAID_BYTES} are kept"
            raise PolicyFailure("answer", why)


def outspoken(world: World[Any, Any, Any], reply: Reply) -> Reply:
    """The reply with the thoughts in its text among its thoughts, if the world does not hear them."""
    if not isinstance(reply.answer, str) or (said := heard(world, reply.answer)).answer == reply.answer:
        return reply
    thoughts = (Thought(REASONING, said.thoughts),) if said.thoughts else ()
    return msgspec.structs.replace(reply, answer=said.answer, thoughts=(*reply.thoughts, *thoughts))


def writable(text: str) -> str:
    """``text`` with a question mark for each half of a surrogate pair, which no file can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def answered(decision: Any, reply: Reply) -> Answer:
    """What a record has of a reply that was read as this decision, or refusal."""
    text = writable(reply.answer) if isinstance(reply.answer, str) else None
    thoughts = tuple(Thought(thought.purpose, writable(thought.text)) for thought in reply.thoughts)
    if isinstance(decision, Refusal):
        return Answer(text=text, unread=decision, thoughts=thoughts)
    return Answer(decision, text, thoughts=thoughts)
