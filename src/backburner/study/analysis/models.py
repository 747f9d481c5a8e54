"""Linear models of a variable: mixed ones, whether people change from episode to episode, and groups.

Mixed ones are asked for where values are missing, where there are several levels, groups of people, or
several episodes of a unit in a condition: an analysis of variance would leave out units there, or overlook
what makes values alike. Fitted by statsmodels (restricted maximum likelihood) with a random intercept for
each unit and, where a unit has several values in a condition, one for each unit in each condition. Its Wald
tests know no degrees of freedom below; here each is an F test with those of the level at which the term
varies (containment), which in balanced data is the analysis of variance exactly. Effects are coded as
deviations from their mean (sum to zero), so that those of conditions are over all groups alike.

Where the study file says so, scenarios have random intercepts as well, crossed with those of units: what is
found then holds for scenarios like these, and not for these alone (Baayen, Davidson and Bates 2008).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np
import pandas
import statsmodels.formula.api as smf
from msgspec import Struct
from scipy import stats
from statsmodels.stats.anova import anova_lm

from backburner.evaluation.scoring.statistics import MISSED
from backburner.kernel.scoring import Estimate, grouped
from backburner.study.analysis.anova import FTest
from backburner.study.analysis.fitting import (
    SAMPLE,
    Fitted,
    fit,
    fixed_of,
    freedom_of,
    random_of,
    term_of,
)
from backburner.study.analysis.variables import Cells, Design, Variable


class Term(Struct, frozen=True):
    """A term of a model with its test."""

    name: str
    test: FTest


class Mixed(Struct, frozen=True):
    """A fitted model.

    ``why``: what of the data asks for it. ``differences``: each condition less the first one with its
    interval, over groups alike. ``units``, ``cells``, ``scenarios``, ``rest``: variances of units, of units
    in conditions and of scenarios (``None`` if not in the model) and of what is left. ``remarks``: what the
    reader has to know.
    """

    formula: str
    why: tuple[str, ...]
    values: int
    terms: tuple[Term, ...]
    differences: dict[str, Estimate]
    units: float
    cells: float | None
    rest: float
    remarks: tuple[str, ...] = ()
    scenarios: float | None = None


def reasons(variable: Variable, design: Design) -> list[str]:
    """What of the data asks for a mixed model; nothing where the analysis of variance says all."""
    cells = variable.cells()
    found = []
    if design == "within" and any(len(mine) < len(variable.conditions) for mine in cells.values()):
        found.append("values are missing")
    if len(variable.values) > sum(map(len, cells.values())):
        found.append("units have several values in a condition")
    if design == "within" and _several_levels(variable):
        found.append("there are several levels")
    if len({value.group for value in variable.values}) > 1 and design == "within":
        found.append("there are groups of people")
    return found


def _several_levels(variable: Variable) -> bool:
    """Whether levels vary within a condition: where each has its own, they are the conditions."""
    by_condition = grouped(variable.values, lambda value: value.condition)
    return any(len({value.level for value in values}) > 1 for values in by_condition.values())


def mixed(variable: Variable, design: Design, scenarios: bool = False) -> Mixed | None:
    """The model that the data ask for; ``None`` where they ask for none, or it cannot be fitted.
    ``scenarios``: they are to be random, too."""
    why = [*reasons(variable, design), *[SAMPLE] * scenarios]
    if not why or len(variable.conditions) < 2:
        return None
    table = _table(variable)
    several = len(table) > len(table.groupby(["unit", "condition"]))
    places = table["unit"].nunique() - (0 if design == "within" else table["condition"].nunique())
    if places < 2 or table["value"].nunique() < 2:
        return None
    random = random_of(table, several and design == "within", scenarios)
    formula, remarks = _formula(fixed_of(table, random))
    fitted = fit(formula, table, random)
    if fitted is None:
        return None
    freedom = freedom_of(table, fitted, random)
    differences = _differences(fitted, variable.conditions, freedom["condition"])
    terms = _terms(fitted, freedom)
    return _told(fitted, formula, why, terms, differences, (*random.remarks, *remarks))


def of_factors(variable: Variable, cells: Cells, why: Sequence[str], scenarios: bool = False) -> Mixed | None:
    """The model of factors with all their interactions; ``None`` where it cannot be fitted. ``scenarios``:
    they are to be random, too."""
    table = _table(variable)
    letters = dict(zip("abcd", next(iter(cells.values())), strict=False))
    for letter, name in letters.items():
        levels = [cells[condition][name] for condition in variable.conditions]
        table[letter] = [levels.index(levels[at]) for at in table["condition"]]
    start = " * ".join(f"C({letter}, Sum)" for letter in letters)
    units, number = table["unit"].nunique(), len(table.groupby(["unit", "condition"]))
    if table["value"].nunique() < 2 or units == len(table):
        return None
    random = random_of(table, units < number < len(table), scenarios)
    formula, remarks = _formula(fixed_of(table, random), f"value ~ {start}", (("level", "+"),))
    fitted = fit(formula, table, random)
    if fitted is None:
        return None
    terms = [
        Term(" x ".join(letters.get(each, each) for each in term.name.split(" x ")), term.test)
        for term in _terms(fitted, freedom_of(table, fitted, random))
    ]
    written = re.sub(r"C\(([a-d]), ", lambda found: f"C({letters[found[1]]}, ", formula)
    return _told(fitted, written, why, terms, {}, (*random.remarks, *remarks))


def _told(
    fitted: Fitted,
    formula: str,
    why: Sequence[str],
    terms: Sequence[Term],
    differences: dict[str, Estimate],
    remarks: tuple[str, ...],
) -> Mixed:
    return Mixed(
        formula,
        tuple(why),
        len(fitted.exog),
        tuple(terms),
        differences,
        fitted.variances["unit"],
        fitted.variances.get("cell"),
        fitted.rest,
        (*remarks, *fitted.remarks),
        fitted.variances.get("scenario"),
    )


def _table(variable: Variable) -> Any:
    table = pandas.DataFrame(
        [(v.unit, v.condition, v.level, v.group, v.scenario, v.value) for v in variable.values],
        columns=["unit", "condition", "level", "group", "scenario", "value"],
    )
    # Keys may be any text; the model is given the numbers of their places, so that none is read as a formula.
    places = {key: place for place, key in enumerate(variable.conditions)}
    table["condition"] = table["condition"].map(places)
    for name in ("unit", "level", "group", "scenario"):
        table[name] = pandas.factorize(table[name], sort=True)[0]
    return table.astype({"value": float})


def _formula(
    table: Any,
    formula: str = "value ~ C(condition, Sum)",
    more: Sequence[tuple[str, str]] = (("group", "*"), ("level", "+")),
) -> tuple[str, list[str]]:
    """Conditions, with levels and groups where they vary and can be told from conditions."""
    remarks = []
    for name, sign in more:
        if table[name].nunique() < 2:
            continue
        longer = f"{formula} {sign} C({name}, Sum)"
        design: Any = smf.ols(longer, table).exog
        if np.linalg.matrix_rank(design) < design.shape[1] or design.shape[1] >= len(table) - 1:
            remarks.append(f"The {name} is not in the model: it cannot be told from the conditions.")
        else:
            formula = longer
    return formula, remarks


def _terms(fitted: Fitted, freedom: dict[str, float]) -> list[Term]:
    """Wald's F of each term."""
    found = []
    for term in dict.fromkeys(map(term_of, fitted.names)):
        if freedom.get(term, 0) < 1:
            continue
        values, covariance = _estimates(fitted, term)
        f = float(values @ np.linalg.solve(covariance, values)) / len(values)
        if not isfinite(f) or f < 0:
            continue
        p = float(stats.f.sf(f, len(values), freedom[term]))
        found.append(Term(term, FTest(f, float(len(values)), float(freedom[term]), p)))
    return found


