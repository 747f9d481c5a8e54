"""Methods that ask at every step: plain prompting, with a reason for each decision, ReAct.

What ReAct does to think before it decides, and what it tells again of earlier turns, serves Reflexion too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from backburner.agents.models.client import Message, answered
from backburner.agents.models.examples import Example, example_for, no_demonstration
from backburner.agents.models.method import AIM, Exchange, Form, Method, Option
from backburner.drawing.png import Picture
from backburner.kernel.contract import World
from backburner.kernel.errors import PolicyStops
from backburner.kernel.menu import Menus
from backburner.kernel.policy import REASON

# --- thinking before deciding, and what is told again of earlier turns -------------------------------------


ALL, NONE = "all", "none"
LAST_ACTION = "last-action"
LAST_REASONING_ACTION = "last-reasoning-action"
LAST_OBSERVATION_REASONING_ACTION = "last-observation-reasoning-action"

HISTORY = Option(
    default=ALL,
    about="what is told again of earlier turns; what is left out of a turn has a mark in its place",
    values=(ALL, NONE, LAST_ACTION, LAST_REASONING_ACTION, LAST_OBSERVATION_REASONING_ACTION),
)
"""The forms of Robotouille, section A.8."""


class Past(Struct, frozen=True):
    """A turn that is over: what was told, all that was answered to it, the decision in that, and what of it
    the world is given; what was seen."""

    observation: str
    said: str
    decision: str
    given: str
    picture: Picture | None = None


def recalled(form: str, past: Past | None, opening: str, left_out: str) -> tuple[Message, ...]:
    """The messages that stand for the turn before, under any form but ``all``; none if nothing is told.

    ``opening`` comes first, ``left_out`` takes the place of an observation that is not told again.
    """
    if past is None or form == NONE:
        return ()
    seen = form == LAST_OBSERVATION_REASONING_ACTION
    observation, picture = (past.observation, past.picture) if seen else (left_out, None)
    said = past.decision if form == LAST_ACTION else past.said
    return (Message("user", f"{opening}\n\n{observation}", picture), answered(said))


APART, TOGETHER = "apart", "together"
ON, OFF = "on", "off"

CALLS = Option(
    APART, "thoughts and decision in two calls (apart), or both in one answer (together)", (APART, TOGETHER)
)
DECISION, WHOLE = "decision", "whole"

READS = Option(
    DECISION,
    "what the world is given of an answer with thoughts: the decision, or the whole, where a world has rules "
    "for both",
    (DECISION, WHOLE),
)
EXAMPLES = Option(
    "0", "examples of play in the prompt, made by the oracle in a training scenario", ("0", "1")
)
CHOICES: Mapping[str, Option] = {
    "calls": CALLS,
    "reads": READS,
    "history": HISTORY,
    "plan": Option(OFF, "on: thoughts hold a plan to the end, of which the first action is done", (OFF, ON)),
    "prior": Option(OFF, "on: every observation ends with a reminder of the rules", (OFF, ON)),
    "examples": EXAMPLES,
    "aim": AIM,
}
"""What Robotouille's article varies in ReAct (sections 4.2.4 and A.8), the form of TimeArena's, and what
Recipe2Plan's puts first (section 5.1)."""


async def think_and_decide(
    exchange: Exchange, past: Past | None, *reminders: str, reflect: bool = False
) -> Past:
    """One turn: thoughts and a decision, in the form that the method's choices ask for.

    ``past`` is the turn before. ``reminders`` end the observation. With ``reflect`` the thoughts are a
    reflection on what was refused (message ``reflect``). Thoughts are noted under the name of their
    message, those of one answer with the decision as ``think``.
    """
    latest = await _answered(exchange, past, *reminders, reflect=reflect)
    _forget(exchange)
    return latest


def _forget(exchange: Exchange) -> None:
    """Drops the conversation where the next turn is told another one."""
    if exchange.choices["history"] != ALL:
        exchange.conversation = ()


async def _answered(
    exchange: Exchange, past: Past | None, *reminders: str, reflect: bool = False, feedback: str = ""
) -> Past:
    """``think_and_decide`` with the whole conversation kept; ``feedback`` comes before the observation."""
    observation = "\n\n".join(filter(None, (feedback, _observation(exchange, reminders))))
    opening = await _begun(exchange, past)
    fields = {"opening": opening, "observation": observation}
    if reflect or exchange.choices["calls"] == APART:
        said = await exchange.think("reflect" if reflect else "think", **fields)
        decision = await exchange.ask("act")
        return Past(observation, f"{said}\n\n{decision}", decision, decision, exchange.picture)
    said = await exchange.ask(exchange.choices["calls"], **fields)
    thoughts, decision = parted(said) if exchange.choices["calls"] == TOGETHER else ("", said)
    if exchange.choices["reads"] == WHOLE:
        return Past(observation, said, decision, said, exchange.picture)
    if exchange.choices["calls"] == TOGETHER:
        exchange.note("think", thoughts)
    return Past(observation, said, decision, decision, exchange.picture)


