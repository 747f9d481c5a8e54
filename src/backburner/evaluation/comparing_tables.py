"""Paired differences as tables and pictures."""

from __future__ import annotations

from backburner.evaluation.comparing import Comparison, Difference
from backburner.kernel.charts import Stack, Stacks
from backburner.kernel.scoring import Section

OUTCOMES = ("better", "equal", "worse")

TEXT = (
    "{pairs} pairs of episodes of one scenario and seed, of {scenarios} scenarios, under {rules} rules. Each "
    "scenario's figure (its seeds together) of {one} less that of {other}, the mean over scenarios, with a "
    "95 % interval by drawing scenarios anew; a metric counts where both episodes of a pair have it. Then in "
    "how many scenarios {one} is better, equal or worse, in per cent."
)
RANKS = " / ".join(OUTCOMES)
COLUMNS = ("metric", "one", "other", "difference", "pairs", "scenarios", RANKS)


def comparison_section(found: Comparison) -> Section:
    """One comparison as a table, a line for each metric."""
    text = TEXT.format(
        pairs=found.pairs, scenarios=found.scenarios, rules=found.rules, one=found.one, other=found.other
    )
    columns = tuple({"one": found.one, "other": found.other}.get(name, name) for name in COLUMNS)
    return Section(_title(found), text, columns, tuple(map(_row, found.differences)))


def comparison_chart(found: Comparison) -> Stacks:
    """In how many scenarios the first side is better, equal and worse, by metrics that have a better end."""
    stacks = tuple(
        Stack(one.metric, {"better": one.better, "equal": one.equal, "worse": one.worse})
        for one in found.differences
        if one.better is not None and one.worse is not None
    )
    title = f"In how many scenarios {found.one} is better, {found.world}"
    return Stacks(title, "% of scenarios", OUTCOMES, stacks, 100.0)


def _title(found: Comparison) -> str:
    return f"{found.one} against {found.other}, {found.world}"


def _row(one: Difference) -> tuple[object, ...]:
    metric = f"{one.metric} ({one.unit})" if one.unit else one.metric
    return (metric, one.one, one.other, _interval(one), one.pairs, one.scenarios, _ranks(one))


def _interval(one: Difference) -> str:
    """``+1.50 [+0.25, +2.75]``; a single scenario has no interval."""
    found = one.difference
    if found.value is None or found.low is None or found.high is None:
        return "–" if found.value is None else f"{found.value:+.2f}"
    return f"{found.value:+.2f} [{found.low:+.2f}, {found.high:+.2f}]"


def _ranks(one: Difference) -> str:
    shares = (one.better, one.equal, one.worse)
    return " / ".join("–" if share is None else f"{share:.0f}" for share in shares)
