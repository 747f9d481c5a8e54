"""How far annotators of texts agree, set by set, beside what an article prints; and how near a model comes.

An article's figure is the mean of Cohen's kappas over all pairs of people. A limit counts there whatever its
length: its kappa is that of the first label against all others. Models are set beside what people's labels
come to. What annotators' labels come to as scenarios is compared as problems that models write are.
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
from backburner.evaluation.labels.label_files import JUDGE, Key, Labels
from backburner.evaluation.labels.texts import Part, Saying, Source, said_by, settled_texts
from backburner.evaluation.scoring.formalised import Beliefs, shares
from backburner.kernel import registry
from backburner.kernel.errors import BackburnerError, Refused
from backburner.kernel.schedule import Problem, problem_of
from backburner.kernel.scoring import Section, grouped
from backburner.scheduling.comparison import Comparison, compare

COLUMNS = ("set", "annotators", "cases", "agree (%)", "kappa", "printed")
TEXT = (
    "People: the mean of Cohen's kappas of all pairs, and Fleiss' kappa. Models beside what people's labels "
    "come to. Limits: whether there is one."
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
        values = [kappa.value for _, kappa in pairs if kappa.value is not None]
        alike = [share for share, kappa in pairs if kappa.cases]
        if names:
            cases, printed = sum(kappa.cases for _, kappa in pairs), self._declared.printed
            told = (_mean(alike, 1), _mean(values, 2), printed.get(self._labels.name))
            yield self._labels.title, f"people, mean of {len(values)} pairs", cases, *told
        if len(people) > 2:
            kappa = self._kappa(fleiss, people)
            yield "", "people, Fleiss", kappa.cases, None, kappa_text(kappa), None
        for name in sorted({*names} - {*people}):
            share, kappa = self._compared(name, PEOPLE)
            yield "", _beside_people(name), kappa.cases, _mean([share], 1), kappa_text(kappa), None

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

    def _compared(self, one: str, other: str) -> tuple[float, Kappa]:
        """The per cent of cases in which two say the same, and their kappa."""
        votes = self._votes((one, other))
        alike = [100 * (first == second) for _, (first, second) in votes]
        return fmean(alike or [0]), self._kappa(cohen, (one, other))


def _beside_people(judge: str) -> str:
    return f"{who({judge: 'judge'}, judge)}, to people"


def _mean(values: Sequence[float], digits: int) -> float | None:
    return round(fmean(values), digits) if values else None


# --- as scenarios ------------------------------------------------------------------------------------------

SCENARIOS_TEXT = (
    "What annotators' labels come to, two by two, over the texts that both have finished: how much of the "
    "second's is the first's too (precision), the reverse (recall), and F1, in per cent. Models are second."
)


def scenario_scores(sources: Sequence[Source], labels: Labels) -> Section:
    """Scenarios of each two people, and of each model beside people's, as ``comparison.compare`` has it."""
    role_of = labels.annotators
    by_people = Labels(tuple(said for said in labels.said if said.role != "judge"))
    settled = {one.item.key: one.label for one in settled_texts(sources, by_people) if one.label}
    people = [said_by(labels, name, "person") for name, role in role_of.items() if role == "person"]
    pairs = [("people, each two", list(combinations(people, 2)))]
    judges = [name for name, role in role_of.items() if role == "judge"]
    pairs += [(_beside_people(name), [(settled, said_by(labels, name, "judge"))]) for name in judges]
    found = []
    for name, those in pairs:
        each = [_compared(source, true, said) for source in sources for true, said in those]
        known = tuple(one for one in each if one is not None)
        found.append(Beliefs(name, len(known), known, None))
    columns = ("annotators", "facts", "precision", "recall", "F1")
    return Section("Scenarios", SCENARIOS_TEXT, columns, shares([one for one in found if one.compared]))


def _compared(source: Source, true: Saying, said: Saying) -> Comparison | None:
    """``None`` where one of the two comes to no scenario."""
    try:
        one, other = _problem(source, true), _problem(source, said)
    except BackburnerError:
        return None
    ours = dict(zip(source.starts(true) or (), one.activities, strict=True))
    theirs = dict(zip(source.starts(said) or (), other.activities, strict=True))
    same = ours.keys() & theirs.keys()
    return compare(one, other, {theirs[start].name: ours[start].name for start in sorted(same)})


def _problem(source: Source, said: Saying) -> Problem:
    """Of a text that is not finished ``Refused`` is raised."""
    actions, offered = source.actions(said), registry.catalogue(source.world)
    if isinstance(actions, str):
        raise Refused(actions)
    path, scenario = offered.read(source.declared.scenario(source.words.name, actions), source.words.name)
    return problem_of(offered.build(f"{source.world}/{registry.USER}/{path}", scenario, "standard", "none"))
