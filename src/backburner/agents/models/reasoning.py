"""Thinking before deciding, as ReAct and Reflexion do it, and what is told again of earlier turns."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from backburner.agents.models.client import Message, answered
from backburner.agents.models.examples import Example, example_for
from backburner.agents.models.exchange import Exchange
from backburner.agents.models.method import AIM, Option

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


APART, TOGETHER = "apart", "together"
ON, OFF = "on", "off"

CALLS = Option(
    APART, "thoughts and decision in two calls (apart), or both in one answer (together)", (APART, TOGETHER)
)
EXAMPLES = Option(
    "0", "examples of play in the prompt, made by the oracle in a training scenario", ("0", "1")
)
CHOICES: Mapping[str, Option] = {
    "calls": CALLS,
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
    observation = _observation(exchange, reminders)
    opening = await _begun(exchange, past)
    told = {"opening": opening, "observation": observation}
    if reflect or exchange.choices["calls"] == APART:
        said = await exchange.think("reflect" if reflect else "think", **told)
        decision = await exchange.ask("act")
        said = f"{said}\n\n{decision}"
    else:
        said = await exchange.ask(exchange.choices["calls"], **told)
        decision = said
        if exchange.choices["calls"] == TOGETHER:
            thoughts, decision = parted(said)
            exchange.note("think", thoughts)
    if exchange.choices["history"] != ALL:
        exchange.conversation = ()
    return Past(observation, said, decision)


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
    return "\n\n".join(filter(None, (exchange.turn.text, prior, *reminders)))


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
