"""Joins the tables of a study's data to its variables; what is left out on the way is remarked.

Practice does not count, nor do the values of episodes in which a model's call failed. What the members of a
team answer is averaged, as the team is the unit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.study.analysis.data import Data, Rows
from backburner.study.analysis.variables import Design, Missing, Sample, Scale, Value, Variable

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


class Excluded(Struct, frozen=True):
    """What rules exclude: people, and episodes of people as (person, episode)."""

    people: frozenset[str] = frozenset()
    episodes: frozenset[tuple[str, str]] = frozenset()

    def has(self, person: str, episode: str) -> bool:
        """Whether a person's data of an episode do not count."""
        return person in self.people or (person, episode) in self.episodes


def excluded(data: Data) -> Excluded:
    """Whom and what the table ``exclusions`` names."""
    rows = data["exclusions"]
    pairs = list(zip(rows.of("participant"), rows.of("episode", ""), strict=True))
    return Excluded(
        frozenset(person for person, episode in pairs if not episode),
        frozenset((person, episode) for person, episode in pairs if episode),
    )


def sample_of(data: Data, without: Excluded, design: Design | None = None) -> Sample:
    """The variables of a study's data, without what is excluded.

    ``design``: by default *within* where most units have values in more than one condition. Raises
    ``Refused`` where nothing is left.
    """
    maker = _Maker(data, without)
    variables = [*maker.measures(), *maker.ratings()]
    if not variables:
        left = "no measure of an episode, and no answer that is a number"
        raise Refused(f"no value is left: {nobody_left(data, without) or left}")
    several = [
        len({v.condition for x in variables for v in x.values if v.unit == unit}) > 1 for unit in maker.seen()
    ]
    found: Design = design or ("within" if 2 * sum(several) > len(several) else "between")
    told = [maker.with_missing(variable, found) for variable in variables]
    return Sample(
        found,
        {key: maker.labels[key] for key in maker.order if key in maker.used},
        tuple(sorted(maker.seen())),
        maker.team,
        tuple(told),
        tuple(maker.scales()),
        tuple(maker.remarks),
    )


def nobody_left(data: Data, without: Excluded) -> str:
    """That rules exclude everybody, and which; empty if somebody is left."""
    people = {*data["episodes"].of("participant"), *data["answers"].of("participant")}
    if not people or not people <= without.people:
        return ""
    rules = ", ".join(dict.fromkeys(data["exclusions"].of("rule")))
    return f"rules of exclusion ({rules}) leave nobody of {len(people)}"


def people_of(data: Data, without: Excluded) -> Iterator[tuple[str, str, str]]:
    """(unit, what the condition is called, record) of every episode that counts; a team's has one."""
    maker = _Maker(data, without)
    seen = set()
    for row in maker.played:
        unit = maker.unit_of.get(row["participant"], row["participant"])
        if (unit, row["episode"]) not in seen:
            seen.add((unit, row["episode"]))
            yield unit, maker.labels[row["condition"]], row["record"]


