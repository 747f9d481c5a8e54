"""An attempt that is over, as its player looks back on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.episode import Answer, Entry, Episode
from backburner.kernel.play import turn_of
from backburner.kernel.replay import final_state
from backburner.kernel.values import Seat


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
        answer = entry.answers.get(attempt.seat)
        if answer is not None:
            yield Said(_in_full(answer), _refused(entry, attempt.seat))


def _in_full(answer: Answer) -> str:
    thoughts = (thought.text for thought in answer.thoughts if thought.purpose == "think")
    return "\n".join(filter(None, (*thoughts, answer.text)))


def _refused(entry: Entry, seat: Seat) -> bool:
    return any(refusal.seat == seat for refusal in entry.refusals)
