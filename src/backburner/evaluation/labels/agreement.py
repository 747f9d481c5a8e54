"""How far annotators agree: Cohen's kappa of each two, Fleiss' kappa of all, overall and class by class.

The coefficients are those of statsmodels. Their 95 % intervals are jackknife ones: each episode with all
its cases is left out in turn, and Student's t tells how far the mean of the pseudo-values may be off. So
decisions of one episode need not be independent, and at small numbers these intervals cover more truly than
the usual large-sample ones (``docs/annotate.md``). Where annotators never differ there is no interval.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import isfinite, sqrt
from statistics import fmean, stdev
from typing import Any

from msgspec import Struct

from backburner.agents.models.stand_in import is_stand_in
from backburner.evaluation.labels.cases import Settled
from backburner.evaluation.labels.label_files import JUDGE, Role
from backburner.evaluation.scoring.statistics import t_reach
from backburner.evaluation.tables.words import interval_text
from backburner.kernel.assessment import LabelSet
from backburner.kernel.errors import needs_extra
from backburner.kernel.scoring import Estimate

RECORD = "the record"
"""Stands for what the record decides, beside people who labelled such cases all the same."""

LEAST_EPISODES = 3
"""With fewer there is no interval."""

Votes = Sequence[tuple[str, ...]]
"""The labels of one case after the other, each as many as there are raters."""


class Kappa(Struct, frozen=True):
    """A coefficient over so many ``cases`` of so many ``episodes``; ``None`` where it is not defined, as
    when everybody has one and the same label everywhere. ``low`` and ``high``: its interval, if any."""

    value: float | None
    low: float | None
    high: float | None
    cases: int
    episodes: int


class Pair(Struct, frozen=True):
    """Two annotators: per cent of cases in which they agree, Cohen's kappa, the same for each label against
    all others, and how often the ``one``'s label met the ``other``'s: rows are the ``one``'s."""

    one: str
    other: str
    agreeing: float
    kappa: Kappa
    by_label: dict[str, Kappa]
    confusion: dict[str, dict[str, int]]


class Together(Struct, frozen=True):
    """All annotators at once: Fleiss' kappa over the cases that all of them labelled."""

    annotators: tuple[str, ...]
    kappa: Kappa
    by_label: dict[str, Kappa]


class Agreement(Struct, frozen=True):
    """Of one label set: who labelled how many cases, the pairs that share any, and all of them if there are
    three or more. ``divided``: the cases in which annotators differ."""

    world: str
    labels: LabelSet
    annotators: dict[str, int]
    roles: dict[str, Role]
    pairs: tuple[Pair, ...]
    together: Together | None
    divided: tuple[Settled, ...]


def agreements(settled: Sequence[Settled], *, coefficients: bool = True) -> Iterator[Agreement]:
    """The agreement on each label set of each world in which anybody has labelled anything.

    Adjudicators have no part in it: they have seen what others said. Without ``coefficients`` there are
    neither pairs nor kappas. Raises ``MissingExtra``.
    """
    sets: dict[tuple[str, str], list[Settled]] = defaultdict(list)
    for one in settled:
        sets[one.item.key.world, one.item.key.set].append(one)
    for (world, _), of_set in sets.items():
        if any(one.said for one in of_set):
            yield _agreement(world, of_set, coefficients)


def _agreement(world: str, settled: Sequence[Settled], coefficients: bool) -> Agreement:
    roles: dict[str, Role] = {}
    counts: dict[str, int] = {}
    for one in settled:
        for said in one.said:
            counts[said.annotator] = counts.get(said.annotator, 0) + 1
            if roles.get(said.annotator, "adjudicator") == "adjudicator":
                roles[said.annotator] = said.role
    labels = settled[0].item.labels
    raters = sorted(name for name, role in roles.items() if role != "adjudicator")
    beside = [*raters, RECORD] if any(one.how == "record" and one.said for one in settled) else raters
    pairs: list[Pair] = []
    together = None
    if coefficients:
        found = (_pair(one, other, settled, labels) for one, other in combinations(beside, 2))
        pairs = [pair for pair in found if pair is not None]
        together = _together(raters, settled, labels) if len(raters) > 2 else None
    divided = tuple(one for one in settled if len({said.label for said in _independent(one)}) > 1)
    counts, roles = dict(sorted(counts.items())), dict(sorted(roles.items()))
    return Agreement(world, labels, counts, roles, tuple(pairs), together, divided)


def _independent(one: Settled) -> list[Any]:
    return [said for said in one.said if said.role != "adjudicator"]


