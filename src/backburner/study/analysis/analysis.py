"""The analysis of a study's data: every variable over its conditions, with and without rules of exclusion."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from scipy import stats

from backburner.evaluation.scoring.statistics import MISSED, estimate
from backburner.kernel.errors import Refused
from backburner.kernel.scoring import Estimate, Metric, mean_of
from backburner.study.analysis.anova import (
    FTest,
    OneWay,
    RankTest,
    Repeated,
    friedman,
    kruskal,
    one_way,
    repeated,
)
from backburner.study.analysis.data import Data, Outcome, outcomes_of, read_data
from backburner.study.analysis.factors import Factorial, factorial
from backburner.study.analysis.flow import flow_in
from backburner.study.analysis.models import Mixed, Practice, groups, mixed, practice
from backburner.study.analysis.pairs import Contrast, Pair, contrast_of, pairs_of, read_contrast
from backburner.study.analysis.registration import Registration, registration_of
from backburner.study.analysis.sample import Excluded, excluded, sample_of
from backburner.study.analysis.tables import FlowRow
from backburner.study.analysis.variables import Alpha, Cells, Design, Sample, Variable, alphas

MOST_VARIABLES = 100
"""Of a study; more is a table that was put together wrongly."""

MOST_CONDITIONS = 20


class Mean(Struct, frozen=True):
    """A variable in a condition, over so many units (``number``).

    ``mean``: with the interval that all figures have (docs/statistics.md). ``within``: with an interval from
    which differences between units are taken out (Cousineau and Morey), over units that have every condition;
    within subjects alone. ``lower``, ``upper``: the quartiles. ``counts``: of ratings, how often each was
    given.
    """

    condition: str
    number: int
    mean: Estimate
    within: Estimate
    deviation: float | None
    lowest: float
    lower: float
    median: float
    upper: float
    highest: float
    counts: dict[str, int]


class Result(Struct, frozen=True):
    """What a variable says.

    ``one_way``: the analysis of variance that takes all values for independent, as articles often print it;
    ``repeated``: the one of the design within subjects, over complete units; ``mixed``: where the data ask
    for it; ``ranks``: without assuming a distribution; ``groups``: two-way, between subjects.
    ``factors``: main effects and interactions; then there are no pairs and no model of conditions.
    ``all_data``: the main test when no rule of exclusion is applied, if any excludes somebody.
    """

    variable: Variable
    design: Design
    means: tuple[Mean, ...]
    one_way: OneWay | None
    repeated: Repeated | None
    mixed: Mixed | None
    ranks: RankTest | None
    groups: dict[str, FTest]
    practice: Practice | None
    pairs: tuple[Pair, ...]
    contrasts: tuple[Contrast, ...]
    factors: Factorial | None = None
    all_data: AllData | None = None

    @property
    def main(self) -> tuple[str, FTest] | None:
        """The test of the design: its name, and itself.

        Within subjects that of the mixed model where the data ask for one, else repeated measures corrected
        by Greenhouse and Geisser; between subjects Welch's, or without it the one-way test. With factors
        that of the interaction of all of them.
        """
        if self.factors is not None:
            return next(reversed(self.factors.tests.items()), None)
        if self.mixed is not None:
            for term in self.mixed.terms:
                if term.name == "condition":
                    return "mixed model", term.test
        if self.repeated is not None:
            return "repeated measures", self.repeated.greenhouse_geisser
        if self.one_way is None or self.design == "within":
            return None
        welch = self.one_way.welch
        return ("one-way", self.one_way.test) if welch is None else ("Welch", welch)


class AllData(Struct, frozen=True):
    """The main test over all data, and how many values that the rules exclude are in it."""

    name: str
    test: FTest | None
    values: int


class Exclusion(Struct, frozen=True):
    """A rule of exclusion, written down before, and whom or what it excludes."""

    rule: str
    text: str
    written: str
    people: tuple[str, ...]
    episodes: tuple[tuple[str, str], ...]


class Analysis(Struct, frozen=True):
    """A study's analysis. ``labels``: what conditions are called. ``units``: how many count. ``outcomes``:
    what was named beforehand, whose results come first; ``registration``: whether it was. ``flow``: who came,
    and what became of them."""

    folder: str
    design: Design
    labels: Mapping[str, str]
    units: int
    team: bool
    results: tuple[Result, ...]
    alphas: tuple[Alpha, ...]
    exclusions: tuple[Exclusion, ...]
    remarks: tuple[str, ...]
    outcomes: tuple[Outcome, ...] = ()
    flow: tuple[FlowRow, ...] = ()
    registration: Registration | None = None


class Asked(Struct, frozen=True):
    """What is asked: ``only`` these variables (all if none is named), contrasts as ``A,B/C``, the design."""

    only: tuple[str, ...] = ()
    contrasts: tuple[str, ...] = ()
    design: Design | None = None


def analyse(folder: Path, asked: Asked | None = None) -> Analysis:
    """The analysis of the tables in a folder.

    Raises ``BadFile``, ``Refused`` and ``UnknownName`` for data or questions that cannot be used.
    """
    asked = asked or Asked()
    data = read_data(folder)
    rules = excluded(data)
    sample = sample_of(data, rules, asked.design)
    if len(sample.variables) > MOST_VARIABLES or len(sample.labels) > MOST_CONDITIONS:
        raise Refused(
            f"{folder}: {len(sample.variables)} measures and items, {len(sample.labels)} conditions; at most "
            f"{MOST_VARIABLES} and {MOST_CONDITIONS} are analysed"
        )
    outcomes = outcomes_of(data, [variable.key for variable in sample.variables])
    chosen = [sample.variable(name) for name in asked.only] or _named_first(sample.variables, outcomes)
    contrasts = [read_contrast(text, list(sample.labels)) for text in asked.contrasts]
    sampled = {outcome.variable for outcome in outcomes if outcome.scenarios}
    results = [
        result_of(variable, sample.design, contrasts, sample.cells, variable.key in sampled)
        for variable in chosen
    ]
    if rules.people or rules.episodes:
        everything = sample_of(data, Excluded(), sample.design)
        results = [_with_all_data(result, everything, sampled) for result in results]
    return Analysis(
        str(folder),
        sample.design,
        sample.labels,
        len(sample.units),
        sample.team,
        tuple(results),
        tuple(alpha for scale in sample.scales for alpha in alphas(scale, sample.labels)),
        tuple(_exclusions(data)),
        (*sample.remarks, *_remarks(sample), *_not_random(results, sampled)),
        outcomes,
        flow_in(data),
        registration_of(folder, data),
    )


def _named_first(variables: Iterable[Variable], outcomes: Iterable[Outcome]) -> list[Variable]:
    """The variables in the order of the outcomes; then those that nobody named beforehand, in theirs."""
    place = {outcome.variable: number for number, outcome in reversed(list(enumerate(outcomes)))}
    return sorted(variables, key=lambda variable: place.get(variable.key, len(place)))


def result_of(
    variable: Variable,
    design: Design,
    contrasts: Sequence[tuple[str, tuple[str, ...], tuple[str, ...]]] = (),
    cells: Cells | None = None,
    scenarios: bool = False,
) -> Result:
    """Everything that one variable says. ``scenarios``: they are random in its mixed model, as units are.

    Values that hardly vary make the libraries warn of divisions; what is not finite then is left out here.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return _result(variable, design, contrasts, cells or {}, scenarios)


