"""The tests against published results: R's own data sets and what its manual's examples print for them,
textbook formulas, and a second way of computing each."""

from __future__ import annotations

from itertools import pairwise
from math import log

import numpy as np
import pandas
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.special import loggamma

pytest.importorskip("statsmodels")

import statsmodels.formula.api as smf
from statsmodels.stats.multicomp import pairwise_tukeyhsd

from backburner.study.analysis import fitting
from backburner.study.analysis.anova import (
    FTest,
    friedman,
    independent_size,
    kruskal,
    mauchly,
    one_way,
    paired_size,
    repeated,
    share_of_variance,
)
from backburner.study.analysis.models import mixed
from backburner.study.analysis.pairs import pairs_of, rank_sum_p, signed_rank_p
from backburner.study.analysis.variables import Value, Variable, cronbach

PLANTS = {
    "ctrl": (4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14),
    "trt1": (4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69),
    "trt2": (6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26),
}
"""R's PlantGrowth: dried weights."""

SLEEP = (
    (0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0),
    (1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4),
)
"""Student's sleep data: extra hours of ten people with two drugs."""

REACTIONS = np.array(
    [
        [420, 420, 480, 480, 600, 780],
        [420, 480, 480, 360, 480, 600],
        [480, 480, 540, 660, 780, 780],
        [420, 540, 540, 480, 780, 900],
        [540, 660, 540, 480, 660, 720],
        [360, 420, 360, 360, 480, 540],
        [480, 480, 600, 540, 720, 840],
        [480, 600, 660, 540, 720, 900],
        [540, 600, 540, 480, 720, 780],
        [480, 420, 540, 540, 660, 780],
    ],
    dtype=float,
)
"""Maxwell and Delaney's reaction times, which R's manual uses for Mauchly's test and repeated measures."""

STOOLS = np.array(
    [
        [12, 15, 12, 10],
        [10, 14, 13, 12],
        [7, 14, 13, 9],
        [7, 11, 10, 9],
        [8, 11, 8, 7],
        [9, 11, 11, 10],
        [8, 12, 12, 11],
        [7, 11, 8, 7],
        [9, 13, 10, 8],
    ],
    dtype=float,
)
"""nlme's ergoStool: nine people's effort to arise from four stools (Pinheiro and Bates)."""

BASES = np.array(
    [
        "5.40",
        "5.50",
        "5.55",
        "5.85",
        "5.70",
        "5.75",
        "5.20",
        "5.60",
        "5.50",
        "5.55",
        "5.50",
        "5.40",
        "5.90",
        "5.85",
        "5.70",
        "5.45",
        "5.55",
        "5.60",
        "5.40",
        "5.40",
        "5.35",
        "5.45",
        "5.50",
        "5.35",
        "5.25",
        "5.15",
        "5.00",
        "5.85",
        "5.80",
        "5.70",
        "5.25",
        "5.20",
        "5.10",
        "5.65",
        "5.55",
        "5.45",
        "5.60",
        "5.35",
        "5.45",
        "5.05",
        "5.00",
        "4.95",
        "5.50",
        "5.50",
        "5.40",
        "5.45",
        "5.55",
        "5.50",
        "5.55",
        "5.55",
        "5.35",
        "5.45",
        "5.50",
        "5.55",
        "5.50",
        "5.45",
        "5.25",
        "5.65",
        "5.60",
        "5.40",
        "5.70",
        "5.65",
        "5.55",
        "6.30",
        "6.30",
        "6.25",
    ],
    dtype=float,
).reshape(22, 3)
"""Hollander and Wolfe's rounding of first base: 22 players, three ways."""


def variable(rows: list[tuple[str, str, float]], **more: str) -> Variable:
    values = tuple(Value(unit, condition, value) for unit, condition, value in rows)
    conditions = tuple(dict.fromkeys(condition for _, condition, _ in rows))
    return Variable("v", "v", "", "measure", None, None, conditions, values)


def within(table: np.ndarray) -> Variable:
    return variable([(f"p{i}", f"c{j}", float(table[i, j])) for i, j in np.ndindex(table.shape)])


def between(groups: dict[str, tuple[float, ...]]) -> Variable:
    return variable(
        [(f"{key}{place}", key, each) for key, mine in groups.items() for place, each in enumerate(mine)]
    )


