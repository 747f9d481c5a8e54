"""Joins the tables of a study's data to its variables; what is left out on the way is remarked.

Practice does not count, nor do the values of episodes in which a model's call failed. What the members of a
team answer is averaged, as the team is the unit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any, Literal

import numpy as np
import pandas
from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.scoring import grouped
from backburner.study.analysis.data import Data, Rows
from backburner.study.analysis.variables import Design, Missing, Sample, Scale, Value, Variable, group_levels

# --- whom and what rules exclude --------------------------------------------------------------------------


MOST_FACTORS = 4


class Excluded(Struct, frozen=True):
    """What rules exclude: people, and episodes of people as (person, episode)."""

    people: frozenset[str] = frozenset()
    episodes: frozenset[tuple[str, str]] = frozenset()

    def counted(self, rows: Any) -> Any:
        """The rows of people and their episodes that are not excluded."""
        return rows[~rows["participant"].isin(self.people) & ~_played_by(rows).isin(self.episodes)].copy()


def excluded(data: Data) -> Excluded:
    """Whom and what the table ``exclusions`` names."""
    pairs = list(zip(data["exclusions"].of("participant"), data["exclusions"].of("episode"), strict=True))
    return Excluded(
        frozenset(person for person, episode in pairs if not episode),
        frozenset((person, episode) for person, episode in pairs if episode),
    )


def nobody_left(data: Data, without: Excluded) -> str:
    """That rules exclude everybody, and which; empty if somebody is left."""
    people = {*data["episodes"].of("participant"), *data["answers"].of("participant")}
    if not people or not people <= without.people:
        return ""
    rules = ", ".join(dict.fromkeys(data["exclusions"].of("rule")))
    return f"rules of exclusion ({rules}) leave nobody of {len(people)}"


def _played_by(rows: Any) -> Any:
    """(person, episode) of each row."""
    pairs = zip(rows["participant"], rows["episode"], strict=True)
    return pandas.Series(list(pairs), rows.index, dtype=object)


def _without_options(rows: Any) -> list[str]:
    """The scenario of each episode without the options that all of its condition's episodes have: these are
    the condition's."""
    parts = [
        (condition, *id.partition("@"))
        for condition, id in zip(rows["condition"], rows["scenario"], strict=True)
    ]
    shared = {
        condition: set.intersection(*({*options.split(",")} for _, _, _, options in mine))
        for condition, mine in grouped(parts, lambda part: part[0]).items()
    }
    own = [[each for each in options.split(",") if each not in shared[of]] for of, _, _, options in parts]
    return [
        f"{name}@{','.join(mine)}" if mine else name for (_, name, *_), mine in zip(parts, own, strict=True)
    ]


# --- the tables joined ------------------------------------------------------------------------------------


FORM = ["participant", "condition", "episode"]
"""What answers that were given together have in common."""

RATED = ("likert", "number")
"""Kinds of items whose answers are numbers."""


class Item(Struct, frozen=True):
    """An item of a questionnaire, as the table ``items`` has it."""

    key: str
    label: str
    text: str = ""
    kind: str = "likert"
    lowest: float | None = None
    highest: float | None = None
    scale: str = ""
    reversed: bool = False

    def turned(self, value: float) -> float:
        """An answer whose high end means much of what the scale measures."""
        if not self.reversed or self.lowest is None or self.highest is None:
            return value
        return self.lowest + self.highest - value


def sample_of(data: Data, without: Excluded, design: Design | None = None) -> Sample:
    """The variables of a study's data, without what is excluded.

    ``design``: by default *within* where most units have values in more than one condition. Raises
    ``Refused`` where nothing is left.
    """
    joined = _Joined(data, without)
    variables = [*joined.measures(), *joined.ratings()]
    if not variables:
        left = "no measure of an episode, and no answer that is a number"
        raise Refused(f"no value is left: {nobody_left(data, without) or left}")
    conditions: dict[str, set[str]] = {unit: set() for unit in joined.units}
    for variable in variables:
        for value in variable.values:
            conditions[value.unit].add(value.condition)
    several = sum(len(of_unit) > 1 for of_unit in conditions.values())
    found: Design = design or ("within" if 2 * several > len(conditions) else "between")
    return Sample(
        found,
        {key: label for key, label in joined.labels.items() if key in set(joined.met["condition"])},
        tuple(joined.units),
        joined.team,
        tuple(joined.with_missing(variable, found) for variable in variables),
        tuple(joined.scales()),
        tuple(joined.remarks),
        joined.cells,
    )


