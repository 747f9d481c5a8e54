"""Answers and talk: reading and writing answers, plans and their queues, when a talk is over.

An answer has three fields, analysis, plan and say, each behind its name and a colon. A plan is a list of
calls with semicolons between them. ``released`` wants the plan on one line with a say after it;
``standard`` takes it over several lines too, and a lone line of calls as a plan.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Any, TypeGuard

from msgspec.structs import replace

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import CallReader, is_own, refused
from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.state import Cook, Reply, Talk

NOTHING = "[NOTHING]"
SILENCE = (NOTHING, "[EMPTY]")
END = "[END]"
END_WORD = "END"
MOST_ENTRIES = 200
"""The most entries of a plan; a longer plan counts as none."""


def reply_of(*planned: str, say: str = NOTHING) -> Reply:
    """An answer that plans these calls, and by default says nothing."""
    return Reply(NOTHING, planned, say)


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

    ``rounds``: how often its opener may speak in it; ``None``: as often as it likes.
    """
    spoken = [line.said for line in talk.lines if line.cook == talk.opener]
    if rounds is not None and len(spoken) >= rounds:
        return True
    return not rules.partner_cannot_end_talk and (_ends(spoken[-1]) or _ends(talk.lines[-1].said))


def over_after_opener(talk: Talk, say: str, rules: Rules) -> bool:
    """Whether a talk is over when its opener says this.

    It is when the opener says nothing, or repeats itself. Equal words stand for the released program's
    comparison of meanings, which took a second model. ``talk``: before these words.
    """
    repeats = any(line.said == say for line in talk.lines if line.cook == talk.opener)
    if not says_something(say) or repeats:
        return True
    return rules.partner_cannot_end_talk and END_WORD in say


ONE_WAIT = calls.wait().text


def first_own(plan: tuple[str, ...]) -> int | None:
    """The index of the first entry that is something to do oneself."""
    return next((index for index, entry in enumerate(plan) if is_own(entry)), None)


def planned(cook: Cook, plan: tuple[str, ...], first_call_twice: bool) -> Cook:
    """The cook with a new plan: its first own call becomes the current one, the rest is queued.

    A plan of requests alone is a wait of one step. For ``first_call_twice`` see ``Rules``.
    """
    index = first_own(plan)
    if index is None:
        return replace(cook, call=ONE_WAIT, queue=(), since=-1)
    if first_call_twice:
        call = plan[0].strip() if index == 0 else plan[index]
        return replace(cook, call=call, queue=plan[1:], since=-1)
    return replace(cook, call=plan[index].strip(), queue=plan[index + 1 :], since=-1)


def requested(plan: tuple[str, ...]) -> tuple[str, ...]:
    """The calls that a plan asks of the partner, without what people put around them."""
    matches = (re.search(r"request\s*\((.*)\)", entry, re.IGNORECASE) for entry in plan)
    return tuple(re.sub(r"[\s'\"`]", "", match[1]) for match in matches if match)


def advanced(cook: Cook, first_call_twice: bool) -> Cook:
    """The cook with the next own call of its queue as the current one; without a call if there is none.

    With ``first_call_twice`` the queue is taken as a new plan, so that requests alone are a wait.
    """
    if first_call_twice and cook.queue:
        return planned(cook, cook.queue, first_call_twice)
    if not any(is_own(entry) for entry in cook.queue):
        return replace(cook, call="", queue=(), since=-1)
    return planned(cook, cook.queue, first_call_twice)


def shown(cook: Cook) -> tuple[str, ...]:
    """Everything that a cook still plans to do, as its partner may see it."""
    return (cook.call, *cook.queue) if cook.call else cook.queue


LONGEST_ANSWER = 50_000
"""Characters of an answer that are looked at."""

FIELD = re.compile(
    r"^[ \t*#>-]*(?:\d+[.)][ \t]*)?(?:(?:chef|assistant|bob|alice)[ \t]+)?(analysis|plan|say)[ \t*]*:",
    re.IGNORECASE | re.MULTILINE,
)
"""A field's name on its line, alone or after the seat's or the article's name for the cook."""

ANALYSIS, PLAN, SAY = "analysis", "plan", "say"


def read(text: str, reader: CallReader, exact: bool) -> Reply | Refusal:
    """The reply in an answer, or the refusal of one without a plan. Never raises."""
    cut = text[:LONGEST_ANSWER]
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
    matches = list(FIELD.finditer(text))
    fields: dict[str, str] = {}
    for match, following in zip_longest(matches, matches[1:]):
        end = following.start() if following else len(text)
        fields.setdefault(match[1].lower(), text[match.end() : end].strip())
    return [match[1].lower() for match in matches], fields


def _entries(plan: str) -> tuple[str, ...]:
    return tuple(entry for entry in re.split(r"[;\n]", plan) if entry.strip())


def _bare(text: str, reader: CallReader, exact: bool) -> Reply | Refusal:
    """A lone line of calls, read as a plan."""
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


TYPING_HELP = (
    "Calls: pickup(egg, ingredient_dispenser); place_obj_on_counter(). To speak, put 'say:' and your words "
    "behind them, or alone; [END] in them ends the talk. To ask for a call: request('cut(chopping_board0)')."
)
_SAY_FIELD = re.compile(r"\bsay\s*:", re.IGNORECASE)
_PLAN_FIELD = re.compile(r"^\s*plan\s*:", re.IGNORECASE)


def answer_typed_as(line: str) -> str:
    """The answer in three fields that a line stands for. Words alone go with a wait of one step.

    A line that begins with a field other than ``plan`` or ``say`` is an answer already.
    """
    first = FIELD.match(line)
    if first is not None and first[1].lower() not in ("plan", "say"):
        return line
    plan, *said = _SAY_FIELD.split(line, maxsplit=1)
    plan = _PLAN_FIELD.sub("", plan).strip().rstrip(";")
    words = said[0].strip() if said else ""
    return written(Reply(NOTHING, (plan or calls.wait().text,), words or NOTHING))