# --- one-way ---------------------------------------------------------------------------------------------


def test_plants_one_way_as_r_prints_it() -> None:
    """``anova(lm(weight ~ group))``: F 4.8461 on 2 and 27, p 0.01591; ``oneway.test``: F 5.181, df 17.128, p
    0.01739."""
    found = one_way(list(PLANTS.values()))
    assert found is not None and found.welch is not None
    assert (found.test.df1, found.test.df2) == (2, 27)
    assert found.test.f == pytest.approx(4.8461, abs=5e-5)
    assert found.test.p == pytest.approx(0.01591, abs=5e-6)
    assert (found.welch.f, found.welch.df2, found.welch.p) == pytest.approx(
        (5.181, 17.128, 0.01739), rel=2e-4
    )


def test_plants_by_sums_of_squares() -> None:
    """Eta squared is SS between / SS total; omega squared (SS b - df MS w) / (SS total + MS w)."""
    groups = [np.array(group) for group in PLANTS.values()]
    every = np.concatenate(groups)
    above = sum(len(group) * (group.mean() - every.mean()) ** 2 for group in groups)
    below = sum(((group - group.mean()) ** 2).sum() for group in groups)
    found = one_way(list(PLANTS.values()))
    assert found is not None
    assert found.test.f == pytest.approx((above / 2) / (below / 27))
    assert found.eta.value == pytest.approx(above / (above + below))
    assert found.omega == pytest.approx((above - 2 * below / 27) / (above + below + below / 27))


def test_plants_tukey_as_r_prints_it() -> None:
    """``TukeyHSD(aov(weight ~ group))``, and statsmodels' own."""
    printed = {
        ("trt1", "ctrl"): (-0.371, -1.0622161, 0.3202161, 0.3908711),
        ("trt2", "ctrl"): (0.494, -0.1972161, 1.1852161, 0.1979960),
        ("trt2", "trt1"): (0.865, 0.1737839, 1.5562161, 0.0120064),
    }
    pairs = pairs_of(between(PLANTS), "between")
    assert {(pair.one, pair.other) for pair in pairs} == set(printed)
    for pair in pairs:
        tukey = pair.tukey
        assert tukey is not None
        difference = tukey.difference
        got = (difference.value, difference.low, difference.high, tukey.p)
        assert got == pytest.approx(printed[pair.one, pair.other], abs=2e-6)
    theirs = pairwise_tukeyhsd(np.concatenate(list(PLANTS.values())), np.repeat(list(PLANTS), 10))
    assert [pair.tukey.p for pair in pairs if pair.tukey] == pytest.approx(list(theirs.pvalues), abs=1e-6)


def test_plants_kruskal_as_r_prints_it() -> None:
    """``kruskal.test(weight ~ group)``: 7.9882 on 2, p 0.01842."""
    found = kruskal(list(PLANTS.values()))
    assert found is not None
    assert (found.chi2, found.df, found.p) == pytest.approx((7.9882, 2, 0.01842), abs=5e-5)


def test_the_articles_degrees_of_freedom_are_those_of_the_one_way_test() -> None:
    """12 people in each of 5 conditions taken for 60 independent values: F(4, 55), as MindAgent prints."""
    random = np.random.default_rng(1)
    values = random.normal(size=(12, 5))
    found, own = one_way(values.T.tolist()), repeated(values.tolist())
    assert found is not None and own is not None
    assert (found.test.df1, found.test.df2) == (5 - 1, 12 * 5 - 5) == (4, 55)
    assert (own.test.df1, own.test.df2) == (4, 44)


# --- repeated measures -------------------------------------------------------------------------------------


def test_reaction_times_as_r_prints_them() -> None:
    """``anova(mlmfit, mlmfit0, X = ~1, test = "Spherical")``: F 38.028 on 5 and 45, p 4.471e-15; with
    Greenhouse and Geisser's epsilon 0.4855 p 2.532e-08, with Huynh and Feldt's 0.6778 p 7.393e-11."""
    found = repeated(REACTIONS.tolist())
    assert found is not None
    assert (found.test.f, found.test.df1, found.test.df2) == pytest.approx((38.028, 5, 45), abs=5e-4)
    assert found.test.p == pytest.approx(4.471e-15, rel=2e-4)
    assert found.epsilon_greenhouse_geisser == pytest.approx(0.4855, abs=5e-5)
    assert found.epsilon_huynh_feldt == pytest.approx(0.6778, abs=5e-5)
    assert found.greenhouse_geisser.p == pytest.approx(2.532e-08, rel=2e-4)
    assert found.huynh_feldt.p == pytest.approx(7.393e-11, rel=2e-4)


