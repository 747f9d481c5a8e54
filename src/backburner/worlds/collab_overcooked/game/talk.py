"""Talk: what counts as an answer and as said, and when a talk is over.

An answer has three fields, analysis, plan and say. Words to the partner open a talk: the partner answers,
the opener speaks again, and so on.
"""

from __future__ import annotations

import re
from typing import Any, TypeGuard

from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.state import Reply, Talk

NOTHING = "[NOTHING]"
EMPTY = "[EMPTY]"
END = "[END]"
_END_WITHIN = re.compile("end", re.IGNORECASE)
MOST_ENTRIES = 200
"""The most entries of a plan; a longer plan counts as none."""


def reply_of(*planned: str, say: str = NOTHING) -> Reply:
    """An answer that plans these calls, and by default says nothing."""
    return Reply(NOTHING, planned, say)


def is_answer(given: Any) -> TypeGuard[Reply]:
    """Whether this is an answer at all, with a plan or without."""
    return (
        isinstance(given, Reply)
        and isinstance(given.analysis, str)
        and isinstance(given.say, str)
        and isinstance(given.rest, str)
        and isinstance(given.plan, tuple)
        and len(given.plan) <= MOST_ENTRIES
        and all(isinstance(entry, str) for entry in given.plan)
    )


def has_plan(given: Any) -> TypeGuard[Reply]:
    """Whether this is an answer with something planned."""
    return is_answer(given) and any(entry.strip() for entry in given.plan)


# --- silence and the end of a talk ----------------------------------------------------------------------


def says_something(say: str) -> bool:
    """Whether anything is said to the partner."""
    return bool(say.strip()) and NOTHING not in say and EMPTY not in say


def opens_talk(say: str, rules: Rules) -> bool:
    """Whether the say of a plan opens a talk."""
    return NOTHING not in say and EMPTY not in say if rules.silence_is_marked else says_something(say)


def _is_silence(say: str, rules: Rules) -> bool:
    """Whether the opener ends a talk by saying this, that is nothing."""
    return NOTHING in say if rules.silence_is_marked else not says_something(say)


def _ends(say: str) -> bool:
    return END in say.upper()


def over_after_answer(talk: Talk, rules: Rules, rounds: int | None) -> bool:
    """Whether a talk is over when the partner has answered.

    ``rounds``: how often its opener may speak in it; ``None``: as often as it likes.
    """
    spoken = [line.said for line in talk.lines if line.cook == talk.opener]
    if rounds is not None and len(spoken) >= rounds:
        return True
    return not rules.opener_ends_talk and (_ends(spoken[-1]) or _ends(talk.lines[-1].said))


def over_after_opener(talk: Talk, say: str, rules: Rules) -> bool:
    """Whether a talk is over when its opener says this: nothing, something again, or the words that end it.

    ``talk``: before these words.
    """
    if _is_silence(say, rules) or repeats(talk, talk.opener, say):
        return True
    if rules.end_within_words:
        return _END_WITHIN.search(say) is not None
    return rules.opener_ends_talk and _ends(say)


def repeats(talk: Talk, cook: int, say: str) -> bool:
    """Whether a cook has said the same in this talk, which is before these words.

    Equal words stand for the released program's comparison of meanings, which took a second model.
    """
    said = _remembered(say)
    return any(_remembered(line.said) == said for line in talk.lines if line.cook == cook)


def _remembered(say: str) -> str:
    """What the released program keeps of something said."""
    return "OK.<END>" if NOTHING in say else say
