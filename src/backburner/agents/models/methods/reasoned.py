"""A reason for every decision: what is asked of agents that wait, to see why they do."""

from __future__ import annotations

import re

from msgspec import Struct

from backburner.agents.models.exchange import Exchange
from backburner.agents.models.method import Method
from backburner.kernel.policy import REASON

WITHOUT = "without reason"
"""The purpose of a thought that holds an answer which gave no reason."""

_REASON = re.compile(r"^\W{0,9}reason(?:s|ing)?\W{0,9}:[\s*_`]{0,99}", re.IGNORECASE | re.MULTILINE)
_DECISION = re.compile(r"^\W{0,9}(?:decision|action)\W{0,9}:", re.IGNORECASE | re.MULTILINE)
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
    answer = read(await exchange.ask("act"))
    if not answer.reason:
        exchange.note(WITHOUT, answer.decision)
        answer = read(await exchange.ask("again"))
    exchange.note(REASON if answer.reason else WITHOUT, answer.reason or answer.decision)
    return answer.decision


def read(text: str) -> Reasoned:
    """The reason and the decision of an answer, in either order. Never raises.

    The reason is what is marked as such, or what stands before the decision where only that is marked. Of
    an answer without any mark the whole is the decision, and the reason too if it speaks of one.
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
        return _without_mark(text, reason)
    return Reasoned(text.strip() if _GIVES_A_REASON.search(text) else "", text)


def _between(text: str, first: re.Match[str], second: re.Match[str]) -> str:
    return text[first.end() : second.start()].strip()


def _unlabelled(text: str) -> str:
    """Without our own label; ``Action:`` is a world's, and stays for its reader."""
    return _LABEL.sub("", text, count=1).strip()


def _without_mark(text: str, reason: re.Match[str]) -> Reasoned:
    """The decision is what stands on the lines before the reason, or else on the last line after it."""
    before, after = text[: reason.start()].strip(), text[reason.end() :].strip()
    if before:
        return Reasoned(after, before)
    said, _, last = after.rpartition("\n")
    return Reasoned(said.strip(), last.strip()) if said.strip() else Reasoned(after, after)


REASONED = Method(
    name="reasoned",
    summary="gives a reason with every decision, waits above all",
    source="TimeArena, section 4.4",
    decide=reasoned,
    messages={"act": {}, "again": {}},
)
