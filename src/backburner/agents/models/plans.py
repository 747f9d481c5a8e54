"""Whole plans of models: read into answers, tried out, given one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.play import read
from backburner.kernel.text import Text, answers_on_lines


class Planning(Struct, frozen=True):
    """One decision of a plan: the answer, and the changes that were foretold of it, if any were asked for."""

    answer: str
    foretold: str | None = None


Plan = tuple[Planning, ...]


def plain_plan(world: World[Any, Any, Any], text: str) -> Plan:
    """The plan in an answer. An answer without one is the only decision, for the world to judge."""
    answers = _answers_in(world, text) or (text,)
    return tuple(Planning(answer) for answer in answers)


def foretold_plan(world: World[Any, Any, Any], text: str) -> Plan:
    """The plan in an answer that tells what changes after each decision.

    Changes stand on lines with ``+`` or ``-`` under a label that ends in ``changes:``; they belong to
    the decision before them. An answer without a plan is the only decision.
    """
    found: list[Planning] = []
    for foretelling, lines in groupby(_marked(text), key=_foretells):
        said = [line for _, line in lines]
        if not foretelling:
            found += [Planning(answer, "") for answer in _answers_in(world, "\n".join(said))]
        elif found:
            found[-1] = Planning(found[-1].answer, "\n".join(filter(None, said)))
    return tuple(found) or (Planning(text, ""),)


def _answers_in(world: World[Any, Any, Any], text: str) -> tuple[str, ...]:
    return world.answers_in(text) if isinstance(world, Text) else answers_on_lines(text)


def obstacle(world: World[Any, Any, Any], seed: int, plan: Plan) -> str:
    """The first line of a plan that cannot be carried out from the beginning; empty if all can.

    It is tried out in a world with one seat. What follows the end of the episode counts as possible.
    """
    state = world.start(seed)
    for number, planned in enumerate(plan, 1):
        seats = world.deciders(state)
        if not seats:
            break
        step = world.step(state, {seat: read(world, state, seat, planned.answer) for seat in seats})
        if step.refusals:
            return f"line {number} of the plan is not possible: {planned.answer.strip()[:80]!r}"
        state = step.state
    return ""


def _marked(text: str) -> Iterator[tuple[bool, str]]:
    """Each line, and whether it foretells a change (then it has its sign), or is the label of such."""
    inside = False
    for line in text.splitlines():
        label = _LABEL.match(line)
        if label is not None:
            inside = True
            line = line[label.end() :]
            yield True, _change(line) or ""
        elif inside and (change := _change(line)) is not None:
            yield True, change
        elif line.strip():
            inside = False
            yield False, line
        elif not inside:
            yield False, line


def _foretells(marked: tuple[bool, str]) -> bool:
    return marked[0]


def _change(line: str) -> str | None:
    """A change as it is written, ``+ line`` or ``- line``; empty for a sign alone, ``None`` for no change."""
    sign = _SIGN.match(line)
    if sign is None:
        return None
    said = line[sign.end() :].strip()
    return f"{'+' if sign[1] == '+' else '-'} {said}" if said else ""


_LABEL = re.compile(r"[\s*_#>-]{0,20}(?:\w{1,20} ){0,3}changes[\s*_]{0,9}:[*_]{0,3}", re.IGNORECASE)
_SIGN = re.compile(r"\s*[`*]{0,3}([+\-−])")
