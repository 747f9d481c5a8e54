"""Paired differences: two agents, or two runs, over the scenarios and seeds that both played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from msgspec import Struct
from msgspec.structs import replace

from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.significance import Variation, effect_size, holm, sign_flip_p, variation
from backburner.evaluation.scoring.statistics import SAME, estimate
from backburner.evaluation.tables.words import interval_text, p_text
from backburner.kernel import registry
from backburner.kernel.charts import Stack, Stacks
from backburner.kernel.episode import Episode, Header
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.scoring import Estimate, Measured, Measures, Metric, Section, grouped
from backburner.kernel.shown import Shown
from backburner.kernel.values import digest

OUTCOMES = ("better", "equal", "worse")

TEXT = (
    "{pairs} pairs of episodes of one scenario and seed, of {scenarios} scenarios, under {rules} rules. Each "
    "scenario's figure (its seeds together) of {one} less that of {other}, the mean over scenarios, with its "
    "95 % interval; effect: that mean in standard deviations of the differences (Hedges's g); p: the paired "
    "permutation test (every pattern of signs of the scenarios' differences, two-sided), corrected for all "
    "metrics of the table by Holm's method. A metric counts where both episodes of a pair have it. Then in "
    "how many scenarios {one} is better, equal or worse, in per cent."
)
RANKS = " / ".join(OUTCOMES)
COLUMNS = ("metric", "one", "other", "difference", "effect", "p", "pairs", "scenarios", RANKS)


# --- who is compared, and which of their episodes belong together --------------------------------------


class Side(Struct, frozen=True):
    """One of the two that are compared: what it goes by, and its episodes."""

    name: str
    episodes: tuple[Episode, ...]


Pair = tuple[Measured, Measured]
"""Two episodes of one scenario and seed, with what was measured of them."""


def side_of(name: str, records: Sequence[tuple[Path, Episode]], folder: Path) -> Side:
    """All records of an agent of this name, or those in a folder (a path as it stands, or in ``folder``).

    Raises ``UnknownName`` if there are none.
    """
    chosen = [episode for _, episode in records if episode.header.agent == name]
    for side in () if chosen else (Path(name), folder / name):
        chosen = [episode for path, episode in records if path.resolve().is_relative_to(side.resolve())]
        if chosen:
            break
    if not chosen:
        agents = dict.fromkeys(episode.header.agent for _, episode in records)
        raise UnknownName("agent or folder of records", name, agents, str(folder))
    return Side(name, tuple(chosen))


def pairs_of(rows: Sequence[Measured], one: Side, other: Side) -> list[Pair]:
    """Pairs of episodes of one scenario and seed that both sides played under the same conditions.

    Raises ``Refused`` if both sides played a scenario and seed, but never under the same conditions, or if a
    side has two episodes of one.
    """
    ours, theirs = _by_key(rows, one), _by_key(rows, other)
    keys = []
    for key in sorted(ours.keys() & theirs.keys()):
        same = ours[key].keys() & theirs[key].keys()
        if not same:
            our_header, their_header = (next(iter(side[key].values()))[0].header for side in (ours, theirs))
            raise Refused(_mixed(our_header, their_header, one.name, other.name))
        keys += [(key, condition) for condition in sorted(same)]
    return [(ours[key][condition], theirs[key][condition]) for key, condition in keys]


def _by_key(rows: Sequence[Measured], side: Side) -> Mapping[tuple[str, int], Mapping[str, Measured]]:
    """A side's episodes by scenario and seed, then by the conditions under which they were played."""
    of_side = {id(episode) for episode in side.episodes}
    by_key: dict[tuple[str, int], dict[str, Measured]] = {}
    for row in rows:
        if id(row[0]) in of_side:
            header = row[0].header
            of_key = by_key.setdefault((header.id, header.seed), {})
            condition = digest([value for _, value in conditions(header)])
            if condition in of_key:
                raise Refused(
                    f"{side.name}: several records of {header.id}, seed {header.seed}; name a folder in "
                    "which there is one of each"
                )
            of_key[condition] = row
    return by_key


def conditions(header: Header) -> Iterator[tuple[str, object]]:
    """What must be the same for a difference to be one of agents."""
    yield "rules", header.rules
    yield "limits", header.limits
    yield "version of the world", header.world_version
    # What it takes over from the episode before it, agents bring about themselves.
    yield "scenario", header.scenario_digest if registry.stands_alone(header.id) else header.id


