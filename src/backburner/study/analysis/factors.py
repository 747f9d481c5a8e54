"""Factors: main effects and interactions, within subjects, between them, or both.

Each effect is a set of orthonormal contrasts of the conditions within, regressed on the groups between, whose
codes sum to zero (type III). Its error is what the same contrasts vary among people of one group, so each
effect has the error of its own stratum: within subjects this is repeated measures, between subjects the
factorial analysis of variance, and with both a split plot. Where an effect has several contrasts, Greenhouse
and Geisser's epsilon is of their covariances. A linear mixed model stands beside it where factors of both
kinds meet, values are missing, or a unit has several in a cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from math import isfinite, prod
from typing import Any

import numpy as np
from msgspec import Struct
from scipy import stats
from scipy.linalg import helmert

from backburner.evaluation.scoring.statistics import SAME
from backburner.kernel.scoring import Estimate
from backburner.study.analysis.anova import FTest, corrected, epsilon_of, share_of_variance
from backburner.study.analysis.fitting import SAMPLE
from backburner.study.analysis.models import Mixed, of_factors, reasons
from backburner.study.analysis.pairs import Simple, simple_effects
from backburner.study.analysis.variables import Cells, Variable, group_levels


class Effect(Struct, frozen=True):
    """A main effect (``partner``) or an interaction (``partner x pressure``).

    ``epsilon``: Greenhouse and Geisser's, with ``greenhouse_geisser``, the test with both degrees of freedom
    multiplied by it; ``None`` for a single contrast. ``partial_eta``: its share of what is no other effect.
    """

    name: str
    test: FTest
    partial_eta: Estimate
    epsilon: float | None = None
    greenhouse_geisser: FTest | None = None

    @property
    def main(self) -> FTest:
        """The test, corrected where there is something to correct."""
        return self.greenhouse_geisser or self.test


class Factorial(Struct, frozen=True):
    """What a variable says of factors. ``levels``: of each factor; ``between``: the factors of which a unit
    has one level; ``units``: those with a value in each cell of theirs, of whom the ``effects`` are."""

    cells: Cells
    levels: dict[str, tuple[str, ...]]
    between: tuple[str, ...]
    units: int
    effects: tuple[Effect, ...]
    model: Mixed | None
    simple: tuple[Simple, ...]

    @property
    def tests(self) -> dict[str, FTest]:
        """The test of each effect: the model's where there is one, else that of the analysis of variance."""
        if self.model is not None:
            return {term.name: term.test for term in self.model.terms if term.name != "level"}
        return {effect.name: effect.main for effect in self.effects}


def factorial(variable: Variable, cells: Cells, scenarios: bool = False) -> Factorial | None:
    """The analysis by factors; ``None`` where the variable's conditions are no full crossing of any.
    ``scenarios``: they are random in its model, as units are."""
    cells = {key: cells[key] for key in variable.conditions if key in cells}
    names = list(next(iter(cells.values()), {}))
    levels = {name: tuple(dict.fromkeys(cell[name] for cell in cells.values())) for name in names}
    if not names or len(cells) < len(variable.conditions) or len(cells) < prod(map(len, levels.values())):
        return None
    values = variable.cells()
    strata = group_levels(cells, values)
    between = [name for name in names if all(name in mine for mine in strata.values())]
    within = [name for name in names if name not in between]
    if any(len(of) < 2 for of in levels.values()):
        return None
    whole, groups = [], []
    by_cell = {tuple(cell.items()): key for key, cell in cells.items()}
    for unit, mine in values.items():
        row = []
        for at in product(*(levels[name] for name in within)):
            cell = strata[unit] | dict(zip(within, at, strict=True))
            row.append(mine.get(by_cell[tuple((name, cell[name]) for name in names)]))
        if None not in row:
            whole.append(row)
            groups.append([levels[name].index(strata[unit][name]) for name in between])
    sizes = {name: len(of) for name, of in levels.items()}
    effects = tuple(effects_of(np.array(whole, float), np.array(groups), within, between, sizes))
    why = [each for each in reasons(variable, "within") if "group" not in each and "missing" not in each]
    why += ["values are missing"] * (len(whole) < len(values))
    why += ["factors within and between subjects meet"] * bool(within and between)
    why += [SAMPLE] * scenarios
    return Factorial(
        cells,
        levels,
        tuple(between),
        len(whole),
        effects,
        of_factors(variable, cells, why, scenarios) if why else None,
        tuple(simple_effects(variable, cells, between)),
    )


def effects_of(
    values: Any, groups: Any, within: Sequence[str], between: Sequence[str], sizes: Mapping[str, int]
) -> Iterator[Effect]:
    """Every effect that can be tested: main effects first.

    ``values``: units by cells within, the last factor changing first; ``groups``: units by factors between,
    as numbers of levels.
    """
    names = [name for name in sizes if name in within or name in between]
    subsets = [chosen for n in range(len(names) + 1) for chosen in combinations(names, n)]
    columns = {
        chosen: _codes(chosen, groups, between, sizes) for chosen in subsets if {*chosen} <= {*between}
    }
    if not len(values):
        return
    design = np.hstack(list(columns.values()))
    freedom = len(values) - design.shape[1]
    if freedom < 1 or np.linalg.matrix_rank(design) < design.shape[1]:
        return
    inverse = np.linalg.inv(design.T @ design)
    ends = np.cumsum([block.shape[1] for block in columns.values()])
    places = {
        chosen: slice(end - columns[chosen].shape[1], end) for chosen, end in zip(columns, ends, strict=True)
    }
    for chosen in subsets[1:]:
        contrasts = _contrasts(chosen, within, sizes)
        scores = values @ contrasts.T
        estimates = inverse @ design.T @ scores
        error = (scores - design @ estimates).T @ (scores - design @ estimates)
        at = places[tuple(name for name in chosen if name in between)]
        mine = estimates[at]
        found = float(np.trace(mine.T @ np.linalg.solve(inverse[at, at], mine)))
        df1, df2 = float(len(mine) * len(contrasts)), float(freedom * len(contrasts))
        if np.trace(error) <= SAME**2 * max(1.0, float((values**2).sum())):
            continue
        f = found / df1 / (float(np.trace(error)) / df2)
        test = FTest(f, df1, df2, float(stats.f.sf(f, df1, df2)))
        if not isfinite(f):
            continue
        name = " x ".join(chosen)
        if len(contrasts) == 1:
            yield Effect(name, test, share_of_variance(test))
        else:
            epsilon = epsilon_of(error / freedom)
            yield Effect(name, test, share_of_variance(test), epsilon, corrected(test, epsilon))


def _contrasts(chosen: Sequence[str], within: Sequence[str], sizes: Mapping[str, int]) -> Any:
    """Orthonormal contrasts of cells within: differences of the chosen factors, means over all others."""
    found: Any = np.ones((1, 1))
    for name in within:
        size = sizes[name]
        found = np.kron(found, helmert(size) if name in chosen else np.full((1, size), size**-0.5))
    return found


def _codes(chosen: Sequence[str], groups: Any, between: Sequence[str], sizes: Mapping[str, int]) -> Any:
    """The columns of an effect between subjects, coded as deviations from the mean; ones for none."""
    found = np.ones((len(groups), 1))
    for name in chosen:
        codes = np.vstack([np.eye(sizes[name] - 1), -np.ones(sizes[name] - 1)])
        mine = codes[groups[:, between.index(name)]]
        found = np.einsum("ni,nj->nij", found, mine).reshape(len(groups), -1)
    return found