def mauchly_exact(w: float, n: int, p: int) -> float:
    """The chance of a smaller W, by inversion of the characteristic function of -log W, whose moments are
    known: E W^h = p^(p h) Γ(p n / 2) / Γ(p n / 2 + p h) Π Γ((n + 1 - i) / 2 + h) / Γ((n + 1 - i) / 2)."""

    def phi(t: float) -> complex:
        h = -1j * t
        parts = sum(loggamma((n + 1 - i) / 2 + h) - loggamma((n + 1 - i) / 2) for i in range(1, p + 1))
        return complex(
            np.exp(
                p * h * log(p) + loggamma(p * n / 2) - loggamma(p * n / 2 + p * h) + parts + 1j * t * log(w)
            )
        )

    ends = (1e-12, 1, 5, 20, 100, 2000)
    return 0.5 + sum(quad(lambda t: phi(t).imag / t, a, b, limit=500)[0] for a, b in pairwise(ends)) / np.pi


def test_mauchly_as_r_prints_it_and_near_the_exact_distribution() -> None:
    """``mauchly.test(mlmfit, X = ~1)``: W 0.031084, p 0.0476. Exactly it is 0.0499: ten people are few."""
    found = mauchly(REACTIONS)
    assert found is not None
    assert found.statistic == pytest.approx(0.031084, abs=5e-7)
    assert found.p == pytest.approx(0.0476, abs=1e-4)
    assert found.p == pytest.approx(mauchly_exact(found.statistic, 9, 5), abs=3e-3)


def test_mauchly_is_exact_with_more_people() -> None:
    random = np.random.default_rng(3)
    for conditions in (3, 4, 5):
        found = mauchly(random.normal(size=(60, conditions)))
        assert found is not None
        assert found.p == pytest.approx(mauchly_exact(found.statistic, 59, conditions - 1), abs=2e-4)


def test_two_conditions_are_a_paired_t_test() -> None:
    """Student's sleep data: t = -4.0621 on 9, p 0.002833, as R prints it; F is its square, epsilon is 1."""
    rows = [list(row) for row in zip(*SLEEP, strict=True)]
    found = repeated(rows)
    assert found is not None
    assert found.test.f == pytest.approx(4.0621**2, abs=1e-3)
    assert found.test.p == pytest.approx(0.002833, abs=5e-7)
    assert found.epsilon_greenhouse_geisser == found.epsilon_huynh_feldt == 1.0
    (pair,) = pairs_of(within(np.array(rows)), "within")
    direct = pair.direct
    got = (
        direct.t,
        direct.df,
        direct.p,
        direct.difference.value,
        direct.difference.low,
        direct.difference.high,
    )
    assert got == pytest.approx((4.0621, 9, 0.002833, 1.58, 0.7001142, 2.4598858), abs=5e-5)


def test_epsilons_are_those_of_the_textbook_formula() -> None:
    """Box's epsilon from the covariances themselves, k² (mean of variances - grand mean)² over (k - 1) (Σ s²
    - 2 k Σ row means² + k² grand mean²), where here contrasts are used."""
    covariance = np.cov(REACTIONS.T)
    k = len(covariance)
    above = k**2 * (np.trace(covariance) / k - covariance.mean()) ** 2
    below = (
        (covariance**2).sum() - 2 * k * (covariance.mean(axis=1) ** 2).sum() + k**2 * covariance.mean() ** 2
    )
    found = repeated(REACTIONS.tolist())
    assert found is not None
    assert found.epsilon_greenhouse_geisser == pytest.approx(above / ((k - 1) * below))


