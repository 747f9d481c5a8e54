"""A study's analysis as tables, for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from backburner.evaluation.tables.words import interval_text, p_text
from backburner.kernel.scoring import Estimate, Section
from backburner.study.analysis.analysis import Analysis, Result
from backburner.study.analysis.anova import FTest
from backburner.study.analysis.flow import flow_section
from backburner.study.analysis.pairs import Direct
from backburner.study.analysis.registration import DOCUMENT

TESTS = (
    "One-way: analysis of variance that takes all values for independent, as many articles print it; "
    "Welch: the same without equal variances. Repeated: the analysis of a design within subjects; G-G "
    "and H-F: corrected by Greenhouse and Geisser's and Huynh and Feldt's epsilon. Size: eta squared "
    "[95 %], of repeated measures the partial one; Kendall's W or epsilon squared of tests by ranks."
)
MEANS = "Means with 95 % intervals, which stay between the ends of what can be answered or scored."
WITHIN = (
    " Within: the interval with the differences between units taken out (Cousineau and Morey), over "
    "those with every condition; it is the one to compare conditions by."
)
PAIRS_WITHIN = (
    "One less other. Tukey: honestly significant difference, simultaneous 95 % interval and p, all "
    "values taken for independent. Paired p: t-tests of the units' own differences, corrected by Holm's"
    " method; d_z: their mean in standard deviations (corrected for few units); rank p: Wilcoxon's "
    "signed-rank test, corrected likewise."
)
PAIRS_BETWEEN = (
    "One less other. Tukey: honestly significant difference, simultaneous 95 % interval and p. Welch p:"
    " t-tests without equal variances, corrected by Holm's method; g: Hedges's; rank p: Mann and "
    "Whitney's test, corrected likewise."
)
REGISTERED = (
    f"{DOCUMENT} in the folder, as `study preregister` has written it before, beside the study file's digest "
    "that is kept with everybody's data, and beside the outcomes and rules of the tables."
)
NAMED = (
    "Outcomes that were named before the data, with the main test of the design (repeated measures with "
    "Greenhouse and Geisser's correction; with factors every effect); the hypotheses rest on those that are "
    "primary. Whatever else is tested below is exploration."
)
NONE = "none"
NO_TEST = "None: fewer than two conditions or units, or values that are all alike."
CONTRASTS = "Asked for beforehand, and not corrected: name them before the data are seen."
CHECKS = (
    "p is small where an assumption does not hold. With few units such tests find little, with many of "
    "them what does not matter: look at the pictures as well, and at the corrected tests."
)
MISSING = (
    "A unit without a value in some condition is not in repeated measures; mixed models use what it has."
)
RULES = "Rules that were written down before the data, and whom they exclude; nobody is left out otherwise."
ALL_DATA = "The main test with the rules of exclusion, and over all data."
ALPHAS = (
    "Cronbach's alpha with Feldt's 95 % interval, over the answers of all conditions and of each; at "
    "the end without each item."
)
PRACTICE = (
    "Change of the value from one episode of a person to the next, conditions and units being alike: "
    "practice, fatigue. Where it is not 0, orders must be balanced."
)
FACTORS = (
    "Main effects and interactions, each against the error of its own stratum (type III); G-G: corrected by "
    "Greenhouse and Geisser's epsilon; size: partial eta squared [95 %]. Mixed: a linear mixed model with a "
    "random intercept for each unit, where factors within and between subjects meet, values are missing, or "
    "a unit has several in a cell; it uses all values."
)
SIMPLE = (
    "One level less the other where all else is as said; paired t-tests of a factor within subjects (d_z), "
    "Welch's between (g). p is corrected by Holm's method over all lines."
)
MIXED = (
    "Restricted maximum likelihood, a random intercept for each unit, and for each scenario where that was "
    "named beforehand; F tests with the degrees of freedom of the level at which a term varies. Then the "
    "variances."
)


def f_text(test: FTest) -> str:
    """``F(4, 55) = 28.11``."""
    return f"F({_df(test.df1)}, {_df(test.df2)}) = {test.f:.2f}"


def _df(value: float) -> str:
    return f"{value:.0f}" if abs(value - round(value)) < 1e-6 else f"{value:.1f}"


# --- over all variables ----------------------------------------------------------------------------------


def study_sections(analysis: Analysis) -> list[Section]:
    """The tables over all variables: what was named beforehand, tests, means, what is missing, who is
    excluded, scales."""
    found = [_registered(analysis), _named(analysis), factors_section(analysis.results)]
    found += [tests_section(analysis.results), means_section(analysis)]
    found += [flow_section(analysis.flow, analysis.labels)]
    found += [
        _missing(analysis),
        _rules(analysis),
        _all_data(analysis),
        _practice(analysis),
        _alphas(analysis),
    ]
    return [section for section in found if section.rows]


def _registered(analysis: Analysis) -> Section:
    """The document that was registered beside the data: what is the same, and what is not."""
    found = analysis.registration
    title, columns = "Preregistration", ("", "compared", "registered", "analysed")
    if found is None:
        return Section(title, REGISTERED, columns, ())
    if not found.compared:
        digests = "\n".join(_broken(digest, DIGITS) for digest in found.digests)
        row = (_broken("digest of the study file"), "–", "no document", digests)
        return Section(title, REGISTERED, columns, (row,))
    rows = []
    for each in found.compared:
        sides = [_broken(side, DIGITS) for side in (each.registered, each.analysed)]
        lines = [line.removeprefix("- ").replace("*", "") for line in each.other if line.startswith("- ")]
        told = "\n".join(["not the same", *map(_broken, lines)])
        rows.append((_broken(each.what), told if each.other else "the same", *sides))
    return Section(title, REGISTERED, columns, tuple(rows))


def _named(analysis: Analysis) -> Section:
    """The outcomes with their hypotheses and main tests, those that were analysed."""
    by_key = {result.variable.key: result for result in analysis.results}
    rows = []
    for outcome in analysis.outcomes:
        result = by_key.get(outcome.variable or "")
        if result is None and outcome.variable is not None:
            continue  # something else was asked for
        tests = [(result.main if result else None) or ("no value" if result is None else NONE, None)]
        if result is not None and result.factors is not None:
            tests = list(result.factors.tests.items()) or tests
        told = [f"{outcome.title} (primary)" if outcome.primary else outcome.title, outcome.hypothesis]
        title = "\n".join(_broken(each, OUTCOME) for each in told if each)
        rows += [("" if place else title, name, *_both(test)) for place, (name, test) in enumerate(tests)]
    return Section("Named beforehand", NAMED, ("outcome", "main test", "statistic", "p"), tuple(rows))


def factors_section(results: Sequence[Result]) -> Section:
    """Main effects and interactions of every variable, a line for each test."""
    rows: list[tuple[Any, ...]] = []
    for result in results:
        title = _broken(result.variable.title, TESTED)
        for place, line in enumerate(_effects(result)):
            rows.append(("" if place else title, *line))
    return Section("Factors", FACTORS, ("", "effect", "statistic", "p", "size"), tuple(rows))


def _effects(result: Result) -> Iterator[tuple[str, str, str, str]]:
    if result.factors is None:
        return
    for effect in result.factors.effects:
        size = interval_text(effect.partial_eta)
        yield effect.name, f_text(effect.test), p_text(effect.test.p), size
        if effect.greenhouse_geisser is not None:
            test = effect.greenhouse_geisser
            yield f"{effect.name}, G-G", f_text(test), p_text(test.p), ""
    for term in () if result.factors.model is None else result.factors.model.terms:
        yield f"{term.name}, mixed", f_text(term.test), p_text(term.test.p), ""


def _simple(result: Result) -> Section:
    """Simple effects: each factor at each level of the others."""
    rows = tuple(
        (
            "\n".join((f"{each.one} – {each.other}", f"at {each.at}" if each.at else each.factor)),
            *(difference, t, p_text(each.direct.corrected), size),
        )
        for each in (() if result.factors is None else result.factors.simple)
        for difference, t, _, size, _ in (_direct(each.direct),)
    )
    columns = ("simple effect", "difference", "t", "p (Holm)", "size")
    return Section(f"{result.variable.title}: simple effects", SIMPLE, columns, rows)


def tests_section(results: Sequence[Result]) -> Section:
    """Every test over all conditions, a line for each."""
    rows: list[tuple[Any, ...]] = []
    for result in results:
        lines = list(_tests(result)) or [(NONE, "–", "–", "–")]
        title = _broken(result.variable.title, TESTED)
        rows += [("" if place else title, *line) for place, line in enumerate(lines)]
    text = TESTS if all(row[1] != NONE for row in rows) else f"{TESTS} {NO_TEST}"
    return Section("Do conditions differ?", text, ("", "test", "statistic", "p", "size"), tuple(rows))


NAME, TESTED, OUTCOME, DIGITS = 18, 14, 26, 16
"""Characters of a name in a line, beside all tests, and beside the main one, and of a digest, so that tables
stand in a terminal of 80 columns."""


def _broken(name: str, most: int = NAME) -> str:
    return "\n".join(wrap(name, most)) or name


def below(text: str) -> str:
    """A figure above its interval."""
    return text.replace(" [", "\n[")


def _tests(result: Result) -> Iterator[tuple[str, str, str, str]]:
    if result.one_way is not None:
        one_way = result.one_way
        yield "one-way", f_text(one_way.test), p_text(one_way.test.p), interval_text(one_way.eta)
        if one_way.welch is not None and result.design == "between":
            yield "Welch", f_text(one_way.welch), p_text(one_way.welch.p), ""
    if result.repeated is not None:
        found = result.repeated
        yield "repeated", f_text(found.test), p_text(found.test.p), interval_text(found.partial_eta)
        if found.test.df1 > 1:
            for name, test in (("G-G", found.greenhouse_geisser), ("H-F", found.huynh_feldt)):
                yield name, f_text(test), p_text(test.p), ""
    if result.mixed is not None:
        for term in result.mixed.terms:
            yield _model_term("mixed", term.name), f_text(term.test), p_text(term.test.p), ""
    for name, test in result.groups.items():
        yield _model_term("two-way", name), f_text(test), p_text(test.p), ""
    if result.ranks is not None:
        ranks = result.ranks
        yield ranks.name, f"χ²({ranks.df}) = {ranks.chi2:.2f}", p_text(ranks.p), f"{ranks.size:.2f}"


def _model_term(model: str, term: str) -> str:
    """The model alone for conditions; else which term it is."""
    return model if term == "condition" else f"{model}, {term}"


def means_section(analysis: Analysis) -> Section:
    """Means by condition, a line for each variable."""
    rows = []
    for result in analysis.results:
        by_condition = {each.condition: each.mean for each in result.means}
        cells = (_brief(by_condition[key]) if key in by_condition else "–" for key in analysis.labels)
        rows.append((_broken(result.variable.title), *cells))
    return Section("Means", MEANS, ("", *analysis.labels.values()), tuple(rows))


def _brief(estimate: Estimate) -> str:
    """A figure above its interval, in as few columns as may be."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return interval_text(estimate)
    if estimate.low < 0:
        return below(interval_text(estimate))
    return f"{estimate.value:.2f}\n{estimate.low:.2f}–{estimate.high:.2f}"


