"""What somebody sent for a form: whether each answer fits its item, and whether checks are right."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct

from backburner.study.design import Choice, Item, Likert, Number, Words
from backburner.study.entries import Answer


class Checked(Struct, frozen=True):
    """Answers as they are kept. ``problems``: item to (the key of the words that say why, what fills them);
    ``wrong``: comprehension checks that are answered wrongly."""

    answers: dict[str, Answer]
    problems: dict[str, tuple[str, dict[str, str]]]
    wrong: tuple[str, ...]

    @property
    def fits(self) -> bool:
        """Whether nothing is missing and everything is of its kind."""
        return not self.problems


def checked(items: Sequence[Item], sent: Mapping[str, Answer]) -> Checked:
    """The answers to these items; whatever else was sent is passed over."""
    answers: dict[str, Answer] = {}
    problems: dict[str, tuple[str, dict[str, str]]] = {}
    for item in items:
        answer = _plain(sent.get(item.name))
        if answer in (None, "", ()):
            answers[item.name] = None
            if item.required:
                problems[item.name] = ("required", {})
            continue
        answers[item.name] = answer
        if (problem := _problem(item, answer)) is not None:
            problems[item.name] = problem
    wrong = [
        item.name
        for item in items
        if item.check == "comprehension"
        and item.name not in problems
        and not is_correct(item, answers[item.name])
    ]
    return Checked(answers, problems, tuple(wrong))


def is_correct(item: Item, answer: Answer) -> bool | None:
    """Whether it is the right answer; ``None`` for an item that has none."""
    if item.correct is None:
        return None
    if isinstance(item, Choice) and item.several:
        return answer == (item.correct,)
    if isinstance(answer, str) and isinstance(item.correct, str):
        return answer.strip().casefold() == item.correct.strip().casefold()
    return answer == item.correct


def _plain(answer: Answer) -> Answer:
    """A text without blanks around it, the values of several once each."""
    if isinstance(answer, str):
        return answer.strip()
    return tuple(dict.fromkeys(answer)) if isinstance(answer, tuple) else answer


def _problem(item: Item, answer: Answer) -> tuple[str, dict[str, str]] | None:
    match item:
        case Likert():
            fits = isinstance(answer, float | int) and answer in range(1, item.points + 1)
            return None if fits else ("between", {"lowest": "1", "highest": str(item.points)})
        case Choice():
            values = [option.value for option in item.options]
            chosen = answer if item.several else (answer,)
            fits = isinstance(chosen, tuple) and all(one in values for one in chosen)
            return None if fits else ("required", {})
        case Number():
            return _number_problem(item, answer)
        case Words():
            fits = isinstance(answer, str) and len(answer) <= item.longest
            return None if fits else ("longest", {"longest": str(item.longest)})


def _number_problem(item: Number, answer: Answer) -> tuple[str, dict[str, str]] | None:
    lowest = -math.inf if item.lowest is None else item.lowest
    highest = math.inf if item.highest is None else item.highest
    ends = {"lowest": f"{lowest:g}", "highest": f"{highest:g}"}
    if not isinstance(answer, float | int) or not math.isfinite(answer) or not lowest <= answer <= highest:
        return ("between", ends)
    return ("whole", {}) if item.whole and not float(answer).is_integer() else None
