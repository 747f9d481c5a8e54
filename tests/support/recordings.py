"""Recordings of the released programs, compared case by case, so that no difference hides another."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

Case = dict[str, Any]
Named = tuple[str, Callable[[], int]]
"""A case's name, and what compares it: gives how much it compared, fails at the first difference."""

Compare = Callable[[str, str, Iterable[Named]], None]
"""The fixture ``compare``: what is compared (a file, and which part of it), the unit that cases count in
themselves, the cases. All are looked at; it fails at the end if any differs."""


def recorded_in(vectors: Path, name: str) -> Any:
    """A file's value, for ``.jsonl`` the list of its lines' values; skips where the file is not there."""
    file = vectors / name
    if not file.is_file():
        pytest.skip(f"no recordings: {file} is not there")
    raw = file.read_bytes()
    text = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode()
    return [json.loads(line) for line in text.splitlines()] if ".jsonl" in name else json.loads(text)


def episodes_in(vectors: Path, name: str) -> list[Case]:
    """The episodes of a file, which has nothing else or has them under that name."""
    found = recorded_in(vectors, name)
    episodes: list[Case] = found if isinstance(found, list) else found["episodes"]
    return episodes


def each(cases: Iterable[Case], check: Callable[[Case], int]) -> Iterator[Named]:
    """Cases compared one by one, named by their ids, or by their numbers where they have none."""
    for number, case in enumerate(cases):
        yield str(case.get("id", f"number {number}")), lambda case=case: check(case)


class Comparison:
    """Counts cases. ``what``: the file, and which part of it. ``unit``: what cases count in themselves."""

    def __init__(self, what: str, unit: str) -> None:
        self.what, self.unit = what, unit
        self.cases = self.amount = 0
        self.different: list[str] = []

    def add(self, name: str, check: Callable[[], int]) -> None:
        """Compare a case; any error is a difference."""
        self.cases += 1
        try:
            self.amount += check()
        except Exception as error:
            kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
            said = " ".join(f"{error}".split())
            self.different.append(f"{name}: {kind}{said[:400]}")

    def __str__(self) -> str:
        equal = self.cases - len(self.different)
        told = f"{self.what}: {self.cases} cases, {equal} equal, {len(self.different)} different; "
        return told + f"{self.amount} {self.unit}; first difference: {(*self.different, 'none')[0]}"
