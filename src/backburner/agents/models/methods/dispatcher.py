"""MindAgent's dispatcher: rules, an example of play, the last few moves, and a command for everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.client import Message, answered
from backburner.agents.models.examples import (
    Decided,
    Demonstration,
    demonstrated,
    no_demonstration,
    reasons_in,
)
from backburner.agents.models.method import Exchange, Method, Option
from backburner.agents.models.methods.stepwise import TRY, Reasoned, read_reasoned
from backburner.kernel.contract import World
from backburner.kernel.policy import REASON
from backburner.kernel.text import Kind, Part, joined, only, without

Pair = tuple[Message, str]
"""How things stood, and what was answered."""

ON, OFF, NONE, SAME = "on", "off", "none", "same"

WHY, TRIES = "why", "try"
"""The choices for reasons beside commands, and for answers that are tried before they count."""

FEW = 2
"""Decisions of the short demonstration (section 6.1)."""

LONGEST_ANSWER = 2000
"""Signs of an answer that are shown again, unless the world has another way of showing it."""

ABLATIONS: tuple[Kind, ...] = ("recipes", "instructions", "hints", "feedback")
"""Parts of what is told that can be left out, each by the choice of its name."""


class View(Struct, frozen=True):
    """What every conversation of an episode begins with, and the last moves. ``shown``: after an example."""

    opening: tuple[Message, ...]
    shown: bool
    pairs: tuple[Pair, ...] = ()


async def dispatch(exchange: Exchange) -> str:
    """One call for each decision, or with ``try`` a few, each in a conversation that is put together anew.

    It holds what one is told before play, a demonstration as if it had been played just now, who one is,
    the last few states with their answers, and the present state. Thoughts at the first decision:
    ``demonstration``, what is shown; ``left out``, the parts that are not told. With choices: ``reason``, why
    all are commanded so; before it ``try``, each answer in whose place another was asked for.
    """
    world: Any = exchange.world
    view: View = exchange.notes or await _opened(exchange)
    state = Message("user", _state(exchange, exchange.parts), exchange.picture)
    (first, first_answer), *others = *view.pairs, (state, "")
    role = only(world.briefing_parts(exchange.turn.seat), "role")
    begin = exchange.render("begin", role=role, state=first.content, shown=view.shown)
    asked = _alternating([(replace(first, content=begin), first_answer), *others])[:-1]
    said = await _tried(exchange, (*view.opening, *asked))
    again = world.remembered(exchange.turn.seat, said.decision)
    if again is None:
        again = _again(said.decision).content
    again = _with_reason(said.reason[:LONGEST_ANSWER], again)
    pairs = _last((*view.pairs, (state, again)), int(exchange.choices["history"]))
    exchange.notes = replace(view, pairs=pairs)
    return said.decision


async def _tried(exchange: Exchange, conversation: Sequence[Message]) -> Reasoned:
    """The first answer of which nothing would be refused, or the last that may be given.

    An answer is tried on the state as it stands, while everybody else lets time go by; what would be refused
    is told, and another one asked for. Each is a call like any other.
    """
    reasons = exchange.choices.get(WHY) == ON
    for left in reversed(range(max(1, int(exchange.choices.get(TRIES, "1"))))):
        whole = await exchange.complete("together" if reasons else "begin", conversation)
        said = read_reasoned(whole, several=True) if reasons else Reasoned("", whole)
        if not left or not (trial := exchange.turn.trial(said.decision)).refused:
            break
        exchange.note(TRY, whole)
        complaint = Message("user", exchange.render("again", why=trial.why))
        conversation = (*conversation, _again(whole), complaint)
    if said.reason:
        exchange.note(REASON, said.reason)
    return said


def _again(answer: str) -> Message:
    """An answer as it is shown again."""
    return answered(answer[:LONGEST_ANSWER].strip())


def _with_reason(reason: str, words: str) -> str:
    """An answer with its reason, as it is asked for; without one, or one that is the answer, as it is."""
    return f"Reason: {reason}\nDecision:\n{words}" if reason and reason not in words else words


async def _opened(exchange: Exchange) -> View:
    """Before the first decision."""
    world: Any = exchange.world
    left_out = [kind for kind in ABLATIONS if exchange.choices[kind] == OFF]
    told = without(world.briefing_parts(exchange.turn.seat), "role", *left_out)
    rules = "together" if exchange.choices.get(WHY) == ON else "rules"
    opening = [Message("system", exchange.render(rules, told=told))]
    shown = None
    if exchange.choices["demonstration"] != NONE:
        shown = await demonstrated(world, exchange.turn.seat, _bodies(exchange.choices))
    if shown is not None:
        opening += _messages(exchange, shown)
        number = len(_steps(exchange, shown))
        exchange.note("demonstration", f"{shown.world.id}, {shown.seat}: {number} decisions")
    if left_out:
        exchange.note("left out", ", ".join(left_out))
    return View(tuple(opening), shown is not None)


def _bodies(choices: Mapping[str, str]) -> int | None:
    wanted = choices["demonstration-bodies"]
    return None if wanted == SAME else int(wanted)


def _messages(exchange: Exchange, shown: Demonstration) -> list[Message]:
    """The demonstration as a conversation of its own."""
    world: Any = shown.world
    parts = world.briefing_parts(shown.seat)
    recipes = "" if exchange.choices["recipes"] == OFF else only(parts, "recipes")
    reasons = reasons_in(shown) if exchange.choices.get(WHY) == ON else [""] * len(shown.steps)
    turns = [
        (
            _state(exchange, world.description_parts(world.observe(step.state, shown.seat))),
            _with_reason(reason, answered(world.words(step.decision, shown.seat)).content),
        )
        for step, reason in zip(_steps(exchange, shown), reasons, strict=False)
    ]
    opening = exchange.render("demonstration", role=only(parts, "role"), recipes=recipes, state=turns[0][0])
    told = [(opening, turns[0][1]), *turns[1:]]
    return _alternating([(Message("user", state), answer) for state, answer in told])


def _steps(exchange: Exchange, shown: Demonstration) -> tuple[Decided, ...]:
    return shown.steps[:FEW] if exchange.choices["demonstration"] == "two-steps" else shown.steps


def _alternating(pairs: list[Pair]) -> list[Message]:
    both = ((state, Message("assistant", answer)) for state, answer in pairs)
    return [message for pair in both for message in pair]


def _state(exchange: Exchange, parts: Sequence[Part]) -> str:
    """What is told of a moment, with or without feedback."""
    return without(parts, "feedback") if exchange.choices["feedback"] == OFF else joined(parts)


def _last(pairs: tuple[Pair, ...], number: int) -> tuple[Pair, ...]:
    return pairs[max(0, len(pairs) - number) :]


def check(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    """Why there is no such demonstration in a world, or why choices contradict each other."""
    if TRIES in choices and choices["feedback"] == OFF:
        return "try tells what would be refused, and feedback=off does not"
    if choices["demonstration"] != NONE:
        return no_demonstration(world, "demonstration=none", _bodies(choices))
    if choices["demonstration-bodies"] != SAME:
        return "demonstration-bodies needs a demonstration"
    return ""


def _switch(about: str) -> Option:
    return Option("on", about, ("on", OFF))


DISPATCHER = Method(
    name="dispatcher",
    summary="MindAgent: one call commands everybody, after a demonstration, with the last moves in view",
    source="MindAgent, sections 4, 5.1 and 6.1",
    decide=dispatch,
    messages={
        "rules": {"told": "told"},
        "demonstration": {"role": "role", "recipes": "recipes", "state": "state"},
        "begin": {"role": "role", "state": "state", "shown": True},
    },
    options={
        "recipes": _switch("how things are made is told"),
        "instructions": _switch("rules, commands, things and places are told"),
        "hints": _switch("the article's inference knowledge is told (off: Table 2)"),
        "feedback": _switch("what was refused is told (off: Table 2)"),
        "demonstration": Option(
            NONE,
            "how much of the play of another scenario is shown (two-steps: Table 2)",
            ("whole", "two-steps", NONE),
        ),
        "demonstration-bodies": Option(
            SAME, "how many bodies it is played with (Table 3)", (SAME, "1", "2", "3", "4")
        ),
        "history": Option("2", "states and answers in view before the present state", most=60),
        WHY: Option(OFF, "a reason stands beside the commands, in examples and answers", (OFF, ON)),
        TRIES: Option(
            "1",
            "answers asked for within a decision until nothing would be refused, each after what would be",
            most=20,
        ),
    },
    answers={"together": "reasoned"},
    check=check,
    added={WHY: {"together": {"told": "told"}}, TRIES: {"again": {"why": "why"}}},
    informs=(TRIES,),
)