def _result(
    variable: Variable,
    design: Design,
    contrasts: Sequence[tuple[str, tuple[str, ...], tuple[str, ...]]],
    cells: Cells,
    scenarios: bool,
) -> Result:
    by_condition = variable.by_condition()
    _, rows = variable.complete()
    within = design == "within"
    factors = factorial(variable, cells, scenarios)
    asked = [contrast_of(variable, design, *contrast) for contrast in contrasts]
    return Result(
        variable,
        design,
        tuple(_means(variable, design)),
        one_way(list(by_condition.values())),
        repeated(rows) if within else None,
        mixed(variable, design, scenarios) if factors is None else None,
        friedman(rows) if within else kruskal(list(by_condition.values())),
        {} if within or factors else groups(variable),
        practice(variable) if within else None,
        tuple(pairs_of(variable, design)) if factors is None else (),
        tuple(contrast for contrast in asked if contrast is not None),
        factors,
    )


# --- means -----------------------------------------------------------------------------------------------


def _means(variable: Variable, design: Design) -> list[Mean]:
    within = _within_intervals(variable) if design == "within" else {}
    return [
        _mean(variable, condition, within.get(condition, Estimate(None))) for condition in variable.conditions
    ]


def _mean(variable: Variable, condition: str, within: Estimate) -> Mean:
    cells = [(unit, mine[condition]) for unit, mine in variable.cells().items() if condition in mine]
    values = [value for _, value in cells]
    metric = Metric(
        variable.key,
        variable.title,
        variable.unit,
        "neither",
        mean_of("value"),
        "",
        False,
        variable.lowest,
        variable.highest,
    )
    lower, median, upper = (float(each) for each in np.quantile(values, (0.25, 0.5, 0.75)))
    counts = Counter(value.value for value in variable.values if value.condition == condition)
    return Mean(
        condition,
        len(values),
        estimate(metric, [(unit, {"value": value}) for unit, value in cells]),
        within,
        stdev(values) if len(values) > 1 else None,
        min(values),
        lower,
        median,
        upper,
        max(values),
        {f"{value:g}": counts[value] for value in sorted(counts)} if variable.kind == "rating" else {},
    )