def test_effects_of_repeated_measures_by_sums_of_squares() -> None:
    """Partial eta squared SS c / (SS c + SS rest); omega squared as a textbook (Field) writes it by mean
    squares."""
    units, k = STOOLS.shape
    grand = STOOLS.mean()
    conditions = units * ((STOOLS.mean(axis=0) - grand) ** 2).sum()
    people = k * ((STOOLS.mean(axis=1) - grand) ** 2).sum()
    rest = ((STOOLS - grand) ** 2).sum() - conditions - people
    found = repeated(STOOLS.tolist())
    assert found is not None
    assert found.partial_eta.value == pytest.approx(conditions / (conditions + rest))
    assert found.eta == pytest.approx(conditions / (conditions + people + rest))
    mean_c, mean_p, mean_r = conditions / (k - 1), people / (units - 1), rest / ((k - 1) * (units - 1))
    part = (k - 1) / (units * k) * (mean_c - mean_r)
    assert found.omega == pytest.approx(part / (mean_r + (mean_p - mean_r) / k + part))


# --- mixed models ------------------------------------------------------------------------------------------


def test_a_mixed_model_of_missing_values_is_statsmodels_with_containment() -> None:
    """One value of the stools is missing: 35 values, 9 people, 3 contrasts, so 35 - 9 - 3 = 23 degrees
    below."""
    rows = [(f"p{i}", f"c{j}", float(STOOLS[i, j])) for i, j in np.ndindex(STOOLS.shape) if (i, j) != (3, 2)]
    found = mixed(variable(rows), "within")
    assert found is not None and found.why == ("values are missing",)
    (term,) = found.terms
    assert (term.name, term.test.df1, term.test.df2) == ("condition", 3, 23)
    table = pandas.DataFrame(rows, columns=["person", "stool", "value"])
    theirs = smf.mixedlm("value ~ C(stool)", table, groups="person").fit(reml=True)
    chi2 = theirs.wald_test_terms(scalar=True).table.loc["C(stool)"].iloc[0]
    assert term.test.f == pytest.approx(float(chi2) / 3, rel=1e-3)
    for place, key in enumerate(("c1", "c2", "c3"), 1):
        assert found.differences[key].value == pytest.approx(theirs.fe_params.iloc[place], abs=1e-3)


def test_a_mixed_model_of_balanced_data_is_the_analysis_of_variance_and_nlme() -> None:
    """Three episodes a cell with equal values' means: F of conditions is repeated measures' of cell means.
    The stools alone are what nlme prints: F 22.35556, differences 3.888889, 2.222222, 0.666667."""
    random = np.random.default_rng(5)
    noise = random.normal(size=(*STOOLS.shape, 3))
    noise -= noise.mean(axis=2, keepdims=True)
    rows = [(f"p{i}", f"c{j}", float(STOOLS[i, j] + noise[i, j, r])) for i, j, r in np.ndindex(noise.shape)]
    found = mixed(variable(rows), "within")
    assert found is not None and found.cells is not None
    (term,) = found.terms
    assert (term.test.df1, term.test.df2) == (3, 24)
    assert term.test.f == pytest.approx(22.35556, rel=2e-3)
    values = [found.differences[key].value for key in ("c1", "c2", "c3")]
    assert values == pytest.approx([3.888889, 2.222222, 0.666667], abs=1e-4)


# --- ranks -------------------------------------------------------------------------------------------------


def test_friedman_as_r_prints_it() -> None:
    """``friedman.test(RoundingTimes)``: 11.143 on 2, p 0.003805."""
    found = friedman(BASES.tolist())
    assert found is not None
    assert (found.chi2, found.df, found.p) == pytest.approx((11.143, 2, 0.003805), abs=5e-4)
    assert found.size == pytest.approx(found.chi2 / (22 * 2))


def test_signed_ranks_are_exact_with_ties_and_zeros() -> None:
    """Ratings tie: scipy goes through every sign as well, which takes it seconds."""
    random = np.random.default_rng(0)
    for _ in range(4):
        differences = random.integers(-2, 3, 7).astype(float)
        theirs = stats.wilcoxon(
            differences, zero_method="pratt", method=stats.PermutationMethod(n_resamples=np.inf)
        ).pvalue
        assert signed_rank_p(list(differences)) == pytest.approx(theirs)
    assert signed_rank_p([0.0] * 5) == 1.0


def test_sleep_by_ranks() -> None:
    """R: ``wilcox.test(extra ~ group)``: W 25.5, p 0.06933 (with ties, corrected for continuity)."""
    assert rank_sum_p(*SLEEP) == pytest.approx(0.06933, abs=5e-6)


