"""How likely main effects and interactions are found: by noncentral F, and in simulated studies.

The size of each effect is Cohen's f: the standard deviation that it gives the true means of cells, over
that of values within a cell. Values of a person correlate alike. With n people, K cells within and this
correlation ρ, an effect within subjects has λ = n K f² / (1 - ρ), one between λ = n K f² / (1 + (K - 1) ρ):
differences within a person are surer, and means of a person less sure, than independent values would be.
Simulated studies are tested by the analysis itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from math import prod

import numpy as np
from scipy import stats

from backburner.evaluation.scoring.statistics import exact_share
from backburner.kernel.scoring import Estimate, Section
from backburner.study.analysis.factors import effects_of
from backburner.study.analysis.power import LEVEL, MOST_PEOPLE

Sizes = Mapping[str, int]
"""The number of levels of each factor."""


def effects_in(sizes: Sizes) -> Iterator[tuple[str, ...]]:
    """Every effect by its factors, main effects first."""
    for number in range(1, len(sizes) + 1):
        yield from combinations(sizes, number)


def power_of_effect(
    chosen: Sequence[str],
    sizes: Sizes,
    between: Sequence[str],
    f: float,
    people: int,
    correlation: float = 0.5,
    level: float = LEVEL,
) -> float:
    """The chance that the data of so many people, shared out evenly over groups, show an effect of size f."""
    groups = prod(sizes[name] for name in between)
    cells = prod(sizes[name] for name in sizes if name not in between)
    contrasts = prod(sizes[name] - 1 for name in chosen if name not in between)
    inside = any(name not in between for name in chosen)
    df1, df2 = prod(sizes[name] - 1 for name in chosen), (people - groups) * contrasts
    if df2 < 1:
        return 0.0
    error = 1 - correlation if inside else 1 + (cells - 1) * correlation
    away = people * cells * f * f / error
    found = float(stats.ncf.sf(stats.f.isf(level, df1, df2), df1, df2, away))
    return found if np.isfinite(found) else 1.0


def people_for(
    chosen: Sequence[str],
    sizes: Sizes,
    between: Sequence[str],
    f: float,
    power: float = 0.8,
    correlation: float = 0.5,
    level: float = LEVEL,
) -> int | None:
    """The fewest people with this power, as many in each group; ``None`` above ``MOST_PEOPLE``."""
    step = prod(sizes[name] for name in between)
    for people in range(step, MOST_PEOPLE + 1, step):
        if power_of_effect(chosen, sizes, between, f, people, correlation, level) >= power:
            return people
    return None


def simulated_power(
    sizes: Sizes,
    between: Sequence[str],
    f: float,
    people: int,
    correlation: float = 0.5,
    level: float = LEVEL,
    studies: int = 1000,
    seed: int = 0,
) -> dict[str, Estimate]:
    """The share of simulated studies in which each effect is found; all of them have size f."""
    within = [name for name in sizes if name not in between]
    chance = np.random.default_rng(seed)
    groups = list(product(*(range(sizes[name]) for name in between)))
    of_people = np.array([groups[number % len(groups)] for number in range(people)]).reshape(people, -1)
    cells = list(product(*(range(sizes[name]) for name in within)))
    means = np.array(
        [[_mean(dict(zip((*between, *within), (*g, *c), strict=True)), sizes) for c in cells] for g in groups]
    )
    mine = f * means[[number % len(groups) for number in range(people)]]
    found: Counter[str] = Counter()
    for _ in range(studies):
        leaning = chance.normal(scale=correlation**0.5, size=(people, 1))
        values = mine + leaning + chance.normal(scale=(1 - correlation) ** 0.5, size=mine.shape)
        found.update(
            e.name for e in effects_of(values, of_people, within, between, sizes) if e.test.p < level
        )
    names = [" x ".join(chosen) for chosen in effects_in(sizes)]
    shares = {name: found[name] / studies for name in names}
    ends = {name: exact_share(share, studies) for name, share in shares.items()}
    return {
        name: Estimate(share, ends[name][0] / 100, ends[name][1] / 100, "Clopper-Pearson")
        for name, share in shares.items()
    }


def factor_sections(
    sizes: Sizes,
    between: Sequence[str],
    f: float,
    people: Sequence[int],
    correlation: float,
    level: float,
    power: float,
    studies: int,
    seed: int,
) -> list[Section]:
    """The people that each effect takes, and what these numbers of people find."""
    effects = list(effects_in(sizes))
    rows = []
    for number in people:
        simulated = (
            simulated_power(sizes, between, f, number, correlation, level, studies, seed) if studies else {}
        )
        for chosen in effects:
            name = " x ".join(chosen)
            share = 100 * power_of_effect(chosen, sizes, between, f, number, correlation, level)
            found = simulated.get(name, Estimate(None))
            rows.append(
                (number, name, f"{share:.1f} %", "–" if found.value is None else f"{100 * found.value:.1f} %")
            )
    needed = [
        (" x ".join(chosen), people_for(chosen, sizes, between, f, power, correlation, level) or "too many")
        for chosen in effects
    ]
    text = f"Every effect has Cohen's f = {f:g}; values of a person correlate by {correlation:g}."
    columns = ("participants", "effect", "by F", "simulated")
    sections = [Section("Main effects and interactions", text, columns, tuple(rows))] if rows else []
    return [*sections, Section("Participants needed", text, ("effect", "participants"), tuple(needed))]


def _mean(cell: Mapping[str, int], sizes: Sizes) -> float:
    """The sum of all effects in a cell, each of standard deviation 1: levels in equal steps, multiplied."""
    steps = {name: np.linspace(-1, 1, size) for name, size in sizes.items()}
    codes = {name: steps[name][cell[name]] / steps[name].std() for name in sizes}
    return float(sum(prod(codes[name] for name in chosen) for chosen in effects_in(sizes)))