def _missing(analysis: Analysis) -> Section:
    cells: dict[tuple[str, str, str], list[str]] = {}
    for result in analysis.results:
        for each in result.variable.missing:
            cells.setdefault((each.unit, each.condition, each.why), []).append(result.variable.title)
    every = len(analysis.results)
    rows = tuple(
        (unit, analysis.labels.get(condition, condition), why, "all" if len(of) == every else ", ".join(of))
        for (unit, condition, why), of in sorted(cells.items())
    )
    return Section("Missing values", MISSING, ("unit", "condition", "why", "of"), rows)


def _rules(analysis: Analysis) -> Section:
    rows = tuple(
        (
            each.text or each.rule,
            each.written or "–",
            ", ".join(each.people) or "nobody",
            ", ".join(f"{person}: {episode}" for person, episode in each.episodes) or "–",
        )
        for each in analysis.exclusions
    )
    return Section("Exclusions", RULES, ("rule", "written", "people", "episodes"), rows)


def _all_data(analysis: Analysis) -> Section:
    rows = []
    for result in analysis.results:
        if result.all_data is None:
            continue
        name, test = result.main or ("none", None)
        rows.append(
            (result.variable.title, name, *_both(test), result.all_data.name, *_both(result.all_data.test))
        )
    columns = ("", "test", "with the rules", "p", "test of all", "all data", "p of all")
    return Section("With and without the exclusions", ALL_DATA, columns, tuple(rows))


