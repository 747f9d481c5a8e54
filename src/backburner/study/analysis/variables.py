"""What a study has measured, as variables: for each unit and condition its values, and what is missing.

The *unit* is who gives independent values: a person, or a team whose members always play together. A
variable is a measure of episodes, a rated item, or a scale, which is the mean of its items.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from statistics import fmean
from typing import Literal

from msgspec import Struct

from backburner.kernel.errors import UnknownName

Design = Literal["within", "between"]


class Value(Struct, frozen=True):
    """One value: of a unit in a condition, in an episode of a level (without one, of a scenario), which is
    the ``order``-th of the person."""

    unit: str
    condition: str
    value: float
    level: str = ""
    order: int | None = None
    group: str = ""


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
    left out, and what the reader has to know of how the data are.
    """

    design: Design
    labels: Mapping[str, str]
    units: tuple[str, ...]
    team: bool
    variables: tuple[Variable, ...]
    scales: tuple[Scale, ...]
    remarks: tuple[str, ...] = ()

    def variable(self, name: str) -> Variable:
        """The variable of this key; raises ``UnknownName``."""
        for each in self.variables:
            if each.key == name:
                return each
        raise UnknownName("measure or item", name, (each.key for each in self.variables))