async def _begun(exchange: Exchange, past: Past | None) -> str:
    """What begins the next message: the opening, unless a message before it has told it already."""
    if exchange.conversation:
        return ""
    opening = exchange.render("opening", example=await example_of(exchange)).strip()
    if exchange.choices["history"] != ALL:
        left_out = exchange.render("left-out")
        exchange.conversation = recalled(exchange.choices["history"], past, opening, left_out)
    return "" if exchange.conversation else opening


async def example_of(exchange: Exchange) -> Example:
    """The example that the choices ask for, with feasibility first one with a single part; empty for none."""
    if exchange.choices["examples"] == "0":
        return ()
    single = exchange.choices.get("aim") == "feasibility"
    return await example_for(exchange.world, exchange.turn.seat, exchange.briefing, single)


def _observation(exchange: Exchange, reminders: tuple[str, ...]) -> str:
    prior = exchange.render("prior").strip() if exchange.choices["prior"] == ON else ""
    return "\n\n".join(filter(None, (exchange.text, prior, *reminders)))


def parted(answer: str) -> tuple[str, str]:
    """(thoughts, decision) of an answer that has both: the decision begins with the first ``Action:``.

    It ends where thoughts or an observation begin again. Without the mark everything is the decision.
    """
    mark = _LINE_MARK.search(answer) or _MARK.search(answer)
    if mark is None:
        return "", answer
    again = _AGAIN.search(answer, mark.end())
    return answer[: mark.start()].strip(), answer[mark.start() : again.start() if again else None].strip()


_LINE_MARK = re.compile(r"^[ \t*_#>]{0,20}action[ \t*_]{0,9}:", re.IGNORECASE | re.MULTILINE)
_MARK = re.compile(r"\baction[ \t*_]{0,9}:", re.IGNORECASE)
_AGAIN = re.compile(
    r"^[ \t*_#>]{0,20}(?:reasoning|thoughts?|observation)[ \t*_]{0,9}:", re.IGNORECASE | re.MULTILINE
)


# --- ReAct (Yao et al., 2023): thoughts first, then a decision in keeping with them ------------------------


SAMPLES: Mapping[str, Mapping[str, Any]] = {
    "opening": {"example": ()},
    "think": {"opening": "opening", "observation": "text"},
    "together": {"opening": "opening", "observation": "text"},
    "act": {},
    "prior": {},
    "left-out": {},
}
"""The messages of ReAct and what their templates know."""

ANSWERS: Mapping[str, Form] = {"think": "thoughts", "together": "both"}

TRIES = Option(
    "1",
    "answers asked for within a decision until one can be carried out, each after what was wrong with the "
    "last; at the third decision without one the run ends (5: Robotouille's released program)",
    most=20,
)

MOST_EXHAUSTED = 3
"""Decisions in which all tries were used up, after which the released program ends a run."""

TRY = "try"
"""The purpose of thoughts that hold an answer in whose place another was asked for."""


class Walked(Struct, frozen=True):
    """The turn before, and in how many decisions so far all tries were used up."""

    past: Past | None = None
    exhausted: int = 0


async def react(exchange: Exchange) -> str:
    """Thoughts and a decision, in two calls or in one; what earlier turns left is told as chosen.

    With several ``tries`` an answer that would be refused is followed by another in the same decision. One
    without both parts stays in the conversation in full; one that names an impossible action takes the
    place of the turn before. Raises ``PolicyStops`` after ``MOST_EXHAUSTED`` decisions without an answer.
    """
    walked: Walked = exchange.notes or Walked()
    if walked.exhausted >= MOST_EXHAUSTED:
        raise PolicyStops(f"{walked.exhausted} decisions in which no answer could be carried out")
    n_tries, past, feedback = max(1, int(exchange.choices["tries"])), walked.past, ""
    for number in range(1, n_tries + 1):
        latest = await _answered(exchange, past, feedback=feedback)
        whole = exchange.choices["calls"] != TOGETHER or all(parted(latest.said))
        refused = n_tries > 1 and (not whole or exchange.turn.refuses(latest.given))
        if whole:
            past = latest
            _forget(exchange)
        if not refused:
            break
        if number < n_tries:
            exchange.note(TRY, latest.said)
            feedback = exchange.render("again", whole=whole, decision=latest.decision).strip()
    _forget(exchange)
    exchange.notes = Walked(past if n_tries > 1 else latest, walked.exhausted + refused)
    return latest.given if whole or not refused else ""