def _votes(raters: Sequence[str], settled: Sequence[Settled]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(the episode, the raters' labels) of each case that all of them labelled."""
    for one in settled:
        by_rater = {said.annotator: said.label for said in _independent(one)}
        if one.how == "record":
            by_rater[RECORD] = one.label
        if all(rater in by_rater for rater in raters):
            yield one.item.key.record, tuple(by_rater[rater] for rater in raters)


def _pair(one: str, other: str, settled: Sequence[Settled], labels: LabelSet) -> Pair | None:
    votes = list(_votes((one, other), settled))
    if not votes:
        return None
    used = [key for key in labels.keys if any(key in labelled for _, labelled in votes)]
    confusion = {row: dict.fromkeys(used, 0) for row in used}
    for _, (first, second) in votes:
        confusion[first][second] += 1
    agreeing = 100 * fmean(first == second for _, (first, second) in votes)
    kappa, by_label = _overall_and_by_label(cohen, votes, used)
    return Pair(one, other, agreeing, kappa, by_label, confusion)


def _together(raters: Sequence[str], settled: Sequence[Settled], labels: LabelSet) -> Together | None:
    votes = list(_votes(raters, settled))
    if not votes:
        return None
    used = [key for key in labels.keys if any(key in labelled for _, labelled in votes)]
    return Together(tuple(raters), *_overall_and_by_label(fleiss, votes, used))


Coefficient = Callable[[Votes, Sequence[str]], float | None]
"""A coefficient of votes for these labels."""

REST = ""
"""Stands for every other label."""


def _overall_and_by_label(
    coefficient: Coefficient, votes: Sequence[tuple[str, tuple[str, ...]]], used: Sequence[str]
) -> tuple[Kappa, dict[str, Kappa]]:
    by_label = {}
    for key in used:
        against = [(record, tuple(v if v == key else REST for v in labelled)) for record, labelled in votes]
        by_label[key] = with_interval(coefficient, against, (key, REST))
    return with_interval(coefficient, votes, used), by_label


# --- coefficients ------------------------------------------------------------------------------------------


def cohen(votes: Votes, labels: Sequence[str]) -> float | None:
    """Cohen's kappa of two raters; ``None`` where chance alone would have them agree everywhere."""
    place = {label: index for index, label in enumerate(labels)}
    table = [[0] * len(labels) for _ in labels]
    for first, second in votes:
        table[place[first]][place[second]] += 1
    if _one_label(votes):
        return None
    return _finite(_inter_rater().cohens_kappa(table, return_results=False))


def fleiss(votes: Votes, labels: Sequence[str]) -> float | None:
    """Fleiss' kappa of any number of raters, the same for each case; ``None`` as for ``cohen``."""
    if _one_label(votes):
        return None
    table = [[labelled.count(label) for label in labels] for labelled in votes]
    return _finite(_inter_rater().fleiss_kappa(_array(table)))


def _one_label(votes: Votes) -> bool:
    return len({label for labelled in votes for label in labelled}) < 2


def _finite(value: Any) -> float | None:
    return float(value) if isfinite(value) else None


def _inter_rater() -> Any:
    with needs_extra("study", "the agreement of annotators"):
        from statsmodels.stats import inter_rater
    return inter_rater


def _array(table: Sequence[Sequence[int]]) -> Any:
    import numpy

    return numpy.array(table)


def with_interval(
    coefficient: Coefficient, votes: Sequence[tuple[str, tuple[str, ...]]], labels: Sequence[str]
) -> Kappa:
    """The coefficient of (episode, labels) pairs with its interval, leaving one episode out at a time."""
    episodes = list(dict.fromkeys(record for record, _ in votes))
    value = coefficient([labelled for _, labelled in votes], labels)
    if value is None or len(episodes) < LEAST_EPISODES:
        return Kappa(value, None, None, len(votes), len(episodes))
    without = [
        coefficient([labelled for record, labelled in votes if record != left_out], labels)
        for left_out in episodes
    ]
    known = [other for other in without if other is not None]
    low, high = _jackknife(value, known) if len(known) == len(without) else (None, None)
    return Kappa(value, low, high, len(votes), len(episodes))


def _jackknife(value: float, without: Sequence[float]) -> tuple[float | None, float | None]:
    number = len(without)
    pseudo = [number * value - (number - 1) * other for other in without]
    deviation = stdev(pseudo)
    if deviation < 1e-12:
        return None, None
    reach = t_reach(number - 1) * deviation / sqrt(number)
    return max(-1.0, fmean(pseudo) - reach), min(1.0, fmean(pseudo) + reach)


# --- in words ----------------------------------------------------------------------------------------------


def kappa_text(kappa: Kappa) -> str:
    """Such as ``0.62 [0.41, 0.83]``, or ``–`` where there is none."""
    return interval_text(Estimate(kappa.value, kappa.low, kappa.high))


def who(names: Mapping[str, Role], name: str) -> str:
    """An annotator's name, and that it is a model if it is one, or stands in for one."""
    if names.get(name) != "judge":
        return name
    return f"{name} ({'no model' if is_stand_in(name.removeprefix(JUDGE)) else 'model'})"