# --- effects -----------------------------------------------------------------------------------------------


def test_intervals_of_standardised_differences_hold_what_they_promise() -> None:
    """At their ends the noncentral t is just at 2.5 % from the t that was found."""
    one, other = PLANTS["trt2"], PLANTS["trt1"]
    g = independent_size(one, other)
    correction, root = 1 - 3 / (4 * 18 - 1), (10 * 10 / 20) ** 0.5
    t = stats.ttest_ind(one, other).statistic
    assert g.value == pytest.approx(t / root * correction)
    for end, below in ((g.low, 0.975), (g.high, 0.025)):
        assert end is not None
        assert stats.nct.cdf(t, 18, end / correction * root) == pytest.approx(below, abs=1e-4)


def test_d_z_of_the_sleep_data() -> None:
    """The mean difference 1.58 over the standard deviation 1.229995: 1.2846, times 1 - 3/35."""
    differences = [b - a for a, b in zip(*SLEEP, strict=True)]
    assert paired_size(differences).value == pytest.approx(1.58 / 1.229995 * (1 - 3 / 35), abs=1e-5)


def test_eta_squared_of_a_printed_test() -> None:
    """F(4, 55) = 28.11 is 112.44 / 167.44 of the variance; at the ends of its interval F is at 2.5 %."""
    found = share_of_variance(FTest(28.11, 4, 55, 0.0))
    assert found.value == pytest.approx(112.44 / 167.44)
    for end, above in ((found.low, 0.025), (found.high, 0.975)):
        assert end is not None
        noncentrality = end / (1 - end) * 60
        assert stats.ncf.sf(28.11, 4, 55, noncentrality) == pytest.approx(above, abs=1e-3)


def test_cronbach_is_hoyts_ratio_of_mean_squares() -> None:
    """1 - MS rest / MS people of the two-way analysis (Hoyt)."""
    units, k = STOOLS.shape
    grand = STOOLS.mean()
    people = k * ((STOOLS.mean(axis=1) - grand) ** 2).sum() / (units - 1)
    residuals = STOOLS - STOOLS.mean(axis=0) - STOOLS.mean(axis=1, keepdims=True) + grand
    rest = (residuals**2).sum() / ((units - 1) * (k - 1))
    found = cronbach(STOOLS.tolist())
    assert found.value == pytest.approx(1 - rest / people)
    assert found.low is not None and found.high is not None and found.low < found.value < found.high


WORN = {
    "C235 D236 B218 A268": "run 1",
    "A251 B241 D227 C229": "run 2",
    "D234 C273 A274 B226": "run 3",
    "B195 A270 C230 D225": "run 4",
}
"""Material and wear at the four positions of a machine in four runs, a Latin square: abrasion of R's package
faraway."""


def test_wear_by_runs_and_positions_as_lme4_prints_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """``lmer(wear ~ material + (1 | run) + (1 | position), abrasion)``, and Kenward and Roger's test of
    ``pbkrtest``: J. Faraway, Crossed Effects Design using Frequentist Methods (2024). Four of each are fewer
    than what studies may have."""
    monkeypatch.setattr(fitting, "FEWEST_CROSSED", 4)
    values = [
        Value(run, cell[0], float(cell[1:]), scenario=f"position {place}")
        for cells, run in WORN.items()
        for place, cell in enumerate(cells.split())
    ]
    found = mixed(Variable("w", "w", "", "measure", None, None, tuple("ABCD"), tuple(values)), "within", True)
    assert found is not None and found.scenarios is not None
    assert [f"{part:.1f}" for part in (found.units, found.scenarios, found.rest)] == ["66.9", "107.1", "61.2"]
    told = {key: (value.value, value.high) for key, value in found.differences.items()}
    assert {key: round(value or 0, 2) for key, (value, _) in told.items()} == {
        "B": -45.75,
        "C": -24,
        "D": -35.25,
    }
    reach = stats.t.ppf(0.975, 6)
    assert all(f"{((high or 0) - (value or 0)) / reach:.2f}" == "5.53" for value, high in told.values())
    (term,) = found.terms
    assert term.test.f == pytest.approx(25.1, abs=0.06), "of mean squares 1540.5 / 61.25, 25.15"
    assert (term.test.df1, term.test.df2, f"{term.test.p:.5f}") == (3, 6, "0.00085")
