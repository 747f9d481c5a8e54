"""What seeds that repeat a scenario tell: pass@k and pass^k.

Of n episodes of a scenario, c were successes. pass@k is the chance that at least one of k episodes is a
success (Chen et al., arXiv 2107.03374), 1 - C(n - c, k) / C(n, k); pass^k that all of them are (Yao et al.,
arXiv 2406.12045), C(c, k) / C(n, k). Both are unbiased, and their means over scenarios are given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import comb

from backburner.evaluation.alike import Cell
from backburner.evaluation.scores import WorldScores
from backburner.evaluation.statistics import estimate
from backburner.evaluation.tables import interval_text
from backburner.kernel.scoring import Estimate, Measured, Measures, Metric, Section, grouped, mean

TRIES = (2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100)
"""The k that are shown, as far as seeds allow."""

TEXT = (
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
    rows = [row for cell, own in tallies for row in _rows(cell, own, tries)]
    names = [name for k in tries for name in (f"pass@{k}", f"pass^{k}")]
    columns = ("group", "rules", "agent", "pass@1", *names)
    return [Section("Seeds that repeat", TEXT.format(metric=metric.key), columns, tuple(rows))]


def _rows(cell: Cell, tallies: Sequence[Tally], tries: Sequence[int]) -> Iterator[tuple[object, ...]]:
    repeating = [own for own in tallies if any(number > 1 for number, _ in own.values())]
    for line, own in zip(cell.lines, tallies, strict=True):
        if own in repeating:
            chances = [chance(repeating, own, 1, pass_at)]
            chances += [chance(repeating, own, k, of) for k in tries for of in (pass_at, pass_all)]
            yield cell.group, cell.rules, line.experiment.agent, *map(interval_text, chances)
