"""Cases of made episodes with what people say of them, settled."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from backburner.evaluation.labels.cases import Item, Recorded, Settled, settle
from backburner.evaluation.labels.label_files import Key, Labels, Role, Said
from backburner.kernel.assessment import Case, Label, LabelSet
from support.evaluation.made_episodes import made

SET = LabelSet(
    name="failures",
    version=1,
    title="Failures",
    of="episode",
    question="Why did it fail?",
    labels=(Label("state", "misread"), Label("goal", "misunderstood"), Label("other", "else")),
)


class CaseSaid(Struct):
    """What the record decides of a case, and who says what."""

    decided: str
    said: dict[str, str]
    adjudicator: str


def case_said(*, decided: str = "", adjudicator: str = "", **said: str) -> CaseSaid:
    """A case with what each annotator says; one called ``judge`` is a model."""
    return CaseSaid(decided, said, adjudicator)


def line(key: Key, name: str, label: str, *, role: Role = "person", version: int = 1) -> Said:
    """One line of a file of labels."""
    return Said(name, role, key.world, key.set, version, key.record, label, "2026-01-01T00:00:00Z")


def item(number: int, case: Case | None = None) -> Item:
    """The item of an episode of its own."""
    key = Key("tea", SET.name, f"{number:016x}")
    return Recorded(key, Path(f"{number}.jsonl"), SET, case or Case(), made(seed=number))


def cases(*told: CaseSaid) -> list[Settled]:
    """Each as a case of an episode of its own, settled."""
    items = [item(number, Case(decided=each.decided)) for number, each in enumerate(told)]
    lines = [
        line(it.key, "judge:m" if name == "judge" else name, label, role=_role(each, name))
        for it, each in zip(items, told, strict=True)
        for name, label in _said(each).items()
    ]
    return settle(items, Labels(tuple(lines)))


def _said(each: CaseSaid) -> Mapping[str, str]:
    return each.said


def _role(each: CaseSaid, name: str) -> Role:
    return "judge" if name == "judge" else "adjudicator" if name == each.adjudicator else "person"
