"""The instructor: a person's seat without bodies, who tells those who work what to do, in words.

The article shows a person who does so (section 7, Figure 5b). What models are told of it are three rules:
what was said comes first, without a word nobody does anything, and what the person means to do is the
person's. Words hold until something else is said or they are taken back. To everybody else they are foreign
text: they are told on one line, without signs that are not printed, and have ``LONGEST`` characters at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.menu import Menu, Option
from backburner.kernel.text import Suggestion
from backburner.kernel.values import Event, Refusal
from backburner.worlds import instructions
from backburner.worlds.instructions import (
    KEEP,
    LONGEST,
    REVOKE,
    SAY,
    TAKEN_BACK,
    harmless,
    instruction_in,
)
from backburner.worlds.minecraft.game.actions import NO_CALL, Calls, bad
from backburner.worlds.minecraft.game.scenarios import INSTRUCTOR
from backburner.worlds.minecraft.game.state import Instruction, Observation, State, seconds

MOST_KEPT = 10
"""Former instructions that are told again; the oldest are forgotten first."""

SILENCE = Calls(())
"""The instructor says nothing new."""

BACK = Calls((), TAKEN_BACK)
"""The instructor takes back what was said, which leaves nothing to do."""


# --- what an instructor answers --------------------------------------------------------------------------


def read(answer: str) -> Calls | Refusal:
    """The instruction of an answer: all of it but thoughts, without a leading ``say:``.

    ``keep`` alone, and an empty answer, leave the last one in force; ``revoke`` alone takes it back.
    """
    said = instruction_in(answer)
    if said is None:
        return SILENCE
    return _too_long(said) if len(said) > LONGEST else Calls((), harmless(said))


def _too_long(said: str) -> Refusal:
    return bad("too_long", said, characters=len(said), most=LONGEST)


def words(decision: Calls) -> str:
    """The answer that is read as this decision."""
    return instructions.words(decision.instruction)


# --- what follows from it --------------------------------------------------------------------------------


def after(state: State, decision: Any) -> tuple[State, tuple[Event, ...], tuple[Refusal, ...]]:
    """The state once the instructor has decided, what was said, and what was refused."""
    held = state.instruction or Instruction()
    if (refusal := _why_not(decision)) is not None:
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


def _why_not(decision: Any) -> Refusal | None:
    """Why this is no decision of an instructor, if it is none."""
    if isinstance(decision, Refusal):
        found = decision
    elif not isinstance(decision, Calls):
        found = NO_CALL
    elif decision.calls:
        found = bad("words_only", str(decision.calls[0]))
    elif decision.instruction is not None and len(decision.instruction) > LONGEST:
        found = _too_long(decision.instruction)
    else:
        return None
    return Refusal(found.code, found.fault, found.detail, INSTRUCTOR)


# --- what an instructor can choose -------------------------------------------------------------------------


def menu(state: State) -> Menu[Calls]:
    """Silence, and taking back what holds; words are not on a menu."""
    options = [Option(SILENCE, KEEP, passes=True, gloss="say nothing new; what you said last holds")]
    if state.instruction is not None and state.instruction.text:
        options.append(Option(BACK, REVOKE, gloss="take back what you said last"))
    return Menu(tuple(options), False)


def suggestions(observation: Observation) -> Iterator[Suggestion]:
    """The beginning of an instruction, and one for each dish that is ordered."""
    yield Suggestion(f"{SAY} ", "tell everybody what to do, in your own words")
    for dish in dict.fromkeys(order.dish for order in observation.orders):
        yield Suggestion(f"{SAY} Put a {dish} into the chest.")


def joined(decisions: Sequence[Calls]) -> Calls:
    """The only decision; raises ``Refused`` for several."""
    if len(decisions) == 1:
        return decisions[0]
    raise Refused(f"one at a time: {', '.join(words(each) for each in decisions)}")


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

ANSWERING = (
    "How to answer",
    f"Write what is to be done, in your own words, {LONGEST} characters at most, such as:",
    f"{SAY} Alex fetches meat, Steve keeps the furnace burning.",
    f"Write {KEEP} to say nothing new, or {REVOKE} to take back what you said last.",
)

TYPING = f"""\
As instructor type what is to be done, in your own words. {KEEP} (or k): nothing new; {REVOKE} (or r): take
back what you said last."""
"""How a person types as instructor."""


def heard(observation: Observation) -> Iterator[str]:
    """What was said, and what holds of it."""
    for old in observation.said:
        yield f"Said before: {old}"
    if observation.instruction:
        new = observation.instructed == observation.step
        who = "The person says" if new else "The person has said, and it holds"
        who = who if observation.own else "You have said, and it holds"
        yield f"{who}: {observation.instruction}"
