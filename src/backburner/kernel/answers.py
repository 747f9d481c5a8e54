"""Answers: what is proven of scenarios that were built, beside them and not in them.

Scenario files tell nothing of their best plan. It stands in ``answers.jsonl`` beside them, a line for each
scenario, found by the digest of its content.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from backburner.kernel.files import read_lines

FILE = "answers.jsonl"

STANDARD = "standard"

BIASED = 0.1
"""A build of which more than this share of drafts was dropped as unproven is marked."""

Figure = Annotated[int, Meta(ge=0, le=10**9)]


class Answered(Struct, frozen=True, forbid_unknown_fields=True):
    """The best of a scenario: ``best`` as the world counted it, what no play passes (``bound``), the plan in
    the world's words; and the mean regret of scripts, the dials of the plan.

    ``scenario``: the digest of its content. ``sense``: ``min`` where the best is the earliest end. ``rules``:
    the rule set that all of this is about; not written where it is ``standard``. ``unproven``: the share of
    drafts that its build dropped as nothing was proven of them; not written up to ``BIASED``.
    """

    scenario: Annotated[str, Meta(max_length=64)]
    sense: Literal["min", "max"]
    unit: Annotated[str, Meta(max_length=40)]
    status: Literal["optimal", "feasible"]
    best: Annotated[int, Meta(ge=1, le=10**9)]
    bound: Figure
    dials: dict[str, float] = field(default_factory=dict)
    plan: tuple[str, ...] = ()
    rules: str | UnsetType = UNSET
    unproven: Annotated[float, Meta(ge=0, le=1)] | UnsetType = UNSET

    def is_about(self, rules: str) -> bool:
        """Whether it is about play under the rule set of this name."""
        return rules == (self.rules or STANDARD)


def encoded(answers: Iterable[Answered]) -> bytes:
    """The file of these answers."""
    return b"".join(msgspec.json.encode(answer, order="sorted") + b"\n" for answer in answers)


def read_answers(path: Path) -> dict[str, Answered]:
    """The answers of a file, by the digests of their scenarios; raises ``BadFile`` naming the line."""
    return {answer.scenario: answer for answer in read_lines(path, Answered, "an answer")}


def answers_at(place: Path) -> dict[str, Answered]:
    """The answers in a file, beside a scenario file, or in a folder; none where there are none."""
    file = place if place.suffix == ".jsonl" else (place if place.is_dir() else place.parent) / FILE
    if not file.exists():
        return {}
    now = file.stat()
    return _read(file, now.st_mtime_ns, now.st_ino)


@lru_cache(maxsize=64)
def _read(file: Path, changed: int, inode: int) -> dict[str, Answered]:
    return read_answers(file)
