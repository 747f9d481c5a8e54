"""Reading answers: from a text to a decision. World and agents share it.

As released: an answer of the loop is cut first (``cut``), then every action in its shape is taken,
wherever it stands; a plan is read as ``PlanReading`` says. The standard reading takes the actions that
follow the first ``Action:`` with any behind it, or all where that marker is missing, and is generous about
spelling; what is thought aloud is no part of the answer. Either way the actions of an answer
are sorted by their start. Statements of beliefs are taken from the whole answer, where the scenario asks
for them.

Every pattern here takes time that grows with the text's length and no faster: what it matches cannot be
divided in two ways, so that no stretch of text is gone through again and again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.values import Refusal
from backburner.kernel.wrapping import may_hold_thoughts, spoken
from backburner.worlds.recipe2plan.game.beliefs import Beliefs, statements
from backburner.worlds.recipe2plan.game.compiled import Compiled
from backburner.worlds.recipe2plan.game.rule_set import PlanReader, Rules
from backburner.worlds.recipe2plan.game.scenarios import LATEST
from backburner.worlds.recipe2plan.game.state import NO_ACTION, Cook, Piece

_TIMES = r"((?:\d++:)?\d++:\d++)"
_EXACT_STEP = re.compile(rf"(\d++), ([\w-]++), {_TIMES}(?:, {_TIMES})?")
_UNITS: tuple[tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (" min", re.compile(r" min(?<=\d min)"), ":00"),
    (" sec", re.compile(r"(?<!\d)(\d++) sec"), lambda found: f"0:{found[1]}"),
    (" hour", re.compile(r" hour(?<=\d hour)"), ":00:00"),
)
"""A unit, where it stands behind a number, and what is written instead: ``5 min`` is ``5:00``."""

_MARKER = re.compile(r"action(?<!\waction)\s{0,9}:")
_NEXT_MARKER = re.compile(
    r"(?:action(?<!\waction)|thought(?<!\wthought)|observation(?<!\wobservation))\s{0,9}:"
)
_STEP = re.compile(
    r"[Ss][Tt][Ee][Pp](?<!\w.{4})\s{0,9}\(\s{0,9}(\d++)\s{0,9},"
    r"([^,()]{1,99}+)(?:,([^,()]{1,99}+))?,([^,()]{1,99}+)\)"
)
_FINISH = re.compile(r"finish\b(?=[^\w\n]*+(?:\Z|\n))")
_BEFORE_FINISH = re.compile(r"[^\w)]*+(?:\)|\Z)")
"""Alone, or after an action: what precedes it, read backwards, goes to a bracket or the beginning."""
_TIME = re.compile(_TIMES)
_LENGTH = re.compile(r"(?<!\d)(\d++(?:\.\d++)?+)\s*+(h|m|s)[a-z]*+\.?", re.IGNORECASE)
_SECONDS = {"h": 3600, "m": 60, "s": 1}
_BLANKS = " \t\n\"'`*"

MOST_DIGITS = 640
"""So many digits are read as a number on any Python; leading zeros do not count."""
SURELY_EARLY = 15
"""No number of so many digits is beyond ``LATEST``."""
MOST_ACTIONS = 10_000
"""Actions of one answer that are read: in the exact shape, of the first so many places where one may begin.
No model writes as many; a broken server, or somebody who means harm, could have a record of zero seconds grow
beyond what can be read again."""
MOST_MARKERS = 1_000
"""So many markers are looked behind for an action."""
_SHORT = 10_000
"""Nothing in texts of so many signs is searched in portions."""
MOST_KNOWN, LONGEST_KNOWN = 4096, 100
"""So many steps of so many signs a reader remembers, with what they say: there are few different ones."""

Whole = tuple[int, str, int]
"""A step without a duration: its number, its recipe, its start."""


class PlanReading(Struct, frozen=True):
    """How a program of the release reads a text that is a whole plan, or a text of a log.

    ``after_thinking``: only what follows the last ``</think>``. ``repaired``: the plan's times are repaired.
    """

    after_thinking: bool = False
    repaired: bool = False

    def kept(self, text: str) -> str:
        """The part of the text that is read."""
        return text.rpartition(THOUGHT_OUT)[2] if self.after_thinking else text


ACTION, THOUGHT, THOUGHT_OUT, STEP = "Action: ", "Thought:", "</think>", "Step("
"""What the release looks for, in this spelling."""

SUMMARY = PlanReading(after_thinking=True)
"""The summarizer, whose numbers are reported."""
SUMMARY_REPAIRED = PlanReading(after_thinking=True, repaired=True)
"""The summarizer with its switch for the repair of times."""
PLAN_AGENT = PlanReading(repaired=True)
"""The program that asks for the plan and logs what became of it. There, lags are in force whatever the
scenario says: give it the scenario with ``lags=on``."""
LOG = PlanReading()
"""The summarizer, of each text of a log of the loop (see ``rule_set.LOG_RULES``)."""

PLAN_READINGS: dict[PlanReader, PlanReading] = {
    "summary": SUMMARY,
    "summary-repaired": SUMMARY_REPAIRED,
    "agent": PLAN_AGENT,
}


class Reader:
    """Reads the answers to one scenario under its rules. Never raises, never charges."""

    def __init__(self, compiled: Compiled, rules: Rules) -> None:
        self.compiled = compiled
        self.rules = rules
        self.plan_reading = PLAN_READINGS[rules.plan_reader]
        self._known: dict[str | tuple[str, ...], Piece | Whole] = {}
        self._names = {_folded(name): name for name in compiled.jobs_of}
        self._found = self._exact if rules.exact_text_only else self._generous
        self._asks = compiled.scenario.knowledge == "beliefs"

    def read(self, text: str) -> Cook | Refusal:
        """The decision in one answer of a loop."""
        if self.rules.thoughts_are_read:
            kept = cut(text)
            finish = "action: finish" in kept.lower() or ("*" in kept and "*/" in kept)
        else:
            kept, lower = _answer(text)
            finish = _finishes(lower)
        actions = self.actions(kept)
        beliefs = self._beliefs(text) if self._asks else ()
        if not (actions or finish or beliefs):
            return NO_ACTION
        return Cook(actions, finish, beliefs) if finish or beliefs else Cook(actions)

    def _beliefs(self, text: str) -> tuple[Beliefs, ...]:
        """What is stated about each recipe; of two statements about one, the later."""
        found = statements(text, released=self.rules.exact_text_only)
        named = ((self._recipe(one.recipe), one) for one in found)
        return tuple({name: replace(beliefs, recipe=name) for name, beliefs in named}.values())

    def read_plan(self, text: str, reading: PlanReading | None = None) -> Cook | Refusal:
        """The decision in a text that is a whole plan, read as ``reading`` says or else as the rules do."""
        actions = self.plan_actions(text, reading or self.plan_reading)
        return Cook(actions) if actions else NO_ACTION

    def plan_actions(self, text: str, reading: PlanReading) -> tuple[Piece, ...]:
        """Every action of a plan, by start."""
        actions = self.actions(reading.kept(text))
        return self.repaired(actions) if reading.repaired else actions

    def actions(self, text: str) -> tuple[Piece, ...]:
        """Every action in the text, by start. An action without a duration is the whole step, and
        counts only where no action has one."""
        found = self._found(text)
        if len(found) > 1:
            found.sort(key=lambda piece: piece.start)
        return tuple(found)

    def repaired(self, actions: Sequence[Piece]) -> tuple[Piece, ...]:
        """The released program's timestamp repair of a plan.

        An action that begins before the cook is free is shifted, and all later ones with it. When
        the cook is free again is then taken from the action's time before this shift, so that a
        second conflict may be missed.
        """
        free, shift = 0, 0
        repaired = []
        for piece in actions:
            start = piece.start + shift
            late = max(free - start, 0)
            shift += late
            repaired.append(replace(piece, start=min(start + late, LATEST + 1)))
            job = self.compiled.job_of(piece)
            autonomous = not isinstance(job, Refusal) and job.step.autonomous
            free = start if autonomous else start + piece.seconds
        return tuple(repaired)

    def _exact(self, text: str) -> list[Piece]:
        if "'" in text or '"' in text:
            text = text.replace("'", "").replace('"', "")
        places = text.split(STEP, MOST_ACTIONS)[1:]  # no action has another one in it
        timed, whole = self._read_exactly(places)
        if len(timed) < len(places):  # what is no action yet may be one without units
            text = text[text.find(STEP) :]  # nothing before it can be part of an action
            for unit, pattern, clock in _UNITS:
                if unit in text:
                    text = pattern.sub(clock, text)
            timed, whole = self._read_exactly(text.split(STEP, MOST_ACTIONS)[1:])
        return timed or [self._whole(*step) for step in whole]

    def _read_exactly(self, places: list[str]) -> tuple[list[Piece], list[Whole]]:
        """(actions with a duration, those without one) with which these texts begin, up to their brackets."""
        timed: list[Piece] = []
        whole: list[Whole] = []
        for text in places:
            inside, bracket, _ = text.partition(")")
            if not bracket:
                continue
            step = self._known.get(inside) or self._exact_step(inside)
            if isinstance(step, Piece):
                timed.append(step)
            elif step:
                whole.append(step)
        return timed, whole

    def _exact_step(self, inside: str) -> Piece | Whole | None:
        """What stands between the brackets of a step, ``None`` if it is none."""
        found = _EXACT_STEP.fullmatch(inside)
        if found is None:
            return None
        step, recipe, first, second = found.groups()
        short = len(inside) <= LONGEST_KNOWN
        seconds = _known_clock if short else clock_seconds
        whole = number(step), recipe, seconds(first)
        read = whole if second is None else Piece(*whole, seconds(second))
        if short and len(self._known) < MOST_KNOWN:
            self._known[inside] = read
        return read

    def _generous(self, text: str) -> list[Piece]:
        found = _STEP.findall(text) if len(text) <= _SHORT else _first(_STEP, text)
        if not found:
            return []
        if len(found) > 1:
            found = [parts for parts in found if parts[2]] or found
        pieces: list[Piece] = []
        for parts in found:
            step = self._known.get(parts) or self._step(*parts)
            if isinstance(step, Piece):
                pieces.append(step)
        return pieces

    def _step(self, step: str, name: str, duration: str, begin: str) -> Piece | None:
        """The action of which these are the parts, ``None`` if its times are none."""
        recipe, start, seconds = self._recipe(name), _known_time(begin), _known_time(duration or "0s")
        if start is None or seconds is None:
            return None
        if not duration:
            return self._whole(number(step), recipe, start)
        read = Piece(number(step), recipe, seconds, start)
        if len(step) <= SURELY_EARLY and len(self._known) < MOST_KNOWN:
            self._known[step, name, duration, begin] = read
        return read

    def _whole(self, step: int, recipe: str, start: int) -> Piece:
        """All of the step, or no second of one that is not there."""
        job = self.compiled.job_of(Piece(step, recipe, 0, start))
        return Piece(step, recipe, 0 if isinstance(job, Refusal) else job.step.seconds, start)

    def _recipe(self, name: str) -> str:
        """The recipe's own name, however it is spelled; any other name as it is written."""
        name = name.strip()
        return name if name in self.compiled.jobs_of else self._names.get(_folded(name), name)


