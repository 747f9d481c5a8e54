"""How many people a study needs, before it is made: by noncentral F, and by simulated studies.

The size of an effect is Cohen's f: the standard deviation of the conditions' true means over that of values
within a condition. Within subjects a person's values in two conditions correlate, which makes the error
smaller; epsilon below 1 stands for correlations that are not all alike. Noncentral F is exact where they are;
simulated people's studies are tested as ``analyse`` tests them (repeated measures corrected by Greenhouse and
Geisser, which few people pay for; one-way between subjects).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf, isfinite, sqrt
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from scipy import stats
from scipy.linalg import helmert
from statsmodels.stats.oneway import confint_effectsize_oneway
from statsmodels.stats.power import FTestAnovaPower

from backburner.evaluation.scoring.statistics import exact_share
from backburner.kernel.errors import Refused
from backburner.kernel.scoring import Estimate, Section
from backburner.study.analysis.anova import FTest
from backburner.study.analysis.variables import Design

MOST_PEOPLE = 20_000
"""A study that needs more is told so."""

LARGEST = 100
"""Of effects: beyond it nothing is left to chance."""

MOST_NUMBERS = 200_000_000
"""So many are drawn for one number of people."""

LEVEL = 0.05

BATCH = 2_000_000
"""Numbers that are drawn at a time."""


class Effect(Struct, frozen=True):
    """What is assumed: conditions, Cohen's f, and within subjects the correlation and epsilon.

    ``means``: the true means, of which their differences count, else they are equally far apart.
    ``points``: simulated values are rounded to so many answers, 1 to ``points``, with the standard deviation
    ``spread`` of an answer before it is rounded and the middle answer as their mean; 0: they are not.
    """

    design: Design
    conditions: int
    f: float
    correlation: float = 0.5
    epsilon: float = 1.0
    means: tuple[float, ...] = ()
    points: int = 0
    spread: float = 1.0


class Power(Struct, frozen=True):
    """The power of so many ``people``: by noncentral F, and in simulated studies with its interval (shares).

    ``people``: within subjects each plays all conditions; between subjects one.
    """

    people: int
    power: float
    simulated: Estimate


def checked(effect: Effect) -> Effect:
    """The effect, if it makes sense; raises ``Refused``."""
    if effect.conditions < 2:
        raise Refused(f"{effect.conditions} conditions: a comparison takes two")
    if not 0 < effect.f <= LARGEST:
        raise Refused(f"an effect of {effect.f:g}: it lies above 0, and at most {LARGEST} is reckoned")
    lowest = -1 / (effect.conditions - 1)
    if effect.design == "within" and not lowest < effect.correlation < 1:
        raise Refused(
            f"a correlation of {effect.correlation:g}: for {effect.conditions} conditions it lies between "
            f"{lowest:.2f} and 1"
        )
    least = 1 / (effect.conditions - 1)
    if not least <= effect.epsilon <= 1:
        raise Refused(f"an epsilon of {effect.epsilon:g}: it lies between {least:.2f} and 1")
    return effect


def effect_of_means(means: Sequence[float], deviation: float) -> float:
    """Cohen's f of true means and the standard deviation of values within a condition."""
    if not 0 < deviation < inf or len(means) < 2 or not all(map(isfinite, means)):
        raise Refused("an effect out of means takes two of them, and a standard deviation above 0")
    return float(np.std(means)) / deviation


def effect_of_f_test(test: FTest) -> Estimate:
    """Cohen's f of a printed one-way F test with its 95 % interval: √(F df1 / df2).

    What is printed was often chosen for being large: plan with the lower end.
    """
    found = confint_effectsize_oneway(test.f, (test.df1, test.df2))
    low, high = (max(float(end), 0.0) for end in found.ci_f)
    return Estimate(sqrt(test.f * test.df1 / test.df2), low, high, "noncentral F")


# --- by noncentral F ---------------------------------------------------------------------------------------


