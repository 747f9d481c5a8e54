"""How mixed models are fitted: by statsmodels, restricted maximum likelihood, and what is below their tests.

Random intercepts of units, and of units in conditions, are nested; those of scenarios are crossed with both.
Statsmodels knows no degrees of freedom below: a term has those of the units, scenarios, units in conditions
or values among which it varies, less what is estimated there (containment).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np
import pandas
import statsmodels.formula.api as smf
from msgspec import Struct
from statsmodels.regression.linear_model import GLS

from backburner.study.analysis.tables import FEWEST_CROSSED

OPTIMISERS = ("lbfgs", "bfgs", "powell")

SAMPLE = "scenarios are a sample of others"


class Random(Struct, frozen=True):
    """The random intercepts beside those of units: of units in conditions (``cells``), and of ``scenarios``.
    ``remarks``: why scenarios are not random that were to be."""

    cells: bool
    scenarios: bool = False
    remarks: tuple[str, ...] = ()


def random_of(table: Any, cells: bool, scenarios: bool) -> Random:
    """What is random, ``scenarios`` if they are to be and can be."""
    if not scenarios:
        return Random(cells)
    for kind, number in (("scenarios", table["scenario"].nunique()), ("units", table["unit"].nunique())):
        if number < FEWEST_CROSSED:
            few = f"{number} {kind} are too few; at least {FEWEST_CROSSED} can be crossed"
            return Random(cells, remarks=(f"Scenarios are not random in the model: {few}.",))
    if _rank(table, ["unit", "scenario"]) == table["unit"].nunique():
        why = "Scenarios are not random in the model: they cannot be told from units."
        return Random(cells, remarks=(why,))
    return Random(cells, scenarios=True)


def fixed_of(table: Any, random: Random) -> Any:
    """The table for fixed effects: levels of one scenario each would say what random scenarios say."""
    alone = random.scenarios and (table.groupby("level")["scenario"].nunique() < 2).all()
    return table.assign(level=0) if alone else table


class Fitted(Struct, frozen=True):
    """What is made of a model that statsmodels has fitted: the fixed effects with their covariances, the
    variance of each random intercept and of what is left."""

    names: list[str]
    exog: Any
    effects: Any
    covariances: Any
    variances: dict[str, float]
    rest: float

    @property
    def remarks(self) -> list[str]:
        """Which variances are estimated as 0."""
        zero = [name for name, value in self.variances.items() if not value]
        return [f"The variance of {name}s is estimated as 0." for name in sorted(zero) if name != "cell"]


def fit(formula: str, table: Any, random: Random) -> Fitted | None:
    """The fitted model; ``None`` if none is found."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitting = _fit_crossed if random.scenarios else _fit_nested
        return fitting(formula, table, random)


def _fit_nested(formula: str, table: Any, random: Random) -> Fitted | None:
    """Tried with one optimiser after the other, until one converges."""
    structure = {"cell": "0 + C(condition)"} if random.cells else None
    for method in OPTIMISERS:
        model = smf.mixedlm(formula, table, groups=table["unit"], vc_formula=structure, re_formula="1")
        try:
            fitted = model.fit(reml=True, method=method)
        except (np.linalg.LinAlgError, ValueError):
            continue
        if fitted.converged and np.isfinite(fitted.bse_fe).all():
            found = dict(zip(model.exog_vc.names, fitted.vcomp, strict=True))
            found["unit"] = fitted.cov_re.iloc[0, 0]
            effects, covariances = np.asarray(fitted.fe_params), np.asarray(fitted.cov_params())
            return _fitted(model, effects, covariances[: len(effects), : len(effects)], found, fitted.scale)
    return None


