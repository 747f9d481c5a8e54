"""Answers as text: reading and writing the fields analysis, plan and say, each behind its name.

The grammar of ``standard`` rules: fields in any order, with or without a role before them, with the marks
that people put around them; a plan may stand over several lines, and a lone line of calls is a plan,
whatever words stand on other lines. For that of ``released`` see ``exact_answers``.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from backburner.kernel.values import Refusal
from backburner.kernel.wrapping import found_within
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import COLLABORATION, CallReader, is_own, refused
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
    entries = _entries(_without_an_end(plan, reader))
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
    lines = [line for line in plan.split("\n") if not _is_fence(line.strip())]
    return tuple(filter(None, (piece.strip(_AROUND) for line in lines for piece in line.split(";"))))


def _is_fence(line: str) -> bool:
    """Whether a line opens or closes a block of code, with or without the name of a language."""
    name = line[3:].strip()
    return line.startswith(("```", "~~~")) and (not name or name.isalnum())


_AROUND = "*`" + "".join(sign for sign in map(chr, range(0x3001)) if sign.isspace())
"""What is taken from both ends of an entry: marks that make text stand out, and blanks of any kind."""


def _without_an_end(plan: str, reader: CallReader) -> str:
    """Without the words behind an empty line, if no call is among them, such as a greeting."""
    begin, empty, end = plan.partition("\n\n")
    if empty and not any(_is_call(entry, reader) for entry in _entries(end)):
        return begin
    return plan


def _is_call(entry: str, reader: CallReader) -> bool:
    """Whether an entry is a call, or one that is asked of the partner."""
    if is_own(entry):
        return not isinstance(reader.read(entry), Refusal)
    return entry.casefold().startswith(tuple(f"{word}(" for word in COLLABORATION))


def _bare(text: str, reader: CallReader) -> Reply | Refusal:
    """A lone line of calls, read as a plan, with or without words around it; see ``wrapping``."""

    def lone(line: str) -> Reply | Refusal:
        entries = _entries(line)
        if not 0 < len(entries) <= MOST_ENTRIES or not all(_is_call(entry, reader) for entry in entries):
            return refused("no_plan")
        return Reply(NOTHING, entries, NOTHING)

    found = found_within(text, lone)
    if len(found) == 1:
        return found[0]
    return refused("several_plans") if found else refused("no_plan")


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
