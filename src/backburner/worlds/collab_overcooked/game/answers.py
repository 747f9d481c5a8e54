"""Answers as text: reading and writing the fields analysis, plan and say, each behind its name.

The grammar of ``standard`` rules: fields in any order, with or without a role before them, with the marks
that people put around them; a plan may stand over several lines, and a lone line of calls is a plan,
whatever words stand on other lines.

Under ``released`` rules each field stands behind the asked cook's role and its name:

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
from itertools import zip_longest
from typing import NamedTuple

from backburner.kernel.values import Refusal
from backburner.kernel.wrapping import found_within
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import COLLABORATION, CallReader, is_own, refused
from backburner.worlds.collab_overcooked.game.conversation import MOST_ENTRIES, NOTHING
from backburner.worlds.collab_overcooked.game.plans import Plan
from backburner.worlds.collab_overcooked.game.state import ROLES, Reply

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