def power_by_f(effect: Effect, people: int, level: float = LEVEL) -> float:
    """The chance that so many people's data show the effect on this level.

    Between subjects that of the one-way test (statsmodels), people being shared out evenly; within subjects
    that of repeated measures, with λ = n k f² ε / (1 - ρ), (k - 1) ε and (n - 1) (k - 1) ε degrees of freedom
    for n people and k conditions, as in G*Power.
    """
    k = effect.conditions
    if effect.design == "between":
        if people <= k:
            return 0.0
        return _certain(float(FTestAnovaPower().power(effect.f, people, level, k_groups=k)))
    if people < 2:
        return 0.0
    df1 = (k - 1) * effect.epsilon
    df2 = (people - 1) * df1
    away = people * k * effect.f**2 * effect.epsilon / (1 - effect.correlation)
    return _certain(float(stats.ncf.sf(stats.f.isf(level, df1, df2), df1, df2, away)))


def _certain(power: float) -> float:
    """The power; where it is so near 1 that noncentral F cannot be computed, 1."""
    return power if isfinite(power) else 1.0


def people_needed(effect: Effect, power: float, level: float = LEVEL) -> int | None:
    """The fewest people with this power; between subjects as many in each condition. ``None`` above
    ``MOST_PEOPLE``."""
    step = effect.conditions if effect.design == "between" else 1
    low, high = 0, 1
    while power_by_f(effect, high * step, level) < power:
        if high * step >= MOST_PEOPLE:
            return None
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        enough = power_by_f(effect, middle * step, level) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high * step


def effect_found(effect: Effect, people: int, power: float, level: float = LEVEL) -> float | None:
    """The smallest f that so many people show with this power; ``None`` where none does."""
    low, high = 0.0, 100.0
    if power_by_f(replace(effect, f=high), people, level) < power:
        return None
    for _ in range(50):
        middle = (low + high) / 2
        enough = power_by_f(replace(effect, f=middle), people, level) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high


# --- by simulation -----------------------------------------------------------------------------------------


