"""Answers: read and written as text, what their words mean in a talk, what they lack.

An answer has the fields analysis, plan and say, each behind its name. The grammar of ``standard`` rules:
fields in any order, with or without a role before them, with the marks that people put around them; a plan
may stand over several lines, and a lone line of calls is a plan, whatever words stand on other lines.

Under ``released`` rules each field stands behind the asked cook's role and its name:

* ``<Role> analysis``: up to the next ``<Role> plan:``; in any capitals, over several lines. An answer
  without that plan's label, or with nothing before it, has none.
* ``<Role> plan``: in exactly these capitals, on one line, with nothing but white space before the
  ``<Role> say:`` behind it; its first entry must begin like a call, see ``_begins_well``.
* ``<Role> say``: everything to the end of the answer; in any capitals, wherever it first occurs. An answer
  without one says ``[NOTHING]``.

Each pattern is looked for once, and whatever it repeats is followed by something else: reading takes time in
proportion to the answer's length.

An answer that lacks something is asked for again. Under ``standard`` it is one without a plan, once, and what
comes takes its place. ``Rules.repairs_by_field`` goes by what is missing:

* a plan or a correction: without analysis once, for nothing; without a plan once, and the plan is taken;
* in a talk: without analysis once, for nothing; with an empty say once, and what comes takes its place.
  Of plans only the opener's last is asked for again, when the talk is over; ``turns`` does that.

Repairs are not repaired themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any, NamedTuple, TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.values import Refusal
from backburner.kernel.wrapping import found_within
from backburner.worlds.collab_overcooked.game.calls import (
    COLLABORATION,
    NO_PLAN,
    CallReader,
    Plan,
    is_own,
    refused,
)
from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.state import ROLES, Ask, Repair, Reply, Talk

NOTHING = "[NOTHING]"


EMPTY = "[EMPTY]"


END = "[END]"


MOST_ENTRIES = 200
"""The most entries of a plan; a longer plan counts as none."""


LONGEST_ANSWER = 50_000
"""Characters of an answer that are looked at."""


ANALYSIS, PLAN, SAY = "analysis", "plan", "say"


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


def written(reply: Reply, role: str = "") -> str:
    """The text that is read as this reply; ``role``: the name that stands before each field.

    No text is read as silence.
    """
    if reply.silent:
        return f"(silent for {reply.silent} steps)"
    fields = ((ANALYSIS, reply.analysis), (PLAN, ";".join(reply.plan)), (SAY, reply.say))
    return "\n".join(f"{role.capitalize()} {name}: {value}".lstrip() for name, value in fields)


def shortened(reply: Reply, words: int) -> Reply:
    """The reply with so many words to the partner at most."""
    said = reply.say.split()
    if not says_something(reply.say) or len(said) <= words:
        return reply
    return replace(reply, say=" ".join(said[:words]) or NOTHING)


# --- by standard rules ----------------------------------------------------------------------------------


FIELD = re.compile(
    r"^[ \t*#>-]*+(?:\d++[.)][ \t]*+)?(?:(?:chef|assistant|bob|alice)[ \t]++)?(analysis|plan|say)[ \t*]*+:",
    re.IGNORECASE | re.MULTILINE,
)
"""A field's name on its line, alone or after the seat's or the article's name for the cook."""


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


# --- by released rules ----------------------------------------------------------------------------------


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


_END_WITHIN = re.compile("end", re.IGNORECASE)


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


# --- what is taken, and what is asked for again ---------------------------------------------------------


class Heard(Struct, frozen=True):
    """What follows from something given as an answer.

    ``reply``: what is taken; none if something is asked for again (``repair``). ``wrong``: what was wrong
    with it. ``logged``: the answer as the released program logs it, if it does so now.
    """

    reply: Reply | None = None
    repair: Repair | None = None
    wrong: Refusal | None = None
    logged: Reply | None = None


def heard(ask: Ask, repair: Repair | None, given: Any, by_field: bool) -> Heard:
    """What follows from an answer to ``ask``, or to the ``repair`` of one."""
    if not by_field:
        return _whole(ask, repair, given)
    reply = given if is_answer(given) else Reply(say=NOTHING)
    if ask in ("plan", "correct"):
        told = _planning(reply) if repair is None else _planning_again(repair, reply)
    else:
        told = _talking(reply) if repair is None else _talking_again(repair, reply)
    return replace(told, wrong=given) if isinstance(given, Refusal) else told


def _whole(ask: Ask, repair: Repair | None, given: Any) -> Heard:
    """In a talk the log has the answer that was given first."""
    talks = ask in ("answer", "continue")
    taken = given if has_plan(given) else None
    logged = None if talks and repair is not None else taken or Reply(say=NOTHING)
    if taken is not None:
        return Heard(taken, logged=logged)
    wrong = given if isinstance(given, Refusal) else refused("no_plan")
    if repair is None:
        return Heard(repair=Repair(1), wrong=wrong, logged=logged if talks else None)
    return Heard(Reply(plan=NO_PLAN), wrong=wrong, logged=logged)


def _planning(reply: Reply) -> Heard:
    left = (not reply.analysis.strip()) + (not reply.plan)
    if not left:
        return Heard(reply, logged=reply)
    wrong = refused("no_analysis" if reply.plan else "no_plan")
    return Heard(repair=Repair(left, reply, bool(reply.plan), "plan"), wrong=wrong)


def _planning_again(repair: Repair, reply: Reply) -> Heard:
    """The first answer's say stays, and its plan if it has one; the log has the plan that came last."""
    wrong = None if reply.plan else refused("no_plan")
    first = repair.kept or Reply(say=NOTHING)
    if repair.left > 1:
        return Heard(repair=Repair(repair.left - 1, first, repair.settled, "plan"), wrong=wrong)
    plan = first.plan if repair.settled else reply.plan or NO_PLAN
    return Heard(
        replace(first, plan=plan, rest=reply.rest), wrong=wrong, logged=replace(first, plan=reply.plan)
    )


def _talking(reply: Reply) -> Heard:
    if not reply.analysis.strip():
        wanted = Repair(1, reply, settled=True, part="analysis")
        return Heard(repair=wanted, wrong=refused("no_analysis"), logged=reply)
    return replace(_with_say(reply), logged=reply)


def _talking_again(repair: Repair, reply: Reply) -> Heard:
    if repair.part == "analysis":
        return _with_say(repair.kept or reply)
    lacks_plan = repair.part == "plan" and not reply.plan
    return Heard(reply, wrong=refused("no_plan") if lacks_plan else None)


def _with_say(reply: Reply) -> Heard:
    if reply.say.strip():
        return Heard(reply)
    return Heard(repair=Repair(1, reply, part="say"), wrong=refused("no_say"))
