"""The instructor: a person's seat without bodies, who tells those who work what to do, in words.

The article shows a person who does so (section 7, Figure 5b). What models are told of it are three rules:
what was said comes first, without a word nobody does anything, and what the person means to do is the
person's. Words hold until something else is said or they are taken back. To everybody else they are foreign
text: they are told on one line, without signs that are not printed, and have ``LONGEST`` characters at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from backburner.kernel.menu import Menu
from backburner.kernel.text import Suggestion
from backburner.kernel.values import Event, Refusal
from backburner.worlds.dispatch import instructor
from backburner.worlds.dispatch.instructor import REVOKE, Speaker, harmless
from backburner.worlds.minecraft.game.actions import NO_CALL, Calls, bad
from backburner.worlds.minecraft.game.scenarios import INSTRUCTOR
from backburner.worlds.minecraft.game.state import Instruction, Observation, State, seconds

MOST_KEPT = 10
"""Former instructions that are told again; the oldest are forgotten first."""

SPEAKER = Speaker(
    INSTRUCTOR,
    "instructor",
    says=lambda instruction: Calls((), instruction),
    actions=lambda decision: (*decision.calls, *(() if decision.report is None else ("a report",))),
    bad=bad,
    no_decision=NO_CALL,
)

SILENCE, BACK = SPEAKER.silence, SPEAKER.back

read, words, joined = SPEAKER.read, SPEAKER.words, SPEAKER.joined


# --- what follows from it --------------------------------------------------------------------------------


def after(state: State, decision: Any) -> tuple[State, tuple[Event, ...], tuple[Refusal, ...]]:
    """The state once the instructor has decided, what was said, and what was refused."""
    held = state.instruction or Instruction()
    if (refusal := SPEAKER.refused(decision)) is not None:
        return _with(state, replace(held, refusals=(refusal,))), (), (refusal,)
    if decision.instruction is None:
        return _with(state, replace(held, refusals=())), (), ()
    text = harmless(decision.instruction)
    if text == held.text:
        return _with(state, replace(held, refusals=())), (), ()
    said = (*held.said, held.text)[-MOST_KEPT:] if held.text else held.said
    event = Event(seconds(state.ticks), "said", INSTRUCTOR, text or f"({REVOKE})")
    return _with(state, Instruction(text, state.steps, said)), (event,), ()


def _with(state: State, instruction: Instruction) -> State:
    kept = None if instruction == Instruction() else instruction
    return replace(state, heard=True, instruction=kept)


# --- what an instructor can choose -------------------------------------------------------------------------


def menu(state: State) -> Menu[Calls]:
    """Silence, and taking back what holds; words are not on a menu."""
    return SPEAKER.menu("" if state.instruction is None else state.instruction.text)


def suggestions(observation: Observation) -> Iterator[Suggestion]:
    """The beginning of an instruction, and one for each dish that is ordered."""
    return instructor.suggestions(f"Put a {order.dish} into the chest." for order in observation.orders)


# --- what is told of it ----------------------------------------------------------------------------------

RULES = (
    "In each step you may say in words what is to be done. Everybody is told so before they decide.",
    "What you said last holds until you say something else, or take it back.",
)
"""For the instructor; what stands here for those who work is ``WORKERS_RULES``."""

WORKERS_RULES = (
    "A person gives you instructions. Follow them before anything else.",
    "As long as there is no instruction, nobody does anything.",
    "What the person says they will do themselves is theirs: leave it to them.",
)

ANSWERING = instructor.answering("Alex fetches meat, Steve keeps the furnace burning.")

TYPING = SPEAKER.typing
"""How a person types as instructor."""


def heard(observation: Observation) -> Iterator[str]:
    """What was said, and what holds of it."""
    for old in observation.said:
        yield f"Said before: {old}"
    if observation.instruction:
        new = observation.instructed == observation.step
        who = "The person says" if new else "The person has said, and it holds"
        who = who if observation.seat != INSTRUCTOR else "You have said, and it holds"
        yield f"{who}: {observation.instruction}"
