"""Talk: what counts as something said, and when a talk is over."""

from __future__ import annotations

from typing import Any, TypeGuard

from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.state import Reply, Talk

NOTHING = "[NOTHING]"
SILENCE = (NOTHING, "[EMPTY]")
END = "[END]"
END_WORD = "END"
MOST_ENTRIES = 200
"""Calls of a plan that are looked at; a longer plan is no plan."""


def has_plan(given: Any) -> TypeGuard[Reply]:
    """Whether this is an answer with something planned."""
    return (
        isinstance(given, Reply)
        and isinstance(given.plan, tuple)
        and isinstance(given.say, str)
        and isinstance(given.analysis, str)
        and 0 < len(given.plan) <= MOST_ENTRIES
        and all(isinstance(entry, str) and entry.strip() for entry in given.plan)
    )


def says_something(say: str) -> bool:
    """Whether anything is said to the partner."""
    return bool(say.strip()) and not any(mark in say for mark in SILENCE)


def _ends(say: str) -> bool:
    return END in say.upper()


def over_after_answer(talk: Talk, rules: Rules, rounds: int | None) -> bool:
    """Whether a talk is over when the partner has answered.

    ``rounds``: how often who began it may speak in it; ``None``: as often as it likes.
    """
    spoken = [line.said for line in talk.lines if line.cook == talk.opener]
    if rounds is not None and len(spoken) >= rounds:
        return True
    return not rules.partner_cannot_end_talk and (_ends(spoken[-1]) or _ends(talk.lines[-1].said))


def over_after_opener(talk: Talk, say: str, rules: Rules) -> bool:
    """Whether a talk is over when who began it says this after ``talk``.

    It is when nothing is said, or what it has said before. Equal words stand for the released
    program's comparison of meanings, which took a second model.
    """
    repeats = any(line.said == say for line in talk.lines if line.cook == talk.opener)
    if not says_something(say) or repeats:
        return True
    return rules.partner_cannot_end_talk and END_WORD in say
