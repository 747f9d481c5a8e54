"""How far annotators of texts agree, set by set, beside what an article prints; and how near a model comes.

An article's figure is the mean of Cohen's kappas over all pairs of people. A limit counts there whatever its
length: its kappa is that of the first label against all others. What waits for what is compared as a whole as
well: F1 = 2 common / (those of one + those of the other), over all waits that follow from what was said.
Models are set beside what people's labels come to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from msgspec.structs import replace

from backburner.evaluation.labels.agreement import (
    Agreement,
    Kappa,
    agreements,
    cohen,
    kappa_text,
    who,
    with_interval,
)
from backburner.evaluation.labels.cases import Settled, agreed
from backburner.evaluation.labels.label_files import Key, Labels, Said
from backburner.evaluation.labels.texts import Saying, Source
from backburner.kernel.assessment import FromWords, LabelSet
from backburner.kernel.scoring import Section

COLUMNS = ("set", "annotators", "cases", "agree (%)", "kappa", "printed", "F1 (%)")
TEXT = (
    "People: the mean of Cohen's kappas of all pairs, and Fleiss' kappa. Models beside what people's labels "
    "come to. Limits: whether there is one. F1: of what waits for what, with all that follows from it."
)


def text_scores(sources: Sequence[Source], settled: Sequence[Settled], labels: Labels) -> Section:
    """A table of all sets in which anybody has labelled anything. Raises ``MissingExtra``."""
    people = [_of_people(one) for one in settled]
    rows: list[tuple[Any, ...]] = []
    for each in agreements(people):
        declared = next(source.declared for source in sources if source.world == each.world)
        mine = [one for one in settled if (one.item.key.world, one.item.labels) == (each.world, each.labels)]
        edges = _Waits(sources, mine) if each.labels.of == "pair" else None
        rows += _people(each, declared, edges)
        judges = (name for name, role in labels.annotators.items() if role == "judge")
        rows += (_judge(name, mine, who(labels.annotators, name), edges) for name in judges)
    printed = sorted({source.declared.source for source in sources if source.declared.printed})
    return Section("Agreement", f"{TEXT} Printed: {', '.join(printed) or 'none'}.", COLUMNS, tuple(rows))


def _of_people(one: Settled) -> Settled:
    """Without what models say."""
    said = tuple(each for each in one.said if each.role != "judge")
    label, how = agreed(said)
    return replace(one, said=said, label=label, how=how)


def _people(each: Agreement, declared: FromWords, edges: _Waits | None) -> Iterator[tuple[Any, ...]]:
    kappas = [
        kappa.value for pair in each.pairs if (kappa := _binary(each.labels, pair.kappa, pair.by_label))
    ]
    known = [kappa for kappa in kappas if kappa is not None]
    cases = sum(one.kappa.cases for one in each.pairs)
    agreeing = sum(one.agreeing * one.kappa.cases for one in each.pairs) / cases if cases else None
    names = f"people, mean of {len(known)} pairs"
    f1 = None if edges is None else _mean([edges.f1(pair.one, pair.other) for pair in each.pairs])
    yield (
        each.labels.title, names, cases, _rounded(agreeing, 1), _rounded(_mean(known), 2),
        declared.printed.get(each.labels.name), _rounded(f1, 1),
    )  # fmt: skip
    if each.together is not None:
        kappa = _binary(each.labels, each.together.kappa, each.together.by_label)
        shown = (kappa.cases, None, kappa_text(kappa)) if kappa else (0, None, None)
        yield "", "people, Fleiss", *shown, None, None


def _binary(labels: LabelSet, kappa: Kappa, by_label: Mapping[str, Kappa]) -> Kappa | None:
    return by_label.get(labels.keys[0]) if labels.of == "limit" else kappa


def _judge(name: str, settled: Sequence[Settled], shown: str, edges: _Waits | None) -> tuple[Any, ...]:
    """A model beside what people's labels come to."""
    votes = [
        (one.item.key.record, (said.label, people))
        for one in settled
        for said in one.said
        if said.annotator == name and (people := _of_people(one).label)
    ]
    labels = settled[0].item.labels
    keys: tuple[str, ...] = labels.keys
    if labels.of == "limit":
        keys = (labels.keys[0], "")
        votes = [(record, (_first(one, keys), _first(other, keys))) for record, (one, other) in votes]
    agreeing = 100 * fmean(one == other for _, (one, other) in votes) if votes else None
    used = [key for key in keys if any(key in pair for _, pair in votes)]
    kappa = kappa_text(with_interval(cohen, votes, used)) if votes else None
    f1 = None if edges is None else _rounded(edges.f1(name, ""), 1)
    return "", f"{shown}, to people", len(votes), _rounded(agreeing, 1), kappa, None, f1


def _first(label: str, keys: Sequence[str]) -> str:
    return label if label == keys[0] else ""


class _Waits:
    """What waits for what as each annotator has it, and, under an empty name, as people's labels have it."""

    def __init__(self, sources: Sequence[Source], settled: Sequence[Settled]) -> None:
        self._said: dict[str, dict[Key, str]] = {}
        for one in settled:
            if people := _of_people(one).label:
                self._said.setdefault("", {})[one.item.key] = people
            for said in _independent(one):
                self._said.setdefault(said.annotator, {})[said.key] = said.label
        self._closed = {name: set(_waits(sources, said)) for name, said in self._said.items()}

    def f1(self, one: str, other: str) -> float | None:
        """In per cent, over the pairs that both have labelled; ``None`` where neither has any wait."""
        both = self._said.get(one, {}).keys() & self._said.get(other, {}).keys()
        first, second = (self._closed.get(name, set()) & both for name in (one, other))
        total = len(first) + len(second)
        return 200 * len(first & second) / total if total else None


def _waits(sources: Sequence[Source], said: Saying) -> Iterator[Key]:
    for source in sources:
        pair = source.one("pair")
        mine = [key for key in said if key.record == source.record]
        starts = sorted({key.at for key in mine} | {int(key.seat) for key in mine})
        for later, needed in source.waits(starts, said).items():
            yield from (source.key(pair, later, earlier) for earlier in needed)


def _independent(one: Settled) -> list[Said]:
    return [said for said in one.said if said.role != "adjudicator"]


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
