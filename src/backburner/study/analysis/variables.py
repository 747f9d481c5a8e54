"""What a study has measured, as variables: for each unit and condition its values, and what is missing.

The *unit* is who gives independent values: a person, or a team whose members always play together. A
variable is a measure of episodes, a rated item, or a scale, which is the mean of its items; Cronbach's alpha
tells whether these measure one thing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Literal

import numpy as np
from msgspec import Struct
from scipy import stats

from backburner.evaluation.scoring.statistics import MISSED
from backburner.kernel.errors import UnknownName
from backburner.kernel.scoring import Estimate

Design = Literal["within", "between"]


Cells = Mapping[str, Mapping[str, str]]
"""The conditions of a study with factors: each with its level of every factor."""


def group_levels(cells: Cells, played: Mapping[str, Iterable[str]]) -> dict[str, dict[str, str]]:
    """Of each unit its level of every factor between subjects: one of which no unit has played two levels."""
    theirs = {unit: [cells[key] for key in keys if key in cells] for unit, keys in played.items()}
    theirs = {unit: mine for unit, mine in theirs.items() if mine}
    names = next(iter(cells.values()), {})
    between = [
        name for name in names if all(len({cell[name] for cell in mine}) < 2 for mine in theirs.values())
    ]
    return {unit: {name: mine[0][name] for name in between} for unit, mine in theirs.items()}


class Value(Struct, frozen=True):
    """One value: of a unit in a condition, in an episode of a level (without one, of a scenario), which is
    the ``order``-th of the person. ``scenario``: without the options that its condition adds."""

    unit: str
    condition: str
    value: float
    level: str = ""
    order: int | None = None
    group: str = ""
    scenario: str = ""


class Missing(Struct, frozen=True):
    """A value that is not there: of a unit in a condition, and why."""

    unit: str
    condition: str
    why: str


class Variable(Struct, frozen=True):
    """A variable over the ``conditions`` in which it has any value, in the study's order.

    ``lowest`` and ``highest``: its ends, ``None`` where it has none. ``text``: an item as it was asked.
    """

    key: str
    title: str
    unit: str
    kind: Literal["measure", "rating", "scale"]
    lowest: float | None
    highest: float | None
    conditions: tuple[str, ...]
    values: tuple[Value, ...]
    missing: tuple[Missing, ...] = ()
    text: str = ""

    def cells(self) -> dict[str, dict[str, float]]:
        """The mean of the values of each unit in each condition: by unit, then by condition."""
        found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for each in self.values:
            found[each.unit][each.condition].append(each.value)
        return {
            unit: {condition: fmean(mine[condition]) for condition in self.conditions if condition in mine}
            for unit, mine in found.items()
        }

    def by_condition(self) -> dict[str, list[float]]:
        """The units' values in each condition."""
        cells = self.cells()
        return {
            condition: [mine[condition] for mine in cells.values() if condition in mine]
            for condition in self.conditions
        }

    def complete(self) -> tuple[list[str], list[list[float]]]:
        """The units that have a value in every condition, and their values in the order of conditions."""
        whole = {unit: mine for unit, mine in self.cells().items() if len(mine) == len(self.conditions)}
        return list(whole), [[mine[condition] for condition in self.conditions] for mine in whole.values()]


class Scale(Struct, frozen=True):
    """The items of a scale, and each complete answer to all of them as (condition, answers)."""

    key: str
    items: tuple[str, ...]
    answers: tuple[tuple[str, tuple[float, ...]], ...]


class Sample(Struct, frozen=True):
    """A study's variables. ``labels``: what conditions are called, in the study's order.

    ``units``: those who have any episode or answer; ``team``: whether these are teams. ``remarks``: what was
    left out, and what the reader has to know of how the data are. ``cells``: conditions' levels of factors.
    """

    design: Design
    labels: Mapping[str, str]
    units: tuple[str, ...]
    team: bool
    variables: tuple[Variable, ...]
    scales: tuple[Scale, ...]
    remarks: tuple[str, ...] = ()
    cells: Cells = {}

    def variable(self, name: str) -> Variable:
        """The variable of this key; raises ``UnknownName``."""
        for each in self.variables:
            if each.key == name:
                return each
        raise UnknownName("measure or item", name, (each.key for each in self.variables))


# --- scales -----------------------------------------------------------------------------------------------


class Alpha(Struct, frozen=True):
    """Cronbach's alpha of a scale over the answers of one condition, or of all (an empty one).

    ``without``: alpha of the other items, by the one that is left out; for three items and more.
    """

    scale: str
    condition: str
    items: int
    answers: int
    alpha: Estimate
    without: dict[str, float | None]


def cronbach(answers: Sequence[Sequence[float]]) -> Estimate:
    """Alpha of answers by items, k / (k - 1) · (1 - Σ s² of items / s² of sums), with Feldt's interval.

    (Psychometrika 30, 1965): 1 - alpha is distributed as F with n - 1 and (n - 1) (k - 1) degrees of freedom.
    Undefined for fewer than two answers or items, or sums that do not vary.
    """
    values = np.array(answers, dtype=float)
    if values.ndim < 2 or values.shape[0] < 2 or values.shape[1] < 2:
        return Estimate(None)
    n, k = values.shape
    of_sums = float(values.sum(axis=1).var(ddof=1))
    if of_sums <= 0:
        return Estimate(None)
    alpha = k / (k - 1) * (1 - float(values.var(axis=0, ddof=1).sum()) / of_sums)
    low, high = (
        1 - (1 - alpha) * float(stats.f.ppf(at, n - 1, (n - 1) * (k - 1)))
        for at in (1 - MISSED / 2, MISSED / 2)
    )
    return Estimate(alpha, low, high, "Feldt")


def alphas(scale: Scale, order: Iterable[str]) -> list[Alpha]:
    """Alpha over all answers, then for each condition by itself, in this order."""
    there = {condition for condition, _ in scale.answers}
    conditions = [condition for condition in order if condition in there]
    found = []
    for condition in ("", *conditions):
        mine = [answers for of, answers in scale.answers if condition in ("", of)]
        without: dict[str, float | None] = {}
        if len(scale.items) > 2 and not condition:
            for place, item in enumerate(scale.items):
                rest = [(*answers[:place], *answers[place + 1 :]) for answers in mine]
                without[item] = cronbach(rest).value
        found.append(Alpha(scale.key, condition, len(scale.items), len(mine), cronbach(mine), without))
    return found