def _first(pattern: re.Pattern[str], text: str) -> list[tuple[str, ...]]:
    """What ``findall`` finds, of the first ``MOST_ACTIONS`` places."""
    return [match.groups("") for match in islice(pattern.finditer(text), MOST_ACTIONS)]


def cut(text: str) -> str:
    """What the released loop keeps of an answer: up to the second ``Action:``, one ``Thought:``."""
    before, action, after = text.partition(ACTION)
    if ACTION in after:
        text = before + action + after.partition(ACTION)[0]
    _, thought, after = text.partition(THOUGHT)
    if not thought:
        return text
    return thought + (after.partition(THOUGHT)[0] if THOUGHT in after else after)


def _answer(text: str) -> tuple[str, str]:
    """What follows the first ``Action:`` with an action behind it, up to the next marker, and the same in
    small letters.

    If there is none, what follows the first marker; without any, the whole text.
    """
    if may_hold_thoughts(text):
        text = spoken(text).answer
    lower = _lower(text)
    marker = _MARKER.search(lower)
    if marker is None:
        return text, lower
    if len(text) <= _SHORT and not _goes_on(rest := lower[marker.end() :]):  # as nearly always
        return text[marker.end() :], rest
    return _chosen(text, lower, marker)


def _chosen(text: str, lower: str, marker: re.Match[str] | None) -> tuple[str, str]:
    """What stands behind the first marker, from this one on, that an action follows; else behind this one."""
    answers: list[tuple[str, str]] = []
    while marker is not None and len(answers) < MOST_MARKERS:
        begin = marker.end()
        following = _NEXT_MARKER.search(lower, begin)
        end = following.start() if following else len(text)
        answers.append((text[begin:end], lower[begin:end]))
        marker = _MARKER.search(lower, end)
        # Where there is no choice nobody looks: a megabyte is not to be searched twice.
        if (marker or len(answers) > 1) and (_STEP.search(answers[-1][0]) or _finishes(answers[-1][1])):
            return answers[-1]
    return answers[0]


