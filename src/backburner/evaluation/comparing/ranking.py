"""All pairs of agents by each metric, and a ranking that says how sure it is.

Two agents are compared over the scenarios that both have finished, each scenario's seeds together giving one
figure for each of them. A rank is a range: an agent's place is at best behind those that are better for
certain, at worst before those that are worse for certain, by p-values that are corrected for all pairs. All
ranges hold the true places at once in 95 % of experiments (Mogstad, Romano, Shaikh and Wilhelm, Review of
Economic Studies 91, 2024).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean

from msgspec import Struct
from msgspec.structs import replace

from backburner.evaluation.comparing.comparison import DELTA, mean_difference
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.significance import effect_size, holm, sign_flip_p
from backburner.evaluation.scoring.statistics import MISSED, SAME, estimate
from backburner.evaluation.tables.words import interval_text, p_text
from backburner.kernel.scoring import Estimate, Measured, Metric, Section, grouped

Figures = Mapping[str, float]
"""An agent's figure of each scenario, by its id."""


class Standing(Struct, frozen=True):
    """An agent's place, from ``best`` to ``worst``.

    ``lead``: the mean of its mean differences from each of the others, more being better.
    """

    agent: str
    scenarios: int
    lead: float
    best: int
    worst: int


class Pair(Struct, frozen=True):
    """Two agents over the scenarios of both, ``one`` less ``other``.

    ``difference``: the mean, with its interval. ``effect``: Hedges's g. ``p``: of the paired permutation
    test; ``corrected``: for all pairs.
    """

    one: str
    other: str
    scenarios: int
    difference: Estimate
    effect: float | None
    p: float | None
    corrected: float | None = None


class Ranking(Struct, frozen=True):
    """The agents of a world under one rule set by one metric, the first ones first."""

    world: str
    rules: str
    metric: str
    unit: str
    standings: tuple[Standing, ...]
    pairs: tuple[Pair, ...]

    @property
    def equal(self) -> bool:
        """Whether no agent leads another."""
        return all(abs(one.lead) <= SAME for one in self.standings)

    @property
    def open(self) -> bool:
        """Whether every agent may have every place."""
        return all((one.best, one.worst) == (1, len(self.standings)) for one in self.standings)


def rankings(world: WorldScores) -> Iterator[Ranking]:
    """For each rule set one by each metric that has a better end and that two agents have in a common
    scenario, in the order of the world's metrics."""
    played = [line.experiment for cell in world.cells for line in cell.lines]
    for rules, of_rules in grouped(played, lambda experiment: experiment.rules).items():
        rows = {
            agent: [row for one in own for row in one.rows if world.counting.counts(row)]
            for agent, own in grouped(of_rules, lambda experiment: experiment.agent).items()
        }
        for metric in world.metrics:
            ranked = rank(metric, {agent: figures_of(metric, own) for agent, own in rows.items()})
            if ranked is not None and metric.better != "neither":
                yield Ranking(world.world, rules, metric.key, metric.unit, *ranked)


def figures_of(metric: Metric, rows: Sequence[Measured]) -> Figures:
    """The metric of each scenario that has it, all seeds together."""
    by_scenario = grouped(rows, lambda row: row[0].header.id)
    found = {id: metric.over([measures for _, measures in own]) for id, own in by_scenario.items()}
    return {id: figure for id, figure in found.items() if figure is not None}


def rank(
    metric: Metric, agents: Mapping[str, Figures]
) -> tuple[tuple[Standing, ...], tuple[Pair, ...]] | None:
    """Agents with their figures by scenario, ranked, and their pairs; ``None`` if no two have a scenario in
    common. Who has none in common with anybody is left out."""
    pairs = _pairs(metric, agents)
    ranked = [agent for agent in agents if any(agent in (pair.one, pair.other) for pair in pairs)]
    if not ranked:
        return None
    sign = 1 if metric.better == "higher" else -1
    leads: dict[str, list[float]] = {agent: [] for agent in ranked}
    gains = [sign * (pair.difference.value or 0.0) for pair in pairs]
    for pair, gain in zip(pairs, gains, strict=True):
        leads[pair.one].append(gain)
        leads[pair.other].append(-gain)
    tests = [(pair.one, pair.other, gain, pair.corrected) for pair, gain in zip(pairs, gains, strict=True)]
    places = places_of(ranked, tests)
    standings = (Standing(agent, len(agents[agent]), fmean(leads[agent]), *places[agent]) for agent in ranked)
    return tuple(sorted(standings, key=lambda one: (one.best + one.worst, -one.lead))), pairs


def places_of(
    names: Sequence[str], tests: Iterable[tuple[str, str, float, float | None]]
) -> dict[str, tuple[int, int]]:
    """The best and the worst place of each: behind those that are better for certain, before those that are
    worse for certain.

    ``tests``: (one, other, by how much the one is better, the corrected p) of each pair.
    """
    certain = [
        (one, other) if gain > 0 else (other, one)
        for one, other, gain, p in tests
        if p is not None and p < MISSED
    ]
    better, worse = Counter(behind for _, behind in certain), Counter(ahead for ahead, _ in certain)
    return {name: (1 + better[name], len(names) - worse[name]) for name in names}


