"""Answers as text: reading and writing the fields analysis, plan and say, each behind its name.

The grammar of ``standard`` rules: fields in any order, with or without a role before them, with the marks
that people put around them; a plan may stand over several lines, and a lone line of calls is a plan. For
that of ``released`` see ``exact_answers``.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import CallReader, is_own, refused
from backburner.worlds.collab_overcooked.game.plans import Plan
from backburner.worlds.collab_overcooked.game.state import Reply
from backburner.worlds.collab_overcooked.game.talk import MOST_ENTRIES, NOTHING

LONGEST_ANSWER = 50_000
"""Characters of an answer that are looked at."""

FIELD = re.compile(
    r"^[ \t*#>-]*+(?:\d++[.)][ \t]*+)?(?:(?:chef|assistant|bob|alice)[ \t]++)?(analysis|plan|say)[ \t*]*+:",
    re.IGNORECASE | re.MULTILINE,
)
"""A field's name on its line, alone or after the seat's or the article's name for the cook."""

ANALYSIS, PLAN, SAY = "analysis", "plan", "say"


def read(text: str, reader: CallReader) -> Reply | Refusal:
    """The reply in an answer, or the refusal of one without a plan. Never raises."""
    cut = text[:LONGEST_ANSWER]
    fields = _fields(cut)
    plan = fields.get(PLAN)
    if plan is None:
        return _bare(cut, reader)
    entries = _entries(plan)
    if not 0 < len(entries) <= MOST_ENTRIES:
        return refused("no_plan")
    return Reply(fields.get(ANALYSIS, ""), entries, fields.get(SAY, ""))


def _fields(text: str) -> dict[str, str]:
    """What each field holds; the first of a name counts."""
    matches = list(FIELD.finditer(text))
    fields: dict[str, str] = {}
    for match, following in zip_longest(matches, matches[1:]):
        end = following.start() if following else len(text)
        fields.setdefault(match[1].lower(), text[match.end() : end].strip())
    return fields


def _entries(plan: str) -> Plan:
    return tuple(entry for piece in re.split(r"[;\n]", plan) if (entry := piece.strip()))


def _bare(text: str, reader: CallReader) -> Reply | Refusal:
    """A lone line of calls, read as a plan."""
    line = text.strip()
    entries = _entries(line)
    if "\n" in line or not 0 < len(entries) <= MOST_ENTRIES:
        return refused("no_plan")
    if any(is_own(entry) and isinstance(reader.read(entry), Refusal) for entry in entries):
        return refused("no_plan")
    return Reply(NOTHING, entries, NOTHING)


def written(reply: Reply, role: str = "") -> str:
    """The text that is read as this reply; ``role``: the name that stands before each field."""
    fields = ((ANALYSIS, reply.analysis), (PLAN, ";".join(reply.plan)), (SAY, reply.say))
    return "\n".join(f"{role.capitalize()} {name}: {value}".lstrip() for name, value in fields)


TYPING_HELP = (
    "Calls: pickup(egg, ingredient_dispenser); place_obj_on_counter(). To speak, put 'say:' and your words "
    "behind them, or alone; [END] in them ends the talk. To ask for a call: request('cut(chopping_board0)')."
)
_SAY_FIELD = re.compile(r"\bsay\s*+:", re.IGNORECASE)
_PLAN_FIELD = re.compile(r"^\s*+plan\s*+:", re.IGNORECASE)


def answer_typed_as(line: str, role: str = "") -> str:
    """The answer in three fields that a line stands for. Words alone go with a wait of one step.

    A line that begins with a field other than ``plan`` or ``say`` is an answer already. ``role``: as
    ``written`` takes it.
    """
    first = FIELD.match(line)
    if first is not None and first[1].lower() not in ("plan", "say"):
        return line
    plan, *said = _SAY_FIELD.split(line, maxsplit=1)
    plan = _PLAN_FIELD.sub("", plan).strip().rstrip(";")
    words = said[0].strip() if said else ""
    return written(Reply(NOTHING, (plan or calls.wait().text,), words or NOTHING), role)