def _estimates(fitted: Fitted, term: str) -> tuple[Any, Any]:
    """The coefficients of a term, and their covariances."""
    chosen = [place for place, name in enumerate(fitted.names) if term_of(name) == term]
    return fitted.effects[chosen], fitted.covariances[np.ix_(chosen, chosen)]


def _differences(fitted: Fitted, conditions: Sequence[str], freedom: float) -> dict[str, Estimate]:
    """Each condition less the first one: with codes that sum to zero, the last one's is -1 throughout."""
    if freedom < 1:
        return {}
    values, covariance = _estimates(fitted, "condition")
    codes = np.vstack([np.eye(len(values)), -np.ones(len(values))])
    reach = float(stats.t.ppf(1 - MISSED / 2, freedom))
    found = {}
    for key, code in zip(conditions[1:], codes[1:] - codes[0], strict=True):
        value, error = float(code @ values), max(float(code @ covariance @ code), 0.0) ** 0.5
        found[key] = Estimate(value, value - reach * error, value + reach * error, "t")
    return found


# --- least squares ----------------------------------------------------------------------------------------


class Practice(Struct, frozen=True):
    """How much the value changes from one episode of a person to the next, conditions and units being alike:
    practice, or fatigue. ``change`` with its interval; ``p`` of no change."""

    change: Estimate
    p: float


