"""Whole plans: many decisions written down at once, and read into one answer for each of them.

A world says through ``Planned`` how its plans are written. Where it does not, a plan has one answer on
each line; a world whose answers have several parts has no plans of that kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable
from typing import Any, Protocol, runtime_checkable

from backburner.kernel.contract import Typable, World

LONGEST_LINE = 1000
"""Characters of a line of a plan that are looked at."""

LINE_FORM = """\
Write one action on each line, in the order in which they are to be carried out, each as you would answer \
with it alone. Write no numbers, no bullet points and no other text."""
"""How a plan is written where the world does not say otherwise."""


@runtime_checkable
class Planned(Protocol):
    """The world says how a plan of many decisions is written, and takes one apart."""

    @property
    def plan_form(self) -> str:
        """How to write a plan, in a few sentences."""

    def answers_in(self, text: str) -> tuple[str, ...]:
        """The answers, one for each decision, that a plan stands for; each is for ``parse`` to read.

        Forgiving about what people put around a plan. None where there is no plan. Never raises.
        """


def plan_form(world: World[Any, Any, Any]) -> str:
    """How a plan for this world is written."""
    return world.plan_form if isinstance(world, Planned) else LINE_FORM


def answers_in(world: World[Any, Any, Any], text: str) -> tuple[str, ...]:
    """The answers that a plan for this world stands for; never raises."""
    return world.answers_in(text) if isinstance(world, Planned) else answers_on_lines(text)


def without_plans(world: World[Any, Any, Any]) -> str:
    """Why nobody can write a whole plan for this world; empty if one can."""
    if isinstance(world, Typable) and not isinstance(world, Planned):
        return "its answers have several parts, and it does not say how a whole plan of them is written"
    return ""


def answers_on_lines(text: str) -> tuple[str, ...]:
    """One answer for each line that holds an action, without numbers, bullets and labels.

    What follows a heading ``Plan:`` counts, if there is one. Then, of lines with a label ``Action:`` and
    others, the labelled ones are the plan; of numbered or bulleted lines and others, the listed ones.
    """
    lines = [line[:LONGEST_LINE] for line in text.splitlines()]
    lines = [line for line in lines[_begin(lines) :] if line.strip() and not _FENCE.match(line)]
    for lead in (_LABEL, _LISTED):
        chosen = [line for line in lines if lead.match(line)]
        if chosen:
            lines = chosen
            break
    return tuple(filter(None, (bare(line) for line in lines)))


def answers_by_step(text: str, who: Callable[[str], Collection[Hashable]]) -> tuple[str, ...]:
    """One answer for each step in which several act, a line or more each.

    A step ends at an empty line, at a heading such as ``Step 3:``, and before a line of somebody who has
    acted in it; ``who`` says whom a line is about. Lines about nobody are left out.
    """
    steps: list[list[str]] = [[]]
    acting: set[Hashable] = set()
    for line in text.splitlines():
        line = line[:LONGEST_LINE]
        bodies = set(who(line))
        if not line.strip() or _HEADING.match(line) or bodies & acting:
            steps.append([])
            acting = set()
        if bodies and (said := bare(line)):
            steps[-1].append(said)
            acting |= bodies
    return tuple("\n".join(step) for step in steps if step)


def bare(line: str) -> str:
    """A line without number, bullet, label, and marks around it."""
    found = _LEAD.match(line)
    return line[found.end() if found else 0 :].strip().strip(" \t*_`").strip()


def _begin(lines: list[str]) -> int:
    """Where the plan begins: after the last heading that says so, if any line follows it."""
    headings = [place for place, line in enumerate(lines) if _PLAN.match(line)]
    return next((place + 1 for place in reversed(headings) if any(map(str.strip, lines[place + 1 :]))), 0)


_PLAN = re.compile(r"[\W_]{0,9}(?:\w{1,9} ){0,4}plan\b[^\w\n]{0,9}$", re.IGNORECASE)
_FENCE = re.compile(r"\s*(?:```|~~~)")
_NUMBER = r"\(?\d{1,5}[.):](?=[\s*_]|$)|(?:step|turn|minute|time)\s?\d{1,5}\s?[.:)-]"
_LABEL = re.compile(rf"(?:\s|[-*+•>#]|[_`]|{_NUMBER})*action\s?\d{{0,5}}[\s*_]{{0,9}}:", re.IGNORECASE)
_LISTED = re.compile(rf"\s*(?:[-*+•]\s|[*_]{{0,3}}(?:{_NUMBER}))", re.IGNORECASE)
_HEADING = re.compile(rf"[\s*_#]*(?:{_NUMBER})", re.IGNORECASE)
_LEAD = re.compile(
    rf"(?:\s|[-*+•>#]+\s|[*_`]|{_NUMBER}|plan:|action\s?\d{{0,5}}[\s*_]{{0,9}}:)+", re.IGNORECASE
)
