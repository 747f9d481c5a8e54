"""The head chef: a seat without bodies that tells those who work, in its own words, what to do.

The article shows a person who does so (Figures 5b and 22) and does not say how long words hold. Here they
hold until something else is said or they are taken back. How they are read, bounded and made harmless,
``worlds.instructions`` says, which other worlds share.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from backburner.kernel.menu import Menu
from backburner.kernel.text import Suggestion
from backburner.kernel.values import Event, Refusal
from backburner.worlds import instructions
from backburner.worlds.cuisineworld.game.actions import NO_COMMAND, Commands, bad
from backburner.worlds.cuisineworld.game.scenarios import HEAD_CHEF, Scenario
from backburner.worlds.cuisineworld.game.state import Decided, Instruction, Observation, State
from backburner.worlds.instructions import KEEP, REVOKE, Speaker, harmless

SPEAKER = Speaker(
    HEAD_CHEF,
    "head chef",
    says=lambda instruction: Commands((), instruction),
    actions=lambda decision: decision.commands,
    bad=bad,
    no_decision=NO_COMMAND,
)

SILENCE = SPEAKER.silence

read, words, joined = SPEAKER.read, SPEAKER.words, SPEAKER.joined


# --- what follows from it --------------------------------------------------------------------------------


def after(state: State, decision: Any) -> tuple[State, tuple[Event, ...], tuple[Refusal, ...]]:
    """The state once the head chef has decided, what was said, and what was refused."""
    held = state.instruction
    refusal = SPEAKER.refused(decision)
    told = Decided(HEAD_CHEF)
    if refusal is not None:
        old = held or Instruction()
        return _with(state, told, Instruction(old.text, old.since, (refusal,))), (), (refusal,)
    before = "" if held is None else held.text
    if decision.instruction is None:
        kept = Instruction(before, held.since) if held and before else None
        return _with(state, told, kept), (), ()
    text = harmless(decision.instruction)
    if not text:
        events = (Event(state.steps, "said", HEAD_CHEF, f"({REVOKE})"),) if before else ()
        return _with(state, told, None), events, ()
    event = Event(state.steps, "said", HEAD_CHEF, text)
    return _with(state, told, Instruction(text, state.steps)), (event,), ()


def _with(state: State, told: Decided, instruction: Instruction | None) -> State:
    return replace(state, decided=(*state.decided, told), instruction=instruction)


# --- what a head chef can choose ---------------------------------------------------------------------------


def menu(state: State) -> Menu[Commands]:
    """Silence, and taking back what holds; words are not on a menu."""
    return SPEAKER.menu("" if state.instruction is None else state.instruction.text)


def suggestions(observation: Observation) -> Iterator[Suggestion]:
    """The beginning of an instruction, and one for each dish that is ordered."""
    return instructions.suggestions(f"Make {order.dish} first." for order in observation.orders)


# --- what is told of it ----------------------------------------------------------------------------------

RULES = (
    "In each step you may say in words what is to be done. Everybody who works here is told so before they "
    "decide what to do in this step.",
    "What you said last holds until you say something else, or take it back.",
)
"""For the head chef; what stands here for those who work is ``WORKERS_RULE``."""

WORKERS_RULE = (
    "The head chef may say in words what is to be done, and you are told so before you decide. What was said "
    "last holds until something else is said, or it is taken back."
)

ANSWERING = instructions.answering("agent0 fetches and agent1 serves.")

TYPING = SPEAKER.typing
"""How a person types as head chef."""

QUESTION = f"Your instruction, or {KEEP}:"


def who(scenario: Scenario, bodies: Sequence[str]) -> str:
    """The role of the head chef."""
    return (
        f"You are the head chef of a kitchen. You do no work yourself: {', '.join(bodies)} do, and heed your "
        f"words. The game takes {scenario.steps} steps."
    )


def heard(observation: Observation) -> Iterator[str]:
    """What is said here, and what others are about to do in this step."""
    if observation.instruction:
        said = "says" if observation.instructed == observation.step else "has said, and it holds"
        who = f"The head chef {said}" if observation.own else "You have said, and it holds"
        yield f"{who}: {observation.instruction}"
    for seat, commands in observation.decided:
        yield f"{seat} has decided for this step: {', '.join(commands) or 'nothing'}"
