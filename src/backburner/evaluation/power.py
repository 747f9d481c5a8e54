"""How many scenarios and seeds a comparison needs, from how the differences of one that was made vary."""

from __future__ import annotations

from backburner.evaluation.comparison import Comparison, Difference
from backburner.evaluation.significance import Variation, scenarios_needed
from backburner.kernel.scoring import Section

SEEDS = (1, 3, 5, 10)

SIZES = (0.2, 0.5, 1.0)
"""Differences that are asked about, in standard deviations of those between single episodes."""

TEXT = (
    "How many scenarios a paired t-test on the level of 5 % needs to find such a difference in {metric} in 8 "
    "of 10 experiments, with 1 to 10 seeds of each. Differences between {one} and {other} vary from scenario "
    "to scenario with a standard deviation of {scenarios:.3g}, and from seed to seed of one scenario with "
    "{seeds:.3g}: more seeds take away the second part alone.{unknown}"
)
UNKNOWN = " With one seed for each scenario the two parts cannot be told apart, and all counts as the first."


def power_section(comparison: Comparison) -> Section | None:
    """For the first metric whose differences vary: scenarios by the size of a difference and by seeds."""
    for difference in comparison.differences:
        found = difference.variation
        if found is not None and found.scenarios + found.seeds > 0:
            return _section(comparison, difference, found)
    return None


def _section(comparison: Comparison, difference: Difference, found: Variation) -> Section:
    spread = (found.scenarios + found.seeds) ** 0.5
    sizes = [float(f"{size * spread:.1g}") for size in SIZES]
    text = TEXT.format(
        metric=f"{difference.metric} ({difference.unit})" if difference.unit else difference.metric,
        one=comparison.one,
        other=comparison.other,
        scenarios=found.scenarios**0.5,
        seeds=found.seeds**0.5,
        unknown=UNKNOWN if difference.pairs == difference.scenarios else "",
    )
    columns = ("difference", *(f"{seeds} seed{'s' if seeds > 1 else ''}" for seeds in SEEDS))
    rows = tuple((f"{size:g}", *(scenarios_needed(found, size, seeds) for seeds in SEEDS)) for size in sizes)
    title = f"Scenarios that a comparison needs, {comparison.world}"
    return Section(title, text, columns, rows)
