"""What models were sent, as an episode's page carries it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backburner.agents.models.client import Message
from backburner.evaluation.submissions.retelling import Asked
from backburner.evaluation.transcripts.foreign import bounded
from backburner.kernel.values import Seat


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