class _Maker:
    """Joins the tables; what is left out on the way is remarked."""

    def __init__(self, data: Data, without: Excluded) -> None:
        self.data, self.without = data, without
        self.remarks: list[str] = []
        self.practice: set[tuple[str, str]] = set()
        self.failed: dict[tuple[str, str], str] = {}
        self.order, self.labels = _conditions(data)
        self.groups = dict(
            zip(data["participants"].of("participant"), data["participants"].of("group", ""), strict=True)
        )
        self.items = _items(data)
        self.played = list(self._episodes())
        self.by_episode = {(row["episode"], row["participant"]): row for row in self.played}
        self.team, self.unit_of = self._units()
        self.answers = list(self._answers())
        self.used = {row["condition"] for row in (*self.played, *self.answers)}

    def seen(self) -> set[str]:
        """Every unit that has played or answered anything that counts."""
        people = {row["participant"] for row in (*self.played, *self.answers)}
        return {self.unit_of.get(person, person) for person in people}

    # --- episodes ------------------------------------------------------------------------------------------

    def _episodes(self) -> Iterator[dict[str, Any]]:
        rows, helped = self.data["episodes"], 0
        names = ("episode", "participant", "condition", "team", "level", "scenario", "status", "record")
        columns = [rows.of(name, "") for name in names]
        numbers = [rows.of(name) for name in ("order", "practice", "stand_in_steps")]
        for cells in zip(*columns, *numbers, strict=True):
            one = dict(zip((*names, "order", "practice", "stand_in_steps"), cells, strict=True))
            if self.without.has(one["participant"], one["episode"]):
                continue
            one["level"] = one["level"] or one["scenario"]
            if one["practice"]:
                self.practice.add((one["episode"], one["participant"]))
                continue
            if one["status"] == "failed":
                self.failed[one["episode"], one["participant"]] = one["condition"]
                continue
            helped += bool(one["stand_in_steps"])
            yield one
        self._remark(len(self.practice), "episodes are for practice, and count nowhere")
        self._remark(
            len(self.failed),
            "episodes ended because a model's call failed; their values, and answers about them, are missing",
        )
        self._remark(helped, "episodes count although a stand-in took some of the person's decisions")

    def _remark(self, number: int, words: str) -> None:
        if number:
            self.remarks.append(f"{number} {words}.")

    def _units(self) -> tuple[bool, dict[str, str]]:
        """Whether units are teams, and whose team each person is in."""
        members: dict[str, set[str]] = defaultdict(set)
        teams: dict[str, set[str]] = defaultdict(set)
        for row in self.played:
            if row["team"]:
                members[row["team"]].add(row["participant"])
                teams[row["participant"]].add(row["team"])
        if not any(len(mine) > 1 for mine in members.values()):
            return False, {}
        if any(len(mine) > 1 for mine in teams.values()) or any(not row["team"] for row in self.played):
            self.remarks.append(
                "People play in changing teams, or not always in one; each person counts as independent, "
                "and members of a team are not: p-values are too small and intervals too narrow."
            )
            return False, {}
        self.remarks.append("The unit is the team; what its members answer is averaged.")
        return True, {person: next(iter(mine)) for person, mine in teams.items()}

    # --- answers -------------------------------------------------------------------------------------------

    def _answers(self) -> Iterator[dict[str, Any]]:
        rows = self.data["answers"]
        about: dict[str, set[str]] = defaultdict(set)
        for row in self.played:
            about[row["participant"]].add(row["condition"])
        general = 0
        names = ("participant", "item", "condition", "episode")
        for index, cells in enumerate(zip(*(rows.of(name, "") for name in names), strict=True)):
            one: dict[str, Any] = dict(zip(names, cells, strict=True))
            about_it = (one["episode"], one["participant"])
            if self.without.has(one["participant"], one["episode"]):
                continue
            if about_it in self.practice or about_it in self.failed:
                continue
            played = self.by_episode.get((one["episode"], one["participant"]), {})
            one["condition"] = one["condition"] or played.get("condition", "")
            if not one["condition"] and len(about[one["participant"]]) == 1:
                one["condition"] = next(iter(about[one["participant"]]))
            one |= {"value": rows.of("value")[index], "level": played.get("level", "")}
            one["order"] = played.get("order")
            if not one["condition"]:
                general += self.items[one["item"]].kind in RATED
                continue
            self._check_range(rows, index, one)
            yield one
        self._remark(general, "answers are about no condition, and are compared by none")

    def _check_range(self, rows: Rows, index: int, one: Mapping[str, Any]) -> None:
        item, value = self.items[one["item"]], one["value"]
        if value is None or item.kind != "likert":
            return
        low, high = item.lowest, item.highest
        if (low is not None and value < low) or (high is not None and value > high):
            rows.wrong(index, "value", f"{value:g} where {item.key} goes from {low:g} to {high:g}")

    def scales(self) -> Iterator[Scale]:
        """The scales with every answer in which nothing is missing, high answers meaning much."""
        for scale, items in self._scale_items().items():
            if len(items) > 1:
                yield Scale(scale, tuple(item.key for item in items), tuple(self._filled(items)))

    def _scale_items(self) -> dict[str, list[Item]]:
        found: dict[str, list[Item]] = defaultdict(list)
        for item in self.items.values():
            if item.scale and item.kind in RATED:
                found[item.scale].append(item)
        return found

    def _filled(self, items: Sequence[Item]) -> Iterator[tuple[str, tuple[float, ...]]]:
        for form in self._forms().values():
            got = {row["item"]: row["value"] for row in form}
            if all(got.get(item.key) is not None for item in items):
                yield form[0]["condition"], tuple(_turned(item, got[item.key]) for item in items)

    def _forms(self) -> dict[tuple[str, str, str], list[dict[str, Any]]]:
        """Answers that were given together."""
        forms: dict[tuple[str, str, str], list[dict[str, Any]]] = defaultdict(list)
        for row in self.answers:
            forms[row["participant"], row["condition"], row["episode"]].append(row)
        return forms

    # --- variables -----------------------------------------------------------------------------------------

    def measures(self) -> Iterator[Variable]:
        """One variable for each measure of episodes; a team's episode has one value."""
        rows = self.data["measures"]
        of_episode = {row["episode"]: row for row in reversed(self.played)}
        others: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in self.played:
            others[row["episode"]].append(row)
        found: dict[str, list[Value]] = defaultdict(list)
        about: dict[str, dict[str, Any]] = {}
        columns = ("episode", "measure", "value", "title", "unit", "lowest", "highest")
        for cells in zip(*(rows.of(name) for name in columns), strict=True):
            one: dict[str, Any] = dict(zip(columns, cells, strict=True))
            about.setdefault(one["measure"], one)
            if one["value"] is None or one["episode"] not in of_episode:
                continue
            players = others[one["episode"]][:1] if self.team else others[one["episode"]]
            found[one["measure"]] += [self._value(player, one["value"]) for player in players]
        for key, values in found.items():
            told = about[key]
            yield Variable(
                key, told["title"] or key, told["unit"] or "", "measure", told["lowest"], told["highest"],
                self._conditions_of(values), tuple(values),
            )  # fmt: skip

    def ratings(self) -> Iterator[Variable]:
        """One variable for each item that is answered in numbers, and one for each scale of several."""
        forms = self._forms()
        for item in self.items.values():
            if item.kind not in RATED:
                continue
            values = [
                self._value(row, row["value"])
                for row in self.answers
                if row["item"] == item.key and row["value"] is not None
            ]
            if values:
                yield self._rated(item.key, item.label, "rating", [item], values, item.text)
        for scale, items in self._scale_items().items():
            if len(items) < 2:
                continue
            values = []
            for form in forms.values():
                got = {row["item"]: row["value"] for row in form}
                if all(got.get(item.key) is not None for item in items):
                    mean = fmean(_turned(item, got[item.key]) for item in items)
                    values.append(self._value(form[0], mean))
            if values:
                text = f"The mean of {', '.join(item.label for item in items)}."
                yield self._rated(f"scale:{scale}", f"{scale} (scale)", "scale", items, values, text)

    def _rated(
        self,
        key: str,
        title: str,
        kind: Literal["rating", "scale"],
        items: Sequence[Item],
        values: list[Value],
        text: str,
    ) -> Variable:
        lowest, highest = items[0].lowest, items[0].highest
        unit = "" if lowest is None or highest is None else f"{lowest:g} to {highest:g}"
        return Variable(
            key, title, unit, kind, lowest, highest, self._conditions_of(values), tuple(values), text=text
        )

    def _value(self, row: Mapping[str, Any], value: float) -> Value:
        person = row["participant"]
        return Value(
            self.unit_of.get(person, person),
            row["condition"],
            value,
            row["level"],
            row["order"],
            self.groups.get(person) or "",
        )

    def _conditions_of(self, values: Sequence[Value]) -> tuple[str, ...]:
        there = {each.condition for each in values}
        return tuple(key for key in self.order if key in there)

    def with_missing(self, variable: Variable, design: Design) -> Variable:
        """The variable with every cell named that has no value: within, of each unit in each condition;
        between, of each unit in what it played."""
        there = {(each.unit, each.condition) for each in variable.values}
        met: dict[tuple[str, str], bool] = {}
        for row in (*self.played, *self.answers):
            person = row["participant"]
            met[self.unit_of.get(person, person), row["condition"]] = True
        failed = {
            (self.unit_of.get(person, person), condition) for (_, person), condition in self.failed.items()
        }

        def why(cell: tuple[str, str]) -> str:
            return "its episode failed" if cell in failed else "no value" if cell in met else "not played"

        missing = [
            Missing(unit, condition, why((unit, condition)))
            for unit in sorted(self.seen())
            for condition in variable.conditions
            if (unit, condition) not in there
            and (design == "within" or (unit, condition) in met or (unit, condition) in failed)
        ]
        return replace(variable, missing=tuple(missing))


