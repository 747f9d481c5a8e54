"""Main effects and interactions against what R prints, and against statsmodels."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pandas
import pytest

pytest.importorskip("statsmodels")

import statsmodels.formula.api as smf
from msgspec.structs import replace
from scipy import stats
from statsmodels.stats.anova import AnovaRM, anova_lm

from backburner.kernel.errors import BadFile
from backburner.study.analysis.analysis import analyse
from backburner.study.analysis.factors import Factorial, effects_of, factorial
from backburner.study.analysis.models import Mixed
from backburner.study.analysis.page import html, interaction_charts
from backburner.study.analysis.sections import study_sections, variable_sections
from backburner.study.analysis.variables import Value, Variable
from study.analysis.test_published import REACTIONS

Cell = dict[str, dict[str, str]]
Values = list[tuple[str, str, float]]

PLOTS = "011 110 000 101  100 111 001 010  010 111 100 001  100 111 001 010  110 000 101 011  101 110 011 000"
YIELDS = (
    *(49.5, 62.8, 46.8, 57.0, 59.8, 58.5, 55.5, 56.0, 62.8, 55.8, 69.5, 55.0),
    *(62.0, 48.8, 45.5, 44.2, 52.0, 51.5, 49.8, 48.8, 57.2, 59.0, 53.2, 56.0),
)
"""MASS's npk: whether four plots in each of six blocks had nitrogen, phosphate, potassium; their yields."""


def crossing(**factors: tuple[str, ...]) -> Cell:
    """The conditions of a full crossing, called after their levels."""
    return {"_".join(at): dict(zip(factors, at, strict=True)) for at in product(*factors.values())}


def analysed(cells: Cell, values: Values) -> Factorial:
    variable = Variable("v", "v", "", "measure", None, None, tuple(cells), tuple(Value(*v) for v in values))
    found = factorial(variable, cells)
    assert found is not None
    return found


def test_reaction_times_by_noise_and_angle_as_r_prints_them() -> None:
    """``anova(mlmfit, X = ..., test = "Spherical")`` of R's manual: F, p, epsilon, corrected p."""
    cells = crossing(noise=("absent", "present"), angle=("0", "4", "8"))
    rows = [(str(unit), key, row[at]) for unit, row in enumerate(REACTIONS) for at, key in enumerate(cells)]
    found = analysed(cells, rows)
    noise, angle, both = found.effects
    assert (f"{noise.test.f:.3f}", f"{noise.test.p:.3e}", noise.epsilon) == ("33.766", "2.560e-04", None)
    assert (f"{angle.test.f:.3f}", f"{angle.test.p:.3e}") == ("40.719", "2.087e-07")
    assert (f"{angle.epsilon:.4f}", f"{angle.main.p:.3e}") == ("0.9616", "3.402e-07")
    assert (f"{both.test.f:.2f}", f"{both.test.p:.3e}") == ("45.31", "9.424e-08")
    assert (f"{both.epsilon:.3f}", f"{both.main.p:.3e}") == ("0.904", "3.454e-07")
    assert found.model is None and found.between == ()