def _fit_crossed(formula: str, table: Any, random: Random) -> Fitted | None:
    """The likeliest that the optimisers find: where a variance is 0 they may not converge, or far away. What
    is crossed is one group for statsmodels. The covariances of fixed effects are those of generalised least
    squares, as those of the likelihood are undefined there."""
    structure = {"unit": "0 + C(unit)", "scenario": "0 + C(scenario)"}
    structure |= {"cell": "0 + C(unit):C(condition)"} if random.cells else {}
    model = smf.mixedlm(formula, table, groups=np.zeros(len(table)), vc_formula=structure)
    tried = []
    for method in OPTIMISERS:
        try:
            tried.append(model.fit(reml=True, method=method))
        except (np.linalg.LinAlgError, ValueError):
            continue
    tried = [each for each in tried if isfinite(each.llf) and each.scale > 0]
    if not tried:
        return None
    best = max(tried, key=lambda each: float(each.llf))
    found = dict(zip(model.exog_vc.names, best.vcomp, strict=True))
    covariance = best.scale * np.eye(len(table))
    for name, value in found.items():
        same = _indicators(table, name)
        covariance += value * same @ same.T
    squares = GLS(model.endog, model.exog, covariance).fit()
    return _fitted(model, squares.params, squares.normalized_cov_params, found, best.scale)


def _fitted(model: Any, effects: Any, covariances: Any, variances: dict[str, Any], rest: Any) -> Fitted:
    of = {name: float(value) if value > 1e-6 * rest else 0.0 for name, value in variances.items()}
    return Fitted(list(model.exog_names), model.exog, effects, covariances, of, float(rest))


def _indicators(table: Any, name: str) -> Any:
    """A column for each unit, scenario, or ``cell`` of unit and condition."""
    keys = table.groupby(["unit", "condition"]).ngroup() if name == "cell" else table[name]
    return pandas.get_dummies(keys).to_numpy(float)


def _rank(table: Any, names: Sequence[str], exog: Any = None) -> int:
    """How much indicators say together, beside ``exog``."""
    blocks = [_indicators(table, name) for name in names]
    return int(np.linalg.matrix_rank(np.hstack(blocks if exog is None else [exog, *blocks])))


def _crossed_freedom(table: Any, fitted: Fitted, random: Random) -> dict[str, float]:
    """The same where scenarios are crossed: what units, scenarios or units in conditions say beyond the fixed
    effects, for terms that do not vary within them; the least of these; else what is left of the values."""
    exog, crossed = fitted.exog, ["unit", "scenario"]
    whole = _rank(table, [*crossed, *["cell"] * random.cells], exog)
    fixed = int(np.linalg.matrix_rank(exog))
    below = {name: float(_rank(table, [name], exog) - fixed) for name in crossed}
    keys: dict[str, list[str]] = {name: [name] for name in crossed}
    if random.cells:
        below["cell"], keys["cell"] = float(whole - _rank(table, crossed, exog)), ["unit", "condition"]
    columns = pandas.DataFrame(exog)
    held = {
        name: (columns.groupby([table[each] for each in by]).nunique() == 1).all()
        for name, by in keys.items()
    }
    found: dict[str, float] = {}
    for place, name in enumerate(fitted.names):
        at = [stratum for stratum in ("unit", "scenario") if held[stratum][place]]
        at = at or [stratum for stratum in ("cell",) if stratum in held and held[stratum][place]]
        found[term_of(name)] = min((below[stratum] for stratum in at), default=float(len(table) - whole))
    return {term: freedom for term, freedom in found.items() if term != "Intercept"}


def freedom_of(table: Any, fitted: Fitted, random: Random) -> dict[str, float]:
    """Degrees of freedom below each term: those of the level at which it varies (units, units in conditions,
    values), less what is estimated there."""
    if random.scenarios:
        return _crossed_freedom(table, fitted, random)
    columns = pandas.DataFrame(fitted.exog)
    of_units, of_cells = (
        (columns.groupby([table[name] for name in by]).nunique() == 1).all()
        for by in (["unit"], ["unit", "condition"])
    )
    level = {
        term_of(name): 0 if of_units[place] else 1 if of_cells[place] else 2
        for place, name in enumerate(fitted.names)
    }
    numbers = (table["unit"].nunique(), len(table.groupby(["unit", "condition"])), len(table))
    below = [float(number - before) for before, number in zip((0, *numbers), numbers, strict=False)]
    for name in fitted.names:
        below[level[term_of(name)]] -= 1
    return {term: below[at] for term, at in level.items() if term != "Intercept"}


def term_of(name: str) -> str:
    """``condition x group`` of the coefficient ``C(condition, Sum)[S.0]:C(group, Sum)[S.0]``."""
    return " x ".join(re.sub(r"^C\(([a-z]+), Sum\).*$", r"\1", part) for part in name.split(":"))