def _goes_on(rest: str) -> bool:
    """Whether another marker may follow: quicker than to look for one where there is none."""
    return "action" in rest or "thought" in rest or "observation" in rest


def _finishes(lower: str) -> bool:
    if "finish" not in lower:
        return False
    backwards, found = lower[::-1], _FINISH.finditer(lower)
    return any(_BEFORE_FINISH.match(backwards, len(lower) - each.start()) for each in found)


def _lower(text: str) -> str:
    """In small letters and as long as before: the dotted capital I alone would become longer."""
    return text.lower() if text.isascii() else text.replace("\u0130", "i").lower()


def number(digits: str) -> int:
    """The number that is written in these digits, of any script, or ``LATEST + 1`` if it is beyond that."""
    if len(digits) <= SURELY_EARLY:
        return int(digits)
    digits = digits.lstrip("0") or "0"
    return min(int(digits), LATEST + 1) if len(digits) <= MOST_DIGITS else LATEST + 1


def clock_seconds(text: str) -> int:
    """HH:MM:SS, or MM:SS, in seconds; no part has a greatest value."""
    seconds = 0
    for part in text.split(":"):
        seconds = seconds * 60 + number(part)
    return min(seconds, LATEST + 1)


def any_seconds(text: str) -> int | None:
    """A clock time, or lengths with units such as ``1 h 30 min``, in seconds."""
    text = text.strip(_BLANKS)
    if _TIME.fullmatch(text):
        return clock_seconds(text)
    lengths = _LENGTH.findall(text)
    if not lengths or _LENGTH.sub("", text).strip(" \t\n,and"):
        return None
    seconds = sum(float(count) * _SECONDS[unit.lower()] for count, unit in lengths)
    return min(round(seconds), LATEST + 1)


_known_clock = lru_cache(1024)(clock_seconds)
_known_time = lru_cache(1024)(any_seconds)


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", name.strip(_BLANKS)).casefold()
