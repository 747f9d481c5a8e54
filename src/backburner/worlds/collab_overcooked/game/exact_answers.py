"""The released program's grammar of answers: three fields, each behind the asked cook's role and its name.

* ``<Role> analysis``: up to the next ``<Role> plan:``; in any capitals, over several lines. An answer
  without that plan's label, or with nothing before it, has none.
* ``<Role> plan``: in exactly these capitals, on one line, with nothing but white space before the
  ``<Role> say:`` behind it; its first entry must begin like a call, see ``_begins_well``.
* ``<Role> say``: everything to the end of the answer; in any capitals, wherever it first occurs. An answer
  without one says ``[NOTHING]``.

Each pattern is looked for once, and whatever it repeats is followed by something else: reading takes time in
proportion to the answer's length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from backburner.worlds.collab_overcooked.game.answers import ANALYSIS, LONGEST_ANSWER, PLAN, SAY
from backburner.worlds.collab_overcooked.game.plans import Plan
from backburner.worlds.collab_overcooked.game.state import ROLES, Reply
from backburner.worlds.collab_overcooked.game.talk import MOST_ENTRIES, NOTHING

LONGEST_NAME = 29
"""Letters of the word that a plan may begin with; a longer one is the beginning of a sentence."""


class _Patterns(NamedTuple):
    """The labels of one role, and what may stand between a label and its text."""

    analysis: re.Pattern[str]
    any_plan: re.Pattern[str]
    any_plan_with_colon: re.Pattern[str]
    any_say: re.Pattern[str]
    plan: re.Pattern[str]
    exact_say: re.Pattern[str]


_SPACING = r"\s*+:?\s*+"


def _patterns(name: str) -> _Patterns:
    def anyhow(field: str, behind: str) -> re.Pattern[str]:
        return re.compile(rf"{name}\s++{field}{behind}", re.IGNORECASE)

    return _Patterns(
        anyhow(ANALYSIS, _SPACING),
        anyhow(PLAN, _SPACING),
        anyhow(PLAN, ":"),
        anyhow(SAY, _SPACING),
        re.compile(rf"{name}\s++{PLAN}{_SPACING}"),
        re.compile(rf"{name}\s++{SAY}:"),
    )


_PATTERNS: Mapping[str, _Patterns] = {role: _patterns(role.capitalize()) for role in ROLES}


NOTHING_FOUND = Reply(say=NOTHING)
"""What an answer without any field is read as."""


def read_exactly(text: str, role: str, keep_rest: bool = False) -> Reply:
    """What the released program finds in the answer of a cook of this role. Never raises.

    A field that is not found is empty, and so is a plan that it cannot read, but for the say, which is
    ``[NOTHING]``. ``Reply.rest`` is kept if the plan has ``[NOTHING]`` in it, and with ``keep_rest``.
    """
    patterns, text = _PATTERNS[role], text[:LONGEST_ANSWER]
    plan = _plan(patterns, text)
    keep_rest = keep_rest or NOTHING in ";".join(plan)
    return Reply(
        _analysis(patterns, text),
        plan,
        _say(patterns, text),
        _behind(patterns.any_plan, text) or "" if keep_rest else "",
    )


def _analysis(patterns: _Patterns, text: str) -> str:
    label = patterns.analysis.search(text)
    plan = patterns.any_plan_with_colon.search(text, label.end()) if label else None
    return text[label.end() : plan.start()].rstrip() if label and plan else ""


def _say(patterns: _Patterns, text: str) -> str:
    said = _behind(patterns.any_say, text)
    return NOTHING if said is None else said


def _behind(label: re.Pattern[str], text: str) -> str | None:
    """Everything behind the first such label, to the end of the text."""
    found = label.search(text)
    return None if found is None else text[found.end() :].rstrip()


def _plan(patterns: _Patterns, text: str) -> Plan:
    """The entries of the first plan that stands on one line before a say; none if they are no plan."""
    say_at = end = newline = -1
    for label in patterns.plan.finditer(text):
        if label.end() > say_at:
            say_at = _say_behind(patterns, text, label.end())
            if say_at < 0:
                return ()
            end = len(text[:say_at].rstrip())
        if label.end() > newline:
            newline = text.find("\n", label.end(), end)
        if newline < 0:
            end = max(label.end(), end)
            entries = tuple(text[label.end() : end].split(";"))
            lead = text[label.start() : end].split(";", 1)[0]
            return entries if _begins_well(lead) and len(entries) <= MOST_ENTRIES else ()
    return ()


def _say_behind(patterns: _Patterns, text: str, start: int) -> int:
    """Where the first say's label begins that has white space before it; -1 if there is none."""
    for label in patterns.exact_say.finditer(text, start):
        if text[label.start() - 1].isspace():
            return label.start()
    return -1


_NAME = re.compile(r"(?:\d++\.\s*+)?(\w++)")


def _begins_well(lead: str) -> bool:
    """Whether a plan's label and first entry have one colon, and behind it something like a call's name."""
    _, *behind = lead.replace("\n", "").split(":")
    if len(behind) != 1:
        return False
    tidy = behind[0].replace(" ", "")
    name = _NAME.match(tidy)
    if name is None:
        return "NOTHING" in tidy or "nothing" in tidy
    return len(name[1]) <= LONGEST_NAME