def people_of(data: Data, without: Excluded) -> Iterator[tuple[str, str, str]]:
    """(unit, what the condition is called, record) of every episode that counts; a team's has one."""
    joined = _Joined(data, without)
    for row in joined.played.drop_duplicates(["unit", "episode"]).itertuples():
        yield row.unit, joined.labels[row.condition], row.record


class _Joined:
    """The tables joined: ``played`` has the episodes that count, ``answers`` those answers that are about a
    condition, each row with unit, condition, level, order and group; ``met`` has both."""

    def __init__(self, data: Data, without: Excluded) -> None:
        self.remarks: list[str] = []
        self.labels, self.items = _labels(data), _items(data)
        self.measured, people = data["measures"].cells, data["participants"]
        self._groups = dict(zip(people.of("participant"), people.of("group"), strict=True))
        self._unit_of: dict[str, str] = {}
        self.played, self.practice, self.failed = self._split(without.counted(data["episodes"].cells))
        self.team = self._find_teams()
        self.played, self.failed = self._with_units(self.played), self._with_units(self.failed)
        self.answers = self._with_units(self._answers(data["answers"], without))
        self.met = pandas.concat([self.played, self.answers])
        self.units = sorted(set(self.met["unit"]))
        self.cells = _cells(data)
        played: dict[str, list[str]] = {unit: [] for unit in self.units}
        for unit, condition in zip(self.met["unit"], self.met["condition"], strict=True):
            played[unit].append(condition)
        self._strata = group_levels(self.cells, played)

    def _remark(self, number: int, words: str) -> None:
        if number:
            self.remarks.append(f"{number} {words}.")

    def _with_units(self, rows: Any) -> Any:
        units = [self._unit_of.get(person, person) for person in rows["participant"]]
        return rows.assign(unit=units, group=[self._groups.get(person, "") for person in rows["participant"]])

    def _split(self, rows: Any) -> tuple[Any, Any, Any]:
        """The episodes that count, those for practice, and those that failed."""
        rows["level"] = rows["level"].where(rows["level"] != "", rows["scenario"])
        rows["scenario"] = pandas.Series(_without_options(rows), rows.index, dtype=object)
        practice = rows["practice"].astype(bool)
        failed = ~practice & (rows["status"] == "failed")
        played = rows[~practice & ~failed]
        self._remark(sum(practice), "episodes are for practice, and count nowhere")
        self._remark(
            sum(failed),
            "episodes ended because a model's call failed; their values, and answers about them, are missing",
        )
        helped = sum(map(bool, played["stand_in_steps"]))
        self._remark(helped, "episodes count although a stand-in took some of the person's decisions")
        return played, rows[practice], rows[failed]

    def _find_teams(self) -> bool:
        """Whether units are teams; then whose team each person is in."""
        together = self.played[self.played["team"] != ""]
        if not (together.groupby("team")["participant"].nunique() > 1).any():
            return False
        changing = (together.groupby("participant")["team"].nunique() > 1).any()
        if changing or len(together) < len(self.played):
            self.remarks.append(
                "People play in changing teams, or not always in one; each person counts as independent, "
                "and members of a team are not: p-values are too small and intervals too narrow."
            )
            return False
        self.remarks.append("The unit is the team; what its members answer is averaged.")
        self._unit_of = dict(zip(together["participant"], together["team"], strict=True))
        return True

    def _answers(self, table: Rows, without: Excluded) -> Any:
        """The answers that are about a condition: their own, that of their episode, or the only one that
        the person has played."""
        rows = without.counted(table.cells.assign(row=range(len(table))))
        left_out = {*_played_by(self.practice), *_played_by(self.failed)}
        rows = rows[~_played_by(rows).isin(left_out)]
        about = self.played[["participant", "episode", "condition", "level", "order", "scenario"]]
        rows = rows.merge(about, "left", ["participant", "episode"], suffixes=("", "_played"))
        conditions = self.played.groupby("participant")["condition"].unique()
        only = {person: played[0] for person, played in conditions.items() if len(played) == 1}
        rows["condition"] = [
            own or played or only.get(person, "")
            for own, played, person in zip(
                rows["condition"], rows["condition_played"].fillna(""), rows["participant"], strict=True
            )
        ]
        for name in ("level", "scenario"):
            rows[name] = rows[name].fillna("")
        general = rows[rows["condition"] == ""]
        self._remark(
            sum(self.items[key].kind in RATED for key in general["item"]),
            "answers are about no condition, and are compared by none",
        )
        rows = rows[rows["condition"] != ""]
        for row, key, value in zip(rows["row"], rows["item"], rows["value"], strict=True):
            item = self.items[key]
            low = -np.inf if item.lowest is None else item.lowest
            high = np.inf if item.highest is None else item.highest
            if item.kind == "likert" and value is not None and not low <= value <= high:
                table.wrong(row, "value", f"{value:g} where {key} goes from {low:g} to {high:g}")
        return rows

    # --- scales ---

    def scales(self) -> Iterator[Scale]:
        """The scales with every answer in which nothing is missing, high answers meaning much."""
        for scale, items in self._scale_items().items():
            rows, answers = self._filled(items)
            given = tuple(zip(rows["condition"], answers, strict=True))
            yield Scale(scale, tuple(item.key for item in items), given)

    def _scale_items(self) -> dict[str, list[Item]]:
        """The scales of several items."""
        rated = (item for item in self.items.values() if item.scale and item.kind in RATED)
        scales = grouped(rated, lambda item: item.scale)
        return {scale: items for scale, items in scales.items() if len(items) > 1}

    def _filled(self, items: Sequence[Item]) -> tuple[Any, list[tuple[float, ...]]]:
        """Of answers that were given together to all of these items, the first row, and what they say."""
        forms: dict[tuple[str, ...], dict[str, Any]] = defaultdict(dict)
        for *form, item, value in self.answers[[*FORM, "item", "value"]].itertuples(index=False):
            forms[tuple(form)][item] = value
        whole = [all(given.get(item.key) is not None for item in items) for given in forms.values()]
        answers = [
            tuple(item.turned(given[item.key]) for item in items)
            for given, filled in zip(forms.values(), whole, strict=True)
            if filled
        ]
        return self.answers.drop_duplicates(FORM)[np.array(whole, dtype=bool)], answers

    # --- variables ---

    def measures(self) -> Iterator[Variable]:
        """One variable for each measure of episodes; a team's episode has one value."""
        players = self.played.drop_duplicates("episode") if self.team else self.played
        values = self.measured[["episode", "measure", "value"]]
        values = values[values["value"].notna()].merge(players, on="episode")
        about = self.measured.drop_duplicates("measure").set_index("measure")
        for key, rows in values.groupby("measure", sort=False):
            told = about.loc[key]
            yield self._variable(
                key, told["title"] or key, told["unit"], "measure", told["lowest"], told["highest"], rows
            )

    def ratings(self) -> Iterator[Variable]:
        """One variable for each item that is answered in numbers, and one for each scale of several."""
        given = self.answers[self.answers["value"].notna()]
        for item in self.items.values():
            rows = given[given["item"] == item.key]
            if item.kind in RATED and len(rows):
                yield self._rated(item.key, item.label, "rating", item, rows, item.text)
        for scale, items in self._scale_items().items():
            rows, answers = self._filled(items)
            if answers:
                rows = rows.assign(value=pandas.Series([*map(fmean, answers)], rows.index, dtype=object))
                text = f"The mean of {', '.join(item.label for item in items)}."
                yield self._rated(f"scale:{scale}", f"{scale} (scale)", "scale", items[0], rows, text)

    def _rated(
        self, key: str, title: str, kind: Literal["rating", "scale"], item: Item, rows: Any, text: str
    ) -> Variable:
        low, high = item.lowest, item.highest
        unit = "" if low is None or high is None else f"{low:g} to {high:g}"
        return self._variable(key, title, unit, kind, low, high, rows, text)

    def _variable(
        self,
        key: str,
        title: str,
        unit: str,
        kind: Literal["measure", "rating", "scale"],
        lowest: float | None,
        highest: float | None,
        rows: Any,
        text: str = "",
    ) -> Variable:
        there = set(rows["condition"])
        fields = rows[["unit", "condition", "value", "level", "order", "group", "scenario"]]
        values = fields.astype(object).where(fields.notna(), None).itertuples(index=False)
        return Variable(
            *(key, title, unit, kind, lowest, highest),
            tuple(condition for condition in self.labels if condition in there),
            tuple(Value(*each) for each in values),
            text=text,
        )

    def with_missing(self, variable: Variable, design: Design) -> Variable:
        """The variable with every cell named that has no value: within, of each unit in each condition;
        between, of each unit in what it played."""
        there = {(each.unit, each.condition) for each in variable.values}
        met = set(zip(self.met["unit"], self.met["condition"], strict=True))
        failed = set(zip(self.failed["unit"], self.failed["condition"], strict=True))

        def why(cell: tuple[str, str]) -> str:
            return "its episode failed" if cell in failed else "no value" if cell in met else "not played"

        missing = [
            Missing(*cell, why(cell))
            for cell in ((unit, condition) for unit in self.units for condition in variable.conditions)
            if cell not in there and (design == "within" or cell in met or cell in failed)
            if self._strata.get(cell[0], {}).items() <= self.cells.get(cell[1], {}).items()
        ]
        return replace(variable, missing=tuple(missing))


