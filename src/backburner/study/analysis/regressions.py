"""Two checks by least squares: whether people change from episode to episode, and groups between subjects."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np
import pandas
import statsmodels.formula.api as smf
from msgspec import Struct
from statsmodels.stats.anova import anova_lm

from backburner.evaluation.scoring.statistics import MISSED
from backburner.kernel.scoring import Estimate
from backburner.study.analysis.effects import FTest
from backburner.study.analysis.variables import Variable


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
    names = {
        "C(condition, Sum)": "condition",
        "C(group, Sum)": "group",
        "C(condition, Sum):C(group, Sum)": "condition x group",
    }
    tests = {}
    for name, told in names.items():
        f, df, p = (float(found.loc[name, column]) for column in ("F", "df", "PR(>F)"))
        if isfinite(f) and isfinite(p):
            tests[told] = FTest(f, df, below, p)
    return tests


def _coded(table: Any) -> Any:
    """Keys may be any text; models are given the numbers of their places."""
    for name in ("unit", "condition", "group"):
        if name in table:
            table[name] = pandas.factorize(table[name], sort=True)[0]
    return table
