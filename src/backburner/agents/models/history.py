"""What a prompt holds of earlier turns: all of the conversation, or some of the turn before."""

from __future__ import annotations

from msgspec import Struct

from backburner.agents.models.boundary import Message, answered
from backburner.agents.models.options import Option

ALL, NONE = "all", "none"
LAST_ACTION = "last-action"
LAST_REASONING_ACTION = "last-reasoning-action"
LAST_OBSERVATION_REASONING_ACTION = "last-observation-reasoning-action"

HISTORY = Option(
    usual=ALL,
    about="what is told again of earlier turns; what is left out of a turn has a mark in its place",
    values=(ALL, NONE, LAST_ACTION, LAST_REASONING_ACTION, LAST_OBSERVATION_REASONING_ACTION),
)
"""The forms of Robotouille, section A.8."""


class Past(Struct, frozen=True):
    """A turn that is over: what was told, all that was answered to it, the decision in that."""

    observation: str
    said: str
    decision: str


def recalled(form: str, past: Past | None, opening: str, left_out: str) -> tuple[Message, ...]:
    """The messages that stand for the turn before, under any form but ``all``; none if nothing is told.

    ``opening`` comes first, ``left_out`` takes the place of an observation that is not told again.
    """
    if past is None or form == NONE:
        return ()
    told = past.observation if form == LAST_OBSERVATION_REASONING_ACTION else left_out
    said = past.decision if form == LAST_ACTION else past.said
    return (Message("user", f"{opening}\n\n{told}"), answered(said))
