"""What scenarios and seeds can tell: how many a comparison needs, and what repeated seeds say of an agent.

How many are needed follows from a pilot's differences, or from how they are assumed to vary.

Of n episodes of a scenario, c were successes. pass@k is the chance that at least one of k episodes is a
success (Chen et al., arXiv 2107.03374), 1 - C(n - c, k) / C(n, k); pass^k that all of them are (Yao et al.,
arXiv 2406.12045), C(c, k) / C(n, k). Both are unbiased, and their means over scenarios are given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import comb

from msgspec import Struct

from backburner.evaluation.comparing.comparison import Comparison, Difference
from backburner.evaluation.scoring.scores import Cell, WorldScores
from backburner.evaluation.scoring.significance import POWER, Variation, difference_found, scenarios_needed
from backburner.evaluation.scoring.statistics import estimate
from backburner.evaluation.tables.words import interval_text
from backburner.kernel.scoring import Estimate, Measured, Measures, Metric, Section, grouped, mean

SEEDS = (1, 3, 5, 10)

SIZES = (0.2, 0.5, 1.0)
"""Differences that are asked about, in standard deviations of those between single episodes."""

NEEDED = (
    "How many scenarios a paired t-test on the level of 5 % needs to find such a difference in {metric} in "
    "{often} experiments, with {seeds} of each."
)
FOUND = (
    "The smallest difference in {metric} that a paired t-test on the level of 5 % finds in {often} "
    "experiments with so many scenarios, and {seeds} of each."
)
VARY = (
    " Differences between {one} and {other} vary from scenario to scenario with a standard deviation of "
    "{scenarios:.3g}, and from seed to seed of one scenario with {seeds:.3g}: more seeds take away the "
    "second part alone."
)
UNKNOWN = " With one seed for each scenario the two parts cannot be told apart, and all counts as the first."


class Plan(Struct, frozen=True):
    """What is asked: differences for which scenarios are counted, scenarios for which differences are told,
    with which numbers of seeds, and how often a difference shall be found. Without ``differences`` three
    sizes are taken that suit how they vary."""

    differences: tuple[float, ...] = ()
    scenarios: tuple[int, ...] = ()
    seeds: tuple[int, ...] = SEEDS
    power: float = POWER


class Subject(Struct, frozen=True):
    """What differs: a metric with its unit, of ``one`` and ``other``, in ``world`` if it is known.

    ``one_seed``: all of the variation comes from a pilot with one seed for each scenario.
    """

    metric: str
    one: str = "one agent"
    other: str = "another"
    world: str = ""
    one_seed: bool = False


def of_rates(one: float, other: float) -> Variation:
    """How differences of two success rates (per cent) vary where nothing else is known: from seed to seed.

    Each episode succeeds by chance with its agent's rate, whatever the scenario: of single episodes the
    variance is p (100 - p) + q (100 - q). Scenarios that are hard for both make it less.
    """
    return Variation(0.0, one * (100 - one) + other * (100 - other))


def power_section(comparison: Comparison) -> Section | None:
    """For the first metric whose differences vary: scenarios by the size of a difference and by seeds."""
    sections = pilot_sections(comparison, Plan())
    return sections[0] if sections else None


def pilot_sections(comparison: Comparison, plan: Plan, metric: str = "") -> list[Section]:
    """The tables for a metric of a comparison that was made, by default the first whose differences vary.

    None if it does not have the metric, or its differences do not vary.
    """
    by_name = {difference.metric: difference for difference in comparison.differences}
    chosen = [by_name[metric]] if metric in by_name else () if metric else comparison.differences
    for difference in chosen:
        found = difference.variation
        if found is not None and found.scenarios + found.seeds > 0:
            return power_sections(found, plan, _subject(comparison, difference))
    return []


def _subject(comparison: Comparison, difference: Difference) -> Subject:
    return Subject(
        difference.title,
        comparison.one,
        comparison.other,
        comparison.world,
        difference.pairs == difference.scenarios,
    )


def power_sections(found: Variation, plan: Plan, subject: Subject) -> list[Section]:
    """Scenarios by the size of a difference and by seeds; differences by scenarios, where these are asked
    about."""
    sizes = plan.differences or (() if plan.scenarios else _usual(found))
    vary = VARY.format(
        one=subject.one, other=subject.other, scenarios=found.scenarios**0.5, seeds=found.seeds**0.5
    ) + (UNKNOWN if subject.one_seed else "")
    words = {"metric": subject.metric, "often": _often(plan.power), "seeds": _range(plan.seeds)}
    world = f", {subject.world}" if subject.world else ""
    columns = tuple(f"{seeds} seed{'s' if seeds > 1 else ''}" for seeds in plan.seeds)
    sections = []
    if sizes:
        rows = tuple(
            (f"{size:g}", *(scenarios_needed(found, size, seeds, plan.power) for seeds in plan.seeds))
            for size in sizes
        )
        title = f"Scenarios that a comparison needs{world}"
        sections.append(Section(title, NEEDED.format(**words) + vary, ("difference", *columns), rows))
    if plan.scenarios:
        figures = tuple(
            (number, *(difference_found(found, number, seeds, plan.power) for seeds in plan.seeds))
            for number in plan.scenarios
        )
        title = f"Differences that a comparison finds{world}"
        sections.append(Section(title, FOUND.format(**words) + vary, ("scenarios", *columns), figures))
    return sections


def _usual(found: Variation) -> Sequence[float]:
    spread = (found.scenarios + found.seeds) ** 0.5
    return [float(f"{size * spread:.1g}") for size in SIZES]


def _often(power: float) -> str:
    return "8 of 10" if power == POWER else f"{100 * power:g} of 100"


def _range(seeds: Sequence[int]) -> str:
    few = str(seeds[0]) if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}"
    return f"{few} seed{'s' if seeds[-1] > 1 else ''}"


# --- seeds that repeat a scenario ------------------------------------------------------------------------


TRIES = (2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100)
"""The k that are shown, as far as seeds allow."""

REPEATED = (
    "{metric}: pass@k is the chance that at least one of k episodes of a scenario is a success, pass^k that "
    "all of k are; means over the scenarios of which every agent that repeats any has k episodes or more, in "
    "per cent, with 95 % intervals over scenarios."
)

CHANCE = "chance"


def pass_at(number: int, successes: int, k: int) -> float:
    """The chance in per cent that at least one of ``k`` of ``number`` episodes is a success."""
    return 100 * (1 - comb(number - successes, k) / comb(number, k))


def pass_all(number: int, successes: int, k: int) -> float:
    """The chance in per cent that all of ``k`` of ``number`` episodes are successes."""
    return 100 * comb(successes, k) / comb(number, k)


def _over(rows: Sequence[Measures]) -> float | None:
    return mean(row[CHANCE] for row in rows)


MEAN = Metric(CHANCE, "mean of scenarios", "%", "higher", _over, "", lowest=0, highest=100)

Tally = dict[str, tuple[int, int]]
"""Episodes and successes of each scenario, by its id."""


def tally(metric: Metric, rows: Sequence[Measured]) -> Tally:
    """Episodes that have the share, and how many of them have its property, by scenario."""
    found: Tally = {}
    for scenario, own in grouped(rows, lambda row: row[0].header.id).items():
        outcomes = [metric.over([measures]) for _, measures in own]
        known = [outcome > 0 for outcome in outcomes if outcome is not None]
        if known:
            found[scenario] = len(known), sum(known)
    return found


def chance(tallies: Sequence[Tally], own: Tally, k: int, of: Callable[[int, int, int], float]) -> Estimate:
    """pass@k or pass^k of one agent over the scenarios of which all have ``k`` episodes or more."""
    scenarios = [
        scenario for scenario in own if all(scenario in each and each[scenario][0] >= k for each in tallies)
    ]
    return estimate(MEAN, [(scenario, {CHANCE: of(*own[scenario], k)}) for scenario in scenarios])


def repeat_sections(world: WorldScores) -> list[Section]:
    """One table for the world's first share of successes; none where no scenario was played twice."""
    metric = next((one for one in world.metrics if one.share and one.better == "higher"), None)
    if metric is None:
        return []
    tallies = [(cell, [tally(metric, line.rows) for line in cell.lines]) for cell in world.cells]
    most = max((number for _, own in tallies for each in own for number, _ in each.values()), default=0)
    tries = [k for k in TRIES if k <= most]
    if not tries:
        return []
    rows = [row for cell, own in tallies for row in _chances(cell, own, tries)]
    names = [name for k in tries for name in (f"pass@{k}", f"pass^{k}")]
    columns = ("group", "rules", "agent", "pass@1", *names)
    return [Section("Seeds that repeat", REPEATED.format(metric=metric.key), columns, tuple(rows))]


def _chances(cell: Cell, tallies: Sequence[Tally], tries: Sequence[int]) -> Iterator[tuple[object, ...]]:
    repeating = [own for own in tallies if any(number > 1 for number, _ in own.values())]
    for line, own in zip(cell.lines, tallies, strict=True):
        if own in repeating:
            chances = [chance(repeating, own, 1, pass_at)]
            chances += [chance(repeating, own, k, of) for k in tries for of in (pass_at, pass_all)]
            yield cell.group, cell.rules, line.experiment.agent, *map(interval_text, chances)