def _both(test: FTest | None) -> tuple[str, str]:
    return ("–", "–") if test is None else (f_text(test), p_text(test.p))


def _practice(analysis: Analysis) -> Section:
    rows = tuple(
        (result.variable.title, interval_text(result.practice.change, signed=True), p_text(result.practice.p))
        for result in analysis.results
        if result.practice is not None
    )
    return Section("Practice and fatigue", PRACTICE, ("", "per episode", "p"), rows)


def _alphas(analysis: Analysis) -> Section:
    rows: list[tuple[Any, ...]] = []
    for each in analysis.alphas:
        where = analysis.labels.get(each.condition, "all") if each.condition else "all"
        rows.append((each.scale, where, each.items, each.answers, interval_text(each.alpha)))
        for item, value in each.without.items():
            rows.append(
                (each.scale, f"without {item}", each.items - 1, each.answers, interval_text(Estimate(value)))
            )
    return Section("Scales", ALPHAS, ("scale", "over", "items", "answers", "alpha"), tuple(rows))


# --- of one variable -------------------------------------------------------------------------------------


def variable_sections(result: Result, labels: Mapping[str, str]) -> list[Section]:
    """The tables of one variable: tests, means, pairs, contrasts, model, assumptions."""
    title = result.variable.title
    found = [
        _means(result, labels),
        Section(f"{title}: tests", TESTS, ("test", "statistic", "p", "size"), tuple(_tests(result))),
        Section(f"{title}: factors", FACTORS, ("effect", "statistic", "p", "size"), tuple(_effects(result))),
        _simple(result),
        _pairs(result, labels),
        _contrasts(result),
        _mixed(result),
        _checks(result),
    ]
    return [section for section in found if section.rows]


