"""Formulas drawn at random, and a second evaluator that goes by nothing but their words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from typing import Any

from backburner.worlds.desk.game.content import Choose, InTable, OfValues, Operand, Table, Value

COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "is below": lambda a, b: a < b,
    "is above": lambda a, b: a > b,
    "is at most": lambda a, b: a <= b,
    "is at least": lambda a, b: a >= b,
    "is": lambda a, b: str(a).upper() == str(b).upper(),
}
WAYS = "|".join(COMPARED)


class Worded:
    """Works out what words say, with these tables."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.rows = {
            name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
            for name, table in tables.items()
        }

    def value(self, words: str) -> Any:
        """What a text comes to, a whole column to a list. Brackets are worked out first."""
        inner: list[str] = []

        def kept(match: re.Match[str]) -> str:
            inner.append(match[1])
            return f"<{len(inner) - 1}>"

        while "(" in words:
            words = re.sub(r"\(([^()]*)\)", kept, words)
        return self._of(words, inner)

    def _of(self, words: str, inner: list[str]) -> Any:
        def of(text: str) -> Any:
            return self._of(text, inner)

        if match := re.fullmatch(r"<(\d+)>", words):
            return of(inner[int(match[1])])
        if match := re.fullmatch(r"(.+) if (.+) (" + WAYS + r") (.+), otherwise (.+)", words):
            holds = COMPARED[match[3]](of(match[2]), of(match[4]))
            return of(match[1]) if holds else of(match[5])
        if match := re.fullmatch(r"the number of rows of (.+) where (\w+) (" + WAYS + r") (.+)", words):
            return sum(COMPARED[match[3]](row[match[2]], of(match[4])) for row in self.rows[match[1]])
        if match := re.fullmatch(r"number (\d+) of (.+) by (\w+), the greatest first", words):
            return sorted((row[match[3]] for row in self.rows[match[2]]), reverse=True)[int(match[1]) - 1]
        if match := re.fullmatch(r"(.+) in percent of (.+), rounded down", words):
            return (100 * of(match[1])) // of(match[2])
        if match := re.fullmatch(r"(.+), joined with hyphens", words):
            return "-".join(map(str, self._all(match[1], inner))).upper()
        for begin, together in (("sum", sum), ("greatest", max), ("least", min), ("product", product)):
            if match := re.fullmatch(rf"the {begin} of (.+)", words):
                return together(self._all(match[1], inner))
        if " less " in words:
            first, *others = (self._all(part, inner) for part in words.split(" less "))
            whole = [each for part in (first, *others) for each in part]
            return whole[0] - sum(whole[1:])
        return self._leaf(words, of)

    def _all(self, words: str, inner: list[str]) -> list[Any]:
        """The values of a list, with ``and`` before the last."""
        found: list[Any] = []
        for part in re.split(r", | and ", words):
            value = self._of(part, inner)
            found += value if isinstance(value, list) else [value]
        return found

    def _leaf(self, words: str, of: Callable[[str], Any]) -> Any:
        if match := re.fullmatch(r"every (\w+) of (.+)", words):
            return [row[match[1]] for row in self.rows[match[2]]]
        if match := re.fullmatch(r"the (\w+) in row (\d+) of (.+)", words):
            return self.rows[match[3]][int(match[2]) - 1][match[1]]
        if match := re.fullmatch(r"the (\w+) of (.+) where (\w+) is (greatest|least)", words):
            best = (max if match[4] == "greatest" else min)(row[match[3]] for row in self.rows[match[2]])
            return next(row[match[1]] for row in self.rows[match[2]] if row[match[3]] == best)
        if match := re.fullmatch(r"the (\w+) of (.+) where (\w+) is (.+)", words):
            wanted = of(match[4])
            return next(r[match[1]] for r in self.rows[match[2]] if COMPARED["is"](r[match[3]], wanted))
        return int(words) if re.fullmatch(r"-?\d+", words) else words


def product(values: list[int]) -> int:
    """All values multiplied."""
    whole = 1
    for value in values:
        whole *= value
    return whole


TABLES = {
    "count votes": Table(("ward", "votes"), (("north", 410), ("south", 388), ("east", 95), ("west", 410))),
    "price": Table(("leg", "cost", "code"), (("a1", 120, "QX-1"), ("b2", 75, "QX-2"))),
}


def formula(draw: random.Random, deep: int) -> Operand:
    """A formula with at most so many operations one within the other."""
    of, names, numbers = draw.choice(
        [("count votes", ["ward"], ["votes"]), ("price", ["leg", "code"], ["cost"])]
    )
    if deep == 0:
        cell = InTable("cell", of, draw.choice(numbers), draw.randint(1, 2))
        return draw.choice([cell, cell, InTable("column", of, draw.choice(numbers)), draw.randint(0, 500)])
    below = lambda: formula(draw, deep - 1)  # noqa: E731
    match draw.randint(0, 4):
        case 0:
            row: Any = draw.choice(["row_of_max", "row_of_min"])
            return InTable(row, of, draw.choice(names), where=numbers[0])
        case 1:
            return InTable("nth", of, numbers[0], draw.randint(1, 2))
        case 2:
            ways: Any = draw.choice(["=", "<", ">", "<=", ">="])
            return InTable("count", of, where=numbers[0], compares=ways, equals=below())
        case 3:
            compares: Any = draw.choice(["=", "<", ">", "<=", ">="])
            return Choose(below(), compares, below(), below(), "hold")
    take: Any = draw.choice(["sum", "difference", "product", "max", "min", "percent", "code"])
    size = 2 if take == "percent" else draw.randint(1, 3)
    return OfValues(take, tuple(below() for _ in range(size)))


def looked_up(draw: random.Random) -> Operand:
    """A cell found by another."""
    of, key, column = draw.choice([("count votes", "ward", "votes"), ("price", "leg", "code")])
    table = TABLES[of]
    equals: Value = draw.choice(table.rows)[table.columns.index(key)]
    return InTable("lookup", of, column, where=key, equals=equals)