def test_yields_of_npk_as_r_prints_them() -> None:
    """``summary(aov(yield ~ N*P*K + Error(block), npk))``. The interaction of all three is
    told between blocks alone, so its error is theirs, with 4 degrees of freedom; others have 12 within."""
    cells = crossing(N=("0", "1"), P=("0", "1"), K=("0", "1"))
    plots = enumerate(zip(PLOTS.split(), YIELDS, strict=True))
    found = analysed(cells, [(str(at // 4), "_".join(plot), value) for at, (plot, value) in plots])
    assert found.model is not None and found.effects == ()
    told = {t.name: (f"{t.test.f:.3f}", t.test.df2, f"{t.test.p:.5f}") for t in found.model.terms}
    assert told == {
        "N": ("12.259", 12, "0.00437"),
        "P": ("0.544", 12, "0.47491"),
        "K": ("6.166", 12, "0.02880"),
        "N x P": ("1.378", 12, "0.26317"),
        "N x K": ("2.146", 12, "0.16865"),
        "P x K": ("0.031", 12, "0.86275"),
        "N x P x K": ("0.483", 4, "0.52523"),
    }


def drawn(units: int, cells: Cell, groups: list[int]) -> pandas.DataFrame:
    """Values of units in cells, as a table with a column for each factor."""
    chance = np.random.default_rng(5)
    rows = []
    for unit in range(units):
        leaning = chance.normal()
        for place, (key, cell) in enumerate(cells.items()):
            value = leaning + chance.normal() + 0.3 * place * groups[unit]
            rows.append({"unit": unit, "key": key, "group": groups[unit], "value": value} | cell)
    return pandas.DataFrame(rows)


def test_three_factors_within_are_statsmodels_repeated_measures() -> None:
    cells = crossing(a=("0", "1"), b=("0", "1", "2"), c=("0", "1"))
    table = drawn(9, cells, [0] * 9)
    theirs = AnovaRM(table, "value", "unit", within=["a", "b", "c"]).fit().anova_table
    ours = analysed(cells, [(str(r.unit), r.key, r.value) for r in table.itertuples()]).effects
    assert len(ours) == len(theirs) == 7
    for effect in ours:
        row = theirs.loc[effect.name.replace(" x ", ":")]
        expected = (row["F Value"], row["Num DF"], row["Den DF"], row["Pr > F"])
        assert (effect.test.f, effect.test.df1, effect.test.df2, effect.test.p) == pytest.approx(expected)


def test_factors_between_uneven_groups_are_type_three_of_statsmodels() -> None:
    sizes = {(0, 0): 3, (0, 1): 5, (0, 2): 4, (1, 0): 6, (1, 1): 2, (1, 2): 4}
    groups = np.array([group for group, number in sizes.items() for _ in range(number)])
    values = np.random.default_rng(2).normal(size=(len(groups), 1))
    table = pandas.DataFrame({"a": groups[:, 0], "b": groups[:, 1], "value": values[:, 0]})
    theirs = anova_lm(smf.ols("value ~ C(a, Sum) * C(b, Sum)", table).fit(), typ=3)
    ours = [effect.test for effect in effects_of(values, groups, (), ("a", "b"), {"a": 2, "b": 3})]
    assert [test.f for test in ours] == pytest.approx(list(theirs["F"][1:4]))
    assert [test.p for test in ours] == pytest.approx(list(theirs["PR(>F)"][1:4]))


def test_a_mixed_design_is_the_split_plot_and_statsmodels_mixed_model() -> None:
    """Six people in each of two groups, three conditions: the factor between has 1 and 10 degrees of freedom,
    the factor within and the interaction 2 and 20. The model's own Wald test has the same F."""
    cells = crossing(group=("0", "1"), way=("x", "y", "z"))
    table = drawn(12, crossing(way=("x", "y", "z")), [0, 1] * 6)
    table["key"] = table["group"].astype(str) + "_" + table["way"]
    found = analysed(cells, [(str(r.unit), r.key, r.value) for r in table.itertuples()])
    assert found.between == ("group",) and found.model is not None
    assert [(e.name, e.test.df1, e.test.df2) for e in found.effects] == [
        ("group", 1, 10),
        ("way", 2, 20),
        ("group x way", 2, 20),
    ]
    for effect, term in zip(found.effects, found.model.terms, strict=True):
        assert effect.name == term.name
        assert (effect.test.f, effect.test.p) == pytest.approx((term.test.f, term.test.p), rel=1e-3)
    fitted = smf.mixedlm("value ~ C(group, Sum) * C(way, Sum)", table, groups=table["unit"]).fit()
    names = [name for name in fitted.model.exog_names if ":" in name]
    wald = fitted.wald_test(", ".join(f"{name} = 0" for name in names), use_f=True, scalar=True)
    assert found.effects[2].test.f == pytest.approx(float(wald.statistic), rel=1e-4)


def test_simple_effects_are_paired_or_independent_and_corrected_over_all() -> None:
    cells = crossing(group=("0", "1"), way=("x", "y"))
    table = drawn(12, crossing(way=("x", "y")), [0, 1] * 6)
    table["key"] = table["group"].astype(str) + "_" + table["way"]
    found = analysed(cells, [(str(r.unit), r.key, r.value) for r in table.itertuples()]).simple
    assert [(s.factor, s.at, s.one, s.other) for s in found] == [
        *(("group", "x", "1", "0"), ("group", "y", "1", "0"), ("way", "0", "y", "x"), ("way", "1", "y", "x")),
    ]
    wide = table.pivot(index="unit", columns="key", values="value")
    one, other = (wide[key].dropna() for key in ("1_y", "1_x"))
    assert found[3].direct.p == pytest.approx(float(stats.ttest_rel(one, other).pvalue))
    welch = stats.ttest_ind(wide["1_y"].dropna(), wide["0_y"].dropna(), equal_var=False)
    assert found[1].direct.p == pytest.approx(float(welch.pvalue))
    ordered = sorted(found, key=lambda each: each.direct.p or 0.0)
    assert ordered[0].direct.corrected == pytest.approx(min(1.0, 4 * (ordered[0].direct.p or 0.0)))


def write(folder: Path, factors: str) -> Path:
    """Tables of eight people in two groups, who play two conditions each."""
    keys = ("strong_calm", "weak_calm", "strong_hurried", "weak_hurried")
    cells = [factors.format(*key.split("_")) for key in keys]
    rows = [f"{key},{cell}" for key, cell in zip(keys, cells, strict=True)]
    (folder / "conditions.csv").write_text("\n".join(["condition,factors", *rows]) + "\n")
    episodes, measures = ["episode,participant,condition"], ["episode,measure,value"]
    chance = np.random.default_rng(1)
    for person in range(8):
        for key in keys[2 * (person % 2) :][:2]:
            episodes.append(f"e{person}{key},p{person},{key}")
            value = 5 + (key == "weak_hurried") * 3 + chance.normal()
            measures.append(f"e{person}{key},served,{value:.2f}")
    (folder / "episodes.csv").write_text("\n".join(episodes) + "\n")
    (folder / "measures.csv").write_text("\n".join(measures) + "\n")
    return folder


def test_tables_with_factors_are_analysed_by_them(tmp_path: Path) -> None:
    """Nobody misses what the other group plays; the page draws the interaction as two lines."""
    analysis = analyse(write(tmp_path, "partner={}; pressure={}"))
    (result,) = analysis.results
    assert result.factors is not None and result.main is not None and not result.pairs
    assert result.main[0] == "partner x pressure" and not result.variable.missing
    titles = [
        section.title for section in (*study_sections(analysis), *variable_sections(result, analysis.labels))
    ]
    assert titles[0] == "Factors" and {"served: factors", "served: simple effects"} <= {*titles}
    (chart,) = interaction_charts(result)
    assert [line.name for line in chart.lines] == ["pressure: calm", "pressure: hurried"]
    assert chart.ticks == ((0.0, "strong"), (1.0, "weak"))
    assert "partner x pressure" in html(analysis) and "mixed subjects" in html(analysis)


@pytest.mark.parametrize("factors", ["partner", "partner={}; partner={}", "partner={}"])
def test_cells_that_make_no_crossing_are_told(tmp_path: Path, factors: str) -> None:
    with pytest.raises(BadFile, match="factors"):
        analyse(write(tmp_path, factors))


def sampled(units: int, scenarios: int, seed: int = 3) -> tuple[Cell, list[Value]]:
    """Two factors, one within and one between; each unit plays half of the scenarios in either cell of its
    own, and none of them twice."""
    cells, draw = (
        crossing(partner=("skilled", "clumsy"), orders=("slow", "fast")),
        np.random.default_rng(seed),
    )
    of_scenario, values = draw.normal(0, 0.4, scenarios), []
    for unit in range(units):
        order, own = draw.permutation(scenarios), draw.normal(0, 0.5)
        for place, partner in enumerate(("skilled", "clumsy")):
            condition = f"{partner}_{('slow', 'fast')[unit % 2]}"
            here = own + draw.normal(0, 0.5)
            for at in np.array_split(order, 2)[place]:
                value = 3 - place - unit % 2 + here + of_scenario[at] + draw.normal(0, 0.3)
                values.append(Value(str(unit), condition, float(value), scenario=f"s{at}", level="all"))
    return cells, values


def modelled(cells: Cell, values: list[Value]) -> Mixed:
    variable = Variable("v", "v", "", "measure", None, None, tuple(cells), tuple(values))
    found = factorial(variable, cells, scenarios=True)
    assert found is not None and found.model is not None
    return found.model


def test_scenarios_crossed_with_people_are_the_model_that_statsmodels_fits() -> None:
    """The same random intercepts written anew: variances, and F as squares of t: effects have one contrast.

    Eight people of two groups, six scenarios: effects within people have 8 - 2 = 6 degrees of freedom, as
    each person has an intercept in each cell; so has the one between.
    """
    cells, values = sampled(8, 6)
    found = modelled(cells, values)
    table = pandas.DataFrame([(v.unit, v.condition, v.scenario, v.value) for v in values], columns=[*"ucsy"])
    table["p"] = np.where(table["c"].str.startswith("skilled"), 1, -1)
    table["o"] = np.where(table["c"].str.endswith("slow"), 1, -1)
    parts = {"a": "0 + C(u)", "b": "0 + C(s)", "c": "0 + C(u):C(p)"}
    again = smf.mixedlm("y ~ p * o", table, groups=np.ones(len(table)), vc_formula=parts).fit(method="lbfgs")
    variances = (found.units, found.scenarios, found.cells, found.rest)
    assert variances == pytest.approx((*again.vcomp, again.scale), rel=2e-3, abs=1e-5)
    told = {term.name: term.test for term in found.terms}
    for name, key in (("partner", "p"), ("orders", "o"), ("partner x orders", "p:o")):
        assert told[name].f == pytest.approx(float(again.tvalues[key]) ** 2, rel=2e-3)
        assert (told[name].df1, told[name].df2) == (1, 6)
    assert "scenario" not in found.formula and found.scenarios is not None and found.scenarios > 0.05


def test_too_few_scenarios_or_people_are_not_crossed_and_it_is_said() -> None:
    few, alone = modelled(*sampled(8, 4)), modelled(*sampled(4, 6))
    assert few.scenarios is None and alone.scenarios is None
    assert "4 scenarios are too few" in few.remarks[0] and "4 units are too few" in alone.remarks[0]
    cells, values = sampled(8, 6)
    own = modelled(cells, [replace(value, scenario=value.unit) for value in values])
    assert own.scenarios is None and "cannot be told from units" in own.remarks[0]