def practice(variable: Variable) -> Practice | None:
    """The change with the order of episodes; ``None`` where orders are not known, or say the same as the
    conditions.

    Least squares with a level for each unit and each condition, and one slope.
    """
    values = [value for value in variable.values if value.order is not None]
    if len(variable.conditions) < 2 or len({value.order for value in values}) < 2:
        return None
    rows = [(value.unit, value.condition, float(value.order or 0), value.value) for value in values]
    table = _coded(pandas.DataFrame(rows, columns=["unit", "condition", "place", "value"]))
    model: Any = smf.ols("value ~ C(unit) + C(condition) + place", table)
    names = model.exog.shape[1]
    if np.linalg.matrix_rank(model.exog) < names or len(table) <= names or table["value"].nunique() < 2:
        return None
    fitted = model.fit()
    low, high = fitted.conf_int(MISSED).loc["place"]
    p = float(fitted.pvalues["place"])
    if not isfinite(p):
        return None
    return Practice(Estimate(float(fitted.params["place"]), float(low), float(high), "t"), p)


def groups(variable: Variable) -> dict[str, FTest]:
    """Conditions, groups and both between subjects: F tests of type II; none where there is one group."""
    rows = {(v.unit, v.condition): v.group for v in variable.values}
    means = [(c, rows[u, c], value) for u, mine in variable.cells().items() for c, value in mine.items()]
    if len({group for _, group, _ in means}) < 2 or len(variable.conditions) < 2:
        return {}
    table = _coded(pandas.DataFrame(means, columns=["condition", "group", "value"]))
    model: Any = smf.ols("value ~ C(condition, Sum) * C(group, Sum)", table)
    if np.linalg.matrix_rank(model.exog) < model.exog.shape[1] or len(table) <= model.exog.shape[1]:
        return {}
    if table["value"].nunique() < 2:
        return {}
    found = anova_lm(model.fit(), typ=2)
    below = float(found.loc["Residual", "df"])
    tests = {}
    for name in found.index.drop("Residual"):
        f, df, p = (float(found.loc[name, column]) for column in ("F", "df", "PR(>F)"))
        if isfinite(f) and isfinite(p):
            tests[term_of(name)] = FTest(f, df, below, p)
    return tests


def _coded(table: Any) -> Any:
    """Keys may be any text; models are given the numbers of their places."""
    for name in ("unit", "condition", "group"):
        if name in table:
            table[name] = pandas.factorize(table[name], sort=True)[0]
    return table