def _means(result: Result, labels: Mapping[str, str]) -> Section:
    within = result.design == "within"
    rows = []
    for each in result.means:
        spread = "–" if each.deviation is None else f"{each.deviation:.2f}"
        quartiles = f"{each.median:.2f}\n({each.lower:.2f} to {each.upper:.2f})"
        own = (_interval(each.within),) if within else ()
        name = _broken(labels[each.condition])
        rows.append((name, each.number, below(interval_text(each.mean)), *own, spread, quartiles))
    columns = ("condition", "n", "mean", *(("within",) if within else ()), "SD", "median (quartiles)")
    return Section(f"{result.variable.title}: means", MEANS + WITHIN * within, columns, tuple(rows))


def _interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"[{estimate.low:.2f}, {estimate.high:.2f}]"


def _pairs(result: Result, labels: Mapping[str, str]) -> Section:
    within = result.design == "within"
    rows = []
    for pair in result.pairs:
        tukey, direct = pair.tukey, pair.direct
        rows.append(
            (
                _broken(f"{labels[pair.one]} – {labels[pair.other]}"),
                below(interval_text(direct.difference if tukey is None else tukey.difference, signed=True)),
                p_text(None if tukey is None else tukey.p),
                p_text(direct.corrected),
                below(interval_text(direct.size)),
                p_text(direct.rank_corrected),
            )
        )
    kind, size = ("paired p", "d_z") if within else ("Welch p", "g")
    columns = ("pair", "difference (Tukey)", "Tukey p", kind, size, "rank p")
    text = PAIRS_WITHIN if within else PAIRS_BETWEEN
    return Section(f"{result.variable.title}: pairs", text, columns, tuple(rows))


def _contrasts(result: Result) -> Section:
    rows = tuple((each.name, *_direct(each.direct)) for each in result.contrasts)
    columns = ("contrast", "difference", "t", "p", "size", "rank p")
    return Section(f"{result.variable.title}: contrasts", CONTRASTS, columns, rows)


def _direct(direct: Direct) -> tuple[str, ...]:
    t = "–" if direct.t is None or direct.df is None else f"t({_df(direct.df)}) = {direct.t:.2f}"
    difference = interval_text(direct.difference, signed=True)
    return difference, t, p_text(direct.p), interval_text(direct.size), p_text(direct.rank_p)


def _mixed(result: Result) -> Section:
    title = f"{result.variable.title}: mixed model"
    model = result.mixed if result.factors is None else result.factors.model
    if model is None:
        return Section(title, MIXED, (), ())
    rows = [(f"{term.name}", f_text(term.test), p_text(term.test.p)) for term in model.terms]
    parts = {"units": model.units, "units in conditions": model.cells}
    parts |= {"scenarios": model.scenarios, "rest": model.rest}
    rows += [
        (f"variance of {name}", f"{value:.4g}", "") for name, value in parts.items() if value is not None
    ]
    told = " ".join((f"Asked for, as {' and '.join(model.why)}.", f"{model.values} values.", *model.remarks))
    return Section(title, f"{MIXED} {told}", ("", "", "p"), tuple(rows))


def _checks(result: Result) -> Section:
    rows: list[tuple[Any, ...]] = []
    for name, found in (("one-way", result.one_way), ("repeated", result.repeated)):
        for check in () if found is None else found.checks:
            rows.append((name, check.assumption, f"{check.test} = {check.statistic:.3f}", p_text(check.p)))
    if result.repeated is not None and result.repeated.test.df1 > 1:
        both = (
            ("Greenhouse-Geisser", result.repeated.epsilon_greenhouse_geisser),
            ("Huynh-Feldt", result.repeated.epsilon_huynh_feldt),
        )
        rows += [("repeated", "sphericity", f"{name} ε = {value:.3f}", "–") for name, value in both]
    columns = ("analysis", "assumption", "check", "p")
    return Section(f"{result.variable.title}: assumptions", CHECKS, columns, tuple(rows))