def without_menu(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    """Why ReAct's choices make no sense in a world; empty if they do."""
    if choices["tries"] not in ("0", "1") and not isinstance(world, Menus):
        return "tries ask what can be done, and the world does not list that"
    return without_example(world, choices)


def without_example(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    """Why the choices make no sense in a world; empty if they do."""
    return no_demonstration(world, "examples=0") if choices["examples"] != "0" else ""


REACT = Method(
    name="react",
    summary="ReAct: thinks first, then acts",
    source="TimeArena, section 4.1; Recipe2Plan, appendix C.4; Robotouille, sections 4.1 and A.8",
    decide=react,
    messages={**SAMPLES, "again": {"whole": True, "decision": "decision"}},
    options={**CHOICES, "tries": TRIES},
    answers=ANSWERS,
    check=without_menu,
)


# --- plain prompting; with self-plan, after a timed plan of the whole task ---------------------------------


async def act(exchange: Exchange) -> str:
    """One call for each decision, in one growing conversation."""
    return await exchange.ask("act")


ACT = Method(
    name="act",
    summary="plain prompting: one call for each decision",
    source="TimeArena, section 4.1",
    decide=act,
    messages={"act": {}},
)


async def self_plan(exchange: Exchange) -> str:
    """Two calls before the first decision, one for each decision after that, in one conversation.

    The plan is the model's own affair: nobody reads it but the model.
    """
    opening = not exchange.conversation
    if opening:
        await exchange.think("estimates")
        await exchange.think("plan")
    return await exchange.ask("act", opening=opening)


SELF_PLAN = Method(
    name="self-plan",
    summary="estimates durations and makes a timed plan first, then one call for each decision",
    source="TimeArena, section 4.3 and appendix B.5",
    decide=self_plan,
    messages={"estimates": {}, "plan": {}, "act": {"opening": True}},
    answers={"estimates": "thoughts", "plan": "thoughts"},
)


# --- a reason for every decision: asked of agents that wait, to see why they do ----------------------------


WITHOUT = "without reason"
"""The purpose of a thought that holds an answer which gave no reason."""

_REASON = re.compile(r"^[^\w\n]{0,9}reason(?:s|ing)?\W{0,9}:[\s*_`]{0,99}", re.IGNORECASE | re.MULTILINE)
_DECISION = re.compile(r"^[^\w\n]{0,9}(?:decision|action)\W{0,9}:", re.IGNORECASE | re.MULTILINE)
_LABEL = re.compile(r"^\W{0,9}decision\W{0,9}:[\s*_`]{0,99}", re.IGNORECASE)
_GIVES_A_REASON = re.compile(r"\b(?:because|since)\b", re.IGNORECASE)


class Reasoned(Struct, frozen=True):
    """An answer in its two parts; ``reason`` is empty where none was given."""

    reason: str
    decision: str


async def reasoned(exchange: Exchange) -> str:
    """One call for each decision; an answer without a reason is asked for once more.

    The answer that counts is the last one, with or without a reason. Thoughts: ``reason``; before it, or
    in its place, ``without reason`` with each answer that had none.
    """
    answer = read_reasoned(await exchange.ask("act"))
    if not answer.reason:
        exchange.note(WITHOUT, answer.decision)
        answer = read_reasoned(await exchange.ask("again"))
    exchange.note(REASON if answer.reason else WITHOUT, answer.reason or answer.decision)
    return answer.decision


def read_reasoned(text: str, *, several: bool = False) -> Reasoned:
    """The reason and the decision of an answer, in either order. Never raises.

    The reason is what is marked as such, or what stands before the decision where only that is marked. Of
    an answer without any mark the whole is the decision, and the reason too if it speaks of one. A decision
    without a mark that follows the reason is the last line, or with ``several`` lines all but the first.
    """
    reason, decision = _REASON.search(text), _DECISION.search(text)
    if reason is not None and decision is not None:
        if reason.start() < decision.start():
            return Reasoned(_between(text, reason, decision), _unlabelled(text[decision.start() :]))
        end = reason.start()
        return Reasoned(text[reason.end() :].strip(), _unlabelled(text[decision.start() : end]))
    if decision is not None:
        return Reasoned(text[: decision.start()].strip(), _unlabelled(text[decision.start() :]))
    if reason is not None:
        return _without_mark(text, reason, several)
    return Reasoned(text.strip() if _GIVES_A_REASON.search(text) else "", text)


def _between(text: str, first: re.Match[str], second: re.Match[str]) -> str:
    return text[first.end() : second.start()].strip()


def _unlabelled(text: str) -> str:
    """Without our own label; ``Action:`` is a world's, and stays for its reader."""
    return _LABEL.sub("", text, count=1).strip()


def _without_mark(text: str, reason: re.Match[str], several: bool) -> Reasoned:
    """The decision is what stands on the lines before the reason, or else on the last line after it, or with
    ``several`` lines on all after its first."""
    before, after = text[: reason.start()].strip(), text[reason.end() :].strip()
    if before:
        return Reasoned(after, before)
    said, _, last = after.partition("\n") if several and "\n" in after else after.rpartition("\n")
    return Reasoned(said.strip(), last.strip()) if said.strip() else Reasoned(after, after)


REASONED = Method(
    name="reasoned",
    summary="gives a reason with every decision, waits above all",
    source="TimeArena, section 4.4",
    decide=reasoned,
    messages={"act": {}, "again": {}},
    answers={"act": "reasoned", "again": "reasoned"},
)
