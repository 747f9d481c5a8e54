"""What drafts say: results and what is worked out of them, requests, questions of jobs, lures.

Every figure that decides a deliverable is one of at least 10,000 that are about equally likely: amounts and
codes are drawn, never counted or chosen alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal

from msgspec import Struct

from backburner.kernel.files import shipped
from backburner.worlds.desk.game.shipped import HERE

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"

Json = Any


class Voice(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that is asked of figures ``a``, ``b`` and a small ``c``. ``answer``: an operation and what it
    is of; where there are ``choices``, the first of them and when it is right."""

    text: str
    answer: tuple[str, ...]
    choices: tuple[str, ...] = ()


class Voices(Struct, frozen=True, forbid_unknown_fields=True):
    """What people say; ``lures``: level and text."""

    requests: tuple[Voice, ...]
    pauses: tuple[Voice, ...]
    lures: tuple[tuple[Literal["info", "note", "urgent"], str], ...]


def voices() -> Voices:
    """Those that ship."""
    return shipped(HERE, "voices", Voices)


def asked(some: Sequence[Voice], random: Random) -> dict[str, Json]:
    """One of them with figures: its ``text``, its ``answer``, its ``choices`` if it has any."""
    voice = random.choice(some)
    a = random.randint(12, 60)
    b = a + random.randint(1, 40)
    if voice.choices and random.random() < 0.5:
        a, b = b, a
    figures = {"a": a, "b": b, "c": random.randint(3, 9)}
    said = {"text": voice.text.format(**figures)}
    if voice.choices:
        right, left, compares, than = voice.answer
        other = next(choice for choice in voice.choices if choice != right)
        answer = {
            "by": "case", "left": figures[left], "compares": compares, "right": figures[than],
            "then": right, "otherwise": other,
        }  # fmt: skip
        return {**said, "answer": answer, "choices": voice.choices}
    take, *of = voice.answer
    return {**said, "answer": _of_values(take, *(figures[name] for name in of))}


# --- results and formulas -----------------------------------------------------------------------------------


def _in_table(take: str, of: str, **more: Json) -> Json:
    return {"by": "table", "take": take, "of": of, **more}


def _of_values(take: str, *of: Json) -> Json:
    return {"by": "values", "take": take, "of": list(of)}


class Tables:
    """The results of jobs, each made when something is first worked out of it."""

    def __init__(self, random: Random, depth: int) -> None:
        self.random, self.depth = random, depth
        self.of: dict[str, Mapping[str, Json]] = {}
        self.codes: set[str] = set()

    def table(self, job: str) -> Mapping[str, Json]:
        """The result of a job: codes, amounts and units, no two alike in a column."""
        if job not in self.of:
            count = self.random.randint(2, 3)
            amounts = self.random.sample(range(10_000, 100_000), count)
            units = self.random.sample(range(11, 100), count)
            rows = [[self._code(), *row] for row in zip(amounts, units, strict=True)]
            self.of[job] = {"columns": ["code", "amount", "units"], "rows": rows}
        return self.of[job]

    def _code(self) -> str:
        while True:
            code = "".join(self.random.choices(LETTERS, k=2)) + str(self.random.randint(100, 999))
            if code not in self.codes:
                self.codes.add(code)
                return code

    def cell(self, job: str, column: str) -> Json:
        """A cell, by its row."""
        return _in_table("cell", job, column=column, row=self._row(job))

    def _row(self, job: str) -> int:
        return self.random.randint(1, len(self.table(job)["rows"]))

    def _column(self, job: str) -> Json:
        self.table(job)
        return _in_table("column", job, column="amount")

    def one(self, job: str, column: str) -> Json:
        """One code or amount of a result, that has to be looked for."""
        table = self.table(job)
        match self.random.randrange(4):
            case 0:
                return _in_table("row_of_max", job, column=column, where="units")
            case 1:
                return _in_table("row_of_min", job, column=column, where="units")
            case 2 if column == "amount":
                return _in_table("nth", job, column=column, row=self._row(job))
        row = self.random.choice(table["rows"])
        key, at = ("code", 0) if column == "amount" else ("amount", 1)
        return _in_table("lookup", job, column=column, where=key, equals=row[at])

    def figure(self, first: str, second: str) -> Json:
        """A number that is worked out of one result or two."""
        if self.depth == 1:
            options = (
                lambda: _of_values("sum", self._column(first)),
                lambda: _of_values("max", self._column(first), self._column(second)),
                lambda: self.one(first, "amount"),
                lambda: _of_values("difference", self.cell(first, "amount"), self.cell(second, "amount")),
            )[: 3 + (first != second)]
        else:
            options = (
                lambda: _of_values(
                    "difference", _of_values("sum", self._column(first)), self.one(second, "amount")
                ),
                lambda: _of_values("sum", self.one(first, "amount"), self.one(second, "amount")),
                lambda: _of_values("product", self._count(second), self.cell(first, "amount")),
                lambda: self._case(
                    second, _of_values("sum", self._column(first)), _of_values("min", self._column(first))
                ),
            )
        return self.random.choice(options)()

    def code(self, first: str, second: str) -> Json:
        """A code that is looked up, or joined of two."""
        if self.depth == 1:
            return self.one(first, "code")
        return _of_values("code", self.one(first, "code"), self.one(second, "code"))

    def verdict(self, job: str, choices: Sequence[str]) -> Json:
        """One of two choices."""
        return self._case(job, *choices)

    def _count(self, job: str) -> Json:
        """How many rows have at least so many units; one or more."""
        units = sorted(row[2] for row in self.table(job)["rows"])
        than = self.random.choice(units[: max(1, len(units) - 1)])
        return _in_table("count", job, where="units", compares=">=", equals=than)

    def _case(self, job: str, then: Json, otherwise: Json) -> Json:
        """The one or the other, by how many rows have many units."""
        than = self.random.randint(20, 80)
        count = _in_table("count", job, where="units", compares=">", equals=than)
        self.table(job)
        return {
            "by": "case", "left": count, "compares": ">=", "right": self.random.randint(1, 2),
            "then": then, "otherwise": otherwise,
        }  # fmt: skip


def said_of(lure: str, random: Random, symbols: Mapping[str, Sequence[str]]) -> str:
    """A lure, with symbols for what it names."""
    return lure.format(**{role: random.choice(names) for role, names in symbols.items()})