def _mixed(one: Header, other: Header, name: str, other_name: str) -> str:
    differing = [
        what
        for (what, value), (_, other_value) in zip(conditions(one), conditions(other), strict=True)
        if value != other_value
    ]
    rule_sets = f" ({one.rules_name}, {other.rules_name})" if one.rules_name != other.rules_name else ""
    return (
        f"{one.id}, seed {one.seed}: {name} and {other_name} were played with different "
        f"{' and '.join(differing)}{rule_sets}; their difference would not be one of agents"
    )


def by_scenario(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    """The pairs of each scenario, by its id."""
    return grouped(pairs, lambda pair: pair[0][0].header.id)


# --- differences ---------------------------------------------------------------------------------------


class Difference(Struct, frozen=True):
    """One metric, ``one`` less ``other``.

    The seeds of a scenario together give one figure for each side. ``one`` and ``other`` are the means of
    these figures over the ``scenarios``; ``difference`` is the mean of their differences with its 95 %
    interval.
    ``pairs``: episodes of one side that have the figure, with an episode of the other that has it too.
    ``better``, ``equal``, ``worse``: per cent of scenarios, ``None`` where the metric has no better end.
    ``effect``: Hedges's g of the scenarios' differences. ``p``: of the paired permutation test;
    ``corrected``: for all metrics of the comparison, by Holm's method. ``variation``: of the differences,
    from scenario to scenario and from seed to seed.
    """

    metric: str
    unit: str
    one: float | None
    other: float | None
    difference: Estimate
    pairs: int
    scenarios: int
    better: float | None
    equal: float
    worse: float | None
    effect: float | None = None
    p: float | None = None
    corrected: float | None = None
    variation: Variation | None = None

    @property
    def title(self) -> str:
        """The metric, with its unit if it has one."""
        return f"{self.metric} ({self.unit})" if self.unit else self.metric


class Comparison(Shown, Struct, frozen=True):
    """Two sides in one world under one rule set.

    ``unpaired``: how many episodes of each side have none beside them, as the other has not played them or
    its call failed, or their own did; ``failed``: in how many of each side's own a call failed.
    """

    world: str
    rules: str
    one: str
    other: str
    pairs: int
    scenarios: int
    differences: tuple[Difference, ...]
    unpaired: tuple[int, ...] = (0, 0)
    failed: tuple[int, ...] = (0, 0)


def compare(scores: Sequence[WorldScores], one: Side, other: Side) -> list[Comparison]:
    """The differences, world by world and rule set by rule set.

    Raises ``Refused`` if both played a scenario, but under different rules, limits or versions of the world;
    if a side played one twice; if they have no scenario and seed in common; or if both sides are the same.
    """
    if one.name == other.name:
        raise Refused(f"--compare {one.name} {other.name}: both sides are the same")
    comparisons = []
    for world in scores:
        answered = world.answered
        pairs = pairs_of(answered, one, other)
        by_rules = grouped(pairs, lambda pair: pair[0][0].header.rules_name)
        for rules, of_rules in sorted(by_rules.items()):
            differences = _corrected(list(_differences(world.metrics, of_rules)))
            scenarios = len(by_scenario(of_rules))
            unpaired = (_unpaired(world.measured, side, rules, of_rules) for side in (one, other))
            failed = (_failed(world.measured, side, rules) for side in (one, other))
            comparisons.append(
                Comparison(
                    world.world,
                    rules,
                    one.name,
                    other.name,
                    len(of_rules),
                    scenarios,
                    differences,
                    tuple(unpaired),
                    tuple(failed),
                )
            )
    if not comparisons:
        raise Refused(f"{one.name} and {other.name} have no scenario and seed in common")
    return comparisons


def _of_side(rows: Sequence[Measured], side: Side, rules: str) -> list[Measured]:
    of_side = {id(episode) for episode in side.episodes}
    return [row for row in rows if id(row[0]) in of_side and row[0].header.rules_name == rules]


def _unpaired(rows: Sequence[Measured], side: Side, rules: str, pairs: Sequence[Pair]) -> int:
    paired = {id(episode) for pair in pairs for episode, _ in pair}
    return sum(id(episode) not in paired for episode, _ in _of_side(rows, side, rules))


def _failed(rows: Sequence[Measured], side: Side, rules: str) -> int:
    return sum(episode.failed for episode, _ in _of_side(rows, side, rules))


def _differences(metrics: Sequence[Metric], pairs: Sequence[Pair]) -> Iterator[Difference]:
    """Every metric that some pair has on both sides."""
    for metric in metrics:
        known = [pair for pair in pairs if all(metric.over([measures]) is not None for _, measures in pair)]
        figures = []
        for scenario, of_scenario in by_scenario(known).items():
            one, other = (metric.over([pair[side][1] for pair in of_scenario]) for side in (0, 1))
            if one is not None and other is not None:
                figures.append((scenario, one, other))
        if figures:
            difference = _difference(metric, figures, len(known))
            yield replace(difference, variation=_variation(metric, known))


def _variation(metric: Metric, pairs: Sequence[Pair]) -> Variation | None:
    """How the differences of single pairs vary over scenarios and seeds."""
    by_seed = [
        [(metric.over([one]) or 0.0) - (metric.over([other]) or 0.0) for (_, one), (_, other) in of_scenario]
        for of_scenario in by_scenario(pairs).values()
    ]
    return variation(by_seed)


def _corrected(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    corrected = holm([difference.p for difference in differences])
    return tuple(replace(one, corrected=p) for one, p in zip(differences, corrected, strict=True))


def _difference(metric: Metric, figures: Sequence[tuple[str, float, float]], pairs: int) -> Difference:
    deltas = [(scenario, one - other) for scenario, one, other in figures]
    higher = 100 * fmean(delta > SAME for _, delta in deltas)
    lower = 100 * fmean(delta < -SAME for _, delta in deltas)
    better, worse = (higher, lower) if metric.better == "higher" else (lower, higher)
    ranked = metric.better != "neither"
    return Difference(
        metric.key,
        metric.unit,
        fmean(one for _, one, _ in figures),
        fmean(other for _, _, other in figures),
        estimate(mean_difference(metric), [(scenario, {DELTA: delta}) for scenario, delta in deltas]),
        pairs,
        len(figures),
        better if ranked else None,
        100 * fmean(abs(delta) <= SAME for _, delta in deltas),
        worse if ranked else None,
        effect_size([delta for _, delta in deltas]),
        sign_flip_p([delta for _, delta in deltas]),
    )


DELTA = "difference"


def _mean(rows: Sequence[Measures]) -> float | None:
    return fmean(row[DELTA] for row in rows) if rows else None


def mean_difference(metric: Metric) -> Metric:
    """The mean of scenarios' differences in a metric; they lie no further apart than its two ends do."""
    lowest, highest = (0.0, 100.0) if metric.share else (metric.lowest, metric.highest)
    most = None if lowest is None or highest is None else highest - lowest
    formula = "mean of the scenarios' differences"
    return Metric(
        DELTA,
        "mean difference",
        metric.unit,
        "neither",
        _mean,
        formula,
        lowest=None if most is None else -most,
        highest=most,
    )


# --- as a table and as a chart -------------------------------------------------------------------------


def comparison_section(comparison: Comparison) -> Section:
    """One comparison as a table, a line for each metric."""
    text = TEXT.format(
        pairs=comparison.pairs,
        scenarios=comparison.scenarios,
        rules=comparison.rules,
        one=comparison.one,
        other=comparison.other,
    )
    columns = tuple({"one": comparison.one, "other": comparison.other}.get(name, name) for name in COLUMNS)
    return Section(
        _title(comparison), text + _left_out(comparison), columns, tuple(map(_row, comparison.differences))
    )


def _left_out(comparison: Comparison) -> str:
    """Which episodes are in no pair, if any."""
    told = [
        f"{number} of {name}" + (f" (in {failed} a call failed)" if failed else "")
        for name, number, failed in zip(
            (comparison.one, comparison.other), comparison.unpaired, comparison.failed, strict=True
        )
        if number
    ]
    return f" Episodes without the other's beside them, left out: {', '.join(told)}." if told else ""


def comparison_chart(comparison: Comparison) -> Stacks:
    """In how many scenarios the first side is better, equal and worse, by metrics that have a better end."""
    stacks = tuple(
        Stack(
            difference.metric,
            {"better": difference.better, "equal": difference.equal, "worse": difference.worse},
        )
        for difference in comparison.differences
        if difference.better is not None and difference.worse is not None
    )
    title = f"In how many scenarios {comparison.one} is better, {comparison.world}"
    return Stacks(title, "% of scenarios", OUTCOMES, stacks, 100.0)


def _title(comparison: Comparison) -> str:
    return f"{comparison.one} against {comparison.other}, {comparison.world}"


def _row(difference: Difference) -> tuple[object, ...]:
    return (
        difference.title,
        difference.one,
        difference.other,
        interval_text(difference.difference, signed=True),
        difference.effect,
        p_text(difference.corrected),
        difference.pairs,
        difference.scenarios,
        _ranks(difference),
    )


def _ranks(difference: Difference) -> str:
    shares = (difference.better, difference.equal, difference.worse)
    return " / ".join("–" if share is None else f"{share:.0f}" for share in shares)
