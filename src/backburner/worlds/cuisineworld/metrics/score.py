"""CuisineWorld's metrics: the collaboration score and what it is made of (article, section 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backburner.kernel import registry
from backburner.kernel.charts import Figure
from backburner.kernel.episode import Episode
from backburner.kernel.scoring import (
    Estimator,
    Measured,
    Measures,
    Metric,
    Published,
    Section,
    by_agent,
    grouped,
    mean,
    mean_of,
)
from backburner.worlds.cuisineworld.game.catalogue import catalogue
from backburner.worlds.cuisineworld.game.scenarios import TAUS, Scenario, work_steps
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.metrics.measures import (
    MODES,
    RewardMeter,
    failure_modes,
    moves_of,
    whole_steps,
)
from backburner.worlds.cuisineworld.metrics.published import (
    group_name,
    published_rows,
    published_tables,
)
from backburner.worlds.cuisineworld.metrics.tables import (
    by_class,
    counts_by_pace,
    figure_3,
    headroom,
    learning,
    table_1,
)
from backburner.worlds.dispatch.scores import (
    STILL_OPEN,
    OrderScoring,
    mean_count,
    order_metrics,
    paced,
)

LEVEL_COLUMNS = (
    "level",
    "class",
    "dishes",
    "products",
    "ingredients",
    "places",
    "work in a dish (steps)",
    "interval (steps)",
    "orders in an episode",
)


METRICS = order_metrics(
    TAUS,
    mean_count("Failed", "failed", "failures as the rules count", "", "lower"),
    mean_count("Expired", "expired", "orders expired", "orders", "lower"),
    STILL_OPEN,
    Metric("Reward", "released reward", "", "higher", mean_of("reward"), "mean sum"),
)


OTHER_RULES: Mapping[str, str] = {
    "head_chef": "a head chef",
    "in_turn": "decided in turn",
    "table_room": "room for {} spare dishes",
    "spoil_steps": "dishes spoil after {} steps",
    "hidden_orders": "orders hidden",
    "feedback": "feedback {}",
    "hints": "no hints",
}
"""What a field of a scenario says where it is not as in the article, which leaves it out."""


class CuisineWorldScoring(OrderScoring):
    """See ``kernel.scoring.Scoring`` for what each part promises."""

    metrics: Sequence[Metric] = METRICS
    catalogue = catalogue

    @property
    def published(self) -> Sequence[Published]:
        """Tables 1 to 4 and 6 to 11 of the article, one row for each agent, level and number of bodies."""
        return published_rows()

    def group(self, episode: Episode) -> str:
        """The level and the number of bodies, and what else sets the scenario apart from the article's."""
        scenario = episode.header.scenario
        name = group_name(str(scenario["level"]), int(scenario.get("bodies", 2)))
        in_a_row = ("episodes in a row",) if scenario.get("coupled") else ()
        return ", ".join((name, *_variants(scenario), *in_a_row))

    def measure(self, episode: Episode) -> Measures:
        """Counts of orders, the released reward, and the failure modes of the article's Appendix E.5."""
        world: CuisineWorld = self.played(episode)
        first = world.start(episode.header.seed)
        moves = whole_steps(list(moves_of(episode, world)))
        last = moves[-1][1].state if moves else first
        meter = RewardMeter(world.compiled, world.scenario.book, first)
        reward = sum(meter.pay(before, step.state) for before, step in moves)
        numbers = {name: float(number) for name, number in world.outcome(last).numbers.items()}
        return {
            **numbers,
            "tau": paced(world.scenario.tau),
            "reward": reward,
            **failure_modes(world, first, moves),
        }

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The levels as the article describes them: a row for each level among these scenarios."""
        scenarios: Iterator[Scenario] = map(registry.scenario, ids)
        by_level = grouped(scenarios, lambda scenario: scenario.level)
        return LEVEL_COLUMNS, [_level_row(level, scenarios) for level, scenarios in by_level.items()]

    def sections(self, rows: Sequence[Measured]) -> Sequence[Section]:
        """The article's tables of the episodes that were played as in it; failure modes of all."""
        plain = _as_published(rows)
        sections = [table_1(plain), by_class(plain), counts_by_pace(plain)] if plain else []
        sections += filter(None, (headroom(plain), learning(plain)))
        return [*sections, _failure_modes(rows), _contradictions()]

    def figures(self, rows: Sequence[Measured], estimate: Estimator) -> Sequence[Figure]:
        """The share of orders served over their pace (Figure 3)."""
        return [figure_3(_as_published(rows))]


def _variants(scenario: Mapping[str, Any]) -> Iterator[str]:
    """What sets a scenario apart from the article's, in words."""
    if groups := scenario.get("groups"):
        yield f"{len(groups)} seats"
    yield from (told.format(scenario[field]) for field, told in OTHER_RULES.items() if field in scenario)
    if "tau" not in scenario:
        yield "own pace"
    if "cookbook" in scenario:
        yield "own recipes"
    if "before" in scenario and not scenario.get("coupled"):
        yield f"{scenario['before']['drawn']} orders drawn before"


def _as_published(rows: Sequence[Measured]) -> list[Measured]:
    """The episodes of scenarios that nothing sets apart from the article's."""
    return [row for row in rows if not list(_variants(row[0].header.scenario))]


def _failure_modes(rows: Sequence[Measured]) -> Section:
    table = [
        (agent, len(played), *(f"{mean(m[mode] for _, m in played):.2f}" for mode in MODES))
        for agent, played in by_agent(rows)
    ]
    text = "Mean number in an episode; how each is counted is ours (article, Appendix E.5)."
    return Section("Failure modes", text, ("agent", "episodes", *MODES), tuple(table))


def _contradictions() -> Section:
    table = [
        (c.where, c.level, c.bodies or "any", c.agent, ", ".join(f"{f:g}" for f in c.figures), c.what)
        for c in published_tables().contradictions
    ]
    columns = ("where", "level", "agents", "agent", "figures", "what")
    text = "Printed figures that contradict each other or the released program."
    return Section("Contradictions in the article", text, columns, tuple(table))


def _level_row(level: str, scenarios: Sequence[Scenario]) -> Sequence[Any]:
    first = scenarios[0]
    book, dishes = first.book, first.dishes
    made = book.closure(dishes)
    return (
        level,
        first.level_class.replace("_", " ") or "–",
        len(dishes),
        len(made),
        len(book.things(dishes)) - len(made),
        len(first.kitchen),
        _range([work_steps(book, dish) for dish in dishes]),
        _range([scenario.interval for scenario in scenarios]),
        _range([scenario.orders_per_episode for scenario in scenarios]),
    )


def _range(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"


scoring = CuisineWorldScoring()
