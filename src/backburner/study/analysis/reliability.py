"""Whether the items of a scale measure one thing: Cronbach's alpha with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from scipy import stats

from backburner.evaluation.scoring.statistics import MISSED
from backburner.kernel.scoring import Estimate
from backburner.study.analysis.variables import Scale


class Alpha(Struct, frozen=True):
    """Cronbach's alpha of a scale over the answers of one condition, or of all (an empty one).

    ``without``: alpha of the other items, by the one that is left out; for three items and more.
    """

    scale: str
    condition: str
    items: int
    answers: int
    alpha: Estimate
    without: dict[str, float | None]


def cronbach(answers: Sequence[Sequence[float]]) -> Estimate:
    """Alpha of answers by items, k / (k - 1) · (1 - Σ s² of items / s² of sums), with Feldt's interval.

    (Psychometrika 30, 1965): 1 - alpha is distributed as F with n - 1 and (n - 1) (k - 1) degrees of freedom.
    Undefined for fewer than two answers or items, or sums that do not vary.
    """
    values = np.array(answers, dtype=float)
    if values.ndim < 2 or values.shape[0] < 2 or values.shape[1] < 2:
        return Estimate(None)
    n, k = values.shape
    of_sums = float(values.sum(axis=1).var(ddof=1))
    if of_sums <= 0:
        return Estimate(None)
    alpha = k / (k - 1) * (1 - float(values.var(axis=0, ddof=1).sum()) / of_sums)
    low, high = (
        1 - (1 - alpha) * float(stats.f.ppf(at, n - 1, (n - 1) * (k - 1)))
        for at in (1 - MISSED / 2, MISSED / 2)
    )
    return Estimate(alpha, low, high, "Feldt")


def alphas(scale: Scale, order: Iterable[str]) -> list[Alpha]:
    """Alpha over all answers, then for each condition by itself, in this order."""
    there = {condition for condition, _ in scale.answers}
    conditions = [condition for condition in order if condition in there]
    found = []
    for condition in ("", *conditions):
        mine = [answers for of, answers in scale.answers if condition in ("", of)]
        without: dict[str, float | None] = {}
        if len(scale.items) > 2 and not condition:
            for place, item in enumerate(scale.items):
                rest = [(*answers[:place], *answers[place + 1 :]) for answers in mine]
                without[item] = cronbach(rest).value
        found.append(Alpha(scale.key, condition, len(scale.items), len(mine), cronbach(mine), without))
    return found