def _turned(item: Item, value: float) -> float:
    """An answer whose high end means much of what the scale measures."""
    if not item.reversed or item.lowest is None or item.highest is None:
        return value
    return item.lowest + item.highest - value


def _conditions(data: Data) -> tuple[list[str], dict[str, str]]:
    """The keys of conditions in order, and what each is called."""
    rows = data["conditions"]
    labels = {
        key: label or key for key, label in zip(rows.of("condition"), rows.of("label", ""), strict=True)
    }
    met = {*data["episodes"].of("condition"), *data["answers"].of("condition", "")}
    for key in sorted(met):
        if key:
            labels.setdefault(key, key)
    return list(labels), labels


def _items(data: Data) -> dict[str, Item]:
    rows = data["items"]
    names = [column.name for column in rows.table.columns]
    found: dict[str, Item] = {}
    for index, row in enumerate(zip(*(rows.of(name) for name in names), strict=True)):
        one = dict(zip(names, row, strict=True))
        kind = one["kind"] or "likert"
        low, high = one["lowest"], one["highest"]
        if low is not None and high is not None and low >= high:
            rows.wrong(index, "highest", f"{high:g} is not above the lowest, {low:g}")
        if one["reversed"] and (low is None or high is None):
            rows.wrong(index, "reversed", "a reversed item needs its lowest and highest answer")
        found[one["item"]] = Item(
            one["item"], one["label"] or one["item"], one["text"] or "", kind, low, high,
            one["scale"] or "", bool(one["reversed"]),
        )  # fmt: skip
    for key in data["answers"].of("item"):
        found.setdefault(key, Item(key, key))
    return found
