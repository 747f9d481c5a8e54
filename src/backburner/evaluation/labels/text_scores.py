"""How far annotators of texts agree, set by set, beside what an article prints; and how near a model comes.

An article's figure is the mean of Cohen's kappas over all pairs of people. A limit counts there whatever its
length: its kappa is that of the first label against all others. What waits for what is compared as a whole as
well: F1 = 2 common / (those of one + those of the other), over all waits that follow from what was said.
Models are set beside what people's labels come to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any, cast

from backburner.evaluation.labels.agreement import (
    REST,
    Coefficient,
    Kappa,
    cohen,
    fleiss,
    kappa_text,
    who,
    with_interval,
)
from backburner.evaluation.labels.cases import Settled, agreed
from backburner.evaluation.labels.label_files import JUDGE, Key
from backburner.evaluation.labels.texts import Part
from backburner.kernel.scoring import Section, grouped

COLUMNS = ("set", "annotators", "cases", "agree (%)", "kappa", "printed", "F1 (%)")
TEXT = (
    "People: the mean of Cohen's kappas of all pairs, and Fleiss' kappa. Models beside what people's labels "
    "come to. Limits: whether there is one. F1: of what waits for what, with all that follows from it."
)

PEOPLE = ""
"""Who says what people's labels come to."""


def text_scores(settled: Sequence[Settled]) -> Section:
    """A table of all sets in which anybody has labelled anything. Raises ``MissingExtra``."""
    sets = grouped(settled, lambda one: (one.item.key.world, one.item.key.set)).values()
    rows = tuple(row for of_set in sets for row in _Set(of_set).rows())
    printed = sorted({cast(Part, one.item).source.declared.source for one in settled} - {""})
    return Section("Agreement", f"{TEXT} Printed: {', '.join(printed) or 'none'}.", COLUMNS, rows)


class _Set:
    """What everybody says of the parts of one set, adjudicators aside."""

    def __init__(self, settled: Sequence[Settled]) -> None:
        first = cast(Part, settled[0].item)
        self._labels, self._declared = first.labels, first.source.declared
        self._sources = {one.item.key.record: cast(Part, one.item).source for one in settled}
        self._said: dict[str, dict[Key, str]] = {PEOPLE: {}}
        for one in settled:
            people, _ = agreed([said for said in one.said if said.role != "judge"])
            told = {said.annotator: said.label for said in one.said if said.role != "adjudicator"}
            for name, label in {**told, PEOPLE: people}.items():
                if label:
                    self._said.setdefault(name, {})[one.item.key] = label

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The people's, and one of each model."""
        names = sorted(self._said.keys() - {PEOPLE})
        people = [name for name in names if not name.startswith(JUDGE)]
        pairs = [self._compared(one, other) for one, other in combinations(people, 2)]
        cases, alike, kappas, f1 = zip(*pairs, strict=True) if pairs else ((), (), (), ())
        values = [kappa.value for kappa in kappas if kappa.value is not None]
        printed = self._declared.printed.get(self._labels.name)
        if names:
            told = (sum(cases), _mean(alike, 1), _mean(values, 2), printed, _mean(f1, 1))
            yield self._labels.title, f"people, mean of {len(values)} pairs", *told
        if len(people) > 2:
            kappa = self._kappa(fleiss, people)
            yield "", "people, Fleiss", kappa.cases, None, kappa_text(kappa), None, None
        for name in sorted({*names} - {*people}):
            number, same, kappa, common = self._compared(name, PEOPLE)
            shown = f"{who({name: 'judge'}, name)}, to people"
            yield "", shown, number, _mean([same], 1), kappa_text(kappa), None, _mean([common], 1)

    def _votes(self, names: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
        """(text, what they say) of each part that all of them have labelled."""
        said, yes = [self._said[name] for name in names], self._labels.keys[0]
        binary = self._labels.of == "limit"
        return [
            (key.record, tuple(REST if binary and mine[key] != yes else mine[key] for mine in said))
            for key in said[0]
            if all(key in mine for mine in said)
        ]

    def _kappa(self, coefficient: Coefficient, names: Sequence[str]) -> Kappa:
        votes = self._votes(names)
        used = [key for key in (*self._labels.keys, REST) if any(key in labels for _, labels in votes)]
        return with_interval(coefficient, votes, used)

    def _compared(self, one: str, other: str) -> tuple[int, float | None, Kappa, float | None]:
        """(cases, per cent of them in which both say the same, kappa, F1) of two."""
        votes = self._votes((one, other))
        alike = 100 * fmean(first == second for _, (first, second) in votes) if votes else None
        return len(votes), alike, self._kappa(cohen, (one, other)), self._f1(one, other)

    def _f1(self, one: str, other: str) -> float | None:
        """Over the pairs that both have labelled; ``None`` where neither has any wait."""
        both = self._said[one].keys() & self._said[other].keys()
        first, second = (both & set(self._waits(name)) for name in (one, other))
        total = len(first) + len(second)
        return 200 * len(first & second) / total if total else None

    def _waits(self, name: str) -> Iterator[Key]:
        for source in self._sources.values():
            for later, needed in source.waits(self._said[name]).items():
                yield from (source.key(self._labels, later, earlier) for earlier in needed)


def _mean(values: Sequence[float | None], digits: int) -> float | None:
    known = [value for value in values if value is not None]
    return round(fmean(known), digits) if known else None
