"""Reading answers: from a text to a decision. World and agents share it.

As released: an answer of the loop is cut first (``cut``), then every action in its shape is taken,
wherever it stands; a plan is read whole, and its times may be repaired. The standard reading takes
the actions that follow the first ``Action:``, or all where that marker is missing, and is generous
about spelling. Either way the actions of an answer are sorted by their start. Statements of beliefs
are taken from the whole answer, where the scenario asks for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from backburner.kernel.values import Refusal
from backburner.worlds.recipe2plan.game.actions import NO_ACTION, Cook, Piece
from backburner.worlds.recipe2plan.game.beliefs import Beliefs, statements
from backburner.worlds.recipe2plan.game.compiled import Compiled
from backburner.worlds.recipe2plan.game.rule_set import Rules

_NUMBER = r"(?<!\d)(\d{1,9})"
_CLOCK = r"(\d{1,9}:\d{1,9}(?::\d{1,9})?)"
_WITH_DURATION = re.compile(rf"Step\((\d{{1,9}}), ([\w-]+), {_CLOCK}, {_CLOCK}\)")
_WHOLE_STEP = re.compile(rf"Step\((\d{{1,9}}), ([\w-]+)(), {_CLOCK}\)")
_UNITS = (
    (re.compile(rf"{_NUMBER} min"), r"\1:00"),
    (re.compile(rf"{_NUMBER} sec"), r"0:\1"),
    (re.compile(rf"{_NUMBER} hour"), r"\1:00:00"),
)

_MARKER = re.compile(r"\baction\s{0,9}:", re.IGNORECASE)
_NEXT_MARKER = re.compile(r"\b(?:action|thought|observation)\s{0,9}:", re.IGNORECASE)
_STEP = re.compile(
    r"\bstep\s{0,9}\(\s{0,9}(\d{1,9})\s{0,9},([^,()]{1,99})(?:,([^,()]{1,99}))?,([^,()]{1,99})\)",
    re.IGNORECASE,
)
_FINISH = re.compile(r"(?:\A|\))\W{0,99}finish\b\W{0,99}(?:\Z|\n)", re.IGNORECASE)
_TIME = re.compile(_CLOCK)
_LENGTH = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s{0,9}(h|m|s)[a-z]{0,9}\.?", re.IGNORECASE)
_SECONDS = {"h": 3600, "m": 60, "s": 1}


class Reader:
    """Reads the answers to one scenario under its rules. Never raises, never charges."""

    def __init__(self, compiled: Compiled, rules: Rules) -> None:
        self.compiled = compiled
        self.rules = rules
        self._names = {_folded(name): name for name in compiled.jobs_of}

    def read(self, text: str) -> Cook | Refusal:
        """The decision in one answer of a loop."""
        if self.rules.thoughts_are_read:
            kept = cut(text)
            finish = "action: finish" in kept.lower() or "*/" in kept
        else:
            kept = _answer(text)
            finish = _FINISH.search(kept) is not None
        decision = Cook(self.actions(kept), finish, self._beliefs(text))
        return NO_ACTION if decision == Cook() else decision

    def _beliefs(self, text: str) -> tuple[Beliefs, ...]:
        """What is stated about each recipe; of two statements about one, the later."""
        if self.compiled.scenario.knowledge != "beliefs":
            return ()
        found = statements(text, released=self.rules.exact_text_only)
        named = ((self._names.get(_folded(one.recipe), one.recipe), one) for one in found)
        return tuple({name: replace(beliefs, recipe=name) for name, beliefs in named}.values())

    def read_plan(self, text: str, repair: bool = False) -> Cook | Refusal:
        """The decision in a text that is a whole plan from second 0, thoughts and all."""
        actions = self.actions(text)
        if not actions:
            return NO_ACTION
        return Cook(self.repaired(actions) if repair else actions)

    def actions(self, text: str) -> tuple[Piece, ...]:
        """Every action in the text, by start. An action without a duration is the whole step, and
        counts only where no action has one."""
        found = self._exact(text) if self.rules.exact_text_only else self._generous(text)
        return tuple(sorted(found, key=_start))

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
            repaired.append(replace(piece, start=start + late))
            job = self.compiled.job_of(piece)
            autonomous = not isinstance(job, Refusal) and job.step.autonomous
            free = start if autonomous else start + piece.seconds
        return tuple(repaired)

    def _exact(self, text: str) -> Iterator[Piece]:
        text = text.replace("'", "").replace('"', "")
        for pattern, clock in _UNITS:
            text = pattern.sub(clock, text)
        for step, recipe, duration, start in _WITH_DURATION.findall(text) or _WHOLE_STEP.findall(text):
            seconds = _clock(duration) if duration else self._whole(int(step), recipe)
            yield Piece(int(step), recipe, seconds, _clock(start))

    def _generous(self, text: str) -> Iterator[Piece]:
        found = _STEP.findall(text)
        with_duration = [parts for parts in found if parts[2]]
        for number, name, duration, begin in with_duration or found:
            recipe = self._names.get(_folded(name), name.strip())
            seconds = _time(duration) if duration else self._whole(int(number), recipe)
            start = _time(begin)
            if seconds is not None and start is not None:
                yield Piece(int(number), recipe, seconds, start)

    def _whole(self, step: int, recipe: str) -> int:
        job = self.compiled.job_of(Piece(step, recipe, 0, 0))
        return 0 if isinstance(job, Refusal) else job.step.seconds


def cut(text: str) -> str:
    """What the released loop keeps of an answer: up to the second ``Action:``, one ``Thought:``."""
    kept = "Action: ".join(text.split("Action: ", 2)[:2])
    before, *thoughts = kept.split("Thought:", 2)
    return "Thought:" + thoughts[0] if thoughts else before


def _answer(text: str) -> str:
    """What follows the first ``Action:``, up to the next marker; the whole text if there is none."""
    marker = _MARKER.search(text)
    if marker is None:
        return text
    following = _NEXT_MARKER.search(text, marker.end())
    return text[marker.end() : following.start() if following else len(text)]


def _clock(text: str) -> int:
    """HH:MM:SS, or MM:SS, in seconds; no part has a greatest value."""
    parts = [int(part) for part in text.split(":")]
    return sum(part * 60**place for place, part in enumerate(reversed(parts)))


def _time(text: str) -> int | None:
    """A clock time, or lengths with units such as ``1 h 30 min``, in seconds."""
    text = text.strip(" \t\n\"'`*")
    if _TIME.fullmatch(text):
        return _clock(text)
    lengths = _LENGTH.findall(text)
    if not lengths or _LENGTH.sub("", text).strip(" \t\n,and"):
        return None
    return round(sum(float(number) * _SECONDS[unit.lower()] for number, unit in lengths))


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", name.strip(" \t\n\"'`*")).casefold()


def _start(piece: Piece) -> int:
    return piece.start