def power_by_simulation(
    effect: Effect, people: int, runs: int, seed: int = 0, level: float = LEVEL, corrected: bool = True
) -> Estimate:
    """The share of so many simulated studies whose test is below the level, with its exact interval.

    Undefined for an epsilon below 1: it does not tell which correlations differ. Raises ``Refused`` for more
    than ``MOST_NUMBERS`` in all.
    """
    if effect.epsilon < 1:
        return Estimate(None)
    if people < 2 or (effect.design == "between" and people < 2 * effect.conditions):
        return Estimate(None)
    if people * effect.conditions * runs > MOST_NUMBERS:
        raise Refused(
            f"{runs} studies of {people} people in {effect.conditions} conditions:"
            " fewer will do (--simulate studies=N)"
        )
    random = np.random.default_rng(seed)
    at_once = max(1, BATCH // (people * effect.conditions))
    found = 0
    for start in range(0, runs, at_once):
        values = simulated(effect, people, min(at_once, runs - start), random)
        found += int(np.count_nonzero(p_values(effect.design, values, corrected) < level))
    low, high = exact_share(found / runs, runs)
    return Estimate(found / runs, low / 100, high / 100, "Clopper-Pearson")


def simulated(effect: Effect, people: int, runs: int, random: Any) -> Any:
    """Values of ``runs`` studies: by study, person and condition. Between subjects a person is one of each
    condition's, so that ``people`` is rounded up to a multiple of conditions."""
    k = effect.conditions
    rows = people if effect.design == "within" else ceil(people / k)
    noise = random.standard_normal((runs, rows, k))
    if effect.design == "within":
        shared = max(effect.correlation, 0.0)
        of_person = random.standard_normal((runs, rows, 1))
        if effect.correlation >= 0:
            noise = sqrt(1 - shared) * noise + sqrt(shared) * of_person
        else:  # a negative correlation takes the mean of a person's noise away in part
            noise = noise @ _root(effect.correlation, k)
    values = noise + np.array(_true_means(effect))
    if not effect.points:
        return values
    middle = (1 + effect.points) / 2
    return np.clip(np.round(middle + effect.spread * values), 1, effect.points)


def _root(correlation: float, k: int) -> Any:
    """The symmetric root of a matrix of equal correlations."""
    values, vectors = np.linalg.eigh(np.full((k, k), correlation) + (1 - correlation) * np.eye(k))
    return vectors @ np.diag(np.sqrt(np.maximum(values, 0))) @ vectors.T


def _true_means(effect: Effect) -> list[float]:
    """In standard deviations of values, about 0, with Cohen's f as their spread."""
    means = np.array(effect.means or np.arange(effect.conditions, dtype=float))
    means = means - means.mean()
    spread = float(np.std(means))
    return list(means / spread * effect.f) if spread else [0.0] * effect.conditions


def p_values(design: Design, values: Any, corrected: bool = True) -> Any:
    """The p of each study: repeated measures (``corrected`` by Greenhouse and Geisser), or the one-way test.

    All studies at once, as one by one they would take minutes; tests compare them with ``repeated`` and
    ``one_way``. Studies whose values do not vary show nothing.
    """
    _, n, k = values.shape
    by_condition = values.mean(axis=1, keepdims=True)
    grand = values.mean(axis=(1, 2), keepdims=True)
    above = n * ((by_condition - grand) ** 2).sum(axis=(1, 2)) / (k - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        if design == "between":
            below = ((values - by_condition) ** 2).sum(axis=(1, 2)) / (k * (n - 1))
            return _no_test_as_one(stats.f.sf(above / below, k - 1, k * (n - 1)))
        rest = values - values.mean(axis=2, keepdims=True) - by_condition + grand
        below = (rest**2).sum(axis=(1, 2)) / ((k - 1) * (n - 1))
        epsilon = _epsilons(values - by_condition) if corrected else 1.0
        return _no_test_as_one(stats.f.sf(above / below, epsilon * (k - 1), epsilon * (k - 1) * (n - 1)))


def _epsilons(deviations: Any) -> Any:
    """Greenhouse and Geisser's epsilon of each study, of values less their condition's mean."""
    k = deviations.shape[2]
    contrasts = deviations @ helmert(k).T
    covariance = np.einsum("rni,rnj->rij", contrasts, contrasts)
    trace = np.trace(covariance, axis1=1, axis2=2)
    return trace**2 / ((k - 1) * (covariance**2).sum(axis=(1, 2)))


def _no_test_as_one(p: Any) -> Any:
    return np.where(np.isfinite(p), p, 1.0)


# --- tables -----------------------------------------------------------------------------------------------


SMALLEST = (0.1, 0.25, 0.4)
"""Cohen's small, medium and large f."""

ABOUT = (
    "By F: noncentral F, exact for normal values whose correlations are all alike. Simulated: the share"
    " of {runs} studies with the test that `study analyse` makes ({test}), with its exact 95 % "
    "interval."
)
NEEDED = "People that find an effect of this size with a chance of {power:g} on the level of {level:g}."
FOUND = "f found: the smallest effect (Cohen's f) that so many find with a chance of {power:g}."
PRINTED = (
    " The printed test gives f = {f:.2f} [{low:.2f}, {high:.2f}]; what is printed was often chosen for "
    "being large, so plan with the lower end."
)


MOST_STEPS = 40
"""Numbers of people that are simulated to find the one that suffices."""


class Plan(Struct, frozen=True):
    """What is asked: these numbers of people, by default those around the number that is needed."""

    people: tuple[int, ...]
    power: float
    level: float
    runs: int
    seed: int


class Calculation(Struct, frozen=True):
    """The answer: how many are needed (``None``: too many to count), by noncentral F and in simulated
    studies, what so many find, and how many other sizes need. ``printed``: f of the test that was printed."""

    effect: Effect
    plan: Plan
    needed: int | None
    needed_simulated: int | None
    powers: tuple[Power, ...]
    found: dict[int, float | None]
    other: dict[str, int | None]
    printed: Estimate | None = None


def power_of(effect: Effect, plan: Plan, printed: Estimate | None = None) -> Calculation:
    """Everything that is asked of an effect."""
    needed = people_needed(effect, plan.power, plan.level)
    people = plan.people or _around(needed, effect)
    sizes = {f"{f:g}": f for f in (*SMALLEST, *(() if printed is None else _ends(printed)))}
    other = {
        name: people_needed(replace(effect, f=f), plan.power, plan.level)
        for name, f in sizes.items()
        if abs(f - effect.f) > 0.005
    }
    return Calculation(
        effect,
        plan,
        needed,
        _needed_simulated(effect, plan, needed),
        tuple(_power(effect, plan, number) for number in people),
        {number: effect_found(effect, number, plan.power, plan.level) for number in people},
        other,
        printed,
    )


def _ends(printed: Estimate) -> tuple[float, ...]:
    ends = (printed.low, printed.value)
    return tuple(round(end, 2) for end in ends if end is not None and end >= 0.01)


def _around(needed: int | None, effect: Effect) -> tuple[int, ...]:
    """Half, three quarters, all and one and a half of the needed number, in whole groups."""
    if needed is None:
        return ()
    step = effect.conditions if effect.design == "between" else 1
    numbers = {max(2, round(share * needed / step)) * step for share in (0.5, 0.75, 1, 1.5)}
    return tuple(sorted(numbers | {needed}))


def _power(effect: Effect, plan: Plan, people: int) -> Power:
    simulated = Estimate(None)
    if plan.runs:
        simulated = power_by_simulation(effect, people, plan.runs, plan.seed, plan.level)
    return Power(people, power_by_f(effect, people, plan.level), simulated)


def power_sections(found: Calculation) -> list[Section]:
    """The tables: what so many people find, and how many other sizes need."""
    effect, plan = found.effect, found.plan
    within = effect.design == "within"
    how = f", correlation {effect.correlation:g}, epsilon {effect.epsilon:g}" if within else ""
    title = f"f = {effect.f:.3g}, {effect.conditions} conditions {effect.design} subjects{how}"
    test = (
        "repeated measures corrected by Greenhouse and Geisser" if within else "one-way analysis of variance"
    )
    text = f"{ABOUT.format(runs=plan.runs, test=test)} {FOUND.format(power=plan.power)}"
    if found.printed is not None and found.printed.low is not None and found.printed.high is not None:
        text += PRINTED.format(f=found.printed.value, low=found.printed.low, high=found.printed.high)
    rows = tuple(
        (
            each.people,
            f"{100 * each.power:.1f} %",
            _simulated(each.simulated),
            _f_text(found.found[each.people]),
        )
        for each in found.powers
    )
    columns = ("participants", "by F", "simulated", "f found")
    sections = [Section(title, text, columns, rows)] if rows else []
    sizes = {f"{effect.f:.3g} (asked)": found.needed}
    if found.needed_simulated is not None:
        sizes[f"{effect.f:.3g} (asked), simulated"] = found.needed_simulated
    needed = tuple(
        (name, str(number or f"more than {MOST_PEOPLE}")) for name, number in (sizes | found.other).items()
    )
    words = NEEDED.format(power=plan.power, level=plan.level)
    return [*sections, Section("Participants needed", words, ("effect f", "participants"), needed)]


def _needed_simulated(effect: Effect, plan: Plan, needed: int | None) -> int | None:
    """The first number of people from the needed one on whose simulated studies have the power."""
    if needed is None or not plan.runs or effect.epsilon < 1:
        return None
    step = effect.conditions if effect.design == "between" else 1
    people = needed
    for _ in range(MOST_STEPS):
        share = _power(effect, plan, people).simulated.value
        if share is not None and share >= plan.power:
            return people
        people += step * max(1, round(people / step / 20))
    return None


def _simulated(share: Estimate) -> str:
    if share.value is None or share.low is None or share.high is None:
        return "–"
    return f"{100 * share.value:.1f} % [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def _f_text(f: float | None) -> str:
    return "–" if f is None else f"{f:.3f}"
