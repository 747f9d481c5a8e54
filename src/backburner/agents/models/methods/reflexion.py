"""Reflexion (Shinn et al., 2023): looking back on what went wrong, in words, before going on.

After an *error*: whatever was refused is reflected on before the next decision. After the *budget*: an
attempt that a limit cut off is reflected on as a whole, and play begins anew with that in mind. At a
*correction*: what was refused is reflected on where the world asks for something else in its place, as in
TimeArena's released program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, structs

from backburner.agents.models.client import answered
from backburner.agents.models.method import Attempt, Exchange, LookedBack, Method, Option, look_back
from backburner.agents.models.methods.stepwise import (
    ALL,
    ANSWERS,
    APART,
    CHOICES,
    SAMPLES,
    TOGETHER,
    Past,
    think_and_decide,
    without_example,
)
from backburner.kernel.contract import World
from backburner.kernel.text import Text

REFLECTION = "reflection"
"""The purpose of thoughts that are a reflection on an attempt."""

ATTEMPT = "attempt"
"""The purpose of the thought that tells the number of an attempt after the first, in its first decision."""

PLAIN = "plain"


class Course(Struct, frozen=True):
    """Where a seat's attempt stands: the turn before, what it reflected on, what it still has to."""

    past: Past | None = None
    attempt: int = 1
    reflections: tuple[str, ...] = ()
    look_back: LookedBack | None = None


async def reflexion(exchange: Exchange) -> str:
    """A decision as ReAct makes it (or, ``calls=plain``, without thoughts), with reflection where due.

    Reflections on former attempts end every observation; they and the attempt's number are kept as
    thoughts of its first decision.
    """
    course: Course = exchange.notes or Course()
    if exchange.choices["after"] == CORRECTION and exchange.question and exchange.question.correction:
        return await _corrected(exchange)
    if course.look_back is not None:
        course = await _looked_back(exchange, course)
    refused = exchange.choices["after"] == ERROR and bool(exchange.turn.refused)
    reminder = (
        exchange.render("reminder", reflections=course.reflections).strip() if course.reflections else ""
    )
    past = await think_and_decide(exchange, course.past, reminder, reflect=refused)
    exchange.notes = structs.replace(course, past=past)
    return past.given


async def _corrected(exchange: Exchange) -> str:
    """A reflection on what was refused, then a decision in its place.

    The model sees the refusal as words of its own. Its second decision does not enter the conversation:
    what came of it goes on in the message that asked for it.
    """
    refusal, asked = exchange.complaint()
    exchange.conversation += (answered(refusal),)
    await exchange.think("why")
    exchange.tell_only("instead", question=asked)
    return await exchange.complete("instead", exchange.conversation)


async def _looked_back(exchange: Exchange, course: Course) -> Course:
    opening = exchange.render("opening", example=()).strip()
    text = _reflection(await exchange.ask_alone("look-back", opening=opening, attempt=course.look_back))
    reflections = (*course.reflections, text)
    exchange.note(ATTEMPT, str(course.attempt))
    for reflection in reflections:
        exchange.note(REFLECTION, reflection)
    return structs.replace(course, reflections=reflections, look_back=None)


def _reflection(text: str) -> str:
    """What follows the last ``Reflection:``; everything where that is missing."""
    return re.split(r"(?im)^(?:[^\w\n]|_){0,20}reflection\W{0,9}:\W{0,9}", text)[-1].strip()


def retry(attempt: Attempt) -> Course | None:
    """With what the next attempt begins; ``None`` if this one is the last.

    There is another one when a limit has cut this one off, as long as any are left.
    """
    course: Course = attempt.notes or Course()
    ending = attempt.episode.ending
    cut_off = ending is not None and ending.status == "cut off"
    left = course.attempt < int(attempt.choices["attempts"])
    if attempt.choices["after"] != BUDGET or not (cut_off and left):
        return None
    return Course(attempt=course.attempt + 1, reflections=_noted(attempt), look_back=look_back(attempt))


def _noted(attempt: Attempt) -> tuple[str, ...]:
    """What was reflected on before this attempt, as its record has it."""
    answers = [
        entry.answers[attempt.seat] for entry in attempt.episode.entries if attempt.seat in entry.decided
    ]
    return tuple(text for answer in answers for text in answer.thoughts_for(REFLECTION))


BUDGET, ERROR, CORRECTION = "budget", "error", "correction"


def _unfit(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    """Why the choices make no sense in a world; empty if they do."""
    if choices["after"] == CORRECTION:
        if not (isinstance(world, Text) and world.corrects):
            return "after=correction needs rules that ask for something else in place of what was refused"
        if (choices["calls"], choices["history"]) != (PLAIN, ALL):
            return "after=correction goes with calls=plain and history=all"
    return without_example(world, choices)


MESSAGES: Mapping[str, Mapping[str, Any]] = {
    **SAMPLES,
    PLAIN: SAMPLES["think"],
    "reflect": SAMPLES["think"],
    "why": {},
    "instead": {"question": "question"},
    "reminder": {"reflections": ("reflection",)},
    "look-back": {"opening": "opening", "attempt": LookedBack((), "text", "reason")},
}

REFLEXION = Method(
    name="reflexion",
    summary="Reflexion: reflects in words on what was refused, or on a failed attempt",
    source="TimeArena, section 4.1; Robotouille's released program",
    decide=reflexion,
    messages=MESSAGES,
    answers={**ANSWERS, "reflect": "thoughts", "why": "thoughts", "look-back": "thoughts"},
    options={
        **CHOICES,
        "calls": Option(
            APART,
            "thoughts and decision in two calls (apart), in one answer (together); plain: no thoughts",
            (APART, TOGETHER, PLAIN),
        ),
        "after": Option(
            BUDGET,
            "when to reflect: after a cut-off attempt (budget), a refusal (error), or if the world asks for "
            "something else in place of what was refused (correction)",
            (BUDGET, ERROR, CORRECTION),
        ),
        "attempts": Option("2", "attempts at most (after=budget)", most=10),
    },
    check=_unfit,
    retry=retry,
)
