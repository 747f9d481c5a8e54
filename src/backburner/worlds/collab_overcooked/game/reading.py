"""Answers read as replies: the three fields analysis, plan and say, each behind its name and a colon.

A plan is a list of calls with semicolons between them. ``released`` wants the plan on one line with a
say after it; ``standard`` takes it over several lines too, and a lone line of calls as a plan.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.call_reading import CallReader, is_own
from backburner.worlds.collab_overcooked.game.refusals import refused
from backburner.worlds.collab_overcooked.game.state import Reply
from backburner.worlds.collab_overcooked.game.talking import MOST_ENTRIES, NOTHING

LONGEST = 50_000
"""Characters of an answer that are looked at."""

FIELD = re.compile(
    r"^[ \t*#>-]*(?:\d+[.)][ \t]*)?(?:(?:chef|assistant|bob|alice)[ \t]+)?(analysis|plan|say)[ \t*]*:",
    re.IGNORECASE | re.MULTILINE,
)
"""A field's name on its line, alone or after the seat's or the article's name for the cook."""

ANALYSIS, PLAN, SAY = "analysis", "plan", "say"


def read(text: str, reader: CallReader, exact: bool) -> Reply | Refusal:
    """The reply in an answer, or the refusal of one without a plan. Never raises."""
    cut = text[:LONGEST]
    order, fields = _fields(cut)
    plan = fields.get(PLAN)
    if plan is None:
        return _bare(cut, reader, exact)
    if exact and ("\n" in plan or order[order.index(PLAN) + 1 :][:1] != [SAY]):
        return refused("no_plan")
    entries = _entries(plan)
    if not 0 < len(entries) <= MOST_ENTRIES:
        return refused("no_plan")
    return Reply(fields.get(ANALYSIS, ""), entries, fields.get(SAY, ""))


def _fields(text: str) -> tuple[list[str], dict[str, str]]:
    """The fields in their order, and what each of them holds; the first of a name counts."""
    found = list(FIELD.finditer(text))
    fields: dict[str, str] = {}
    for match, following in zip_longest(found, found[1:]):
        end = following.start() if following else len(text)
        fields.setdefault(match[1].lower(), text[match.end() : end].strip())
    return [match[1].lower() for match in found], fields


def _entries(plan: str) -> tuple[str, ...]:
    return tuple(entry for entry in re.split(r"[;\n]", plan) if entry.strip())


def _bare(text: str, reader: CallReader, exact: bool) -> Reply | Refusal:
    """A lone line of calls, which is a plan and nothing else."""
    line = text.strip()
    entries = _entries(line)
    if exact or "\n" in line or not 0 < len(entries) <= MOST_ENTRIES:
        return refused("no_plan")
    if any(is_own(entry) and isinstance(reader.read(entry), Refusal) for entry in entries):
        return refused("no_plan")
    return Reply(NOTHING, entries, NOTHING)


def written(reply: Reply) -> str:
    """The text that ``read`` reads as this reply."""
    fields = ((ANALYSIS, reply.analysis), (PLAN, ";".join(reply.plan)), (SAY, reply.say))
    return "\n".join(f"{name}: {value}" for name, value in fields)