def _within_intervals(variable: Variable) -> dict[str, Estimate]:
    """Cousineau's intervals with Morey's correction: Student's t of values less their unit's mean, times
    the root of k / (k - 1) for k conditions."""
    _, rows = variable.complete()
    conditions = len(variable.conditions)
    if len(rows) < 2 or conditions < 2:
        return {key: Estimate(None) for key in variable.conditions}
    reach = float(stats.t.ppf(1 - MISSED / 2, len(rows) - 1)) * (conditions / (conditions - 1)) ** 0.5
    found = {}
    for place, key in enumerate(variable.conditions):
        column = [row[place] for row in rows]
        error = stdev([row[place] - fmean(row) for row in rows]) / len(rows) ** 0.5
        middle = fmean(column)
        found[key] = Estimate(middle, middle - reach * error, middle + reach * error, "Cousineau-Morey")
    return found


# --- exclusions and remarks --------------------------------------------------------------------------------


def _with_all_data(result: Result, everything: Sample, sampled: Collection[str | None]) -> Result:
    variable = everything.variable(result.variable.key)
    again = result_of(variable, everything.design, (), everything.cells, variable.key in sampled)
    more = len(variable.values) - len(result.variable.values)
    name, test = again.main or ("none", None)
    return replace(result, all_data=AllData(name, test, more))


def _exclusions(data: Data) -> list[Exclusion]:
    rules = {row.rule: row for row in data["rules"].cells.itertuples()}
    found = data["exclusions"].cells[["rule", "participant", "episode"]].to_numpy().tolist()
    return [
        Exclusion(
            rule,
            rules[rule].text if rule in rules else "",
            rules[rule].written if rule in rules else "",
            tuple(dict.fromkeys(person for of, person, episode in found if of == rule and not episode)),
            tuple((person, episode) for of, person, episode in found if of == rule and episode),
        )
        for rule in dict.fromkeys([*rules, *(of for of, _, _ in found)])
    ]


def _not_random(results: Iterable[Result], sampled: Collection[str | None]) -> Iterator[str]:
    """Where scenarios were to be random, and are not."""
    for result in results:
        model = result.mixed if result.factors is None else result.factors.model
        if result.variable.key not in sampled or (model is not None and model.scenarios is not None):
            continue
        why = "Its mixed model cannot be fitted." if model is None else " ".join(model.remarks)
        yield f"{result.variable.title}: {why}"


def _remarks(sample: Sample) -> list[str]:
    told = []
    if sample.design == "within":
        told.append(
            "Each unit plays several conditions. The one-way analysis and Tukey's test take its values for "
            "independent, as articles often print them; repeated measures, paired tests and mixed models are "
            "those of this design."
        )
    if len(sample.units) < 2:
        told.append("A single unit: nothing can be tested.")
    return told
