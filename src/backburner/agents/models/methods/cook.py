"""Collab-Overcooked's cook: analysis, plan and words in one answer; corrections teach it lessons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from backburner.agents.models.method import Exchange, Method, Option
from backburner.kernel.contract import World
from backburner.kernel.text import Question, Text

LONGEST_ANSWER = 2000
LONGEST_LESSON = 600
"""Signs of its own earlier words that a cook is shown again."""


class Mistake(Struct, frozen=True):
    """Something that was refused: why, after which answer."""

    complaint: str
    answer: str


class Notes(Struct, frozen=True):
    """Its last answer; what this was to correct, if anything; the lessons of earlier corrections."""

    answer: str = ""
    correcting: Mistake | None = None
    lessons: tuple[str, ...] = ()


async def cook(exchange: Exchange) -> str:
    """One call for each answer, with nothing before it but what one is told and the lessons.

    After a correction that is over, well or badly, comes a call for a lesson. Thoughts: ``asked for``, what
    the answer is wanted for (``repair``: the last one again); before it, where there is one, ``lesson``.
    """
    question = exchange.question or Question("plan")
    notes: Notes = exchange.notes or Notes()
    lessons = notes.lessons
    if notes.correcting is not None and not question.repair:
        lessons = _kept(exchange, lessons, await _lesson(exchange, notes.correcting, notes.answer, question))
    exchange.note("asked for", "repair" if question.repair else question.purpose)
    said = notes.answer if question.repair else ""
    answer = await exchange.ask_alone("decide", exchange.render("role"), lessons=lessons, said=said)
    exchange.notes = Notes(answer[:LONGEST_ANSWER].strip(), _correcting(question, notes), lessons)
    return answer


def _correcting(question: Question, notes: Notes) -> Mistake | None:
    """What the answer to this question is to correct."""
    if not question.correction:
        return None
    return notes.correcting if question.repair else Mistake(question.complaint, notes.answer)


async def _lesson(exchange: Exchange, mistake: Mistake, answer: str, question: Question) -> str:
    """What is learned of a correction; nothing where nobody is to learn."""
    if exchange.choices["reflection"] == "off":
        return ""
    again = question.complaint if exchange.turn.refused else ""
    role = exchange.render("role")
    lesson = await exchange.ask_alone("reflect", role, mistake=mistake, answer=answer, again=again)
    return lesson[:LONGEST_LESSON].strip()


def _kept(exchange: Exchange, lessons: tuple[str, ...], lesson: str) -> tuple[str, ...]:
    if not lesson:
        return lessons
    exchange.note("lesson", lesson)
    found = (*lessons, lesson)
    return found[max(0, len(found) - int(exchange.choices["lessons"])) :]


def _check(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    """Where seats talk, every decision has a question of the world, the first one too."""
    state = world.start()
    asked = [
        world.question(world.observe(state, seat)) if isinstance(world, Text) else None
        for seat in world.deciders(state)
    ]
    talks = any(question is not None and question.move for question in asked)
    return "" if talks else "nobody talks in this world"


COOK = Method(
    name="cook",
    summary="Collab-Overcooked's baseline: analysis, plan and words; corrections teach lessons",
    source="Collab-Overcooked, section 4.2 and appendix A.3",
    decide=cook,
    messages={
        "role": {},
        "decide": {"lessons": ("lesson",), "said": "said"},
        "reflect": {"mistake": Mistake("complaint", "answer"), "answer": "answer", "again": "again"},
    },
    answers={"reflect": "thoughts"},
    options={
        "reflection": Option(
            "on", "a lesson is written after each correction (off: the released program)", ("on", "off")
        ),
        "lessons": Option("5", "how many of the latest lessons are shown", most=100),
    },
    check=_check,
)
