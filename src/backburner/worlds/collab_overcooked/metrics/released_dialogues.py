"""Dialogues as the released program writes them down and judges them.

The unit is a step in which the chef opened a talk. Its list has the chef's answer that opened it, every
answer of the talk in the order in which it was asked for, and the chef's correction, if one was needed in
that step. Asked is whoever did not say anything first: if the chef opens with empty words and the assistant
speaks, it is the chef. IC is the share of dialogues whose requests bring the asked cook's task forward (ITES
> 0), RC the share in which its answer does. What is asked twice counts twice, a request in double quotes is
lost, one that the asked cook could not carry out is dropped, and a plan to wait is an answer even if a better
one follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from backburner.worlds.collab_overcooked.metrics.call_spaces import Spaces, counted_as_released
from backburner.worlds.collab_overcooked.metrics.collaboration import (
    Contribution,
    Dialogue,
    Exchange,
    History,
    calls_until,
    contribution,
    request_texts,
)
from backburner.worlds.collab_overcooked.metrics.measures import BETA
from backburner.worlds.collab_overcooked.metrics.references import Calls, Reference, calls_of

SILENT = ("", "[NOTHING]")
"""What is nothing said, to the letter."""

_CALL_BEGINS = re.compile(r"(?<!\w)\w++\(")


class Judged(Struct, frozen=True):
    """A dialogue: the cook that began it by saying something, what passed, what that adds."""

    timestep: int
    began: int
    exchange: Exchange
    added: Contribution


def judged(
    dialogue: Dialogue,
    histories: tuple[History, History],
    spaces: Spaces,
    references: Sequence[Reference],
    beta: float = BETA,
) -> Judged | None:
    """What a dialogue comes to; ``None`` if nobody says anything in it, where the release breaks down.

    ``spaces``: the released lists of chef and assistant.
    """
    began = begun_by(dialogue)
    if began is None:
        return None
    asked = 1 - began
    done = calls_until(histories[asked], dialogue.timestep)
    asks = _asked_for(dialogue, began)
    seen = Exchange(
        counted_as_released(done, spaces[0] | spaces[1]),
        asks,
        counted_as_released(asks, spaces[asked]),
        counted_as_released(_answer(dialogue, asked), spaces[asked]),
    )
    return Judged(dialogue.timestep, began, seen, contribution(seen, calls_of(references, asked), beta))


def begun_by(dialogue: Dialogue) -> int | None:
    """The cook that says something first; ``None`` if nobody does."""
    return next((turn.cook for turn in dialogue.turns if turn.say not in SILENT), None)


def _asked_for(dialogue: Dialogue, began: int) -> Calls:
    """The requests in every plan of the cook that began; blanks and single quotes around them are dropped."""
    plans = (turn.plan for turn in dialogue.turns if turn.cook == began)
    return tuple(f"{text.strip().strip(QUOTE)})" for plan in plans for text in request_texts(plan))


QUOTE = "'"


def _answer(dialogue: Dialogue, asked: int) -> Calls:
    """The calls of the asked cook's first plan that has any, requests and waits among them; then without
    these."""
    for turn in dialogue.turns:
        if turn.cook == asked:
            calls = tuple(_calls(turn.plan))
            if calls:
                return tuple(call for call in calls if "request" not in call and "wait" not in call)
    return ()


def _calls(plan: str) -> Iterator[str]:
    """Every word with a parenthesis behind it, up to where that closes first."""
    found = _CALL_BEGINS.search(plan)
    while found is not None:
        end = plan.find(")", found.end())
        if end < 0:
            return
        yield plan[found.start() : end + 1]
        found = _CALL_BEGINS.search(plan, end)
