"""In which order a team plays what: Williams designs, random orders, and what is drawn of each level.

Everything follows from the study's seed and the team's number, so that it can be told again from the file.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TypeVar

from msgspec import Struct

from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.study.design import Condition, Level, Study

T = TypeVar("T")


class Trial(Struct, frozen=True):
    """One game of a participant that is analysed. ``number``: from 1."""

    number: int
    condition: str
    level: str
    scenario: str
    seed: int


def williams(n: int) -> tuple[tuple[int, ...], ...]:
    """Orders of 0 ... n - 1 in which each stands at every place equally often, and follows every other
    equally often.

    For even n they are n: the first is 0, n-1, 1, n-2, ..., each other adds 1 (modulo n) to the one before.
    For odd n these do not balance who follows whom, and the same orders backwards are added. For n = 4:
    0 3 1 2 / 1 0 2 3 / 2 1 3 0 / 3 2 0 1.
    """
    first = [(place + 1) // 2 * (-1) ** place % n for place in range(n)]
    rows = [tuple((one + shift) % n for one in first) for shift in range(n)]
    return tuple(rows) if n % 2 == 0 or n == 1 else tuple(rows + [row[::-1] for row in rows])


def table_of(study: Study) -> tuple[tuple[str, ...], ...]:
    """The orders of conditions that teams are given, a row for each; one condition a row between subjects.

    A random order is no row of a table: there the one row is the file's order, which each team shuffles.
    """
    names = [condition.name for condition in study.conditions if not condition.practice]
    if study.design.kind == "between":
        return tuple((name,) for name in names)
    if study.design.order == "balanced":
        return tuple(tuple(names[index] for index in row) for row in williams(len(names)))
    return (tuple(names),)


def next_row(study: Study, taken: Mapping[int, int], team: int) -> int:
    """The row for a new team: one of those that the fewest teams have, drawn by the study's seed.

    ``taken``: how many teams that count have each row. Whoever drops out gives the row back, so that orders
    stay balanced among those who stay.
    """
    rows = range(len(table_of(study)))
    fewest = min(taken.get(row, 0) for row in rows)
    return draw_of(study, "row", team).choice([row for row in rows if taken.get(row, 0) == fewest])


def trials_of(study: Study, row: int, team: int) -> tuple[Trial, ...]:
    """The trials of a team, in their order."""
    conditions = list(table_of(study)[row])
    if study.design.kind == "within" and study.design.order == "random":
        draw_of(study, "conditions", team).shuffle(conditions)
    levels = list(study.levels)
    if study.design.levels == "random":
        draw_of(study, "levels", team).shuffle(levels)
    drawn = drawn_of(study, conditions, team)
    cells = _cells(study, conditions, levels)
    whole = [(*cell, scenario) for cell in cells for scenario in drawn[cell]]
    if study.design.blocks == "none":
        draw_of(study, "trials", team).shuffle(whole)
    return tuple(_trial(study, team, number, *cell) for number, cell in enumerate(whole, 1))


def _cells(study: Study, conditions: Sequence[str], levels: Sequence[Level]) -> list[tuple[str, str]]:
    pairs = (
        [(condition, level.name) for level in levels for condition in conditions]
        if study.design.blocks == "levels"
        else [(condition, level.name) for condition in conditions for level in levels]
    )
    return [pair for pair in pairs if plays(study.condition(pair[0]), pair[1])]


def plays(condition: Condition, level: str) -> bool:
    """Whether a condition is played on a level."""
    return not condition.levels or level in condition.levels


def _trial(study: Study, team: int, number: int, condition: str, level: str, scenario: str) -> Trial:
    of = {"trial": ("seed", team, number), "team": ("seed", team), "study": ("seed",)}[study.design.seeds]
    with_options = scenario_under(scenario, study.condition(condition))
    return Trial(number, condition, level, with_options, draw_of(study, *of).randrange(2**31))


def drawn_of(study: Study, conditions: Sequence[str], team: int) -> dict[tuple[str, str], list[str]]:
    """(condition, level) to the scenarios that a team plays there, without the condition's options."""
    found: dict[tuple[str, str], list[str]] = {}
    for level in study.levels:
        all_of_them = members_of(level)
        number = level.draw or len(all_of_them)
        mixed = list(all_of_them)
        if level.draw:
            draw_of(study, "scenarios", level.name, team).shuffle(mixed)
        for place, condition in enumerate(conditions):
            start = place * number if study.design.scenarios == "distinct" and level.draw else 0
            found[condition, level.name] = mixed[start : start + number]
    return found


def members_of(level: Level) -> tuple[str, ...]:
    """The ids of the scenarios of a level, suites taken apart; raises what ``registry.expand`` raises."""
    return tuple(dict.fromkeys(id for name in level.scenarios for id in registry.expand(name)))


def scenario_under(id: str, condition: Condition) -> str:
    """A scenario's id with the options that a condition adds; raises ``Refused`` for a scenario file."""
    if not condition.options:
        return id
    if id.endswith(".json"):
        raise Refused(f"condition {condition.name!r} has options, which the scenario file {id} cannot take")
    world, path, options = registry.split(id)
    (canonical,) = registry.expand(registry.join(world, path, options | condition.options))
    return canonical


def draw_of(study: Study, *of: object) -> random.Random:
    """The draw for a purpose: the study's name and seed, and what it is for."""
    told = "/".join(map(str, (study.name, study.design.seed, *of)))
    return random.Random(blake2b(told.encode(), digest_size=16).digest())