def _labels(data: Data) -> dict[str, str]:
    """The keys of conditions in order, each with what it is called."""
    rows = data["conditions"]
    labels = {key: label or key for key, label in zip(rows.of("condition"), rows.of("label"), strict=True)}
    met = {*data["episodes"].of("condition"), *data["answers"].of("condition")}
    return labels | {key: key for key in sorted(met) if key and key not in labels}


def _cells(data: Data) -> dict[str, dict[str, str]]:
    """The level of each factor of every condition that is a cell of some."""
    rows = data["conditions"]
    found: dict[str, dict[str, str]] = {}
    for index, (condition, text) in enumerate(zip(rows.of("condition"), rows.of("factors"), strict=True)):
        parts = [part.split("=") for part in text.split(";") if part.strip()]
        if any(len(part) != 2 for part in parts) or len(parts) > MOST_FACTORS:
            rows.wrong(
                index, "factors", f"write FACTOR=LEVEL; FACTOR=LEVEL, of {MOST_FACTORS} factors at most"
            )
        cell = {name.strip(): level.strip() for name, level in parts}
        known = next(iter(found.values()), cell)
        if cell and (cell.keys() != known.keys() or cell in found.values()):
            rows.wrong(
                index, "factors", "each condition has a level of the same factors, and a cell of its own"
            )
        if cell:
            found[condition] = {name: cell[name] for name in known}
    return found


def _items(data: Data) -> dict[str, Item]:
    rows = data["items"]
    found: dict[str, Item] = {}
    for index, one in enumerate(rows.cells.to_dict("records")):
        low, high = one["lowest"], one["highest"]
        if low is not None and high is not None and low >= high:
            rows.wrong(index, "highest", f"{high:g} is not above the lowest, {low:g}")
        if one["reversed"] and (low is None or high is None):
            rows.wrong(index, "reversed", "a reversed item needs its lowest and highest answer")
        key, label, kind = one["item"], one["label"] or one["item"], one["kind"] or "likert"
        found[key] = Item(key, label, one["text"], kind, low, high, one["scale"], bool(one["reversed"]))
    return found | {key: Item(key, key) for key in data["answers"].of("item") if key not in found}
