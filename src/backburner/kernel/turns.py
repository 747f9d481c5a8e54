"""Turns: what a seat is given, how what it says becomes a decision, and what a record keeps of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from backburner.kernel.clock import TurnClock, keeps_time, time_of
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Answer, Deliberation
from backburner.kernel.errors import PolicyFailure, Refused
from backburner.kernel.menu import Option, inseparable, listing, lists
from backburner.kernel.policy import Reply, Trial, Turn, withheld
from backburner.kernel.text import Glance, only, speaking, speaks, without
from backburner.kernel.values import Fault, Refusal, Seat, Step, Thought, Usage, writable
from backburner.kernel.view import draws
from backburner.kernel.wrapping import REASONING, Spoken, spoken

LONGEST_ANSWER = 1_000_000
"""Characters of a text that is an answer. No model that plays says as much; a broken server may."""

MOST_SAID_BYTES = 8 << 20
"""Of an answer and its thoughts, as a record holds them: half of the longest line that can be read again."""


def read(world: World[Any, Any, Any], state: Any, seat: Seat, answer: Any) -> Any:
    """An answer as a decision: text is parsed under the bound rules, JSON values are converted.

    Thoughts in a text are no part of it, unless the world reads them.
    A refusal, or a value that is no decision of this world, is handed on for the world to refuse.
    Raises ``TypeError`` for an answer that could not be written down.
    """
    if isinstance(answer, str):
        return speaking(world).parse(state, seat, heard(world, writable(answer)).answer)
    return answer if isinstance(answer, Refusal) else decision_of(world, msgspec.to_builtins(answer))


def heard(world: World[Any, Any, Any], text: str) -> Spoken:
    """What this world hears of a text, and the thoughts in it that it does not hear."""
    return Spoken(text) if speaks(world) and world.reads_thoughts else spoken(text)


def check_length(reply: Reply) -> None:
    """Raises ``PolicyFailure`` for more words than a record could be read with."""
    answer = reply.answer if isinstance(reply.answer, str) else ""
    if len(answer) > LONGEST_ANSWER:
        why = f"an answer of {len(answer)} characters; at most {LONGEST_ANSWER} are read"
        raise PolicyFailure("answer", why)
    pieced = (sent.said for sent in (reply.usage.requests if reply.usage is not None else ()))
    said = [answer, *(thought.text for thought in reply.thoughts), *(p for p in pieced if isinstance(p, str))]
    if sum(map(len, said)) > LONGEST_ANSWER:
        size = len(msgspec.json.encode(list(map(writable, said))))
        if size > MOST_SAID_BYTES:
            why = f"an answer and thoughts of {size} bytes; at most {MOST_SAID_BYTES} are kept"
            raise PolicyFailure("answer", why)


def outspoken(world: World[Any, Any, Any], reply: Reply) -> Reply:
    """The reply with the thoughts in its text among its thoughts, if the world does not hear them."""
    if not isinstance(reply.answer, str) or (said := heard(world, reply.answer)).answer == reply.answer:
        return reply
    thoughts = (Thought(REASONING, said.thoughts),) if said.thoughts else ()
    return msgspec.structs.replace(reply, answer=said.answer, thoughts=(*reply.thoughts, *thoughts))


def answered(decision: Any, reply: Reply, thought: Deliberation | None = None) -> Answer:
    """What a record has of a reply that was read as this decision, or refusal; ``thought``: under a clock."""
    text = writable(reply.answer) if isinstance(reply.answer, str) else None
    thoughts = tuple(Thought(thought.purpose, writable(thought.text)) for thought in reply.thoughts)
    if isinstance(decision, Refusal):
        return Answer(text=text, unread=decision, thoughts=thoughts, thought=thought)
    return Answer(decision, text, thoughts=thoughts, thought=thought)


NOT_DECIDED = Refusal("not_decided", Fault.UNREADABLE)
"""What stands for the answer of a seat that has thought for too long, in a world that reads no text."""

CUT_OFF = "cut off"
"""The purpose of what would have been said after a thought that was cut."""


def unreadable(world: World[Any, Any, Any], reply: Reply) -> Reply:
    """The reply of a seat that has thought for too long too often: an answer that nobody can read."""
    answer: Any = "" if speaks(world) else NOT_DECIDED
    return msgspec.structs.replace(reply, answer=answer, thoughts=told_in_vain(reply))


def told_in_vain(reply: Reply) -> tuple[Thought, ...]:
    """All words of a reply that nobody heard."""
    said = (Thought(CUT_OFF, reply.answer),) if isinstance(reply.answer, str) and reply.answer else ()
    return tuple(Thought(one.purpose, writable(one.text)) for one in (*reply.thoughts, *said))


def would_have_said(answer: Answer) -> Answer:
    """An answer of which nothing came, as it would have been; any other as it is."""
    if not any(thought.purpose == CUT_OFF for thought in answer.thoughts):
        return answer
    *thoughts, last = answer.thoughts
    return Answer(text=last.text, thoughts=tuple(thoughts), thought=answer.thought, silent=answer.silent)


def decided(world: World[Any, Any, Any], answer: Answer) -> Any:
    """What a recorded answer hands to the world: a decision, or why it was none."""
    return decision_of(world, answer.decision) if answer.unread is None else answer.unread


def replied(world: World[Any, Any, Any], answer: Answer, usage: Usage | None) -> Reply:
    """A recorded answer as a reply: it leads to the same record again."""
    said = decided(world, answer) if answer.text is None else answer.text
    return Reply(said, thoughts=answer.thoughts, usage=usage)


def turn_of(
    world: World[Any, Any, Any],
    state: Any,
    seat: Seat,
    index: int,
    seed: int,
    *,
    informed: bool = False,
    refused: tuple[Refusal, ...] = (),
    clock: TurnClock | None = None,
) -> Turn:
    """What a seat that must decide is given: only what that seat may know, unless it is ``informed``."""
    told, briefed = (clock.told, clock.briefing) if clock is not None else ("", "")
    is_timed = keeps_time(world)
    return Turn(
        seat,
        index,
        seed,
        observe=lambda: world.observe(state, seat),
        text=lambda: _after(told, speaking(world).describe(world.observe(state, seat))),
        briefing=lambda: _after(briefed, speaking(world).briefing(seat)),
        menu=lambda: listing(world).menu(state, seat),
        scene=lambda: world.scene(state, seat) if draws(world) else None,
        state=(lambda: state) if informed else withheld,
        together=lambda decisions: _together(world, decisions),
        refused=refused,
        refuses=lambda answer: _refuses(world, state, seat, answer),
        glance=lambda: glance_of(world, state, seat),
        trial=lambda answer: _trial(world, state, seat, answer),
        scenario=world.id,
        clock=clock,
        time=lambda: time_of(world, state) if is_timed else None,
    )


def _after(told: str, text: str) -> str:
    """The text, after what the clock tells."""
    return f"{told}\n\n{text}" if told else text


def glance_of(world: World[Any, Any, Any], state: Any, seat: Seat) -> Glance:
    """What a person at a small screen is told; empty if the world has no words."""
    observation = world.observe(state, seat)
    if not speaks(world):
        return Glance()
    parts = world.description_parts(observation)
    goal, recipes, briefing = _unchanging(_This(world), seat)
    return Glance(
        goal=goal,
        news=world.news(observation),
        state=only(parts, "state", "aside"),
        question=only(parts, "question"),
        recipes=recipes,
        suggestions=tuple(world.suggestions(observation)),
        briefing=briefing,
        changes=world.tells_changes,
    )


def _news(world: World[Any, Any, Any], state: Any, seat: Seat) -> str:
    observation = world.observe(state, seat)
    return world.news(observation) if speaks(world) else ""


class _This:
    """A world as itself and no other, however alike."""

    __slots__ = ("world",)

    def __init__(self, world: Any) -> None:
        self.world = world

    def __hash__(self) -> int:
        return id(self.world)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _This) and other.world is self.world


@lru_cache(maxsize=1024)
def _unchanging(this: _This, seat: Seat) -> tuple[str, str, str]:
    """(goal, recipes, briefing without the form of answers): what a seat is told at every moment alike."""
    world = this.world
    told = world.briefing_parts(seat)
    return world.goal(seat), only(told, "recipes") or only(told, "task"), without(told, "answering")


def _trial(world: World[Any, Any, Any], state: Any, seat: Seat, answer: Any) -> Trial:
    """Everybody else who must decide takes the first option that passes, or is silent if there is none.

    Where nothing happens before others have decided, as a server that reports what was seen, they do too.
    """
    decisions = {seat: read(world, state, seat, answer)}
    for other in world.deciders(state):
        if other != seat:
            passing = _passing(world, state, other)
            decisions[other] = Refusal("silent", Fault.UNREADABLE) if passing is None else passing
    step = world.step(state, decisions)
    own = [refusal for refusal in step.refusals if refusal.seat in ("", seat)]
    if (later := _later(world, step, seat)) is not None:
        step = later
        own += [refusal for refusal in step.refusals if refusal.seat == seat]
    told = _news(world, step.state, seat) if own else ""
    decided = decisions[seat]
    gives_up = speaks(world) and not isinstance(decided, Refusal) and world.gives_up(state, decided)
    wanting = tuple(each for refusal in own for each in world.wanting(refusal)) if speaks(world) else ()
    return Trial(bool(own), told or "; ".join(refusal.code for refusal in own), gives_up, wanting)


def _later(world: World[Any, Any, Any], step: Step[Any], seat: Seat) -> Step[Any] | None:
    """What follows a step in which nothing happened, if all who decide then, others than its seat, pass."""
    if step.events:
        return None
    passing = {other: _passing(world, step.state, other) for other in world.deciders(step.state)}
    if not passing or seat in passing or None in passing.values():
        return None
    return world.step(step.state, passing)


def _passing(world: World[Any, Any, Any], state: Any, seat: Seat) -> Any:
    """What passes for a seat, first on its menu; ``None`` if nothing does, or there is no menu."""
    option = world.menu(state, seat).passing if lists(world) else None
    return None if option is None else option.decision


def _refuses(world: World[Any, Any, Any], state: Any, seat: Seat, answer: str) -> bool:
    """Whether the world would refuse a text. Where several decide at once, the menu says what it takes."""
    decision = read(world, state, seat, answer)
    if isinstance(decision, Refusal):
        return True
    if len(world.deciders(state)) == 1:
        step = world.step(state, {seat: decision})
        later = _later(world, step, seat)
        own = (each for each in (later.refusals if later else ()) if each.seat == seat)
        return bool((*step.refusals, *own))
    menu = listing(world).menu(state, seat)
    return menu.complete and decision not in [option.decision for option in menu.options]


def _together(world: World[Any, Any, Any], decisions: Sequence[Any]) -> Any:
    return world.together(decisions) if lists(world) else inseparable(decisions)


def passing(turn: Turn) -> Option[Any] | None:
    """The option that lets time pass; ``None`` in a world, or at a turn, where there is none."""
    try:
        return turn.menu.passing
    except Refused:
        return None