def place_text(best: int, worst: int) -> str:
    """``2`` or ``2–4``."""
    return str(best) if best == worst else f"{best}–{worst}"


def _pairs(metric: Metric, agents: Mapping[str, Figures]) -> tuple[Pair, ...]:
    """All pairs that have a scenario in common."""
    of_differences = mean_difference(metric)
    pairs = []
    for one, other in combinations(agents, 2):
        common = sorted(agents[one].keys() & agents[other].keys())
        if common:
            deltas = [agents[one][scenario] - agents[other][scenario] for scenario in common]
            rows = [(scenario, {DELTA: delta}) for scenario, delta in zip(common, deltas, strict=True)]
            difference = estimate(of_differences, rows)
            p = sign_flip_p(deltas)
            pairs.append(Pair(one, other, len(common), difference, effect_size(deltas), p))
    corrected = holm([pair.p for pair in pairs])
    return tuple(replace(pair, corrected=p) for pair, p in zip(pairs, corrected, strict=True))


# --- as tables -----------------------------------------------------------------------------------------

MOST_PAIRS = 120
"""Rows of the table of pairs; ``--json`` has all of them."""

RANKS = (
    "Places by each metric, all groups together; each scenario counts once, whatever its number of seeds. A "
    "place is a range: agents that are better for certain (p corrected below 0.05 over all pairs) stand "
    "before it, agents that are worse for certain after it. All ranges of a metric hold the true places at "
    "once in 95 % of experiments. Lead: the mean of the differences from each of the others, above 0 where "
    "the agent is better; scenarios: finished ones that have the metric of the lead."
)
ALL_EQUAL = "All agents are equal in every metric: {}."
SOME_EQUAL = "Equal for all: {}."
OPEN = "No two agents are told apart for certain by {}: every place is open."
PAIRS = (
    "Each pair over the scenarios that both have finished. Mean difference of scenarios with its 95 % "
    "interval; effect: that mean in standard deviations of the differences (Hedges's g); p: the paired "
    "permutation test (every pattern of signs of the scenarios' differences, two-sided); corrected for the "
    "number of pairs, {number}, by Holm's method. Fewer than six scenarios cannot show a p below 0.05."
)


def ranking_sections(found: Iterable[Ranking]) -> list[Section]:
    """For each rule set the places as a table, and all pairs as another, by the first metric in which agents
    differ."""
    by_rules = grouped(found, lambda ranking: ranking.rules)
    return [
        section
        for own in by_rules.values()
        for leading in [next((one for one in own if not one.equal), None)]
        for section in (_places(own, leading), _all_pairs(own[0] if leading is None else leading))
    ]


def _places(found: Sequence[Ranking], leading: Ranking | None) -> Section:
    """A column for each metric that tells two agents apart; the others are told in the text."""
    title = f"Ranking, {found[0].world}, {found[0].rules} rules"
    equal = ", ".join(one.metric for one in found if one.equal)
    if leading is None:
        rows = tuple((one.agent, one.scenarios) for one in found[0].standings)
        return Section(title, ALL_EQUAL.format(equal), ("agent", "scenarios"), rows)
    undecided = ", ".join(one.metric for one in found if one.open and not one.equal)
    told = [one for one in found if not one.open]
    places = [{one.agent: place_text(one.best, one.worst) for one in ranking.standings} for ranking in told]
    lines = tuple(
        (one.agent, one.scenarios, one.lead, *(of_metric.get(one.agent) for of_metric in places))
        for one in leading.standings
    )
    remarks = [SOME_EQUAL.format(equal)] * bool(equal) + [OPEN.format(undecided)] * bool(undecided)
    columns = ("agent", "scenarios", f"lead, {_named(leading)}", *(ranking.metric for ranking in told))
    return Section(title, " ".join((*remarks, RANKS)), columns, lines)


def _all_pairs(ranking: Ranking) -> Section:
    title = f"All pairs, {ranking.world}, {ranking.rules} rules"
    if ranking.equal:
        return Section(title, "All agents are equal: there are no differences.", ("one", "other"), ())
    number = len(ranking.pairs)
    more = f" {number - MOST_PAIRS} more pairs are in --json." if number > MOST_PAIRS else ""
    columns = ("one", "other", "scenarios", f"difference, {_named(ranking)}", "effect", "p", "p corrected")
    return Section(
        title,
        PAIRS.format(number=number) + more,
        columns,
        tuple(map(_row, ranking.pairs[:MOST_PAIRS])),
    )


def _named(ranking: Ranking) -> str:
    return f"{ranking.metric} ({ranking.unit})" if ranking.unit else ranking.metric


def _row(pair: Pair) -> tuple[object, ...]:
    difference, tests = interval_text(pair.difference, signed=True), (p_text(pair.p), p_text(pair.corrected))
    return pair.one, pair.other, pair.scenarios, difference, pair.effect, *tests
